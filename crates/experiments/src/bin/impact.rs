//! The experiment of "Verifying Multi-threaded Software with Impact" (Tables I to III) on
//! the programs of `benchmarks/impact`: time, nodes, implications that the solver was asked
//! for, and the share of nodes that come from cover expansions, for the paper's reductions on
//! the tree and for the reduced product, with forced covers and without.
//!
//! `cargo run --release -p experiments --bin impact -- [--timeout 60]`

use std::time::{Duration, Instant};

use clap::Parser;
use engine::{Bounds, Outcome, Progress, Task, Verdict};
use experiments::{benchmarks, budget, load_with};
use impact::{Options, Por};
use machine::{Machine, Properties, Property};

/// Runs the programs of the three tables.
#[derive(Parser)]
struct Args {
    /// Give up after so many seconds
    #[arg(long, default_value_t = 60.0)]
    timeout: f64,

    /// Only rows whose name contains this
    #[arg(default_value = "")]
    name: String,
}

/// A row: its name in the paper, the program, flags, whether it is safe, and the seconds
/// that the paper has for it (none if its tool ran out of time).
struct Row(&'static str, &'static str, &'static str, bool, Option<f64>);

const TABLES_1_AND_2: [Row; 10] = [
    Row("dekker", "dekker", "", true, Some(0.1)),
    Row("lamport", "lamport", "", true, Some(0.3)),
    Row("peterson", "peterson", "", true, Some(0.1)),
    Row("szymanski", "szymanski", "", true, Some(0.2)),
    Row("read_write_u", "read_write", "-DBAD", false, Some(0.6)),
    Row("read_write_s", "read_write", "", true, Some(0.9)),
    Row("time_var_mutex", "time_var_mutex", "", true, Some(0.1)),
    Row("stack_u", "stack", "-DBAD", false, Some(0.5)),
    Row("stack_s", "stack", "", true, Some(38.8)),
    Row("Figure 1", "figure1", "", true, None),
];

const TABLE_3: [Row; 10] = [
    Row("Sober SC", "sober", "", true, Some(0.7)),
    Row("Sober TSO", "sober", "-DTSO", false, Some(3.7)),
    Row("Sober PSO", "sober", "-DPSO", false, Some(1.7)),
    Row("Sober fix_SC", "sober", "-DFIX", true, Some(0.7)),
    Row("Sober fix_TSO", "sober", "-DTSO -DFIX", true, Some(1.3)),
    Row("Sober fix_PSO", "sober", "-DPSO -DFIX", true, Some(1.4)),
    Row("SQL SC", "sql", "", true, Some(0.4)),
    Row("SQL TSO", "sql", "-DTSO", true, Some(0.5)),
    Row("SQL Power", "sql", "-DPSO", false, None),
    Row("SQL dev_fix_Power", "sql", "-DPSO -DDEV_FIX", false, None),
];

/// The configurations of Table II, and our own ones: which reduction of the paper is used, or
/// that of the product; and whether covers are forced.
const CONFIGURATIONS: [Configuration; 6] = [
    ("sPOR", Some(Por::Shared), false),
    ("sPOR+FC", Some(Por::Shared), true),
    ("dPOR", Some(Por::Monotonic), false),
    ("dPOR+FC", Some(Por::Monotonic), true),
    ("reduced product", None, false),
    ("reduced product+FC", None, true),
];

type Configuration = (&'static str, Option<Por>, bool);

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    println!("Tables I and II\n");
    table(&TABLES_1_AND_2, &CONFIGURATIONS, &args)?;
    println!("\nTable III\n");
    table(&TABLE_3, &CONFIGURATIONS[3..], &args)
}

fn table(rows: &[Row], configurations: &[Configuration], args: &Args) -> anyhow::Result<()> {
    println!(
        "| program | configuration | verdict | s | s in the paper | nodes | covered | implications | \
         cover expansions |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for row in rows.iter().filter(|row| row.0.contains(&args.name)) {
        for configuration in configurations {
            run(row, *configuration, args)?;
        }
    }
    Ok(())
}

fn run(
    Row(name, program, flags, safe, paper): &Row,
    (configuration, por, force_cover): Configuration,
    args: &Args,
) -> anyhow::Result<()> {
    let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
    let properties: Properties = [Property::Assert].into_iter().collect();
    let machine = load_with(&benchmarks("impact").join(format!("{program}.c")), properties, &flags)?;
    let options = Options { por, force_cover, ..Options::default() };
    let (outcome, time) = check(&machine, &options, args.timeout);
    let count = |counter| outcome.stats.count(counter).unwrap_or(0);
    let nodes = count(impact::counters::NODES);
    // The paper's times are of its last configuration.
    let paper =
        paper.filter(|_| configuration == "dPOR+FC").map_or("-".to_owned(), |seconds| seconds.to_string());
    println!(
        "| {name} | {configuration} | {} | {:.2} | {paper} | {nodes} | {} | {} | {} % |",
        verdict(&outcome, *safe),
        time.as_secs_f64(),
        count(impact::counters::COVERED),
        count(impact::counters::IMPLICATIONS),
        count(impact::counters::COVER_EXPANSIONS) * 100 / nodes.max(1),
    );
    Ok(())
}

fn check(machine: &Machine, options: &Options, timeout: f64) -> (Outcome, Duration) {
    let budget = budget(timeout);
    let progress = Progress::default();
    let task = Task { machine, budget: &budget, bounds: Bounds::default(), progress: &progress };
    let start = Instant::now();
    let outcome = impact::check(&task, options);
    (outcome, start.elapsed())
}

fn verdict(outcome: &Outcome, safe: bool) -> String {
    match (&outcome.verdict, safe) {
        (Verdict::Holds { .. }, true) => "safe".to_owned(),
        (Verdict::Violated { .. }, false) => "unsafe".to_owned(),
        (Verdict::Holds { .. } | Verdict::Violated { .. }, _) => "WRONG".to_owned(),
        (Verdict::Unknown { reason, .. }, _) => format!("unknown ({reason})"),
    }
}
