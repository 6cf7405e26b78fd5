//! Sets of threads.

use crate::memory::ThreadIx;

/// A set of threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Threads([u64; 4]);

impl Threads {
    /// Whether a thread is in the set.
    pub fn has(self, thread: ThreadIx) -> bool {
        self.0[thread as usize / 64] >> (thread % 64) & 1 == 1
    }

    /// Adds a thread.
    pub fn insert(&mut self, thread: ThreadIx) {
        self.0[thread as usize / 64] |= 1 << (thread % 64);
    }

    /// Removes a thread.
    pub fn remove(&mut self, thread: ThreadIx) {
        self.0[thread as usize / 64] &= !(1 << (thread % 64));
    }

    /// Those in one of the sets.
    pub fn union(self, other: Threads) -> Threads {
        Threads(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    /// Those in both sets.
    pub fn intersection(self, other: Threads) -> Threads {
        Threads(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }
}
