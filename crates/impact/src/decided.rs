//! Inputs that the conditions of a step decide are taken out of it.
//!
//! A program that reads two inputs and assumes that they are equal has one input. What its data
//! are afterwards is plain to see then: executions on random inputs get past the assumption, and
//! reasons why a path is impossible speak of data, not of inputs.

use logic::{Op, Term, Terms};
use rustc_hash::FxHashMap;

use crate::system::{Choice, Edge};

/// Puts what they are equal to in place of inputs.
pub fn decide(edge: &mut Edge, terms: &mut Terms) {
    while let Some((input, value)) = decided(edge, terms) {
        put(edge, terms, FxHashMap::from_iter([(input, value)]));
        edge.inputs.retain(|other| *other != input);
    }
}

/// An input that a condition says to be a constant, or what others say.
fn decided(edge: &Edge, terms: &Terms) -> Option<(Term, Term)> {
    let is_input = |term: Term| edge.inputs.contains(&term) && !terms.is_array(term);
    edge.guard.iter().find_map(|condition| {
        let node = terms.node(*condition);
        let (Op::Eq, &[a, b]) = (node.op, node.args()) else { return None };
        // What a step chooses is a term over its inputs, and must stay one.
        let decides = |(x, y): &(Term, Term)| {
            is_input(*x) && terms.variables_in(*y).iter().all(|of_y| of_y != x && is_input(*of_y))
        };
        [(a, b), (b, a)].into_iter().find(decides)
    })
}

/// Puts other terms in place of variables before the step.
pub fn put(edge: &mut Edge, terms: &mut Terms, mut images: FxHashMap<Term, Term>) {
    let mut image = |term: &mut Term| *term = terms.substitute(*term, &mut images);
    edge.guard.iter_mut().for_each(&mut image);
    edge.replayable.iter_mut().for_each(&mut image);
    edge.assignments.iter_mut().for_each(|(_, value)| image(value));
    for (_, choice) in &mut edge.steps {
        if let Choice::Input(term) = choice {
            image(term);
        }
    }
    edge.guard.retain(|condition| !terms.is_true(*condition));
}
