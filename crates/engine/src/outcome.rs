//! What an engine answers.

use std::fmt;

use ir::Location;
use machine::{Fault, Machine, MemoryModel, NeedsSymbolic};
use serde::{Deserialize, Serialize};
use trace::Trace;

use crate::assumption::Assumption;
use crate::budget::Exceeded;
use crate::invariant::Invariant;
use crate::stats::Stats;
use crate::warnings::Warning;
use crate::words::counted;

/// The answer to a task.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether the properties hold.
    pub verdict: Verdict,
    /// What was counted.
    pub stats: Stats,
    /// Faults that were not asked about, but that ended executions.
    pub warnings: Vec<Warning>,
    /// What a safe verdict rests on. Engines leave it empty: it depends on all
    /// that was shown, perhaps by several of them.
    pub assumptions: Vec<Assumption>,
}

impl Outcome {
    /// An engine's answer. Executions that ended in a fault which was not asked
    /// about, and after which nothing is defined, were not followed: they cut
    /// the search.
    pub fn new(machine: &Machine, verdict: Verdict, stats: Stats, warnings: Vec<Warning>) -> Outcome {
        let left_open = warnings.iter().filter(|warning| machine.leaves_open(&warning.fault.kind));
        let cuts: Vec<Cut> = left_open.map(|warning| Cut::Fault(Box::new(warning.fault.clone()))).collect();
        let verdict = match verdict {
            Verdict::Holds { .. } if !cuts.is_empty() => Verdict::Unknown {
                reason: Reason::Cut(cuts),
                covered: "all executions up to there".to_owned(),
            },
            Verdict::Unknown { reason: Reason::Cut(others), covered } => {
                Verdict::Unknown { reason: Reason::Cut(others.into_iter().chain(cuts).collect()), covered }
            }
            verdict => verdict,
        };
        Outcome { verdict, stats, warnings, assumptions: Vec::new() }
    }
}

/// Whether the properties hold.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No execution violates them. Said only if nothing was cut.
    Holds {
        /// Why we know.
        evidence: Evidence,
    },
    /// An execution violates one of them.
    Violated {
        /// What goes wrong.
        fault: Box<Fault>,
        /// How it comes to that.
        trace: Trace,
    },
    /// Neither was shown.
    Unknown {
        /// Why not.
        reason: Reason,
        /// What was covered nevertheless.
        covered: String,
    },
}

/// Why a program is known to be safe: what was visited, and which bounds were
/// shown to be sufficient.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// Every reachable state was visited.
    ExhaustedStates {
        /// How many there are.
        states: u64,
        /// So many context switches lead to every one of them, if the search
        /// went by context switches.
        context_switches: Option<u64>,
    },
    /// Every execution was run, up to the order of independent steps.
    ExhaustedExecutions {
        /// How many were run.
        executions: u64,
    },
    /// Every execution was followed, under all inputs.
    ExhaustedPaths {
        /// The interleavings that were followed.
        interleavings: u64,
        /// No execution beyond so many context switches does anything new.
        context_switches: Option<u64>,
        /// In no execution do inputs decide a branch more often than this,
        /// but for loops with a bound of their own.
        decisions: u64,
    },
    /// An abstract reachability tree was completed, in which no fault can be reached.
    Tree {
        /// How many nodes it has.
        nodes: u64,
        /// How many of them are covered by others.
        covered: u64,
        /// What holds at the heads of loops; of many, the first.
        invariants: Vec<Invariant>,
        /// The names of what is data, of which labels speak; all other numbers belong to locations.
        data: Vec<String>,
    },
    /// No execution was looked at: it was shown of every two accesses to shared
    /// memory that they do not race.
    Separated {
        /// How many accesses there are.
        accesses: u64,
    },
    /// No execution was looked at: it was shown that no instruction that fails
    /// can be reached.
    Unreachable,
}

/// Why there is no verdict.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// A limit was reached.
    Exceeded(Exceeded),
    /// Some executions could not be followed; all others are safe.
    Cut(Vec<Cut>),
    /// The solver cannot be used.
    Solver(String),
}

/// Where executions were not followed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Cut {
    /// A nondeterministic value with too many possibilities.
    NeedsSymbolic(NeedsSymbolic),
    /// Something that the machine cannot execute.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        at: Location,
    },
    /// A fault that was not asked about, after which nothing is defined.
    Fault(Box<Fault>),
    /// The bound on the length of an execution.
    Depth(Limit),
    /// The bound on the number of context switches.
    ContextSwitches(Limit),
    /// Only fingerprints of states were kept, so that a state may have been
    /// taken for another.
    Fingerprints {
        /// The chance of that.
        omission: f64,
    },
    /// The bound on how often inputs may decide a branch.
    Unwinding(Limit),
    /// The bound on how often inputs may decide a branch in a loop.
    Loop {
        /// Its name.
        name: String,
        /// Where it begins.
        at: Location,
        /// The bound.
        bound: Limit,
    },
    /// The bound on the number of preemptions.
    Preemptions(Limit),
    /// The bound on the number of executions.
    Executions(Limit),
    /// Whether threads wait for ever that wait while others go on for ever.
    Waiting,
    /// All executions: the engine does not follow those of the memory model.
    MemoryModel(MemoryModel),
    /// All executions: the engine does not decide such formulas of temporal logic.
    Formulas,
}

/// A bound that executions were cut at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limit {
    /// The bound.
    pub most: u64,
    /// Whether the user set a bound of this kind. Otherwise the engine did, and
    /// another engine may get further.
    pub asked: bool,
}

impl Limit {
    /// A bound that the user set.
    pub fn asked(most: u64) -> Limit {
        Limit { most, asked: true }
    }

    /// How often that is, in words.
    fn times(self) -> String {
        if self.most == 1 { "once".to_owned() } else { format!("{self} times") }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.most.fmt(f)
    }
}

impl Cut {
    /// Whether executions were cut because of what the user asked for or did
    /// not ask for, so that no other engine would follow them either.
    pub fn is_asked_for(&self) -> bool {
        match self {
            Cut::Depth(limit)
            | Cut::ContextSwitches(limit)
            | Cut::Unwinding(limit)
            | Cut::Loop { bound: limit, .. }
            | Cut::Preemptions(limit)
            | Cut::Executions(limit) => limit.asked,
            // Fingerprints are kept only if asked for, and every engine meets the fault.
            Cut::Fingerprints { .. } | Cut::Fault(_) => true,
            Cut::NeedsSymbolic(_)
            | Cut::Unsupported { .. }
            | Cut::Waiting
            | Cut::MemoryModel(_)
            | Cut::Formulas => false,
        }
    }

    /// Whether every engine that tries the values of inputs stops here.
    pub fn stops_values(&self) -> bool {
        matches!(self, Cut::NeedsSymbolic(_) | Cut::Unsupported { .. } | Cut::Fault(_))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Exceeded(exceeded) => exceeded.fmt(f),
            Reason::Solver(message) => f.write_str(message),
            Reason::Cut(cuts) => {
                let texts: Vec<String> = cuts.iter().map(Cut::to_string).collect();
                f.write_str(&texts.join("; "))
            }
        }
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cut::NeedsSymbolic(NeedsSymbolic { at, origin }) => {
                write!(f, "the value of {origin} at {at} has too many possibilities to try them all")
            }
            Cut::Unsupported { what, at } => write!(f, "{what} at {at} is not supported"),
            Cut::Fault(fault) => write!(
                f,
                "executions end in a fault that was not looked for ({} at {}), and what follows is undefined",
                fault.kind.name(),
                fault.at
            ),
            Cut::Depth(depth) => write!(f, "executions were cut after {depth} steps"),
            Cut::ContextSwitches(bound) => {
                let switches = counted(bound.most, "context switch");
                write!(f, "executions with more than {switches} were not followed")
            }
            Cut::Fingerprints { omission } => write!(
                f,
                "only fingerprints of states were kept, so that states may have been missed \
                 (with a probability below {omission:.0e})"
            ),
            Cut::Unwinding(bound) => {
                write!(
                    f,
                    "executions in which inputs decide a branch more than {} were not followed",
                    bound.times()
                )
            }
            Cut::Loop { name, at, bound } => write!(
                f,
                "executions in which inputs decide a branch of the loop {name} ({at}) more than {} \
                 were not followed",
                bound.times()
            ),
            Cut::Preemptions(bound) => {
                let preemptions = counted(bound.most, "preemption");
                write!(f, "executions with more than {preemptions} were not followed")
            }
            Cut::Waiting => f.write_str(
                "whether threads wait for ever, while others go on for ever, could not be decided",
            ),
            Cut::MemoryModel(model) => {
                write!(
                    f,
                    "the engine does not know the memory model {model}, but only sequential consistency"
                )
            }
            Cut::Formulas => f.write_str("the engine does not decide such formulas of temporal logic"),
            Cut::Executions(Limit { most: 1, .. }) => f.write_str("no more than one execution was run"),
            Cut::Executions(number) => write!(f, "no more than {number} executions were run"),
        }
    }
}
