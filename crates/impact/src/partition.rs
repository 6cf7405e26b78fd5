//! The product divided by what is decided once: whether a bound that is an input is positive, or
//! below another one.
//!
//! A loop that runs `n` times leaves `i == n` behind if `n` is positive, and `i == 0` otherwise. No
//! single equation says both, and where a thread has ended, its counter is gone, so that nothing
//! is left to relate the two. So each vertex is divided by the answers to such questions, as far as
//! the way to it has answered them. What is asked about must not change any more: a variable that
//! is assigned on a cycle is not asked about. Every execution takes one way through the divided
//! product, and answers are facts of its vertices; so faults stay the same.

use std::rc::Rc;

use logic::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::product::{Move, Product, Vertex, VertexId};
use crate::prover::{NoAnswer, Prover};
use crate::system::System;

/// So many questions are asked at most.
const MOST_QUESTIONS: usize = 4;

/// A product that would have more vertices than this is not divided.
const MOST_VERTICES: usize = 400;

/// The answers to the questions, as far as they are known.
type Answers = Vec<Option<bool>>;

/// Divides a product. Yields whether there was anything to divide it by.
pub fn divide(
    product: &mut Product,
    system: &System<'_>,
    (terms, prover): (&mut Terms, &mut Prover),
) -> Result<bool, NoAnswer> {
    let questions = questions(product, system, terms);
    if questions.is_empty() {
        return Ok(false);
    }
    let mut division = Division { product, system, terms, prover, questions };
    let Some(vertices) = division.divided()? else { return Ok(false) };
    let grew = vertices.len() > product.vertices.len();
    if grew {
        product.vertices = vertices;
    }
    Ok(grew)
}

/// What to ask: whether variables that never change on a cycle are positive, if the program compares
/// them with others that do; and how they compare with each other.
fn questions(product: &Product, system: &System<'_>, terms: &mut Terms) -> Vec<Term> {
    let changing = product.changed_on_cycles();
    let guards =
        product.vertices.iter().flat_map(|vertex| vertex.moves.iter()).flat_map(|step| &step.edge.guard);
    let mut guards: Vec<Term> = guards.copied().collect();
    guards.sort_unstable();
    guards.dedup();
    let is_stable = |terms: &Terms, term: Term| {
        terms.node(term).op == Op::Var && system.is_data(term) && !changing.contains(&term)
    };
    let mut found = Vec::new();
    for guard in guards {
        let node = terms.node(guard);
        let inner = if node.op == Op::Not { terms.node(node.args()[0]) } else { node };
        let (Op::Slt | Op::Ult, &[x, y]) = (inner.op, inner.args()) else { continue };
        let question = match (is_stable(terms, x), is_stable(terms, y)) {
            (true, true) if inner.op == Op::Slt => terms.slt(x, y),
            (true, true) => terms.ult(x, y),
            (false, true) | (true, false) => {
                let stable = if is_stable(terms, x) { x } else { y };
                let zero = terms.constant(terms.width(stable), 0);
                if inner.op == Op::Slt { terms.slt(zero, stable) } else { terms.ult(zero, stable) }
            }
            (false, false) => continue,
        };
        if !found.contains(&question) && terms.constant_value(question).is_none() {
            found.push(question);
        }
    }
    found.truncate(MOST_QUESTIONS);
    found
}

struct Division<'a, 'm> {
    product: &'a Product,
    system: &'a System<'m>,
    terms: &'a mut Terms,
    prover: &'a mut Prover,
    questions: Vec<Term>,
}

impl Division<'_, '_> {
    /// The vertices of the divided product, unless there are too many.
    fn divided(&mut self) -> Result<Option<Vec<Vertex>>, NoAnswer> {
        let mut index: FxHashMap<(VertexId, Answers), VertexId> = FxHashMap::default();
        let mut found = vec![(0, vec![None; self.questions.len()])];
        let mut vertices = Vec::new();
        index.insert(found[0].clone(), 0);
        while vertices.len() < found.len() {
            let (from, answers) = found[vertices.len()].clone();
            let vertex = &self.product.vertices[from as usize];
            let mut facts = vertex.facts.clone();
            facts.extend(self.facts(&answers));
            let mut moves = Vec::new();
            for step in vertex.moves.iter() {
                let before = [&facts[..], &step.edge.guard].concat();
                if !self.prover.may_hold(self.terms, &before)? {
                    continue;
                }
                let Some(to) = step.to else {
                    moves.push(step.clone());
                    continue;
                };
                let key = (to, self.answers(&before, step, to, &answers)?);
                let next = found.len() as VertexId;
                let id = *index.entry(key.clone()).or_insert(next);
                if id == next {
                    found.push(key);
                }
                moves.push(Move { edge: Rc::clone(&step.edge), to: Some(id) });
            }
            if found.len() > MOST_VERTICES {
                return Ok(None);
            }
            vertices.push(Vertex { moves: moves.into(), facts, ..vertex.clone() });
        }
        Ok(Some(vertices))
    }

    /// What answers say.
    fn facts(&mut self, answers: &Answers) -> Vec<Term> {
        let mut facts = Vec::new();
        for (question, answer) in self.questions.iter().zip(answers) {
            match answer {
                Some(true) => facts.push(*question),
                Some(false) => facts.push(self.terms.not(*question)),
                None => {}
            }
        }
        facts
    }

    /// The answers after a step under these conditions.
    fn answers(
        &mut self,
        before: &[Term],
        step: &Move,
        to: VertexId,
        known: &Answers,
    ) -> Result<Answers, NoAnswer> {
        let there: FxHashSet<Term> = self
            .system
            .data_at(self.terms, self.product.vertices[to as usize].location)
            .into_iter()
            .collect();
        let mut images: FxHashMap<Term, Term> = step.edge.assignments.iter().copied().collect();
        let mut answers = Vec::new();
        for (question, known) in self.questions.clone().into_iter().zip(known) {
            if self.terms.variables_in(question).iter().any(|variable| !there.contains(variable)) {
                answers.push(None);
                continue;
            }
            let image = self.terms.substitute(question, &mut images);
            if image == question && known.is_some() {
                answers.push(*known);
                continue;
            }
            let negation = self.terms.not(image);
            let can_fail = self.prover.may_hold(self.terms, &[before, &[negation]].concat())?;
            let can_hold = self.prover.may_hold(self.terms, &[before, &[image]].concat())?;
            answers.push(match (can_hold, can_fail) {
                (true, false) => Some(true),
                (false, true) => Some(false),
                _ => None,
            });
        }
        Ok(answers)
    }
}
