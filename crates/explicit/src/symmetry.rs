//! Searching up to the numbers of threads ([`Machine::sort_threads`]).
//!
//! What such a search finds are steps between sorted states, and each state
//! numbers threads in its own way. [`crate::renamed`] makes an execution of them.
//! It has the fewest context switches here too, but for deadlocks, where `main`
//! may have to join some threads before it waits for those that are stuck: one
//! switch more.

use engine::{Outcome, Task};

use crate::Options;
use crate::counters::SYMMETRY;
use crate::found::Found;
use crate::outcome;
use crate::renamed::{Named, execution};
use crate::worker::Shared;

/// Searches up to the numbers of threads. Nothing comes of it if the program
/// turns out to depend on them.
pub fn search(task: &Task<'_>, options: &Options) -> Option<Outcome> {
    let machine = task.machine.with_tagged_handles();
    let sorted = Task { machine: &machine, ..*task };
    let shared = Shared::new(&sorted, &machine, options);
    let (mut ended, tally) = crate::search(&shared, options, None);
    if shared.is_asymmetric() {
        return None;
    }
    if let Found::Violation(steps) = &ended.found {
        // That it leads to a fault is demanded where the trace is made, and that
        // it does so without tagged handles where it is replayed.
        let steps = execution(&machine, shared.grain, Named::Sorted, steps.iter().map(|step| (*step, None)));
        let (steps, _) = steps.expect("a counterexample of sorted states is one of the program");
        ended.found = Found::Violation(steps);
    }
    let outcome = outcome::outcome(&shared, ended, tally);
    Some(Outcome { stats: outcome.stats.with(SYMMETRY, "used"), ..outcome })
}
