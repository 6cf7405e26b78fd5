//! Invariants of the product: of candidates, the largest set that is inductive
//! (Houdini).
//!
//! Each vertex begins with all its candidates. A candidate that a step into the
//! vertex does not establish, given what is left at the vertex before, is dropped,
//! until nothing is to be dropped any more. What is left holds in every execution.

use std::collections::VecDeque;

use engine::Budget;
use logic::{Evaluation, Term, Terms};
use rustc_hash::FxHashMap;

use crate::product::{Move, Product, VertexId};
use crate::prover::{NoAnswer, Prover, Together};

/// What holds at each vertex.
pub type Invariants = Vec<Vec<Term>>;

/// Drops candidates until the rest is inductive. Those of the first vertex must hold
/// at the beginning.
pub fn inductive(
    product: &Product,
    mut candidates: Invariants,
    (terms, prover): (&mut Terms, &mut Prover),
    budget: &Budget,
) -> Result<Invariants, NoAnswer> {
    let mut steps: Vec<Vec<&Move>> = product.vertices.iter().map(|v| v.moves.iter().collect()).collect();
    for moves in &mut steps {
        moves.retain(|step| step.to.is_some());
    }
    let mut queued = vec![true; candidates.len()];
    let mut queue: VecDeque<VertexId> = (0..candidates.len() as VertexId).collect();
    while let Some(from) = queue.pop_front() {
        queued[from as usize] = false;
        for step in &steps[from as usize] {
            let to = step.to.expect("only such were kept");
            if budget.exceeded().is_some() {
                return Err(NoAnswer::Hard);
            }
            let known = candidates[from as usize].clone();
            let left = established(step, &known, &candidates[to as usize], terms, prover)?;
            if left.len() < candidates[to as usize].len() {
                candidates[to as usize] = left;
                if !std::mem::replace(&mut queued[to as usize], true) {
                    queue.push_back(to);
                }
            }
        }
    }
    Ok(candidates)
}

/// Those of the candidates after a step that hold there.
fn established(
    step: &Move,
    known: &[Term],
    candidates: &[Term],
    terms: &mut Terms,
    prover: &mut Prover,
) -> Result<Vec<Term>, NoAnswer> {
    let mut images: FxHashMap<Term, Term> = step.edge.assignments.iter().copied().collect();
    let mut left: Vec<(Term, Term)> = Vec::new();
    let mut open = Vec::new();
    for candidate in candidates {
        let before = terms.substitute(*candidate, &mut images);
        match terms.is_true(before) || known.contains(&before) {
            true => left.push((*candidate, before)),
            false => open.push((*candidate, before)),
        }
    }
    while !open.is_empty() {
        let negations: Vec<Term> = open.iter().map(|(_, before)| terms.not(*before)).collect();
        let one_fails = terms.any(negations);
        let question = [known, &step.edge.guard, &[one_fails]].concat();
        match prover.together_if_easy(terms, &question)? {
            Some(Together::Impossible(_)) => break,
            Some(Together::Possible(model)) => {
                let mut evaluation = Evaluation::new(terms, &*model);
                open.retain(|(_, before)| evaluation.holds(*before));
            }
            // One by one they may be easier.
            None => {
                for (candidate, before) in std::mem::take(&mut open) {
                    let fails = terms.not(before);
                    let question = [known, &step.edge.guard, &[fails]].concat();
                    if let Some(Together::Impossible(_)) = prover.together_if_easy(terms, &question)? {
                        left.push((candidate, before));
                    }
                }
            }
        }
    }
    left.extend(open);
    Ok(left.into_iter().map(|(candidate, _)| candidate).collect())
}
