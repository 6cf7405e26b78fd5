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
    labels: L,
    look: impl FnMut(&StateGraph<L::State, L::Step>, &mut Worker<'_>, &L) -> Found,
) -> Outcome {
    check_parts(task, options, labels, usize::MAX, look)
}

/// Builds the graph part by part: up to `first` states, then up to twice as many, and so on.
/// Each part is looked at; what is found there is in the whole graph, too.
pub fn check_parts<L: Labels>(
    task: &Task<'_>,
    options: &Options,
    mut labels: L,
    first: usize,
    mut look: impl FnMut(&StateGraph<L::State, L::Step>, &mut Worker<'_>, &L) -> Found,
) -> Outcome {
    let options = Options { hash_compaction: false, symmetry: false, ..*options };
    let shared = Shared::new(task, task.machine, &options);
    let mut worker = Worker::new(&shared);
    let mut graph = StateGraph::new();
    let mut most = first;
    let found = loop {
        let more = match graph.build_part(&mut worker, &mut labels, most) {
            Err(exceeded) => break Found::Exceeded(exceeded),
            Ok(more) => more,
        };
        match look(&graph, &mut worker, &labels) {
            Found::Nothing if more => most = most.saturating_mul(2),
            found => break found,
        }
    };
    let bytes = shared.bytes() + graph.bytes();
    let ended = Ended { found, bytes, ..Ended::of(&shared) };
    outcome::outcome(&shared, ended, worker.tally)
}
