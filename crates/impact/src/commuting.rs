//! Threads that may go first although others access the same data, since the steps of both
//! commute all the same: two additions to one variable; a message that is received, and another
//! one that is sent, if there is one to be received.
//!
//! A thread `t` stands at a location. What the others can do while it does not move is found by
//! following them, whatever the data are. Let `φ` be a condition on data that all their steps keep.
//! It is shown of every such step `b` that, where `φ` holds and `b` is followed by a step of `t`,
//! the same state is reached by a step of `t` that is followed by one of the other thread. So where
//! `φ` holds, an execution in which `t` moves at last has an equivalent one in which `t` moves
//! first: its step changes places with one step before it after the other, and `φ` holds before
//! each of them. If no failure can be reached before `t` moves (see [`crate::reduce`]), no other
//! thread needs to move where `φ` holds. Where it does not, all do.
//!
//! What `φ` consists of is taken from the conditions of `t`'s own step, such as that a queue is not
//! empty, as far as the others keep them. Independence in a state rather than for all states is
//! *conditional* independence (Katz and Peled; section IV.D of the paper).

use std::rc::Rc;

use logic::{INDEX_WIDTH, Term, Terms};
use machine::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::Guide;

use crate::contract::Contraction;
use crate::decided::put;
use crate::prover::{NoAnswer, Prover};
use crate::reduce::Reduction;
use crate::system::{Edge, LocationId, System, Target};

/// Others are followed to no more locations than this.
const MOST_LOCATIONS: usize = 64;

/// A step has no more ways than this.
const MOST_WAYS: usize = 16;

/// Asks whether steps commute.
pub struct Commuting<'a, 'm> {
    /// The locations.
    pub system: &'a mut System<'m>,
    /// Which steps are known to be independent.
    pub reduction: &'a Reduction<'m>,
    /// The terms.
    pub terms: &'a mut Terms,
    /// Who says which decisions are possible.
    pub guide: &'a mut dyn Guide,
    /// The solver.
    pub prover: &'a mut Prover,
    /// What was found before.
    pub ways: &'a mut Ways,
}

/// A step of another thread.
pub(crate) struct Other {
    /// Where it begins.
    pub from: LocationId,
    /// The thread.
    pub thread: ThreadId,
    /// The step.
    pub edge: Edge,
}

/// The ways of whole steps, of which each is found once.
pub type Ways = FxHashMap<(LocationId, ThreadId), Option<Rc<[Edge]>>>;

/// Whether a step ends the execution in good order.
fn ends(edge: &Edge) -> bool {
    matches!(edge.target, Target::End | Target::Infeasible)
}

impl Commuting<'_, '_> {
    /// The condition under which a thread may go first, if there is one: nothing, as many of these
    /// facts as others keep, or conditions of its own step.
    pub fn condition(
        &mut self,
        location: LocationId,
        thread: ThreadId,
        facts: &[Term],
    ) -> Result<Option<Vec<Term>>, NoAnswer> {
        let Some(own) = self.ways(location, thread)? else { return Ok(None) };
        let guards = guards(&own);
        // Most often the next steps of the others show that there is none.
        let Some(next) = self.next(location, thread)? else { return Ok(None) };
        if !self.suffices(&[&guards, facts].concat(), &own, &next, thread)? {
            return Ok(None);
        }
        let Some(others) = self.others(location, thread)? else { return Ok(None) };
        let mut tried: Vec<Vec<Term>> = Vec::new();
        for mut condition in [Vec::new(), facts.to_vec(), guards.clone(), [&guards, facts].concat()] {
            self.keep(&mut condition, location, &others)?;
            if tried.contains(&condition) {
                continue;
            }
            if self.suffices(&condition, &own, &others, thread)? {
                return Ok(Some(condition));
            }
            tried.push(condition);
        }
        Ok(None)
    }

    /// Whether a thread may go first where a condition holds that others keep. Where they can be
    /// lost before it moves, it must be able to move, and they must be lost after its step as well.
    fn suffices(
        &mut self,
        condition: &[Term],
        own: &[Edge],
        others: &[Other],
        thread: ThreadId,
    ) -> Result<bool, NoAnswer> {
        let mut can_be_lost = false;
        for other in others {
            let comes_first = match other.edge.place() {
                Some(to) => self.comes_first(condition, (other, to), thread)?,
                None => {
                    let guard = [condition, &other.edge.guard].concat();
                    can_be_lost |= self.prover.may_hold(self.terms, &guard)?;
                    true
                }
            };
            if !comes_first {
                return Ok(false);
            }
        }
        if !can_be_lost {
            return Ok(true);
        }
        for other in others {
            if !self.goes_on(condition, other, thread)? {
                return Ok(false);
            }
        }
        self.is_total(condition, own)
    }

    /// Whether a step can always go on where a condition holds.
    fn is_total(&mut self, condition: &[Term], own: &[Edge]) -> Result<bool, NoAnswer> {
        let mut question = condition.to_vec();
        for edge in own.iter().filter(|edge| edge.place().is_some()) {
            question.push(self.terms.not_all(&edge.guard));
        }
        Ok(!self.prover.may_hold(self.terms, &question)?)
    }

    /// Drops what the steps of others do not keep, and what is about data that are not there wherever
    /// they go.
    fn keep(
        &mut self,
        condition: &mut Vec<Term>,
        location: LocationId,
        others: &[Other],
    ) -> Result<(), NoAnswer> {
        let to = others.iter().filter_map(|other| other.edge.place());
        let places: FxHashSet<LocationId> = to.chain([location]).collect();
        for place in places {
            let data: FxHashSet<Term> = self.system.data_at(self.terms, place).into_iter().collect();
            condition.retain(|part| self.terms.variables_in(*part).iter().all(|of_it| data.contains(of_it)));
        }
        loop {
            let before = condition.clone();
            for other in others.iter().filter(|other| other.edge.place().is_some()) {
                let mut images: FxHashMap<Term, Term> = other.edge.assignments.iter().copied().collect();
                let from = [&before[..], &other.edge.guard].concat();
                let mut kept = Vec::new();
                for part in condition.iter() {
                    let after = self.terms.substitute(*part, &mut images);
                    if self.prover.implies(self.terms, &from, after)? {
                        kept.push(*part);
                    }
                }
                *condition = kept;
            }
            if condition.len() == before.len() {
                return Ok(());
            }
        }
    }

    /// What others can do before a thread moves; none if that is too much, or cannot be told.
    fn others(&mut self, location: LocationId, thread: ThreadId) -> Result<Option<Vec<Other>>, NoAnswer> {
        let (mut places, mut found, mut next) = (vec![location], Vec::new(), 0);
        while let Some(from) = places.get(next).copied() {
            next += 1;
            let Some(steps) = self.next(from, thread)? else { return Ok(None) };
            for step in steps {
                places.extend(step.edge.place().filter(|to| !places.contains(to)));
                found.push(step);
            }
            if places.len() > MOST_LOCATIONS {
                return Ok(None);
            }
        }
        Ok(Some(found))
    }

    /// The next steps of all threads but one.
    fn next(&mut self, from: LocationId, thread: ThreadId) -> Result<Option<Vec<Other>>, NoAnswer> {
        let enabled = self.system.machine().runnable(self.system.state(from)).to_vec();
        let mut found = Vec::new();
        for other in enabled.into_iter().filter(|other| *other != thread) {
            let Some(ways) = self.ways(from, other)? else { return Ok(None) };
            let steps = ways.iter().filter(|edge| !ends(edge));
            found.extend(steps.map(|edge| Other { from, thread: other, edge: edge.clone() }));
        }
        Ok(Some(found))
    }

    /// Whether the step of a thread can come before that of another one that it comes after.
    pub(crate) fn comes_first(
        &mut self,
        condition: &[Term],
        (other, to): (&Other, LocationId),
        thread: ThreadId,
    ) -> Result<bool, NoAnswer> {
        if !self.can_move(to, thread) {
            return Ok(true);
        }
        if !self.can_move(other.from, thread) {
            return Ok(false);
        }
        let Some(later) = self.ways(to, thread)? else { return Ok(false) };
        let Some(earlier) = self.ways(other.from, thread)? else { return Ok(false) };
        if self.reduction.independent(self.system, (other.from, to), other.thread, thread) {
            return Ok(true);
        }
        for second in later.iter().filter(|second| !ends(second)) {
            let Some(both) = self.then(&other.edge, second)? else { continue };
            let known = [condition, &both.guard].concat();
            if self.prover.may_hold(self.terms, &known)?
                && !self.has_twin(&known, &both, &earlier, (other, second))?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the step of another thread is still possible after one of this thread, if both are
    /// possible in the same state, and leads to the same.
    fn goes_on(&mut self, condition: &[Term], other: &Other, thread: ThreadId) -> Result<bool, NoAnswer> {
        if !self.can_move(other.from, thread) {
            return Ok(false);
        }
        let Some(own) = self.ways(other.from, thread)? else { return Ok(false) };
        for first in own.iter() {
            let Some(between) = first.place() else { continue };
            let known = [condition, &first.guard, &other.edge.guard].concat();
            if self.prover.may_hold(self.terms, &known)?
                && !self.meets(&known, (first, between), other, thread)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether two steps that are possible in the same state can be taken one after the other, and
    /// lead to the same in both orders.
    fn meets(
        &mut self,
        known: &[Term],
        (first, between): (&Edge, LocationId),
        other: &Other,
        thread: ThreadId,
    ) -> Result<bool, NoAnswer> {
        if !self.can_move(between, other.thread) {
            return Ok(false);
        }
        let Some(ways) = self.ways(between, other.thread)? else { return Ok(false) };
        for way in ways.iter().filter(|way| !ends(way)) {
            let Some(way) = self.like(way, &other.edge) else { continue };
            let Some(one) = self.then(first, &way)? else { continue };
            if !self.are_implied(known, &one.guard)? {
                continue;
            }
            let meets = match (other.edge.place(), one.place()) {
                (None, None) => true,
                (Some(to), Some(end)) => self.also_leads(known, &one, (other, to), (first, thread), end)?,
                _ => false,
            };
            if meets {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the step of the other thread and then one of this thread lead to the same as both in
    /// the other order.
    fn also_leads(
        &mut self,
        known: &[Term],
        one: &Edge,
        (other, to): (&Other, LocationId),
        (first, thread): (&Edge, ThreadId),
        end: LocationId,
    ) -> Result<bool, NoAnswer> {
        if !self.can_move(to, thread) {
            return Ok(false);
        }
        let Some(later) = self.ways(to, thread)? else { return Ok(false) };
        for second in later.iter().filter(|second| second.place() == Some(end)) {
            let Some(second) = self.like(second, first) else { continue };
            let Some(two) = self.then(&other.edge, &second)? else { continue };
            if self.is_same(known, one, &two, end)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn can_move(&self, location: LocationId, thread: ThreadId) -> bool {
        self.system.machine().can_move(self.system.state(location), thread)
    }

    /// Whether the same comes of a step of this thread that is followed by one of the other.
    fn has_twin(
        &mut self,
        known: &[Term],
        both: &Edge,
        earlier: &[Edge],
        (other, second): (&Other, &Edge),
    ) -> Result<bool, NoAnswer> {
        let Some(end) = both.place() else { return self.fails_first(known, earlier, second) };
        for first in earlier {
            let (Some(between), Some(first)) = (first.place(), self.like(first, second)) else { continue };
            if !self.can_move(between, other.thread) {
                continue;
            }
            let Some(ways) = self.ways(between, other.thread)? else { continue };
            for way in ways.iter().filter(|way| way.place() == Some(end)) {
                let Some(way) = self.like(way, &other.edge) else { continue };
                let Some(twin) = self.then(&first, &way)? else { continue };
                if self.is_same(known, both, &twin, end)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a thread that is lost after a step of another one is lost before it as well.
    fn fails_first(&mut self, known: &[Term], earlier: &[Edge], second: &Edge) -> Result<bool, NoAnswer> {
        for first in earlier.iter().filter(|first| first.place().is_none() && !ends(first)) {
            if let Some(first) = self.like(first, second)
                && self.are_implied(known, &first.guard)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A step with the inputs of another one in place of its own.
    fn like(&mut self, edge: &Edge, model: &Edge) -> Option<Edge> {
        if edge.inputs.len() != model.inputs.len() {
            return None;
        }
        let mut images = FxHashMap::default();
        for (own, others) in edge.inputs.iter().zip(&model.inputs) {
            if self.terms.width(*own) != self.terms.width(*others) {
                return None;
            }
            images.insert(*own, *others);
        }
        let mut like = edge.clone();
        put(&mut like, self.terms, images);
        like.inputs = model.inputs.clone();
        Some(like)
    }

    /// Whether, where this is known and the first of two steps is possible, the second is so, too,
    /// and leads to the same data.
    fn is_same(&mut self, known: &[Term], a: &Edge, b: &Edge, end: LocationId) -> Result<bool, NoAnswer> {
        if !self.are_implied(known, &b.guard)? {
            return Ok(false);
        }
        let value = |edge: &Edge, variable: Term| {
            let assigned = edge.assignments.iter().find(|(assigned, _)| *assigned == variable);
            assigned.map_or(variable, |(_, value)| *value)
        };
        for variable in self.system.data_at(self.terms, end) {
            let (of_a, of_b) = (value(a, variable), value(b, variable));
            if of_a == of_b {
                continue;
            }
            let (mut of_a, mut of_b) = (of_a, of_b);
            if self.terms.is_array(variable) {
                // Arrays are equal if they have the same element at any index.
                let index = self.terms.variable(INDEX_WIDTH, "index");
                (of_a, of_b) = (self.terms.select(of_a, index), self.terms.select(of_b, index));
            }
            let equal = self.terms.eq(of_a, of_b);
            if !self.prover.implies(self.terms, known, equal)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn are_implied(&mut self, known: &[Term], conditions: &[Term]) -> Result<bool, NoAnswer> {
        for condition in conditions {
            if !self.prover.implies(self.terms, known, *condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All ways that a thread can go in one step; an atomic section is one. None if these are too
    /// many, or depend on what no condition tells.
    pub(crate) fn ways(
        &mut self,
        location: LocationId,
        thread: ThreadId,
    ) -> Result<Option<Rc<[Edge]>>, NoAnswer> {
        if let Some(known) = self.ways.get(&(location, thread)) {
            return Ok(known.clone());
        }
        let found: Option<Rc<[Edge]>> = self.whole(location, thread)?.map(Rc::from);
        self.ways.insert((location, thread), found.clone());
        Ok(found)
    }

    fn whole(&mut self, location: LocationId, thread: ThreadId) -> Result<Option<Vec<Edge>>, NoAnswer> {
        let Some(mut open) = self.single(location, thread) else { return Ok(None) };
        let (mut whole, mut taken) = (Vec::new(), 0);
        while let Some(edge) = open.pop() {
            taken += 1;
            if taken > MOST_WAYS {
                return Ok(None);
            }
            let Some(within) = self.within(&edge, thread) else {
                whole.push(edge);
                continue;
            };
            let Some(next) = self.single(within, thread) else { return Ok(None) };
            for next in next {
                open.extend(self.then(&edge, &next)?);
            }
        }
        Ok(Some(whole))
    }

    /// Where a step leads within an atomic section.
    fn within(&self, edge: &Edge, thread: ThreadId) -> Option<LocationId> {
        let keeper = |to: &LocationId| self.system.machine().keeper(self.system.state(*to));
        edge.place().filter(|to| keeper(to) == Some(thread))
    }

    fn single(&mut self, location: LocationId, thread: ThreadId) -> Option<Vec<Edge>> {
        let steps = self.system.steps(self.terms, self.guide, location, thread);
        (!steps.is_special).then(|| steps.edges.iter().map(|edge| Edge::clone(edge)).collect())
    }

    fn then(&mut self, first: &Edge, second: &Edge) -> Result<Option<Edge>, NoAnswer> {
        Contraction { terms: self.terms, prover: self.prover }.then(first, second)
    }
}

/// The conditions of all ways on which a step goes on.
fn guards(own: &[Edge]) -> Vec<Term> {
    let mut ways = own.iter().filter(|edge| edge.place().is_some()).map(|edge| &edge.guard);
    let mut guards = ways.next().cloned().unwrap_or_default();
    ways.for_each(|guard| guards.retain(|condition| guard.contains(condition)));
    guards
}
