//! The searches under memory models with store buffers.

use std::sync::Arc;

use engine::Engine;
use generate::Test;
use machine::{Grain, MemoryModel, Property};
use stateless::Stateless;

use crate::bounded;
use crate::common::{Disagreement, load};
use crate::compare::{Tally, check_property, contains, machine_under, same_summaries};
use crate::engines;
use crate::naive::{Summary, enumerate};
use crate::robust;
use crate::stateless::{BY_MOVERS, same_traces, same_verdict_by};
use crate::walk::walks;

/// Programs with more states, unreduced, are left out.
const MAX_STATES: usize = 20_000;

/// Properties that depend on when stores are seen.
const PROPERTIES: [Property; 4] = [Property::Assert, Property::Race, Property::Deadlock, Property::Memory];

/// Random executions of each program.
const WALKS: usize = 50;

/// Runs the searches on a program under each model, the strongest first.
pub fn compare(test: &Test) -> Result<Tally, Disagreement> {
    let program = Arc::new(load(&test.to_string())?);
    let mut tally = Tally::one();
    let mut stronger: Option<Summary> = None;
    for model in MemoryModel::ALL {
        let machine = |property| machine_under(model, &program, property);
        let under = |wrong: Disagreement| Disagreement {
            kind: format!("{model}: {}", wrong.kind),
            message: format!("under {model}: {}", wrong.message),
        };
        let Some((full, states)) = enumerate(&machine(None), Grain::Instruction, MAX_STATES) else {
            tally.too_large = 1;
            return Ok(tally);
        };
        let reduced = enumerate(&machine(None), Grain::Visible, usize::MAX);
        let (reduced, reduced_states) = reduced.expect("there is no limit");
        tally.states += states;
        tally.reduced_states += reduced_states;
        same_summaries(&full, &reduced).map_err(under)?;
        contains(&full, &walks(&machine(None), test.seed, WALKS)).map_err(under)?;
        if let Some(stronger) = stronger.filter(|_| is_complete(&full)) {
            contains(&full, &stronger).map_err(under)?;
            tally.weaker += usize::from(full.final_states != stronger.final_states);
        }
        if model.has_buffers() {
            engines::same_counts(&machine(None), Grain::Visible).map_err(under)?;
            let finals =
                bounded::same_final_states(&machine(None), full.final_states.len()).map_err(under)?;
            tally.bounded += usize::from(finals);
            let follows = Stateless::default().follows(model);
            // What is seen of executions that are not followed depends on where steps end.
            if follows && is_complete(&full) {
                let compared = same_traces(&machine(None)).map_err(under)?;
                tally.traced += usize::from(compared == Some(true));
                tally.untraced += usize::from(compared.is_none());
            }
            for property in PROPERTIES {
                let machine = machine(Some(property));
                let Some(violated) = check_property(&machine, property, &full).map_err(under)? else {
                    continue;
                };
                *tally.violated.entry(property.name()).or_default() += usize::from(violated);
                engines::same_verdicts(&machine, Grain::Visible, violated).map_err(under)?;
                tally.raceless += usize::from(engines::raceless(&machine, violated).map_err(under)?);
                bounded::same_verdict_by_all(&machine, violated).map_err(under)?;
                if follows {
                    same_verdict_by(&machine, violated, &BY_MOVERS).map_err(under)?;
                }
            }
        }
        if model.has_buffers() && is_complete(&full) {
            let violated = robust::compare(&program, model).map_err(under)?;
            *tally.violated.entry(Property::Robust.name()).or_default() += usize::from(violated);
        }
        stronger = Some(full);
    }
    Ok(tally)
}

/// Whether all executions were followed.
fn is_complete(summary: &Summary) -> bool {
    !summary.ends.iter().any(|end| end.contains("Unsupported"))
}
