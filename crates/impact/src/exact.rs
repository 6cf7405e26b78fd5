//! Labels for a product without cycles: exactly the data from which no fault can be
//! reached.
//!
//! Backwards from the faults, the condition under which a fault can be reached from a
//! vertex is the disjunction over its steps of their guards and what holds after them:
//! one term, however many paths there are. If no beginning fulfils that of the first
//! vertex, the negations are inductive labels, and the tree closes with them.

use logic::{Term, Terms};
use rustc_hash::FxHashMap;

use crate::invariants::Invariants;
use crate::product::{Move, Product};
use crate::prover::{NoAnswer, Prover, Together};

/// The one question may take so many conflicts: it stands for all that a tree would ask.
const CONFLICTS: u32 = 300_000;

/// The labels, if there are any that speak of data alone: inputs that are read after a
/// vertex cannot be named in its label.
pub fn labels(
    product: &Product,
    initial: &[Term],
    (terms, prover): (&mut Terms, &mut Prover),
) -> Result<Option<Invariants>, NoAnswer> {
    let never = terms.boolean(false);
    let mut faulty: Vec<Term> = vec![never; product.vertices.len()];
    for vertex in product.topological().into_iter().rev() {
        let mut ways = Vec::new();
        for step in product.vertices[vertex as usize].moves.iter() {
            let later = step.to.map_or(terms.boolean(true), |to| faulty[to as usize]);
            ways.push(before(step, later, terms));
        }
        faulty[vertex as usize] = terms.any(ways);
    }
    let inputs = |term: Term, terms: &Terms| {
        let own = terms.variables_in(term);
        let all = product.vertices.iter().flat_map(|vertex| vertex.moves.iter());
        all.flat_map(|step| &step.edge.inputs).any(|input| own.contains(input))
    };
    if faulty[1..].iter().any(|term| inputs(*term, terms)) {
        return Ok(None);
    }
    let question = [initial, &[faulty[0]]].concat();
    match prover.together_within(CONFLICTS, terms, &question)? {
        Some(Together::Impossible(_)) => {
            let mut labels: Invariants = faulty.iter().map(|term| vec![terms.not(*term)]).collect();
            labels[0] = initial.to_vec();
            Ok(Some(labels))
        }
        Some(Together::Possible(_)) | None => Ok(None),
    }
}

/// The condition before a step under which it is possible and another holds after it.
fn before(step: &Move, later: Term, terms: &mut Terms) -> Term {
    let mut images: FxHashMap<Term, Term> = step.edge.assignments.iter().copied().collect();
    let mut conditions = step.edge.guard.clone();
    conditions.push(terms.substitute(later, &mut images));
    terms.all(conditions)
}
