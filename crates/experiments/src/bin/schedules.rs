//! Table 1 of Metzler, Suri and Weissenbacher, "Extracting safe thread schedules from incomplete
//! model checking results": how long it takes to find a schedule and to verify everything, and
//! how many useful rounds native programs make in two seconds, under schedules and without.
//!
//! `cargo run -p experiments --bin schedules -- target/debug/threadproof`
//!
//! Unconstrained programs are built in the same way, under a schedule that has no events.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use clap::Parser;
use serde_json::Value;

/// Prints Table 1.
#[derive(Parser)]
struct Args {
    /// The program `threadproof`
    threadproof: PathBuf,
    /// The optimisations to compare
    #[arg(long, value_delimiter = ',', default_values_t = [0, 1, 2])]
    opt: Vec<u32>,
    /// How often each native program runs; the median counts
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Only the rows whose names contain this
    #[arg(long, default_value = "")]
    only: String,
    /// How long complete verification may take, in seconds; 0 leaves it out
    #[arg(long, default_value_t = 60)]
    complete: u32,
}

/// A row of the table, with the paper's ratio of the last optimisation to unconstrained.
struct Row {
    name: &'static str,
    file: &'static str,
    flags: &'static [&'static str],
    paper: f64,
}

const fn row(name: &'static str, file: &'static str, flags: &'static [&'static str], paper: f64) -> Row {
    Row { name, file, flags, paper }
}

const ROWS: [Row; 9] = [
    row("prod.-cons. 1p 1c 1000b", "producer-consumer.c", &["-DSIZE=1000"], 1.39),
    row("prod.-cons. 2p 2c 1000b", "producer-consumer.c", &["-DPRODUCERS=2", "-DCONSUMERS=2"], 0.72),
    row("prod.-cons. 4p 4c 1000b", "producer-consumer.c", &["-DPRODUCERS=4", "-DCONSUMERS=4"], 0.51),
    row("prod.-cons. 1p 1c 5b", "producer-consumer.c", &["-DSIZE=5"], 1.56),
    row("prod.-cons. 2p 2c 5b", "producer-consumer.c", &["-DPRODUCERS=2", "-DCONSUMERS=2", "-DSIZE=5"], 1.34),
    row("prod.-cons. 4p 4c 5b", "producer-consumer.c", &["-DPRODUCERS=4", "-DCONSUMERS=4", "-DSIZE=5"], 1.05),
    row("double lock 1 ms", "double-lock.c", &["-DSLEEP"], 1.79),
    row("file system", "file-system.c", &["-DMEASURED"], 0.28),
    row("barrier", "barrier.c", &["-DMEASURED"], 13.5),
];

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load at the beginning: {}", load.trim());
    let folder = tempfile::tempdir()?;
    let bench = Bench { args: &args, folder: folder.path() };
    bench.meter()?;
    let columns: Vec<String> =
        args.opt.iter().map(|opt| format!("{:>22}", format!("opt {opt} (ratio)"))).collect();
    println!(
        "{:24} {:>8} {:>10}{} {:>14} {:>6}",
        "program",
        "first",
        "complete",
        columns.concat(),
        "unconstrained",
        "paper"
    );
    for row in ROWS.iter().filter(|row| row.name.contains(&args.only)) {
        match bench.row(row) {
            Ok(line) => println!("{line}"),
            Err(error) => println!("{:24} {error:#}", row.name),
        }
    }
    Ok(())
}

struct Bench<'a> {
    args: &'a Args,
    /// Where files are written.
    folder: &'a Path,
}

impl Bench<'_> {
    /// Compiles what counts rounds.
    fn meter(&self) -> anyhow::Result<()> {
        let source = experiments::benchmarks("schedules").join("meter.c");
        let mut clang = Command::new("clang-19");
        clang.args(["-O2", "-c"]).arg(source).arg("-o").arg(self.folder.join("meter.o"));
        ensure!(clang.status().context("cannot run clang-19")?.success(), "meter.c cannot be compiled");
        Ok(())
    }

    fn row(&self, row: &Row) -> anyhow::Result<String> {
        let free = self.unconstrained(row)?;
        let (mut first, mut cells) = (None, String::new());
        for opt in &self.args.opt {
            let rate = self.find(row, *opt).and_then(|seconds| {
                first.get_or_insert(seconds);
                self.rate(row)
            });
            let cell = match rate {
                Ok(rate) => format!("{rate} ({:.2})", rate as f64 / free as f64),
                Err(error) => format!("- ({error})"),
            };
            cells += &format!("{cell:>22}");
        }
        let first = first.map_or("-".to_owned(), |seconds| format!("{seconds:.1} s"));
        let complete = self.complete(row)?;
        Ok(format!("{:24} {first:>8} {complete:>10}{cells} {free:>14} {:>6}", row.name, row.paper))
    }

    fn source(&self, row: &Row) -> PathBuf {
        experiments::benchmarks("schedules").join(row.file)
    }

    fn schedule(&self) -> PathBuf {
        self.folder.join("schedule.json")
    }

    /// Looks for a schedule; yields the seconds to the first one.
    fn find(&self, row: &Row, opt: u32) -> anyhow::Result<f64> {
        let opt = opt.to_string();
        let told =
            self.threadproof(row, &["schedule", "--until", "first", "--timeout", "60", "--opt", &opt])?;
        told["seconds_to_first"].as_f64().context("no schedule")
    }

    /// How long complete verification takes.
    fn complete(&self, row: &Row) -> anyhow::Result<String> {
        let limit = self.args.complete.to_string();
        if self.args.complete == 0 {
            return Ok("-".to_owned());
        }
        let mut command = Command::new(&self.args.threadproof);
        command.args(["check", "--format", "json", "--timeout", &limit, "--property", "assert,deadlock"]);
        let started = std::time::Instant::now();
        let output = command.arg(self.source(row)).arg("--").args(row.flags).output()?;
        let seconds = started.elapsed().as_secs_f64();
        Ok(if output.status.code() == Some(0) { format!("{seconds:.1} s") } else { "timeout".to_owned() })
    }

    /// Rounds without a schedule: one that restricts nothing.
    fn unconstrained(&self, row: &Row) -> anyhow::Result<u64> {
        let mut command = Command::new(&self.args.threadproof);
        let output =
            command.args(["dump", "--sites"]).arg(self.source(row)).arg("--").args(row.flags).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let first =
            text.lines().next().and_then(|line| line.strip_prefix("program ")).context("no fingerprint")?;
        let free = serde_json::json!({
            "format": schedule::FORMAT, "tool": "", "program": first, "sites": [], "start": 0,
            "sections": [{ "lanes": [], "next": "exit" }],
        });
        // A proof that is beside it would be that of another one.
        let _ = std::fs::remove_file(self.schedule().with_extension("proof.json"));
        std::fs::write(self.schedule(), free.to_string())?;
        self.rate(row)
    }

    /// Rounds of the native program under the schedule that was written last.
    fn rate(&self, row: &Row) -> anyhow::Result<u64> {
        let program = self.folder.join("program");
        let mut build = Command::new(&self.args.threadproof);
        build.arg("build").arg(self.source(row)).arg("--schedule").arg(self.schedule());
        build.arg("-o").arg(&program).arg("--").args(row.flags);
        let built = build.arg(format!("-Wl,{}", self.folder.join("meter.o").display())).output()?;
        ensure!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let mut rates = Vec::new();
        for _ in 0..self.args.runs.max(1) {
            let output = Command::new(&program).output()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let failed = || String::from_utf8_lossy(&output.stderr).into_owned();
            rates.push(text.trim().parse::<u64>().with_context(failed)?);
        }
        rates.sort_unstable();
        Ok(rates[rates.len() / 2])
    }

    fn threadproof(&self, row: &Row, words: &[&str]) -> anyhow::Result<Value> {
        let mut command = Command::new(&self.args.threadproof);
        command.args(words).args(["--format", "json", "-o"]).arg(self.schedule());
        let output = command.arg(self.source(row)).arg("--").args(row.flags).output()?;
        serde_json::from_slice(&output.stdout)
            .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
