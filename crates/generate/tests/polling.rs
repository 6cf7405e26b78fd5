//! Threads that poll: the stateless searches, which give up loops in which
//! nothing happens, beside the reference, which does not. Final states and
//! verdicts are the same wherever a search says that it has run everything.
//!
//! `THREADPROOF_SEEDS=1000..9000` compares on other programs than usual.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Bounds, Budget, Outcome, Progress, Task, Verdict};
use generate::polling;
use ir::Program;
use machine::{Config, Grain, Machine, Property};
use stateless::{Options, Settings, Strategy};

const SEEDS: std::ops::Range<u64> = 0..2000;
/// The longest that an ordinary test run goes on to new seeds.
const TIME: Duration = Duration::from_secs(30);
/// The longest that one search may take.
const MAX_TIME: Duration = Duration::from_millis(500);
/// The longest execution.
const MAX_DEPTH: u64 = 400;

const SEARCHES: [Strategy; 3] = [Strategy::Optimal, Strategy::Dfs, Strategy::BestFirst];

fn load(seed: u64) -> Arc<Program> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.c");
    std::fs::write(&path, polling(seed)).unwrap();
    Arc::new(frontend::load(&[path], &frontend::Options::default()).unwrap())
}

fn run(machine: &Machine, depth: Option<u64>, check: impl FnOnce(&Task<'_>) -> Outcome) -> Outcome {
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME));
    let bounds = Bounds { depth, ..Bounds::default() };
    check(&Task { machine, budget: &budget, bounds, progress: &Progress::default() })
}

/// What an engine found, if it knows: whether there is a violation, and how many
/// final states there are if there is none.
fn answer(outcome: &Outcome) -> Option<Option<u64>> {
    match outcome.verdict {
        Verdict::Holds { .. } => Some(outcome.stats.count(engine::counters::FINAL_STATES)),
        Verdict::Violated { .. } => Some(None),
        Verdict::Unknown { .. } => None,
    }
}

/// Searches compared, and those that did not come to an end.
#[derive(Default)]
struct Tally {
    compared: [u64; 3],
    unfinished: [u64; 3],
}

fn compare(seed: u64, program: &Arc<Program>, property: Option<Property>, tally: &mut Tally) {
    let properties = property.into_iter().collect();
    let machine = Machine::new(Arc::clone(program), Config { properties, ..Config::default() });
    let options = reference::Options { reduction: Grain::Visible };
    let expected = run(&machine, None, |task| reference::check(task, options));
    let Some(expected) = answer(&expected) else { return };
    for (index, search) in SEARCHES.into_iter().enumerate() {
        let priority = Settings::default_priority(None);
        let settings = Settings { priority, ..Settings::default() };
        let options = Options { search, settings, ..Options::default() };
        let outcome = run(&machine, Some(MAX_DEPTH), |task| stateless::check(task, &options));
        if let Verdict::Violated { fault, trace } = &outcome.verdict {
            trace::replay(&machine, trace, fault, &mut ()).unwrap_or_else(|error| panic!("{error}"));
        }
        match answer(&outcome) {
            None => tally.unfinished[index] += 1,
            Some(found) => {
                assert_eq!(found, expected, "seed {seed}, {search:?}, {property:?}:\n{}", polling(seed));
                tally.compared[index] += 1;
            }
        }
    }
}

fn seeds() -> (std::ops::Range<u64>, Duration) {
    let Ok(seeds) = std::env::var("THREADPROOF_SEEDS") else { return (SEEDS, TIME) };
    let (first, last) = seeds.split_once("..").expect("a range");
    (first.parse().unwrap()..last.parse().unwrap(), Duration::MAX)
}

#[test]
fn the_searches_agree() {
    let (seeds, time) = seeds();
    let start = Instant::now();
    let mut tally = Tally::default();
    for seed in seeds.take_while(|_| start.elapsed() < time) {
        let program = load(seed);
        let asked = [Property::Assert, Property::Deadlock, Property::Race].map(Some);
        for property in [None].into_iter().chain(asked) {
            compare(seed, &program, property, &mut tally);
        }
    }
    let Tally { compared, unfinished } = tally;
    println!("optimal, dfs, best-first: {compared:?} searches compared, {unfinished:?} did not end");
    assert!(compared[0] > unfinished[0], "too few searches end");
}
