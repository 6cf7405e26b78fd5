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

/// Candidates, of which those are dropped that do not hold. It can be put aside and taken
/// up again.
pub struct Candidates {
    left: Invariants,
    queue: VecDeque<VertexId>,
    queued: Vec<bool>,
}

impl Candidates {
    /// These candidates; those of the first vertex must hold at the beginning.
    pub fn new(left: Invariants) -> Candidates {
        let (queue, queued) = ((0..left.len() as VertexId).collect(), vec![true; left.len()]);
        Candidates { left, queue, queued }
    }

    /// Drops candidates until the rest is inductive, and yields it.
    pub fn drop_all(
        &mut self,
        product: &Product,
        (terms, prover): (&mut Terms, &mut Prover),
        budget: &Budget,
    ) -> Result<&Invariants, NoAnswer> {
        while let Some(from) = self.queue.front().copied() {
            // What is dropped at the vertex itself has it looked at again.
            self.queued[from as usize] = false;
            if let Err(no_answer) = self.follow(product, from, (&mut *terms, &mut *prover), budget) {
                self.queued[from as usize] = true;
                return Err(no_answer);
            }
            self.queue.pop_front();
        }
        Ok(&self.left)
    }

    /// Drops what the steps from a vertex do not establish.
    fn follow(
        &mut self,
        product: &Product,
        from: VertexId,
        (terms, prover): (&mut Terms, &mut Prover),
        budget: &Budget,
    ) -> Result<(), NoAnswer> {
        for step in product.vertices[from as usize].moves.iter() {
            let Some(to) = step.to else { continue };
            if budget.exceeded().is_some() {
                return Err(NoAnswer::Hard);
            }
            let known = self.left[from as usize].clone();
            let left = established(step, &known, &self.left[to as usize], terms, prover)?;
            if left.len() < self.left[to as usize].len() {
                self.left[to as usize] = left;
                if !std::mem::replace(&mut self.queued[to as usize], true) {
                    self.queue.push_back(to);
                }
            }
        }
        Ok(())
    }
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
