//! What moves in a step.
//!
//! Today a thread does. Under a memory model with store buffers a buffer moves as
//! well: its step commits the oldest store that waits in it. Traces, replay and
//! the reference search know movers and nothing else, so they need no change for
//! that. The other engines ask [`Machine::runnable`] for the threads: under such a
//! model they must ask for the movers, or must not be asked.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::machine::{Machine, NeedsSymbolic};
use crate::state::State;
use crate::telling::fault::ThreadId;

/// What can move by itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mover {
    /// A thread executes its next instructions.
    Thread(ThreadId),
}

impl Mover {
    /// The thread whose step it is: the one that executes instructions, or whose
    /// stores are committed. Its lane shows the step in a report.
    pub fn thread(self) -> ThreadId {
        match self {
            Mover::Thread(thread) => thread,
        }
    }
}

impl From<ThreadId> for Mover {
    #[inline]
    fn from(thread: ThreadId) -> Mover {
        Mover::Thread(thread)
    }
}

impl std::fmt::Display for Mover {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Mover::Thread(thread) => thread.fmt(f),
        }
    }
}

impl Machine {
    /// All that can move.
    pub fn movers(&self, state: &State) -> SmallVec<[Mover; 8]> {
        self.runnable(state).into_iter().map(Mover::Thread).collect()
    }

    /// Whether it is among these, without looking at what the others wait for.
    pub fn can_take_step(&self, state: &State, mover: Mover) -> bool {
        match mover {
            Mover::Thread(thread) => {
                let is_there = (thread.0 as usize) < state.thread_ids().len();
                is_there && self.can_move(state, thread)
            }
        }
    }

    /// How many data choices the next step of a mover has.
    pub fn choices_of(&self, state: &State, mover: Mover) -> Result<u64, NeedsSymbolic> {
        match mover {
            Mover::Thread(thread) => self.choices(state, thread),
        }
    }
}
