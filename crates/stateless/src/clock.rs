//! Vector clocks over the steps of an execution.

use machine::Mover;
use smallvec::SmallVec;

/// Of each thread and each store buffer, how many of its steps happened before.
#[derive(PartialEq, Eq, Hash, Debug, Default)]
pub struct Clock {
    threads: Counts,
    /// Of buffers, where one has moved. Elsewhere they must cost nothing.
    buffers: Option<Box<Counts>>,
}

type Counts = SmallVec<[u32; 8]>;

/// One copy instead of an element at a time: clocks are cloned at every step.
impl Clone for Clock {
    #[inline]
    fn clone(&self) -> Clock {
        Clock { threads: SmallVec::from_slice(&self.threads), buffers: self.buffers.clone() }
    }
}

impl Clock {
    /// How many steps of the mover.
    #[inline]
    pub fn get(&self, mover: Mover) -> u32 {
        let count = match mover {
            Mover::Thread(thread) => self.threads.get(thread.0 as usize),
            Mover::Buffer(thread) => self.buffers.as_ref().and_then(|counts| counts.get(thread.0 as usize)),
        };
        count.copied().unwrap_or(0)
    }

    /// Counts a step of the mover.
    pub fn advance(&mut self, mover: Mover) {
        let counts = match mover {
            Mover::Thread(_) => &mut self.threads,
            Mover::Buffer(_) => self.buffers.get_or_insert_default(),
        };
        let index = mover.thread().0 as usize;
        if counts.len() <= index {
            counts.resize(index + 1, 0);
        }
        counts[index] += 1;
    }

    /// What happened before either.
    #[inline]
    pub fn join(&mut self, other: &Clock) {
        join(&mut self.threads, &other.threads);
        if let Some(buffers) = &other.buffers {
            join(self.buffers.get_or_insert_default(), buffers);
        }
    }

    /// What happened before both.
    pub fn meet(&mut self, other: &Clock) {
        meet(&mut self.threads, &other.threads);
        match (&mut self.buffers, &other.buffers) {
            (Some(mine), Some(theirs)) => meet(mine, theirs),
            (mine, None) => *mine = None,
            (None, _) => {}
        }
    }
}

#[inline]
fn join(mine: &mut Counts, theirs: &Counts) {
    if mine.len() < theirs.len() {
        mine.resize(theirs.len(), 0);
    }
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine = (*mine).max(*theirs);
    }
}

fn meet(mine: &mut Counts, theirs: &Counts) {
    mine.truncate(theirs.len());
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine = (*mine).min(*theirs);
    }
}
