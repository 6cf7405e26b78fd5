//! What moves in a step: a thread, or a store buffer, which commits one of the
//! stores that wait in it. Under sequential consistency no buffer ever does.
//!
//! All engines ask for what can move ([`Machine::movers`]), and so do traces and
//! replay. Threads are asked for where threads are meant: what counts as a context
//! switch, which thread waits for which, which threads are interchangeable.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::machine::{Machine, NeedsSymbolic};
use crate::state::State;
use crate::sync::blocked::runnable;
use crate::telling::fault::ThreadId;

/// What can move by itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mover {
    /// A thread executes its next instructions.
    Thread(ThreadId),
    /// A thread's store buffer commits a store. Which one is a data choice, where
    /// stores can overtake each other.
    Buffer(ThreadId),
}

/// What can move in a state.
pub type Movers = SmallVec<[Mover; 8]>;

impl Mover {
    /// The thread whose step it is: the one that executes instructions, or whose
    /// stores are committed. Its lane shows the step in a report.
    #[inline]
    pub fn thread(self) -> ThreadId {
        match self {
            Mover::Thread(thread) | Mover::Buffer(thread) => thread,
        }
    }

    /// The thread, if it is one.
    #[inline]
    pub fn as_thread(self) -> Option<ThreadId> {
        match self {
            Mover::Thread(thread) => Some(thread),
            Mover::Buffer(_) => None,
        }
    }

    /// Its bit in a set: threads from the lowest on, buffers from the highest down. No two
    /// have the same if there are at most [`Machine::most_movers`] threads.
    #[inline]
    pub fn bit(self) -> u64 {
        match self {
            Mover::Thread(thread) => 1 << thread.0,
            Mover::Buffer(thread) => 1 << (63 - thread.0),
        }
    }

    /// Those in a set, where there are buffers or not.
    pub fn of_set(set: u64, buffers: bool) -> Movers {
        let threads = if buffers { 32 } else { 64 };
        let numbers = || (0..threads).map(ThreadId);
        let movers = numbers().map(Mover::Thread).chain(numbers().filter(|_| buffers).map(Mover::Buffer));
        movers.filter(|mover| set & mover.bit() != 0).collect()
    }

    /// Whether it is a thread.
    #[inline]
    pub fn is_thread(self) -> bool {
        matches!(self, Mover::Thread(_))
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
            Mover::Buffer(thread) => write!(f, "the store buffer of {thread}"),
        }
    }
}

impl Machine {
    /// All that can move: the threads, ascending, then the buffers.
    #[inline]
    pub fn movers(&self, state: &State) -> Movers {
        let mut movers: Movers = runnable(state.thread_ids().map(|thread| self.guard(state, thread)));
        if self.has_buffers {
            self.add_buffers(state, &mut movers);
        }
        movers
    }

    /// Adds the buffers that can move. None of them does while a thread keeps all
    /// others from moving.
    pub fn add_buffers(&self, state: &State, movers: &mut Movers) {
        if self.has_buffers && self.keeper(state).is_none() {
            let waits = |thread: &ThreadId| !state.thread(*thread).own.buffer.is_empty();
            movers.extend(state.thread_ids().filter(waits).map(Mover::Buffer));
        }
    }

    /// How many threads there can be for all that can move to fit into a set.
    pub fn most_movers(&self) -> u32 {
        if self.has_buffers { 32 } else { 64 }
    }

    /// Whether it is among these, without looking at what the others wait for.
    pub fn can_take_step(&self, state: &State, mover: Mover) -> bool {
        if (mover.thread().0 as usize) >= state.thread_ids().len() {
            return false;
        }
        match mover {
            Mover::Thread(thread) => self.can_move(state, thread),
            Mover::Buffer(thread) => {
                !state.thread(thread).own.buffer.is_empty() && self.keeper(state).is_none()
            }
        }
    }

    /// How many data choices the next step of a mover has.
    pub fn choices_of(&self, state: &State, mover: Mover) -> Result<u64, NeedsSymbolic> {
        match mover {
            Mover::Thread(thread) => self.choices(state, thread),
            Mover::Buffer(thread) => {
                Ok(state.thread(thread).own.buffer.ready(self.config().memory_model).len() as u64)
            }
        }
    }
}
