//! How fast a program's states are explored, to the end, whatever faults there
//! are: only assertions are looked at unless `--property` says otherwise.
//!
//! `cargo run --release -p experiments --bin rates -- FILE.c [-D NAME=VALUE]
//! [--search csdr,bfs,dfs] [--unreduced] [--forgetful] [--threads 1,2]`
//!
//! "Longest thread" is the processor's time for the search thread that worked
//! most: how long the search takes on a machine that has a core for each.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use engine::Verdict;
use experiments::{benchmarks, explicit, load_with, processor_seconds, thread_seconds};
use explicit::{Options, Remember, SearchOrder};
use machine::{Grain, Properties, Property};

#[derive(Parser)]
struct Args {
    /// A program, or the name of one in `benchmarks/context-switches`
    program: PathBuf,

    /// A macro for the compiler
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    define: Vec<String>,

    /// The orders of search
    #[arg(long, value_delimiter = ',', default_value = "csdr")]
    search: Vec<Order>,

    /// Every instruction is a step
    #[arg(long)]
    unreduced: bool,

    /// Also look for data races
    #[arg(long)]
    races: bool,

    /// Execute every step
    #[arg(long)]
    forgetful: bool,

    /// The numbers of threads
    #[arg(long, value_delimiter = ',', default_values_t = [1])]
    threads: Vec<usize>,

    /// Give up after so many seconds
    #[arg(long, default_value_t = 600)]
    timeout: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    Csdr,
    Bfs,
    Dfs,
}

impl From<Order> for SearchOrder {
    fn from(order: Order) -> SearchOrder {
        match order {
            Order::Csdr => SearchOrder::Csdr,
            Order::Bfs => SearchOrder::Bfs,
            Order::Dfs => SearchOrder::Dfs,
        }
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let named = benchmarks("context-switches").join(&args.program);
    let path = if args.program.exists() { &args.program } else { &named };
    let flags: Vec<String> = args.define.iter().map(|define| format!("-D{define}")).collect();
    let races = args.races.then_some(Property::Race);
    let properties: Properties = [Property::Assert].into_iter().chain(races).collect();
    let machine = load_with(path, properties, &flags)?;
    println!(
        "| search | threads | states | transitions | seconds | processor seconds | longest thread | states per processor second | bytes/state | peak MiB | ended |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (search, label) in
        args.search.iter().map(|order| (SearchOrder::from(*order), order.to_possible_value()))
    {
        for threads in &args.threads {
            let reduction = if args.unreduced { Grain::Instruction } else { Grain::Visible };
            let remember = if args.forgetful { Remember::Nothing } else { Remember::Steps };
            let options = Options { search, reduction, remember, ..Options::default() };
            let (before, own) = (processor_seconds(), thread_seconds());
            let (outcome, time) = explicit(&machine, options, *threads, Duration::from_secs(args.timeout));
            let (states, seconds) =
                (outcome.stats.count(engine::counters::STATES).unwrap_or(0), time.as_secs_f64());
            let (processor, own) = (processor_seconds() - before, thread_seconds() - own);
            // The first search thread is this one; the others share the rest.
            let others = (processor - own) / (threads.max(&2) - 1) as f64;
            println!(
                "| {} | {threads} | {states} | {} | {seconds:.1} | {processor:.1} | {:.1} | {:.0} | {:.1} | {} | {} |",
                label.as_ref().map_or("", |label| label.get_name()),
                outcome.stats.count(engine::counters::TRANSITIONS).unwrap_or(0),
                own.max(others),
                states as f64 / processor,
                outcome.stats.real(engine::counters::BYTES_PER_STATE).unwrap_or(0.0),
                peak_memory(),
                if matches!(outcome.verdict, Verdict::Holds { .. }) { "yes" } else { "no" },
            );
        }
    }
    Ok(())
}

/// The most memory that the process had, in MiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}
