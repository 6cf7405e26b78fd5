//! Hash compaction: of a state only a fingerprint is kept.
//!
//! Two states with the same fingerprint are taken for one, so that a search
//! may miss states; it never calls a program safe. With a fingerprint of 64
//! bits that behaves like a random number, the chance that any of `n` states
//! was taken for another is below `n² / 2^65`.

use std::hash::Hasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Shards; a power of two.
const SHARDS: usize = 64;

/// The slot of a table that holds nothing. A fingerprint is never 0.
const EMPTY: u64 = 0;

/// The fingerprint of a state's canonical form.
pub fn fingerprint(canonical: &[u8]) -> u64 {
    // SipHash with fixed keys: the same in every run.
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(canonical);
    hasher.finish().max(1)
}

/// The chance that some state was taken for another.
pub fn omission(states: u64) -> f64 {
    (states as f64).powi(2) / 2f64.powi(65)
}

/// A set of fingerprints, eight bytes a slot, of which 65 to 85 in a hundred
/// are used.
pub struct Fingerprints {
    shards: Box<[Mutex<Shard>]>,
    count: AtomicU64,
}

#[derive(Default)]
struct Shard {
    slots: Vec<u64>,
    used: usize,
}

impl Fingerprints {
    /// None.
    pub fn new() -> Fingerprints {
        Fingerprints { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), count: AtomicU64::new(0) }
    }

    /// Adds one; says whether it is new.
    pub fn insert(&self, fingerprint: u64) -> bool {
        let shard = &self.shards[fingerprint as usize % SHARDS];
        let new = shard.lock().unwrap_or_else(PoisonError::into_inner).insert(fingerprint);
        self.count.fetch_add(u64::from(new), Ordering::Relaxed);
        new
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// The bytes they take.
    pub fn bytes(&self) -> u64 {
        let bytes = |shard: &Mutex<Shard>| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            (shard.slots.capacity() * size_of::<u64>()) as u64
        };
        self.shards.iter().map(bytes).sum()
    }
}

impl Shard {
    fn insert(&mut self, fingerprint: u64) -> bool {
        if (self.used + 1) * 100 > self.slots.len() * 85 {
            let size = (self.slots.len() * 13 / 10).max(16);
            let old = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
            old.into_iter().filter(|known| *known != EMPTY).for_each(|known| {
                self.place(known);
            });
        }
        let new = self.place(fingerprint);
        self.used += usize::from(new);
        new
    }

    /// Puts it into the first slot that is free, unless it is met before.
    fn place(&mut self, fingerprint: u64) -> bool {
        let mut slot = (((fingerprint >> 32) * self.slots.len() as u64) >> 32) as usize;
        loop {
            match self.slots[slot] {
                EMPTY => {
                    self.slots[slot] = fingerprint;
                    return true;
                }
                known if known == fingerprint => return false,
                _ => slot = if slot + 1 == self.slots.len() { 0 } else { slot + 1 },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_new_once() {
        let known = Fingerprints::new();
        let each = |n: u32| fingerprint(&n.to_le_bytes());
        assert!((0..10_000).all(|n| known.insert(each(n))));
        assert!((0..10_000).all(|n| !known.insert(each(n))));
        assert_eq!(known.len(), 10_000);
        assert!(known.bytes() < 10_000 * 14, "{}", known.bytes());
    }

    #[test]
    fn equal_homes_are_told_apart() {
        let known = Fingerprints::new();
        // The same shard and the same upper half.
        let all: Vec<u64> = (1..200).map(|n| (u64::MAX << 32) | (n * SHARDS as u64)).collect();
        assert!(all.iter().all(|n| known.insert(*n)));
        assert!(all.iter().all(|n| !known.insert(*n)));
    }

    #[test]
    fn the_chance_of_an_omission() {
        assert!(omission(10_000_000) < 3e-6 && omission(0) == 0.0);
    }
}
