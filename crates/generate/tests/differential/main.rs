//! Searches that should agree, on random programs.
//!
//! For each seed, a naive enumeration of the states, instruction by
//! instruction, says what the program can do; the reduced enumeration and the
//! reference engine, reduced and not, must say the same: which final states
//! there are, which faults and where, the verdict for each property on its own.
//! Random executions must not lead to anything else. Every counterexample must
//! replay. The explicit engine must agree with the reference, in every order and
//! with any number of threads. Threads with other numbers must do the same. The
//! stateless engine must agree too, and run every trace once. Symbolic execution
//! must lead to the same faults and final states, with inputs from their
//! narrowed domains and from all values; and so must the engine `bounded`.
//!
//! `THREADPROOF_SEEDS=1000..9000` runs those seeds instead of the usual ones,
//! `THREADPROOF_SEEDS=4711` one, and shows what it is about.

mod bounded;
mod bounded_reduction;
mod compare;
mod engines;
mod naive;
mod renamed;
mod stateless;
mod symbolic;
mod walk;

use std::panic::catch_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use generate::{Group, Shape, Test, shrink, sketch};

use compare::{Disagreement, Tally, compare, compare_reduction, compare_symbolically};

/// The seeds of an ordinary test run.
const SEEDS: std::ops::Range<u64> = 0..300;

/// The longest that an ordinary test run goes on to new seeds.
const TIME: Duration = Duration::from_secs(80);

/// How long a program may be made smaller.
const SHRINK_TIME: Duration = Duration::from_secs(120);

#[test]
fn reduced_and_unreduced_searches_agree() {
    let tally = run(compare, |_| Shape::default());
    if chosen_seeds() == SEEDS {
        tally.check_variety();
    }
}

#[test]
fn symbolic_and_concrete_searches_agree() {
    let tally = run(compare_symbolically, with_inputs);
    if chosen_seeds() == SEEDS {
        tally.check_symbolic();
    }
}

#[test]
fn bounded_and_reference_agree() {
    let tally = run(bounded::compare, with_inputs);
    if chosen_seeds() == SEEDS {
        tally.check_bounded();
    }
}

/// Inputs and what depends on them, with something else.
fn with_inputs(seed: u64) -> Shape {
    let groups = vec![Group::Choices, Group::Arithmetic, Group::ALL[seed as usize % 17]];
    Shape { threads: (1, 2), operations: (2, 5), groups }
}

#[test]
fn leaving_the_active_thread_alone_changes_nothing() {
    run(compare_reduction, |_| Shape::default());
}

type Compare = fn(&Test) -> Result<Tally, Disagreement>;

/// Compares searches on the programs of all seeds.
fn run(compare: Compare, shape: impl Fn(u64) -> Shape + Sync) -> Tally {
    let seeds = chosen_seeds();
    let next = AtomicU64::new(seeds.start);
    let start = Instant::now();
    let goes_on = |seed| seed < seeds.end && (seeds != SEEDS || start.elapsed() < TIME);
    let results = Mutex::new((Tally::default(), Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if !goes_on(seed) {
                        break;
                    }
                    let test = sketch(seed, &shape(seed));
                    let result = compare_safely(compare, &test);
                    let mut results = results.lock().unwrap();
                    match result {
                        Ok(tally) => results.0.add(&tally),
                        Err(disagreement) => {
                            // At once: a long run may be watched.
                            eprintln!("seed {seed}: {}", disagreement.message);
                            results.1.push((test, disagreement));
                        }
                    }
                }
            });
        }
    });
    let (tally, disagreements) = results.into_inner().unwrap();
    println!("{tally}");
    if let Some((test, disagreement)) =
        disagreements.into_iter().min_by_key(|(test, _)| test.to_string().len())
    {
        panic!("{}", report(compare, &test, &disagreement));
    }
    tally
}

/// A panic is a disagreement too.
fn compare_safely(compare: Compare, test: &Test) -> Result<Tally, Disagreement> {
    catch_unwind(|| compare(test)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        let message = text.unwrap_or_else(|| "a panic".to_owned());
        Err(Disagreement { kind: "panic".to_owned(), message })
    })
}

fn chosen_seeds() -> std::ops::Range<u64> {
    let Ok(text) = std::env::var("THREADPROOF_SEEDS") else { return SEEDS };
    let number = |s: &str| s.parse().expect("THREADPROOF_SEEDS is a seed or a range a..b");
    match text.split_once("..") {
        Some((start, end)) => number(start)..number(end),
        None => number(&text)..number(&text) + 1,
    }
}

/// What is wrong, with the smallest program that shows something of the kind.
fn report(compare: Compare, test: &Test, disagreement: &Disagreement) -> String {
    let start = Instant::now();
    let small = shrink(test, |candidate| {
        start.elapsed() < SHRINK_TIME
            && compare_safely(compare, candidate).is_err_and(|other| other.kind == disagreement.kind)
    });
    let about =
        compare_safely(compare, &small).map_or_else(|d| d.message, |_| "it comes and goes".to_owned());
    format!(
        "seed {}: {}\nMade smaller, {about}:\n\n{small}\nThe original:\n\n{test}",
        test.seed, disagreement.message
    )
}
