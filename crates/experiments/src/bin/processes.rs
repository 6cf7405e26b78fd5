//! How fast two processes search, beside one process with two threads: the rates of the
//! fastest of several runs in turn, by the clock and by the processor's time, and the
//! bytes of a state in memory and on the way. On a busy machine the clock tells how long
//! processes waited for each other, and only the processor's time can be compared.
//!
//! `cargo run --release -p experiments --bin processes -- target/release/threadproof`
//!
//! The program is `increments.c` with every instruction a step: 23.5 million states.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};
use clap::Parser;
use experiments::benchmarks;
use serde_json::Value;

/// Compares processes with threads.
#[derive(Parser)]
struct Args {
    /// The program `threadproof`
    threadproof: PathBuf,
    /// How often each search is run
    #[arg(long, default_value_t = 3)]
    runs: u32,
    /// How often each of the two threads increments the counter
    #[arg(long, default_value_t = 18)]
    increments: u32,
}

/// What is told of a search.
struct Measured {
    states: u64,
    layers: Value,
    seconds: f64,
    processor: f64,
    bytes: f64,
    sent: f64,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let ways = [("one process, two threads", "--threads"), ("two processes", "--processes")];
    let mut best: [Option<Measured>; 2] = [None, None];
    for _ in 0..args.runs {
        for ((_, option), best) in ways.iter().zip(&mut best) {
            let measured = args.measure(option)?;
            if best.as_ref().is_none_or(|best| measured.seconds < best.seconds) {
                *best = Some(measured);
            }
        }
    }
    let [Some(threads), Some(processes)] = best else { anyhow::bail!("nothing was run") };
    ensure!(threads.states == processes.states && threads.layers == processes.layers, "the counts differ");
    println!("| | states | seconds | processor seconds | bytes/state | bytes sent/state |");
    println!("|---|---|---|---|---|---|");
    for ((name, _), m) in ways.iter().zip([&threads, &processes]) {
        let (states, seconds, processor) = (m.states, m.seconds, m.processor);
        println!("| {name} | {states} | {seconds:.1} | {processor:.1} | {:.1} | {:.1} |", m.bytes, m.sent);
    }
    println!(
        "\nrate of two processes, of that of two threads: {:.2} by the clock, {:.2} by the processor's time",
        threads.seconds / processes.seconds,
        threads.processor / processes.processor
    );
    Ok(())
}

impl Args {
    fn measure(&self, option: &str) -> anyhow::Result<Measured> {
        let mut command = Command::new(&self.threadproof);
        command.args(["check", "--engine", "explicit", "--format", "json", "--property", "assert"]);
        command.args(["--reduction", "none", "--symmetry", "off", option, "2"]);
        command.arg(benchmarks("context-switches").join("increments.c"));
        command.args(["--", "-DTHREADS=2", &format!("-DINCREMENTS={}", self.increments)]);
        let before = of_children()?;
        let output = command.output().context("cannot start threadproof")?;
        let processor = of_children()? - before;
        let report: Value = serde_json::from_slice(&output.stdout).context("no report")?;
        let stats = &report["stats"];
        let real = |name: &str| stats[name].as_f64().unwrap_or(0.0);
        Ok(Measured {
            states: stats["states"].as_u64().context("no states")?,
            layers: stats["states_per_layer"].clone(),
            seconds: real("seconds"),
            processor,
            bytes: real("bytes_per_state"),
            sent: real("sent_per_state"),
        })
    }
}

/// The processor's time of all processes that were started and have ended, and of those that
/// they have started.
fn of_children() -> anyhow::Result<f64> {
    // Fields 16 and 17 count hundredths of a second; the second one is a name in brackets.
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(')').next().context("no fields")?.split_whitespace();
    let ticks: Vec<f64> = fields.skip(13).take(2).map(str::parse).collect::<Result<_, _>>()?;
    Ok(ticks.iter().sum::<f64>() / 100.0)
}
