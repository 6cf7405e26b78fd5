//! The experiment of "Verifying Multi-threaded Software with Impact" (Tables I to III) on
//! the programs of `benchmarks/impact`: time, nodes, implications that the solver was asked
//! for, and the share of nodes that come from cover expansions, for the paper's reductions on
//! the tree and for the reduced product, with forced covers and without. Seconds are of the
//! processor. After each table stands where a reduced search has more nodes than the search
//! without that reduction, where both searches are complete, and which rows the default
//! configuration has not decided, or not soon enough. The program fails if there are any.
//!
//! `cargo run --release -p experiments --bin impact -- [--timeout 60]`

use clap::Parser;
use engine::{Bounds, Outcome, Progress, Task, Verdict};
use experiments::{benchmarks, budget, load_with, processor_seconds};
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
const CONFIGURATIONS: [Configuration; 8] = [
    ("unreduced", Some(Por::None), false),
    ("unreduced+FC", Some(Por::None), true),
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
    let first = table(&TABLES_1_AND_2, Some(SOON), &args)?;
    println!("\nTable III\n");
    let second = table(&TABLE_3, None, &args)?;
    let (more, missed) = (first.0 + second.0, first.1 + second.1);
    anyhow::ensure!(more == 0, "{more} reduced searches have more nodes than those that are not");
    anyhow::ensure!(missed == 0, "{missed} rows are not decided in the default configuration");
    Ok(())
}

/// So many seconds each row of the first two tables may take in the default configuration.
const SOON: f64 = 2.0;

/// What came of one run.
#[derive(Clone, Copy)]
struct Run {
    /// The position of the configuration.
    configuration: usize,
    nodes: u64,
    /// Whether the tree is complete: where the verdict is another one, nodes say how soon the
    /// search ended.
    is_complete: bool,
    /// Whether the verdict is the expected one.
    is_right: bool,
    seconds: f64,
}

/// Prints a table. Yields how many reduced searches have more nodes than those without reduction,
/// and how many rows the default configuration has not decided in the time that it may take.
fn table(rows: &[Row], soon: Option<f64>, args: &Args) -> anyhow::Result<(usize, usize)> {
    println!(
        "| program | configuration | verdict | s | s in the paper | nodes | covered | implications | \
         cover expansions |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let (mut told, mut missed) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| row.0.contains(&args.name)) {
        let mut runs = Vec::new();
        for configuration in 0..CONFIGURATIONS.len() {
            runs.push(run(row, configuration, args)?);
        }
        // The last configuration is the default.
        let is_soon = |run: &Run| soon.is_none_or(|soon| run.seconds < soon);
        missed.extend((!runs.last().is_some_and(|run| run.is_right && is_soon(run))).then_some(row.0));
        told.extend(larger(&runs).into_iter().map(|pair| (row.0, pair)));
    }
    println!("\nComplete reduced searches with more nodes than without the reduction: {}", told.len());
    for (name, (reduced, whole)) in &told {
        println!("- {name}: {} ({}) and {} ({})", of(reduced), reduced.nodes, of(whole), whole.nodes);
    }
    println!("Rows that the default configuration has not decided in time: {}", missed.len());
    missed.iter().for_each(|name| println!("- {name}"));
    Ok((told.len(), missed.len()))
}

fn of(run: &Run) -> &'static str {
    CONFIGURATIONS[run.configuration].0
}

/// The reduction that a search has without one more: monotonic paths are some of those on which
/// only shared accesses interleave, and the product is reduced in another way than the tree.
fn without(por: Option<Por>) -> Option<Por> {
    match por {
        Some(Por::None) => None,
        Some(Por::Monotonic) => Some(Por::Shared),
        Some(Por::Shared) | None => Some(Por::None),
    }
}

/// The pairs of a reduced search and one without that reduction, with the same forced covers, of
/// which the first has more nodes.
fn larger(runs: &[Run]) -> Vec<(Run, Run)> {
    let is_larger = |reduced: &Run, whole: &Run| {
        let [(_, por, force), (_, other, other_force)] =
            [reduced, whole].map(|run| CONFIGURATIONS[run.configuration]);
        let compared = other.is_some() && without(por) == other && force == other_force;
        compared && whole.is_complete && reduced.is_complete && reduced.nodes > whole.nodes
    };
    let pairs = runs.iter().flat_map(|reduced| runs.iter().map(move |whole| (*reduced, *whole)));
    pairs.filter(|(reduced, whole)| is_larger(reduced, whole)).collect()
}

fn run(Row(name, program, flags, safe, paper): &Row, position: usize, args: &Args) -> anyhow::Result<Run> {
    let (configuration, por, force_cover) = CONFIGURATIONS[position];
    let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
    let properties: Properties = [Property::Assert].into_iter().collect();
    let machine = load_with(&benchmarks("impact").join(format!("{program}.c")), properties, &flags)?;
    let options = Options { por, force_cover, ..Options::default() };
    let (outcome, seconds) = check(&machine, &options, args.timeout);
    let count = |counter| outcome.stats.count(counter).unwrap_or(0);
    let nodes = count(impact::counters::NODES);
    // The paper's times are of its last configuration.
    let paper =
        paper.filter(|_| configuration == "dPOR+FC").map_or("-".to_owned(), |seconds| seconds.to_string());
    println!(
        "| {name} | {configuration} | {} | {:.2} | {paper} | {nodes} | {} | {} | {} % |",
        verdict(&outcome, *safe),
        seconds,
        count(impact::counters::COVERED),
        count(impact::counters::IMPLICATIONS),
        count(impact::counters::COVER_EXPANSIONS) * 100 / nodes.max(1),
    );
    let is_complete = matches!(outcome.verdict, Verdict::Holds { .. });
    let is_right = is_complete == *safe && !matches!(outcome.verdict, Verdict::Unknown { .. });
    Ok(Run { configuration: position, nodes, is_complete, is_right, seconds })
}

fn check(machine: &Machine, options: &Options, timeout: f64) -> (Outcome, f64) {
    let budget = budget(timeout);
    let progress = Progress::default();
    let task = Task { machine, budget: &budget, bounds: Bounds::default(), progress: &progress };
    let before = processor_seconds();
    let outcome = impact::check(&task, options);
    (outcome, processor_seconds() - before)
}

fn verdict(outcome: &Outcome, safe: bool) -> String {
    match (&outcome.verdict, safe) {
        (Verdict::Holds { .. }, true) => "safe".to_owned(),
        (Verdict::Violated { .. }, false) => "unsafe".to_owned(),
        (Verdict::Holds { .. } | Verdict::Violated { .. }, _) => "WRONG".to_owned(),
        (Verdict::Unknown { reason, .. }, _) => format!("unknown ({reason})"),
    }
}
