//! Checks that need the whole state graph.

use engine::{Outcome, Task};

use crate::Options;
use crate::found::Found;
use crate::outcome::{self, Ended};
use crate::state_graph::{Labels, StateGraph};
use crate::worker::{Shared, Worker};

/// Builds the graph with these labels and looks for something in it.
pub fn check<L: Labels>(
    task: &Task<'_>,
    options: &Options,
    mut labels: L,
    look: impl FnOnce(&StateGraph<L::State, L::Step>, &mut Worker<'_>) -> Found,
) -> Outcome {
    let options = Options { hash_compaction: false, symmetry: false, ..*options };
    let shared = Shared::new(task, task.machine, &options);
    let mut worker = Worker::new(&shared);
    let mut graph = StateGraph::new();
    let found = match graph.build(&mut worker, &mut labels) {
        Ok(()) => look(&graph, &mut worker),
        Err(exceeded) => Found::Exceeded(exceeded),
    };
    let bytes = shared.bytes() + graph.bytes();
    let ended = Ended { found, bytes, ..Ended::of(&shared) };
    outcome::outcome(&shared, ended, worker.tally)
}
