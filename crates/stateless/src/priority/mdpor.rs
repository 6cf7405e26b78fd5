//! First what partial-order reduction would run, but what it only adds to be on
//! the safe side later: the points where the thread that should move cannot,
//! such as those before a lock is released.

use super::{Backtrack, Priority};
use crate::best_first::Demand;

pub struct Mdpor;

impl Priority for Mdpor {
    fn cost(&self, backtrack: &Backtrack<'_>) -> u32 {
        match backtrack.demand() {
            Demand::Required => 0,
            Demand::Conservative => 1,
            Demand::None => 2,
        }
    }
}
