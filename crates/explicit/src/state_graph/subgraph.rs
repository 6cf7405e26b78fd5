//! The state graph with only some of its steps.

use std::collections::VecDeque;

use super::components::components;
use super::{Edge, Path, StateGraph};
use store::StateId;

/// All states of a graph, and those of its steps that a filter keeps.
pub struct Subgraph<'g, S, E, F> {
    pub(super) graph: &'g StateGraph<S, E>,
    keep: F,
}

impl<'g, S, E, F: Fn(&Edge<E>) -> bool> Subgraph<'g, S, E, F> {
    pub(super) fn new(graph: &'g StateGraph<S, E>, keep: F) -> Self {
        Subgraph { graph, keep }
    }

    /// The steps from a state to others, each with the state that it leads to.
    pub(super) fn steps(&self, state: StateId) -> impl Iterator<Item = (&'g Edge<E>, StateId)> {
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

    /// The shortest path within a component whose last step is wanted.
    pub(super) fn path(
        &self,
        component: &[StateId],
        from: StateId,
        wanted: impl Fn(&Edge<E>) -> bool,
    ) -> Path<'g, E> {
        let position = |state: StateId| component.binary_search(&state).ok();
        let mut reached: Vec<Option<(StateId, &Edge<E>)>> = vec![None; component.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for (edge, to) in self.steps(state) {
                let Some(index) = position(to) else { continue };
                if wanted(edge) {
                    let before = |step: &(StateId, _)| reached[position(step.0).expect("inside")];
                    let mut path: Path<'_, E> = std::iter::successors(Some((state, edge)), before).collect();
                    path.reverse();
                    return path;
                }
                if reached[index].is_none() && to != from {
                    reached[index] = Some((state, edge));
                    queue.push_back(to);
                }
            }
        }
        unreachable!("a component is connected")
    }
}
