//! Optimal search with several workers on random programs: any number of them
//! runs the same Mazurkiewicz traces, each once, and where running every
//! execution is feasible those are all there are.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Bounds, Budget, Outcome, Progress, Reason, Task, Verdict};
use generate::{Group, Shape, sketch};
use machine::{Config, Machine, Properties};
use stateless::{Options, Strategy};

/// The longest that an ordinary test run goes on to new seeds.
const TIME: Duration = Duration::from_secs(30);
/// The longest that one search may take.
const MAX_TIME: Duration = Duration::from_secs(2);

fn machine(seed: u64, shape: &Shape) -> Machine {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.c");
    std::fs::write(&path, sketch(seed, shape).to_string()).unwrap();
    let program = frontend::load(&[path], &frontend::Options::default()).unwrap();
    Machine::new(
        Arc::new(program),
        Config { properties: Properties::default(), assumed: Properties::undefined(), ..Config::default() },
    )
}

/// The traces of all executions; `None` if there are too many.
fn traces(machine: &Machine, search: Strategy, workers: usize) -> Option<(Vec<u64>, Outcome)> {
    let budget = Budget::unlimited().with_threads(workers).with_timeout(Some(MAX_TIME));
    let (bounds, progress) = (Bounds { depth: Some(1000), ..Bounds::default() }, Progress::default());
    let task = Task { machine, budget: &budget, bounds, progress: &progress };
    let mut traces = Vec::new();
    let options = Options { search, ..Options::default() };
    let outcome = stateless::check_traces(&task, &options, |trace| traces.push(trace));
    let cut =
        matches!(&outcome.verdict, Verdict::Unknown { reason: Reason::Exceeded(_) | Reason::Cut(_), .. });
    (!cut).then_some((traces, outcome))
}

/// The seeds to compare: `THREADPROOF_SEEDS=A..B`, or as many as there is time
/// for.
fn seeds() -> (std::ops::Range<u64>, Duration) {
    let given = std::env::var("THREADPROOF_SEEDS").ok();
    let range = given.as_deref().and_then(|text| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    range.map_or((0..10_000, TIME), |range| (range, Duration::MAX))
}

/// Compares on programs of a shape; demands that so many could be compared, and
/// so many with all executions.
fn compare(shape: &Shape, least: usize, least_all: usize) {
    let (start, (seeds, time)) = (Instant::now(), seeds());
    let (mut compared, mut with_all) = (0, 0);
    for seed in seeds.take_while(|_| start.elapsed() < time) {
        let machine = machine(seed, shape);
        let Some((alone, outcome)) = traces(&machine, Strategy::Optimal, 1) else { continue };
        let distinct: HashSet<u64> = alone.iter().copied().collect();
        assert_eq!(distinct.len(), alone.len(), "seed {seed}: a trace was run twice");
        assert_eq!(outcome.stats.count(stateless::counters::BLOCKED), Some(0), "seed {seed}");
        for workers in [2, 4] {
            let Some((several, found)) = traces(&machine, Strategy::Optimal, workers) else { continue };
            assert_eq!(several.len(), alone.len(), "seed {seed}, {workers} workers");
            let same = several.into_iter().collect::<HashSet<u64>>() == distinct;
            assert!(same, "seed {seed}, {workers} workers: other traces");
            let rest = |outcome: &Outcome| {
                (
                    outcome.stats.count(stateless::counters::BLOCKED),
                    outcome.stats.count(engine::counters::FINAL_STATES),
                )
            };
            assert_eq!(rest(&found), rest(&outcome), "seed {seed}, {workers} workers");
        }
        compared += 1;
        if let Some((all, _)) = traces(&machine, Strategy::Dfs, 2) {
            let all: HashSet<u64> = all.into_iter().collect();
            let (missed, invented) = (all.difference(&distinct).count(), distinct.difference(&all).count());
            assert_eq!((missed, invented), (0, 0), "seed {seed}: traces missed and invented");
            with_all += 1;
        }
    }
    println!("{compared} programs compared, {with_all} with all executions");
    assert!(compared >= least && with_all >= least_all, "only {compared} and {with_all} were compared");
}

#[test]
fn few_threads_with_everything() {
    compare(&Shape { threads: (2, 3), operations: (1, 4), ..Shape::default() }, 10, 3);
}

/// Here sequences that reverse a race are long, and workers add to each other's
/// branches.
#[test]
fn many_threads_on_shared_memory() {
    compare(&Shape { threads: (3, 4), operations: (1, 2), groups: vec![Group::Atomics] }, 8, 2);
}
