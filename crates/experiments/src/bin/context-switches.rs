//! The experiment of "Context-Switch-Directed Verification in DIVINE": each
//! program of Table 1 with breadth-first and context-switch-directed search,
//! on one and two threads, and what Table 2 says of the counterexamples.
//!
//! `cargo run --release -p experiments --bin context-switches -- [--runs 20]`

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use clap::Parser;
use engine::Verdict;
use experiments::{CONTEXT_SWITCHES as PROGRAMS, benchmarks, explicit, load};
use explicit::{Bookkeeping, Options, SearchOrder, context_switches};
use machine::{Machine, Properties};

/// Runs the programs of the paper's Table 1 with bfs and csdr.
#[derive(Parser)]
struct Args {
    /// How often each program is run with each search and number of threads
    #[arg(long, default_value_t = 20)]
    runs: usize,

    /// The numbers of threads
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2])]
    threads: Vec<usize>,

    /// Also run csdr with the paper's inexact bookkeeping
    #[arg(long)]
    inexact: bool,

    /// Give up a run after so many seconds
    #[arg(long, default_value_t = 300)]
    timeout: u64,

    /// Only programs whose name contains this
    #[arg(default_value = "")]
    name: String,
}

/// What the runs of one search on one program had in common, and what not.
#[derive(Default)]
struct Row {
    verdicts: BTreeSet<&'static str>,
    counterexamples: BTreeSet<String>,
    lengths: BTreeSet<u64>,
    switches: BTreeSet<u64>,
    states: BTreeSet<u64>,
    times: Vec<Duration>,
}

impl Row {
    fn run(&mut self, machine: &Machine, options: Options, threads: usize, timeout: Duration) {
        let (outcome, time) = explicit(machine, options, threads, timeout);
        self.times.push(time);
        self.states.extend(outcome.stats.count(engine::counters::STATES));
        self.verdicts.insert(match &outcome.verdict {
            Verdict::Holds { .. } => "safe",
            Verdict::Unknown { .. } => "unknown",
            Verdict::Violated { .. } => "unsafe",
        });
        if let Verdict::Violated { trace, .. } = &outcome.verdict {
            self.lengths.insert(trace.steps.len() as u64);
            self.switches.insert(context_switches(machine, trace));
            self.counterexamples.insert(format!("{:?}", trace.steps));
        }
    }

    /// First quartile, median, third quartile, in milliseconds.
    fn quartiles(&mut self) -> String {
        self.times.sort_unstable();
        let at = |part: usize| self.times[(self.times.len() - 1) * part / 4].as_secs_f64() * 1e3;
        format!("{:.1} / {:.1} / {:.1}", at(1), at(2), at(3))
    }

    fn print(&mut self, name: &str, search: &str, threads: usize) {
        let verdicts: Vec<&str> = self.verdicts.iter().copied().collect();
        println!(
            "| {name} | {search} | {threads} | {} | {} | {} | {} | {} | {} |",
            verdicts.join(", "),
            self.counterexamples.len(),
            range(&self.lengths),
            range(&self.switches),
            range(&self.states),
            self.quartiles()
        );
    }
}

fn range(values: &BTreeSet<u64>) -> String {
    match (values.first(), values.last()) {
        (Some(first), Some(last)) if first == last => first.to_string(),
        (Some(first), Some(last)) => format!("{first} - {last}"),
        _ => "-".to_owned(),
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    println!(
        "| program | search | threads | verdict | CEs | CE length | switches | states | ms (quartiles) |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for name in PROGRAMS.into_iter().filter(|name| name.contains(&args.name)) {
        let file = benchmarks("context-switches").join(name).with_extension("c");
        program(name, &file, &args)?;
    }
    Ok(())
}

fn program(name: &str, file: &Path, args: &Args) -> anyhow::Result<()> {
    let machine = load(file, Properties::standard())?;
    let searches = [
        ("bfs", SearchOrder::Bfs, Bookkeeping::Exact),
        ("csdr", SearchOrder::Csdr, Bookkeeping::Exact),
        ("csdr inexact", SearchOrder::Csdr, Bookkeeping::Inexact),
    ];
    for (label, search, bookkeeping) in searches.into_iter().take(2 + usize::from(args.inexact)) {
        for threads in &args.threads {
            let mut row = Row::default();
            for _ in 0..args.runs {
                let options = Options { search, bookkeeping, ..Options::default() };
                row.run(&machine, options, *threads, Duration::from_secs(args.timeout));
            }
            row.print(name, label, *threads);
        }
    }
    Ok(())
}
