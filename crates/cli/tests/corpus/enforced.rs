//! Holds native programs to schedules that permit one execution each.
//!
//! The executions are random ones of the machine. The native run must come to
//! its end, and the order of events that it recorded must be permitted.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use ::native::{Error, OnDeparture, enforce, scheduled};
use ir::{Instr, Program, SyncOp};
use machine::{End, Grain, Machine, Mover, Properties, State};
use schedule::{permits, read_record};
use threadproof::{front_end_options, load_linked};
use trace::{Trace, TraceStep};

use crate::header::Header;
use crate::program::Subject;

/// How many executions of each program.
const EXECUTIONS: usize = 2;

/// How many are tried: assumptions may fail.
const ATTEMPTS: u64 = 20;

/// Longer ones are left alone.
const MOST_STEPS: usize = 2000;

/// A run that takes longer is held up by its schedule.
const PATIENCE: Duration = Duration::from_secs(40);

static ENFORCED: AtomicU32 = AtomicU32::new(0);

/// Whether this is asked for instead of the usual tests.
pub fn is_asked() -> bool {
    std::env::var_os("ENFORCE").is_some()
}

/// Programs of which this is tested whenever the corpus is.
const SAMPLE: [&str; 8] = [
    "atomics/tp-atomic-section.c",
    "atomics/verifier-atomic-function.c",
    "classics/readers-writers.c",
    "cpp/condition-variable.cpp",
    "sync/barrier.c",
    "sync/cond-turns.c",
    "sync/once.c",
    "sync/sem-handoff.c",
];

/// Enforces random executions of a program of the sample. There must be one.
pub fn sample(path: &Path, subject: &Subject, header: &Header) -> Vec<String> {
    if !SAMPLE.iter().any(|name| path == Path::new(name)) {
        return Vec::new();
    }
    let results = executions(subject, header);
    let none = !results.contains(&Ok(true));
    let differences = results.into_iter().filter_map(Result::err);
    differences.chain(none.then(|| "no execution was enforced".to_owned())).collect()
}

/// Enforces random executions of a program that has no faults.
pub fn all(subject: &Subject, header: &Header) -> Vec<String> {
    executions(subject, header).into_iter().filter_map(Result::err).collect()
}

/// What came of each: whether events were recorded.
fn executions(subject: &Subject, header: &Header) -> Vec<Result<bool, String>> {
    if header.expects.iter().any(|expect| expect.verdict != "safe") || subject.program.pointer_width != 64 {
        return Vec::new();
    }
    if has_locked_spin_locks(&subject.program) {
        return Vec::new();
    }
    let Ok(machine) = subject.machine(Properties::default()) else { return Vec::new() };
    let traces = (0..ATTEMPTS).filter_map(|seed| random(&machine, seed)).take(EXECUTIONS);
    traces.map(|(trace, code)| one(subject, &machine, &trace, code)).collect()
}

/// Whether spin locks are used that nothing initialises. The machine takes one whose bytes are
/// all 0 for free; on this architecture the C library takes it for locked.
fn has_locked_spin_locks(program: &Program) -> bool {
    let has = |wanted: SyncOp| {
        let mut code = program.functions.iter().flat_map(|function| &function.code);
        code.any(|instr| matches!(instr, Instr::Sync { op, .. } if *op == wanted))
    };
    has(SyncOp::SpinLock) && !has(SyncOp::SpinInit)
}

/// How many executions were enforced.
pub fn summary() -> String {
    format!("{} executions were enforced natively", ENFORCED.load(Ordering::Relaxed))
}

/// A random execution to its end, without inputs and what else native code
/// decides on its own, and the status it ends with.
fn random(machine: &Machine, seed: u64) -> Option<(Trace, u32)> {
    let (mut state, mut steps) = (machine.initial(), Vec::new());
    let (grain, mut random) = (Grain::Visible, fastrand::Rng::with_seed(seed));
    while steps.len() < MOST_STEPS {
        let movers = machine.movers(&state);
        let mover = *movers.get(random.usize(..movers.len().max(1)))?;
        let choice = random.u64(..choices(machine, &state, mover)?);
        steps.push(TraceStep::new(machine, &state, mover, choice));
        let step = machine.step(&mut state, mover, choice, grain, &mut ());
        trace::refresh(machine, grain, &mut state);
        match step.end {
            None => {}
            Some(End::Exited(code)) => return Some((Trace { grain, steps }, code)),
            Some(_) => return None,
        }
    }
    None
}

/// How many choices a step has, if native code can be made to take each.
fn choices(machine: &Machine, state: &State, mover: Mover) -> Option<u64> {
    let count = machine.choices_of(state, mover).ok()?;
    let (function, pc) = *machine.stands(state, mover.thread()).last()?;
    let instr = &machine.program().function(function).code[pc as usize];
    let signals = matches!(instr, Instr::Sync { op: SyncOp::CondSignal, .. });
    (count == 1 || signals).then_some(count)
}

/// Enforces an execution, if a schedule can describe it. Says whether events were recorded.
fn one(subject: &Subject, machine: &Machine, trace: &Trace, code: u32) -> Result<bool, String> {
    let input = &subject.args.input;
    let linked = load_linked(input).map_err(|error| format!("{error:?}"))?;
    let schedule = match scheduled(machine, trace, &linked) {
        Err(Error::LeavesSection) => return Ok(false),
        schedule => schedule.map_err(|error| error.to_string())?,
    };
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (program, record) = (directory.path().join("program"), directory.path().join("record"));
    enforce(&linked, &input.files, &front_end_options(input), &schedule, OnDeparture::Abort, &program)
        .map_err(|error| error.to_string())?;
    let errors = directory.path().join("errors");
    let file = std::fs::File::create(&errors).map_err(|error| error.to_string())?;
    let mut command = std::process::Command::new(&program);
    command.env("THREADPROOF_RECORD", &record).stdout(std::process::Stdio::null()).stderr(file);
    command.args(input.args.iter().flat_map(|words| words.split_whitespace()));
    command.stdin(std::process::Stdio::null());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let told = std::fs::read_to_string(&errors).unwrap_or_default();
    if status.code() != Some((code & 0xff) as i32) {
        return Err(format!("{status} instead of {code}: {told}"));
    }
    let text = std::fs::read_to_string(&record).unwrap_or_default();
    let lines = read_record(&text).map_err(|error| error.to_string())?;
    permits(&schedule, &lines).map_err(|error| error.to_string())?;
    let events: usize = schedule.sections[0].lanes.iter().map(|lane| lane.events.len()).sum();
    if lines.len() > events {
        return Err(format!("{} events happened, the schedule has {events}", lines.len()));
    }
    ENFORCED.fetch_add(1, Ordering::Relaxed);
    Ok(!lines.is_empty())
}
