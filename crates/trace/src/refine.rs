//! Traces of a machine whose steps go further.

use machine::Machine;

use crate::{Trace, TraceStep, refresh};

/// A step has no more parts than this.
const MAX_PARTS: usize = 100_000;

/// The trace of the same execution on a machine that differs only in which
/// instructions it takes for visible: its steps are parts of the given ones.
/// `None` if they are not.
pub fn refine(machine: &Machine, fine: &Machine, trace: &Trace) -> Option<Trace> {
    let (mut state, mut parts) = (machine.initial(), fine.initial());
    let mut steps = Vec::new();
    for step in &trace.steps {
        let whole = machine.step(&mut state, step.mover, step.choice, trace.grain, &mut ());
        refresh(machine, trace.grain, &mut state);
        let mut choices = std::iter::once(step.choice).chain(std::iter::repeat(0)).take(MAX_PARTS);
        loop {
            let choice = choices.next()?;
            if !fine.can_take_step(&parts, step.mover) {
                return None;
            }
            steps.push(TraceStep::new(fine, &parts, step.mover, choice));
            let part = fine.step(&mut parts, step.mover, choice, trace.grain, &mut ());
            refresh(fine, trace.grain, &mut parts);
            let found = !part.faults.is_empty() && !whole.faults.is_empty();
            let complete = || whole.end.is_none() && fine.stands_alike(&state, &parts, step.mover.thread());
            if part.end.is_some() || found || complete() {
                break;
            }
        }
    }
    Some(Trace { grain: trace.grain, steps })
}
