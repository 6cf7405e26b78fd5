//! What a proof says about the heads of loops, for people.
//!
//! Labels have many conjuncts that follow from others, and some about data that have no
//! name in the source. What is told are equations first, then what is short, as long as
//! it does not follow from what was told before.

use std::collections::BTreeSet;

use engine::{Budget, Invariant, Stand};
use logic::{Op, Term, Terms};
use rustc_hash::FxHashMap;

use crate::product::{Product, Vertex, VertexId};
use crate::prover::Prover;
use crate::system::System;
use crate::tree::{NodeId, Tree};
use crate::words::Names;

/// So many places are told, and so many conditions of each: about a screenful.
const MOST_PLACES: usize = 12;
const MOST_CONDITIONS: usize = 8;

/// So many conditions are looked at for each place.
const MOST_TRIED: usize = 64;

/// So many vertices are looked at to find out what is data.
const MOST_LOOKED_AT: usize = 300;

/// A complete tree, of which the heads of loops are told.
pub struct Heads<'a, 'm> {
    /// The locations.
    pub system: &'a System<'m>,
    /// The product.
    pub product: &'a Product,
    /// The tree.
    pub tree: &'a Tree,
    /// The terms.
    pub terms: &'a mut Terms,
    /// The solver.
    pub prover: &'a mut Prover,
    /// What the check may cost.
    pub budget: &'a Budget,
}

impl Heads<'_, '_> {
    /// What holds at the heads of loops.
    pub fn invariants(mut self) -> Vec<Invariant> {
        let mut told: Vec<Invariant> = Vec::new();
        for head in self.heads() {
            if told.len() == MOST_PLACES || self.budget.exceeded().is_some() {
                break;
            }
            let conditions = self.conditions(head);
            let at = self.stands(&self.product.vertices[head as usize]);
            let invariant = Invariant { at, conditions };
            if !invariant.conditions.is_empty() && !told.contains(&invariant) {
                told.push(invariant);
            }
        }
        told
    }

    /// What the source calls the data at the vertices, of which the first are looked at.
    pub fn data(&self) -> Vec<String> {
        let vertices = self.product.vertices.iter().take(MOST_LOOKED_AT);
        let names = vertices.flat_map(|vertex| Names::at(self.system, self.terms, vertex.location).all());
        // Which thread's it is does not matter here.
        let plain = names.map(|name| name.split('@').next().unwrap_or_default().to_owned());
        plain.collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// The vertices that steps lead back to, in the order in which they are reached.
    fn heads(&self) -> Vec<VertexId> {
        let order = self.product.topological();
        let place: FxHashMap<VertexId, usize> = order.iter().copied().zip(0..).collect();
        let mut heads = BTreeSet::new();
        for (number, from) in order.iter().enumerate() {
            let moves = self.product.vertices[*from as usize].moves.iter();
            let back = moves.filter_map(|step| step.to).map(|to| place[&to]).filter(|to| *to <= number);
            heads.extend(back);
        }
        heads.into_iter().map(|number| order[number]).collect()
    }

    /// Where the threads that can move stand.
    fn stands(&self, vertex: &Vertex) -> Vec<Stand> {
        let (machine, state) = (self.system.machine(), self.system.state(vertex.location));
        let stand = |thread| Stand { thread, at: machine.position(state, thread) };
        machine.runnable(state).into_iter().map(stand).collect()
    }

    /// What holds at a vertex, in words.
    fn conditions(&mut self, head: VertexId) -> Vec<String> {
        let location = self.product.vertices[head as usize].location;
        let names = Names::at(self.system, self.terms, location);
        let mut named: Vec<(bool, String, Term)> = Vec::new();
        let label = self.label(head);
        let equalities = self.equalities(&label);
        for condition in label.into_iter().chain(equalities) {
            let is_equation = self.terms.node(condition).op == Op::Eq;
            let text = names.condition(self.terms, condition);
            named.extend(text.map(|text| (!is_equation, text, condition)));
        }
        named.sort_by(|(a, text, _), (b, other, _)| (a, text.len(), text).cmp(&(b, other.len(), other)));
        named.truncate(MOST_TRIED);
        let mut kept: Vec<(String, Term)> = Vec::new();
        for (_, text, condition) in named {
            if kept.len() < MOST_CONDITIONS && !self.follows(condition, &kept) {
                kept.push((text, condition));
            }
        }
        let mut next = 0;
        while next < kept.len() {
            let (text, condition) = kept.remove(next);
            if !self.follows(condition, &kept) {
                kept.insert(next, (text, condition));
                next += 1;
            }
        }
        kept.into_iter().map(|(text, _)| text).collect()
    }

    /// What all labels at a vertex have in common.
    fn label(&self, head: VertexId) -> BTreeSet<Term> {
        let nodes = (0..self.tree.len() as NodeId).filter(|id| self.tree.node(*id).vertex == head);
        let open = nodes.filter(|id| !self.tree.is_closed(*id));
        let labels = open.map(|id| self.tree.node(id).label.clone());
        labels.reduce(|a, b| a.intersection(&b).copied().collect()).unwrap_or_default()
    }

    /// The equalities that two inequalities say together.
    fn equalities(&mut self, label: &BTreeSet<Term>) -> Vec<Term> {
        let sides = |condition: Term| {
            let [inner] = *self.terms.node(condition).args() else { return None };
            let node = self.terms.node(inner);
            let [a, b] = *node.args() else { return None };
            (node.op == Op::Slt && self.terms.node(condition).op == Op::Not).then_some((a, b))
        };
        let bounds: Vec<(Term, Term)> = label.iter().filter_map(|condition| sides(*condition)).collect();
        let both = bounds.iter().filter(|(a, b)| a < b && bounds.contains(&(*b, *a)));
        both.map(|(a, b)| self.terms.eq(*a, *b)).collect()
    }

    fn follows(&mut self, condition: Term, kept: &[(String, Term)]) -> bool {
        let known: Vec<Term> = kept.iter().map(|(_, condition)| *condition).collect();
        self.prover.implies(self.terms, &known, condition).unwrap_or(false)
    }
}
