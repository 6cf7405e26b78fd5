//! Rewritten terms on arrays mean what they meant.

use bits::wide::mask;

use crate::testing::{Pool, Random, build};
use crate::{Answer, ArrayValue, Assignment, Evaluation, Op, Solver, Term, Terms, Z3};

/// Values that a number determines.
struct Salted<'a> {
    terms: &'a Terms,
    salt: u64,
    arrays: Vec<(Term, ArrayValue)>,
}

impl Salted<'_> {
    fn new(terms: &Terms, salt: u64) -> Salted<'_> {
        let mut random = Random::new(salt);
        let arrays = terms.variables().iter().filter(|variable| terms.is_array(**variable));
        let arrays = arrays.map(|array| (*array, random_array(&mut random, terms.width(*array)))).collect();
        Salted { terms, salt, arrays }
    }
}

fn random_array(random: &mut Random, width: u8) -> ArrayValue {
    let mut value = ArrayValue::filled(random.bits(width) & mask(width));
    for index in 0..random.below(6) {
        value.set(index, random.bits(width) & mask(width));
    }
    value
}

impl Assignment for &Salted<'_> {
    fn value_of(&self, variable: Term) -> u128 {
        Random::new(self.salt ^ u64::from(variable.number())).bits(self.terms.width(variable))
    }

    fn array_of(&self, variable: Term) -> &ArrayValue {
        &self.arrays.iter().find(|(array, _)| *array == variable).expect("an array variable").1
    }
}

/// A random operation, rewritten and as it stands.
fn both(terms: &mut Terms, pool: &mut Pool, random: &mut Random) -> (Term, Term, Op) {
    let (op, width, low, args) = pool.operation(terms, random);
    let term = build(terms, op, width, low, &args);
    let raw = terms.raw(op, width, low, &args);
    pool.members.push(term);
    pool.grow_arrays(terms, random);
    (term, raw, op)
}

#[test]
fn rewriting_keeps_values() {
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let mut pool = Pool::with_arrays(&mut terms, &[3, 8]);
        for _ in 0..40 {
            let (term, raw, op) = both(&mut terms, &mut pool, &mut random);
            for _ in 0..4 {
                let assignment = Salted::new(&terms, random.number());
                let mut evaluation = Evaluation::new(&terms, &assignment);
                assert_eq!(evaluation.value(term), evaluation.value(raw), "{op:?}, seed {seed}");
            }
        }
    }
}

/// An array term has the elements that are selected from it.
#[test]
fn array_values_have_the_elements() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let mut pool = Pool::with_arrays(&mut terms, &[3, 8]);
        for _ in 0..20 {
            pool.grow(&mut terms, &mut random);
        }
        let indices: Vec<Term> = (0..9).map(|index| terms.constant(64, index)).collect();
        for array in pool.arrays.clone() {
            let elements: Vec<Term> = indices.iter().map(|index| terms.select(array, *index)).collect();
            let assignment = Salted::new(&terms, seed);
            let mut evaluation = Evaluation::new(&terms, &assignment);
            let value = evaluation.array(array);
            for (index, element) in (0..).zip(elements) {
                assert_eq!(evaluation.value(element), value.get(index), "seed {seed}");
            }
        }
    }
}

/// Z3 has arrays of its own, which know nothing of the rewriting. (It gives up on
/// those with one element everywhere, which it is not shown otherwise.)
#[test]
fn rewriting_is_proven() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let mut pool = Pool::with_arrays(&mut terms, &[2, 3]);
        let mut solver = Z3::new().expect("Z3 is there");
        for _ in 0..30 {
            pool.arrays.retain(|array| terms.node(*array).op != Op::Fill);
            let (term, raw, op) = both(&mut terms, &mut pool, &mut random);
            let equal = terms.raw(Op::Eq, 1, 0, &[raw, term]);
            let differ = terms.raw(Op::Not, 1, 0, &[equal]);
            let answer = solver.check(&terms, &[differ]).expect("no complaint");
            assert!(matches!(answer, Answer::Unsat(_)), "{op:?}, seed {seed}: {answer:?}");
        }
    }
}

#[test]
fn what_is_stored_is_found() {
    let mut terms = Terms::new();
    let array = terms.array(32, "a");
    let [i, j] = ["i", "j"].map(|name| terms.variable(64, name));
    let [x, y] = ["x", "y"].map(|name| terms.variable(32, name));
    let stored = terms.store(array, i, x);
    assert_eq!(terms.select(stored, i), x);
    let (same, element) = (terms.eq(i, j), terms.select(array, j));
    let expected = terms.ite(same, x, element);
    assert_eq!(terms.select(stored, j), expected);
    // What is overwritten is gone, and what stands there already changes nothing.
    let again = terms.store(stored, i, y);
    assert_eq!(again, terms.store(array, i, y));
    assert_eq!(terms.store(array, j, element), array);
    let one = terms.constant(64, 1);
    let next = terms.add(i, one);
    let element = terms.select(array, next);
    assert_eq!(terms.select(stored, next), element);
    let zeros = terms.fill(x);
    assert_eq!(terms.select(zeros, j), x);
}

#[test]
fn arrays_are_substituted() {
    let mut terms = Terms::new();
    let [a, b] = ["a", "b"].map(|name| terms.array(8, name));
    let [i, j] = ["i", "j"].map(|name| terms.variable(64, name));
    let five = terms.constant(8, 5);
    let element = terms.select(a, i);
    let is_five = terms.eq(element, five);
    assert_eq!(terms.variables_in(is_five), [a, i]);
    let other = terms.variable_like(a, "c");
    assert!(terms.is_array(other) && terms.width(other) == 8 && other != a);
    let stored = terms.store(b, j, five);
    let mut images = [(a, stored), (i, j)].into_iter().collect();
    let always = terms.substitute(is_five, &mut images);
    assert!(terms.is_true(always));
}
