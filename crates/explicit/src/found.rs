//! What a search ends with.

use engine::{Counterexample, Exceeded};
use machine::{Mover, Racing, ThreadId};
use serde::{Deserialize, Serialize};

use store::StateId;

use crate::outcome::executed;
use crate::worker::Shared;

/// A step, as a trace has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// What moves.
    pub mover: Mover,
    /// The data choice.
    pub choice: u64,
}

/// How a search ends.
pub enum Found {
    /// Nothing is left to explore (or to explore within the bounds).
    Nothing,
    /// The steps that lead to a fault.
    Violation(Vec<Choice>),
    /// A counterexample.
    Shown(Box<Counterexample>),
    /// The steps of an execution that goes round for ever.
    Cycle {
        /// The steps, those of the cycle once.
        steps: Vec<Choice>,
        /// How many there are before the cycle.
        start: usize,
    },
    /// The steps of an execution that violates a formula.
    Formula {
        /// The steps, those of the cycle once.
        steps: Vec<Choice>,
        /// How many there are before the cycle; none if the steps alone violate it.
        start: Option<usize>,
        /// The formula.
        formula: String,
    },
    /// A limit.
    Exceeded(Exceeded),
}

impl Found {
    /// Whether a violation that was found without clocks shows with them. The
    /// order of the two steps of a race may not be one in which it shows.
    pub fn is_confirmed(&self, shared: &Shared<'_>) -> bool {
        let Found::Violation(steps) = self else { return true };
        !shared.has_no_clocks() || shows(shared, steps)
    }
}

/// Whether steps can be taken one after the other and lead to a fault that was
/// asked for.
fn shows(shared: &Shared<'_>, steps: &[Choice]) -> bool {
    let (machine, grain) = (shared.task.machine, shared.grain);
    let mut state = machine.initial();
    let mut possible = |step: &Choice| {
        let possible = machine.can_take_step(&state, step.mover);
        machine.step(&mut state, step.mover, step.choice, grain, &mut ());
        trace::refresh(machine, grain, &mut state);
        possible
    };
    let (trace, fault) = executed(machine, grain, steps);
    fault.is_some() && steps[..trace.steps.len()].iter().all(&mut possible)
}

/// A fault: of a step from a state, of two steps that race, or of the state
/// itself, a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// The state.
    pub state: StateId,
    /// What moves; nothing in a deadlock.
    pub mover: Option<Mover>,
    /// The data choice.
    pub choice: u64,
    /// The race, if it is one.
    pub race: Option<Racing>,
}

impl Candidate {
    /// A deadlock.
    pub fn deadlock(state: StateId) -> Candidate {
        Candidate { state, mover: None, choice: 0, race: None }
    }

    /// A step.
    pub fn step(state: StateId, step: Choice) -> Candidate {
        Candidate { state, mover: Some(step.mover), choice: step.choice, race: None }
    }

    /// Two steps that race.
    pub fn race(state: StateId, race: Racing) -> Candidate {
        Candidate { state, mover: Some(race.last.into()), choice: race.choice, race: Some(race) }
    }

    /// What tells it from others of the same state.
    pub fn key(&self) -> (Option<Mover>, u64, Option<ThreadId>) {
        (self.mover, self.choice, self.race.map(|race| race.earlier))
    }

    /// The whole execution, from the steps that lead to the state and the one
    /// taken there.
    pub fn complete(&self, shared: &Shared<'_>, steps: Vec<Choice>) -> Vec<Choice> {
        match self.race {
            Some(race) => with_earlier_step(shared, steps, race),
            None => steps,
        }
    }
}

/// Adds the earlier step of a race to an execution that ends with its last.
///
/// It is taken as soon as its thread is there, which needs no further context
/// switch. Nothing that follows depends on it, or there would be a race at that
/// place; but where it makes memory private, steps of others may become longer
/// and the choices be those of other steps. It is then taken as late as can be.
pub fn with_earlier_step(shared: &Shared<'_>, steps: Vec<Choice>, race: Racing) -> Vec<Choice> {
    let (soonest, latest) = places(shared, &steps, race);
    let inserted = |at: usize| {
        let mut steps = steps.clone();
        steps.insert(at, Choice { mover: race.earlier.into(), choice: 0 });
        steps
    };
    let soon = inserted(soonest);
    if shows(shared, &soon) { soon } else { inserted(latest) }
}

/// Where in an execution the earlier step of a race can be taken: as soon as its
/// thread is there, or as late as the other one lets it.
fn places(shared: &Shared<'_>, steps: &[Choice], race: Racing) -> (usize, usize) {
    let (machine, grain) = (shared.machine(), shared.grain);
    let (mut state, mut soonest, mut latest) = (machine.initial(), 0, 0);
    for (index, step) in steps.iter().enumerate() {
        let exists = |thread| state.thread_ids().any(|other| other == thread);
        if !exists(race.last) || !machine.is_in_section(&state, race.last) {
            latest = index;
        }
        if !exists(race.earlier) || step.mover == race.earlier.into() {
            soonest = index + 1;
        }
        machine.step(&mut state, step.mover, step.choice, grain, &mut ());
        trace::refresh(machine, grain, &mut state);
    }
    (soonest, latest)
}
