//! What the experiments have in common: loading a program and checking it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use engine::{Bounds, Budget, Outcome, Progress, Task};
use machine::{Config, Machine, Properties};

/// The programs of Table 1 of "Context-Switch-Directed Verification in DIVINE", in
/// `benchmarks/context-switches`.
pub const CONTEXT_SWITCHES: [&str; 11] = [
    "barrier-1-bug",
    "barrier",
    "barrier-1-re-bug",
    "barrier-1-re-bug-2",
    "barrier-1-re-bug-test",
    "barrier-1-re",
    "barrier-n-bug",
    "fifo-bug",
    "fifo",
    "mutex-partial-deadlock",
    "mutex-partial-deadlock-2",
];

/// A folder of `benchmarks/`.
pub fn benchmarks(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks").join(folder)
}

/// A program, ready to be checked.
pub fn load(path: &Path, properties: Properties) -> anyhow::Result<Machine> {
    load_with(path, properties, &[])
}

/// A program compiled with some flags.
pub fn load_with(path: &Path, properties: Properties, flags: &[String]) -> anyhow::Result<Machine> {
    let options = frontend::Options { flags: flags.to_vec(), ..Default::default() };
    let program = frontend::load(&[path.to_owned()], &options);
    let program = program.with_context(|| format!("cannot load {}", path.display()))?;
    Ok(Machine::new(
        Arc::new(program),
        Config { properties, assumed: Properties::undefined(), ..Config::default() },
    ))
}

/// So many seconds and half of the memory, from now on.
pub fn budget(seconds: f64) -> Budget {
    let memory = engine::total_memory().map(|total| total / 2);
    Budget::unlimited().with_timeout(Some(Duration::from_secs_f64(seconds))).with_memory_limit(memory)
}

/// Checks with the explicit engine; says how long it took.
pub fn explicit(
    machine: &Machine,
    options: explicit::Options,
    threads: usize,
    timeout: Duration,
) -> (Outcome, Duration) {
    let budget = Budget::unlimited().with_threads(threads).with_timeout(Some(timeout));
    let budget = budget.with_memory_limit(engine::total_memory().map(|total| total / 10 * 8));
    let (bounds, progress) = (Bounds::default(), Progress::default());
    let start = Instant::now();
    let outcome = explicit::check(&Task { machine, budget: &budget, bounds, progress: &progress }, options);
    (outcome, start.elapsed())
}

/// Seconds that the processor has worked for this process and for those it has
/// waited for. On a machine that others use too, this says more than a clock.
pub fn processor_seconds() -> f64 {
    times("/proc/self/stat", 4)
}

/// Seconds that the processor has worked for the calling thread.
pub fn thread_seconds() -> f64 {
    times("/proc/thread-self/stat", 2)
}

/// The sum of some times: those of user and system, then those of the children.
fn times(path: &str, count: usize) -> f64 {
    let stat = std::fs::read_to_string(path).unwrap_or_default();
    // After the name, which may hold anything, come fields 3 and on; 14 to 17
    // are times in hundredths of a second.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().skip(11).take(count).filter_map(|field| field.parse::<u64>().ok());
    ticks.sum::<u64>() as f64 / 100.0
}
