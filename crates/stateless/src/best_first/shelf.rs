//! Executions to be run that are kept outside memory.
//!
//! Those of the highest cost are not touched for long, so they can be kept
//! elsewhere (GAMBIT, section 3.3). Each is written with its whole path, so that
//! the tree can forget it.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::best_first::fringe::Cost;
use crate::best_first::tree::Delta;

/// Where blocks of bytes are kept.
pub trait Store: Send + Sync {
    /// Keeps a block; yields its number.
    fn put(&self, block: &[u8]) -> io::Result<u64>;

    /// The block with this number.
    fn get(&self, number: u64) -> io::Result<Vec<u8>>;
}

/// Memory for executions to be run, and where to keep what it cannot hold.
#[derive(Clone)]
pub struct Shelf {
    /// The bytes that tree and fringe may take.
    pub limit: u64,
    /// Where to keep the rest.
    pub store: Arc<dyn Store>,
}

impl fmt::Debug for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shelf beyond {} bytes", self.limit)
    }
}

/// An execution to be run: what that costs, and its path.
pub type Entry = (Cost, Vec<Delta>);

/// A block that is kept.
struct Block {
    best: Cost,
    number: u64,
    entries: u64,
}

/// The blocks that are kept.
#[derive(Default)]
pub struct Kept {
    blocks: Vec<Block>,
    entries: u64,
}

impl Kept {
    /// Keeps executions, if there are any.
    pub fn put(&mut self, store: &dyn Store, entries: &[Entry]) -> io::Result<()> {
        let Some(best) = entries.iter().map(|(cost, _)| cost).min() else { return Ok(()) };
        let number = store.put(&encode(entries))?;
        let count = entries.len() as u64;
        self.blocks.push(Block { best: best.clone(), number, entries: count });
        self.entries += count;
        Ok(())
    }

    /// The block with the lowest cost, if that is lower than this.
    pub fn take_below(&mut self, store: &dyn Store, cost: Option<&Cost>) -> Option<Vec<Entry>> {
        let (index, block) = self.blocks.iter().enumerate().min_by(|(_, a), (_, b)| a.best.cmp(&b.best))?;
        if cost.is_some_and(|cost| *cost <= block.best) {
            return None;
        }
        let bytes = store.get(block.number).expect("what was written can be read");
        self.entries -= block.entries;
        self.blocks.swap_remove(index);
        Some(decode(&bytes))
    }

    /// How many executions are kept.
    pub fn entries(&self) -> u64 {
        self.entries
    }
}

fn encode(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut number = |n: u32| bytes.extend(n.to_le_bytes());
    for (cost, path) in entries {
        number(cost.len() as u32);
        cost.iter().for_each(|part| number(*part));
        number(path.len() as u32);
        path.iter().flat_map(|delta| delta.to_words()).for_each(&mut number);
    }
    bytes
}

fn decode(bytes: &[u8]) -> Vec<Entry> {
    let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
    let mut words = words.peekable();
    let mut entries = Vec::new();
    while words.peek().is_some() {
        let mut next = || words.next().expect("a whole entry");
        let parts = next();
        let cost = (0..parts).map(|_| next()).collect();
        let deltas = next();
        let path = (0..deltas).map(|_| Delta::from_words([next(), next(), next()])).collect();
        entries.push((cost, path));
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::ThreadId;

    #[test]
    fn what_was_written_is_read() {
        let delta = |step, thread| Delta::new(step, ThreadId(thread), 3).unwrap();
        let cost = |parts: &[u32]| parts.iter().copied().collect::<Cost>();
        let entries: Vec<Entry> = vec![
            (cost(&[1, 2]), vec![delta(5, 1), delta(9, 2)]),
            (cost(&[]), vec![]),
            (cost(&[7]), vec![delta(1 << 20, 300)]),
        ];
        assert_eq!(decode(&encode(&entries)), entries);
    }
}
