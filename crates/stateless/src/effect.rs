//! What a step changes besides its thread's registers, and what it looks at: what
//! [`crate::idle`] has to know to tell a round in which nothing happens.

use machine::{Action, Event, Operation, Phase, Place, Subject, Went};
use smallvec::SmallVec;

use crate::names::Names;

/// A lock, and how much more often a thread holds it after a step than before.
pub type Change = (u64, u64, i64);

/// What a step changed besides its thread's registers, and what it looked at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    /// Whether it changed something that stays.
    pub lasting: bool,
    /// Locks taken and given back.
    pub locks: SmallVec<[Change; 1]>,
    /// Atomic sections begun, less those ended.
    pub sections: i64,
    /// Whether it began or ended a wait on a condition.
    pub waits: bool,
    /// Whether it did anything else with a condition, such as to signal it.
    pub signals: bool,
    /// The places that it looked at, other than to take or give back a lock.
    pub looks: SmallVec<[(u64, u64, u64); 1]>,
}

impl Effect {
    /// Notes an event.
    pub fn note(&mut self, event: &Event, names: &Names) {
        self.note_sync(event, names);
        self.note_looks(event, names);
        self.lasting |= match event {
            Event::Write { old, new, place, .. } | Event::Flushed { old, new, place, .. } => {
                old != new || place.len > 8
            }
            Event::Free { shared, .. } => *shared,
            Event::Watched { changed } => *changed,
            Event::Whole { write, .. } => *write,
            Event::HeapOrder { .. }
            | Event::LifeOver
            | Event::Places { .. }
            | Event::Ordered { .. }
            | Event::Pinned
            | Event::Buffered { .. }
            | Event::ThreadEnd
            | Event::ProcessEnd { .. } => true,
            _ => false,
        };
        if let Event::AtomicSection { begin } = event {
            self.sections += if *begin { 1 } else { -1 };
        }
    }

    /// Notes that a lock was taken or given back.
    pub fn lock(&mut self, object: Option<u64>, offset: u64, change: i64) {
        match object {
            Some(object) => self.locks.push((object, offset, change)),
            None => self.lasting = true,
        }
    }

    /// Locks taken and given back; all else that changes a synchronisation
    /// object or thread lasts. What a wait does to its mutex is seen in the states
    /// before and after the step.
    fn note_sync(&mut self, event: &Event, names: &Names) {
        let Event::Sync { op, object, result, phase, .. } = *event else { return };
        let operation = Operation::of(op);
        let Some(place) = object else {
            self.lasting |= operation.action != Action::Myself;
            return;
        };
        // A robust mutex is not what it was.
        let went = Went::of(result);
        let robust = matches!(went, Went::OwnerDied | Went::Unrecoverable);
        let is_lock = matches!(operation.subject, Subject::Mutex | Subject::Spin | Subject::RwLock);
        let change = match operation.action {
            _ if robust => 0,
            Action::Take { .. } if operation.tries() && went != Went::Done => return self.look(place, names),
            Action::Take { .. } if operation.subject == Subject::Once && went == Went::Done => {
                return self.look(place, names);
            }
            Action::Look => return self.look(place, names),
            Action::Take { .. } if is_lock && went == Went::Done => 1,
            Action::Give if is_lock && went == Went::Done => -1,
            Action::Wait { .. } => {
                self.waits = true;
                // A signal that was meant for this wait is gone.
                self.lasting |= phase == (Phase::End { signalled: true });
                return;
            }
            Action::Take { .. }
            | Action::Give
            | Action::Init { .. }
            | Action::Destroy
            | Action::Repair
            | Action::Wake { .. }
            | Action::Arrive
            | Action::Create
            | Action::Join
            | Action::Detach
            | Action::Myself
            | Action::NewKey
            | Action::DropKey
            | Action::Specific { .. } => 0,
        };
        if change == 0 {
            self.lasting = true;
            self.signals |= operation.subject == Subject::Cond;
            return;
        }
        self.lock(names.name(place.object), place.offset, change);
    }

    fn look(&mut self, place: Place, names: &Names) {
        if let Some(object) = names.name(place.object) {
            self.looks.push((object, place.offset, place.len));
        }
    }

    /// The places that a step looks at, if others can reach them.
    fn note_looks(&mut self, event: &Event, names: &Names) {
        match *event {
            Event::Read { place, shared: true, .. } | Event::Write { place, shared: true, .. } => {
                self.look(place, names);
            }
            Event::Whole { object, shared: true, .. } | Event::Free { object, shared: true } => {
                self.look(Place { object, offset: 0, len: u64::MAX }, names);
            }
            _ => {}
        }
    }
}
