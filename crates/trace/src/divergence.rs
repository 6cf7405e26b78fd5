//! How an execution can differ from its trace.

use ir::{Location, Site};
use machine::{End, Fault, Mover};

/// Where an execution left its trace.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("step {} of {steps}: {mismatch}", .step.min(.steps))]
pub struct Divergence {
    /// The step, from 1; one more than `steps` is the end of the trace.
    pub step: usize,
    /// How many steps the trace has.
    pub steps: usize,
    /// What was expected and what was found.
    pub mismatch: Box<Mismatch>,
}

/// What was expected and what was found.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Mismatch {
    /// The thread of the trace cannot move.
    #[error("{mover} should move at {expected}, but it cannot; {}", can_move(.runnable))]
    NotRunnable {
        /// What should move.
        mover: Mover,
        /// From where.
        expected: Location,
        /// What can move instead.
        runnable: Vec<Mover>,
    },
    /// The thread stands elsewhere.
    #[error("{mover} should be at {}, but it is at {}", place(.expected, .found), place(.found, .expected))]
    OtherSite {
        /// What moves.
        mover: Mover,
        /// Where the trace has it.
        expected: Box<(Location, Site)>,
        /// Where it is.
        found: Box<(Location, Site)>,
    },
    /// The step does not have that many data choices.
    #[error("{mover} at {at} should take data choice {choice}, but there are only {choices}")]
    FewerChoices {
        /// What moves.
        mover: Mover,
        /// Where.
        at: Location,
        /// The choice in the trace, from 0.
        choice: u64,
        /// How many there are.
        choices: u64,
    },
    /// The execution ended before the trace did.
    #[error("the execution should go on, but it {}", end_text(.end, .fault.as_deref()))]
    EndedEarly {
        /// How it ended.
        end: End,
        /// The fault that ended it, if one did.
        fault: Option<Box<Fault>>,
    },
    /// The trace ends without any fault.
    #[error("the trace should end with the fault `{}` at {}, but nothing is wrong", .expected.kind.name(), .expected.at)]
    NoFault {
        /// The fault that the trace was saved for.
        expected: Box<Fault>,
    },
    /// The trace should go round for ever, but does not.
    #[error("the trace should go round for ever from step {start} on, but {why}")]
    NoLivelock {
        /// The first step of the cycle.
        start: usize,
        /// What is missing.
        why: String,
    },
    /// The trace should not fulfil a formula, but that is not shown.
    #[error("the trace should violate `{formula}`, but {why}")]
    NoViolation {
        /// The formula.
        formula: String,
        /// What is missing.
        why: String,
    },
    /// The trace ends with another fault.
    #[error(
        "the trace should end with the fault `{}` at {}, but ends with `{}` at {}{}",
        .expected.kind.name(), .expected.at, .found.kind.name(), .found.at, details(.expected, .found)
    )]
    OtherFault {
        /// The fault that the trace was saved for.
        expected: Box<Fault>,
        /// The one found.
        found: Box<Fault>,
    },
}

/// The position; if that is the other one's, too, with what tells them apart.
fn place(one: &(Location, Site), other: &(Location, Site)) -> String {
    let (at, site) = one;
    if *at == other.0 { format!("{at} ({site})") } else { at.to_string() }
}

fn can_move(runnable: &[Mover]) -> String {
    if runnable.is_empty() {
        return "no thread can".to_owned();
    }
    let names: Vec<String> = runnable.iter().map(Mover::to_string).collect();
    format!("only {} can", names.join(", "))
}

fn end_text(end: &End, fault: Option<&Fault>) -> String {
    match (end, fault) {
        (_, Some(fault)) => format!("ends with the fault `{}` at {}", fault.kind.name(), fault.at),
        (End::Exited(code), _) => format!("ends: the process exits with status {code}"),
        (End::Aborted, _) => "ends: the process aborts".to_owned(),
        (End::Fault, _) => "ends with a fault".to_owned(),
        (End::Infeasible, _) => "ends: an assumption is false".to_owned(),
        (End::Unsupported(what), _) => format!("cannot: {what} is not supported"),
    }
}

/// Two faults that look alike in short are told apart in full.
fn details(expected: &Fault, found: &Fault) -> String {
    let alike = expected.kind.name() == found.kind.name() && expected.at == found.at;
    if alike { format!(": {:?} instead of {:?}", found.kind, expected.kind) } else { String::new() }
}
