//! Vector clocks.
//!
//! With thousands of threads, clocks are long, and nearly all of what one
//! thread knows another one knows too. So the epochs of all but the first
//! threads lie in blocks, which clocks share: joining what is known already, or
//! what is known to be later, copies no block.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use triomphe::Arc;

use crate::telling::fault::ThreadId;

/// How many threads have their epochs in the clock itself.
const FIRST: usize = 16;

/// How many epochs a block has.
const BLOCK: usize = 64;

/// The epochs of some threads that follow each other.
type Block = [u32; BLOCK];

/// The blocks of the others; those that are missing are 0.
type Blocks = Vec<Option<Arc<Block>>>;

/// A vector clock: per thread, the last epoch known of.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<(ThreadId, u32)>", into = "Vec<(ThreadId, u32)>")]
pub struct Clock {
    /// Of the first threads; those that are missing are 0.
    first: SmallVec<[u32; 8]>,
    blocks: Option<Arc<Blocks>>,
}

/// One copy instead of an element at a time: clocks are cloned at every step.
impl Clone for Clock {
    #[inline]
    fn clone(&self) -> Clock {
        Clock { first: SmallVec::from_slice(&self.first), blocks: self.blocks.clone() }
    }
}

impl Clock {
    /// The last epoch known of a thread.
    #[inline]
    pub fn get(&self, thread: ThreadId) -> u32 {
        let index = thread.0 as usize;
        match index.checked_sub(FIRST) {
            None => self.first.get(index).copied().unwrap_or(0),
            Some(index) => self.block(index / BLOCK).map_or(0, |block| block[index % BLOCK]),
        }
    }

    fn block(&self, number: usize) -> Option<&Arc<Block>> {
        self.blocks.as_ref()?.get(number)?.as_ref()
    }

    /// One epoch more of a thread.
    pub fn advance(&mut self, thread: ThreadId) {
        self.set(thread, self.get(thread) + 1);
    }

    pub(crate) fn set(&mut self, thread: ThreadId, epoch: u32) {
        let index = thread.0 as usize;
        match index.checked_sub(FIRST) {
            None => {
                if self.first.len() <= index {
                    self.first.resize(index + 1, 0);
                }
                self.first[index] = epoch;
            }
            Some(index) => {
                let blocks = Arc::make_mut(self.blocks.get_or_insert_default());
                if blocks.len() <= index / BLOCK {
                    blocks.resize(index / BLOCK + 1, None);
                }
                let block = blocks[index / BLOCK].get_or_insert_with(|| Arc::new([0; BLOCK]));
                Arc::make_mut(block)[index % BLOCK] = epoch;
            }
        }
    }

    /// What either knows.
    #[inline]
    pub fn join(&mut self, other: &Clock) {
        if self.first.len() < other.first.len() {
            self.first.resize(other.first.len(), 0);
        }
        for (mine, theirs) in self.first.iter_mut().zip(&other.first) {
            *mine = (*mine).max(*theirs);
        }
        match (&mut self.blocks, &other.blocks) {
            (_, None) => {}
            (mine @ None, theirs) => mine.clone_from(theirs),
            (Some(mine), Some(theirs)) if Arc::ptr_eq(mine, theirs) => {}
            (Some(mine), Some(theirs)) => join_blocks(mine, theirs),
        }
    }

    /// What both know.
    pub fn meet(&mut self, other: &Clock) {
        self.first.truncate(other.first.len());
        for (mine, theirs) in self.first.iter_mut().zip(&other.first) {
            *mine = (*mine).min(*theirs);
        }
        match (&mut self.blocks, &other.blocks) {
            (None, _) => {}
            (mine, None) => *mine = None,
            (Some(mine), Some(theirs)) if Arc::ptr_eq(mine, theirs) => {}
            (Some(mine), Some(theirs)) => meet_blocks(Arc::make_mut(mine), theirs),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.epochs().next().is_none()
    }

    /// The threads that it knows something of, ascending, with what it knows.
    fn epochs(&self) -> impl Iterator<Item = (ThreadId, u32)> {
        let blocks = self.blocks.iter().flat_map(|blocks| blocks.iter().enumerate());
        let blocks = blocks.filter_map(|(number, block)| Some((number, block.as_ref()?)));
        let others = blocks.flat_map(|(number, block)| {
            block.iter().enumerate().map(move |(at, epoch)| (FIRST + number * BLOCK + at, *epoch))
        });
        let all = self.first.iter().copied().enumerate().chain(others);
        all.filter(|(_, epoch)| *epoch != 0).map(|(index, epoch)| (ThreadId(index as u32), epoch))
    }

    fn has_same_blocks(&self, other: &Clock) -> bool {
        let same = |number: usize| match (self.block(number), other.block(number)) {
            (Some(mine), Some(theirs)) => Arc::ptr_eq(mine, theirs) || mine == theirs,
            (Some(block), None) | (None, Some(block)) => is_unknown(&**block),
            (None, None) => true,
        };
        let count = |blocks: &Option<Arc<Blocks>>| blocks.as_ref().map_or(0, |blocks| blocks.len());
        match (&self.blocks, &other.blocks) {
            (Some(mine), Some(theirs)) if Arc::ptr_eq(mine, theirs) => true,
            (mine, theirs) => (0..count(mine).max(count(theirs))).all(same),
        }
    }

    /// The same for threads with other numbers.
    pub(crate) fn renamed(&self, rename: impl Fn(ThreadId) -> ThreadId) -> Clock {
        let mut renamed = Clock::default();
        self.epochs().for_each(|(thread, epoch)| renamed.set(rename(thread), epoch));
        renamed
    }
}

impl From<Clock> for Vec<(ThreadId, u32)> {
    fn from(clock: Clock) -> Vec<(ThreadId, u32)> {
        clock.epochs().collect()
    }
}

impl From<Vec<(ThreadId, u32)>> for Clock {
    fn from(epochs: Vec<(ThreadId, u32)>) -> Clock {
        let mut clock = Clock::default();
        epochs.into_iter().for_each(|(thread, epoch)| clock.set(thread, epoch));
        clock
    }
}

/// Clocks are equal that know the same. Blocks that they share are not looked at.
impl PartialEq for Clock {
    fn eq(&self, other: &Clock) -> bool {
        let both = self.first.len().min(other.first.len());
        self.first[..both] == other.first[..both]
            && is_unknown(&self.first[both..])
            && is_unknown(&other.first[both..])
            && self.has_same_blocks(other)
    }
}

impl Eq for Clock {}

impl Hash for Clock {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.epochs().for_each(|epoch| epoch.hash(state));
    }
}

/// Whether nothing is known of some threads.
fn is_unknown(epochs: &[u32]) -> bool {
    epochs.iter().all(|epoch| *epoch == 0)
}

fn meet_blocks(mine: &mut Blocks, theirs: &Blocks) {
    mine.truncate(theirs.len());
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        match (&*mine, theirs) {
            (Some(old), Some(theirs)) if !Arc::ptr_eq(old, theirs) => *mine = Some(met(old, theirs)),
            (Some(_), None) => *mine = None,
            _ => {}
        }
    }
}

fn join_blocks(mine: &mut Arc<Blocks>, theirs: &Blocks) {
    let same = |a: &Option<Arc<Block>>, b: &Arc<Block>| a.as_ref().is_some_and(|a| Arc::ptr_eq(a, b));
    for (number, theirs) in theirs.iter().enumerate() {
        let Some(theirs) = theirs else { continue };
        let old = mine.get(number).cloned().flatten();
        let joined = match &old {
            None => Arc::clone(theirs),
            Some(old) if Arc::ptr_eq(old, theirs) => continue,
            Some(old) => joined(old, theirs),
        };
        if !same(&old, &joined) {
            let mine = Arc::make_mut(mine);
            if mine.len() <= number {
                mine.resize(number + 1, None);
            }
            mine[number] = Some(joined);
        }
    }
}

/// The later epochs of two blocks: one of the two, if it has them all.
fn joined(a: &Arc<Block>, b: &Arc<Block>) -> Arc<Block> {
    combined(a, b, u32::max)
}

/// The earlier epochs of two blocks.
fn met(a: &Arc<Block>, b: &Arc<Block>) -> Arc<Block> {
    combined(a, b, u32::min)
}

fn combined(a: &Arc<Block>, b: &Arc<Block>, of: impl Fn(u32, u32) -> u32) -> Arc<Block> {
    let mut both = **a;
    both.iter_mut().zip(&**b).for_each(|(mine, theirs)| *mine = of(*mine, *theirs));
    match both {
        same if same == **b => Arc::clone(b),
        same if same == **a => Arc::clone(a),
        new => Arc::new(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads on both sides of where blocks begin.
    const THREADS: [u32; 9] = [0, 3, 15, 16, 17, 79, 80, 81, 1000];

    fn clock(epochs: &[(u32, u32)]) -> Clock {
        let mut clock = Clock::default();
        epochs.iter().for_each(|(thread, epoch)| clock.set(ThreadId(*thread), *epoch));
        clock
    }

    #[test]
    fn a_clock_knows_what_it_was_told() {
        let all: Vec<(u32, u32)> = THREADS.into_iter().map(|thread| (thread, thread + 1)).collect();
        let clock = clock(&all);
        assert!(THREADS.into_iter().all(|thread| clock.get(ThreadId(thread)) == thread + 1));
        assert_eq!(clock.get(ThreadId(500)), 0);
        assert!(clock.epochs().map(|(thread, epoch)| (thread.0, epoch)).eq(all));
        assert!(!clock.is_empty() && Clock::default().is_empty());
    }

    #[test]
    fn equal_clocks_know_the_same_however_they_came_about() {
        for thread in THREADS {
            let mut other = clock(&[(thread, 1)]);
            other.set(ThreadId(thread), 0);
            assert_eq!(other, Clock::default());
            assert!(other.is_empty());
            assert_ne!(clock(&[(thread, 1)]), clock(&[(thread, 2)]));
        }
    }

    #[test]
    fn a_join_knows_what_either_knew() {
        for (a, b) in THREADS.into_iter().flat_map(|a| THREADS.into_iter().map(move |b| (a, b))) {
            let (left, right) = (clock(&[(a, 5), (18, 2)]), clock(&[(b, 3), (18, 4)]));
            let mut joined = left.clone();
            joined.join(&right);
            for thread in THREADS.map(ThreadId).into_iter().chain([ThreadId(18)]) {
                assert_eq!(joined.get(thread), left.get(thread).max(right.get(thread)), "{a} {b}");
            }
        }
    }

    #[test]
    fn a_meet_knows_what_both_knew() {
        for (a, b) in THREADS.into_iter().flat_map(|a| THREADS.into_iter().map(move |b| (a, b))) {
            let (left, right) = (clock(&[(a, 5), (18, 2)]), clock(&[(b, 3), (18, 4)]));
            let mut met = left.clone();
            met.meet(&right);
            for thread in THREADS.map(ThreadId).into_iter().chain([ThreadId(18)]) {
                assert_eq!(met.get(thread), left.get(thread).min(right.get(thread)), "{a} {b}");
            }
        }
    }

    #[test]
    fn what_is_known_already_is_shared() {
        let all: Vec<(u32, u32)> = (0..1000).map(|thread| (thread, 1)).collect();
        let (long, mut short) = (clock(&all), clock(&[(200, 1), (0, 7)]));
        short.join(&long);
        let shares = |number: usize| Arc::ptr_eq(long.block(number).unwrap(), short.block(number).unwrap());
        assert!((0..15).all(shares));
        assert_eq!((short.get(ThreadId(0)), short.get(ThreadId(999))), (7, 1));
    }
}
