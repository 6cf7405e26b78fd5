//! The product of a state graph with an automaton.

use ltl::Automaton;
use machine::ThreadId;

use super::frontier::Frontier;
use super::graph::{Graph, StateLabel, StepLabel};
use crate::SearchOrder;
use crate::livelock::PROGRESS;
use crate::state_graph::Edge;

/// The pairs of a place and a state of the automaton, in the order of a search by steps or by
/// context switches. A place is a node of the graph, or the end of the process with what holds
/// then. The automaton has not read the letter of the place yet.
pub struct Product<'g> {
    graph: &'g Graph,
    automaton: &'g Automaton,
    states: u32,
    /// The pairs, by their numbers.
    pairs: Vec<(u32, u32)>,
    /// The numbers of pairs, or the largest number.
    numbers: Vec<u32>,
    /// The pair from which each was reached.
    parents: Vec<u32>,
}

/// An execution: its steps, each with the node that it leads from, and where its cycle
/// begins, if it is one that goes on for ever. If the cycle has no steps, the execution
/// stands still.
pub struct Way<'g> {
    /// The steps.
    pub steps: Vec<(u32, &'g Edge<StepLabel>)>,
    /// Where the cycle begins.
    pub start: Option<usize>,
}

/// A pair that waits to be visited, the pair that it was reached from, and the thread that has
/// the processor.
struct Arrival {
    place: u32,
    state: u32,
    from: u32,
    thread: ThreadId,
}

/// A move in the product: the step of the graph, if one is taken, and where it leads.
pub type Move<'g> = (Option<&'g Edge<StepLabel>>, u32);

const UNKNOWN: u32 = u32::MAX;

impl<'g> Product<'g> {
    /// All pairs that can be reached; nothing if there are too many.
    pub fn new(graph: &'g Graph, automaton: &'g Automaton, order: SearchOrder) -> Option<Product<'g>> {
        let states = u32::try_from(graph.len()).ok()?;
        let places = states.checked_add(u32::try_from(graph.letters.len()).ok()?)?;
        let size = places.checked_mul(automaton.len() as u32).filter(|size| *size < UNKNOWN)?;
        let (pairs, parents) = (Vec::new(), Vec::new());
        let numbers = vec![UNKNOWN; size as usize];
        let mut product = Product { graph, automaton, states, pairs, numbers, parents };
        product.search(order);
        Some(product)
    }

    /// Numbers the pairs in the order in which they are visited.
    fn search(&mut self, order: SearchOrder) {
        let first = Arrival { place: 0, state: 0, from: 0, thread: ThreadId(0) };
        let mut frontier = Frontier::new(order, first);
        while let Some(Arrival { place, state, from, thread }) = frontier.pop() {
            let index = self.index(place, state);
            if self.numbers[index] != UNKNOWN {
                continue;
            }
            let pair = self.pairs.len() as u32;
            self.numbers[index] = pair;
            self.pairs.push((place, state));
            self.parents.push(from);
            for (edge, place) in self.places_after(place) {
                let (after, switches) = passage(edge, thread);
                for state in self.states_after(pair, state, edge) {
                    if self.numbers[self.index(place, state)] == UNKNOWN {
                        frontier.push(Arrival { place, state, from: pair, thread: after }, switches);
                    }
                }
            }
        }
    }

    fn index(&self, place: u32, state: u32) -> usize {
        place as usize * self.automaton.len() + state as usize
    }

    /// The label of a pair's place.
    pub fn label(&self, pair: u32) -> StateLabel {
        let place = self.pairs[pair as usize].0;
        match place.checked_sub(self.states) {
            Some(letter) => StateLabel { enabled: 0, letter: letter as u16, kept: false },
            None => *self.graph.label(place).expect("nodes of the product were visited"),
        }
    }

    /// Whether the automaton is in an accepting state.
    pub fn is_accepting(&self, pair: u32) -> bool {
        self.automaton.accepting[self.pairs[pair as usize].1 as usize]
    }

    /// How many pairs there are.
    pub fn len(&self) -> u32 {
        self.pairs.len() as u32
    }

    /// The places that can follow one, by which step. Where no thread can move, the place
    /// is repeated.
    fn places_after(&self, place: u32) -> Vec<Move<'g>> {
        if place >= self.states {
            return vec![(None, place)];
        }
        let over = |edge: &Edge<StepLabel>| self.states + u32::from(edge.label.last);
        // States that were not visited yet are left out.
        let is_known = |edge: &&'g Edge<StepLabel>| edge.to().is_none_or(|to| self.graph.label(to).is_some());
        let edges = self.graph.edges(place).iter().filter(is_known);
        let mut places: Vec<Move<'g>> =
            edges.map(|edge| (Some(edge), edge.to().unwrap_or_else(|| over(edge)))).collect();
        if self.graph.label(place).is_some_and(|label| label.enabled == 0) {
            places.push((None, place));
        }
        places
    }

    /// The states of the automaton after a pair that is left by this step.
    fn states_after<'a>(
        &'a self,
        pair: u32,
        state: u32,
        edge: Option<&Edge<StepLabel>>,
    ) -> impl Iterator<Item = u32> + use<'a, 'g> {
        let progress = edge.is_some_and(|edge| edge.label.progress);
        let letter = self.graph.letters[self.label(pair).letter as usize];
        self.automaton.successors(state, if progress { letter | PROGRESS } else { letter })
    }

    /// The moves from a pair.
    pub fn moves(&self, pair: u32) -> Vec<Move<'g>> {
        let (place, state) = self.pairs[pair as usize];
        let mut moves = Vec::new();
        for (edge, place) in self.places_after(place) {
            let states = self.states_after(pair, state, edge);
            moves.extend(states.map(|state| (edge, self.numbers[self.index(place, state)])));
        }
        moves
    }

    /// The steps that lead to a pair.
    pub fn steps_to(&self, pair: u32) -> Vec<(u32, &'g Edge<StepLabel>)> {
        let mut way = Vec::new();
        let mut to = pair;
        while to != 0 {
            let from = self.parents[to as usize];
            let edge = self.moves(from).into_iter().find(|(_, reached)| *reached == to);
            let (edge, _) = edge.expect("a parent leads to its child");
            way.extend(edge.map(|edge| (self.node(from), edge)));
            to = from;
        }
        way.reverse();
        way
    }

    /// The node of the graph in a pair from which a step is taken.
    pub fn node(&self, pair: u32) -> u32 {
        self.pairs[pair as usize].0
    }

    /// The first way to where the automaton accepts whatever follows. Every such
    /// beginning belongs to some fair execution, unless an assumption is false later; it
    /// counts then too, as a failed assertion does.
    pub fn bad_prefix(&self) -> Option<Way<'g>> {
        let accepting = (0..self.len()).find(|pair| self.is_accepting(*pair))?;
        // The letter of this place is not read: the last step need not be taken.
        let pair = self.parents[accepting as usize];
        Some(Way { steps: self.steps_to(pair), start: None })
    }
}

/// The thread that has the processor after a move, and how many context switches the move takes
/// if this one has it before.
pub fn passage(edge: Option<&Edge<StepLabel>>, running: ThreadId) -> (ThreadId, usize) {
    edge.map_or((running, 0), |edge| edge.passage(running))
}

/// The mover that a step meets the demands of.
pub fn met(edge: Option<&Edge<StepLabel>>) -> u64 {
    edge.map_or(0, |edge| edge.mover().bit())
}
