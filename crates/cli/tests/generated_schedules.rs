//! Schedules of generated programs: they are certified, and native programs keep to them.
//!
//! A schedule is looked for with each level of optimisation in turn. Where there is one, its proof
//! must be accepted by `certify`, and native runs with random inputs must come to their ends: no
//! assertion fails, nothing crashes, nothing departs from the schedule, and the
//! recorded order of events is permitted. Where it is said that there can be none, `check` must
//! find a fault.
//!
//! `THREADPROOF_SEEDS=1000..2000` tries these programs instead of the usual ones.

mod common;
#[allow(dead_code, reason = "programs are loaded by the command here")]
#[path = "../../generate/tests/common/mod.rs"]
mod seeds;

use std::fmt;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::{Scratch, run};
use generate::{Group, Shape, Test};
use schedule::{Schedule, permits, read_record};
use seeds::{Count, Disagreement, Usual};

/// What an ordinary test run tries.
const USUAL: Usual = Usual { seeds: 0..60, time: Duration::from_secs(40) };

/// How often each native program runs.
const RUNS: u64 = 3;

/// A native run that takes longer is stopped. If its threads waited for each other at events it
/// would have said so by then; programs may run for ever.
const PATIENCE: Duration = Duration::from_secs(15);

/// Groups of operations whose outcome native code decides on its own: whether a lock that is tried
/// is free, when a time is over, which address an object gets.
const LEFT_OUT: [Group; 5] =
    [Group::OtherLocks, Group::Polling, Group::Numbers, Group::Reuse, Group::Library];

#[test]
fn native_programs_keep_to_schedules_that_are_found_for_generated_programs() {
    let tally = seeds::run(&USUAL, try_out, shape);
    assert!(seeds::chosen_seeds().is_some() || tally.kept > 0, "no native program was held to a schedule");
}

fn shape(seed: u64) -> Shape {
    let groups: Vec<Group> = Group::all().filter(|group| !LEFT_OUT.contains(group)).collect();
    let pick = |n: u64| groups[n as usize % groups.len()];
    let groups = vec![pick(seed), pick(seed.wrapping_mul(0x9e37_79b9) >> 8)];
    Shape { threads: (1, 3), operations: (2, 4), groups }
}

fn try_out(test: &Test) -> Result<Tally, Disagreement> {
    let mut tally = Tally::default();
    let end = Subject::new(test).try_out();
    tally.count(end.map_err(|message| Disagreement { kind: "schedule".to_owned(), message })?);
    Ok(tally)
}

/// What came of a program.
enum End {
    /// So many native runs kept to its schedule.
    Kept(u64),
    /// No schedule was found.
    Unknown,
    /// There is none.
    Unsafe,
}

#[derive(Default)]
struct Tally {
    kept: u64,
    runs: u64,
    unknown: u64,
    unsafe_: u64,
}

impl Tally {
    fn count(&mut self, end: End) {
        match end {
            End::Kept(runs) => (self.kept, self.runs) = (self.kept + 1, self.runs + runs),
            End::Unknown => self.unknown += 1,
            End::Unsafe => self.unsafe_ += 1,
        }
    }
}

impl Count for Tally {
    fn add(&mut self, other: &Tally) {
        self.kept += other.kept;
        self.runs += other.runs;
        self.unknown += other.unknown;
        self.unsafe_ += other.unsafe_;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { kept, runs, unknown, unsafe_ } = self;
        write!(f, "{kept} schedules were kept in {runs} runs; {unknown} unknown, {unsafe_} unsafe")
    }
}

/// A generated program.
struct Subject {
    scratch: Scratch,
    source: String,
    opt: String,
    /// How many schedules are looked for: the second kind lets threads overtake each other.
    until: String,
}

impl Subject {
    fn new(test: &Test) -> Subject {
        let (scratch, seed) = (Scratch::new(), test.seed);
        let source = scratch.file("prog.c", test.observed().as_bytes());
        Subject { scratch, source, opt: (seed % 3).to_string(), until: (1 + seed / 3 % 2).to_string() }
    }

    fn file(&self) -> String {
        self.scratch.path("prog.schedule.json")
    }

    fn try_out(&self) -> Result<End, String> {
        let words = ["schedule", &self.source, "--timeout", "20", "-o", &self.file()];
        let found = run(&[&words[..], &["--opt", &self.opt, "--until", &self.until]].concat());
        match found.status {
            Some(0) => {}
            Some(1) => return self.is_unsafe().map(|()| End::Unsafe),
            Some(2) => return Ok(End::Unknown),
            status => return Err(format!("schedule ends with {status:?}: {}{}", found.stdout, found.stderr)),
        }
        succeeds(&["certify", &self.source, &self.file()])?;
        succeeds(&["build", &self.source, "--schedule", &self.file(), "-o", &self.scratch.path("prog")])?;
        let schedule = Schedule::parse(&std::fs::read(self.file()).map_err(|error| error.to_string())?)
            .map_err(|error| error.to_string())?;
        let runs = (0..RUNS).map(|seed| self.keeps_to(&schedule, seed));
        runs.collect::<Result<Vec<()>, String>>().map(|all| End::Kept(all.len() as u64))
    }

    /// That `check` finds a fault, too.
    fn is_unsafe(&self) -> Result<(), String> {
        let checked = run(&["check", &self.source, "--timeout", "20"]);
        match checked.status {
            Some(1 | 2) => Ok(()),
            status => Err(format!("no schedule is said to be safe, but check says {status:?}")),
        }
    }

    /// That a native run comes to its end in an order that is permitted.
    fn keeps_to(&self, schedule: &Schedule, seed: u64) -> Result<(), String> {
        let (record, errors) = (self.scratch.path("record"), self.scratch.path("errors"));
        let stderr = std::fs::File::create(&errors).map_err(|error| error.to_string())?;
        let mut command = Command::new(self.scratch.path("prog"));
        command.env("THREADPROOF_RECORD", &record).env("THREADPROOF_SEED", seed.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        let Some(status) = within_patience(command)? else { return Ok(()) };
        let told = std::fs::read_to_string(&errors).unwrap_or_default();
        // An assumption about inputs that does not hold ends a run that the proof says nothing of.
        if status.code().is_none() && told.contains("assumption") {
            return Ok(());
        }
        if status.code().is_none() || told.contains("threadproof: ") {
            return Err(format!("with inputs {seed}: {status}: {told}"));
        }
        let text = std::fs::read_to_string(&record).unwrap_or_default();
        let lines = read_record(&text).map_err(|error| error.to_string())?;
        permits(schedule, &lines).map_err(|error| format!("with inputs {seed}: {error}"))
    }
}

fn succeeds(words: &[&str]) -> Result<(), String> {
    let done = run(words);
    if done.status == Some(0) {
        return Ok(());
    }
    Err(format!("{} ends with {:?}: {}{}", words[0], done.status, done.stdout, done.stderr))
}

/// How a program ends, if it does.
fn within_patience(mut command: Command) -> Result<Option<ExitStatus>, String> {
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(Some(status));
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(2));
    }
}
