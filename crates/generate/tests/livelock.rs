//! Livelocks of random programs with waiting loops: where the explicit and the
//! stateless engine both know, they agree.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Bounds, Budget, Outcome, Progress, Task, Verdict};
use generate::{Group, Shape, sketch};
use machine::{Config, Machine, Properties, Property};
use stateless::{Options, Settings, Strategy};

const SEEDS: std::ops::Range<u64> = 0..400;
/// The longest that a test run goes on to new seeds.
const TIME: Duration = Duration::from_secs(30);
/// The longest that one search may take.
const MAX_TIME: Duration = Duration::from_secs(2);

fn machine(seed: u64) -> Machine {
    let all = vec![Group::Control, Group::Atomics, Group::Mutexes, Group::OtherLocks];
    let groups = if seed.is_multiple_of(2) { vec![Group::Control] } else { all };
    let shape = Shape { threads: (2, 2), operations: (1, 3), groups };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.c");
    std::fs::write(&path, sketch(seed, &shape).to_string()).unwrap();
    let program = frontend::load(&[path], &frontend::Options::default()).unwrap();
    let properties = [Property::Livelock].into_iter().collect();
    Machine::new(
        Arc::new(program),
        Config { properties, assumed: Properties::undefined(), ..Config::default() },
    )
}

/// Whether there is a livelock, if the engine knows; one that it shows must
/// replay.
fn livelock(machine: &Machine, search: impl Fn(&Task<'_>) -> Outcome) -> Option<bool> {
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME));
    let (bounds, progress) = (Bounds { depth: Some(2000), ..Bounds::default() }, Progress::default());
    match search(&Task { machine, budget: &budget, bounds, progress: &progress }).verdict {
        Verdict::Holds { .. } => Some(false),
        Verdict::Violated { fault, trace } => {
            trace::replay(machine, &trace, &fault, &mut ()).unwrap_or_else(|error| panic!("{error}"));
            Some(true)
        }
        Verdict::Unknown { .. } => None,
    }
}

#[test]
fn the_engines_agree() {
    let start = Instant::now();
    let (mut compared, mut livelocks) = (0, 0);
    for seed in SEEDS.take_while(|_| start.elapsed() < TIME) {
        let machine = machine(seed);
        let explicit = |task: &Task<'_>| {
            explicit::check(&Task { bounds: Bounds::default(), ..*task }, explicit::Options::default())
        };
        let Some(expected) = livelock(&machine, explicit) else { continue };
        for search in [Strategy::Optimal, Strategy::Dfs, Strategy::BestFirst] {
            let priority = Settings::default_priority(None);
            let settings = Settings { priority, ..Settings::default() };
            let options = Options { search, settings, ..Options::default() };
            let found = livelock(&machine, |task| stateless::check(task, &options));
            assert!(found.is_none_or(|found| found == expected), "seed {seed}, {search:?}: {found:?}");
            compared += usize::from(found.is_some());
        }
        livelocks += usize::from(expected);
    }
    println!("{compared} searches compared, {livelocks} programs with a livelock");
    assert!(compared >= 15 && livelocks >= 1, "only {compared} searches, {livelocks} livelocks");
}
