//! At random, but every execution once: a random order of the search, which
//! still covers all there is (section 4.2).

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::{Backtrack, Priority};

pub struct Rand {
    pub seed: u64,
}

impl Priority for Rand {
    fn cost(&self, backtrack: &Backtrack<'_>) -> u32 {
        let mut hasher = FxHasher::default();
        (self.seed, backtrack.identity).hash(&mut hasher);
        (hasher.finish() >> 32) as u32
    }
}
