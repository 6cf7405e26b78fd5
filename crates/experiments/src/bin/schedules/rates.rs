//! Table 1: how long it takes to find a schedule and to verify everything, and how many useful
//! rounds native programs make in two seconds, under schedules and without.

use std::path::Path;
use std::process::Command;

use anyhow::Context;

use crate::Args;
use crate::bench::{Bench, Program, median};

/// A row of the table, with the paper's ratio of the last optimisation to unconstrained.
struct Row {
    name: &'static str,
    program: Program,
    paper: f64,
}

const fn row(name: &'static str, file: &'static str, flags: &'static [&'static str], paper: f64) -> Row {
    Row { name, program: Program::new(file, flags), paper }
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

/// Prints the table.
pub fn print(bench: &Bench<'_>, args: &Args) -> anyhow::Result<()> {
    let meter = bench.object("meter.c", &[], "meter.o")?;
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
        match (Measured { bench, args, meter: &meter }).row(row) {
            Ok(line) => println!("{line}"),
            Err(error) => println!("{:24} {error:#}", row.name),
        }
    }
    Ok(())
}

struct Measured<'a> {
    bench: &'a Bench<'a>,
    args: &'a Args,
    /// What counts rounds.
    meter: &'a Path,
}

impl Measured<'_> {
    fn row(&self, row: &Row) -> anyhow::Result<String> {
        self.bench.free(row.program)?;
        let free = self.rate(row)?;
        let (mut first, mut cells) = (None, String::new());
        for opt in &self.args.opt {
            let options = ["--until", "first", "--timeout", "60", "--opt", &opt.to_string()];
            let rate = self.bench.find(row.program, &options).and_then(|seconds| {
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

    /// How long complete verification takes.
    fn complete(&self, row: &Row) -> anyhow::Result<String> {
        let limit = self.args.complete.to_string();
        if self.args.complete == 0 {
            return Ok("-".to_owned());
        }
        let mut command = Command::new(self.bench.threadproof);
        command.args(["check", "--format", "json", "--timeout", &limit, "--property", "assert,deadlock"]);
        let started = std::time::Instant::now();
        let output = command.arg(row.program.source()).arg("--").args(row.program.flags).output()?;
        let seconds = started.elapsed().as_secs_f64();
        Ok(if output.status.code() == Some(0) { format!("{seconds:.1} s") } else { "timeout".to_owned() })
    }

    /// Rounds of the native program under the schedule that was written last.
    fn rate(&self, row: &Row) -> anyhow::Result<u64> {
        let native = self.bench.build(row.program, self.meter)?;
        let mut rates = Vec::new();
        for _ in 0..self.args.runs.max(1) {
            let output = Command::new(&native).output()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let failed = || String::from_utf8_lossy(&output.stderr).into_owned();
            rates.push(text.trim().parse::<u64>().with_context(failed)?);
        }
        Ok(median(rates))
    }
}
