//! Solvers against evaluation, and their levels, cores and limits.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use logic::testing::{BINARY, Pool, Random};
use logic::{Answer, Arith, Evaluation, Limits, Op, Solver, SolverKind, Term, Terms, Z3, open, script};

fn solvers() -> Vec<Box<dyn Solver>> {
    SolverKind::ALL.into_iter().map(|kind| open(kind).expect("both solvers are there")).collect()
}

fn is_sat(solver: &mut dyn Solver, terms: &Terms, assumptions: &[Term]) -> bool {
    match solver.check(terms, assumptions).expect("no wrong model") {
        Answer::Sat(_) => true,
        Answer::Unsat(_) => false,
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}

/// For given values of the arguments the result is the evaluator's and no other.
#[test]
fn operations_agree_with_evaluation() {
    let mut random = Random::new(1);
    for round in 0..240 {
        let mut terms = Terms::new();
        for mut solver in solvers() {
            let hard = matches!(BINARY[round % BINARY.len()], Op::Mul | Op::UDiv | Op::URem);
            let widths = [1, 2, 3, 5, 8, 13, 32, 64, 128];
            let width = random.pick(if hard { &widths[..7] } else { &widths });
            let (x, y) = (terms.variable(width, "x"), terms.variable(width, "y"));
            let op = BINARY[round % BINARY.len()];
            let of = if matches!(op, Op::Eq | Op::Ult | Op::Slt) { 1 } else { width };
            let result = terms.raw(op, of, 0, &[x, y]);
            let (a, b) = (random.bits(width), random.bits(width));
            let assignment = |variable| if variable == x { a } else { b };
            let expected = Evaluation::new(&terms, assignment).value(result);
            let (a, b, expected) =
                (terms.constant(width, a), terms.constant(width, b), terms.constant(of, expected));
            let facts = [terms.eq(x, a), terms.eq(y, b), terms.eq(result, expected)];
            assert!(is_sat(&mut *solver, &terms, &facts), "{op:?} {width}");
            let other = [facts[0], facts[1], terms.not(facts[2])];
            assert!(!is_sat(&mut *solver, &terms, &other), "{op:?} {width}");
        }
    }
}

/// Random queries have the same answer from every solver.
#[test]
fn solvers_agree() {
    compare_solvers(120, Pool::new);
}

#[test]
fn solvers_agree_on_arrays() {
    compare_solvers(60, Pool::with_arrays);
}

fn compare_solvers(seeds: u64, pool: fn(&mut Terms, &[u8]) -> Pool) {
    let mut satisfiable = [0, 0];
    for seed in 0..seeds {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let mut pool = pool(&mut terms, &[3, 8, 16]);
        let mut solvers = solvers();
        for round in 0..40 {
            pool.grow(&mut terms, &mut random);
            if round < 10 {
                continue;
            }
            let width = random.pick(&[3, 8, 16]);
            let (a, b) = (
                pool.of_width(&mut terms, &mut random, width),
                pool.of_width(&mut terms, &mut random, width),
            );
            let equal = terms.eq(a, b);
            let bit = pool.of_width(&mut terms, &mut random, 1);
            let query = [equal, bit];
            let answers: Vec<bool> =
                solvers.iter_mut().map(|solver| is_sat(&mut **solver, &terms, &query)).collect();
            assert!(answers.iter().all(|answer| *answer == answers[0]), "seed {seed}: {answers:?}");
            satisfiable[usize::from(answers[0])] += 1;
            match random.below(4) {
                0 => solvers.iter_mut().for_each(|solver| solver.push()),
                1 if answers[0] => solvers.iter_mut().for_each(|solver| solver.assert(&terms, equal)),
                _ => {}
            }
        }
    }
    assert!(satisfiable.iter().all(|count| *count > 4 * seeds), "{satisfiable:?}");
}

#[test]
fn levels_and_cores() {
    for mut solver in solvers() {
        let mut terms = Terms::new();
        let x = terms.variable(32, "x");
        let limit = |terms: &mut Terms, bound| {
            let bound = terms.constant(32, bound);
            terms.ult(x, bound)
        };
        let (small, tiny) = (limit(&mut terms, 100), limit(&mut terms, 10));
        let (large, unrelated) = (terms.not(tiny), limit(&mut terms, 1 << 31));
        solver.assert(&terms, small);
        assert!(is_sat(&mut *solver, &terms, &[]));
        solver.push();
        solver.assert(&terms, large);
        let Ok(Answer::Sat(model)) = solver.check(&terms, &[]) else { panic!("satisfiable") };
        assert!((10..100).contains(&model.get(x)));
        let Ok(Answer::Unsat(core)) = solver.check(&terms, &[unrelated, tiny]) else {
            panic!("unsatisfiable")
        };
        assert_eq!(core, [tiny]);
        solver.push();
        solver.assert(&terms, tiny);
        assert!(!is_sat(&mut *solver, &terms, &[]));
        solver.pop();
        assert!(is_sat(&mut *solver, &terms, &[]));
        solver.pop();
        assert!(is_sat(&mut *solver, &terms, &[tiny]));
        assert!(!is_sat(&mut *solver, &terms, &[tiny, large]));
        assert_eq!(solver.statistics().checks, 7);
        assert_eq!(solver.statistics().satisfiable, 4);
    }
}

/// The factors of a product of two large primes: too hard for the time given.
fn hard(terms: &mut Terms) -> Term {
    let (x, y) = (terms.variable(64, "x"), terms.variable(64, "y"));
    let (wide_x, wide_y) = (terms.zext(x, 128), terms.zext(y, 128));
    let product = terms.mul(wide_x, wide_y);
    let number = terms.constant(128, 0x9600_a35a_0999_50d9 * 0x90c1_92cf_d3ac_94af);
    let one = terms.constant(64, 1);
    let (found, x_large, y_large) = (terms.eq(product, number), terms.ult(one, x), terms.ult(one, y));
    terms.all([found, x_large, y_large])
}

#[test]
fn limits_end_a_check() {
    for mut solver in solvers() {
        let mut terms = Terms::new();
        let hard = hard(&mut terms);
        let started = Instant::now();
        let unknown =
            |solver: &mut dyn Solver| matches!(solver.check(&terms, &[hard]), Ok(Answer::Unknown(_)));
        solver.limit(Limits { deadline: Some(started + Duration::from_millis(300)), ..Limits::default() });
        assert!(unknown(&mut *solver));
        solver.limit(Limits { conflicts: Some(50), ..Limits::default() });
        assert!(unknown(&mut *solver));
        let flag = Arc::new(AtomicBool::new(false));
        solver.limit(Limits { interrupt: Some(Arc::clone(&flag)), ..Limits::default() });
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                flag.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            assert!(unknown(&mut *solver));
        });
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
        solver.limit(Limits::default());
        let easy = terms.boolean(true);
        assert!(is_sat(&mut *solver, &terms, &[easy]));
    }
}

/// What is printed means what was asserted: Z3 reads it and answers as the
/// bit-blaster does.
#[test]
fn scripts_mean_what_they_print() {
    let mut answers = [0, 0];
    for seed in 0..80 {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let new = if seed < 60 { Pool::new } else { Pool::with_arrays };
        let mut pool = new(&mut terms, &[3, 8, 16]);
        for _ in 0..25 {
            pool.grow(&mut terms, &mut random);
        }
        let facts: Vec<Term> = (0..4).map(|_| pool.of_width(&mut terms, &mut random, 1)).collect();
        let mut solver = open(SolverKind::Cadical).expect("built in");
        let expected = is_sat(&mut *solver, &terms, &facts);
        let printed = Z3::new().and_then(|mut z3| z3.run_script(&script(&terms, &facts)));
        assert_eq!(
            printed.as_deref().map(str::trim),
            Ok(if expected { "sat" } else { "unsat" }),
            "seed {seed}"
        );
        answers[usize::from(expected)] += 1;
    }
    assert!(answers.iter().all(|count| *count > 5), "{answers:?}");
}

/// Derived operations against the arithmetic of the language.
#[test]
fn derived_operations() {
    let mut random = Random::new(7);
    for _ in 0..20_000 {
        let mut terms = Terms::new();
        let width = random.pick(&[2, 5, 8, 16, 32, 64]);
        let (x, y) = (terms.variable(width, "x"), terms.variable(width, "y"));
        let mask = (1u128 << width) - 1;
        let (a, b) = (random.bits(width) & mask, random.bits(width) & mask);
        let signed = |bits: u128| ((bits << (128 - width)) as i128) >> (128 - width);
        let (sa, sb) = (signed(a), signed(b));
        let fits = |exact: i128| signed(exact as u128 & mask) == exact;
        let in_range = |exact: i128| exact >= 0 && exact as u128 <= mask;
        let flag = |overflows: bool| u128::from(overflows);
        let bits = width.into();
        let mut expected = vec![
            (terms.overflows(Arith::Add, true, x, y), flag(!fits(sa + sb))),
            (terms.overflows(Arith::Sub, true, x, y), flag(!fits(sa - sb))),
            (terms.overflows(Arith::Mul, true, x, y), flag(sa.checked_mul(sb).is_none_or(|p| !fits(p)))),
            (terms.overflows(Arith::Add, false, x, y), flag(!in_range(a as i128 + b as i128))),
            (terms.overflows(Arith::Sub, false, x, y), flag(!in_range(a as i128 - b as i128))),
            (terms.overflows(Arith::Mul, false, x, y), flag(a * b > mask)),
            (terms.umin(x, y), a.min(b)),
            (terms.umax(x, y), a.max(b)),
            (terms.smin(x, y), sa.min(sb) as u128 & mask),
            (terms.smax(x, y), sa.max(sb) as u128 & mask),
            (terms.abs(x), sa.wrapping_abs() as u128 & mask),
            (terms.count_ones(x), u128::from(a.count_ones()) & mask),
            (terms.leading_zeros(x), u128::from(a.leading_zeros() - (128 - bits)) & mask),
            (terms.trailing_zeros(x), u128::from(a.trailing_zeros().min(bits)) & mask),
            (terms.reverse(x, 1), a.reverse_bits() >> (128 - width)),
        ];
        if b != 0 {
            expected.push((terms.sdiv(x, y), (sa / sb) as u128 & mask));
            expected.push((terms.srem(x, y), (sa % sb) as u128 & mask));
        }
        let mut evaluation = Evaluation::new(&terms, |variable| if variable == x { a } else { b });
        for (index, (term, value)) in expected.into_iter().enumerate() {
            assert_eq!(evaluation.value(term), value, "operation {index} on {sa} and {sb}, {width} bits");
        }
    }
}

/// Overflow of products that have no room to be exact.
#[test]
fn wide_products() {
    let mut random = Random::new(9);
    for _ in 0..20_000 {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable(128, "x"), terms.variable(128, "y"));
        let (a, b) = (random.bits(128) >> random.below(100), random.bits(128) >> random.below(100));
        let unsigned = terms.overflows(Arith::Mul, false, x, y);
        let signed = terms.overflows(Arith::Mul, true, x, y);
        let mut evaluation = Evaluation::new(&terms, |variable| if variable == x { a } else { b });
        assert_eq!(evaluation.holds(unsigned), a.checked_mul(b).is_none(), "{a} * {b}");
        assert_eq!(evaluation.holds(signed), (a as i128).checked_mul(b as i128).is_none(), "{a} * {b}");
    }
}
