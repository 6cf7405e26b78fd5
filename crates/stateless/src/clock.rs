//! Vector clocks over the steps of an execution.

use machine::ThreadId;
use smallvec::SmallVec;

/// Of each thread, how many of its steps happened before.
#[derive(PartialEq, Eq, Hash, Debug, Default)]
pub struct Clock(SmallVec<[u32; 8]>);

/// One copy instead of an element at a time: clocks are cloned at every step.
impl Clone for Clock {
    fn clone(&self) -> Clock {
        Clock(SmallVec::from_slice(&self.0))
    }
}

impl Clock {
    /// How many steps of the thread.
    #[inline]
    pub fn get(&self, thread: ThreadId) -> u32 {
        self.0.get(thread.0 as usize).copied().unwrap_or(0)
    }

    /// Counts a step of the thread.
    pub fn advance(&mut self, thread: ThreadId) {
        let index = thread.0 as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        self.0[index] += 1;
    }

    /// What happened before either.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// What happened before both.
    pub fn meet(&mut self, other: &Clock) {
        self.0.truncate(other.0.len());
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).min(*theirs);
        }
    }
}
