//! Livelock: all threads that can move spin, and nobody will ever change what
//! they look at.

use machine::{Property, ThreadId};

use crate::guided::Guided;
use crate::tally::Found;

/// Looks at the end of an execution from which nobody goes on. If some threads
/// spin and livelocks were asked for, the trace goes round once with each.
pub fn look(guided: &Guided<'_>) -> Result<(), Found> {
    let run = &guided.explorer.run;
    let machine = run.machine();
    if !machine.config().properties.has(Property::Livelock) {
        return Ok(());
    }
    let spinning: Vec<ThreadId> =
        run.enabled().into_iter().filter(|thread| guided.spins.of(run, *thread).is_some()).collect();
    if spinning.is_empty() {
        return Ok(());
    }
    let start = run.steps().len();
    let mut trace = run.trace();
    let mut cycle = run.fork();
    for thread in &spinning {
        for choice in guided.spins.of(run, *thread).expect("it spins").choices() {
            cycle.step(*thread, *choice);
        }
    }
    trace.steps.extend(cycle.trace().steps);
    // It is none if somebody calls what the program says is progress, or only
    // wakes for no reason.
    match trace::lasso(machine, &trace, start) {
        Ok(fault) => Err(Found::Violation(Box::new(fault), trace)),
        Err(_) => Ok(()),
    }
}
