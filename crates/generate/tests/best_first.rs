//! Best-first search on random programs: within a bound it runs exactly the
//! executions that a plain enumeration finds, without one it finds all final
//! states and the same verdicts, and which executions it runs depends neither
//! on the priorities nor on the number of workers.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Bounds, Budget, Outcome, Progress, Reason, Task, Verdict};
use generate::{Shape, sketch};
use machine::{Config, End, Machine, Properties, ThreadId};
use stateless::{Options, Run, Settings, Shelf, Strategy};

const SEEDS: std::ops::Range<u64> = 0..400;
/// The longest that an ordinary test run goes on to new seeds.
const TIME: Duration = Duration::from_secs(30);
const MAX_EXECUTIONS: u64 = 3000;
const MAX_STEPS: usize = 60;

fn machine(seed: u64, properties: Properties) -> Machine {
    let shape = Shape { threads: (2, 3), operations: (1, 3), ..Shape::default() };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.c");
    std::fs::write(&path, sketch(seed, &shape).to_string()).unwrap();
    let program = frontend::load(&[path], &frontend::Options::default()).unwrap();
    Machine::new(
        Arc::new(program),
        Config { properties, assumed: Properties::undefined(), ..Config::default() },
    )
}

fn check(machine: &Machine, search: Strategy, threads: usize, settings: Settings) -> Outcome {
    let budget = Budget::unlimited().with_threads(threads).with_timeout(Some(Duration::from_secs(5)));
    let (bounds, progress) = (Bounds::default(), Progress::default());
    let task = Task { machine, budget: &budget, bounds, progress: &progress };
    stateless::check(&task, &Options { search, settings, ..Options::default() })
}

fn best_first(machine: &Machine, threads: usize, bound: Option<u32>, priority: &[&str]) -> Outcome {
    let priority = priority.iter().map(|name| name.parse().unwrap()).collect();
    let settings = Settings { preemption_bound: bound, priority, seed: 7, ..Settings::default() };
    check(machine, Strategy::BestFirst, threads, settings)
}

fn out_of_time(outcome: &Outcome) -> bool {
    matches!(&outcome.verdict, Verdict::Unknown { reason: Reason::Exceeded(_), .. })
}

/// All executions with so many preemptions, one after the other.
#[derive(Default)]
struct Enumeration {
    executions: u64,
    final_states: BTreeSet<Vec<u8>>,
    /// Whether there are too many, or endless ones.
    too_much: bool,
}

impl Enumeration {
    fn of(machine: &Machine, bound: u32) -> Enumeration {
        let mut enumeration = Enumeration::default();
        enumeration.explore(&mut Run::new(machine), bound);
        enumeration
    }

    fn explore(&mut self, run: &mut Run<'_>, left: u32) {
        let enabled = run.enabled_threads();
        if enabled.is_empty() {
            self.executions += 1;
        }
        let depth = run.steps().len();
        self.too_much |= depth > MAX_STEPS || self.executions > MAX_EXECUTIONS;
        let last = run.steps().last().map_or(ThreadId(0), |taken| taken.thread());
        let goes_on = enabled.contains(&last) && run.machine().waiting(run.state(), last).is_none();
        for thread in enabled {
            let preemption = u32::from(goes_on && thread != last);
            let choices = run.choices(thread).unwrap_or(0);
            if preemption > left || self.too_much {
                continue;
            }
            self.too_much |= choices == 0;
            for choice in 0..choices {
                match run.step(thread, choice).end {
                    None => self.explore(run, left - preemption),
                    Some(end) => self.end(run, &end),
                }
                run.back_to(depth);
            }
        }
    }

    fn end(&mut self, run: &Run<'_>, end: &End) {
        self.executions += 1;
        if let End::Exited(_) = end {
            let mut globals = Vec::new();
            run.machine().canonical_globals(run.state(), &mut globals);
            self.final_states.insert(globals);
        }
    }
}

fn counts(outcome: &Outcome) -> (u64, u64) {
    (
        outcome.stats.count(engine::counters::EXECUTIONS).unwrap(),
        outcome.stats.count(engine::counters::FINAL_STATES).unwrap(),
    )
}

/// Calls the check for seeds as long as there is time, and demands that it
/// applied to enough of them.
fn for_seeds(least: usize, check: impl Fn(u64) -> bool) {
    let start = Instant::now();
    let applied = SEEDS.take_while(|_| start.elapsed() < TIME).filter(|seed| check(*seed)).count();
    assert!(applied >= least, "only {applied} programs were compared");
}

#[test]
fn within_a_bound_exactly_its_executions_are_run() {
    for_seeds(10, |seed| {
        let machine = machine(seed, Properties::default());
        for bound in 0..=2 {
            let all = Enumeration::of(&machine, bound);
            if all.too_much {
                return bound > 0;
            }
            let expected = (all.executions, all.final_states.len() as u64);
            for (threads, priority) in [(1, &[] as &[&str]), (1, &["ss", "mdpor"]), (2, &["rand"])] {
                let found = best_first(&machine, threads, Some(bound), priority);
                assert_eq!(counts(&found), expected, "seed {seed}, bound {bound}, {priority:?}");
            }
        }
        true
    });
}

/// Blocks in memory.
#[derive(Default)]
struct Blocks(std::sync::Mutex<Vec<Vec<u8>>>);

impl stateless::Store for Blocks {
    fn put(&self, block: &[u8]) -> std::io::Result<u64> {
        let mut blocks = self.0.lock().unwrap();
        blocks.push(block.to_vec());
        Ok(blocks.len() as u64 - 1)
    }

    fn get(&self, number: u64) -> std::io::Result<Vec<u8>> {
        Ok(self.0.lock().unwrap()[number as usize].clone())
    }
}

#[test]
fn what_is_kept_outside_memory_is_run_too() {
    let kept = std::cell::Cell::new(0);
    for_seeds(10, |seed| {
        let machine = machine(seed, Properties::default());
        let inside = best_first(&machine, 1, Some(1), &["ss", "mdpor"]);
        if out_of_time(&inside) {
            return false;
        }
        let store = Arc::new(Blocks::default());
        let shelf = Some(Shelf { limit: 1000, store: store.clone() });
        let priority = vec![stateless::Priority::Ss, stateless::Priority::Mdpor];
        let settings = Settings { preemption_bound: Some(1), priority, shelf, ..Settings::default() };
        let outside = check(&machine, Strategy::BestFirst, 1, settings);
        kept.set(kept.get() + store.0.lock().unwrap().len());
        out_of_time(&outside) || {
            assert_eq!(counts(&outside), counts(&inside), "seed {seed}");
            true
        }
    });
    assert!(kept.get() > 100, "only {} blocks were kept outside", kept.get());
}

#[test]
fn without_a_bound_all_final_states_are_found_in_any_order() {
    for_seeds(10, |seed| {
        let machine = machine(seed, Properties::default());
        let all = check(&machine, Strategy::Optimal, 1, Settings::default());
        let first = best_first(&machine, 1, None, &["mdpor", "pb"]);
        if out_of_time(&all) || out_of_time(&first) {
            return false;
        }
        assert_eq!(counts(&first).1, counts(&all).1, "seed {seed}: final states");
        for (threads, priority) in [(1, &["pb"] as &[&str]), (1, &["rand"]), (2, &["dpor", "ss"])] {
            let found = best_first(&machine, threads, None, priority);
            if out_of_time(&found) {
                return false;
            }
            assert_eq!(counts(&found), counts(&first), "seed {seed}, {threads} threads, {priority:?}");
        }
        true
    });
}

#[test]
fn verdicts_are_those_of_the_reference() {
    for_seeds(10, |seed| {
        let machine = machine(seed, Properties::standard());
        let budget = Budget::unlimited().with_timeout(Some(Duration::from_secs(5)));
        let (bounds, progress) = (Bounds::default(), Progress::default());
        let task = Task { machine: &machine, budget: &budget, bounds, progress: &progress };
        let expected = reference::check(&task, reference::Options::default());
        let found = best_first(&machine, 1, None, &["mdpor", "pb"]);
        match (&expected.verdict, &found.verdict) {
            (Verdict::Holds { .. }, Verdict::Holds { .. }) => true,
            (Verdict::Violated { .. }, Verdict::Violated { fault, trace }) => {
                let replayed = trace::replay(&machine, trace, fault, &mut ());
                assert!(replayed.is_ok(), "seed {seed}: {:?}", replayed.err());
                let (simple, fault) = trace::simplify(&machine, trace, fault).expect("it replays");
                assert!(trace::replay(&machine, &simple, &fault, &mut ()).is_ok(), "seed {seed}, simplified");
                true
            }
            (Verdict::Unknown { .. }, _) | (_, Verdict::Unknown { .. }) => false,
            (expected, found) => panic!("seed {seed}: {expected:?} by the reference, {found:?} best-first"),
        }
    });
}

#[test]
fn a_seed_determines_a_random_search() {
    let machine = machine(3, Properties::default());
    for search in [Strategy::Random, Strategy::Pct] {
        let run = |seed| {
            let settings = Settings { seed, executions: Some(50), bug_depth: 3, ..Settings::default() };
            let outcome = check(&machine, search, 1, settings);
            (counts(&outcome), outcome.stats.count(engine::counters::TRANSITIONS))
        };
        assert_eq!(run(1).0.0, 50);
        assert_eq!(run(1), run(1));
    }
}
