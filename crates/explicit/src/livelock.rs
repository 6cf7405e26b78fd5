//! Livelock: fair executions that go round for ever without progress.
//!
//! It is one formula among others ([`crate::temporal`]), under strong fairness:
//! again and again there is progress, or nothing can move any more. What is
//! progress is here a matter of steps, not of states: a step that calls
//! `tp_progress` is, whatever is taken together with the call, so that nothing has
//! to be visible for the sake of the formula. That nothing can move is a matter of
//! the state, which stays as it is then; a step never goes past it, so that the
//! reduction cannot miss it.

use ir::{FuncId, Pc};
use machine::{Event, Fairness, Grain, Machine, Observer, State, ThreadId};

use crate::found::Choice;

/// Whatever happens, this is to be fulfilled.
pub const FORMULA: &str = "G F (progress || halted)";

/// Which executions count.
pub const FAIRNESS: Fairness = Fairness::Strong;

/// The letter of a step that is progress.
pub const PROGRESS: ltl::Letter = 1;

/// The letter of a state in which nothing can move.
pub const HALTED: ltl::Letter = 2;

/// Whether a step is progress: it calls the function that says so.
pub fn progresses(machine: &Machine, state: &State, step: Choice, grain: Grain) -> bool {
    let Some(function) = machine.progress_function() else { return false };
    let mut calls = Calls { function, called: false };
    machine.step(&mut state.clone(), step.mover, step.choice, grain, &mut calls);
    calls.called
}

struct Calls {
    function: FuncId,
    called: bool,
}

impl Observer for Calls {
    fn event(&mut self, _: ThreadId, _: FuncId, _: Pc, event: Event) {
        self.called |= matches!(event, Event::Call { function } if function == self.function);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_the_formula() {
        assert_eq!(ltl::parse(FORMULA).unwrap().atoms, ["progress", "halted"]);
        assert_eq!((PROGRESS, HALTED), (1 << 0, 1 << 1));
    }
}
