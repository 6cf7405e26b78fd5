//! Fair cycles: the emptiness check of Streett automata.
//!
//! Fairness is a set of demands. A state makes demands and a step meets demands;
//! an execution is fair if it meets each demand infinitely often that it makes
//! infinitely often. A strongly connected component has a fair cycle if its
//! steps meet every demand that its states make. Otherwise a fair execution
//! visits the states with an unmet demand only finitely often, so they are
//! removed and what remains is looked at again.

use super::{Edge, Path, Subgraph};
use store::StateId;

/// What makes an execution fair: up to 64 demands, a set of them is a mask.
pub trait Fairness<S, E> {
    /// The demands that a state makes.
    fn demanded(&self, state: &S) -> u64;

    /// The demands that a step meets.
    fn met(&self, edge: &Edge<E>) -> u64;
}

impl<'g, S, E, F: Fn(&Edge<E>) -> bool> Subgraph<'g, S, E, F> {
    /// The states in which a fair execution can stay for ever, ascending: of all
    /// such components the one that is reached first.
    pub fn fair_component(&self, fairness: &impl Fairness<S, E>) -> Option<Vec<StateId>> {
        let demanded = |state: StateId| fairness.demanded(self.graph.label(state));
        let mut due = self.cycles(&self.graph.states());
        let mut fair: Option<Vec<StateId>> = None;
        while let Some(mut component) = due.pop() {
            let demands = component.iter().fold(0, |set, state| set | demanded(*state));
            let unmet = demands & !self.met(&component, fairness);
            if unmet != 0 {
                component.retain(|state| demanded(*state) & unmet == 0);
                due.extend(self.cycles(&component));
            } else if fair.as_ref().is_none_or(|known| component[0] < known[0]) {
                fair = Some(component);
            }
        }
        fair
    }

    /// The demands that steps within a component meet.
    fn met(&self, component: &[StateId], fairness: &impl Fairness<S, E>) -> u64 {
        let steps = component.iter().flat_map(|state| self.steps(*state));
        let inside = steps.filter(|(_, to)| component.binary_search(to).is_ok());
        inside.fold(0, |set, (edge, _)| set | fairness.met(edge))
    }

    /// A cycle through the first state of a fair component that meets every
    /// demand which the component's steps meet.
    pub fn fair_cycle(&self, component: &[StateId], fairness: &impl Fairness<S, E>) -> Path<'g, E> {
        let (start, mut at) = (component[0], component[0]);
        let mut due = self.met(component, fairness);
        let mut cycle = Path::new();
        // From demand to demand, each by the shortest path.
        while due != 0 {
            for (from, edge) in self.path(component, at, |edge| fairness.met(edge) & due != 0) {
                due &= !fairness.met(edge);
                at = edge.to;
                cycle.push((from, edge));
            }
        }
        if at != start {
            cycle.extend(self.path(component, at, |edge| edge.to == start));
        }
        cycle
    }
}

#[cfg(test)]
mod tests {
    use super::super::StateGraph;
    use super::*;

    /// Labels are the demands: of the state, and those that the step meets.
    struct Masks;

    impl Fairness<u64, u64> for Masks {
        fn demanded(&self, state: &u64) -> u64 {
            *state
        }

        fn met(&self, edge: &Edge<u64>) -> u64 {
            edge.label
        }
    }

    /// A graph from the demands of its states and from its steps (from, to,
    /// demands met), which are sorted by the state that they lead from.
    fn graph(demands: &[u64], steps: &[(StateId, StateId, u64)]) -> StateGraph<u64, u64> {
        let mut graph = StateGraph::new();
        for (state, demanded) in (0..).zip(demands) {
            let own = steps.iter().filter(|step| step.0 == state);
            graph.edges.extend(own.map(|(_, to, met)| Edge { to: *to, mover: 0, label: *met }));
            graph.labels.push(*demanded);
            graph.first.push(graph.edges.len());
        }
        graph
    }

    #[test]
    fn an_unmet_demand_removes_its_states() {
        let steps = [(0, 1, 0), (1, 2, 0), (2, 1, 0), (2, 3, 0), (3, 2, 0), (3, 3, 0)];
        let unfair = graph(&[0, 1, 1, 0], &steps);
        assert_eq!(unfair.with_steps(|_| true).fair_component(&Masks), Some(vec![3]));
        let met = graph(&[0, 1, 1, 0], &[(0, 1, 0), (1, 2, 1), (2, 1, 0)]);
        assert_eq!(met.with_steps(|_| true).fair_component(&Masks), Some(vec![1, 2]));
        assert_eq!(met.with_steps(|edge| edge.label == 0).fair_component(&Masks), None);
    }

    #[test]
    fn a_fair_cycle_meets_every_demand_and_closes() {
        let steps = [(0, 1, 1), (1, 0, 0), (1, 2, 0), (2, 3, 2), (3, 1, 0)];
        let graph = graph(&[3, 0, 0, 0], &steps);
        let subgraph = graph.with_steps(|_| true);
        let component = subgraph.fair_component(&Masks).unwrap();
        let cycle = subgraph.fair_cycle(&component, &Masks);
        let states: Vec<StateId> = cycle.iter().map(|(from, _)| *from).collect();
        assert_eq!(states, [0, 1, 2, 3, 1]);
        assert_eq!(cycle.last().unwrap().1.to(), Some(0));
    }

    #[test]
    fn bottom_components_are_not_left() {
        let steps = [(0, 1, 0), (1, 0, 0), (1, 2, 0), (2, 2, 0), (3, 3, 0)];
        let graph = graph(&[0; 4], &steps);
        assert_eq!(graph.with_steps(|_| true).bottom_components(&graph.states()), [2, 3]);
    }
}
