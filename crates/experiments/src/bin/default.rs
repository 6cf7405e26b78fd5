//! How `check` without options compares with the best single engine: runs
//! programs with both, and prints the ratio of the times to a conclusive answer.
//!
//! `cargo run --release -p experiments --bin default -- target/release/threadproof corpus --every 20`

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Context;
use clap::Parser;

const ENGINES: [&str; 4] = ["explicit", "stateless", "bounded", "impact"];

/// What the default may take beyond twice the time of the best single engine.
const SLACK: f64 = 1.0;

/// Compares `check` without options with single engines.
#[derive(Parser)]
struct Args {
    /// The program `threadproof`
    threadproof: PathBuf,
    /// A program, or a folder of programs
    programs: PathBuf,
    /// Only every so manyth program
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// What to check
    #[arg(long, default_value = "assert")]
    property: String,
    /// The time limit of each run, in seconds
    #[arg(long, default_value_t = 10)]
    timeout: u32,
}

/// A run: how long it took, and whether its answer is conclusive.
struct Timed {
    seconds: f64,
    status: Option<i32>,
}

impl Timed {
    fn is_conclusive(&self) -> bool {
        matches!(self.status, Some(0 | 1))
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut programs = Vec::new();
    collect(&args.programs, &mut programs)?;
    programs.sort();
    let (mut runs, mut within, mut lost, mut won) = (0, 0, 0, 0);
    for program in programs.iter().step_by(args.every.max(1)) {
        let default = run(&args, program, None)?;
        let single: Vec<(&str, Timed)> = ENGINES
            .iter()
            .map(|engine| Ok((*engine, run(&args, program, Some(engine))?)))
            .collect::<anyhow::Result<_>>()?;
        let conclusive = single.iter().filter(|(_, timed)| timed.is_conclusive());
        let best = conclusive.min_by(|(_, a), (_, b)| a.seconds.total_cmp(&b.seconds));
        match best {
            None => won += usize::from(default.is_conclusive()),
            Some((engine, best)) => {
                runs += 1;
                lost += usize::from(!default.is_conclusive());
                let is_within = default.is_conclusive() && default.seconds <= 2.0 * best.seconds + SLACK;
                within += usize::from(is_within);
                if !is_within {
                    let verdict = if default.is_conclusive() { "" } else { " (unknown)" };
                    let name = program.display();
                    println!(
                        "{name}: default {:.2} s{verdict}, {engine} {:.2} s",
                        default.seconds, best.seconds
                    );
                }
            }
        }
    }
    println!(
        "{within} of {runs} within twice the best single engine and {SLACK} s; {lost} unknown by default only, {won} known by default only"
    );
    Ok(())
}

/// The C and C++ programs below a path.
fn collect(path: &Path, programs: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
        return entries.flatten().try_for_each(|entry| collect(&entry.path(), programs));
    }
    let ending = path.extension().and_then(|ending| ending.to_str());
    if matches!(ending, Some("c" | "cpp" | "i")) {
        programs.push(path.to_owned());
    }
    Ok(())
}

fn run(args: &Args, program: &Path, engine: Option<&str>) -> anyhow::Result<Timed> {
    let started = Instant::now();
    let mut command = Command::new(&args.threadproof);
    command
        .args(["check", "--property", &args.property, "--timeout", &args.timeout.to_string()])
        .arg(program);
    command.args(engine.iter().flat_map(|engine| ["--engine", engine]));
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().context("cannot run it")?;
    Ok(Timed { seconds: started.elapsed().as_secs_f64(), status: status.code() })
}
