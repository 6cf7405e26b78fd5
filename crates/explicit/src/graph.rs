//! The state graph of a small program, for people to look at.
//!
//! States are expanded in the order of their numbers and nothing ends the
//! exploration but a limit, so that what lies beside a fault is shown too.
//! Layers are found afterwards, on the finished graph, by a search of its own:
//! they do not depend on the search by context switches, which is tested
//! against them.

use std::collections::VecDeque;

use engine::{Cut, Exceeded, Task};
use machine::{End, Fault, Grain, Machine, State, ThreadId};
use rustc_hash::FxHashSet;

use crate::Options;
use crate::csdr::arrival;
use crate::store::{Sight, StateId, Store};

/// All states that can be reached, and the steps between them.
pub struct Graph {
    /// The states; the first is the initial one.
    pub nodes: Vec<Node>,
    /// The steps.
    pub edges: Vec<Edge>,
    /// Where executions were not followed.
    pub cuts: Vec<Cut>,
}

/// A state.
pub struct Node {
    /// The state.
    pub state: State,
    /// The fewest context switches that lead to it.
    pub layer: u32,
    /// The deadlock that it is, if it is one.
    pub deadlock: Option<Fault>,
}

/// A step.
pub struct Edge {
    /// The state that it leads from.
    pub from: StateId,
    /// Who moves.
    pub thread: ThreadId,
    /// The data choice it takes.
    pub choice: u64,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
    /// Where it leads.
    pub to: Target,
}

/// Where a step leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// To a state.
    State(StateId),
    /// To the end of the execution.
    End(End),
}

/// Explores everything, if there are no more states than the limit.
pub fn graph(task: &Task<'_>, options: &Options, limit: u64) -> Result<Graph, Exceeded> {
    let machine = task.machine;
    let store = Store::new(machine);
    let mut initial = machine.initial();
    machine.normalise(&mut initial);
    let mut sight = Sight::new();
    let tree = store.tree(&mut sight, &initial, None);
    store.insert(&mut sight, tree);
    let mut graph = Graph { nodes: Vec::new(), edges: Vec::new(), cuts: Vec::new() };
    let watch = task.budget.watch();
    while graph.nodes.len() < store.len() as usize {
        if let Some(exceeded) = watch.exceeded() {
            return Err(exceeded);
        }
        if u64::from(store.len()) > limit {
            return Err(Exceeded::States { limit });
        }
        graph.expand(machine, &store, &mut sight, options.reduction);
    }
    graph.find_layers(machine, options.starts_switch);
    Ok(graph)
}

impl Graph {
    /// Adds the next state of the store, with the steps from it.
    fn expand(&mut self, machine: &Machine, store: &Store, sight: &mut Sight, grain: Grain) {
        let from = self.nodes.len() as StateId;
        let loaded = store.load(from);
        let state = store.state(&loaded);
        for thread in machine.runnable(state) {
            let choices = machine.choices(state, thread).unwrap_or_else(|needs| {
                self.cut(Cut::NeedsSymbolic(needs));
                0
            });
            for choice in 0..choices {
                let mut next = state.clone();
                let step = machine.step(&mut next, thread, choice, grain, &mut ());
                let to = match step.end {
                    None => {
                        machine.normalise(&mut next);
                        let tree = store.tree(sight, &next, Some(&loaded));
                        Target::State(store.insert(sight, tree).0)
                    }
                    Some(end) => Target::End(end),
                };
                self.edges.push(Edge { from, thread, choice, faults: step.faults.into_vec(), to });
            }
        }
        let deadlock = machine.deadlock(state).filter(|fault| machine.asks(&fault.kind));
        self.nodes.push(Node { state: state.clone(), layer: u32::MAX, deadlock });
    }

    fn cut(&mut self, cut: Cut) {
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
    }

    /// The shortest ways over states with the thread that led there; a step
    /// costs no switch, one, or two.
    fn find_layers(&mut self, machine: &Machine, starts_switch: bool) {
        let mut steps: Vec<Vec<(ThreadId, StateId)>> = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            if let Target::State(to) = edge.to {
                steps[edge.from as usize].push((edge.thread, to));
            }
        }
        let mut ahead: VecDeque<Vec<(StateId, ThreadId)>> = VecDeque::from([vec![(0, ThreadId(0))]]);
        let mut seen: FxHashSet<(StateId, ThreadId)> = FxHashSet::default();
        for layer in 0.. {
            let Some(mut due) = ahead.pop_front() else { break };
            ahead.resize(2, Vec::new());
            while let Some((from, running)) = due.pop() {
                if !seen.insert((from, running)) {
                    continue;
                }
                let known = &mut self.nodes[from as usize].layer;
                *known = layer.min(*known);
                for (thread, to) in &steps[from as usize] {
                    let (before, after) = (&self.nodes[from as usize].state, &self.nodes[*to as usize].state);
                    let started = machine.started(before, after);
                    let (incoming, cost) = arrival(starts_switch, *thread, *thread == running, started);
                    match cost {
                        0 => due.push((*to, incoming)),
                        _ => ahead[cost - 1].push((*to, incoming)),
                    }
                }
            }
            if ahead.iter().all(Vec::is_empty) {
                break;
            }
        }
    }

    /// How many states there are in each layer.
    pub fn layers(&self) -> Vec<u64> {
        let mut counts = Vec::new();
        for node in &self.nodes {
            let layer = node.layer as usize;
            counts.resize(counts.len().max(layer + 1), 0);
            counts[layer] += 1;
        }
        counts
    }
}
