//! Deadlocks that no state shows by itself: threads that wait for what no thread
//! will ever do, while other threads go on for ever.
//!
//! Such an execution ends up in states from which it can only go round: in a
//! bottom strongly connected component of the state graph. The machine decides
//! for one state of each such component ([`machine::Machine::abandoned`])
//! whether threads wait in it that never move again. Spurious wakeups do not
//! count as steps.
//!
//! After a search, `is_possible` looks for such components among the states in
//! which a thread waits that way. If there is one, `check` builds the whole
//! graph, to find a way to it.

use engine::{Cut, Exceeded, Outcome, Task};
use machine::{Machine, Mover, State, TooMuch};

use crate::Options;
use crate::found::Found;
use crate::state_graph::{Labels, StateGraph, Target};
use crate::whole_graph;
use crate::worker::{Next, Opened, Shared, Worker};
use store::{Loaded, StateId};

/// Whether there may be such a deadlock among the states of a search that has
/// visited all. If there are several processes, the first one looks at the states in which
/// a thread waits, of all of them; the others leave the answer to it.
pub fn is_possible(shared: &Shared<'_>) -> Result<bool, Exceeded> {
    let mut worker = Worker::new(shared);
    if let Some(spread) = shared.spread {
        let mut waiting = (0..shared.store.states()).filter(|state| is_waiting(shared, *state));
        let mut waiting = waiting.by_ref().map(|state| shared.store.tree_of(state));
        let mut gathered = Vec::new();
        spread.gather(shared, &mut waiting, |tree| gathered.push(tree))?;
        gathered.into_iter().for_each(|tree| _ = worker.insert(tree));
        if !spread.is_first() {
            return Ok(false);
        }
    }
    let mut graph = StateGraph::new();
    graph.build(&mut worker, &mut WhileWaiting)?;
    let mut waiting = graph.states();
    waiting.retain(|state| !graph.edges(*state).is_empty());
    let asks = |state| {
        let loaded = shared.store.load(state);
        shared.machine().abandoned(shared.store.state(&loaded)) != Ok(None)
    };
    Ok(graph.with_steps(|_| true).bottom_components(&waiting).into_iter().any(asks))
}

/// Whether a thread waits in a state for what any thread may do.
fn is_waiting(shared: &Shared<'_>, state: StateId) -> bool {
    let loaded = shared.store.load(state);
    shared.machine().waiting_for_anyone(shared.store.state(&loaded)).next().is_some()
}

/// Follows states in which a thread waits for what any thread may do, and no
/// spurious wakeups from them. The steps were taken before.
struct WhileWaiting;

impl Labels for WhileWaiting {
    type State = ();
    type Step = ();

    fn state(&mut self, worker: &mut Worker<'_>, loaded: &Loaded) -> ((), bool) {
        let state = worker.shared.store.state(loaded);
        ((), worker.shared.machine().waiting_for_anyone(state).next().is_some())
    }

    fn step(
        &mut self,
        worker: &mut Worker<'_>,
        from: &Opened,
        mover: Mover,
        choice: u64,
    ) -> Option<(Target, ())> {
        let state = worker.shared.store.state(&from.loaded);
        if wakes_spuriously(worker.shared.machine(), state, mover) {
            return None;
        }
        let Next::State { tree, .. } = worker.step(from, mover, choice, true) else { return None };
        Some((Target::State(tree), ()))
    }
}

/// Whether a step is a wakeup that no thread caused.
fn wakes_spuriously(machine: &Machine, state: &State, mover: Mover) -> bool {
    mover.is_thread() && machine.wakes_spuriously(state, mover.thread())
}

/// Looks for such a deadlock in the whole graph.
pub fn check(task: &Task<'_>, options: &Options) -> Outcome {
    whole_graph::check(task, options, Wakeups, look)
}

/// Labels each step with whether it is a spurious wakeup.
struct Wakeups;

impl Labels for Wakeups {
    type State = ();
    type Step = bool;

    fn state(&mut self, _: &mut Worker<'_>, _: &Loaded) -> ((), bool) {
        ((), true)
    }

    fn step(
        &mut self,
        worker: &mut Worker<'_>,
        from: &Opened,
        mover: Mover,
        choice: u64,
    ) -> Option<(Target, bool)> {
        let Next::State { tree, .. } = worker.step(from, mover, choice, false) else { return None };
        let state = worker.shared.store.state(&from.loaded);
        Some((Target::State(tree), wakes_spuriously(worker.shared.machine(), state, mover)))
    }
}

fn look(graph: &StateGraph<(), bool>, worker: &mut Worker<'_>) -> Found {
    let shared = worker.shared;
    let caused = graph.with_steps(|edge| !edge.label);
    for state in caused.bottom_components(&graph.states()) {
        let loaded = shared.store.load(state);
        match shared.machine().abandoned(shared.store.state(&loaded)) {
            Ok(None) => {}
            Ok(Some(_)) => return Found::Violation(graph.steps_to(worker, state)),
            Err(TooMuch) => worker.tally.cut(Cut::Waiting),
        }
    }
    Found::Nothing
}
