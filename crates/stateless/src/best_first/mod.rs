//! Best-first search over executions (GAMBIT, section 3.3, Figure 4).
//!
//! With a bound on preemptions every execution within the bound is run, whatever
//! partial-order reduction thinks of it: under a bound it orders the search and
//! never prunes (section 2.3). Without a bound, the executions that dynamic
//! partial-order reduction asks for are run.
//!
//! Which executions are run depends neither on the priorities nor on the number
//! of workers: within a bound it is all of them, and without one each execution
//! alone decides which others it asks for.
//!
//! Deviations from the paper:
//!
//! - The machine goes back to where an execution departs from the one that was
//!   run before it, and does not start from the beginning.
//! - Data choices are backtracking points too.
//! - Without a bound, sleep sets do not prune: in a best-first search nothing
//!   that is asleep has been searched completely.
//! - If an execution shows that partial-order reduction would ask for a point
//!   that was found before, that point is moved to where it would be now.
//! - An execution that is to be run takes part in its parent's list, so that a
//!   point is added once also if it lies in an earlier execution's steps.

mod analysis;
mod fringe;
mod shared;
mod shelf;
mod tree;
mod worker;

use engine::{Cut, Limit, Outcome, Progress, Task};

use crate::priority::{Hierarchy, Kind};
use crate::tally::{Found, Tally};

pub use analysis::{Analysis, Demand};
pub use fringe::Cost;
use shared::Shared;
pub use shelf::{Shelf, Store};
use worker::Worker;

/// How to search.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The most preemptions of an execution. Without a bound, partial-order
    /// reduction decides.
    pub preemption_bound: Option<u32>,
    /// What to run first; without any, the search is depth-first.
    pub priority: Vec<Kind>,
    /// For what is random.
    pub seed: u64,
    /// The most executions to run.
    pub executions: Option<u64>,
    /// The depth of the bugs that PCT looks for: how many orders between steps
    /// it takes to meet them.
    pub bug_depth: u32,
    /// Whether every execution starts at the beginning, instead of where it departs
    /// from the one before: to measure what going back gains.
    pub restart: bool,
    /// Where to keep executions to be run that take too much memory; used with
    /// a bound on preemptions.
    pub shelf: Option<Shelf>,
}

impl Settings {
    /// The paper's best combinations (section 4.5), if none is asked for.
    pub fn default_priority(preemption_bound: Option<u32>) -> Vec<Kind> {
        match preemption_bound {
            Some(_) => vec![Kind::Ss, Kind::Mdpor],
            None => vec![Kind::Mdpor, Kind::Pb],
        }
    }
}

/// Runs executions, the most promising ones first.
pub fn check(task: &Task<'_>, settings: &Settings) -> Outcome {
    let hierarchy = Hierarchy::new(task.machine, &settings.priority, settings.seed);
    let shared = Shared::new(settings);
    let workers = task.budget.threads();
    let results: Vec<(Tally, Option<Found>)> = std::thread::scope(|scope| {
        let spawn = |index: usize| {
            let (shared, hierarchy) = (&shared, &hierarchy);
            scope.spawn(move || {
                let progress = Progress::default();
                let own = Task { progress: &progress, ..*task };
                let told = (index == 0).then_some(task.progress);
                let result = Worker::new(&own, settings, hierarchy, shared, told).run();
                task.progress.add_samples(&progress);
                result
            })
        };
        let handles: Vec<_> = (0..workers).map(spawn).collect();
        handles.into_iter().map(|handle| handle.join().expect("a worker panicked")).collect()
    });
    outcome(task, settings, shared, results)
}

fn outcome(
    task: &Task<'_>,
    settings: &Settings,
    shared: Shared,
    results: Vec<(Tally, Option<Found>)>,
) -> Outcome {
    let (mut all, found) = Tally::sum(results);
    let coverage = shared.coverage();
    if coverage.beyond_bound
        && let Some(bound) = settings.preemption_bound
    {
        all.cut(Cut::Preemptions(Limit::asked(u64::from(bound))));
    }
    if coverage.stopped && found.is_none() {
        all.cut(Cut::Executions(Limit { most: all.executions, asked: settings.executions.is_some() }));
    }
    all.coverage = Some(coverage.text(&all, settings));
    all.peak_tree_bytes = Some(coverage.peak_bytes);
    all.outcome(task, found)
}
