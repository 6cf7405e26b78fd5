//! Livelock: fair executions that go round for ever without progress.
//!
//! The whole state graph is built; steps that are progress or that nobody may
//! rely on ([`machine::Machine::is_spurious`]) are left out of cycles. A
//! livelock is then a strongly connected set of states in which every thread
//! that can move somewhere also does move somewhere (strong fairness). Where a
//! thread does not, the states in which it could are removed and what remains
//! is looked at again: a fair execution visits those states only finitely often
//! (the emptiness check of Streett automata, one pair for each thread).
//!
//! The graph is kept in memory, with eight bytes for each step, and built on
//! one thread.

use std::collections::VecDeque;

use engine::{Cut, Outcome, Task};
use ir::{FuncId, Pc};
use machine::{Event, Grain, Machine, Observer, State, ThreadId};

use crate::Options;
use crate::found::{Choice, Found};
use crate::outcome::{self, Ended};
use crate::scc::components;
use crate::store::StateId;
use crate::worker::{Next, Shared, Worker};

/// Threads that fairness can be asked for; a set of them is a mask.
const MOST_THREADS: u32 = 64;

/// Looks for a livelock.
pub fn check(task: &Task<'_>, options: &Options) -> Outcome {
    let shared = Shared::new(task, &Options { hash_compaction: false, symmetry: false, ..*options });
    let mut worker = Worker::new(&shared);
    let mut graph = Graph::new();
    let found = match graph.build(&mut worker) {
        Err(exceeded) => Found::Exceeded(exceeded),
        Ok(()) => match graph.fair_component() {
            None => Found::Nothing,
            Some(component) => graph.lasso(&mut worker, &component),
        },
    };
    let ended = Ended { found, bytes: graph.bytes(), complete: None, layers: Vec::new(), depth: None };
    outcome::outcome(&shared, ended, worker.tally)
}

/// A step of the graph.
#[derive(Clone, Copy)]
struct Edge {
    to: StateId,
    thread: u16,
    /// Whether it may be part of a cycle: it is neither progress nor spurious.
    counts: bool,
    /// Whether it is a spurious wakeup.
    spurious: bool,
}

/// The states with their steps.
pub struct Graph {
    /// Where the steps of each state begin, and where those of the last end.
    first: Vec<usize>,
    edges: Vec<Edge>,
    /// The threads that can move, by state.
    enabled: Vec<u64>,
    /// The state that each was first reached from.
    parents: Vec<StateId>,
}

impl Graph {
    /// Without states.
    pub fn new() -> Graph {
        Graph { first: vec![0], edges: Vec::new(), enabled: Vec::new(), parents: vec![0] }
    }

    /// Expands every state, in the order of their numbers, which is that of a
    /// breadth-first search.
    pub fn build(&mut self, worker: &mut Worker<'_>) -> Result<(), engine::Exceeded> {
        let shared = worker.shared;
        worker.initial();
        while self.enabled.len() < shared.store.len() as usize {
            if worker.must_stop() {
                return Err(shared.stopped().expect("it stops for a reason"));
            }
            shared.enqueue(shared.store.len() as usize - self.enabled.len());
            self.expand(worker);
        }
        Ok(())
    }

    fn expand(&mut self, worker: &mut Worker<'_>) {
        let shared = worker.shared;
        let machine = shared.machine();
        let from = self.enabled.len() as StateId;
        let opened = worker.open(from);
        let state = shared.store.state(&opened.loaded);
        if opened.loaded.threads() as u32 > MOST_THREADS {
            let at = machine.position(state, ThreadId(0));
            let what = format!("fairness to more than {MOST_THREADS} threads");
            worker.tally.cut(Cut::Unsupported { what, at });
            self.enabled.push(0);
            self.first.push(self.edges.len());
            return;
        }
        self.enabled.push(machine.enabled(state).fold(0, |set, thread| set | bit(thread)));
        for thread in opened.runnable() {
            for choice in 0..worker.choices(&opened, thread) {
                let next = worker.step(&opened, thread, choice, false);
                let Next::State { tree, .. } = next else { continue };
                let (to, new) = worker.insert(tree);
                if new {
                    self.parents.push(from);
                }
                let counts = !machine.is_spurious(state, thread, choice)
                    && !progresses(machine, state, thread, choice, shared.grain);
                let spurious = !counts && machine.wakes_spuriously(state, thread);
                self.edges.push(Edge { to, thread: thread.0 as u16, counts, spurious });
            }
        }
        self.first.push(self.edges.len());
    }

    fn edges(&self, state: StateId) -> &[Edge] {
        &self.edges[self.first[state as usize]..self.first[state as usize + 1]]
    }

    /// How many states there are.
    pub fn states(&self) -> StateId {
        self.enabled.len() as StateId
    }

    /// Where the steps of a state lead, spurious wakeups left out.
    pub fn caused(&self, state: StateId) -> impl Iterator<Item = StateId> + '_ {
        self.edges(state).iter().filter(|edge| !edge.spurious).map(|edge| edge.to)
    }

    /// The states on the way to one, from the initial one on.
    fn way(&self, state: StateId) -> Vec<StateId> {
        let mut way = vec![state];
        while let Some(last) = way.last().copied().filter(|last| *last != 0) {
            way.push(self.parents[last as usize]);
        }
        way.reverse();
        way
    }

    /// The steps that lead to a state.
    pub fn way_to(&self, worker: &mut Worker<'_>, state: StateId) -> Vec<Choice> {
        self.way(state).windows(2).map(|pair| choose(worker, pair[0], None, pair[1])).collect()
    }

    /// The steps that may be part of a cycle.
    fn steps(&self, state: StateId) -> impl Iterator<Item = &Edge> {
        self.edges(state).iter().filter(|edge| edge.counts)
    }

    /// The states in which a fair execution can stay for ever: of all such
    /// sets the one that is reached first.
    fn fair_component(&self) -> Option<Vec<StateId>> {
        let all: Vec<StateId> = (0..self.enabled.len() as StateId).collect();
        let mut due = self.cycles(all);
        let mut fair: Option<Vec<StateId>> = None;
        while let Some(mut component) = due.pop() {
            let enabled = component.iter().fold(0, |set, state| set | self.enabled[*state as usize]);
            let starved = enabled & !self.moving(&component);
            if starved != 0 {
                component.retain(|state| self.enabled[*state as usize] & starved == 0);
                due.extend(self.cycles(component));
            } else if fair.as_ref().is_none_or(|known| component[0] < known[0]) {
                fair = Some(component);
            }
        }
        fair
    }

    /// The strongly connected sets among some states (ascending) that have a
    /// cycle, each ascending.
    fn cycles(&self, states: Vec<StateId>) -> Vec<Vec<StateId>> {
        let mut found = components(&states, |state| self.steps(state).map(|edge| edge.to));
        found.retain_mut(|component| {
            component.sort_unstable();
            component.len() > 1 || self.steps(component[0]).any(|edge| edge.to == component[0])
        });
        found
    }

    /// The threads that have a step within a component.
    fn moving(&self, component: &[StateId]) -> u64 {
        let inside = |edge: &&Edge| component.binary_search(&edge.to).is_ok();
        let edges = component.iter().flat_map(|state| self.steps(*state).filter(inside));
        edges.fold(0, |set, edge| set | 1 << edge.thread)
    }

    /// A way to the component and a cycle within it in which every thread
    /// moves that can.
    fn lasso(&self, worker: &mut Worker<'_>, component: &[StateId]) -> Found {
        let start = component[0];
        let way = self.way(start);
        let before = way.len() - 1;
        let mut steps: Vec<(StateId, Option<u16>, StateId)> =
            way.windows(2).map(|pair| (pair[0], None, pair[1])).collect();
        let mut moving = self.moving(component);
        let mut at = start;
        // From thread to thread, each by the shortest way.
        while moving != 0 {
            let found = self.path(component, at, |edge| moving >> edge.thread & 1 == 1);
            for step in found {
                moving &= !(1 << step.1);
                at = step.2;
                steps.push((step.0, Some(step.1), step.2));
            }
        }
        if at != start {
            let home = self.path(component, at, |edge| edge.to == start);
            steps.extend(home.into_iter().map(|(from, thread, to)| (from, Some(thread), to)));
        }
        let steps = steps.into_iter().map(|(from, thread, to)| choose(worker, from, thread, to)).collect();
        Found::Cycle { steps, start: before }
    }

    /// The shortest way within a component whose last step is wanted.
    fn path(
        &self,
        component: &[StateId],
        from: StateId,
        wanted: impl Fn(&Edge) -> bool,
    ) -> Vec<(StateId, u16, StateId)> {
        let position = |state: StateId| component.binary_search(&state).ok();
        let mut reached: Vec<Option<(StateId, u16)>> = vec![None; component.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for edge in self.steps(state) {
                let Some(index) = position(edge.to) else { continue };
                if wanted(edge) {
                    let mut way = vec![(state, edge.thread, edge.to)];
                    while way[way.len() - 1].0 != from {
                        let to = way[way.len() - 1].0;
                        let (before, thread) =
                            reached[position(to).expect("inside")].expect("it was reached");
                        way.push((before, thread, to));
                    }
                    way.reverse();
                    return way;
                }
                if reached[index].is_none() && edge.to != from {
                    reached[index] = Some((state, edge.thread));
                    queue.push_back(edge.to);
                }
            }
        }
        unreachable!("a component is connected")
    }

    /// The memory it takes.
    pub fn bytes(&self) -> u64 {
        let states = self.enabled.len() * (size_of::<u64>() + size_of::<usize>() + size_of::<StateId>());
        (states + self.edges.len() * size_of::<Edge>()) as u64
    }
}

fn bit(thread: ThreadId) -> u64 {
    1 << thread.0
}

/// The step from one state to another; within the cycle one of this thread
/// that counts.
fn choose(worker: &mut Worker<'_>, from: StateId, thread: Option<u16>, to: StateId) -> Choice {
    let shared = worker.shared;
    let machine = shared.machine();
    let opened = worker.open(from);
    let state = shared.store.state(&opened.loaded);
    for mover in opened.runnable() {
        if thread.is_some_and(|thread| u32::from(thread) != mover.0) {
            continue;
        }
        for choice in 0..worker.choices(&opened, mover) {
            let counts = thread.is_none()
                || (!machine.is_spurious(state, mover, choice)
                    && !progresses(machine, state, mover, choice, shared.grain));
            if counts
                && let Next::State { tree, .. } = worker.step(&opened, mover, choice, true)
                && shared.store.find(tree) == Some(to)
            {
                return Choice { thread: mover, choice };
            }
        }
    }
    unreachable!("the graph has this step")
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
