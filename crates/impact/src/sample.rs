//! Values of data that occur: executions of the product on random inputs.
//!
//! They show which candidates for invariants are wrong, without a solver.

use logic::testing::Random;
use logic::{ArrayValue, Assignment, Evaluation, Term, Terms};
use rustc_hash::FxHashMap;

use crate::product::{Product, VertexId};

/// Values of variables.
pub type Values = FxHashMap<Term, u128>;

/// So many executions are tried, of so many steps.
const EXECUTIONS: usize = 400;
const STEPS: usize = 300;

/// No more values than these are kept for a vertex.
const MOST: usize = 40;

/// Values that occur at each vertex, from values at the first one.
pub fn sample(product: &Product, start: &Values, terms: &Terms) -> Vec<Vec<Values>> {
    let mut samples = vec![Vec::new(); product.vertices.len()];
    let mut random = Random::new(0x5eed);
    for round in 0..EXECUTIONS {
        let small = round % 4 != 3;
        execute(product, start.clone(), terms, (&mut random, small), &mut samples);
    }
    samples
}

struct Both<'a> {
    values: &'a Values,
    arrays: &'a FxHashMap<Term, ArrayValue>,
}

impl Assignment for &Both<'_> {
    fn value_of(&self, variable: Term) -> u128 {
        self.values.get(&variable).copied().unwrap_or(0)
    }

    fn array_of(&self, variable: Term) -> &ArrayValue {
        self.arrays.get(&variable).unwrap_or(ArrayValue::zeros())
    }
}

fn execute(
    product: &Product,
    mut values: Values,
    terms: &Terms,
    (random, small): (&mut Random, bool),
    samples: &mut [Vec<Values>],
) {
    let mut at: VertexId = 0;
    let mut arrays: FxHashMap<Term, ArrayValue> = FxHashMap::default();
    for _ in 0..STEPS {
        let moves = &product.vertices[at as usize].moves;
        if moves.is_empty() {
            return;
        }
        let first = random.below(moves.len() as u64) as usize;
        let mut taken = None;
        for step in moves[first..].iter().chain(&moves[..first]) {
            for input in &step.edge.inputs {
                if terms.is_array(*input) {
                    arrays.insert(*input, ArrayValue::filled(u128::from(random.below(2))));
                    continue;
                }
                let width = terms.width(*input);
                let number = if small { random.below(5) } else { random.bits(64) as u64 };
                let number = u128::from(number) & (u128::MAX >> (128 - width));
                values.insert(*input, number);
            }
            let both = Both { values: &values, arrays: &arrays };
            let mut evaluation = Evaluation::new(terms, &both);
            if step.edge.guard.iter().all(|guard| evaluation.holds(*guard)) {
                let (of_arrays, of_numbers): (Vec<_>, Vec<_>) =
                    step.edge.assignments.iter().partition(|(v, _)| terms.is_array(*v));
                let of_arrays: Vec<(Term, ArrayValue)> =
                    of_arrays.into_iter().map(|(v, value)| (v, evaluation.array(value))).collect();
                let of_numbers: Vec<(Term, u128)> =
                    of_numbers.into_iter().map(|(v, value)| (v, evaluation.value(value))).collect();
                taken = Some((step, of_numbers, of_arrays));
                break;
            }
        }
        let Some((step, new, new_arrays)) = taken else { return };
        values.extend(new);
        arrays.extend(new_arrays);
        let Some(to) = step.to else { return };
        at = to;
        let known = &mut samples[at as usize];
        if known.len() < MOST {
            known.push(values.clone());
        }
    }
}
