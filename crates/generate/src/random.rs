//! Random numbers that are the same everywhere.

use fastrand::Rng;

/// A sequence that its seed determines.
#[derive(Clone, Debug)]
pub struct Random(Rng);

impl Random {
    /// The sequence with this seed.
    pub fn new(seed: u64) -> Random {
        Random(Rng::with_seed(seed))
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
    }

    /// A number in a range, both ends included.
    pub fn within(&mut self, (low, high): (usize, usize)) -> usize {
        self.0.usize(low..=high)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
