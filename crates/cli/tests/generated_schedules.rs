//! Schedules of generated programs: they are certified, and native programs keep to them.
//!
//! A schedule is looked for with each level of optimisation in turn. Where there is one, its proof
//! must be accepted by `certify`, and native runs with random inputs must come to their ends: no
//! assertion fails, nothing crashes, nothing departs from the schedule, and the
//! recorded order of events is permitted; of a run that is stopped, so is what it recorded until
//! then. Where it is said that there can be none, `check` must find a fault.
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
use schedule::{Recorded, Schedule, permits, read_record};
use seeds::{Count, Disagreement, Usual};

/// What an ordinary test run tries.
const USUAL: Usual = Usual { seeds: 0..60, time: Duration::from_secs(40) };

/// How often each native program runs.
const RUNS: u64 = 6;

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
    // On a very busy machine only a few programs are tried.
    let has_inputs = tally.kept < 20 || tally.with_inputs > 0;
    let enough = tally.kept > 0 && tally.events > tally.runs && has_inputs;
    assert!(seeds::chosen_seeds().is_some() || enough, "hardly anything was held to a schedule: {tally}");
}

fn shape(seed: u64) -> Shape {
    let groups: Vec<Group> = Group::all().filter(|group| !LEFT_OUT.contains(group)).collect();
    let pick = |n: u64| groups[n as usize % groups.len()];
    let mut groups = vec![pick(seed), pick(seed.wrapping_mul(0x9e37_79b9) >> 8)];
    // Every other program has inputs.
    groups.extend(seed.is_multiple_of(2).then_some(Group::Choices));
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
    /// Native runs kept to its schedule.
    Kept {
        /// The runs.
        runs: Vec<Kept>,
        /// Whether the program has inputs.
        inputs: bool,
    },
    /// No schedule was found.
    Unknown,
    /// There is none.
    Unsafe,
}

/// A native run that kept to its schedule.
struct Kept {
    /// How many events it recorded.
    events: u64,
    /// Whether it came to its end.
    ended: bool,
}

#[derive(Default)]
struct Tally {
    kept: u64,
    /// Of these, programs with inputs of which a run came to its end.
    with_inputs: u64,
    runs: u64,
    events: u64,
    unknown: u64,
    unsafe_: u64,
}

impl Tally {
    fn count(&mut self, end: End) {
        match end {
            End::Kept { runs, inputs } => {
                self.kept += 1;
                self.with_inputs += u64::from(inputs && runs.iter().any(|run| run.ended));
                self.runs += runs.len() as u64;
                self.events += runs.iter().map(|run| run.events).sum::<u64>();
            }
            End::Unknown => self.unknown += 1,
            End::Unsafe => self.unsafe_ += 1,
        }
    }
}

impl Count for Tally {
    fn add(&mut self, other: &Tally) {
        self.kept += other.kept;
        self.with_inputs += other.with_inputs;
        self.runs += other.runs;
        self.events += other.events;
        self.unknown += other.unknown;
        self.unsafe_ += other.unsafe_;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { kept, with_inputs, runs, events, unknown, unsafe_ } = self;
        write!(
            f,
            "{kept} schedules ({with_inputs} with inputs) were kept in {runs} runs with {events} events; "
        )?;
        write!(f, "{unknown} unknown, {unsafe_} unsafe")
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
            // An assumption that a schedule would have to make hold is no fault for `check`.
            Some(1) if found.stdout.contains("assumes what does not hold") => return Ok(End::Unsafe),
            Some(1) => return self.is_unsafe().map(|()| End::Unsafe),
            Some(2) => return Ok(End::Unknown),
            status => return Err(format!("schedule ends with {status:?}: {}{}", found.stdout, found.stderr)),
        }
        succeeds(&["certify", &self.source, &self.file()])?;
        succeeds(&["build", &self.source, "--schedule", &self.file(), "-o", &self.scratch.path("prog")])?;
        let schedule = Schedule::parse(&std::fs::read(self.file()).map_err(|error| error.to_string())?)
            .map_err(|error| error.to_string())?;
        let runs = (0..RUNS).map(|seed| self.keeps_to(&schedule, seed));
        let runs = runs.collect::<Result<Vec<Kept>, String>>()?;
        let text = std::fs::read_to_string(&self.source).map_err(|error| error.to_string())?;
        let has_input = |line: &str| line.contains("nondet_") && !line.starts_with("extern");
        Ok(End::Kept { runs, inputs: text.lines().any(has_input) })
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
    fn keeps_to(&self, schedule: &Schedule, seed: u64) -> Result<Kept, String> {
        let (record, errors) = (self.scratch.path("record"), self.scratch.path("errors"));
        let stderr = std::fs::File::create(&errors).map_err(|error| error.to_string())?;
        // The record of an earlier run says nothing.
        let _ = std::fs::remove_file(&record);
        let mut command = Command::new(self.scratch.path("prog"));
        command.env("THREADPROOF_RECORD", &record).env("THREADPROOF_SEED", seed.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        let status = within_patience(command)?;
        let told = std::fs::read_to_string(&errors).unwrap_or_default();
        let crashed = status.is_some_and(|status| status.code().is_none());
        // An assumption about inputs that does not hold ends a run that the proof says nothing more of.
        let excluded = crashed && told.contains("an assumption does not hold");
        if !excluded && (crashed || told.contains("threadproof: ")) {
            return Err(format!("with inputs {seed}: {status:?}: {told}"));
        }
        let ended = status.is_some() && !excluded;
        let text = std::fs::read_to_string(&record).unwrap_or_default();
        // The last line of a run that is stopped may be cut short.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines = read_record(whole).map_err(|error| error.to_string())?;
        permits(schedule, &lines).map_err(|error| format!("with inputs {seed}: {error}"))?;
        let events = lines.iter().filter(|line| matches!(line, Recorded::Event { .. })).count() as u64;
        // The process may end before anything else happens, but not before what comes first.
        let first = &schedule.sections[schedule.start as usize];
        if events == 0 && first.lanes.iter().any(|lane| !lane.events.is_empty()) && ended {
            return Err(format!("with inputs {seed}: nothing was recorded"));
        }
        Ok(Kept { events, ended })
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
