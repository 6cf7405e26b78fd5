//! Livelock: all threads that can move spin, and no thread will ever change what
//! they look at.

use machine::Property;

use crate::run::{Round, Run};
use crate::tally::Found;

/// Looks at the end of an execution from which no threads go on but those that
/// spin, if livelocks were asked for. The trace goes round once with each.
pub fn look(run: &Run<'_>, rounds: impl FnOnce() -> Vec<Round>) -> Result<(), Found> {
    let machine = run.machine();
    if !machine.config().properties.has(Property::Livelock) {
        return Ok(());
    }
    let rounds = rounds();
    let start = run.steps().len();
    let mut trace = run.trace();
    let mut cycle = run.fork();
    for Round { thread, choices } in rounds {
        for choice in choices {
            // If a thread has changed what it looks at, it does not go round.
            let can = cycle.enabled_threads().contains(&thread)
                && cycle.choices(thread).is_ok_and(|choices| choice < choices);
            if !can || cycle.step(thread, choice).end.is_some() {
                return Ok(());
            }
        }
    }
    trace.steps.extend(cycle.trace().steps);
    // It is none if a thread calls what the program says is progress, or only
    // wakes for no reason.
    match trace::lasso(machine, &trace, start) {
        Ok(fault) => Err(Found::Violation(Box::new(fault), trace)),
        Err(_) => Ok(()),
    }
}
