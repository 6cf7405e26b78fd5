//! The log of a layered search: which states were visited when. It is what
//! counterexamples are found by, since no state remembers its parents.

use crate::incoming::SetId;
use crate::store::StateId;

/// A list that never moves what it holds, so that growing costs no peak.
struct Segmented<T>(Vec<Vec<T>>);

impl<T: Copy> Segmented<T> {
    const SIZE: usize = 1 << 16;

    fn push(&mut self, item: T) {
        match self.0.last_mut() {
            Some(last) if last.len() < Self::SIZE => last.push(item),
            // The first segment grows: most programs are small.
            None => self.0.push(vec![item]),
            Some(_) => {
                let mut segment = Vec::with_capacity(Self::SIZE);
                segment.push(item);
                self.0.push(segment);
            }
        }
    }

    fn get(&self, index: usize) -> T {
        self.0[index / Self::SIZE][index % Self::SIZE]
    }

    fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * Self::SIZE + last.len())
    }
}

/// A visit of a state with the threads that newly lead to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// The state.
    pub state: StateId,
    /// The threads by which it was found since its last visit.
    pub fresh: SetId,
}

/// The visits in their order. A bucket holds those of one layer at the same
/// number of steps from the layer's beginning.
pub struct Log {
    states: Segmented<StateId>,
    sets: Segmented<u16>,
    buckets: Vec<Bucket>,
}

struct Bucket {
    layer: u32,
    start: usize,
}

impl Log {
    /// No visits.
    pub fn new() -> Log {
        Log { states: Segmented(Vec::new()), sets: Segmented(Vec::new()), buckets: Vec::new() }
    }

    /// Begins a bucket.
    pub fn begin(&mut self, layer: u32) {
        self.buckets.push(Bucket { layer, start: self.states.len() });
    }

    /// Adds a visit to the last bucket.
    pub fn push(&mut self, visit: Visit) {
        self.states.push(visit.state);
        self.sets.push(visit.fresh.0);
    }

    /// The number of the last bucket.
    pub fn last_bucket(&self) -> usize {
        self.buckets.len() - 1
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

    /// The visits of a range of buckets.
    pub fn visits(&self, buckets: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let start = |bucket: usize| self.buckets.get(bucket).map_or(self.states.len(), |b| b.start);
        start(buckets.start)..start(buckets.end)
    }

    /// The visit with this index.
    pub fn visit(&self, index: usize) -> Visit {
        Visit { state: self.states.get(index), fresh: SetId(self.sets.get(index)) }
    }

    /// The bucket that a visit belongs to.
    pub fn bucket_of(&self, visit: usize) -> usize {
        self.buckets.partition_point(|bucket| bucket.start <= visit) - 1
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.states.len() as u64 * 6 + self.buckets.len() as u64 * 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_are_found_by_bucket_and_layer() {
        let mut log = Log::new();
        for (layer, visits) in [(0, 1), (0, 70_000), (2, 3)] {
            log.begin(layer);
            (0..visits).for_each(|state| log.push(Visit { state, fresh: SetId(layer as u16) }));
        }
        assert_eq!((log.buckets_of(0), log.buckets_of(1), log.buckets_of(2)), (0..2, 2..2, 2..3));
        assert_eq!(log.visits(1..3), 1..70_004);
        assert_eq!(log.visit(70_002), Visit { state: 1, fresh: SetId(2) });
        assert_eq!([0, 1, 70_000, 70_001].map(|visit| log.bucket_of(visit)), [0, 1, 1, 2]);
        assert_eq!((log.previous(1), log.previous(2)), (Some(0), None));
    }
}
