//! The order that a native program is held to, as the runtime reads it.

use ir::{Location, Site};
use machine::ThreadId;

use crate::words::Words;

/// A place where the runtime is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The instruction; none for the end of `main` and the start of threads.
    pub site: Option<Site>,
    /// Where it is in the source.
    pub at: Location,
    /// Whether threads wait for their turn there. Otherwise it is only noticed.
    pub gate: Gate,
}

/// What the runtime does at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// Waits for the thread's turn.
    Turn,
    /// Notices that the faulty instruction is reached.
    Mark,
}

/// One event of the order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Who.
    pub thread: ThreadId,
    /// The index of the place.
    pub place: u32,
    /// What happens there.
    pub wait: Wait,
    /// What an operation yields.
    pub result: i32,
}

/// Whether an operation waits in between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Wait {
    /// No operation.
    Plain = 0,
    /// It begins to wait.
    Begins = 1,
    /// It has waited.
    Ends = 2,
    /// It is done at once.
    Whole = 3,
}

/// A value that the program is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// To whom.
    pub thread: ThreadId,
    /// By the function with this name.
    pub name: String,
    /// The value.
    pub value: u64,
}

/// What the order leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A thread comes to a faulty instruction.
    Fault {
        /// Who.
        thread: ThreadId,
        /// The index of the place, if it comes after all events.
        place: Option<u32>,
        /// The index of the event otherwise.
        event: Option<u32>,
    },
    /// Threads wait for ever.
    Deadlock {
        /// Which.
        threads: Vec<ThreadId>,
        /// Those of them that do not sleep meanwhile.
        spinning: Vec<ThreadId>,
    },
}

impl Ending {
    /// How a thread waits: not at all, asleep, or awake.
    fn waits(&self, thread: ThreadId) -> u32 {
        match self {
            Ending::Deadlock { spinning, .. } if spinning.contains(&thread) => 2,
            Ending::Deadlock { threads, .. } => u32::from(threads.contains(&thread)),
            Ending::Fault { .. } => 0,
        }
    }
}

/// The order of a trace, with the values that it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The places; the first two are the end of `main` and the start of threads.
    pub places: Vec<Place>,
    /// The events.
    pub turns: Vec<Turn>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The calls that the trace may let fail; whether each execution of one fails is an input.
    pub failing: Vec<Site>,
    /// The arguments of the program, without its name.
    pub arguments: Vec<String>,
    /// Per thread, where it stands at the end, if it is to be kept there.
    pub last: Vec<Option<u32>>,
    /// What the order leads to.
    pub ending: Ending,
    /// Whether the fault is in the program's own code, so that it has happened
    /// once its place is reached.
    pub direct: bool,
    /// What native code may do otherwise than the trace, in words.
    pub caveats: Vec<String>,
}

/// The index of the end of `main`.
pub const EXIT: u32 = 0;
/// The index of the start of a thread.
pub const START: u32 = 1;

const NONE: u32 = u32::MAX;

impl Plan {
    /// The tables of the runtime (see `replay.h`), and the names they refer to.
    /// After `patience` milliseconds without an event the run is stuck; after
    /// `grace` milliseconds a fault that was reached has no effect.
    pub fn tables(&self, patience: u32, grace: u32) -> (Vec<u8>, Vec<u8>) {
        let mut words = Words::default();
        self.header(&mut words);
        words.push(&[patience, grace, 0]);
        for turn in &self.turns {
            words.push(&[turn.thread.0, turn.place, turn.wait as u32, turn.result as u32]);
        }
        let mut names = Vec::new();
        for input in &self.inputs {
            let at = names.len() as u32;
            names.extend(input.name.bytes().chain([0]));
            words.push(&[input.thread.0, at, input.value as u32, (input.value >> 32) as u32]);
        }
        for (thread, place) in self.last.iter().enumerate() {
            words.push(&[place.unwrap_or(NONE), self.ending.waits(ThreadId(thread as u32))]);
        }
        names.push(0);
        (words.0, names)
    }

    fn header(&self, words: &mut Words) {
        let (turns, inputs) = (self.turns.len() as u32, self.inputs.len() as u32);
        words.push(&[turns, inputs, self.last.len() as u32]);
        match &self.ending {
            Ending::Fault { thread, place, event } => {
                words.push(&[0, thread.0, place.unwrap_or(NONE), event.unwrap_or(NONE)]);
            }
            Ending::Deadlock { .. } => words.push(&[1, NONE, NONE, NONE]),
        }
    }
}
