//! What a search ends with.

use engine::Exceeded;
use machine::ThreadId;

use store::StateId;

/// A step, as a trace has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The thread that moves.
    pub thread: ThreadId,
    /// The data choice.
    pub choice: u64,
}

/// How a search ends.
#[derive(Debug)]
pub enum Found {
    /// Nothing is left to explore (or to explore within the bounds).
    Nothing,
    /// The steps that lead to a fault.
    Violation(Vec<Choice>),
    /// The steps of an execution that goes round for ever.
    Cycle {
        /// The steps, those of the cycle once.
        steps: Vec<Choice>,
        /// How many there are before the cycle.
        start: usize,
    },
    /// A limit.
    Exceeded(Exceeded),
}

/// A fault: of a step from a state, or of the state itself, a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The state.
    pub state: StateId,
    /// The thread that moves; none in a deadlock.
    pub thread: Option<ThreadId>,
    /// The data choice.
    pub choice: u64,
}

impl Candidate {
    /// A deadlock.
    pub fn deadlock(state: StateId) -> Candidate {
        Candidate { state, thread: None, choice: 0 }
    }
}
