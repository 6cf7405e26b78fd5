//! Wakeup sequences (Abdulla, Aronsson, Jonsson, Sagonas: Source Sets, JACM
//! 2017, section 6): executions that are still to be run from a state.
//!
//! Whether a sequence has to be run is decided by asking of steps that were or
//! will be run from the same state whether they are *weak initials* of it
//! ([`is_weak_initial`]): whether they could as well come first.

use machine::Mover;
use serde::{Deserialize, Serialize};

use crate::buffers::depend;
use crate::footprint::Footprint;

/// A step of a sequence that is to be run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Planned {
    /// What moves.
    pub mover: Mover,
    /// With which data choice.
    pub choice: u64,
    /// What the step touches.
    pub footprint: Footprint,
}

/// Whether a step is in the sequence with nothing before it that it depends on,
/// or is independent of all of the sequence. The same step with another data
/// choice is another one, which excludes it.
pub fn is_weak_initial(initial: &Planned, sequence: &[Planned]) -> bool {
    for step in sequence {
        if step.mover == initial.mover {
            return step.choice == initial.choice;
        }
        if depend((step.mover, &step.footprint), (initial.mover, &initial.footprint)) {
            return false;
        }
    }
    true
}
