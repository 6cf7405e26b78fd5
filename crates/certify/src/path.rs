//! Steps one after the other: the conditions under which they are taken, and the values
//! that data have afterwards, both over the data at the beginning.

use logic::{Term, Terms};
use machine::ThreadId;
use rustc_hash::FxHashMap;

use crate::ending::Piece;
use crate::fairness::Turns;
use crate::graph::{VertexId, Way};

/// A sequence of steps.
#[derive(Clone, Default)]
pub struct Path {
    /// The conditions under which it is taken.
    pub conditions: Vec<Term>,
    /// The data that have changed, each with its value.
    values: FxHashMap<Term, Term>,
    /// The steps: from which vertex each one is, and who moves.
    pub steps: Vec<(VertexId, ThreadId)>,
}

impl Path {
    /// The path with one more step. Inputs that the step reads are new ones.
    pub fn then(&self, terms: &mut Terms, step: (VertexId, ThreadId), way: &Way) -> Path {
        let mut images = self.values.clone();
        for input in &way.inputs {
            let fresh = terms.variable_like(*input, "input");
            images.insert(*input, fresh);
        }
        let mut next = self.clone();
        next.steps.push(step);
        for guard in &way.guard {
            let condition = terms.substitute(*guard, &mut images);
            next.conditions.extend((!terms.is_true(condition)).then_some(condition));
        }
        for (variable, value) in &way.assignments {
            next.values.insert(*variable, terms.substitute(*value, &mut images));
        }
        next
    }

    /// The path where a condition holds at its end.
    pub fn under(mut self, terms: &mut Terms, condition: Term) -> Path {
        let condition = self.before(terms, condition);
        self.conditions.push(condition);
        self
    }

    /// A condition on data after the path, as one on data before it.
    pub fn before(&self, terms: &mut Terms, condition: Term) -> Term {
        terms.substitute(condition, &mut self.values.clone())
    }

    /// The path between two nodes, where a label holds at the first. Threads can move where it
    /// passes as these say.
    pub fn piece(&self, (from, to): (u32, u32), label: &[Term], turns: &Turns) -> Piece {
        let at = |(vertex, _): &(VertexId, ThreadId)| turns.turns.get(vertex);
        Piece {
            from,
            to,
            conditions: [label, &self.conditions].concat(),
            values: self.values.clone(),
            movers: self.steps.iter().map(|(_, mover)| *mover).collect(),
            enabled: self.steps.iter().filter_map(at).flat_map(|turn| turn.enabled.clone()).collect(),
        }
    }
}
