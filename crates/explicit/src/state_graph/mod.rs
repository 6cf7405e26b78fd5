//! The state graph: the states that can be reached and the steps between them.
//!
//! One graph serves all questions about executions that go on for ever, and
//! the drawing of the graph. Each question chooses its own labels of states and
//! steps ([`Labels`]) and asks the finished graph for strongly connected
//! components ([`Subgraph::components`]) and for those that no step leaves
//! ([`Subgraph::bottom_components`]).
//!
//! The graph is kept in memory, with eight bytes for each step whose label is
//! small, and built on one thread.

mod build;
mod choices;
mod components;
mod subgraph;

use machine::{Mover, ThreadId};

pub use build::{Labels, Target};
pub use choices::choice_between;
pub use components::components;
pub use subgraph::Subgraph;

use store::StateId;

/// States with labels of type `S`, and steps with labels of type `E`.
pub struct StateGraph<S, E> {
    /// Where the steps of each state begin, and where those of the last end.
    first: Vec<usize>,
    edges: Vec<Edge<E>>,
    labels: Vec<S>,
    /// The state that each state was first reached from.
    parents: Vec<StateId>,
}

/// A step.
#[derive(Clone, Copy)]
pub struct Edge<E> {
    /// The state that it leads to, or [`OVER`].
    to: StateId,
    /// What moves: the thread's number, and whether it is the thread's buffer.
    mover: u16,
    /// What is known about it.
    pub label: E,
}

/// The target of a step that ends the execution. The store has no such state.
const OVER: StateId = StateId::MAX;

/// The bit that tells a buffer from its thread.
const BUFFER: u16 = 1 << 15;

/// How a step keeps what moves in it.
fn number(mover: Mover) -> u16 {
    let thread = u16::try_from(mover.thread().0).ok().filter(|thread| thread & BUFFER == 0);
    let thread = thread.expect("a graph has few threads");
    if mover.is_thread() { thread } else { thread | BUFFER }
}

impl<E> Edge<E> {
    /// A step to a state, or one that ends the execution.
    pub fn new(to: Option<StateId>, mover: Mover, label: E) -> Edge<E> {
        Edge { to: to.unwrap_or(OVER), mover: number(mover), label }
    }

    /// The state that it leads to, unless it ends the execution.
    pub fn to(&self) -> Option<StateId> {
        (self.to != OVER).then_some(self.to)
    }

    /// What moves.
    pub fn mover(&self) -> Mover {
        let thread = ThreadId((self.mover & !BUFFER).into());
        if self.mover & BUFFER == 0 { Mover::Thread(thread) } else { Mover::Buffer(thread) }
    }

    /// The thread that moves, or whose buffer does.
    pub fn thread(&self) -> ThreadId {
        self.mover().thread()
    }
}

impl<S, E> StateGraph<S, E> {
    /// A graph without states.
    pub fn new() -> StateGraph<S, E> {
        StateGraph { first: vec![0], edges: Vec::new(), labels: Vec::new(), parents: vec![0] }
    }

    /// All states, ascending; the first is the initial one.
    pub fn states(&self) -> Vec<StateId> {
        (0..self.labels.len() as StateId).collect()
    }

    /// The label of a state.
    pub fn label(&self, state: StateId) -> &S {
        &self.labels[state as usize]
    }

    /// The steps from a state.
    pub fn edges(&self, state: StateId) -> &[Edge<E>] {
        &self.edges[self.first[state as usize]..self.first[state as usize + 1]]
    }

    /// The graph with only some of its steps.
    pub fn with_steps<F: Fn(&Edge<E>) -> bool>(&self, keep: F) -> Subgraph<'_, S, E, F> {
        Subgraph::new(self, keep)
    }

    /// The states on a shortest path from the initial state to this one. The
    /// graph must have been built from the initial state on.
    fn way(&self, state: StateId) -> Vec<StateId> {
        let mut way = vec![state];
        while let Some(last) = way.last().copied().filter(|last| *last != 0) {
            way.push(self.parents[last as usize]);
        }
        way.reverse();
        way
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> u64 {
        let states = self.labels.len() * (size_of::<S>() + size_of::<usize>() + size_of::<StateId>());
        (states + self.edges.len() * size_of::<Edge<E>>()) as u64
    }
}
