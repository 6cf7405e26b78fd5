//! Building the state graph.

use engine::Exceeded;
use machine::Mover;

use super::{Edge, StateGraph};
use crate::worker::{Opened, Worker};
use store::{Loaded, StateId, Tree};

/// What is to be known about the states and steps of a graph.
pub trait Labels {
    /// The label of a state.
    type State;
    /// The label of a step.
    type Step;

    /// The label of a state, and whether the steps from it belong to the graph.
    fn state(&mut self, worker: &mut Worker<'_>, loaded: &Loaded) -> (Self::State, bool);

    /// Takes a step. Yields where it leads and its label, or nothing if the step
    /// does not belong to the graph.
    fn step(
        &mut self,
        worker: &mut Worker<'_>,
        from: &Opened,
        mover: Mover,
        choice: u64,
    ) -> Option<(Target, Self::Step)>;
}

/// Where a step leads.
pub enum Target {
    /// To a state.
    State(Tree),
    /// To the end of the execution.
    Over,
}

impl<S, E> StateGraph<S, E> {
    /// Expands every state in the order of their numbers. If the store was empty
    /// before, that is the order of a breadth-first search. If it was not, the
    /// graph has the states of the search that filled it.
    pub fn build<L>(&mut self, worker: &mut Worker<'_>, labels: &mut L) -> Result<(), Exceeded>
    where
        L: Labels<State = S, Step = E>,
    {
        let shared = worker.shared;
        worker.initial();
        while self.labels.len() < shared.store.states() as usize {
            if worker.must_stop() {
                return Err(shared.stopped().expect("it stops for a reason"));
            }
            shared.enqueue(shared.store.states() as usize - self.labels.len());
            self.expand(worker, labels);
        }
        Ok(())
    }

    fn expand<L: Labels<State = S, Step = E>>(&mut self, worker: &mut Worker<'_>, labels: &mut L) {
        let from = self.labels.len() as StateId;
        let loaded = worker.shared.store.load(from);
        let (label, follow) = labels.state(worker, &loaded);
        self.labels.push(label);
        if follow {
            let opened = worker.open_loaded(loaded);
            self.follow(worker, labels, from, &opened);
        }
        self.first.push(self.edges.len());
    }

    /// Adds the steps from a state, and the states that they lead to.
    fn follow<L: Labels<State = S, Step = E>>(
        &mut self,
        worker: &mut Worker<'_>,
        labels: &mut L,
        from: StateId,
        opened: &Opened,
    ) {
        for mover in opened.movers() {
            for choice in 0..worker.choices(opened, mover) {
                let Some((target, label)) = labels.step(worker, opened, mover, choice) else { continue };
                let to = match target {
                    Target::Over => None,
                    Target::State(tree) => {
                        let (to, new) = worker.insert(tree);
                        self.parents.extend(new.then_some(from));
                        Some(to)
                    }
                };
                self.edges.push(Edge::new(to, mover, label));
            }
        }
    }
}
