//! Executions that go round for ever: a way to a state, and a cycle that leads
//! back to it.

use std::collections::BTreeSet;

use ir::{FuncId, Pc};
use machine::{Event, Fault, Machine, Mover, Observer, State, ThreadId};

use crate::{Trace, refresh};

/// Notes whether a function is called.
struct Calls {
    function: Option<FuncId>,
    called: bool,
}

impl Observer for Calls {
    fn event(&mut self, _: ThreadId, _: FuncId, _: Pc, event: Event) {
        self.called |= matches!(event, Event::Call { function } if Some(function) == self.function);
    }
}

/// Executes a trace and demands that the steps from number `start` on are a
/// cycle without progress that is fair: each thread and each store buffer that can
/// move somewhere in it does. Yields the livelock, or what is missing.
pub fn lasso(machine: &Machine, trace: &Trace, start: usize) -> Result<Fault, String> {
    let mut state = machine.initial();
    let mut first = None;
    let (mut enabled, mut moved) = (BTreeSet::new(), BTreeSet::new());
    let mut calls = Calls { function: machine.progress_function(), called: false };
    for (index, step) in trace.steps.iter().enumerate() {
        if index >= start {
            first.get_or_insert_with(|| state.clone());
            enabled.extend(machine.enabled(&state));
            moved.insert(step.mover);
            if machine.is_spurious(&state, step.mover, step.choice) {
                return Err(format!("step {} relies on a spurious wake-up or failure", index + 1));
            }
        }
        calls.called = false;
        let result = machine.step(&mut state, step.mover, step.choice, trace.grain, &mut calls);
        refresh(machine, trace.grain, &mut state);
        if result.end.is_some() {
            return Err(format!("step {} ends it", index + 1));
        }
        if index >= start && calls.called {
            return Err(format!("step {} is progress", index + 1));
        }
    }
    let Some(first) = first else { return Err("there is no such step".to_owned()) };
    if let Some(mover) = enabled.difference(&moved).next() {
        return Err(format!("{mover}, which could move, never does"));
    }
    if canonical(machine, &first) != canonical(machine, &state) {
        return Err("the state at the end is not the one where the cycle began".to_owned());
    }
    let moved: BTreeSet<ThreadId> = moved.into_iter().map(Mover::thread).collect();
    let moved: Vec<ThreadId> = moved.into_iter().collect();
    Ok(machine.livelock(&first, start, &moved))
}

/// All that a state can do, as bytes.
pub(crate) fn canonical(machine: &Machine, state: &State) -> Vec<u8> {
    let (mut state, mut bytes) = (state.clone(), Vec::new());
    machine.normalise(&mut state);
    machine.canonical(&state, &mut bytes);
    bytes
}
