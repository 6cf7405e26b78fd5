//! What the lines of an interleaving do to what threads share, as data.
//!
//! Places are numbers: the position of their name in `Interleaving::places`.

use std::collections::HashMap;

use ir::SyncOp;
use machine::{Action, Event, ObjectId, Operation, Phase, Place, Subject, ThreadId};
use serde::Serialize;

use crate::events::Telling;

/// What a line does.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(tag = "does", rename_all = "kebab-case")]
pub enum Effect {
    /// Nothing that other threads see as a value, or as a lock.
    #[default]
    Other,
    /// Reads a variable.
    Read {
        /// The variable.
        place: usize,
        /// What it holds.
        value: String,
    },
    /// Writes a variable.
    Write {
        /// The variable.
        place: usize,
        /// What it held.
        old: String,
        /// What it holds from now on.
        value: String,
        /// Whether the old value is read before.
        reads: bool,
    },
    /// Takes a lock.
    Take {
        /// The lock.
        place: usize,
        /// Whether others may have it at the same time.
        shares: bool,
    },
    /// Gives a lock back.
    Give {
        /// The lock.
        place: usize,
    },
    /// Waits on a condition, without the mutex meanwhile.
    Wait {
        /// The condition.
        place: usize,
        /// The mutex.
        mutex: Option<usize>,
    },
    /// Goes on after that, with the mutex again.
    Wake {
        /// The condition.
        place: usize,
        /// The mutex.
        mutex: Option<usize>,
    },
    /// Lets threads go on that wait: a signal, a post, an arrival.
    Signal {
        /// What they wait on.
        place: usize,
    },
    /// Goes on because of one of those.
    Pass {
        /// What it waited on.
        place: usize,
    },
    /// Gets an input from a function.
    Input {
        /// The function.
        function: String,
        /// What it returns.
        value: String,
    },
    /// Creates a thread.
    Create {
        /// The thread.
        peer: ThreadId,
    },
    /// Starts to run.
    Start,
    /// Ends.
    End,
    /// Has waited for the end of a thread.
    Join {
        /// The thread.
        peer: ThreadId,
    },
}

/// The places that effects were about so far.
#[derive(Default)]
pub struct Places {
    known: HashMap<(ObjectId, u64, u64), usize>,
    /// Their names, each once.
    pub names: Vec<String>,
}

impl Places {
    /// The number of a place, which gets its name when it is first met.
    fn number(&mut self, place: Place, telling: &Telling<'_>) -> usize {
        let key = (place.object, place.offset, place.len);
        if let Some(number) = self.known.get(&key) {
            return *number;
        }
        let number = self.names.len();
        self.known.insert(key, number);
        self.names.push(self.unused(telling.identity(place)));
        number
    }

    /// Two places never have the same name.
    fn unused(&self, name: String) -> String {
        if !self.names.contains(&name) {
            return name;
        }
        let mut numbered = (2..).map(|number| format!("{name} #{number}"));
        numbered.find(|name| !self.names.contains(name)).expect("there are enough numbers")
    }

    /// What an event does. The mutex is the one that a wait on a condition is
    /// given.
    pub fn effect(&mut self, event: Event, mutex: Option<Place>, telling: &Telling<'_>) -> Effect {
        match event {
            Event::Read { place, value, .. } if place.len <= 8 => {
                Effect::Read { place: self.number(place, telling), value: telling.value(place, value) }
            }
            Event::Write { place, old, new, .. } | Event::Flushed { place, old, new, .. }
                if place.len <= 8 =>
            {
                Effect::Write {
                    place: self.number(place, telling),
                    old: telling.old_value(place, old),
                    value: telling.value(place, new),
                    reads: false,
                }
            }
            Event::Sync { op, object, peer, result, phase } => {
                self.sync(op, object, peer, result, phase, mutex, telling).unwrap_or_default()
            }
            Event::Choice { value, width } => match telling.input(value, width) {
                Some((function, value)) => Effect::Input { function, value },
                None => Effect::Other,
            },
            Event::ThreadEnd => Effect::End,
            _ => Effect::Other,
        }
    }

    #[allow(clippy::too_many_arguments, reason = "they are the fields of one event")]
    fn sync(
        &mut self,
        op: SyncOp,
        object: Option<Place>,
        peer: Option<ThreadId>,
        result: u64,
        phase: Phase,
        mutex: Option<Place>,
        telling: &Telling<'_>,
    ) -> Option<Effect> {
        let Operation { subject, action } = Operation::of(op);
        let mut number = |place: Option<Place>| place.map(|place| self.number(whole(place), telling));
        let lock = matches!(subject, Subject::Mutex | Subject::Spin | Subject::RwLock);
        Some(match action {
            Action::Create => Effect::Create { peer: peer.filter(|_| result == 0)? },
            Action::Join => Effect::Join { peer: peer.filter(|_| result == 0)? },
            Action::Wait { .. } if phase == Phase::Begin => {
                Effect::Wait { place: number(object)?, mutex: number(mutex) }
            }
            Action::Wait { .. } => Effect::Wake { place: number(object)?, mutex: number(mutex) },
            Action::Arrive if phase == Phase::Begin => Effect::Signal { place: number(object)? },
            Action::Arrive => Effect::Pass { place: number(object)? },
            Action::Take { shares, .. } if lock && has_taken(result) => {
                Effect::Take { place: number(object)?, shares }
            }
            Action::Take { .. } if subject == Subject::Semaphore && result == 0 => {
                Effect::Pass { place: number(object)? }
            }
            Action::Give if lock && result == 0 => Effect::Give { place: number(object)? },
            Action::Give if subject == Subject::Semaphore => Effect::Signal { place: number(object)? },
            Action::Wake { .. } => Effect::Signal { place: number(object)? },
            _ => return None,
        })
    }
}

/// A synchronisation object is the same place however much of it an operation
/// looks at.
fn whole(place: Place) -> Place {
    Place { len: 0, ..place }
}

/// A robust mutex whose owner died is taken, too.
fn has_taken(result: u64) -> bool {
    const EOWNERDEAD: u64 = 130;
    result == 0 || result == EOWNERDEAD
}
