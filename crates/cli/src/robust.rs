//! `--property robust`: before anything is looked for under the memory model, the final states
//! of the program under sequential consistency are found.

use std::sync::{Arc, Mutex, PoisonError};

use engine::{Bounds, Budget, Outcome, Progress, Task, Verdict};
use explicit::Options;
use ir::Program;
use machine::{Config, FinalStates, Finals, Machine, MemoryModel, Property};

use crate::choose::Choice;
use crate::engines;
use crate::fall_through::Answer;
use crate::session::Session;

/// Finds the final states, if robustness is asked for. If they are not known, neither is
/// whether the program is robust.
#[allow(clippy::result_large_err)]
pub fn prepare(program: &Arc<Program>, config: &mut Config, session: &Session) -> Result<(), Answer> {
    if !config.properties.has(Property::Robust) {
        return Ok(());
    }
    let progress = session.board.enter(explicit::NAME);
    let found = final_states(program, config, &session.budget, &progress);
    session.board.leave(&progress);
    match found {
        Ok(known) => config.finals = Some(Finals::Known(known)),
        Err((machine, outcome)) => {
            let explicit = engines::named(explicit::NAME);
            let choice = explicit.map(|engine| Choice { engine, search: None, endless: false, why: None });
            return Err(Answer { choice, machine, outcome });
        }
    }
    Ok(())
}

/// The final states under sequential consistency, or the search that did not find all.
#[allow(clippy::result_large_err)]
pub fn final_states(
    program: &Arc<Program>,
    config: &Config,
    budget: &Budget,
    progress: &Progress,
) -> Result<Arc<FinalStates>, (Machine, Outcome)> {
    let noted = Arc::new(Mutex::new(FinalStates::default()));
    let finals = Some(Finals::Noted(Arc::clone(&noted)));
    let config = Config { memory_model: MemoryModel::Sc, finals, ..config.clone() };
    let machine = Machine::new(Arc::clone(program), config);
    let task = Task { machine: &machine, budget, bounds: Bounds::default(), progress };
    let outcome = explicit::check(&task, Options::default());
    match outcome.verdict {
        Verdict::Holds { .. } => {
            Ok(Arc::new(std::mem::take(&mut *noted.lock().unwrap_or_else(PoisonError::into_inner))))
        }
        _ => Err((machine, told(outcome))),
    }
}

/// Says that it was the search under sequential consistency that was not complete.
fn told(outcome: Outcome) -> Outcome {
    let verdict = match outcome.verdict {
        Verdict::Unknown { reason, covered } => {
            Verdict::Unknown { reason, covered: format!("{covered}, under sequential consistency") }
        }
        other => other,
    };
    Outcome { verdict, ..outcome }
}
