//! Table 2: how much longer a parallel grep takes under schedules than without.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};

use crate::Args;
use crate::bench::{Bench, Program, median};

const GREP: Program = Program { file: "grep.c", flags: &[], options: &["--havoc", "scan"] };

/// How many files are searched.
const FILES: usize = 8;

/// The schedules: their names and the options that they are found with.
const SCHEDULES: [(&str, &[&str]); 1] =
    [("fixed order, by locks", &["--strategy", "lock-owner", "--until", "first"])];

/// Prints the table.
pub fn print(bench: &Bench<'_>, args: &Args) -> anyhow::Result<()> {
    let scan = bench.object("grep-scan.c", &[], "scan.o")?;
    write_files(bench.folder, args.megabytes).context("cannot write the files to be searched")?;
    println!(
        "{:24} {:>8} {:>8} {:>12} {:>14} {:>9}",
        "schedule", "found", "events", "constrained", "unconstrained", "relative"
    );
    for (name, options) in SCHEDULES {
        match row(bench, args, &scan, options) {
            Ok(line) => println!("{name:24} {line}"),
            Err(error) => println!("{name:24} {error:#}"),
        }
    }
    Ok(())
}

/// One schedule. Both programs run in turns, so that what else the machine does hits both.
fn row(bench: &Bench<'_>, args: &Args, scan: &Path, options: &[&str]) -> anyhow::Result<String> {
    bench.free(GREP)?;
    let free = bench.folder.join("free");
    std::fs::rename(bench.build(GREP, scan)?, &free)?;
    let found = bench.find(GREP, &[options, &["--timeout", "120", "--opt", "1"]].concat())?;
    let held = bench.build(GREP, scan)?;
    let expected = run(bench.folder, &free)?.1;
    let (mut constrained, mut unconstrained) = (Vec::new(), Vec::new());
    for _ in 0..args.runs.max(1) {
        for (native, times) in [(&held, &mut constrained), (&free, &mut unconstrained)] {
            let (seconds, text) = run(bench.folder, native)?;
            ensure!(text == expected, "the output is another one: {text:?} instead of {expected:?}");
            times.push(seconds);
        }
    }
    let schedule = schedule::Schedule::parse(&std::fs::read(bench.schedule())?)?;
    let lanes = schedule.sections.iter().flat_map(|section| &section.lanes);
    let events: usize = lanes.map(|lane| lane.events.len()).sum();
    let (held, free) = (median(constrained), median(unconstrained));
    Ok(format!("{found:>6.1} s {events:>8} {held:>10.3} s {free:>12.3} s {:>9.3}", held / free))
}

/// The seconds of a run, and its output with lines in order.
fn run(folder: &Path, native: &Path) -> anyhow::Result<(f64, Vec<String>)> {
    let started = Instant::now();
    let mut child = Command::new(native)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let names: String = (0..FILES).map(|file| format!("file-{file}\n")).collect();
    let mut input = child.stdin.take().context("the program has no input")?;
    input.write_all(format!("needle\n{names}").as_bytes())?;
    drop(input);
    let output = child.wait_with_output()?;
    let seconds = started.elapsed().as_secs_f64();
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "ended with {}: {errors}", output.status);
    let mut lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    lines.sort();
    Ok((seconds, lines))
}

/// Writes files of letters at random, by a generator that gives the same in every run.
fn write_files(folder: &Path, megabytes: usize) -> std::io::Result<()> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for file in 0..FILES {
        let mut to = std::io::BufWriter::new(std::fs::File::create(folder.join(format!("file-{file}")))?);
        for _ in 0..megabytes * 1024 * 1024 / 8 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            to.write_all(&seed.to_le_bytes().map(|byte| b'a' + byte % 26))?;
        }
        to.flush()?;
    }
    Ok(())
}
