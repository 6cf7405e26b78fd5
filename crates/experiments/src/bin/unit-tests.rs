//! The experiment of "GAMBIT: Effective Unit Testing for Concurrency Libraries"
//! (Table 2): how long each search takes to find the bug of each unit test in
//! `benchmarks/unit-tests`.
//!
//! `cargo run --release -p experiments --bin unit-tests -- [--timeout 4]`

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;
use engine::{Bounds, Budget, Outcome, Progress, Task, Verdict};
use experiments::{benchmarks, load_with};
use machine::{Machine, Properties, Property};
use stateless::{Options, Settings, Strategy};

/// Runs the unit tests under every search.
#[derive(Parser)]
struct Args {
    /// Give up a search after so many seconds
    #[arg(long, default_value_t = 4.0)]
    timeout: f64,

    /// How many seeds to run the random searches with
    #[arg(long, default_value_t = 3)]
    seeds: u64,

    /// Check the corrected versions instead: no search may find anything
    #[arg(long)]
    fixed: bool,

    /// Only tests whose name contains this
    #[arg(default_value = "")]
    name: String,
}

/// A search: its name in the table, and what it is.
struct Column {
    name: &'static str,
    search: Strategy,
    bound: Option<u32>,
    priority: &'static [&'static str],
}

const fn best_first(name: &'static str, bound: Option<u32>, priority: &'static [&'static str]) -> Column {
    Column { name, search: Strategy::BestFirst, bound, priority }
}

const COLUMNS: [Column; 10] = [
    best_first("DPOR DF", None, &[]),
    best_first("DPOR BF(pb)", None, &["pb"]),
    best_first("DPOR BF(mdpor,pb)", None, &["mdpor", "pb"]),
    best_first("DPOR BF(rand)", None, &["rand"]),
    best_first("PB(2) DF", Some(2), &[]),
    best_first("PB(2) BF(ss,dpor)", Some(2), &["ss", "dpor"]),
    best_first("PB(2) BF(ss,mdpor)", Some(2), &["ss", "mdpor"]),
    best_first("PB(2) BF(rand)", Some(2), &["rand"]),
    best_first("PB(3) BF(ss,mdpor)", Some(3), &["ss", "mdpor"]),
    Column { name: "optimal", search: Strategy::Optimal, bound: None, priority: &[] },
];

/// What a search made of a test.
struct Cell {
    seconds: f64,
    executions: f64,
    found: bool,
}

/// A unit test.
struct Test {
    name: String,
    kind: String,
    machine: Machine,
}

impl Test {
    fn load(path: &Path, fixed: bool) -> anyhow::Result<Test> {
        let text = std::fs::read_to_string(path)?;
        let kind = text.lines().find_map(|line| line.strip_prefix("// kind: "));
        let kind = kind.with_context(|| format!("{} has no kind", path.display()))?.to_owned();
        let property = match kind.as_str() {
            "assertion" => "assert",
            other => other,
        };
        let property = Property::from_name(property).with_context(|| format!("no property {property}"))?;
        let properties: Properties = [property].into_iter().collect();
        let flags: Vec<String> = fixed.then(|| "-DFIXED".to_owned()).into_iter().collect();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Test { name, kind, machine: load_with(path, properties, &flags)? })
    }

    fn run(&self, column: &Column, args: &Args) -> anyhow::Result<Cell> {
        let seeds = if column.priority.contains(&"rand") { args.seeds } else { 1 };
        let runs: Vec<Cell> =
            (1..=seeds).map(|seed| self.search(column, seed, args)).collect::<Result<_, _>>()?;
        let average = |of: fn(&Cell) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
        Ok(Cell {
            seconds: average(|cell| cell.seconds),
            executions: average(|cell| cell.executions),
            found: runs.iter().all(|cell| cell.found),
        })
    }

    fn search(&self, column: &Column, seed: u64, args: &Args) -> anyhow::Result<Cell> {
        let priority =
            column.priority.iter().map(|name| name.parse().expect("a priority function")).collect();
        let settings = Settings { preemption_bound: column.bound, priority, seed, ..Settings::default() };
        let budget = Budget::unlimited().with_timeout(Some(Duration::from_secs_f64(args.timeout)));
        let budget = budget.with_memory_limit(Some(4 << 30));
        let (bounds, progress) = (Bounds::default(), Progress::default());
        let task = Task { machine: &self.machine, budget: &budget, bounds, progress: &progress };
        let start = Instant::now();
        let outcome =
            stateless::check(&task, &Options { search: column.search, settings, ..Options::default() });
        let seconds = start.elapsed().as_secs_f64();
        let found = self.check(column, &outcome, args.fixed)?;
        Ok(Cell {
            seconds,
            executions: outcome.stats.count(engine::counters::EXECUTIONS).unwrap_or(0) as f64 + 1.0,
            found,
        })
    }

    /// Whether the bug was found. What was found must replay, and be of the
    /// test's kind; in a corrected version there is nothing to find.
    fn check(&self, column: &Column, outcome: &Outcome, fixed: bool) -> anyhow::Result<bool> {
        let Verdict::Violated { fault, trace } = &outcome.verdict else { return Ok(false) };
        let (name, column) = (&self.name, column.name);
        anyhow::ensure!(!fixed, "{name}, {column}: {} in the corrected version", fault.kind.name());
        trace::replay(&self.machine, trace, fault, &mut ())
            .map_err(|divergence| anyhow::anyhow!("{name}, {column}: {divergence}"))?;
        Ok(true)
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut files: Vec<PathBuf> = std::fs::read_dir(benchmarks("unit-tests"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.retain(|file| file.file_stem().is_some_and(|stem| stem.to_string_lossy().contains(&args.name)));
    files.sort();
    let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
    println!("Seconds (executions) to find the bug; `-`: not found in {} s.\n", args.timeout);
    println!("| test | bug | {} |\n|---|---|{}", names.join(" | "), "---|".repeat(names.len()));
    let mut totals: Vec<(f64, usize)> = vec![(0.0, 0); COLUMNS.len()];
    for file in &files {
        let test = Test::load(file, args.fixed)?;
        print!("| {} | {} |", test.name, test.kind);
        for (column, total) in COLUMNS.iter().zip(&mut totals) {
            let cell = test.run(column, &args)?;
            *total = (total.0 + cell.seconds, total.1 + usize::from(cell.found));
            match cell.found {
                true => print!(" {:.2} ({:.0}) |", cell.seconds, cell.executions),
                false => print!(" - |"),
            }
            std::io::Write::flush(&mut std::io::stdout())?;
        }
        println!();
    }
    let row =
        |text: &dyn Fn(&(f64, usize)) -> String| totals.iter().map(text).collect::<Vec<_>>().join(" | ");
    println!("| total seconds | | {} |", row(&|(seconds, _)| format!("{seconds:.1}")));
    println!("| bugs found (of {}) | | {} |", files.len(), row(&|(_, found)| found.to_string()));
    Ok(())
}
