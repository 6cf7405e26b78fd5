//! Deadlocks that no state shows by itself: threads that wait for what no thread
//! will ever do, while other threads go on for ever.
//!
//! Such an execution ends up in states from which it can only go round: in a
//! strongly connected set of states that no step leaves. The machine decides for
//! one state of each such set ([`machine::Machine::abandoned`]) whether threads
//! wait in it that never move again. Spurious wakeups do not count as steps.
//!
//! After a search, `is_possible` looks for such sets among the states in which a
//! thread waits that way. If there is one, `check` builds the whole graph, to
//! find a way to it.

use engine::{Cut, Exceeded, Outcome, Task};
use machine::TooMuch;
use rustc_hash::FxHashMap;

use crate::Options;
use crate::found::Found;
use crate::livelock::Graph;
use crate::outcome::{self, Ended};
use crate::scc::components;
use crate::store::StateId;
use crate::worker::{Next, Shared, Worker};

/// Whether there may be such a deadlock among the states of a search that has
/// visited all.
pub fn is_possible(shared: &Shared<'_>) -> Result<bool, Exceeded> {
    let mut worker = Worker::new(shared);
    let mut steps: FxHashMap<StateId, Vec<StateId>> = FxHashMap::default();
    for state in 0..shared.store.len() {
        if worker.must_stop() {
            return Err(shared.stopped().expect("it stops for a reason"));
        }
        if let Some(next) = caused_steps(&mut worker, state) {
            steps.insert(state, next);
        }
    }
    let mut waiting: Vec<StateId> = steps.keys().copied().collect();
    waiting.sort_unstable();
    let asks = |state: &StateId| {
        let loaded = shared.store.load(*state);
        shared.machine().abandoned(shared.store.state(&loaded)) != Ok(None)
    };
    Ok(closed(&waiting, |state| steps[&state].iter().copied()).iter().any(asks))
}

/// Where the steps of a state lead, spurious wakeups left out, if a thread waits
/// in it for what any thread may do. Otherwise nothing.
fn caused_steps(worker: &mut Worker<'_>, state: StateId) -> Option<Vec<StateId>> {
    let shared = worker.shared;
    let opened = worker.open(state);
    let loaded = shared.store.state(&opened.loaded);
    shared.machine().waiting_for_anyone(loaded).next()?;
    let mut steps = Vec::new();
    for thread in shared.machine().enabled(loaded) {
        for choice in 0..worker.choices(&opened, thread) {
            if let Next::State { tree, .. } = worker.step(&opened, thread, choice, true) {
                steps.push(shared.store.find(tree).expect("every state was visited"));
            }
        }
    }
    Some(steps)
}

/// Looks for such a deadlock in the whole graph.
pub fn check(task: &Task<'_>, options: &Options) -> Outcome {
    let shared = Shared::new(task, &Options { hash_compaction: false, symmetry: false, ..*options });
    let mut worker = Worker::new(&shared);
    let mut graph = Graph::new();
    let found = match graph.build(&mut worker) {
        Err(exceeded) => Found::Exceeded(exceeded),
        Ok(()) => look(&graph, &mut worker),
    };
    let ended = Ended { found, bytes: graph.bytes(), complete: None, layers: Vec::new(), depth: None };
    outcome::outcome(&shared, ended, worker.tally)
}

fn look(graph: &Graph, worker: &mut Worker<'_>) -> Found {
    let shared = worker.shared;
    let all: Vec<StateId> = (0..graph.states()).collect();
    for state in closed(&all, |state| graph.caused(state)) {
        let loaded = shared.store.load(state);
        match shared.machine().abandoned(shared.store.state(&loaded)) {
            Ok(None) => {}
            Ok(Some(_)) => return Found::Violation(graph.way_to(worker, state)),
            Err(TooMuch) => worker.tally.cut(Cut::Waiting),
        }
    }
    Found::Nothing
}

/// The first state of each set of states, among these (ascending), that go
/// round and that no step leaves; ascending.
fn closed<I: Iterator<Item = StateId>>(states: &[StateId], next: impl Fn(StateId) -> I) -> Vec<StateId> {
    let mut found = Vec::new();
    for mut component in components(states, &next) {
        component.sort_unstable();
        let mut steps = component.iter().flat_map(|state| next(*state)).peekable();
        if steps.peek().is_some() && steps.all(|to| component.binary_search(&to).is_ok()) {
            found.push(component[0]);
        }
    }
    found.sort_unstable();
    found
}
