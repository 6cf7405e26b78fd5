//! The state graph with only some of its steps.

use super::components::components;
use super::{Edge, StateGraph};
use store::StateId;

/// All states of a graph, and those of its steps that a filter keeps.
pub struct Subgraph<'g, S, E, F> {
    graph: &'g StateGraph<S, E>,
    keep: F,
}

impl<'g, S, E, F: Fn(&Edge<E>) -> bool> Subgraph<'g, S, E, F> {
    pub(super) fn new(graph: &'g StateGraph<S, E>, keep: F) -> Self {
        Subgraph { graph, keep }
    }

    /// The steps from a state to others, each with the state that it leads to.
    fn steps(&self, state: StateId) -> impl Iterator<Item = (&'g Edge<E>, StateId)> {
        let kept = self.graph.edges(state).iter().filter(|edge| (self.keep)(edge));
        kept.filter_map(|edge| Some((edge, edge.to()?)))
    }

    fn successors(&self, state: StateId) -> impl Iterator<Item = StateId> {
        self.steps(state).map(|(_, to)| to)
    }

    /// The strongly connected components among some states (ascending), each
    /// ascending.
    pub fn components(&self, states: &[StateId]) -> Vec<Vec<StateId>> {
        let mut found = components(states, |state| self.successors(state));
        found.iter_mut().for_each(|component| component.sort_unstable());
        found
    }

    /// The components that have a cycle.
    pub fn cycles(&self, states: &[StateId]) -> Vec<Vec<StateId>> {
        let goes_round = |state: StateId| self.successors(state).any(|to| to == state);
        let mut found = self.components(states);
        found.retain(|component| component.len() > 1 || goes_round(component[0]));
        found
    }

    /// The first state of each component that has a cycle and that no step
    /// leaves; ascending.
    pub fn bottom_components(&self, states: &[StateId]) -> Vec<StateId> {
        let mut found = self.cycles(states);
        found.retain(|component| {
            let mut reached = component.iter().flat_map(|state| self.successors(*state));
            reached.all(|to| component.binary_search(&to).is_ok())
        });
        let mut first: Vec<StateId> = found.into_iter().map(|component| component[0]).collect();
        first.sort_unstable();
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bottom_components_are_not_left() {
        let steps = [(0, 1), (1, 0), (1, 2), (2, 2), (3, 3)];
        let mut graph: StateGraph<(), ()> = StateGraph::new();
        for state in 0..4 {
            let own = steps.iter().filter(|step| step.0 == state);
            graph.edges.extend(own.map(|(_, to)| Edge { to: *to, mover: 0, label: () }));
            graph.labels.push(());
            graph.first.push(graph.edges.len());
        }
        assert_eq!(graph.with_steps(|_| true).bottom_components(&graph.states()), [2, 3]);
    }
}
