//! Compares an outcome with what was expected of it.

use std::path::Path;

use engine::{Outcome, Verdict};
use ir::Location;
use machine::{Fault, FaultKind, Grain, Machine};
use report::Style;
use threadproof::FileSources;
use trace::{SavedTrace, Trace};

use crate::header::{Expect, Header, marks};
use crate::program::{Subject, properties};

/// The verdict, the place of the fault, and that the trace replays from its file.
pub fn outcome(
    subject: &Subject,
    machine: &Machine,
    expect: &Expect,
    outcome: &Outcome,
) -> Result<(), String> {
    let name = &expect.property;
    let (found, detail) = match &outcome.verdict {
        Verdict::Holds { .. } => ("safe", String::new()),
        Verdict::Violated { fault, .. } => {
            ("unsafe", format!(": {} at {}", report::message(fault), fault.at))
        }
        Verdict::Unknown { reason, .. } => ("unknown", format!(": {reason}")),
    };
    if found != expect.verdict {
        return Err(format!(
            "{name}: expected {}, found {found}{detail}{}",
            expect.verdict,
            warnings(outcome)
        ));
    }
    let Verdict::Violated { fault, trace } = &outcome.verdict else { return Ok(()) };
    place(subject, fault).map_err(|error| format!("{name}: {error}"))?;
    replay(subject, machine, fault, trace).map_err(|error| format!("{name}: {error}"))?;
    simplified(machine, fault, trace).map_err(|error| format!("{name}: simplified: {error}"))
}

/// Simplified, a trace still replays to the same kind of fault in the same
/// place, and does not preempt more often.
fn simplified(machine: &Machine, fault: &Fault, trace: &Trace) -> Result<(), String> {
    let preemptions = |trace: &Trace, fault: &Fault| {
        report::record(machine, trace, fault).map(|(told, _)| told.preemptions).map_err(|e| e.to_string())
    };
    let (mut simple, mut found) = (trace.clone(), fault.clone());
    threadproof::simplify(machine, &mut found, &mut simple);
    let (before, after) = (preemptions(trace, fault)?, preemptions(&simple, &found)?);
    match after <= before && found.kind.name() == fault.kind.name() && found.at == fault.at {
        true => Ok(()),
        false => Err(format!("{before} preemptions became {after}, the fault is at {}", found.at)),
    }
}

fn warnings(outcome: &Outcome) -> String {
    let each = outcome
        .warnings
        .iter()
        .map(|w| format!("; warning: {} at {}", report::message(&w.fault), w.fault.at));
    each.collect()
}

/// A fault stands on a marked line, if there are any for its property.
fn place(subject: &Subject, fault: &Fault) -> Result<(), String> {
    let property = fault.kind.property();
    let marked: Vec<(&Path, u32)> = subject
        .texts
        .iter()
        .flat_map(|(path, text)| marks(text, property).into_iter().map(|line| (path.as_path(), line)))
        .collect();
    let is_marked =
        |at: &&Location| marked.iter().any(|(path, line)| *line == at.line && same_file(path, at));
    let places = places(fault);
    if marked.is_empty() || places.iter().any(is_marked) {
        return Ok(());
    }
    let found: Vec<String> = places.iter().map(|at| at.to_string()).collect();
    let lines: Vec<String> = marked.iter().map(|(path, line)| format!("{}:{line}", path.display())).collect();
    let message = report::message(fault);
    Err(format!("\"{message}\" is at {}, but marked is {}", found.join(" and "), lines.join(", ")))
}

/// The places of which one must be marked.
fn places(fault: &Fault) -> Vec<&Location> {
    match &fault.kind {
        FaultKind::DataRace { first, second, .. } => vec![&first.at, &second.at],
        FaultKind::Deadlock { waits } | FaultKind::LocalDeadlock { waits } => {
            waits.iter().map(|wait| &wait.at).collect()
        }
        FaultKind::Formula { turns, .. } if !turns.is_empty() => turns.iter().map(|turn| &turn.at).collect(),
        FaultKind::Livelock { turns, .. } => turns.iter().map(|turn| &turn.at).collect(),
        FaultKind::Leak { allocated, .. } | FaultKind::NotFreed { allocated, .. } => {
            vec![&fault.at, allocated]
        }
        _ => vec![&fault.at],
    }
}

fn same_file(path: &Path, at: &Location) -> bool {
    path.file_name() == Path::new(&at.file).file_name()
}

/// Writes the trace as its file would be, reads it again, and replays that.
fn replay(subject: &Subject, machine: &Machine, fault: &Fault, trace: &Trace) -> Result<(), String> {
    let saved = threadproof::saved_trace(&subject.args.input, machine, "reference", fault, trace);
    let mut read =
        SavedTrace::parse(saved.to_json().as_bytes()).map_err(|e| format!("the saved trace: {e}"))?;
    if read != saved {
        return Err("the saved trace is not what was read again".to_owned());
    }
    if let Some(moved) = read.relocate(machine.program()).first() {
        return Err(format!("a site of the saved trace has two positions: {moved}"));
    }
    report::record(machine, &read.trace, &read.fault)
        .map_err(|e| format!("the trace does not replay: {e}"))?;
    Ok(())
}

/// Compares the text of the first expected violation with the file beside the
/// program, if there is one.
pub fn blessed(subject: &Subject, path: &Path, header: &Header) -> Result<(), String> {
    let file = path.with_extension("expected.txt");
    if !file.exists() {
        return Ok(());
    }
    let first = header.expects.iter().find(|e| e.verdict == "unsafe");
    let expect = first.ok_or("there is an expected text, but no violation is expected")?;
    let machine = subject.machine(properties(&expect.property))?;
    let mut outcome = match expect.property.as_str() {
        "livelock" => crate::explicit::first(subject, &machine),
        _ => subject.search(&machine, Grain::Visible),
    };
    let Verdict::Violated { fault, trace } = &mut outcome.verdict else {
        return Err("there is an expected text, but no violation was found".to_owned());
    };
    threadproof::simplify(&machine, fault, trace);
    let (interleaving, replayed) = report::record(&machine, trace, fault).map_err(|e| e.to_string())?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let command = format!("threadproof replay {stem}.trace.json");
    let view = report::Violation::new(&replayed.fault, Some(&interleaving), Some(&command));
    let text = report::violation(&view, &FileSources, Style::default());
    if std::env::var_os("BLESS").is_some() {
        return std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()));
    }
    let expected = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    match first_difference(&expected, &text) {
        None => Ok(()),
        Some(difference) => Err(format!("{}: {difference}", file.display())),
    }
}

fn first_difference(expected: &str, found: &str) -> Option<String> {
    let lines = expected.lines().map(Some).chain(std::iter::repeat(None));
    let pairs = lines.zip(found.lines().map(Some).chain(std::iter::repeat(None)));
    let ends = expected.lines().count().max(found.lines().count());
    let differs = pairs.zip(1..).take(ends).find(|((expected, found), _)| expected != found);
    differs.map(|((expected, found), line)| {
        let shown = |text: Option<&str>| text.unwrap_or("(nothing)").to_owned();
        format!("line {line}:\n  expected: {}\n  found:    {}", shown(expected), shown(found))
    })
}
