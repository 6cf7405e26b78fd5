//! Livelock: fair executions that go round for ever without progress.
//!
//! Steps that are progress, or that a program may not rely on
//! ([`machine::Machine::is_spurious`]), are left out of cycles. A livelock is
//! then a cycle of the state graph on which every thread moves that can move
//! (strong fairness).

use engine::{Cut, Outcome, Task};
use ir::{FuncId, Pc};
use machine::{Event, Grain, Machine, Mover, Observer, State, ThreadId};

use crate::Options;
use crate::found::{Choice, Found};
use crate::state_graph::{Edge, Fairness, Labels, StateGraph, Target, choice_between};
use crate::whole_graph;
use crate::worker::{Next, Opened, Worker};
use store::Loaded;

/// The threads that fairness can be asked for.
const MOST_THREADS: u32 = 64;

/// Looks for a livelock.
pub fn check(task: &Task<'_>, options: &Options) -> Outcome {
    whole_graph::check(task, options, Turns, fair_lasso)
}

/// Labels that say whose turn it is: a state has the set of threads that can
/// move, a step says whether it may be part of a cycle because it is neither
/// progress nor spurious.
struct Turns;

impl Labels for Turns {
    type State = u64;
    type Step = bool;

    fn state(&mut self, worker: &mut Worker<'_>, loaded: &Loaded) -> (u64, bool) {
        match enabled(worker, loaded) {
            Ok(enabled) => (enabled, true),
            Err(what) => {
                cut(worker, loaded, what);
                (0, false)
            }
        }
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
        let counts = counts(worker.shared.machine(), state, mover.thread(), choice, worker.shared.grain);
        Some((Target::State(tree), counts))
    }
}

impl Fairness<u64, bool> for Turns {
    fn demanded(&self, enabled: &u64) -> u64 {
        *enabled
    }

    fn met(&self, edge: &Edge<bool>) -> u64 {
        bit(edge.thread())
    }
}

/// The set of threads that can move in a state, or what is in the way of asking for fairness
/// to them.
pub fn enabled(worker: &Worker<'_>, loaded: &Loaded) -> Result<u64, &'static str> {
    let machine = worker.shared.machine();
    if loaded.threads() as u32 > MOST_THREADS {
        return Err("fairness to more than 64 threads");
    }
    if machine.config().memory_model.has_buffers() {
        return Err("fairness to store buffers");
    }
    let state = worker.shared.store.state(loaded);
    Ok(machine.enabled(state).fold(0, |set, thread| set | bit(thread)))
}

/// Notes that a state is not followed, and why.
pub fn cut(worker: &mut Worker<'_>, loaded: &Loaded, what: &str) {
    let at = worker.shared.machine().position(worker.shared.store.state(loaded), ThreadId(0));
    worker.tally.cut(Cut::Unsupported { what: what.to_owned(), at });
}

fn bit(thread: ThreadId) -> u64 {
    1 << thread.0
}

/// A way to a fair cycle and the cycle, if there is one.
fn fair_lasso(graph: &StateGraph<u64, bool>, worker: &mut Worker<'_>) -> Found {
    let cycles = graph.with_steps(|edge| edge.label);
    let Some(component) = cycles.fair_component(&Turns) else { return Found::Nothing };
    let (machine, grain) = (worker.shared.machine(), worker.shared.grain);
    let mut steps = graph.steps_to(worker, component[0]);
    let start = steps.len();
    for (from, edge) in cycles.fair_cycle(&component, &Turns) {
        let to = edge.to().expect("a cycle leads to states");
        let is_it = |state: &State, step: Choice| {
            let thread = edge.thread();
            step.mover == thread.into() && counts(machine, state, thread, step.choice, grain)
        };
        steps.push(choice_between(worker, from, to, is_it));
    }
    Found::Cycle { steps, start }
}

/// Whether a step may be part of a cycle.
fn counts(machine: &Machine, state: &State, thread: ThreadId, choice: u64, grain: Grain) -> bool {
    !machine.is_spurious(state, thread, choice) && !progresses(machine, state, thread, choice, grain)
}

/// Whether a step is progress: it calls the function that says so.
fn progresses(machine: &Machine, state: &State, thread: ThreadId, choice: u64, grain: Grain) -> bool {
    let Some(function) = machine.progress_function() else { return false };
    let mut calls = Calls { function, called: false };
    machine.step(&mut state.clone(), thread, choice, grain, &mut calls);
    calls.called
}

struct Calls {
    function: FuncId,
    called: bool,
}

impl Observer for Calls {
    fn event(&mut self, _: ThreadId, _: FuncId, _: Pc, event: Event) {
        self.called |= matches!(event, Event::Call { function } if function == self.function);
    }
}
