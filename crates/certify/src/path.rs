//! Steps one after the other: the conditions under which they are taken, and the values
//! that data have afterwards, both over the data at the beginning.

use logic::{Term, Terms};
use rustc_hash::FxHashMap;

use crate::graph::Way;

/// A sequence of steps.
#[derive(Clone, Default)]
pub struct Path {
    /// The conditions under which it is taken.
    pub conditions: Vec<Term>,
    /// The data that have changed, each with its value.
    values: FxHashMap<Term, Term>,
    /// How many steps there are.
    pub len: usize,
}

impl Path {
    /// The path with one more step. Inputs that the step reads are new ones.
    pub fn then(&self, terms: &mut Terms, way: &Way) -> Path {
        let mut images = self.values.clone();
        for input in &way.inputs {
            let fresh = terms.variable_like(*input, "input");
            images.insert(*input, fresh);
        }
        let mut next = Path { len: self.len + 1, ..self.clone() };
        for guard in &way.guard {
            let condition = terms.substitute(*guard, &mut images);
            next.conditions.extend((!terms.is_true(condition)).then_some(condition));
        }
        for (variable, value) in &way.assignments {
            next.values.insert(*variable, terms.substitute(*value, &mut images));
        }
        next
    }

    /// A condition on data after the path, as one on data before it.
    pub fn before(&self, terms: &mut Terms, condition: Term) -> Term {
        terms.substitute(condition, &mut self.values.clone())
    }
}
