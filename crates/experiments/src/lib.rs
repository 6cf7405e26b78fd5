//! What the experiments have in common: loading a program and checking it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use engine::{Bounds, Budget, Outcome, Progress, Task};
use machine::{Config, Machine, Properties};

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
    Ok(Machine::new(Arc::new(program), Config { properties, ..Config::default() }))
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
