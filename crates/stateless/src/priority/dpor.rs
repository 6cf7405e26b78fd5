//! First what partial-order reduction would run.

use super::{Backtrack, Priority};
use crate::best_first::Demand;

pub struct Dpor;

impl Priority for Dpor {
    fn cost(&self, backtrack: &Backtrack<'_>) -> u32 {
        u32::from(backtrack.demand() == Demand::None)
    }
}
