//! What an engine is asked.

use machine::Machine;

use crate::budget::Budget;
use crate::progress::Progress;

/// A program to be checked. The machine knows the program and the properties.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The program and its semantics.
    pub machine: &'a Machine,
    /// How much time and memory it may cost.
    pub budget: &'a Budget,
    /// What part of the executions to look at.
    pub bounds: Bounds,
    /// Where to say how far the search is.
    pub progress: &'a Progress,
}

/// Limits on the executions looked at. An engine that cuts something because
/// of a bound does not say that the program holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// The most steps an execution may have.
    pub depth: Option<u64>,
    /// The most context switches an execution may have.
    pub context_switches: Option<u64>,
}
