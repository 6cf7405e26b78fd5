//! The log of a layered search: which states were visited when. It is what
//! counterexamples are found by, since no state remembers its parents.
//!
//! States are numbered as they are found and visited soon after, in the order
//! of their numbers: the log keeps the differences, in a byte or two each.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::incoming::SetId;
use store::{Slab, Spill, StateId};

/// A visit of a state with the threads that newly lead to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// The state.
    pub state: StateId,
    /// The threads by which it was found since its last visit.
    pub fresh: SetId,
}

/// Bytes in pieces that never move, so that growing costs no peak.
#[derive(Default, Serialize, Deserialize)]
struct Bytes {
    /// Pieces that are full.
    #[serde(with = "pieces")]
    full: Vec<Slab<u8>>,
    /// The piece that grows.
    last: Vec<u8>,
    /// Where full pieces go; none if they stay in memory.
    #[serde(skip)]
    spill: Option<Arc<Spill>>,
}

impl Bytes {
    const PIECE: usize = 1 << 16;

    fn len(&self) -> usize {
        self.full.len() * Self::PIECE + self.last.len()
    }

    fn push(&mut self, byte: u8) {
        self.last.push(byte);
        if self.last.len() == Self::PIECE {
            let mut piece = match &self.spill {
                Some(spill) => spill.piece(Self::PIECE),
                None => Slab::in_memory(Self::PIECE),
            };
            piece.elements_mut().copy_from_slice(&self.last);
            self.full.push(piece);
            self.last.clear();
        }
    }

    fn get(&self, at: usize) -> u8 {
        let piece = self.full.get(at / Self::PIECE).map_or(&*self.last, |piece| piece);
        piece[at % Self::PIECE]
    }

    /// Writes a number in as few bytes as it needs (LEB128).
    fn write(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.push(number as u8);
    }

    fn read(&self, at: &mut usize) -> u32 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.get(*at);
            *at += 1;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }
}

/// Pieces as lists of bytes.
mod pieces {
    use serde::{Deserialize, Deserializer, Serializer};
    use store::Slab;

    pub fn serialize<S: Serializer>(pieces: &[Slab<u8>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(pieces.iter().map(|piece| &**piece))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Slab<u8>>, D::Error> {
        let kept = |bytes: Vec<u8>| {
            let mut piece = Slab::in_memory(bytes.len());
            piece.elements_mut().copy_from_slice(&bytes);
            piece
        };
        Ok(Vec::<Vec<u8>>::deserialize(from)?.into_iter().map(kept).collect())
    }
}

/// The visits in their order. A bucket holds those of one layer at the same
/// number of steps from the layer's beginning.
#[derive(Default, Serialize, Deserialize)]
pub struct Log {
    bytes: Bytes,
    buckets: Vec<Bucket>,
}

#[derive(Serialize, Deserialize)]
struct Bucket {
    layer: u32,
    start: usize,
}

impl Log {
    /// The same, with what is added from now on in files, if there are any.
    pub fn spilled(mut self, spill: Option<&Arc<Spill>>) -> Log {
        self.bytes.spill = spill.map(Arc::clone);
        self
    }

    /// Adds a bucket, with its visits in ascending order of states.
    pub fn add(&mut self, layer: u32, visits: impl Iterator<Item = Visit>) {
        self.buckets.push(Bucket { layer, start: self.bytes.len() });
        let mut last = 0;
        for Visit { state, fresh } in visits {
            self.bytes.write(state - last);
            self.bytes.write(u32::from(fresh.0));
            last = state;
        }
    }

    /// The visits of a bucket.
    pub fn visits(&self, bucket: usize) -> Vec<Visit> {
        let end = self.buckets.get(bucket + 1).map_or(self.bytes.len(), |next| next.start);
        let (mut at, mut state) = (self.buckets[bucket].start, 0);
        let mut visits = Vec::new();
        while at < end {
            state += self.bytes.read(&mut at);
            let fresh = SetId(self.bytes.read(&mut at) as u16);
            visits.push(Visit { state, fresh });
        }
        visits
    }

    /// The layer of a bucket.
    pub fn layer(&self, bucket: usize) -> u32 {
        self.buckets[bucket].layer
    }

    /// The bucket before, if it is of the same layer.
    pub fn previous(&self, bucket: usize) -> Option<usize> {
        let before = bucket.checked_sub(1)?;
        (self.layer(before) == self.layer(bucket)).then_some(before)
    }

    /// The buckets of a layer.
    pub fn buckets_of(&self, layer: u32) -> std::ops::Range<usize> {
        let start = self.buckets.partition_point(|bucket| bucket.layer < layer);
        start..self.buckets.partition_point(|bucket| bucket.layer <= layer)
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        (self.bytes.len() + self.buckets.len() * size_of::<Bucket>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_are_found_by_bucket_and_layer() {
        let bucket = |count: u32, step: u32| -> Vec<Visit> {
            (0..count).map(|n| Visit { state: n * step, fresh: SetId((n % 300) as u16) }).collect()
        };
        let buckets = [(0, bucket(1, 1)), (0, bucket(70_000, 2)), (2, bucket(30, 100_000_000))];
        let mut log = Log::default();
        for (layer, visits) in &buckets {
            log.add(*layer, visits.iter().copied());
        }
        for (index, (_, visits)) in buckets.iter().enumerate() {
            assert_eq!(log.visits(index), *visits);
        }
        assert_eq!((log.buckets_of(0), log.buckets_of(1), log.buckets_of(2)), (0..2, 2..2, 2..3));
        assert_eq!((log.previous(1), log.previous(2)), (Some(0), None));
        assert!(log.bytes() < 70_000 * 3, "{}", log.bytes());
    }
}
