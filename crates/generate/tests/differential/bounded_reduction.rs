//! The engine `bounded` with and without leaving the active thread alone.
//!
//! With no property nothing ends a search early: for every bound on context
//! switches the same final states must be reached. For each property a
//! violation must need the same number of context switches.

use std::time::Duration;

use bounded::Options;
use engine::{Bounds, Budget, Outcome, Progress, Reason, Task, Verdict};
use machine::Machine;

use crate::common::Disagreement;

/// The longest that one search may take.
const MAX_TIME: Duration = Duration::from_secs(5);

const BOUNDS: [Option<u64>; 5] = [Some(1), Some(2), Some(3), Some(4), None];

/// Compares both. Yields how many states each search visited.
pub fn same_reached(machine: &Machine) -> Result<(u64, u64), Disagreement> {
    let mut states = (0, 0);
    for bound in BOUNDS {
        let [reduced, full] = [true, false].map(|reduction| run(machine, bound, reduction));
        if is_timeout(&reduced) || is_timeout(&full) {
            continue;
        }
        states.0 += reduced.stats.count(engine::counters::STATES).unwrap_or(0);
        states.1 += full.stats.count(engine::counters::STATES).unwrap_or(0);
        let (reduced, full) = (summary(&reduced), summary(&full));
        if reduced != full {
            let message = format!("with context bound {bound:?}: reduced {reduced:?}, in full {full:?}");
            return Err(Disagreement { kind: "bounded reduction".to_owned(), message });
        }
    }
    Ok(states)
}

fn run(machine: &Machine, context_switches: Option<u64>, reduction: bool) -> Outcome {
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME));
    let bounds = Bounds { context_switches, ..Bounds::default() };
    let task = Task { machine, budget: &budget, bounds, progress: &Progress::default() };
    bounded::check(&task, &Options { reduction, ..Options::default() })
}

fn is_timeout(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Unknown { reason: Reason::Exceeded(_), .. })
}

/// What must be the same: whether there is a violation, after how many context
/// switches, and where nothing ends the search, how many final states there
/// are. The reduced search may need more switches to see that nothing is left,
/// or less.
fn summary(outcome: &Outcome) -> (bool, Option<u64>, Option<u64>) {
    let stats = &outcome.stats;
    match &outcome.verdict {
        Verdict::Violated { .. } => (true, stats.count(engine::counters::LAYERS), None),
        Verdict::Holds { .. } | Verdict::Unknown { .. } => {
            (false, None, stats.count(engine::counters::FINAL_STATES))
        }
    }
}
