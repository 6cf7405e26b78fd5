//! The engine `impact` beside the reference: the same verdicts with every order of
//! threads, with reduction and without, and with the paper's reductions; on inputs as choices and
//! as symbols.

use std::sync::Arc;

use engine::{Engine, Verdict};
use generate::Test;
use impact::{Impact, Options, Order, Por};
use ir::Program;
use machine::Property;

use crate::bounded::{reference, run, violated};
use crate::common::{Disagreement, load};
use crate::compare::{Tally, machine};
use crate::symbolic::{reads_inputs, widened};

/// Compares `impact` with the reference.
pub fn compare(test: &Test) -> Result<Tally, Disagreement> {
    let narrow = Arc::new(load(&test.to_string())?);
    let mut tally = Tally::one();
    let expected = expected(&narrow);
    let mut programs = vec![Arc::clone(&narrow)];
    if reads_inputs(&narrow) {
        programs.push(Arc::new(widened(&narrow)));
    }
    for program in &programs {
        for options in ways(test.seed) {
            let decided = same_verdicts(program, &options, &expected)?;
            tally.bounded += decided.len();
            for (_, violated) in decided.iter().filter(|(property, _)| *property == Property::Race) {
                tally.races[usize::from(*violated)] += 1;
            }
            tally.in_reach += expected.len();
        }
    }
    for (property, violated) in expected {
        *tally.violated.entry(property.name()).or_default() += usize::from(violated);
    }
    Ok(tally)
}

/// The default, one of the other ways to search the reduced product, and one of the paper's
/// reductions.
fn ways(seed: u64) -> Vec<Options> {
    let orders = [
        Order::Lockstep,
        Order::Groups,
        Order::Relay,
        Order::Writes,
        Order::Sequential,
        Order::Reverse,
        Order::Alike,
    ];
    let order = orders[seed as usize % orders.len()];
    let one = Options { orders: vec![order], ..Options::default() };
    let other = match seed % 4 {
        0 => Options { reduces: false, ..one },
        1 => Options { force_cover: false, ..one },
        2 => Options { invariants: false, ..one },
        _ => one,
    };
    let por = [Por::None, Por::Shared, Por::Monotonic, Por::Monotonic][seed as usize / 4 % 4];
    let on_the_tree = Options { por: Some(por), force_cover: seed.is_multiple_of(2), ..Options::default() };
    vec![Options::default(), other, on_the_tree]
}

/// Which properties are violated, as far as the reference knows.
fn expected(program: &Arc<Program>) -> Vec<(Property, bool)> {
    let decides = Impact::default().decides();
    let verdict = |property| Some((property, violated(&run(&machine(program, Some(property)), reference))?));
    decides.iter().filter_map(verdict).collect()
}

/// The verdicts that there were; all of them are the expected ones.
fn same_verdicts(
    program: &Arc<Program>,
    options: &Options,
    expected: &[(Property, bool)],
) -> Result<Vec<(Property, bool)>, Disagreement> {
    let mut decided = Vec::new();
    for (property, violated) in expected {
        let machine = machine(program, Some(*property));
        let engine = Impact { options: options.clone() };
        let found = run(&machine, |task| engine.check(task));
        let differ = |what: String| Disagreement {
            kind: "impact".to_owned(),
            message: format!("{options:?}, {}: {what}", property.name()),
        };
        match &found.verdict {
            Verdict::Unknown { .. } => continue,
            Verdict::Holds { .. } if *violated => {
                return Err(differ("safe, but there is a violation".into()));
            }
            Verdict::Violated { fault, .. } if !violated => {
                return Err(differ(format!("{} at {}, but it is safe", fault.kind.name(), fault.at)));
            }
            Verdict::Violated { fault, trace } => {
                trace::replay(&machine, trace, fault, &mut ()).map_err(|why| differ(why.to_string()))?;
            }
            Verdict::Holds { .. } => {}
        }
        decided.push((*property, *violated));
    }
    Ok(decided)
}
