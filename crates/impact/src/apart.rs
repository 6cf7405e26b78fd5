//! Conditional dependence (section IV.D): accesses that the static analysis takes for dependent are
//! independent where they go to other places.
//!
//! The *alias expression* of two accesses to an array says that their indices are equal. Where it is
//! false, both are independent. Pointers belong to locations, so that accesses through pointers to
//! different objects are independent at a location without a condition. Neither is taken for
//! granted: steps of both threads, one after the other in both orders, must lead to the same.

use ir::Instr;
use logic::{Op, Term};
use machine::ThreadId;
use rustc_hash::FxHashSet;

use crate::commuting::{Commuting, Other};
use crate::prover::NoAnswer;
use crate::system::{Edge, LocationId};

/// Two steps are compared by no more pairs of indices than this.
const MOST_PAIRS: usize = 16;

/// The indices of the elements that steps access.
#[derive(Default)]
struct Indices {
    written: FxHashSet<Term>,
    read: FxHashSet<Term>,
}

impl Commuting<'_, '_> {
    /// Whether the next steps of two threads are independent whatever the data are. The first one
    /// leads from one location to the other.
    pub fn are_independent(
        &self,
        locations: (LocationId, LocationId),
        mover: ThreadId,
        thread: ThreadId,
    ) -> bool {
        self.reduction.independent(self.system, locations, mover, thread)
    }

    /// What must hold at the first location for the access of a thread to come before that of
    /// another one which leads from there to the second location; none if nothing is known to do.
    pub fn apart(
        &mut self,
        (from, to): (LocationId, LocationId),
        mover: ThreadId,
        thread: ThreadId,
    ) -> Result<Option<Vec<Term>>, NoAnswer> {
        if ![mover, thread].iter().all(|thread| self.accesses_memory(from, *thread)) {
            return Ok(None);
        }
        let (Some(first), Some(second)) = (self.ways(from, mover)?, self.ways(from, thread)?) else {
            return Ok(None);
        };
        if self.share_a_number(&first, &second) {
            return Ok(None);
        }
        let Some(condition) = self.differ(&first, &second) else { return Ok(None) };
        for edge in first.iter().filter(|edge| edge.place() == Some(to)) {
            let other = Other { from, thread: mover, edge: edge.clone() };
            if !self.comes_first(&condition, (&other, to), thread)? {
                return Ok(None);
            }
        }
        Ok(Some(condition))
    }

    fn accesses_memory(&self, location: LocationId, thread: ThreadId) -> bool {
        let next = self.system.machine().next_instruction(self.system.state(location), thread);
        matches!(
            next,
            Some(
                Instr::Load { .. }
                    | Instr::Store { .. }
                    | Instr::AtomicRmw { .. }
                    | Instr::CompareExchange(_)
            )
        )
    }

    /// Whether one of two steps changes a number that the other one reads or changes.
    fn share_a_number(&self, first: &[Edge], second: &[Edge]) -> bool {
        let is_number = |variable: &Term| !self.terms.is_array(*variable);
        let changed = |edges: &[Edge]| -> FxHashSet<Term> {
            let all = edges.iter().flat_map(|edge| &edge.assignments).map(|(variable, _)| *variable);
            all.filter(is_number).collect()
        };
        let read = |edges: &[Edge]| -> FxHashSet<Term> {
            edges.iter().flat_map(terms_of).flat_map(|term| self.terms.variables_in(term)).collect()
        };
        let clash = |a: &[Edge], b: &[Edge]| {
            let (changed, others, read) = (changed(a), changed(b), read(b));
            changed.iter().any(|variable| others.contains(variable) || read.contains(variable))
        };
        clash(first, second) || clash(second, first)
    }

    /// That no element which one of two steps writes is accessed by the other; none if that cannot be
    /// said, or never holds.
    fn differ(&mut self, first: &[Edge], second: &[Edge]) -> Option<Vec<Term>> {
        let (first, second) = (self.indices(first), self.indices(second));
        let mut pairs: FxHashSet<(Term, Term)> = FxHashSet::default();
        for (a, b) in [(&first, &second), (&second, &first)] {
            for written in &a.written {
                let accessed = b.written.iter().chain(&b.read);
                pairs.extend(accessed.map(|index| (*written.min(index), *written.max(index))));
            }
        }
        if pairs.len() > MOST_PAIRS {
            return None;
        }
        let mut condition = Vec::new();
        for (a, b) in pairs {
            let alias = self.terms.eq(a, b);
            let apart = self.terms.not(alias);
            let is_told = self.terms.variables_in(apart).iter().all(|of_it| self.system.is_data(*of_it));
            if !is_told || self.terms.is_false(apart) {
                return None;
            }
            condition.extend((!self.terms.is_true(apart)).then_some(apart));
        }
        condition.sort_unstable();
        condition.dedup();
        Some(condition)
    }

    /// The indices of elements of arrays that are accessed. What a step writes to make an array of an
    /// object are not accesses.
    fn indices(&self, edges: &[Edge]) -> Indices {
        let mut found = Indices::default();
        let mut work: Vec<Term> = edges.iter().flat_map(terms_of).collect();
        let mut seen = FxHashSet::default();
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = self.terms.node(term);
            match (node.op, node.args()) {
                (Op::Store, [array, index, _]) => {
                    let is_known = self.terms.constant_value(*index).is_some();
                    if !is_known || self.is_open(*array) {
                        found.written.insert(*index);
                    }
                }
                (Op::Select, [_, index]) => _ = found.read.insert(*index),
                _ => {}
            }
            work.extend(node.args());
        }
        found
    }

    /// Whether an array was one before.
    fn is_open(&self, array: Term) -> bool {
        let node = self.terms.node(array);
        match (node.op, node.args()) {
            (Op::Array, _) => true,
            (Op::Store, [array, _, _]) => self.is_open(*array),
            _ => false,
        }
    }
}

/// The conditions and values of a step.
fn terms_of(edge: &Edge) -> impl Iterator<Item = Term> {
    edge.guard.iter().copied().chain(edge.assignments.iter().map(|(_, value)| *value))
}
