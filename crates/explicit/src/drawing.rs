//! The state graph of a small program, for people to look at.
//!
//! Nothing ends the exploration but a limit, so that what lies beside a fault is
//! shown too. Layers are found afterwards, on the finished graph, by a search of
//! its own: they do not depend on the search by context switches, which is
//! tested against them.

use std::collections::VecDeque;

use engine::{Cut, Exceeded, Task};
use machine::{End, Fault, Machine, Mover, State, ThreadId};
use rustc_hash::FxHashSet;

use crate::csdr::arrival;
use crate::state_graph::{Edge, Labels, StateGraph, Target};
use crate::worker::{Opened, Shared, Worker};
use crate::{Options, Remember};
use store::{Loaded, StateId};

/// All states that can be reached, and the steps between them.
pub struct Graph {
    graph: StateGraph<DrawnState, DrawnStep>,
    /// The fewest context switches that lead to each state.
    layers: Vec<u32>,
    cuts: Vec<Cut>,
}

/// What a drawing shows of a state.
pub struct DrawnState {
    /// The state.
    pub state: State,
    /// The deadlock that it is, if it is one.
    pub deadlock: Option<Fault>,
}

/// What a drawing shows of a step.
pub struct DrawnStep {
    /// The data choice that the step takes.
    pub choice: u64,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
    /// How it ends the execution, if it does.
    pub end: Option<End>,
}

/// Explores everything, if there are no more states than the limit.
pub fn graph(task: &Task<'_>, options: &Options, limit: u64) -> Result<Graph, Exceeded> {
    let budget = task.budget.clone().with_state_limit(Some(limit));
    let task = Task { budget: &budget, ..*task };
    let remember = Remember::Nothing;
    let options = Options { hash_compaction: false, symmetry: false, remember, ..*options };
    let shared = Shared::new(&task, task.machine, &options);
    let mut worker = Worker::new(&shared);
    let mut graph = StateGraph::new();
    graph.build(&mut worker, &mut Drawn)?;
    let layers = layers(task.machine, &graph, options.starts_switch);
    Ok(Graph { graph, layers, cuts: worker.tally.ledger.into_cuts() })
}

struct Drawn;

impl Labels for Drawn {
    type State = DrawnState;
    type Step = DrawnStep;

    fn state(&mut self, worker: &mut Worker<'_>, loaded: &Loaded) -> (DrawnState, bool) {
        let machine = worker.shared.machine();
        let state = worker.shared.store.state(loaded);
        let deadlock = machine.deadlock(state).filter(|fault| machine.asks(&fault.kind));
        (DrawnState { state: state.clone(), deadlock }, true)
    }

    fn step(
        &mut self,
        worker: &mut Worker<'_>,
        from: &Opened,
        mover: Mover,
        choice: u64,
    ) -> Option<(Target, DrawnStep)> {
        let (faults, next) = worker.step_past_faults(from, mover, choice);
        let (target, end) = match next {
            Ok(tree) => (Target::State(tree), None),
            Err(end) => (Target::Over, Some(end)),
        };
        Some((target, DrawnStep { choice, faults, end }))
    }
}

/// The fewest context switches that lead to each state: the shortest ways over
/// states with the thread that led there. A step costs no switch, one, or two.
fn layers(machine: &Machine, graph: &StateGraph<DrawnState, DrawnStep>, starts_switch: bool) -> Vec<u32> {
    let mut layers = vec![u32::MAX; graph.states().len()];
    let mut ahead: VecDeque<Vec<(StateId, ThreadId)>> = VecDeque::from([vec![(0, ThreadId(0))]]);
    let mut seen: FxHashSet<(StateId, ThreadId)> = FxHashSet::default();
    for layer in 0.. {
        let Some(mut due) = ahead.pop_front() else { break };
        ahead.resize(2, Vec::new());
        while let Some((from, running)) = due.pop() {
            if !seen.insert((from, running)) {
                continue;
            }
            let known = &mut layers[from as usize];
            *known = layer.min(*known);
            for edge in graph.edges(from) {
                let Some(to) = edge.to() else { continue };
                let started = machine.started(&graph.label(from).state, &graph.label(to).state);
                let (incoming, cost) = match edge.mover() {
                    Mover::Thread(thread) => arrival(starts_switch, thread, thread == running, started),
                    Mover::Buffer(_) => (running, 0),
                };
                match cost {
                    0 => due.push((to, incoming)),
                    _ => ahead[cost - 1].push((to, incoming)),
                }
            }
        }
        if ahead.iter().all(Vec::is_empty) {
            break;
        }
    }
    layers
}

impl Graph {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.layers.len()
    }

    /// Whether there are no states; there is always the initial one.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// The states in the order of their numbers; the first is the initial one.
    pub fn states(&self) -> impl Iterator<Item = &DrawnState> {
        self.graph.states().into_iter().map(|state| self.graph.label(state))
    }

    /// The steps, each with the state that it leads from.
    pub fn steps(&self) -> impl Iterator<Item = (&DrawnState, StateId, &Edge<DrawnStep>)> {
        let from = |state| self.graph.edges(state).iter().map(move |edge| (state, edge));
        let steps = self.graph.states().into_iter().flat_map(from);
        steps.map(|(state, edge)| (self.graph.label(state), state, edge))
    }

    /// The fewest context switches that lead to a state.
    pub fn layer(&self, state: usize) -> u32 {
        self.layers[state]
    }

    /// Where executions were not followed.
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// How many states there are in each layer.
    pub fn layers(&self) -> Vec<u64> {
        let mut counts = Vec::new();
        for layer in &self.layers {
            let layer = *layer as usize;
            counts.resize(counts.len().max(layer + 1), 0);
            counts[layer] += 1;
        }
        counts
    }
}
