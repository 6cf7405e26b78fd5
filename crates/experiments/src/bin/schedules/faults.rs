//! Programs that go wrong under some schedules: for many rounds they do not under theirs, and
//! without they do.

use std::process::Command;

use crate::Args;
use crate::bench::{Bench, Program};

const PROGRAMS: [(&str, Program); 4] = [
    ("overflow (Figure 1)", Program::new("overflow.c", &[])),
    ("deadlock (Figure 7)", Program::new("double-lock.c", &["-DDEADLOCK"])),
    ("race (Figure 9a)", Program::new("race.c", &[])),
    ("declared (Figure 12)", Program::new("file-system-declared.c", &[])),
];

/// Prints what the programs do.
pub fn print(bench: &Bench<'_>, args: &Args) -> anyhow::Result<()> {
    let limit = format!("-DROUNDS={}", args.rounds);
    let meter = bench.object("meter.c", &[&limit], "rounds.o")?;
    println!("{:24} {:48} without a schedule", "program", "under its schedule");
    for (name, program) in PROGRAMS.iter().filter(|(name, _)| name.contains(&args.only)) {
        let run = |found: anyhow::Result<()>| {
            let native = found.and_then(|()| bench.build(*program, &meter))?;
            Ok::<String, anyhow::Error>(told(&Command::new(native).output()?))
        };
        let options = ["--until", "first", "--timeout", "60", "--opt", "2"];
        let held = run(bench.find(*program, &options).map(|_| ()));
        let free = run(bench.free(*program));
        let [held, free] = [held, free].map(|told| told.unwrap_or_else(|error| format!("{error:#}")));
        println!("{name:24} {held:48} {free}");
    }
    Ok(())
}

/// What a run says in the end: the meter's line, or what went wrong.
fn told(output: &std::process::Output) -> String {
    let last = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        text.lines().last().map(str::to_owned)
    };
    let line = last(&output.stderr).or(last(&output.stdout));
    line.unwrap_or_else(|| format!("ended with {}", output.status))
}
