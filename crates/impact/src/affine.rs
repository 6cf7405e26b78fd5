//! The equations between data that hold at each vertex: all that are sums of terms
//! with constant factors.
//!
//! At each vertex the values that were found to occur are generalised to the smallest
//! affine space around them: the solutions of the equations that they all fulfil
//! ([`crate::kernel`]). The solver is asked for a step that leads from the space of one
//! vertex out of that of the next; the values after it make that larger. A space can
//! grow only so often as it has dimensions (and factors of two), so this comes to an
//! end, with the strongest equations of this kind that are inductive. A vertex that
//! no values were found for is never reached.

use std::collections::BTreeSet;

use bits::narrow::{mask, signed};
use engine::Budget;
use logic::{Evaluation, Model, Op, Term, Terms};
use rustc_hash::FxHashMap;

use crate::invariants::Invariants;
use crate::kernel::kernel;
use crate::lattice::short_kernel;
use crate::product::{Move, Product, VertexId};
use crate::prover::{NoAnswer, Prover, Together};
use crate::sample::{State, Walker};

/// The values of terms of one width at a vertex.
struct Space {
    terms: Vec<Term>,
    width: u8,
    points: Vec<Vec<u64>>,
    /// The factors of the equations that all points fulfil.
    factors: Vec<Vec<u64>>,
    /// The equations.
    equations: Vec<Term>,
}

impl Space {
    /// Adds values. The equations are those of the points that there are then.
    fn join(&mut self, terms: &mut Terms, point: Vec<u64>) {
        self.points.push(point);
        self.factors = self.factors();
        self.equations = self.factors.iter().map(|factors| self.equation(terms, factors)).collect();
    }

    /// Adds values that do not fulfil an equation, and all others but those with the variable
    /// that occurs in the fewest.
    fn drop(&mut self, terms: &mut Terms, equation: usize) {
        let in_it = (0..self.terms.len()).filter(|column| self.factors[equation][*column] != 0);
        let occurs = |column: &usize| self.factors.iter().filter(|factors| factors[*column] != 0).count();
        let Some(column) = in_it.min_by_key(occurs) else { return };
        let mut point = self.points[0].clone();
        point[column] = point[column].wrapping_add(1) & mask(self.width);
        self.join(terms, point);
    }

    /// The factors of the equations, as far as they are small.
    fn factors(&self) -> Vec<Vec<u64>> {
        let first = &self.points[0];
        let (mask, dimension) = (mask(self.width), self.terms.len());
        let difference = |point: &Vec<u64>| {
            let each = point.iter().zip(first).map(|(a, b)| a.wrapping_sub(*b) & mask);
            each.collect::<Vec<u64>>()
        };
        let differences: Vec<Vec<u64>> = self.points[1..].iter().map(difference).collect();
        let integers: Vec<Vec<i128>> = differences
            .iter()
            .map(|vector| vector.iter().map(|entry| i128::from(signed(*entry, self.width))).collect())
            .collect();
        let is_small = |vector: &Vec<i128>| vector.iter().all(|entry| entry.unsigned_abs() <= LARGE.into());
        let are_small = || integers.iter().flatten().all(|entry| entry.abs() < SMALL_VALUE);
        let short =
            if dimension <= FEW_TERMS && are_small() { short_kernel(&integers, dimension) } else { None };
        match short {
            Some(mut basis) => {
                basis.retain(is_small);
                basis.iter().map(|vector| vector.iter().map(|entry| *entry as u64 & mask).collect()).collect()
            }
            None => {
                let all = kernel(&differences, dimension, self.width);
                all.iter().filter_map(|factors| small(factors, self.width)).collect()
            }
        }
    }

    /// The sum of the terms with these factors is what it is at the first point.
    fn equation(&self, terms: &mut Terms, factors: &[u64]) -> Term {
        let mask = mask(self.width);
        let (mut left, mut value) = (None, 0u64);
        for ((term, factor), at) in self.terms.iter().zip(factors).zip(&self.points[0]) {
            value = value.wrapping_add(factor.wrapping_mul(*at)) & mask;
            if *factor == 0 {
                continue;
            }
            let factor = terms.constant(self.width, (*factor).into());
            let part = terms.mul(*term, factor);
            left = Some(left.map_or(part, |sum| terms.add(sum, part)));
        }
        let (zero, value) = (terms.constant(self.width, 0), terms.constant(self.width, value.into()));
        terms.eq(left.unwrap_or(zero), value)
    }
}

/// An equation whose factors are larger than this is left out: it is hardly ever more
/// than a coincidence, and makes questions hard.
const LARGE: u64 = 16;

/// Differences of values beyond this are not taken for integers, but for words.
const SMALL_VALUE: i128 = 1 << 33;

/// Between more terms than these, short equations take too long to find.
const FEW_TERMS: usize = 40;

/// From values that the solver found so many executions are tried, each until so many steps
/// in a row have led to nothing new.
const WALKS: usize = 2;
const IDLE: usize = 8;

/// So many conflicts may a question take of one equation, where all together were too hard.
const HARD: u32 = 10_000;

/// So many points of a space are tried in a row that lead to nothing new before the solver is asked.
const GUESSES: usize = 12;

/// The same equation, times an odd number, with small factors, if there is one.
fn small(factors: &[u64], width: u8) -> Option<Vec<u64>> {
    let times = |odd: u64| -> Vec<u64> {
        factors.iter().map(|factor| factor.wrapping_mul(odd) & mask(width)).collect()
    };
    let is_small =
        |factors: &Vec<u64>| factors.iter().all(|factor| signed(*factor, width).unsigned_abs() <= LARGE);
    (1..=LARGE).step_by(2).map(times).find(is_small)
}

/// What is known about a vertex.
struct Known {
    is_reached: bool,
    spaces: Vec<Space>,
}

impl Known {
    /// Spaces for these terms, by their widths.
    fn new(terms: &Terms, columns: &[Term]) -> Known {
        let mut by_width: FxHashMap<u8, Vec<Term>> = FxHashMap::default();
        for column in columns.iter().filter(|column| terms.width(**column) <= 64) {
            by_width.entry(terms.width(*column)).or_default().push(*column);
        }
        let mut spaces: Vec<Space> = by_width
            .into_iter()
            .map(|(width, terms)| Space {
                terms,
                width,
                points: Vec::new(),
                factors: Vec::new(),
                equations: Vec::new(),
            })
            .collect();
        spaces.sort_by_key(|space| space.width);
        Known { is_reached: false, spaces }
    }

    /// Takes up values that occur, unless something has no value among them. Yields whether
    /// there was anything new.
    fn take_up(&mut self, state: &State, terms: &mut Terms) -> bool {
        let columns = self.spaces.iter().flat_map(|space| &space.terms);
        if !state.tells(columns.copied().filter(|column| terms.node(*column).op == Op::Var)) {
            return false;
        }
        let mut grew = !std::mem::replace(&mut self.is_reached, true);
        for space in &mut self.spaces {
            let mut evaluation = Evaluation::new(terms, state);
            if space.points.is_empty() || !space.equations.iter().all(|equation| evaluation.holds(*equation))
            {
                let point = space.terms.iter().map(|term| evaluation.value(*term) as u64).collect();
                space.join(terms, point);
                grew = true;
            }
        }
        grew
    }

    /// A state that lies in the spaces.
    fn between(
        &self,
        at: VertexId,
        data: &[Vec<Term>],
        walker: &mut Walker<'_>,
        terms: &Terms,
    ) -> Option<State> {
        if self.spaces.is_empty() || self.spaces.iter().any(|space| space.points.is_empty()) {
            return None;
        }
        let spaces: Vec<(&[Term], &[Vec<u64>])> =
            self.spaces.iter().map(|space| (&space.terms[..], &space.points[..])).collect();
        let arrays = data[at as usize].iter().copied().filter(|variable| terms.is_array(*variable));
        Some(walker.between(terms, at, &spaces, arrays))
    }

    fn equations(&self) -> Vec<Term> {
        self.spaces.iter().flat_map(|space| space.equations.iter().copied()).collect()
    }
}

/// The values that were found at each vertex, and the vertices whose steps are still to
/// be followed. It can be put aside and taken up again.
pub struct Spaces {
    known: Vec<Known>,
    /// The vertices in the order in which they are followed, and their places in it.
    order: Vec<VertexId>,
    rank: Vec<usize>,
    queue: BTreeSet<usize>,
}

impl Spaces {
    /// Nothing is known yet but that values occur; these terms are looked at.
    pub fn new(
        product: &Product,
        columns: &[Vec<Term>],
        samples: &[Vec<State>],
        terms: &mut Terms,
    ) -> Spaces {
        let order = product.topological();
        let mut rank = vec![0; columns.len()];
        order.iter().enumerate().for_each(|(index, vertex)| rank[*vertex as usize] = index);
        let mut known: Vec<Known> = columns.iter().map(|columns| Known::new(terms, columns)).collect();
        for (known, samples) in known.iter_mut().zip(samples) {
            for state in samples {
                known.take_up(state, terms);
            }
        }
        let queue = (0..columns.len()).filter(|index| known[order[*index] as usize].is_reached).collect();
        Spaces { known, order, rank, queue }
    }

    /// Takes up the values of a state. Yields whether there was anything new.
    fn take_up(&mut self, state: &State, terms: &mut Terms) -> bool {
        let grew = self.known[state.at as usize].take_up(state, terms);
        if grew {
            self.queue.insert(self.rank[state.at as usize]);
        }
        grew
    }

    /// Says no longer that an equation holds at a vertex.
    fn drop(&mut self, vertex: VertexId, space: usize, equation: usize, terms: &mut Terms) {
        self.known[vertex as usize].spaces[space].drop(terms, equation);
        self.queue.insert(self.rank[vertex as usize]);
    }

    /// Says nothing about a vertex any more.
    fn give_up(&mut self, vertex: VertexId) {
        let known = &mut self.known[vertex as usize];
        (known.is_reached, known.spaces) = (true, Vec::new());
        self.queue.insert(self.rank[vertex as usize]);
    }

    /// The equations at each vertex, if at the first one these conditions hold. They are
    /// inductive once all steps were followed.
    pub fn equations(&self, initial: &[Term], terms: &mut Terms) -> Invariants {
        let never = terms.boolean(false);
        let of = |known: &Known| if known.is_reached { known.equations() } else { vec![never] };
        let mut invariants: Invariants = self.known.iter().map(of).collect();
        invariants[0] = initial.to_vec();
        invariants
    }
}

/// Finds the equations between the terms that are given for each vertex.
pub struct Affine<'a> {
    /// The product.
    pub product: &'a Product,
    /// The variables of each vertex.
    pub data: &'a [Vec<Term>],
    /// What is known to hold at each vertex besides.
    pub background: &'a Invariants,
    /// The terms.
    pub terms: &'a mut Terms,
    /// The solver.
    pub prover: &'a mut Prover,
    /// What it may cost.
    pub budget: &'a Budget,
}

impl<'a> Affine<'a> {
    /// Lets spaces grow until nothing leads out of them, if at the first vertex these
    /// conditions hold.
    pub fn grow(&mut self, spaces: &mut Spaces, initial: &[Term]) -> Result<(), NoAnswer> {
        let mut walker = Walker::new(self.product);
        if !spaces.known[0].is_reached
            && let Together::Possible(model) = self.prover.together(self.terms, initial)?
        {
            self.reach(spaces, 0, None, (&model, &mut walker));
        }
        while let Some(first) = spaces.queue.pop_first() {
            let from = spaces.order[first];
            for step in self.product.vertices[from as usize].moves.iter() {
                let Some(to) = step.to else { continue };
                if let Err(no_answer) = self.follow(spaces, (from, to, step), &mut walker) {
                    spaces.queue.insert(first);
                    return Err(no_answer);
                }
            }
        }
        Ok(())
    }

    /// Takes up what a step leads to that was not known.
    fn follow(
        &mut self,
        spaces: &mut Spaces,
        (from, to, step): (VertexId, VertexId, &Move),
        walker: &mut Walker<'a>,
    ) -> Result<(), NoAnswer> {
        loop {
            if self.budget.exceeded().is_some() {
                return Err(NoAnswer::Hard);
            }
            self.guess(spaces, (from, step), walker);
            let known = &spaces.known;
            let mut question = known[from as usize].equations();
            question.extend(&self.background[from as usize]);
            question.extend(&step.edge.guard);
            if known[to as usize].is_reached {
                let new = self.is_new(&known[to as usize], step);
                if self.terms.constant_value(new) == Some(0) {
                    return Ok(());
                }
                question.push(new);
            }
            match self.small_model(&mut question.clone())? {
                Some(Together::Impossible(_)) => return Ok(()),
                Some(Together::Possible(model)) => self.reach(spaces, to, Some(step), (&model, walker)),
                None if !spaces.known[to as usize].is_reached => {
                    match self.prover.together_within(HARD, self.terms, &question)? {
                        Some(Together::Impossible(_)) => return Ok(()),
                        Some(Together::Possible(model)) => {
                            self.reach(spaces, to, Some(step), (&model, walker));
                        }
                        None => spaces.give_up(to),
                    }
                }
                None => {
                    question.pop();
                    return self.drop_hard(spaces, &question, (to, step), walker);
                }
            }
        }
    }

    /// Asks of the equations one by one, where all together were too hard to ask, whether they
    /// hold after a step, and drops those of which that cannot be told.
    fn drop_hard(
        &mut self,
        spaces: &mut Spaces,
        before: &[Term],
        (to, step): (VertexId, &Move),
        walker: &mut Walker<'a>,
    ) -> Result<(), NoAnswer> {
        let mut images: FxHashMap<Term, Term> = step.edge.assignments.iter().copied().collect();
        for space in 0..spaces.known[to as usize].spaces.len() {
            let mut next = 0;
            while let Some(equation) = spaces.known[to as usize].spaces[space].equations.get(next) {
                let image = self.terms.substitute(*equation, &mut images);
                let negation = self.terms.not(image);
                let question = [before, &[negation]].concat();
                match self.prover.together_within(HARD, self.terms, &question)? {
                    Some(Together::Impossible(_)) => {
                        next += 1;
                        continue;
                    }
                    Some(Together::Possible(model)) => self.reach(spaces, to, Some(step), (&model, walker)),
                    None => spaces.drop(to, space, next, self.terms),
                }
                next = 0;
            }
        }
        Ok(())
    }

    /// A model with small values, if there is one, else any: the equations between small
    /// values have small factors.
    fn small_model(&mut self, question: &mut Vec<Term>) -> Result<Option<Together>, NoAnswer> {
        let any = match self.prover.together_if_easy(self.terms, question)? {
            Some(Together::Possible(model)) => Together::Possible(model),
            other => return Ok(other),
        };
        let mut variables: Vec<Term> =
            question.iter().flat_map(|term| self.terms.variables_in(*term)).collect();
        variables.extend(self.elements(question));
        variables.sort_unstable();
        variables.dedup();
        variables.retain(|variable| self.terms.width(*variable) > 4 && !self.terms.is_array(*variable));
        for variable in variables {
            let width = self.terms.width(variable);
            let (offset, bound) = (self.terms.constant(width, 4), self.terms.constant(width, 12));
            let shifted = self.terms.add(variable, offset);
            question.push(self.terms.ult(shifted, bound));
        }
        match self.prover.together_if_easy(self.terms, question)? {
            Some(Together::Possible(model)) => Ok(Some(Together::Possible(model))),
            _ => Ok(Some(any)),
        }
    }

    /// The elements of arrays that occur in conditions.
    fn elements(&self, conditions: &[Term]) -> Vec<Term> {
        let all = self.terms.subterms(conditions.iter().copied()).into_iter();
        all.filter(|term| self.terms.node(*term).op == Op::Select).collect()
    }

    /// That one of the equations does not hold after a step.
    fn is_new(&mut self, known: &Known, step: &Move) -> Term {
        let mut images: FxHashMap<Term, Term> = step.edge.assignments.iter().copied().collect();
        let mut negations = Vec::new();
        for equation in known.equations() {
            let before = self.terms.substitute(equation, &mut images);
            negations.push(self.terms.not(before));
        }
        self.terms.any(negations)
    }

    /// Tries the step from points of the space that were not seen: what they lead to would
    /// otherwise take questions to the solver.
    fn guess(&mut self, spaces: &mut Spaces, (from, step): (VertexId, &Move), walker: &mut Walker<'a>) {
        let mut left = GUESSES;
        while left > 0 {
            left -= 1;
            let Some(mut state) = spaces.known[from as usize].between(from, self.data, walker, self.terms)
            else {
                return;
            };
            // Elements at the same index may have been given different values.
            if state.fulfils(&spaces.known[from as usize].equations(), self.terms)
                && state.fulfils(&self.background[from as usize], self.terms)
                && walker.take(self.terms, step, &mut state)
                && spaces.take_up(&state, self.terms)
            {
                left = GUESSES;
            }
        }
    }

    /// Adds the values after a step, and those that executions find from there: each of
    /// them would otherwise take questions to the solver.
    fn reach(
        &mut self,
        spaces: &mut Spaces,
        to: VertexId,
        step: Option<&Move>,
        (model, walker): (&Model, &mut Walker<'a>),
    ) {
        let start = State::after(step, model, (to, &self.data[to as usize]), self.terms);
        spaces.take_up(&start, self.terms);
        for _ in 0..WALKS {
            let (mut state, mut idle) = (start.clone(), 0);
            walker.begin(true);
            while idle < IDLE && walker.step(self.terms, &mut state) {
                idle = if spaces.take_up(&state, self.terms) { 0 } else { idle + 1 };
            }
        }
    }
}
