//! What the search knows of a state: its layer and its incoming threads.
//!
//! The paper (section 3.1) keeps one incoming thread per state in 8 bytes and
//! calls a list of them exact. Only those at the minimal layer matter: from a
//! state reached by thread `i` in layer `d`, every successor is reached in a
//! layer no later than from the same state reached by `j` in layer `d + 1`,
//! for the step costs at most one switch more. So a set per state is enough,
//! and it fits beside the layer in four bytes: a mask of the first fifteen
//! threads, or the number of a set that is kept elsewhere.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use machine::ThreadId;
use rustc_hash::FxHashMap;

use store::{Chunked, Spill, StateId};

/// Threads whose sets are masks.
const DIRECT: u32 = 15;

/// Marks the number of a set that is kept elsewhere.
const ELSEWHERE: u16 = 1 << DIRECT;

/// A set of threads, as [`Sets`] writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct SetId(pub u16);

impl SetId {
    pub const EMPTY: SetId = SetId(0);
}

/// Sets that are no masks. There are few: most states are reached by one or
/// two threads.
#[derive(Default)]
pub struct Sets {
    known: RwLock<Elsewhere>,
}

#[derive(Default)]
struct Elsewhere {
    sets: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, u16>,
}

/// More distinct sets of threads than can be numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManySets;

impl Sets {
    /// The members, ascending.
    pub fn members(&self, set: SetId) -> Vec<ThreadId> {
        if set.0 & ELSEWHERE == 0 {
            return (0..DIRECT).filter(|bit| set.0 >> bit & 1 == 1).map(ThreadId).collect();
        }
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.sets[usize::from(set.0 & !ELSEWHERE)].iter().copied().map(ThreadId).collect()
    }

    /// Whether a thread is in it.
    pub fn contains(&self, set: SetId, thread: ThreadId) -> bool {
        if set.0 & ELSEWHERE == 0 {
            return thread.0 < DIRECT && set.0 >> thread.0 & 1 == 1;
        }
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.sets[usize::from(set.0 & !ELSEWHERE)].contains(&thread.0)
    }

    /// The set with one thread more.
    pub fn with(&self, set: SetId, thread: ThreadId) -> Result<SetId, TooManySets> {
        if set.0 & ELSEWHERE == 0 && thread.0 < DIRECT {
            return Ok(SetId(set.0 | 1 << thread.0));
        }
        let mut members: Vec<u32> = self.members(set).iter().map(|thread| thread.0).collect();
        if let Err(at) = members.binary_search(&thread.0) {
            members.insert(at, thread.0);
        }
        self.number(members)
    }

    /// The sets that are no masks, in the order of their numbers.
    pub fn elsewhere(&self) -> Vec<Vec<u32>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).sets.clone()
    }

    /// The sets with these numbers.
    pub fn resumed(sets: Vec<Vec<u32>>) -> Sets {
        let numbers = sets.iter().cloned().zip(0..).collect();
        Sets { known: RwLock::new(Elsewhere { sets, numbers }) }
    }

    fn number(&self, members: Vec<u32>) -> Result<SetId, TooManySets> {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let next = known.sets.len() as u16;
        if let Some(number) = known.numbers.get(&members) {
            return Ok(SetId(number | ELSEWHERE));
        }
        if next == ELSEWHERE {
            return Err(TooManySets);
        }
        known.sets.push(members.clone());
        known.numbers.insert(members, next);
        Ok(SetId(next | ELSEWHERE))
    }
}

/// How incoming threads are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bookkeeping {
    /// All that reach the state in its layer.
    #[default]
    Exact,
    /// The first that reaches it, as in the paper.
    Inexact,
}

/// What became known of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// It lies in an earlier layer than was known, or is new.
    Layer,
    /// It has another incoming thread.
    Thread,
    /// Nothing.
    Nothing,
}

/// The deepest layer that can be told apart.
pub const MAX_LAYER: u32 = u16::MAX as u32 - 2;

/// Layer and incoming threads of each state.
pub struct Known {
    words: Chunked<AtomicU32, 16>,
    /// The sets.
    pub sets: Sets,
    bookkeeping: Bookkeeping,
}

impl Known {
    /// Nothing is known of any state.
    pub fn new(bookkeeping: Bookkeeping) -> Known {
        Known { words: Chunked::new(), sets: Sets::default(), bookkeeping }
    }

    /// The same in files, if there are any.
    pub fn spilled(self, spill: Option<&Arc<Spill>>) -> Known {
        Known { words: self.words.spilled(spill), ..self }
    }

    /// The same with sets that have numbers already.
    pub fn with_sets(self, sets: Sets) -> Known {
        Known { sets, ..self }
    }

    /// All that is known of so many states, but for the sets: a number for each.
    pub fn words(&self, states: u32) -> impl ExactSizeIterator<Item = u64> {
        (0..states).map(|state| u64::from(self.words.get(state).load(Ordering::Relaxed)))
    }

    /// Says what is known of a state.
    pub fn set_word(&self, state: StateId, word: u64) {
        self.words.get(state).store(word as u32, Ordering::Relaxed);
    }

    /// The layer of a state; none before it is reached.
    pub fn layer(&self, state: StateId) -> Option<u32> {
        layer(self.words.get(state).load(Ordering::Relaxed))
    }

    /// The incoming threads of a state.
    pub fn incoming(&self, state: StateId) -> SetId {
        SetId(self.words.get(state).load(Ordering::Relaxed) as u16)
    }

    /// Says that a thread reaches a state in a layer.
    pub fn reach(&self, state: StateId, at: u32, thread: ThreadId) -> Result<News, TooManySets> {
        let word = self.words.get(state);
        let mut old = word.load(Ordering::Relaxed);
        loop {
            let (new, news) = match layer(old) {
                Some(known) if known < at => return Ok(News::Nothing),
                Some(known) if known == at => {
                    let set = SetId(old as u16);
                    if self.bookkeeping == Bookkeeping::Inexact || self.sets.contains(set, thread) {
                        return Ok(News::Nothing);
                    }
                    (written(at, self.sets.with(set, thread)?), News::Thread)
                }
                _ => (written(at, self.sets.with(SetId::EMPTY, thread)?), News::Layer),
            };
            match word.compare_exchange_weak(old, new, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Ok(news),
                Err(now) => old = now,
            }
        }
    }
}

fn layer(word: u32) -> Option<u32> {
    (word >> 16).checked_sub(1)
}

fn written(layer: u32, set: SetId) -> u32 {
    (layer + 1) << 16 | u32::from(set.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(known: &Known, state: StateId) -> Vec<u32> {
        known.sets.members(known.incoming(state)).iter().map(|t| t.0).collect()
    }

    #[test]
    fn an_earlier_layer_forgets_the_later_threads() {
        let known = Known::new(Bookkeeping::Exact);
        assert_eq!(known.reach(5, 3, ThreadId(1)), Ok(News::Layer));
        assert_eq!(known.reach(5, 3, ThreadId(2)), Ok(News::Thread));
        assert_eq!(known.reach(5, 3, ThreadId(1)), Ok(News::Nothing));
        assert_eq!(known.reach(5, 4, ThreadId(7)), Ok(News::Nothing));
        assert_eq!(members(&known, 5), [1, 2]);
        assert_eq!(known.reach(5, 2, ThreadId(7)), Ok(News::Layer));
        assert_eq!((members(&known, 5), known.layer(5), known.layer(6)), (vec![7], Some(2), None));
    }

    #[test]
    fn inexact_keeps_the_first() {
        let known = Known::new(Bookkeeping::Inexact);
        assert_eq!(known.reach(0, 0, ThreadId(1)), Ok(News::Layer));
        assert_eq!(known.reach(0, 0, ThreadId(2)), Ok(News::Nothing));
        assert_eq!(members(&known, 0), [1]);
    }

    #[test]
    fn many_threads_are_sets_too() {
        let known = Known::new(Bookkeeping::Exact);
        for thread in [3, 40, 14, 15, 40] {
            known.reach(9, 0, ThreadId(thread)).unwrap();
        }
        assert_eq!(members(&known, 9), [3, 14, 15, 40]);
        assert!(known.sets.contains(known.incoming(9), ThreadId(15)));
        assert!(!known.sets.contains(known.incoming(9), ThreadId(16)));
    }
}
