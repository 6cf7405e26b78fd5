//! Beside Spin: four threads, three increments each that are a read and a
//! write, on one counter; in Promela for Spin, in C for threadproof.
//!
//! `cargo run --release -p experiments --bin spin -- [SECONDS]` (needs `spin` and
//! `gcc`). Each of our searches may take that long (60 s): the unreduced space of
//! the C program is large, and the rate shows long before its end. Seconds are
//! those of the processor, so that others may use the machine meanwhile.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};
use experiments::{benchmarks, explicit, load, processor_seconds};
use explicit::{Options, SearchOrder};
use machine::{Grain, Properties, Property};

fn run(program: &str, args: &[&str], folder: &Path) -> anyhow::Result<String> {
    let output = Command::new(program).args(args).current_dir(folder).output();
    let output = output.with_context(|| format!("cannot run {program}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{program} failed: {text}{errors}");
    Ok(text)
}

/// States and seconds of an exhaustive search by Spin.
fn spin(flags: &[&str]) -> anyhow::Result<(f64, f64)> {
    let folder = std::env::temp_dir().join(format!("threadproof-spin-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let model = benchmarks("context-switches").join("increments.pml").canonicalize()?;
    run("spin", &["-a", &model.display().to_string()], &folder)?;
    run("gcc", &[&["-O2", "-DSAFETY", "-o", "pan", "pan.c"], flags].concat(), &folder)?;
    let before = processor_seconds();
    let text = run("./pan", &["-m1000000", "-w24"], &folder)?;
    let seconds = processor_seconds() - before;
    std::fs::remove_dir_all(&folder)?;
    let states = text.lines().find_map(|line| line.trim().strip_suffix(" states, stored"));
    let states: f64 = states.context("spin says how many states it stored")?.trim().parse()?;
    Ok((states, seconds))
}

fn main() -> anyhow::Result<()> {
    let seconds = std::env::args().nth(1).map_or(Ok(60), |text| text.parse())?;
    let (plain_states, plain) = spin(&["-DNOREDUCE"])?;
    let (states, reduced) = spin(&[])?;
    let rate = plain_states / plain;
    println!("spin, no reduction    {plain_states:>10} states {plain:>8.2} s {:>10.0} states/s", rate);
    println!(
        "spin, partial order   {states:>10} states {reduced:>8.2} s {:>10.0} states/s",
        states / reduced
    );
    let properties: Properties = [Property::Assert].into_iter().collect();
    let machine = load(&benchmarks("context-switches").join("increments.c"), properties)?;
    for (reduction, label) in [(Grain::Instruction, "no reduction"), (Grain::Visible, "tau reduction")] {
        for search in [SearchOrder::Csdr, SearchOrder::Bfs, SearchOrder::Dfs] {
            let options = Options { search, reduction, ..Options::default() };
            let before = processor_seconds();
            let (outcome, _) = explicit(&machine, options, 1, Duration::from_secs(seconds));
            let seconds = processor_seconds() - before;
            let states = outcome.stats.count(engine::counters::STATES).unwrap_or(0) as f64;
            let bytes = outcome.stats.real(engine::counters::BYTES_PER_STATE).unwrap_or(0.0);
            let ratio = states / seconds / rate;
            println!(
                "{search:?}, {label:14} {states:>10} states {seconds:>8.2} s {:>10.0} states/s ({ratio:.2} of spin's) {bytes:.1} bytes/state",
                states / seconds
            );
        }
    }
    Ok(())
}
