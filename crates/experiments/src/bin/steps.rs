//! Whether a step costs what it changes: the rate of a search does not depend on
//! how many objects there are that no step touches, and a bug that needs one
//! context switch is found in a time that is linear in the number of threads.
//!
//! `cargo build --release && cargo run --release -p experiments --bin steps`
//!
//! The list program (`benchmarks/steps/list.c`) is searched with 100 and with
//! 100,000 nodes, by each engine, with few and with more rounds of its threads.
//! What more rounds take longer is the time for their steps alone, without that
//! for building the list. Threads that walk along such a list
//! (`benchmarks/steps/walk.c`), and threads that push on it and pop from it
//! (`benchmarks/steps/push.c`), show what a step costs that changes references.
//! Threads beside many that wait (`benchmarks/steps/wait.c`) show what a step costs where
//! it concerns few of the threads.
//! A recursion (`benchmarks/steps/deep.c`) shows whether a
//! step costs what the stack is deep, in the stateless engine; long executions
//! (`benchmarks/steps/long.c`) and executions of many threads
//! (`benchmarks/steps/many.c`) show whether it costs what the execution is long, or how
//! many threads there are. All times are the processor's.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Context;
use clap::Parser;
use experiments::{benchmarks, processor_seconds};

#[derive(Parser)]
struct Args {
    /// The program `threadproof`; by default the one that was built with this
    #[arg(long)]
    tool: Option<PathBuf>,

    /// The engines that search the list program
    #[arg(long, value_delimiter = ',', default_value = "explicit,stateless,bounded")]
    engines: Vec<String>,

    /// The numbers of nodes
    #[arg(long, value_delimiter = ',', default_values_t = [100, 100_000])]
    nodes: Vec<u32>,

    /// The numbers of nodes where threads walk along the list, or push and pop
    #[arg(long, value_delimiter = ',', default_values_t = [100, 1_000, 10_000])]
    pushed: Vec<u32>,

    /// The numbers of threads
    #[arg(long, value_delimiter = ',', default_values_t = [100, 1_000, 10_000])]
    threads: Vec<u32>,

    /// The numbers of threads that wait
    #[arg(long, value_delimiter = ',', default_values_t = [100, 1_000, 4_000])]
    waiting: Vec<u32>,

    /// The depths of the recursion
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 4_000, 16_000])]
    depths: Vec<u32>,

    /// The numbers of steps of each thread in a long execution
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 9_900])]
    rounds: Vec<u32>,

    /// The numbers of threads of one execution
    #[arg(long, value_delimiter = ',', default_values_t = [100, 1_000, 3_000])]
    many: Vec<u32>,

    /// Give up after so many seconds
    #[arg(long, default_value_t = 60)]
    timeout: u64,
}

/// A check that was run.
struct Run {
    transitions: u64,
    seconds: f64,
    /// Whether it knew the answer.
    decided: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    lists(&args)?;
    walks(&args)?;
    pushes(&args)?;
    waits(&args)?;
    threads(&args)?;
    depths(&args)?;
    executions(&args)
}

/// Steps that do not touch the list.
fn lists(args: &Args) -> anyhow::Result<()> {
    println!("Threads that do not touch the list:\n");
    // The number of executions grows faster with the rounds than that of states, and
    // states are visited faster where they are known in full.
    let rounds = |engine: &str| match engine {
        "stateless" => (3, 4),
        "explicit" => (3, 30),
        _ => (3, 8),
    };
    rates(args, "list.c", ("NODES", &args.nodes), rounds)
}

/// Steps that change the references of a thread to the list.
fn walks(args: &Args) -> anyhow::Result<()> {
    println!("Threads that walk along the list:\n");
    rates(args, "walk.c", ("NODES", &args.pushed), |_| (1, 2))
}

/// Steps that change the references of the list.
fn pushes(args: &Args) -> anyhow::Result<()> {
    println!("Threads that push and pop:\n");
    rates(
        args,
        "push.c",
        ("NODES", &args.pushed),
        |engine| if engine == "explicit" { (2, 3) } else { (1, 2) },
    )
}

/// Steps that do not concern the threads that wait.
fn waits(args: &Args) -> anyhow::Result<()> {
    println!("Threads beside others that wait:\n");
    let rounds = |engine: &str| match engine {
        "stateless" => (2, 3),
        "explicit" => (3, 12),
        _ => (3, 8),
    };
    rates(args, "wait.c", ("THREADS", &args.waiting), rounds)
}

/// Prints, for each engine and size of the state, how many steps it takes in a second
/// of those that more rounds bring.
fn rates(
    args: &Args,
    program: &str,
    (named, sizes): (&str, &[u32]),
    rounds: impl Fn(&str) -> (u32, u32),
) -> anyhow::Result<()> {
    println!(
        "| engine | {} | seconds | more transitions | more seconds | rate | of the first |",
        named.to_lowercase()
    );
    println!("|---|---|---|---|---|---|---|");
    for engine in &args.engines {
        let (fewer, more) = rounds(engine);
        let mut first = None;
        for size in sizes {
            let run = |rounds: u32| {
                let flags = [format!("-D{named}={size}"), format!("-DROUNDS={rounds}")];
                check(args, program, &["--engine", engine], &flags)
            };
            let (few, many) = (run(fewer)?, run(more)?);
            let transitions = many.transitions.saturating_sub(few.transitions);
            let seconds = (many.seconds - few.seconds).max(0.01);
            let rate = transitions as f64 / seconds;
            let ratio = rate / *first.get_or_insert(rate);
            let total = few.seconds;
            let ended = if few.decided && many.decided { "" } else { " (not decided)" };
            println!(
                "| {engine} | {size} | {total:.2} | {transitions} | {seconds:.2} | {rate:.0} | {ratio:.3}{ended} |"
            );
        }
    }
    println!();
    Ok(())
}

fn threads(args: &Args) -> anyhow::Result<()> {
    println!("| threads | seconds | per thread, of the first | decided |");
    each(&args.threads, |threads| check(args, "threads.c", &[], &[format!("-DTHREADS={threads}")]))
}

fn depths(args: &Args) -> anyhow::Result<()> {
    println!("\n| calls | seconds | per call, of the first | decided |");
    let options = ["--engine", "stateless", "--property", "assert"];
    each(&args.depths, |depth| check(args, "deep.c", &options, &[format!("-DDEPTH={depth}")]))
}

/// Single executions of many steps, and of many threads.
fn executions(args: &Args) -> anyhow::Result<()> {
    let options = ["--engine", "stateless", "--search", "optimal", "--property", "assert"];
    println!("\n| rounds of two threads | seconds | per round, of the first | decided |");
    each(&args.rounds, |rounds| check(args, "long.c", &options, &[format!("-DROUNDS={rounds}")]))?;
    println!("\n| threads of one execution | seconds | per thread, of the first | decided |");
    each(&args.many, |threads| check(args, "many.c", &options, &[format!("-DTHREADS={threads}")]))
}

/// Prints how long a check takes for each of some sizes.
fn each(sizes: &[u32], run: impl Fn(u32) -> anyhow::Result<Run>) -> anyhow::Result<()> {
    println!("|---|---|---|---|");
    let mut first = None;
    for size in sizes {
        let run = run(*size)?;
        let each = run.seconds / f64::from(*size);
        let ratio = each / *first.get_or_insert(each);
        let decided = if run.decided { "yes" } else { "no" };
        println!("| {size} | {:.2} | {ratio:.2} | {decided} |", run.seconds);
    }
    Ok(())
}

/// Runs the tool on one of the programs.
fn check(args: &Args, program: &str, options: &[&str], flags: &[String]) -> anyhow::Result<Run> {
    let beside = || std::env::current_exe().map(|path| path.with_file_name("threadproof"));
    let tool = args.tool.clone().map_or_else(beside, Ok)?;
    let before = processor_seconds();
    let output = Command::new(&tool)
        .arg("check")
        .args(options)
        .args(["--timeout", &args.timeout.to_string()])
        .arg(benchmarks("steps").join(program))
        .arg("--")
        .args(flags)
        .output()
        .with_context(|| format!("cannot run {}", tool.display()))?;
    let seconds = processor_seconds() - before;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let decided =
        text.lines().any(|line| line == "safe" || line.starts_with("safe:") || line.starts_with("unsafe"));
    Ok(Run { transitions: count(&text, "transitions").unwrap_or(0), seconds, decided })
}

/// The number that stands before a word in the last line that has it.
fn count(text: &str, word: &str) -> Option<u64> {
    let line = text.lines().rev().find(|line| line.contains(word))?;
    let before = line.split(word).next()?.split_whitespace().last()?;
    before.replace(',', "").parse().ok()
}
