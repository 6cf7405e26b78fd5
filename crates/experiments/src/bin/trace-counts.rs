//! The optimal search on programs whose numbers of Mazurkiewicz traces are
//! known, and its speed.
//!
//! `cargo run --release -p experiments --bin trace-counts [-- --threads N]`. Fails
//! if a number differs or an execution was given up.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Parser;
use engine::{Bounds, Budget, Outcome, Progress, Task};
use experiments::{benchmarks, load_with, processor_seconds};
use machine::{Properties, Property};
use stateless::{Options, Strategy};

/// Programs of the corpus: name, size, number of traces.
const CORPUS: [(&str, u32, u64); 19] = [
    ("increments", 3, 6),
    ("increments", 5, 120),
    ("increments", 7, 5040),
    ("readers", 5, 32),
    ("readers", 10, 1024),
    ("readers", 13, 8192),
    ("lastzero", 5, 64),
    ("lastzero", 10, 3328),
    ("lastzero", 15, 147456),
    ("casrot", 2, 2),
    ("casrot", 3, 5),
    ("casrot", 4, 14),
    ("casrot", 5, 43),
    ("casrot", 6, 144),
    ("casrot", 7, 523),
    ("casrot", 8, 2048),
    ("2+2w", 2, 3),
    ("fibonacci", 4, 19605),
    ("fibonacci", 5, 218243),
];

/// Programs of `benchmarks/stateless-counts`.
const BENCHMARKS: [(&str, u32, u64); 3] = [("indexer", 12, 8), ("indexer", 15, 4096), ("speed", 5, 756756)];

#[derive(Parser)]
struct Args {
    /// Workers of each search.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// What the search says, the processor time and the time it took.
fn check(path: &Path, size: u32, threads: usize) -> anyhow::Result<(Outcome, f64, f64)> {
    let properties: Properties = [Property::Assert].into_iter().collect();
    let machine = load_with(path, properties, &[format!("-DN={size}")])?;
    let budget = Budget::unlimited().with_threads(threads);
    let (bounds, progress) = (Bounds::default(), Progress::default());
    let task = Task { machine: &machine, budget: &budget, bounds, progress: &progress };
    let (before, start) = (processor_seconds(), Instant::now());
    let outcome = stateless::check(&task, &Options { search: Strategy::Optimal, ..Options::default() });
    Ok((outcome, processor_seconds() - before, start.elapsed().as_secs_f64()))
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/traces");
    let file = |folder: &Path, name: &str| -> PathBuf { folder.join(format!("{name}.c")) };
    let all = CORPUS.map(|(name, size, traces)| (file(&corpus, name), name, size, traces));
    let folder = benchmarks("stateless-counts");
    let more = BENCHMARKS.map(|(name, size, traces)| (file(&folder, name), name, size, traces));
    println!(
        "program        N  executions    expected  blocked     steps  processor   seconds  executions/s"
    );
    let mut wrong = 0;
    for (path, name, size, expected) in all.into_iter().chain(more) {
        let (outcome, processor, seconds) = check(&path, size, args.threads)?;
        let count = |count: Option<u64>| count.unwrap_or(0);
        let (executions, blocked) = (
            count(outcome.stats.count(engine::counters::EXECUTIONS)),
            count(outcome.stats.count(stateless::counters::BLOCKED)),
        );
        wrong += u32::from(executions != expected || blocked != 0);
        println!(
            "{name:12} {size:>3}  {executions:>10}  {expected:>10}  {blocked:>7}  {:>8}  {processor:>9.2}  {seconds:>8.2}  {:>12.0}",
            count(outcome.stats.count(engine::counters::TRANSITIONS)),
            executions as f64 / processor.max(0.01)
        );
    }
    anyhow::ensure!(wrong == 0, "{wrong} numbers are not as expected");
    Ok(())
}
