//! The experiment of "Verifying Multi-threaded Software using SMT-based
//! Context-Bounded Model Checking" (Tables 1 and 2): each program of
//! `benchmarks/context-bounded` with each strategy.
//!
//! `cargo run --release -p experiments --bin context-bounded -- [--timeout 60]`

use std::time::{Duration, Instant};

use bounded::{Options, Strategy};
use clap::Parser;
use engine::{Bounds, Cut, Outcome, Progress, Reason, Task, Verdict};
use experiments::{benchmarks, budget, load_with};
use machine::{Machine, Properties, Property};

/// Runs the programs of both tables with the three strategies.
#[derive(Parser)]
struct Args {
    /// Give up after so many seconds
    #[arg(long, default_value_t = 60.0)]
    timeout: f64,

    /// Only rows whose name contains this
    #[arg(default_value = "")]
    name: String,
}

/// A row: its name in the paper, the program, flags, and the context bound
/// (none is all).
struct Row(&'static str, &'static str, &'static str, Option<u64>);

const TABLE_1: [Row; 19] = [
    Row("reorder_3_bad (2,1)", "reorder", "-DBAD -DSET=2", Some(4)),
    Row("reorder_4_bad (3,1)", "reorder", "-DBAD -DSET=3", Some(5)),
    Row("reorder_5_bad (4,1)", "reorder", "-DBAD -DSET=4", Some(6)),
    Row("reorder_6_bad (5,1)", "reorder", "-DBAD -DSET=5", Some(7)),
    Row("reorder_6_bad (5,1)", "reorder", "-DBAD -DSET=5", Some(8)),
    Row("reorder_6_bad (5,1)", "reorder", "-DBAD -DSET=5", Some(9)),
    Row("twostage_3_bad (2,1)", "twostage", "-DBAD -DSTAGE=2", Some(4)),
    Row("twostage_4_bad (3,1)", "twostage", "-DBAD -DSTAGE=3", Some(4)),
    Row("twostage_5_bad (4,1)", "twostage", "-DBAD -DSTAGE=4", Some(4)),
    Row("twostage_6_bad (5,1)", "twostage", "-DBAD -DSTAGE=5", Some(4)),
    Row("wronglock_4_bad (1,3)", "wronglock", "-DBAD -DSECOND=3", Some(8)),
    Row("wronglock_5_bad (1,4)", "wronglock", "-DBAD -DSECOND=4", Some(8)),
    Row("wronglock_6_bad (1,5)", "wronglock", "-DBAD -DSECOND=5", Some(8)),
    Row("wronglock_7_bad (1,6)", "wronglock", "-DBAD -DSECOND=6", Some(8)),
    Row("micro_2_ok (100)", "micro", "-DTHREADS=2", Some(2)),
    Row("micro_2_ok (100)", "micro", "-DTHREADS=2", None),
    Row("micro_3_ok (100)", "micro", "-DTHREADS=3", Some(2)),
    Row("micro_3_ok (100)", "micro", "-DTHREADS=3", Some(12)),
    Row("micro_3_ok (100)", "micro", "-DTHREADS=3", None),
];

const TABLE_2: [Row; 16] = [
    Row("circular_buffer_ok", "circular_buffer", "", None),
    Row("circular_buffer_bad", "circular_buffer", "-DBAD", Some(5)),
    Row("queue_ok", "queue", "", None),
    Row("queue_bad", "queue", "-DBAD", Some(8)),
    Row("stack_ok", "stack", "", Some(12)),
    Row("stack_bad", "stack", "-DBAD", Some(4)),
    Row("fsbench_ok", "fsbench", "-DTHREADS=26", Some(2)),
    Row("fsbench_bad", "fsbench", "-DBAD -DTHREADS=27", Some(2)),
    Row("indexer_ok", "indexer", "-DTHREADS=13", Some(4)),
    Row("stateful20_ok", "stateful20", "", Some(10)),
    Row("sync02_ok", "sync02", "", Some(21)),
    Row("sync02_bad", "sync02", "-DBAD", Some(21)),
    Row("reorder_10_bad (9,1)", "reorder", "-DBAD -DSET=9", Some(11)),
    Row("twostage_100_bad (99,1)", "twostage", "-DBAD -DSTAGE=99", Some(4)),
    Row("wronglock_8_bad (1,7)", "wronglock", "-DBAD -DSECOND=7", Some(8)),
    Row("micro_10_ok (100)", "micro", "-DTHREADS=10", Some(17)),
];

const STRATEGIES: [(&str, Strategy); 3] =
    [("lazy", Strategy::Lazy), ("recording", Strategy::Recording), ("widening", Strategy::Widening)];

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    for (title, rows) in [("Table 1", &TABLE_1[..]), ("Table 2", &TABLE_2[..])] {
        println!("{title}\n");
        println!(
            "| program | bound | strategy | verdict | s | solver s | calls | iterations | failed / interleavings |"
        );
        println!("|---|---|---|---|---|---|---|---|---|");
        for row in rows.iter().filter(|row| row.0.contains(&args.name)) {
            run(row, &args)?;
        }
        println!();
    }
    Ok(())
}

fn run(Row(name, program, flags, bound): &Row, args: &Args) -> anyhow::Result<()> {
    let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
    let properties: Properties =
        [Property::Assert, Property::Deadlock, Property::Memory].into_iter().collect();
    let machine = load_with(&benchmarks("context-bounded").join(format!("{program}.c")), properties, &flags)?;
    for (strategy_name, strategy) in STRATEGIES {
        let (outcome, time) = check(&machine, strategy, *bound, args.timeout);
        let shown = bound.map_or("all".to_owned(), |bound| bound.to_string());
        let number = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
        let stats = &outcome.stats;
        println!(
            "| {name} | {shown} | {strategy_name} | {} | {:.2} | {:.2} | {} | {} | {} / {} |",
            verdict(&outcome),
            time.as_secs_f64(),
            stats.real(bounded::counters::SOLVER_SECONDS).unwrap_or(0.0),
            number(stats.count(bounded::counters::SOLVER_CALLS)),
            number(stats.count(bounded::counters::ITERATIONS)),
            number(stats.count(bounded::counters::FAILING)),
            number(stats.count(bounded::counters::INTERLEAVINGS)),
        );
    }
    Ok(())
}

fn check(machine: &Machine, strategy: Strategy, bound: Option<u64>, timeout: f64) -> (Outcome, Duration) {
    let budget = budget(timeout);
    let bounds = Bounds { context_switches: bound, ..Bounds::default() };
    let progress = Progress::default();
    let task = Task { machine, budget: &budget, bounds, progress: &progress };
    let start = Instant::now();
    let outcome = bounded::check(&task, &Options { strategy, ..Options::default() });
    (outcome, start.elapsed())
}

fn verdict(outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Holds { .. } => "safe".to_owned(),
        Verdict::Violated { fault, .. } => format!("unsafe ({})", fault.kind.name()),
        Verdict::Unknown { reason: Reason::Cut(cuts), .. } if cuts.iter().all(is_bound) => {
            "safe up to the bound".to_owned()
        }
        Verdict::Unknown { reason, .. } => format!("unknown ({reason})"),
    }
}

fn is_bound(cut: &Cut) -> bool {
    matches!(cut, Cut::ContextSwitches(_) | Cut::Unwinding(_) | Cut::Loop { .. })
}
