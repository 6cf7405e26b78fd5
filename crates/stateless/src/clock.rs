//! Vector clocks over the steps of an execution.

use machine::Mover;

/// Of each thread and each store buffer, how many of its steps happened before.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Clock {
    threads: machine::Clock,
    /// Of buffers, where one has moved. Elsewhere they must cost nothing.
    buffers: Option<Box<machine::Clock>>,
}

impl Clock {
    /// How many steps of the mover.
    #[inline]
    pub fn get(&self, mover: Mover) -> u32 {
        match mover {
            Mover::Thread(thread) => self.threads.get(thread),
            Mover::Buffer(thread) => self.buffers.as_ref().map_or(0, |counts| counts.get(thread)),
        }
    }

    /// Counts a step of the mover.
    pub fn advance(&mut self, mover: Mover) {
        match mover {
            Mover::Thread(thread) => self.threads.advance(thread),
            Mover::Buffer(thread) => self.buffers.get_or_insert_default().advance(thread),
        }
    }

    /// What happened before either.
    #[inline]
    pub fn join(&mut self, other: &Clock) {
        self.threads.join(&other.threads);
        if let Some(buffers) = &other.buffers {
            self.buffers.get_or_insert_default().join(buffers);
        }
    }

    /// What happened before both.
    pub fn meet(&mut self, other: &Clock) {
        self.threads.meet(&other.threads);
        match (&mut self.buffers, &other.buffers) {
            (Some(mine), Some(theirs)) => mine.meet(theirs),
            (mine, None) => *mine = None,
            (None, _) => {}
        }
    }
}
