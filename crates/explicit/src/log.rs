//! The log of a layered search: which states were visited when. It is what
//! counterexamples are found by, since no state remembers its parents.
//!
//! States are numbered as they are found and visited soon after, in the order
//! of their numbers: the log keeps the differences, in a byte or two each.

use serde::{Deserialize, Serialize};

use crate::incoming::SetId;
use store::StateId;

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
struct Bytes(Vec<Vec<u8>>);

impl Bytes {
    const PIECE: usize = 1 << 16;

    fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * Self::PIECE + last.len())
    }

    fn push(&mut self, byte: u8) {
        match self.0.last_mut() {
            Some(last) if last.len() < Self::PIECE => last.push(byte),
            // The first piece grows: most programs are small.
            None => self.0.push(vec![byte]),
            Some(_) => {
                let mut piece = Vec::with_capacity(Self::PIECE);
                piece.push(byte);
                self.0.push(piece);
            }
        }
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
            let byte = self.0[*at / Self::PIECE][*at % Self::PIECE];
            *at += 1;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
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
