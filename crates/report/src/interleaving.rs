//! An execution as a report tells it: the steps that matter, in order, each in
//! its thread's lane.

use std::sync::Arc;

use ir::Location;
use machine::ThreadId;
use serde::Serialize;

use crate::effect::Effect;

/// The steps of an execution that matter.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Interleaving {
    /// The threads that take part, in the order of their numbers.
    pub threads: Vec<Lane>,
    /// How often the processor goes from one thread to another. Starting a
    /// thread takes it there, and going on with the creator takes it back.
    pub context_switches: usize,
    /// The switches that the lines show: those where another thread moves than
    /// before.
    pub shown_switches: usize,
    /// How many of those take it from a thread that could have gone on.
    pub preemptions: usize,
    /// What happens.
    pub lines: Vec<Line>,
    /// The calls that led to the first access of a race, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_calls: Vec<Location>,
    /// Where the first access of a race is in the program itself, if it is in a library.
    #[serde(skip)]
    pub first_at: Option<Location>,
    /// What the effects of the lines are about: the names of variables and of
    /// synchronisation objects.
    #[serde(skip)]
    pub places: Vec<String>,
}

/// A thread.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Lane {
    /// Its number.
    pub thread: ThreadId,
    /// The function that it runs.
    pub function: String,
}

/// One thing that happens.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// The thread that does it.
    pub thread: ThreadId,
    /// Where it does it.
    pub at: Location,
    /// The function of a library that does it, called from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// What it does.
    pub text: String,
    /// How often in a row.
    pub times: u32,
    /// What it is to the fault.
    #[serde(skip_serializing_if = "Role::is_plain")]
    pub role: Role,
    /// Whether what goes on for ever begins here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cycle: bool,
    /// Set if another thread did the line before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch: Option<Switch>,
    /// Whether it synchronises by an object that the run-time library has for itself.
    #[serde(skip)]
    pub internal: bool,
    /// The part of a copy or fill of many bytes that it is.
    #[serde(skip)]
    pub copies: Option<Copied>,
    /// The same as data, for pictures.
    #[serde(skip)]
    pub effect: Effect,
    /// What else it does, if it stands for several lines.
    #[serde(skip)]
    pub also: Vec<Effect>,
    /// The thread's local variables after it, where they are not those of the
    /// thread's line before.
    #[serde(skip)]
    pub locals: Option<Arc<Locals>>,
}

/// A part of a copy or fill of many bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Copied {
    /// The object.
    pub object: String,
    /// How many bytes.
    pub bytes: u64,
    /// Whether they are written.
    pub writes: bool,
}

/// The local variables of the function that a thread is in.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Locals {
    /// The function.
    pub function: String,
    /// Names and values.
    pub values: Vec<(String, String)>,
}

/// What a line is to the fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A step on the way.
    Plain,
    /// One of the two accesses of a race, or a thread's wait in a deadlock.
    Part,
    /// The fault itself.
    Fault,
}

impl Interleaving {
    /// How often the processor goes from one thread to another, in words.
    pub fn summary(&self) -> String {
        let (switches, preemptions) = (self.context_switches, self.preemptions);
        let switch = if switches == 1 { "switch" } else { "switches" };
        let preemption = if preemptions == 1 { "preemption" } else { "preemptions" };
        let starts = match self.shown_switches {
            shown if shown == switches => String::new(),
            shown => format!(" ({shown} shown; starting a thread is one too)"),
        };
        format!("{switches} context {switch}{starts}, {preemptions} {preemption}")
    }
}

impl Lane {
    /// What stands above the lane.
    pub fn name(&self) -> String {
        let name = self.thread.to_string();
        let known = name == self.function || self.function.is_empty();
        if known { name } else { format!("{name} {}", self.function) }
    }
}

impl Line {
    /// Whether the line goes on with what another one did, so that one line
    /// tells both: a library reads and writes for one call, or a copy goes on.
    pub(crate) fn continues(&self, other: &Line) -> bool {
        let access =
            |line: &Line| line.internal || matches!(line.effect, Effect::Read { .. } | Effect::Write { .. });
        let same_call = self.inside.is_some() && self.inside == other.inside;
        (self.thread, &self.at) == (other.thread, &other.at)
            && (self.role, other.role) == (Role::Plain, Role::Plain)
            && self.switch.is_none()
            && !self.cycle
            && access(self)
            && access(other)
            && (same_call || self.copies.is_some() && other.copies.is_some())
    }

    /// All that it does, in that order.
    pub fn effects(&self) -> impl Iterator<Item = &Effect> {
        std::iter::once(&self.effect).chain(&self.also)
    }

    /// What happens, and how often.
    pub fn what(&self) -> String {
        if self.times > 1 { format!("{} ({} times)", self.text, self.times) } else { self.text.clone() }
    }

    /// The switch before the line, in words.
    pub fn switch_text(&self) -> Option<String> {
        let Switch { number, from, preemption } = self.switch?;
        let preemption = if preemption { " (preemption)" } else { "" };
        Some(format!("switch {number}: {from} to {}{preemption}", self.thread))
    }
}

impl Role {
    fn is_plain(&self) -> bool {
        *self == Role::Plain
    }
}

/// The processor goes from one thread to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Switch {
    /// Its number, from 1.
    pub number: usize,
    /// The thread that ran before.
    pub from: ThreadId,
    /// Whether that thread could have gone on.
    pub preemption: bool,
}
