//! Threads that begin in turn ([`machine::Turns`]) beside the search that follows all of them.
//!
//! The verdicts must be the same, counterexamples must replay, no execution may be given up,
//! and there must be no more executions. There must be as many final states: which thread did
//! what makes no difference. Where there are locks, there may be fewer, since a final state says
//! which thread still holds one.

#[path = "../common/alike.rs"]
mod alike;
#[path = "../common/mod.rs"]
mod common;
mod programs;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use engine::counters::{EXECUTIONS, FINAL_STATES};
use engine::{Bounds, Budget, Outcome, Progress, Reason, Task, Verdict};
use generate::{Group, Shape, Test};
use machine::{Config, Machine, Properties, Property};
use stateless::counters::BLOCKED;
use stateless::{Options, Strategy};

use common::{Count, Disagreement, Usual, chosen_seeds, load, run};

/// What an ordinary test run compares.
const USUAL: Usual = Usual { seeds: 0..400, time: Duration::from_secs(40) };

/// The longest that one search may take.
const MAX_TIME: Duration = Duration::from_secs(1);

#[test]
fn threads_that_begin_in_turn_are_enough() {
    let tally = run(&USUAL, compare, |seed| match seed / 4 % 3 {
        0 => Shape { operations: (1, 4), ..Shape::default() },
        1 => Shape { threads: (2, 4), operations: (1, 2), ..Shape::default() },
        _ => Shape { threads: (3, 3), operations: (1, 3), groups: vec![Group::Mutexes, Group::Atomics] },
    });
    if chosen_seeds().is_none() {
        assert!(tally.fewer > 20 && tally.violated > 20, "threads are not alike: {tally}");
    }
}

#[test]
fn programs_written_to_tell_threads_apart() {
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    for (what, text) in programs::PROGRAMS {
        match compare_program(&format!("{}{text}", programs::HEAD)) {
            Ok(count) => tally.add(&count),
            Err(disagreement) => wrong.push(format!("{what}: {}", disagreement.message)),
        }
    }
    println!("{tally}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tally.fewer > 20, "threads are not alike: {tally}");
}

/// What was compared.
#[derive(Default)]
struct Tally {
    programs: usize,
    /// Searches that came to an end without a violation, and those in which fewer executions were
    /// run in turn.
    complete: usize,
    fewer: usize,
    /// Searches that found a violation.
    violated: usize,
    /// Searches without an end.
    too_long: usize,
    /// The executions, in turn and not.
    executions: [u64; 2],
}

impl Count for Tally {
    fn add(&mut self, other: &Tally) {
        self.programs += other.programs;
        self.complete += other.complete;
        self.fewer += other.fewer;
        self.violated += other.violated;
        self.too_long += other.too_long;
        (0..2).for_each(|index| self.executions[index] += other.executions[index]);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { programs, complete, fewer, violated, too_long, executions: [few, all] } = self;
        write!(
            f,
            "{programs} programs, {complete} searches to the end, {fewer} of them with fewer executions, "
        )?;
        write!(f, "{violated} with a violation, {too_long} too long; {few} executions instead of {all}")
    }
}

fn compare(test: &Test) -> Result<Tally, Disagreement> {
    compare_program(&alike::alike(test))
}

/// Compares the searches on a program, for all properties on their own and together.
fn compare_program(source: &str) -> Result<Tally, Disagreement> {
    let program = Arc::new(load(source)?);
    let machine = |properties: Properties| {
        let config = Config { properties, assumed: Properties::undefined(), ..Config::default() };
        Machine::new(Arc::clone(&program), config)
    };
    let mut tally = Tally { programs: 1, ..Tally::default() };
    let single = Property::safety().chain([Property::Livelock]);
    let single = single.map(|property| [property].into_iter().collect());
    // With the others, threads do not begin in turn if `main` joins them.
    let together = [Property::Assert, Property::Memory, Property::LockMisuse, Property::Uninit];
    for properties in single.chain([together.into_iter().collect()]) {
        compare_on(&machine(properties), source.contains("lock(&"), &mut tally)?;
    }
    Ok(tally)
}

fn compare_on(machine: &Machine, has_locks: bool, tally: &mut Tally) -> Result<(), Disagreement> {
    let wrong = |message: String| Disagreement { kind: "turns".to_owned(), message };
    let expected = search(machine, 1, false);
    for workers in [1, 2] {
        let found = search(machine, workers, true);
        match (&expected.verdict, &found.verdict) {
            _ if is_too_long(&expected) || is_too_long(&found) => tally.too_long += 1,
            (Verdict::Violated { .. }, Verdict::Violated { trace, fault }) => {
                trace::replay(machine, trace, fault, &mut ()).map_err(|e| wrong(e.to_string()))?;
                tally.violated += 1;
            }
            (Verdict::Holds { .. }, Verdict::Holds { .. })
            | (Verdict::Unknown { .. }, Verdict::Unknown { .. }) => {
                tally.complete += 1;
                compare_counts((&expected, &found), has_locks, tally).map_err(wrong)?;
            }
            (expected, found) => return Err(wrong(format!("{found:?} instead of {expected:?}"))),
        }
    }
    Ok(())
}

fn compare_counts(
    (expected, found): (&Outcome, &Outcome),
    has_locks: bool,
    tally: &mut Tally,
) -> Result<(), String> {
    let [few, all] = [found, expected].map(|outcome| outcome.stats.count(EXECUTIONS).unwrap_or(0));
    let finals = [found, expected].map(|outcome| outcome.stats.count(FINAL_STATES));
    let blocked = found.stats.count(BLOCKED);
    if few > all || finals[0] > finals[1] || finals[0] < finals[1] && !has_locks || blocked != Some(0) {
        return Err(format!(
            "{few} executions instead of {all}, final states {finals:?}, {blocked:?} given up"
        ));
    }
    tally.fewer += usize::from(few < all);
    tally.executions[0] += few;
    tally.executions[1] += all;
    Ok(())
}

fn search(machine: &Machine, workers: usize, turns: bool) -> Outcome {
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME)).with_threads(workers);
    let (bounds, progress) = (Bounds::default(), Progress::default());
    let options = Options { search: Strategy::Optimal, turns, ..Options::default() };
    stateless::check(&Task { machine, budget: &budget, bounds, progress: &progress }, &options)
}

fn is_too_long(outcome: &Outcome) -> bool {
    matches!(&outcome.verdict, Verdict::Unknown { reason: Reason::Exceeded(_), .. })
}
