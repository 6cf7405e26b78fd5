//! From the choices that an engine remembers to a trace.

use machine::{Fault, Grain, Machine, Mover, State};

use crate::{Trace, TraceStep, refresh};

/// Executes steps (what moves, which data choice) from the beginning, up to the
/// first fault that was asked for: their trace, and that fault, if there is one.
pub fn execute(
    machine: &Machine,
    grain: Grain,
    steps: impl IntoIterator<Item = (impl Into<Mover>, u64)>,
) -> (Trace, Option<Fault>) {
    let mut state = machine.initial();
    let (mut taken, mut fault) = (Vec::new(), None);
    for (mover, choice) in steps {
        let mover = mover.into();
        taken.push(TraceStep::new(machine, &state, mover, choice));
        let step = machine.step(&mut state, mover, choice, grain, &mut ());
        refresh(machine, grain, &mut state);
        fault = step.faults.into_iter().find(|fault| machine.asks(&fault.kind));
        if step.end.is_some() || fault.is_some() {
            break;
        }
    }
    let deadlock = || deadlock_in(machine, &state).filter(|fault| machine.asks(&fault.kind));
    let fault = fault.or_else(deadlock);
    (Trace { grain, steps: taken }, fault)
}

/// The deadlock in a state, whether it shows in the state itself or in all
/// that can follow it.
pub(crate) fn deadlock_in(machine: &Machine, state: &State) -> Option<Fault> {
    let abandoned = || machine.can_abandon().then(|| machine.abandoned(state).ok().flatten()).flatten();
    machine.deadlock(state).or_else(abandoned)
}
