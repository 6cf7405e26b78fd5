//! A hash index from keys that live elsewhere to their numbers: a set of
//! numbers that is asked by hash. Twelve slots lie in one line of the
//! processor's cache; 70 to 90 in a hundred are used. Beside each number stands
//! a tag from the hash, so that what lies elsewhere is seldom looked at in vain.
//!
//! The index is cut into shards, which the hash decides on. What is there is
//! found without a lock, so that the processor can wait for several lines at
//! once; only putting in takes the shard's lock. A shard grows into new memory.
//! Each reader has a [`View`], which holds the shards' memory as it was when
//! last looked at. What is put in meanwhile is missed there, and found under
//! the lock.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use smallvec::SmallVec;

use crate::spill::{Slab, Spill, Zeroed};

/// Shards; a power of two.
const SHARDS: usize = 64;

/// Slots of a line.
const SLOTS: usize = 12;

/// Tags of a word.
const TAGS: usize = 4;

/// How many hashes are computed together when a shard grows.
const BATCH: usize = 32;

/// Below this number of lines a shard stays in memory: a file costs more.
const WORTH_SPILLING: usize = 1 << 10;

/// The tag of a slot that is not used.
const EMPTY: u8 = 0;

/// Numbers by the hash of what they stand for.
pub struct Index {
    shards: Box<[Shard]>,
    /// Where the memory of large shards comes from, if it is none of the process.
    spill: Option<Arc<Spill>>,
}

#[derive(Default)]
struct Shard {
    /// How often it grew.
    version: AtomicU32,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    lines: Arc<Slab<Line>>,
    used: usize,
}

/// Slots that are filled from the first to the last, under the shard's lock.
#[derive(Default)]
#[repr(align(64))]
struct Line {
    numbers: [AtomicU32; SLOTS],
    /// Written after the number, so that a reader that sees the tag sees the number.
    tags: [AtomicU32; SLOTS / TAGS],
}

// SAFETY: all of it are numbers, whose default is 0.
#[allow(unsafe_code)]
unsafe impl Zeroed for Line {}

/// A slot: the number of its line, and its place in it.
type Slot = (usize, usize);

/// What one reader has seen of the shards.
pub struct View {
    shards: Box<[(u32, Arc<Slab<Line>>)]>,
}

impl View {
    /// Nothing was seen yet.
    pub fn new() -> View {
        View { shards: (0..SHARDS).map(|_| Default::default()).collect() }
    }
}

impl Index {
    /// An empty index.
    pub fn new() -> Index {
        Index { shards: (0..SHARDS).map(|_| Shard::default()).collect(), spill: None }
    }

    /// The same in files, if there are any.
    pub fn spilled(self, spill: Option<&Arc<Spill>>) -> Index {
        Index { spill: spill.map(Arc::clone), ..self }
    }

    /// The number with this hash that `same` accepts, as far as can be seen.
    #[inline]
    pub fn peek(&self, view: &mut View, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        find(self.lines(view, hash), hash, same).ok()
    }

    /// Reads the line that a hash belongs to, and yields something of it.
    #[inline]
    pub fn touch(&self, view: &mut View, hash: u64) -> u32 {
        let lines = self.lines(view, hash);
        lines.get(home(lines, hash)).map_or(0, |line| line.tags[0].load(Ordering::Relaxed))
    }

    #[inline]
    fn lines<'a>(&self, view: &'a mut View, hash: u64) -> &'a [Line] {
        let number = hash as usize % SHARDS;
        let (shard, (version, lines)) = (&self.shards[number], &mut view.shards[number]);
        if shard.version.load(Ordering::Acquire) != *version {
            shard.show(version, lines);
        }
        lines
    }

    /// The number with this hash that `same` accepts.
    pub fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        find(&self.shards[hash as usize % SHARDS].lock().lines, hash, same).ok()
    }

    /// The number with this hash that `same` accepts, or the one that `make`
    /// gives it, and whether it is new. `hash_of` is asked when slots move.
    pub fn insert(
        &self,
        hash: u64,
        same: impl Fn(u32) -> bool,
        make: impl FnOnce() -> u32,
        hash_of: impl Fn(u32) -> u64,
    ) -> (u32, bool) {
        let number = hash as usize % SHARDS;
        let shard = &self.shards[number];
        let mut table = shard.lock();
        match find(&table.lines, hash, same) {
            Ok(number) => (number, false),
            Err(mut slot) => {
                let made = make();
                table.used += 1;
                if table.used * 100 > table.lines.len() * SLOTS * 90 {
                    table.lines = Arc::new(self.grown(&table.lines, number, hash_of));
                    slot = find(&table.lines, hash, |_| false).expect_err("nothing is the same");
                    shard.version.fetch_add(1, Ordering::Release);
                }
                fill(&table.lines, slot, hash, made);
                (made, true)
            }
        }
    }

    /// The same in more lines.
    #[cold]
    fn grown(&self, old: &[Line], shard: usize, hash_of: impl Fn(u32) -> u64) -> Slab<Line> {
        let size = next_size(old.len(), shard);
        let spill = self.spill.as_ref().filter(|_| size >= WORTH_SPILLING);
        let lines = spill.map_or_else(|| Slab::in_memory(size), |spill| spill.table(size));
        move_all(old, &lines, hash_of);
        lines
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        let bytes = |shard: &Shard| (shard.lock().lines.len() * size_of::<Line>()) as u64;
        self.shards.iter().map(bytes).sum()
    }
}

impl Shard {
    #[cold]
    fn show(&self, version: &mut u32, lines: &mut Arc<Slab<Line>>) {
        // Under the lock the version does not change.
        let table = self.lock();
        (*version, *lines) = (self.version.load(Ordering::Acquire), Arc::clone(&table.lines));
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        // A table is whole between operations, whatever happened to others.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a hash belongs: its upper half, scaled to the lines, so that growing
/// keeps the order and runs through memory once.
fn home(lines: &[Line], hash: u64) -> usize {
    (((hash >> 32) * lines.len() as u64) >> 32) as usize
}

/// The number, or the slot where it belongs.
#[inline]
fn find(lines: &[Line], hash: u64, same: impl Fn(u32) -> bool) -> Result<u32, Slot> {
    if lines.is_empty() {
        return Err((0, 0));
    }
    let (mut at, wanted) = (home(lines, hash), every_byte(tag(hash)));
    loop {
        let line = &lines[at];
        for (word, tags) in line.tags.iter().enumerate() {
            let tags = tags.load(Ordering::Acquire);
            let mut matches = zero_bytes(tags ^ wanted);
            while matches != 0 {
                let slot = word * TAGS + matches.trailing_zeros() as usize / 8;
                let number = line.numbers[slot].load(Ordering::Relaxed);
                if same(number) {
                    return Ok(number);
                }
                matches &= matches - 1;
            }
            let empty = zero_bytes(tags);
            if empty != 0 {
                return Err((at, word * TAGS + empty.trailing_zeros() as usize / 8));
            }
        }
        at = if at + 1 == lines.len() { 0 } else { at + 1 };
    }
}

fn every_byte(byte: u8) -> u32 {
    u32::from_le_bytes([byte; TAGS])
}

/// The highest bit of each byte that is zero.
fn zero_bytes(word: u32) -> u32 {
    let low = every_byte(0x7f);
    !((word & low).wrapping_add(low) | word | low)
}

/// Only one at a time may do this to a table.
fn fill(lines: &[Line], (at, slot): Slot, hash: u64, number: u32) {
    let line = &lines[at];
    line.numbers[slot].store(number, Ordering::Relaxed);
    let tags = &line.tags[slot / TAGS];
    let others = tags.load(Ordering::Relaxed);
    tags.store(others | u32::from(tag(hash)) << (8 * (slot % TAGS)), Ordering::Release);
}

/// Moves all that is in some lines to others, which are empty.
fn move_all(old: &[Line], lines: &[Line], hash_of: impl Fn(u32) -> u64) {
    let tags = |line: &Line| line.tags.each_ref().map(|tags| tags.load(Ordering::Relaxed).to_le_bytes());
    let used = |line: &Line| tags(line).as_flattened().iter().filter(|tag| **tag != EMPTY).count();
    let numbers = |line: &Line| line.numbers.each_ref().map(|number| number.load(Ordering::Relaxed));
    let mut used = old.iter().flat_map(|line| numbers(line).into_iter().take(used(line)));
    // What is hashed lies all over memory: a batch of it is waited for at once.
    loop {
        let batch: SmallVec<[u32; BATCH]> = used.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return;
        }
        let mut hashes = [0; BATCH];
        hashes.iter_mut().zip(&batch).for_each(|(hash, number)| *hash = hash_of(*number));
        for (hash, number) in hashes.into_iter().zip(batch) {
            let slot = find(lines, hash, |_| false).expect_err("nothing is the same");
            fill(lines, slot, hash, number);
        }
    }
}

/// A shard grows by three tenths. Equal shards would all grow at the same time;
/// once, each is made a little larger than the one before.
fn next_size(size: usize, shard: usize) -> usize {
    const SPREAD: usize = 64;
    let next = (size * 13).div_ceil(10).max(1);
    if size < SPREAD && next >= SPREAD { SPREAD + SPREAD * 3 / 10 * shard / SHARDS } else { next }
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
        let (index, mut view, hash) = (Index::new(), View::new(), |n: u32| mix(u64::from(n)));
        for round in 0..2 {
            for n in 0..10_000 {
                let seen = index.peek(&mut view, hash(n), |m| m == n);
                assert_eq!(seen, (round == 1).then_some(n));
                let found = index.insert(hash(n), |m| m == n, || n, hash);
                assert_eq!(found, (n, round == 0));
            }
        }
        assert_eq!(index.find(hash(10_000), |m| m == 10_000), None);
        assert!(index.bytes() < 10_000 * 8, "{}", index.bytes());
    }

    #[test]
    fn zero_bytes_are_found_exactly() {
        assert_eq!(zero_bytes(0x0001_0080), 0x8000_8000);
        assert_eq!(zero_bytes(0x0100_0101), 0x0080_0000);
        assert_eq!((zero_bytes(0), zero_bytes(u32::MAX)), (0x8080_8080, 0));
    }

    #[test]
    fn equal_hashes_are_told_apart() {
        let index = Index::new();
        for n in 0..100 {
            assert_eq!(index.insert(7, |m| m == n, || n, |_| 7), (n, true));
        }
        assert_eq!(index.find(7, |m| m == 50), Some(50));
    }
}
