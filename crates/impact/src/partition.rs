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

use crate::facts::{self, Way};
use crate::product::{Move, Product, Vertex, VertexId};
use crate::prover::{NoAnswer, Prover};
use crate::system::System;

/// So many questions are asked at most.
const MOST_QUESTIONS: usize = 4;

/// A product that would have more vertices than this is not divided.
const MOST_VERTICES: usize = 400;

/// The answers to the questions, as far as they are known.
type Answers = Vec<Option<bool>>;

/// Divides a product, if there is anything to divide it by.
pub fn divide(
    product: &mut Product,
    system: &System<'_>,
    (terms, prover): (&mut Terms, &mut Prover),
) -> Result<(), NoAnswer> {
    let questions = questions(product, system, terms);
    if questions.is_empty() {
        return Ok(());
    }
    let (parts, index, work) = Default::default();
    let mut division = Division { product, system, terms, prover, questions, parts, index, work };
    let divided = division.divided()?;
    if let Some(vertices) = divided.filter(|vertices| vertices.len() > product.vertices.len()) {
        product.vertices = vertices;
    }
    Ok(())
}

/// What to ask: whether variables that never change on a cycle are positive, if the program compares
/// them with others that do; and how they compare with each other.
fn questions(product: &Product, system: &System<'_>, terms: &mut Terms) -> Vec<Term> {
    let changing = product.changed_on_cycles();
    let mut guards: Vec<Term> = product.guards().collect();
    guards.sort_unstable();
    guards.dedup();
    let is_stable = |terms: &Terms, term: Term| {
        terms.node(term).op == Op::Var && system.is_data(term) && !changing.contains(&term)
    };
    let mut found = Vec::new();
    for guard in guards {
        let Some((op @ (Op::Slt | Op::Ult), x, y)) = terms.comparison(guard) else { continue };
        let question = match (is_stable(terms, x), is_stable(terms, y)) {
            (true, true) if op == Op::Slt => terms.slt(x, y),
            (true, true) => terms.ult(x, y),
            (false, true) | (true, false) => {
                let stable = if is_stable(terms, x) { x } else { y };
                let zero = terms.constant(terms.width(stable), 0);
                if op == Op::Slt { terms.slt(zero, stable) } else { terms.ult(zero, stable) }
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

/// A vertex with answers.
struct Part {
    vertex: VertexId,
    answers: Answers,
    /// What holds on all ways that give these answers.
    facts: Vec<Term>,
    moves: Vec<Move>,
}

struct Division<'a, 'm> {
    product: &'a Product,
    system: &'a System<'m>,
    terms: &'a mut Terms,
    prover: &'a mut Prover,
    questions: Vec<Term>,
    parts: Vec<Part>,
    index: FxHashMap<(VertexId, Answers), VertexId>,
    work: Vec<VertexId>,
}

impl Division<'_, '_> {
    /// The vertices of the divided product, unless there are too many.
    fn divided(&mut self) -> Result<Option<Vec<Vertex>>, NoAnswer> {
        self.enter(0, vec![None; self.questions.len()], Way::begin(Vec::new()))?;
        while let Some(part) = self.work.pop() {
            self.expand(part)?;
            if self.parts.len() > MOST_VERTICES {
                return Ok(None);
            }
        }
        Ok(Some(self.reachable()))
    }

    /// Comes to a vertex with answers.
    fn enter(&mut self, vertex: VertexId, answers: Answers, way: Way<'_>) -> Result<VertexId, NoAnswer> {
        let next = self.parts.len() as VertexId;
        let id = *self.index.entry((vertex, answers.clone())).or_insert(next);
        let always = self.product.vertices[vertex as usize].facts.iter().copied();
        let always: Vec<Term> = always.chain(self.facts(&answers)).collect();
        if id == next {
            let facts = with(always, way.facts);
            self.parts.push(Part { vertex, answers, facts, moves: Vec::new() });
            self.work.push(id);
            return Ok(id);
        }
        let known = std::mem::take(&mut self.parts[id as usize].facts);
        let common = facts::common(&known, &way, (self.terms, self.prover))?;
        let left = with(always, common);
        if left != known {
            self.work.push(id);
        }
        self.parts[id as usize].facts = left;
        Ok(id)
    }

    /// Finds the steps of a part.
    fn expand(&mut self, part: VertexId) -> Result<(), NoAnswer> {
        let Part { vertex, answers, facts, .. } = &self.parts[part as usize];
        let (vertex, answers, facts) = (*vertex, answers.clone(), facts.clone());
        let mut moves = Vec::new();
        for step in self.product.vertices[vertex as usize].moves.iter() {
            if !facts::possible(&facts, &step.edge, (self.terms, self.prover))? {
                continue;
            }
            let Some(to) = step.to else {
                moves.push(step.clone());
                continue;
            };
            let before = [&facts[..], &step.edge.guard].concat();
            let location = self.product.vertices[to as usize].location;
            let there: FxHashSet<Term> = self.system.data_at(self.terms, location).into_iter().collect();
            let answers = self.answers(&before, step, &there, &answers)?;
            let way = Way::by(&step.edge, &facts, &there, self.terms);
            let to = Some(self.enter(to, answers, way)?);
            moves.push(Move { edge: Rc::clone(&step.edge), to });
        }
        self.parts[part as usize].moves = moves;
        Ok(())
    }

    /// The parts that steps lead to. What led to the others was given up when there were fewer
    /// facts.
    fn reachable(&self) -> Vec<Vertex> {
        let (mut order, mut numbers) = (vec![0], FxHashMap::from_iter([(0, 0)]));
        let mut vertices = Vec::new();
        while vertices.len() < order.len() {
            let Part { vertex, facts, moves, .. } = &self.parts[order[vertices.len()] as usize];
            let mut renumbered = moves.clone();
            for to in renumbered.iter_mut().filter_map(|step| step.to.as_mut()) {
                let next = order.len() as VertexId;
                let number = *numbers.entry(*to).or_insert(next);
                if number == next {
                    order.push(*to);
                }
                *to = number;
            }
            let (moves, facts) = (renumbered.into(), facts.clone());
            vertices.push(Vertex { moves, facts, ..self.product.vertices[*vertex as usize].clone() });
        }
        vertices
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

    /// The answers after a step under these conditions, where there are these variables.
    fn answers(
        &mut self,
        before: &[Term],
        step: &Move,
        there: &FxHashSet<Term>,
        known: &Answers,
    ) -> Result<Answers, NoAnswer> {
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

/// Conditions and others, each once.
fn with(mut conditions: Vec<Term>, others: Vec<Term>) -> Vec<Term> {
    conditions.extend(others);
    conditions.sort_unstable();
    conditions.dedup();
    conditions
}
