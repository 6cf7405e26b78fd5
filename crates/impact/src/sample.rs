//! Values of data that occur: executions of the product on random inputs.
//!
//! They show which candidates for invariants are wrong, without a solver.

use bits::wide::mask;
use logic::testing::Random;
use logic::{ArrayValue, Assignment, Evaluation, Model, Op, Term, Terms};
use rustc_hash::FxHashMap;

use crate::product::{Move, Product, VertexId};

/// Values of variables.
pub type Values = FxHashMap<Term, u128>;

/// So many executions are tried, of so many steps, and no more steps than this in all.
const EXECUTIONS: usize = 400;
const STEPS: usize = 300;
const ALL_STEPS: usize = 20_000;

/// So often other inputs are tried for a step that is not possible with the first ones.
const TRIES: usize = 4;

/// No more states than these are kept for a vertex.
const MOST: usize = 40;

/// States that occur at each vertex, from values at the first one.
pub fn sample(product: &Product, start: &Values, terms: &Terms) -> Vec<Vec<State>> {
    let mut samples: Vec<Vec<State>> = vec![Vec::new(); product.vertices.len()];
    let mut walker = Walker::new(product);
    let mut left = ALL_STEPS;
    for round in 0..EXECUTIONS {
        walker.begin(round % 4 != 3);
        let mut state = State { at: 0, values: start.clone(), arrays: FxHashMap::default() };
        for _ in 0..STEPS.min(left) {
            left -= 1;
            if !walker.step(terms, &mut state) {
                break;
            }
            let known = &mut samples[state.at as usize];
            if known.len() < MOST {
                known.push(state.clone());
            }
        }
    }
    samples
}

/// Where an execution is.
#[derive(Clone)]
pub struct State {
    /// The vertex.
    pub at: VertexId,
    values: Values,
    arrays: FxHashMap<Term, ArrayValue>,
}

impl State {
    /// Whether these conditions hold.
    pub fn fulfils(&self, conditions: &[Term], terms: &Terms) -> bool {
        let mut evaluation = Evaluation::new(terms, self);
        conditions.iter().all(|condition| evaluation.holds(*condition))
    }

    /// Gives the elements of arrays the values that are known of them.
    fn put_elements(&mut self, terms: &Terms) {
        let known = |(term, value): (&Term, &u128)| {
            let node = terms.node(*term);
            (node.op == Op::Select).then(|| (node.args()[0], node.args()[1], *value))
        };
        let elements: Vec<(Term, Term, u128)> = self.values.iter().filter_map(known).collect();
        for (array, index, value) in elements {
            let index = Evaluation::new(terms, &*self).value(index) as u64;
            self.arrays.entry(array).or_default().set(index, value);
        }
    }

    /// Whether it says the values of all these numbers.
    pub fn tells(&self, mut numbers: impl Iterator<Item = Term>) -> bool {
        numbers.all(|number| self.values.contains_key(&number))
    }

    /// The state after a step from what a model says to a vertex with these variables, or at
    /// the vertex as the model says.
    pub fn after(
        step: Option<&Move>,
        model: &Model,
        (at, variables): (VertexId, &[Term]),
        terms: &Terms,
    ) -> State {
        let images: FxHashMap<Term, Term> =
            step.map(|step| step.edge.assignments.iter().copied().collect()).unwrap_or_default();
        let mut state = State { at, values: Values::default(), arrays: FxHashMap::default() };
        let mut evaluation = Evaluation::new(terms, model);
        for variable in variables {
            let before = images.get(variable).copied().unwrap_or(*variable);
            match terms.is_array(*variable) {
                true => _ = state.arrays.insert(*variable, evaluation.array(before)),
                false => _ = state.values.insert(*variable, evaluation.value(before)),
            }
        }
        state
    }
}

impl Assignment for &State {
    fn value_of(&self, variable: Term) -> u128 {
        self.values.get(&variable).copied().unwrap_or(0)
    }

    fn array_of(&self, variable: Term) -> &ArrayValue {
        self.arrays.get(&variable).unwrap_or(ArrayValue::zeros())
    }
}

/// Executes steps at random, and rather those that lead where it has seldom been.
pub struct Walker<'a> {
    product: &'a Product,
    random: Random,
    visits: Vec<u32>,
    /// Whether inputs have small values.
    small: bool,
    /// The value that most inputs have, if one is preferred.
    favourite: Option<u64>,
}

impl<'a> Walker<'a> {
    /// One that has been nowhere.
    pub fn new(product: &'a Product) -> Walker<'a> {
        let visits = vec![0; product.vertices.len()];
        Walker { product, random: Random::new(0x5eed), visits, small: true, favourite: None }
    }

    /// Begins an execution, with small values or with any. In every second one most inputs have
    /// the same value: programs often assume that several are equal.
    pub fn begin(&mut self, small: bool) {
        self.small = small;
        self.favourite = (self.random.below(2) == 0).then(|| self.random.below(6) / 2);
    }

    /// Executes one step. Yields whether it led to a vertex.
    pub fn step(&mut self, terms: &Terms, state: &mut State) -> bool {
        let moves = &self.product.vertices[state.at as usize].moves;
        for index in self.order(moves) {
            if self.take(terms, &moves[index], state) {
                return moves[index].to.is_some();
            }
        }
        false
    }

    /// Takes a step, if inputs are found with which it is possible.
    pub fn take(&mut self, terms: &Terms, step: &Move, state: &mut State) -> bool {
        let tries = if step.edge.inputs.is_empty() { 1 } else { TRIES };
        for _ in 0..tries {
            self.choose(terms, step, state);
            if execute(terms, step, state) {
                if let Some(to) = step.to {
                    state.at = to;
                    self.visits[to as usize] += 1;
                }
                return true;
            }
        }
        false
    }

    /// A state at a vertex that lies on the lines through points, each of which says the values
    /// of some numbers and elements; all other elements of an array are the same.
    pub fn between(
        &mut self,
        terms: &Terms,
        at: VertexId,
        spaces: &[(&[Term], &[Vec<u64>])],
        arrays: impl Iterator<Item = Term>,
    ) -> State {
        let mut state = State { at, values: Values::default(), arrays: FxHashMap::default() };
        for (numbers, points) in spaces {
            let mut point = self.one_of(points).to_vec();
            for _ in 0..2 {
                let (factor, from, to) = (self.random.below(4), self.one_of(points), self.one_of(points));
                for (value, (from, to)) in point.iter_mut().zip(from.iter().zip(to)) {
                    *value = value.wrapping_add(factor.wrapping_mul(to.wrapping_sub(*from)));
                }
            }
            for (number, value) in numbers.iter().zip(point) {
                state.values.insert(*number, u128::from(value) & mask(terms.width(*number)));
            }
        }
        let filled = |array| (array, ArrayValue::filled(u128::from(self.random.below(4))));
        state.arrays.extend(arrays.map(filled));
        state.put_elements(terms);
        state
    }

    fn one_of<'p>(&mut self, points: &'p [Vec<u64>]) -> &'p [u64] {
        &points[self.random.below(points.len() as u64) as usize]
    }

    /// The steps in the order in which they are tried: every second time those first that lead
    /// where it has seldom been.
    fn order(&mut self, moves: &[Move]) -> Vec<usize> {
        let first = self.random.below(moves.len().max(1) as u64) as usize;
        let mut order: Vec<usize> = (first..moves.len()).chain(0..first).collect();
        if self.random.below(2) == 0 {
            order.sort_by_key(|index| moves[*index].to.map_or(u32::MAX, |to| self.visits[to as usize]));
        }
        order
    }

    /// Chooses the inputs of a step.
    fn choose(&mut self, terms: &Terms, step: &Move, state: &mut State) {
        for input in &step.edge.inputs {
            if terms.is_array(*input) {
                let element = u128::from(self.random.below(2));
                state.arrays.insert(*input, ArrayValue::filled(element));
                continue;
            }
            let width = terms.width(*input);
            let number = match (self.random.below(8), self.favourite) {
                (1.., Some(favourite)) => favourite,
                _ if !self.small => self.random.bits(64) as u64,
                (0, _) => 0u64.wrapping_sub(1 + self.random.below(3)),
                (1 | 2, _) => self.seen(terms, width, state),
                _ => self.random.below(5),
            };
            state.values.insert(*input, u128::from(number) & mask(width));
        }
    }

    /// The value of something of this width: inputs are often to be the same.
    fn seen(&mut self, terms: &Terms, width: u8, state: &State) -> u64 {
        let of_width = |(variable, _): &(&Term, &u128)| terms.width(**variable) == width;
        let count = state.values.iter().filter(of_width).count();
        let chosen = self.random.below(count.max(1) as u64) as usize;
        state.values.iter().filter(of_width).nth(chosen).map_or(0, |(_, value)| *value as u64)
    }
}

/// Takes a step if it is possible with the inputs that were chosen.
fn execute(terms: &Terms, step: &Move, state: &mut State) -> bool {
    let mut evaluation = Evaluation::new(terms, &*state);
    if !step.edge.guard.iter().all(|guard| evaluation.holds(*guard)) {
        return false;
    }
    let (mut numbers, mut arrays) = (Vec::new(), Vec::new());
    for (variable, value) in &step.edge.assignments {
        match terms.is_array(*variable) {
            true => arrays.push((*variable, evaluation.array(*value))),
            false => numbers.push((*variable, evaluation.value(*value))),
        }
    }
    state.values.extend(numbers);
    state.arrays.extend(arrays);
    true
}
