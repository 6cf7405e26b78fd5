//! Steps that change places with those of other threads where a condition holds.
//!
//! At a vertex with [`crate::Reason::Commuting`] the first mover goes first where the vertex's
//! condition holds, and everybody moves where it does not. Shown is, of everything that the other
//! threads can do before the first mover moves, whatever the data are:
//!
//! - they keep the condition;
//! - if a step of the first mover follows one of theirs, the same state is reached by a step of the
//!   first mover that one of theirs follows;
//! - if one of them can come to something forbidden first, the first mover can always move, the
//!   others can go on after its step as they could before, and what is forbidden is reached there,
//!   too.
//!
//! Then every execution in which the first mover moves at last has an equivalent one in which it
//! moves at first. That there are no others with a failure is for `reduction` to show.

use std::rc::Rc;

use logic::{INDEX_WIDTH, Term, Terms};
use machine::ThreadId;
use rustc_hash::FxHashMap;
use symbolic::Guide;

use crate::graph::{Graph, Known, Way, WayEnd};
use crate::rejection::Rejection;

/// No more steps than this are looked at for one vertex.
const MOST: usize = 4096;

/// Why steps do not change places.
pub enum Refusal {
    /// It was not shown, for this reason.
    Why(String),
    /// The solver did not answer.
    Failed(Rejection),
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Refusal {
        Refusal::Failed(rejection)
    }
}

fn refuse<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Why(why.into()))
}

/// A step from a location, an atomic section being one, with conditions and values over the data
/// before it.
#[derive(Clone)]
pub struct Step {
    guard: Vec<Term>,
    values: FxHashMap<Term, Term>,
    inputs: Vec<Term>,
    /// Where it leads; nowhere, if to something forbidden.
    end: Option<Rc<Known>>,
}

/// Shows that steps change places.
pub struct Exchange<'a, 'm, F> {
    /// The locations.
    pub graph: &'a mut Graph<'m>,
    /// The terms.
    pub terms: &'a mut Terms,
    /// Who says which decisions are possible.
    pub guide: &'a mut dyn Guide,
    /// Whether conditions can hold together.
    pub satisfiable: F,
    /// Whether the next steps of two threads are known not to conflict.
    pub independent: &'a dyn Fn(&Known, ThreadId, ThreadId) -> bool,
    /// The steps of threads from locations, by the numbers of these, once they were found.
    pub found: FxHashMap<(usize, ThreadId), Rc<[Step]>>,
}

impl<F: FnMut(&mut Terms, &[Term]) -> Result<bool, Rejection>> Exchange<'_, '_, F> {
    /// Shows that a thread may go first at a location where a condition holds.
    pub fn show(&mut self, from: &Rc<Known>, thread: ThreadId, condition: &[Term]) -> Result<(), Refusal> {
        let (mut places, mut next, mut steps, mut can_be_lost) =
            (vec![Rc::clone(from)], 0, Vec::new(), false);
        while let Some(place) = places.get(next).cloned() {
            next += 1;
            for other in self.enabled(&place).into_iter().filter(|other| *other != thread) {
                for step in self.steps(&place, other)?.iter() {
                    match &step.end {
                        Some(end) if places.iter().all(|known| known.number != end.number) => {
                            places.push(Rc::clone(end));
                        }
                        Some(_) => {}
                        None => can_be_lost |= (self.satisfiable)(self.terms, &together(condition, step))?,
                    }
                    steps.push((Rc::clone(&place), other, step.clone()));
                }
            }
            if steps.len() > MOST {
                return refuse("the others can do too much");
            }
        }
        for (place, other, step) in &steps {
            if let Some(end) = &step.end {
                self.keeps(condition, step)?;
                self.comes_first(condition, (place, thread), (step, *other, end))?;
            }
            if can_be_lost {
                self.goes_on(condition, (place, thread), (step, *other))?;
            }
        }
        if can_be_lost { self.can_always_move(condition, from, thread) } else { Ok(()) }
    }

    /// Shows that, where a label holds, a step of a thread that follows one of another thread from
    /// one location to another can come before it.
    pub fn swap(
        &mut self,
        label: &[Term],
        (from, to): (&Rc<Known>, &Rc<Known>),
        (mover, thread): (ThreadId, ThreadId),
    ) -> Result<(), Refusal> {
        for step in self.steps(from, mover)?.iter() {
            if let Some(end) = step.end.as_ref().filter(|end| end.number == to.number) {
                self.comes_first(label, (from, thread), (step, mover, end))?;
            }
        }
        Ok(())
    }

    fn enabled(&self, place: &Known) -> Vec<ThreadId> {
        self.graph.machine().runnable(place.state()).to_vec()
    }

    /// Shows that a step keeps a condition.
    fn keeps(&mut self, condition: &[Term], step: &Step) -> Result<(), Refusal> {
        let after: Vec<Term> =
            condition.iter().map(|part| self.terms.substitute(*part, &mut step.values.clone())).collect();
        match self.implied(&together(condition, step), &after)? {
            true => Ok(()),
            false => refuse("others do not keep the condition"),
        }
    }

    /// Shows that a step of a thread that follows one of another thread can come before it.
    fn comes_first(
        &mut self,
        condition: &[Term],
        (place, thread): (&Rc<Known>, ThreadId),
        (step, other, end): (&Step, ThreadId, &Rc<Known>),
    ) -> Result<(), Refusal> {
        if !self.enabled(end).contains(&thread) {
            return Ok(());
        }
        if !self.enabled(place).contains(&thread) {
            return refuse(format!("{other} makes it possible for {thread} to move"));
        }
        let (earlier, later) = (self.steps(place, thread)?, self.steps(end, thread)?);
        if (self.independent)(place, thread, other) {
            return Ok(());
        }
        for second in later.iter() {
            let both = self.then(step, second);
            let known = together(condition, &both);
            if (self.satisfiable)(self.terms, &known)?
                && !self.has_twin(&known, &both, (&earlier, second), (step, other))?
            {
                return refuse(format!("the step of {thread} does not come before that of {other}"));
            }
        }
        Ok(())
    }

    /// Whether a step of a thread and one of the other after it lead to the same.
    fn has_twin(
        &mut self,
        known: &[Term],
        both: &Step,
        (earlier, second): (&[Step], &Step),
        (step, other): (&Step, ThreadId),
    ) -> Result<bool, Refusal> {
        for first in earlier {
            let end = first.end.clone();
            let Some(first) = self.with_inputs(first, second) else { continue };
            let Some(between) = &end else {
                // What is forbidden after the step of the other thread is so before it.
                if second.end.is_none() && self.implied(known, &first.guard)? {
                    return Ok(true);
                }
                continue;
            };
            if !self.enabled(between).contains(&other) {
                continue;
            }
            for way in self.steps(between, other)?.iter() {
                let Some(way) = self.with_inputs(way, step) else { continue };
                let twin = self.then(&first, &way);
                if self.leads_to_the_same(known, both, &twin)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Shows that another thread can go on after a step of the thread as it could before.
    fn goes_on(
        &mut self,
        condition: &[Term],
        (place, thread): (&Rc<Known>, ThreadId),
        (step, other): (&Step, ThreadId),
    ) -> Result<(), Refusal> {
        if !self.enabled(place).contains(&thread) {
            return refuse(format!("{other} makes it impossible for {thread} to move"));
        }
        for first in self.steps(place, thread)?.iter().filter(|first| first.end.is_some()) {
            let known = [condition, &first.guard, &step.guard].concat();
            if (self.satisfiable)(self.terms, &known)?
                && !self.meets(&known, (first, thread), (step, other))?
            {
                return refuse(format!("{other} cannot go on after the step of {thread}"));
            }
        }
        Ok(())
    }

    /// Whether two steps from one state can be taken in both orders and lead to the same.
    fn meets(
        &mut self,
        known: &[Term],
        (first, thread): (&Step, ThreadId),
        (step, other): (&Step, ThreadId),
    ) -> Result<bool, Refusal> {
        let Some(between) = first.end.clone().filter(|end| self.enabled(end).contains(&other)) else {
            return Ok(false);
        };
        let second = match &step.end {
            Some(end) if self.enabled(end).contains(&thread) => self.steps(end, thread)?,
            _ => Rc::new([]),
        };
        for way in self.steps(&between, other)?.iter() {
            let Some(way) = self.with_inputs(way, step) else { continue };
            let one = self.then(first, &way);
            if !self.implied(known, &one.guard)? {
                continue;
            }
            if step.end.is_none() && way.end.is_none() {
                return Ok(true);
            }
            for second in
                second.iter().filter_map(|second| self.with_inputs(second, first)).collect::<Vec<_>>()
            {
                let two = self.then(step, &second);
                if self.leads_to_the_same(known, &one, &two)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Shows that a thread can move on wherever a condition holds.
    fn can_always_move(
        &mut self,
        condition: &[Term],
        from: &Rc<Known>,
        thread: ThreadId,
    ) -> Result<(), Refusal> {
        let mut question = condition.to_vec();
        for step in self.steps(from, thread)?.iter().filter(|step| step.end.is_some()) {
            question.push(self.terms.not_all(&step.guard));
        }
        match (self.satisfiable)(self.terms, &question)? {
            true => refuse(format!("{thread} cannot always move")),
            false => Ok(()),
        }
    }

    /// Whether, where this is known, the second of two steps is possible and leads where the first
    /// one leads, to the same data.
    fn leads_to_the_same(&mut self, known: &[Term], a: &Step, b: &Step) -> Result<bool, Refusal> {
        let (Some(end), Some(other)) = (&a.end, &b.end) else { return Ok(false) };
        if end.number != other.number || !self.implied(known, &b.guard)? {
            return Ok(false);
        }
        for variable in self.graph.variables(self.terms, end) {
            let [a, b] = [a, b].map(|step| step.values.get(&variable).copied().unwrap_or(variable));
            if a == b {
                continue;
            }
            let equal = if self.terms.is_array(a) {
                // Arrays are equal if they have the same element at any index.
                let index = self.terms.variable(INDEX_WIDTH, "index");
                let [a, b] = [a, b].map(|array| self.terms.select(array, index));
                self.terms.eq(a, b)
            } else {
                self.terms.eq(a, b)
            };
            if !self.implied(known, &[equal])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn implied(&mut self, known: &[Term], conditions: &[Term]) -> Result<bool, Refusal> {
        for condition in conditions {
            let not = self.terms.not(*condition);
            let is_known = self.terms.is_true(*condition) || known.contains(condition);
            if !is_known && (self.satisfiable)(self.terms, &[known, &[not]].concat())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// One step after another. Those of two threads have no inputs in common.
    fn then(&mut self, first: &Step, second: &Step) -> Step {
        let mut images = first.values.clone();
        let mut both = Step { end: second.end.clone(), ..first.clone() };
        both.inputs.extend(&second.inputs);
        for guard in &second.guard {
            both.guard.push(self.terms.substitute(*guard, &mut images));
        }
        for (variable, value) in &second.values {
            both.values.insert(*variable, self.terms.substitute(*value, &mut images));
        }
        both
    }

    /// A step that reads the inputs of another one.
    fn with_inputs(&mut self, step: &Step, other: &Step) -> Option<Step> {
        let widths =
            |step: &Step| step.inputs.iter().map(|input| self.terms.width(*input)).collect::<Vec<u8>>();
        if widths(step) != widths(other) {
            return None;
        }
        let mut images: FxHashMap<Term, Term> =
            step.inputs.iter().copied().zip(other.inputs.iter().copied()).collect();
        let mut image = |term: &Term| self.terms.substitute(*term, &mut images);
        let guard = step.guard.iter().map(&mut image).collect();
        let values = step.values.iter().map(|(variable, value)| (*variable, image(value))).collect();
        Some(Step { guard, values, inputs: other.inputs.clone(), end: step.end.clone() })
    }

    /// The steps of a thread that do not end the execution in good order.
    fn steps(&mut self, from: &Rc<Known>, thread: ThreadId) -> Result<Rc<[Step]>, Refusal> {
        if let Some(found) = self.found.get(&(from.number, thread)) {
            return Ok(Rc::clone(found));
        }
        let found: Rc<[Step]> = self.find_steps(from, thread)?.into();
        self.found.insert((from.number, thread), Rc::clone(&found));
        Ok(found)
    }

    fn find_steps(&mut self, from: &Rc<Known>, thread: ThreadId) -> Result<Vec<Step>, Refusal> {
        let begin = Step {
            guard: Vec::new(),
            values: FxHashMap::default(),
            inputs: Vec::new(),
            end: Some(Rc::clone(from)),
        };
        let (mut open, mut whole, mut taken) = (vec![begin], Vec::new(), 0);
        while let Some(step) = open.pop() {
            let Some(place) = step.end.clone() else { continue };
            let single = self.graph.steps((self.terms, &mut *self.guide), &place, thread);
            if single.is_special {
                return refuse(format!("{thread} does something that all others may depend on"));
            }
            for way in &single.ways {
                let Some(next) = self.extend(&step, way) else { continue };
                let keeper = |end: &Rc<Known>| self.graph.machine().keeper(end.state());
                let is_within = next.end.as_ref().and_then(keeper) == Some(thread);
                if is_within {
                    open.push(next)
                } else {
                    whole.push(next)
                }
                taken += 1;
            }
            if taken > MOST {
                return refuse(format!("an atomic section of {thread} does too much"));
            }
        }
        Ok(whole)
    }

    fn extend(&mut self, step: &Step, way: &Way) -> Option<Step> {
        let end = match &way.end {
            WayEnd::End | WayEnd::Infeasible => return None,
            WayEnd::Forbidden(_) => None,
            WayEnd::Location(known, _) => Some(Rc::clone(known)),
        };
        let inputs: Vec<Term> =
            way.inputs.iter().map(|input| self.terms.variable_like(*input, "input")).collect();
        let images: FxHashMap<Term, Term> = way.inputs.iter().copied().zip(inputs.iter().copied()).collect();
        let image = |terms: &mut Terms, term: Term| terms.substitute(term, &mut images.clone());
        let guard = way.guard.iter().map(|guard| image(self.terms, *guard)).collect();
        let values = way.assignments.iter().map(|(variable, value)| (*variable, image(self.terms, *value)));
        let next = Step { guard, values: values.collect(), inputs, end };
        Some(self.then(step, &next))
    }
}

/// A condition and that of a step.
fn together(condition: &[Term], step: &Step) -> Vec<Term> {
    [condition, &step.guard].concat()
}
