//! What it gains that the machine goes back to where an execution departs from
//! the one before it: the corrected unit tests within two preemptions, with that
//! and with every execution run from its beginning.
//!
//! `cargo run --release -p experiments --bin checkpoints -- [--executions 2000]`

use anyhow::ensure;
use clap::Parser;
use engine::{Bounds, Budget, Outcome, Progress, Task};
use experiments::{benchmarks, load_with, processor_seconds};
use machine::{Machine, Properties};
use stateless::{Options, Settings, Strategy};

#[derive(Parser)]
struct Args {
    /// The most executions of each test
    #[arg(long, default_value_t = 2000)]
    executions: u64,
}

/// Runs a test; what came of it, and the processor time.
fn run(machine: &Machine, executions: u64, restart: bool) -> (Outcome, f64) {
    let bound = Some(2);
    let settings = Settings {
        preemption_bound: bound,
        priority: Settings::default_priority(bound),
        executions: Some(executions),
        restart,
        ..Settings::default()
    };
    let (budget, bounds, progress) = (Budget::unlimited(), Bounds::default(), Progress::default());
    let task = Task { machine, budget: &budget, bounds, progress: &progress };
    let before = processor_seconds();
    let outcome =
        stateless::check(&task, &Options { search: Strategy::BestFirst, settings, ..Options::default() });
    (outcome, processor_seconds() - before)
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(benchmarks("unit-tests"))? {
        files.push(entry?.path());
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    println!("| test | executions | steps | seconds | steps from the beginning | seconds |");
    println!("|---|---|---|---|---|---|");
    let mut totals = [0.0; 5];
    for file in files {
        let machine = load_with(&file, Properties::default(), &["-DFIXED".to_owned()])?;
        let (back, short) = run(&machine, args.executions, false);
        let (again, long) = run(&machine, args.executions, true);
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let counts = |outcome: &Outcome| {
            (
                outcome.stats.count(engine::counters::EXECUTIONS),
                outcome.stats.count(engine::counters::FINAL_STATES),
            )
        };
        ensure!(counts(&back) == counts(&again), "{name}: the executions differ");
        let count = |count: Option<u64>| count.unwrap_or(0) as f64;
        let row = [
            count(back.stats.count(engine::counters::EXECUTIONS)),
            count(back.stats.count(engine::counters::TRANSITIONS)),
            short,
            count(again.stats.count(engine::counters::TRANSITIONS)),
            long,
        ];
        totals.iter_mut().zip(row).for_each(|(total, value)| *total += value);
        print_row(&name, row);
    }
    print_row("total", totals);
    Ok(())
}

fn print_row(name: &str, [executions, steps, seconds, all_steps, all_seconds]: [f64; 5]) {
    println!("| {name} | {executions} | {steps} | {seconds:.2} | {all_steps} | {all_seconds:.2} |");
}
