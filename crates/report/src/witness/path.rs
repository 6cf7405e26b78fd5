//! The way to a violation as witnesses tell it.

use std::collections::BTreeMap;

use ir::Location;
use machine::{FaultKind, ThreadId};

use crate::effect::Effect;
use crate::interleaving::{Interleaving, Line, Role};
use crate::view::Violation;

/// Something that the execution passes.
pub struct Waypoint<'a> {
    /// What the execution does there.
    pub what: What<'a>,
    /// The place in the source.
    pub at: &'a Location,
    /// The number of the thread.
    pub thread: usize,
}

/// What an execution passes.
pub enum What<'a> {
    /// It comes to a statement.
    Reached,
    /// It calls a function that creates a thread.
    Creates,
    /// A function returns a value that is an input.
    Input(&'a str),
}

/// Threads by the order of their creation: `main` is 0.
pub struct Threads(BTreeMap<ThreadId, usize>);

impl Threads {
    /// The threads of an execution.
    pub fn of(interleaving: &Interleaving) -> Threads {
        let mut numbers = BTreeMap::from([(ThreadId(0), 0)]);
        for line in &interleaving.lines {
            if let Effect::Create { peer } = line.effect {
                numbers.insert(peer, numbers.len());
            }
        }
        Threads(numbers)
    }

    /// The number of a thread.
    pub fn number(&self, thread: ThreadId) -> usize {
        self.0.get(&thread).copied().unwrap_or(thread.0 as usize)
    }

    /// Whether there are several.
    pub fn are_several(&self) -> bool {
        self.0.len() > 1
    }
}

/// What the execution passes before the fault: creations of threads, inputs,
/// and where a thread goes on after a switch.
pub fn waypoints<'a>(interleaving: &'a Interleaving, threads: &Threads) -> Vec<Waypoint<'a>> {
    let mut last: BTreeMap<ThreadId, &Location> = BTreeMap::new();
    let mut waypoints = Vec::new();
    for line in interleaving.lines.iter().filter(|line| line.at.line != 0) {
        let before = last.insert(line.thread, &line.at);
        let what = match &line.effect {
            _ if line.role == Role::Fault => continue,
            Effect::Create { .. } => What::Creates,
            Effect::Input { function, value } if function.starts_with("__VERIFIER_nondet") => {
                What::Input(value)
            }
            _ if line.switch.is_some() && begins_statement(line, before) => What::Reached,
            _ => continue,
        };
        waypoints.push(Waypoint { what, at: &line.at, thread: threads.number(line.thread) });
    }
    waypoints
}

/// Leaves the statements of the violation to the targets, which name them too: a
/// validator that has passed a statement looks for what follows behind it. Both
/// accesses of a race wait for all waypoints; another fault is at a statement
/// that its thread began before only if no other thread moved in between.
pub fn leave_to_targets(
    waypoints: &mut Vec<Waypoint<'_>>,
    targets: &[(&Location, ThreadId)],
    threads: &Threads,
) {
    for (at, thread) in targets {
        let number = threads.number(*thread);
        let last = waypoints.iter().rposition(|waypoint| targets.len() == 1 || waypoint.thread == number);
        let is_named_twice = |waypoint: &Waypoint<'_>| {
            matches!(waypoint.what, What::Reached)
                && waypoint.thread == number
                && (&waypoint.at.file, waypoint.at.line) == (&at.file, at.line)
        };
        if let Some(last) = last.filter(|last| is_named_twice(&waypoints[*last])) {
            waypoints.remove(last);
        }
    }
}

/// A statement in which the thread stood already before the switch was passed
/// then, not now.
fn begins_statement(line: &Line, before: Option<&Location>) -> bool {
    before.is_none_or(|before| (&before.file, before.line) != (&line.at.file, line.at.line))
}

/// Where the violation is: of a race both accesses.
pub fn targets<'a>(violation: &Violation<'a>) -> Vec<(&'a Location, ThreadId)> {
    let fault = violation.finding.fault;
    match &fault.kind {
        FaultKind::DataRace { first, second, .. } => {
            vec![(&first.at, first.thread), (&second.at, second.thread)]
        }
        _ => vec![(&fault.at, fault.thread)],
    }
}
