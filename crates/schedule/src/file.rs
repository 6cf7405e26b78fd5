//! The form of a schedule, in memory and on disk.

use ir::{Location, Site};
use serde::{Deserialize, Serialize};

use crate::validate::{Invalid, validate};

/// The version of the format that this build writes and reads.
pub const FORMAT: u32 = 3;

/// A schedule of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Schedule {
    /// The version of the format.
    pub format: u32,
    /// The version of the tool that wrote it.
    pub tool: String,
    /// The fingerprint of the program.
    pub program: String,
    /// The sites of events; others refer to them by index.
    pub sites: Vec<Place>,
    /// The operations on locks and barriers that the order of events makes redundant. The
    /// native program leaves them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<Place>,
    /// The arguments of the program that it was made for; any, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Arguments>,
    /// What it was made for that may fail; all else succeeds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_fail: Vec<Failure>,
    /// The section that comes first.
    pub start: u32,
    /// The sections.
    pub sections: Vec<Section>,
}

/// The arguments that a program is given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arguments {
    /// These words.
    Given(Vec<String>),
    /// At most so many, of at most so many characters each.
    Most {
        /// How many.
        count: u32,
        /// How many characters.
        length: u32,
    },
}

/// What the system may refuse to a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u32)]
pub enum Failure {
    /// Memory.
    Allocation = 1,
    /// A thread.
    Creation = 2,
}

/// A site with its position, for people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The instruction.
    #[serde(flatten)]
    pub site: Site,
    /// Where it stands.
    pub at: Location,
}

/// A partial order of events, and what comes after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Section {
    /// The events, by thread.
    pub lanes: Vec<Lane>,
    /// What comes when all of them have happened.
    pub next: Next,
}

/// What one thread does in a section.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Lane {
    /// The thread: they are numbered in the order of creation, `main` is 0.
    pub thread: u32,
    /// Its events, in order.
    pub events: Vec<Event>,
}

/// A thread executes the instruction at a site, or all from there to another one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Event {
    /// The index of the site.
    pub site: u32,
    /// How far it goes.
    #[serde(default, skip_serializing_if = "Kind::is_plain")]
    pub kind: Kind,
    /// Where it ends, if it is more than one instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
    /// The clock: what must have happened before, of other threads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Requirement>,
}

/// How far an event goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u32)]
pub enum Kind {
    /// One instruction.
    #[default]
    Plain = 0,
    /// A wait on a condition or barrier begins; it has given the mutex back.
    WaitBegins = 1,
    /// A wait on a condition ends: it takes the mutex again.
    WaitEnds = 2,
    /// The whole atomic section that begins here. What is inside is no event.
    Atomic = 3,
}

/// The end of an event of several instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Until {
    /// The index of the site of the last instruction.
    pub site: u32,
    /// How often the thread executes that instruction from the event's beginning to its end.
    pub times: u32,
    /// How often it comes to sites where events can begin on the way, without the first one.
    pub passes: u32,
}

impl Event {
    /// The site of its last instruction.
    pub fn last(&self) -> u32 {
        self.until.map_or(self.site, |until| until.site)
    }
}

impl Kind {
    fn is_plain(&self) -> bool {
        *self == Kind::Plain
    }
}

/// One entry of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Requirement {
    /// The other thread.
    pub thread: u32,
    /// How many of its events in this section must have happened.
    pub events: u32,
}

/// The link of a section.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Next {
    /// No more events.
    End,
    /// The process ends: whoever comes to an event waits for that.
    Exit,
    /// One section.
    Section(u32),
    /// The first of some threads that comes to its site.
    Race {
        /// Who may come first.
        choices: Vec<Claim>,
    },
    /// The thread that branches chooses.
    Branch {
        /// The thread that branches.
        thread: u32,
        /// What it can choose from.
        choices: Vec<Choice>,
    },
}

/// One way that a branching can go.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// The guard: the site that the branching thread comes to, which is its
    /// first event in the section; none if the thread ends.
    pub comes_to: Option<u32>,
    /// The section that is next then.
    pub section: u32,
}

/// A thread that may be the first to go on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// The thread.
    pub thread: u32,
    /// The site that it comes to, which is its first event in the section.
    pub comes_to: u32,
    /// The section that is next then.
    pub section: u32,
}

/// Why a file is no schedule.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Not JSON, or cut short.
    #[error("not a schedule: not valid JSON ({0})")]
    Json(serde_json::Error),
    /// JSON of another shape.
    #[error("not a schedule: {0}")]
    Shape(serde_json::Error),
    /// Not a file of ours.
    #[error("not a schedule: it has no number `format`")]
    NoFormat,
    /// A schedule of another version.
    #[error("the schedule has format {0}, this version of threadproof reads format {FORMAT}")]
    Format(u64),
    /// It contradicts itself.
    #[error("not a schedule: {0}")]
    Invalid(Invalid),
}

impl Schedule {
    /// The text of the file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a schedule has only string keys");
        text.push('\n');
        text
    }

    /// Reads a file's contents; anything but a schedule is an error.
    pub fn parse(bytes: &[u8]) -> Result<Schedule, ReadError> {
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(ReadError::Json)?;
        let format = value.get("format").and_then(serde_json::Value::as_u64);
        let format = format.ok_or(ReadError::NoFormat)?;
        if format != u64::from(FORMAT) {
            return Err(ReadError::Format(format));
        }
        let schedule: Schedule = serde_json::from_value(value).map_err(ReadError::Shape)?;
        validate(&schedule).map_err(ReadError::Invalid)?;
        Ok(schedule)
    }

    /// Whether an event may begin at a site: the native program looks at the schedule there. Where
    /// events only end it does not.
    pub fn begins(&self, site: u32) -> bool {
        let chooses = |section: &Section| match &section.next {
            Next::End | Next::Exit | Next::Section(_) => false,
            Next::Race { choices } => choices.iter().any(|claim| claim.comes_to == site),
            Next::Branch { choices, .. } => choices.iter().any(|choice| choice.comes_to == Some(site)),
        };
        self.events().any(|event| event.site == site) || !self.ends(site) || self.sections.iter().any(chooses)
    }

    /// Whether an event may end at a site.
    pub fn ends(&self, site: u32) -> bool {
        self.events().any(|event| event.last() == site)
    }

    fn events(&self) -> impl Iterator<Item = &Event> {
        self.sections.iter().flat_map(|section| &section.lanes).flat_map(|lane| &lane.events)
    }

    /// How many threads there are; none if it restricts none.
    pub fn threads(&self) -> u32 {
        let lanes = self.sections.iter().flat_map(|section| &section.lanes);
        lanes.map(|lane| lane.thread + 1).max().unwrap_or(0)
    }
}

impl Section {
    /// What a thread does in it.
    pub fn events(&self, thread: u32) -> &[Event] {
        let lane = self.lanes.iter().find(|lane| lane.thread == thread);
        lane.map_or(&[], |lane| &lane.events)
    }

    /// An order in which its events can happen: threads, and how many events each had before.
    /// Events that wait for each other in a circle are not in it.
    pub fn in_order(&self) -> Vec<(u32, u32)> {
        let mut done = vec![0; self.lanes.len()];
        let count = |done: &[u32], thread: u32| {
            self.lanes.iter().position(|lane| lane.thread == thread).map_or(0, |lane| done[lane])
        };
        let mut order = Vec::new();
        loop {
            let before = order.len();
            for (index, lane) in self.lanes.iter().enumerate() {
                while let Some(event) = lane.events.get(done[index] as usize)
                    && event.after.iter().all(|need| count(&done, need.thread) >= need.events)
                {
                    order.push((lane.thread, done[index]));
                    done[index] += 1;
                }
            }
            if order.len() == before {
                return order;
            }
        }
    }
}
