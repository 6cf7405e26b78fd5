//! A hash index from keys that live elsewhere to their numbers: a set of
//! numbers that is asked by hash. Twelve slots lie in one line of the
//! processor's cache; 65 to 85 in a hundred are used. Beside each number stands
//! a tag from the hash, so that what lies elsewhere is seldom looked at in vain.
//!
//! The index is cut into shards, each behind a lock of its own; the hash
//! decides which, so that threads seldom meet, and growing needs little room.

use std::sync::{Mutex, MutexGuard, PoisonError};

use smallvec::SmallVec;

/// Shards; a power of two.
const SHARDS: usize = 64;

/// Slots of a line.
const SLOTS: usize = 12;

/// How many hashes are computed together when a shard grows.
const BATCH: usize = 32;

/// The tag of a slot that is not used.
const EMPTY: u8 = 0;

/// Numbers by the hash of what they stand for.
pub struct Index {
    shards: Box<[Mutex<Shard>]>,
}

#[derive(Default)]
struct Shard {
    lines: Vec<Line>,
    used: usize,
}

/// Slots that are filled from the first to the last.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Line {
    numbers: [u32; SLOTS],
    tags: [u8; SLOTS],
}

/// A slot: the number of its line, and its place in it.
type Slot = (usize, usize);

impl Index {
    /// An empty index.
    pub fn new() -> Index {
        Index { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    fn shard(&self, hash: u64) -> MutexGuard<'_, Shard> {
        let shard = &self.shards[hash as usize % SHARDS];
        // A shard is whole between operations, whatever happened to others.
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number with this hash that `same` accepts.
    pub fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        self.shard(hash).find(hash, same).ok()
    }

    /// The number with this hash that `same` accepts, or the one that `make`
    /// gives it, and whether it is new. `hash_of` is asked when slots move.
    pub fn find_or_insert(
        &self,
        hash: u64,
        same: impl Fn(u32) -> bool,
        make: impl FnOnce() -> u32,
        hash_of: impl Fn(u32) -> u64,
    ) -> (u32, bool) {
        let mut shard = self.shard(hash);
        match shard.find(hash, same) {
            Ok(number) => (number, false),
            Err(slot) => {
                let number = make();
                shard.insert(slot, hash, number, hash_of);
                (number, true)
            }
        }
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        let bytes = |shard: &Mutex<Shard>| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            (shard.lines.capacity() * size_of::<Line>()) as u64
        };
        self.shards.iter().map(bytes).sum()
    }
}

impl Shard {
    /// Where a hash belongs: its upper half, scaled to the lines, so that
    /// growing keeps the order and runs through memory once.
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.lines.len() as u64) >> 32) as usize
    }

    /// The number, or the slot where it belongs.
    #[inline]
    fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Result<u32, Slot> {
        if self.lines.is_empty() {
            return Err((0, 0));
        }
        let (mut at, wanted) = (self.home(hash), tag(hash));
        loop {
            let line = &self.lines[at];
            for (slot, tag) in line.tags.into_iter().enumerate() {
                if tag == wanted && same(line.numbers[slot]) {
                    return Ok(line.numbers[slot]);
                }
                if tag == EMPTY {
                    return Err((at, slot));
                }
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
    }

    fn insert(&mut self, slot: Slot, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        self.used += 1;
        if self.used * 100 <= self.lines.len() * SLOTS * 85 {
            return self.fill(slot, hash, number);
        }
        self.grow(hash_of);
        let slot = self.find(hash, |_| false).expect_err("nothing is the same");
        self.fill(slot, hash, number);
    }

    fn fill(&mut self, (at, slot): Slot, hash: u64, number: u32) {
        let line = &mut self.lines[at];
        (line.tags[slot], line.numbers[slot]) = (tag(hash), number);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, hash_of: impl Fn(u32) -> u64) {
        let size = (self.lines.len() * 13).div_ceil(10).max(1);
        let old = std::mem::replace(&mut self.lines, vec![Line::default(); size]);
        // What is hashed lies all over memory: a batch of it is waited for at once.
        let used = |line: &Line| line.tags.iter().filter(|tag| **tag != EMPTY).count();
        let mut used = old.iter().flat_map(|line| line.numbers[..used(line)].iter().copied());
        loop {
            let batch: SmallVec<[u32; BATCH]> = used.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return;
            }
            let mut hashes = [0; BATCH];
            hashes.iter_mut().zip(&batch).for_each(|(hash, number)| *hash = hash_of(*number));
            for (hash, number) in hashes.into_iter().zip(batch) {
                let slot = self.find(hash, |_| false).expect_err("nothing is the same");
                self.fill(slot, hash, number);
            }
        }
    }
}

/// Bits of the hash that decide neither the shard nor the slot.
fn tag(hash: u64) -> u8 {
    ((hash >> 8) as u8).max(EMPTY + 1)
}

/// Mixes all bits of a number into all bits of its hash.
#[inline]
pub fn mix(number: u64) -> u64 {
    // The finaliser of MurmurHash3.
    let number = (number ^ (number >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let number = (number ^ (number >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    number ^ (number >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_found_again() {
        let (index, hash) = (Index::new(), |n: u32| mix(u64::from(n)));
        for round in 0..2 {
            for n in 0..10_000 {
                let found = index.find_or_insert(hash(n), |m| m == n, || n, hash);
                assert_eq!(found, (n, round == 0));
            }
        }
        assert_eq!(index.find(hash(10_000), |m| m == 10_000), None);
        assert!(index.bytes() < 10_000 * 8, "{}", index.bytes());
    }

    #[test]
    fn equal_hashes_are_told_apart() {
        let index = Index::new();
        for n in 0..100 {
            assert_eq!(index.find_or_insert(7, |m| m == n, || n, |_| 7), (n, true));
        }
        assert_eq!(index.find(7, |m| m == 50), Some(50));
    }
}
