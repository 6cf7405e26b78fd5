//! Pairs of numbers, each stored once and numbered: the inner nodes of the
//! compressing tree, and its roots.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::chunked::Chunked;
use crate::index::{Index, View, mix};
use crate::spill::Spill;

const BITS: usize = 16;

/// A numbered set of pairs. A pair is published under its shard's lock, so
/// every thread that has got its number sees it.
pub struct Pairs {
    pairs: Chunked<AtomicU64, BITS>,
    count: AtomicU32,
    index: Index,
}

impl Pairs {
    /// The most pairs there can be.
    pub const CAPACITY: usize = Chunked::<AtomicU64, BITS>::CAPACITY;

    /// No pairs.
    pub fn new() -> Pairs {
        Pairs { pairs: Chunked::new(), count: AtomicU32::new(0), index: Index::new() }
    }

    /// The same in files, if there are any.
    pub fn spilled(self, spill: Option<&Arc<Spill>>) -> Pairs {
        Pairs { pairs: self.pairs.spilled(spill), index: self.index.spilled(spill), ..self }
    }

    /// The number of a pair that is seen to be there.
    #[inline]
    pub fn peek(&self, view: &mut View, left: u32, right: u32) -> Option<u32> {
        let pair = joined(left, right);
        self.index.peek(view, mix(pair), |number| self.word(number) == pair)
    }

    /// Reads where a pair is looked up, and yields something of it.
    #[inline]
    pub fn touch(&self, view: &mut View, left: u32, right: u32) -> u32 {
        self.index.touch(view, mix(joined(left, right)))
    }

    /// The number of a pair, and whether it is new.
    pub fn intern(&self, left: u32, right: u32) -> (u32, bool) {
        let pair = joined(left, right);
        let make = || {
            let number = self.count.fetch_add(1, Ordering::Relaxed);
            self.pairs.get(number).store(pair, Ordering::Release);
            number
        };
        self.index.insert(mix(pair), |number| self.word(number) == pair, make, |n| mix(self.word(n)))
    }

    /// The number of a pair, if it has one.
    pub fn find(&self, left: u32, right: u32) -> Option<u32> {
        let pair = joined(left, right);
        self.index.find(mix(pair), |number| self.word(number) == pair)
    }

    /// The pair with this number.
    #[inline]
    pub fn get(&self, number: u32) -> (u32, u32) {
        let pair = self.word(number);
        ((pair >> 32) as u32, pair as u32)
    }

    #[inline]
    fn word(&self, number: u32) -> u64 {
        self.pairs.get(number).load(Ordering::Acquire)
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }

    /// All pairs in the order of their numbers, each as one number.
    pub fn words(&self) -> impl ExactSizeIterator<Item = u64> {
        (0..self.len()).map(|number| self.word(number))
    }

    /// Adds a pair that is given as one number.
    pub fn add(&self, word: u64) {
        self.intern((word >> 32) as u32, word as u32);
    }

    /// The bytes they take.
    pub fn bytes(&self) -> u64 {
        u64::from(self.len()) * 8 + self.index.bytes()
    }
}

fn joined(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_pair_has_one_number() {
        let pairs = Pairs::new();
        assert_eq!(pairs.find(1, 2), None);
        assert_eq!(pairs.intern(1, 2), (0, true));
        assert_eq!(pairs.intern(2, 1), (1, true));
        assert_eq!(pairs.intern(1, 2), (0, false));
        assert_eq!((pairs.get(1), pairs.find(2, 1)), ((2, 1), Some(1)));
    }

    #[test]
    fn threads_agree_on_numbers() {
        let pairs = Pairs::new();
        let all: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let run = || (0..20_000).map(|n| pairs.intern(n % 5_000, n % 7).0).collect();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(all.iter().all(|numbers| *numbers == all[0]));
        let distinct: HashSet<u32> = all[0].iter().copied().collect();
        assert_eq!(distinct.len() as u32, pairs.len());
        assert!((0..20_000).all(|n| pairs.get(all[0][n as usize]) == (n % 5_000, n % 7)));
    }
}
