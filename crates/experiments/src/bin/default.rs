//! How `check` without options compares with the best single engine: runs
//! programs with both, and prints where the default is slower than twice the
//! best single engine and a second.
//!
//! A single engine can only show that if it is conclusive in less than half of
//! what the default took beyond that second. So it is given no longer, and it is
//! not even started where the default took less than the second: the whole corpus
//! takes little more than the default alone.
//!
//! Programs that are outside are run once more, both ways, and the better time counts: another
//! program that needed the processor for a moment is not to be taken for the engines' fault.
//!
//! `cargo run --release -p experiments --bin default -- target/release/threadproof corpus`

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;

const ENGINES: [&str; 4] = ["explicit", "stateless", "bounded", "impact"];

/// What the default may take beyond twice the time of the best single engine.
const SLACK: f64 = 1.0;

/// How often it is looked whether a run has ended.
const INTERVAL: Duration = Duration::from_millis(5);

/// How long a run may take to end when its time limit is over.
const GRACE: f64 = 1.0;

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
    /// The number of the first program, from 0
    #[arg(long, default_value_t = 0)]
    from: usize,
    /// What to check, as `check` takes it; `default` for what that checks without the option
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

    /// Of two runs of the same, the one that is conclusive, or the faster one.
    fn better(self, other: Timed) -> Timed {
        let worth = |timed: &Timed| (timed.is_conclusive(), -timed.seconds);
        if worth(&self) >= worth(&other) { self } else { other }
    }

    /// How fast a single engine must be for this run of the default to be too slow.
    fn bar(&self, limit: f64) -> f64 {
        let allowed = if self.is_conclusive() { self.seconds } else { 2.0 * limit + SLACK };
        (allowed - SLACK) / 2.0
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut programs = Vec::new();
    collect(&args.programs, &mut programs)?;
    programs.sort();
    let (mut runs, mut unknown, mut outside) = (0, 0, 0);
    for program in programs.iter().skip(args.from).step_by(args.every.max(1)) {
        let mut default = run(&args, program, None, f64::from(args.timeout))?;
        let mut found = faster(&args, program, &default)?;
        if let Some((engine, single)) = found.take() {
            let again = run(&args, program, None, f64::from(args.timeout))?;
            let single_again = run(&args, program, Some(engine), default.bar(args.timeout.into()))?;
            default = default.better(again);
            let single = single.better(single_again);
            found = (single.seconds < default.bar(args.timeout.into())).then_some((engine, single));
        }
        runs += 1;
        unknown += usize::from(!default.is_conclusive());
        if let Some((engine, single)) = found {
            outside += 1;
            let verdict = if default.is_conclusive() { "" } else { " (unknown)" };
            let (name, took, best) = (program.display(), default.seconds, single.seconds);
            println!("{name}: default {took:.2} s{verdict}, {engine} {best:.2} s");
        }
    }
    println!(
        "{} of {runs} within twice the best single engine and {SLACK} s; the default does not know {unknown}",
        runs - outside
    );
    Ok(())
}

/// The best single engine, if it is so fast that the default is too slow.
fn faster(args: &Args, program: &Path, default: &Timed) -> anyhow::Result<Option<(&'static str, Timed)>> {
    let mut best = None;
    let mut bar = default.bar(args.timeout.into());
    for engine in ENGINES {
        if bar <= 0.0 || default.status == Some(3) {
            break;
        }
        let single = run(args, program, Some(engine), bar)?;
        if single.is_conclusive() && single.seconds < bar {
            bar = single.seconds;
            best = Some((engine, single));
        }
    }
    Ok(best)
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

/// Runs a check, and ends it after so many seconds. Its time limit is the same for all, since
/// engines divide it among their attempts: with another one they would go another way.
fn run(args: &Args, program: &Path, engine: Option<&str>, seconds: f64) -> anyhow::Result<Timed> {
    let started = Instant::now();
    let mut command = Command::new(&args.threadproof);
    let limit = args.timeout.to_string();
    command.args(["check", "--timeout", &limit]).arg(program);
    if args.property != "default" {
        command.args(["--property", &args.property]);
    }
    command.args(engine.iter().flat_map(|engine| ["--engine", engine]));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().context("cannot run it")?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if started.elapsed().as_secs_f64() > seconds + GRACE {
            child.kill()?;
            break child.wait()?;
        }
        std::thread::sleep(INTERVAL);
    };
    Ok(Timed { seconds: started.elapsed().as_secs_f64(), status: status.code() })
}
