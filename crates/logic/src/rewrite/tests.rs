//! Rewritten terms mean what they meant.

use crate::eval::{Evaluation, apply};
use crate::testing::{Pool, Random, build};
use crate::{Answer, BitBlaster, Op, Solver, Term, Terms};

const WIDTHS: [&[u8]; 5] = [&[1, 2, 3], &[4, 8], &[8, 16, 32], &[32, 64], &[64, 128]];

/// Builds random terms; each must have the value that its operation gives for
/// the values of its arguments, under several assignments, and the known bits
/// must be what they are said to be.
#[test]
fn rewriting_keeps_values() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let mut pool = Pool::new(&mut terms, WIDTHS[seed as usize % WIDTHS.len()]);
        for _ in 0..40 {
            let (op, width, low, args) = pool.operation(&mut terms, &mut random);
            let term = build(&mut terms, op, width, low, &args);
            assert_eq!(terms.width(term), width, "{op:?}");
            pool.members.push(term);
            for _ in 0..6 {
                let salt = random.number();
                compare(&terms, op, width, low, &args, term, salt);
            }
        }
    }
}

fn compare(terms: &Terms, op: Op, width: u8, low: u8, args: &[Term], term: Term, salt: u64) {
    let assignment =
        |variable: Term| Random::new(salt ^ u64::from(variable.number())).bits(terms.width(variable));
    let mut evaluation = Evaluation::new(terms, assignment);
    let values: Vec<(u128, u8)> =
        args.iter().map(|arg| (evaluation.value(*arg), terms.width(*arg))).collect();
    let value = evaluation.value(term);
    assert_eq!(value, apply(op, width, low, &values), "{op:?} of {values:?}");
    let known = terms.known(term);
    assert_eq!(value & known.zeros, 0, "{op:?} of {values:?}");
    assert_eq!(!value & known.ones, 0, "{op:?} of {values:?}");
}

/// On small widths, the solver proves that no assignment tells them apart.
#[test]
fn rewriting_is_proven_on_small_widths() {
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let mut pool = Pool::new(&mut terms, &[2, 3, 4]);
        let mut solver = BitBlaster::new();
        for _ in 0..40 {
            let (op, width, low, args) = pool.operation(&mut terms, &mut random);
            let term = build(&mut terms, op, width, low, &args);
            pool.members.push(term);
            let raw = terms.raw(op, width, low, &args);
            let equal = terms.raw(Op::Eq, 1, 0, &[raw, term]);
            let differ = terms.raw(Op::Not, 1, 0, &[equal]);
            let answer = solver.check(&terms, &[differ]).unwrap();
            assert!(matches!(answer, Answer::Unsat(_)), "{op:?}, seed {seed}");
        }
    }
}

#[test]
fn bytes_put_together_again_are_the_word() {
    let mut terms = Terms::new();
    let word = terms.variable(32, "w");
    let bytes: Vec<Term> = (0..4).map(|index| terms.extract(word, 8 * index, 8)).collect();
    let mut again = bytes[0];
    for byte in &bytes[1..] {
        again = terms.concat(*byte, again);
    }
    assert_eq!(again, word);
    let swapped = terms.reverse(word, 8);
    assert_ne!(swapped, word);
    assert_eq!(terms.reverse(swapped, 8), word);
}

#[test]
fn pointer_arithmetic_collects_constants() {
    let mut terms = Terms::new();
    let index = terms.variable(64, "i");
    let (four, eight) = (terms.constant(64, 4), terms.constant(64, 8));
    let scaled = terms.mul(index, four);
    let once = terms.add(scaled, eight);
    let twice = terms.add(once, four);
    let twelve = terms.constant(64, 12);
    assert_eq!(twice, terms.add(scaled, twelve));
    assert_eq!(terms.sub(twice, once), four);
    assert_eq!(terms.known_bit(twice, 0), Some(false));
    assert_eq!(terms.known_bit(twice, 1), Some(false));
}

#[test]
fn facts_about_one_term() {
    let mut terms = Terms::new();
    let x = terms.variable(8, "x");
    let (three, five) = (terms.constant(8, 3), terms.constant(8, 5));
    let (is_three, is_five) = (terms.eq(x, three), terms.eq(x, five));
    let both = terms.and(is_three, is_five);
    assert!(terms.is_false(both));
    let not_five = terms.not(is_five);
    assert_eq!(terms.and(is_three, not_five), is_three);
    let chosen = terms.ite(is_three, three, five);
    assert_eq!(terms.eq(chosen, three), is_three);
}

#[test]
fn a_conjunction_is_split_into_its_parts() {
    let mut terms = Terms::new();
    let bits = ["a", "b", "c"].map(|name| terms.variable(1, name));
    let either = terms.or(bits[0], bits[1]);
    let all = terms.all([bits[0], either, bits[2]]);
    let parts = terms.conjuncts(all);
    assert_eq!(terms.all(parts.iter().copied()), all);
    assert!(parts.contains(&bits[0]) && parts.contains(&bits[2]), "{parts:?}");
    assert_eq!(terms.conjuncts(either), [either]);
    let truth = terms.boolean(true);
    assert_eq!(terms.conjuncts(truth), []);
}
