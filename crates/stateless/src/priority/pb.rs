//! Fewer preemptions first.

use super::{Backtrack, Priority};

pub struct Pb;

impl Priority for Pb {
    fn cost(&self, backtrack: &Backtrack<'_>) -> u32 {
        backtrack.execution.points()[backtrack.step].preemptions_with(backtrack.thread)
    }
}
