//! The state graph, as far as it is built, with what formulas look at.

use machine::{Mover, ThreadId};
use rustc_hash::FxHashMap;
use store::StateId;

use super::frontier::{Frontier, Passage};
use super::visit::Visit;
use crate::SearchOrder;
use crate::state_graph::Edge;

/// What is known of a state.
#[derive(Clone, Copy)]
pub struct StateLabel {
    /// What can move, by [`machine::Mover::bit`].
    pub enabled: u64,
    /// The propositions that hold: the number of their set.
    pub letter: u16,
    /// Whether a thread keeps the others from moving.
    pub kept: bool,
}

/// What is known of a step.
#[derive(Clone, Copy)]
pub struct StepLabel {
    /// Whether a program may not rely on it to happen for ever ([`machine::Machine::is_spurious`]).
    pub spurious: bool,
    /// Whether it is progress, where livelocks are looked for.
    pub progress: bool,
    /// The thread that has the processor after it.
    pub after: u8,
    /// The propositions that hold once the process has ended, if it does.
    pub last: u16,
}

impl Edge<StepLabel> {
    /// The thread that has the processor after it, and how many context switches it takes, if
    /// this one has it before. A store buffer needs no processor.
    pub fn passage(&self, running: ThreadId) -> (ThreadId, usize) {
        let Mover::Thread(mover) = self.mover() else { return (running, 0) };
        let passage = Passage { mover, after: ThreadId(self.label.after.into()) };
        (passage.after, passage.switches(running))
    }
}

/// A state that was reached. Its number is that of the discovery, which does not depend on how
/// many threads build the graph, as its number in the store does.
struct Node {
    state: StateId,
    /// Nothing if it was not visited yet.
    label: Option<StateLabel>,
    /// Whether it was handed out to be visited.
    claimed: bool,
    first: usize,
    count: u32,
}

/// A state that waits to be visited, and the thread by which it was reached.
pub type Arrival = (u32, ThreadId);

/// The states that were reached, and the steps from those that were visited. Steps lead to
/// nodes.
pub struct Graph {
    nodes: Vec<Node>,
    /// The nodes of states, by their numbers in the store.
    places: Vec<u32>,
    edges: Vec<Edge<StepLabel>>,
    frontier: Frontier<Arrival>,
    /// The sets of propositions, numbered since there are few.
    pub letters: Vec<ltl::Letter>,
    numbers: FxHashMap<ltl::Letter, u16>,
    /// How many states were visited.
    pub visited: usize,
}

const UNKNOWN: u32 = u32::MAX;

impl Graph {
    /// With the initial state, which is not visited yet.
    pub fn new(order: SearchOrder, initial: StateId) -> Graph {
        let frontier = Frontier::new(order, (0, ThreadId(0)));
        let mut graph = Graph {
            nodes: Vec::new(),
            places: Vec::new(),
            edges: Vec::new(),
            frontier,
            letters: Vec::new(),
            numbers: FxHashMap::default(),
            visited: 0,
        };
        graph.place(initial);
        graph
    }

    /// How many states were reached.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The state of a node.
    pub fn state(&self, node: u32) -> StateId {
        self.nodes[node as usize].state
    }

    /// What is known of a node, if it was visited.
    pub fn label(&self, node: u32) -> Option<&StateLabel> {
        self.nodes[node as usize].label.as_ref()
    }

    /// The steps from a node that was visited.
    pub fn edges(&self, node: u32) -> &[Edge<StepLabel>] {
        let Node { first, count, .. } = self.nodes[node as usize];
        &self.edges[first..first + count as usize]
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> u64 {
        let (nodes, places) = (size_of_val(&*self.nodes), size_of_val(&*self.places));
        (nodes + places + size_of_val(&*self.edges)) as u64
    }

    /// The states to be visited next, none if all were. They can be visited in any order.
    pub fn batch(&mut self) -> Vec<Arrival> {
        loop {
            let mut batch: Vec<Arrival> = self.frontier.batch().into();
            let came = !batch.is_empty();
            batch.retain(|(node, _)| !std::mem::replace(&mut self.nodes[*node as usize].claimed, true));
            if !batch.is_empty() || !came {
                return batch;
            }
        }
    }

    /// Adds what was found out about a state. Nothing comes of it if there are too many sets of
    /// propositions.
    pub fn add(&mut self, (node, thread): Arrival, visit: Visit) -> Option<()> {
        let letter = self.letter(visit.letter)?;
        let (first, label) = (self.edges.len(), StateLabel { letter, ..visit.label });
        for step in visit.steps {
            let last = self.letter(step.last)?;
            let to = step.to.map(|state| self.place(state));
            let edge = Edge::new(to, step.mover, StepLabel { last, ..step.label });
            let (after, switches) = edge.passage(thread);
            self.edges.push(edge);
            if let Some(to) = to.filter(|to| !self.nodes[*to as usize].claimed) {
                self.frontier.push((to, after), switches);
            }
        }
        let count = (self.edges.len() - first) as u32;
        let node = &mut self.nodes[node as usize];
        (node.label, node.first, node.count) = (Some(label), first, count);
        self.visited += 1;
        Some(())
    }

    /// The node of a state, which is added if it is new.
    fn place(&mut self, state: StateId) -> u32 {
        if self.places.len() <= state as usize {
            self.places.resize(state as usize + 1, UNKNOWN);
        }
        let place = &mut self.places[state as usize];
        if *place == UNKNOWN {
            *place = self.nodes.len() as u32;
            self.nodes.push(Node { state, label: None, claimed: false, first: 0, count: 0 });
        }
        *place
    }

    fn letter(&mut self, letter: ltl::Letter) -> Option<u16> {
        if let Some(number) = self.numbers.get(&letter) {
            return Some(*number);
        }
        let number = u16::try_from(self.letters.len()).ok()?;
        self.letters.push(letter);
        self.numbers.insert(letter, number);
        Some(number)
    }
}
