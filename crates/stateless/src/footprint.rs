//! What a step touches, in names that do not depend on the order of steps.
//!
//! Two steps of different threads are dependent if their footprints conflict.
//! A footprint is a list of accesses to ranges of bytes; synchronisation
//! objects are accessed at the byte where they live, so that writing over a
//! mutex conflicts with locking it. What is no memory (the start and end of
//! threads, atomic sections) has objects of its own.
//!
//! Besides reading and writing there is *adding*: two additions commute, as two
//! reads do. Readers of a readers-writer lock add themselves.
//!
//! Memory that only one thread can reach is left out, and so is everything
//! while there is only one thread: neither can conflict with anything.

use std::sync::Arc;

use ir::{Instr, Program, SyncOp};
use machine::{
    Action, ENOTRECOVERABLE, EOWNERDEAD, Event, Observer, Operation, Patience, Phase, Place, Subject,
    ThreadId,
};
use smallvec::SmallVec;

use crate::idle::Effect;
use crate::names::Names;

/// How bytes are accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Commutes with reading.
    Read,
    /// Commutes with adding.
    Add,
    /// Commutes with nothing.
    Write,
}

/// An access to a range of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// The object's name.
    pub object: u64,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// How.
    pub kind: Kind,
}

/// All that a step touches.
#[derive(PartialEq, Eq, Hash, Debug, Default)]
pub struct Footprint {
    /// The accesses, without order.
    pub accesses: SmallVec<[Access; 2]>,
    /// Whether the step conflicts with every other.
    pub global: bool,
}

/// One copy instead of an access at a time: footprints are cloned at every step.
impl Clone for Footprint {
    fn clone(&self) -> Footprint {
        Footprint { accesses: SmallVec::from_slice(&self.accesses), global: self.global }
    }
}

/// The order of thread creations: it decides the numbers of threads.
pub const STARTS: u64 = u64::MAX;
/// The order of atomic sections, which orders them for the race detector.
const SECTIONS: u64 = u64::MAX - 1;
/// Numbers of addresses.
const ADDRESSES: u64 = u64::MAX - 2;
/// Which blocks of the heap are to be had. Freeing adds to them.
const HEAP: u64 = u64::MAX - 3;

/// The start and end of a thread.
pub fn life_of(thread: ThreadId) -> u64 {
    1 << 63 | u64::from(thread.0)
}

impl Access {
    fn conflicts(&self, other: &Access) -> bool {
        self.object == other.object
            && self.start < other.end
            && other.start < self.end
            && !(self.kind == other.kind && self.kind != Kind::Write)
    }

    /// An access to an object without bytes.
    pub fn whole(object: u64, kind: Kind) -> Access {
        Access { object, start: 0, end: u32::MAX, kind }
    }
}

impl Footprint {
    /// Whether the steps, if of different threads, may not commute.
    #[inline]
    pub fn conflicts(&self, other: &Footprint) -> bool {
        self.global
            || other.global
            || self.accesses.iter().any(|access| other.accesses.iter().any(|a| access.conflicts(a)))
    }

    /// Adds all that another step touches.
    pub fn extend(&mut self, other: &Footprint) {
        self.global |= other.global;
        for access in &other.accesses {
            if !self.accesses.contains(access) {
                self.accesses.push(*access);
            }
        }
    }

    /// Adds an access, unless the last one says the same.
    pub fn add(&mut self, access: Access) {
        if self.accesses.last() != Some(&access) {
            self.accesses.push(access);
        }
    }
}

/// Fills a footprint while a step is taken.
pub struct Recorder<'a> {
    /// What has been seen so far.
    pub footprint: Footprint,
    /// The program.
    pub program: &'a Program,
    /// The names of objects.
    pub names: &'a mut Arc<Names>,
    /// Threads that were not joined.
    pub unjoined: u32,
    /// Whether the order of atomic sections matters.
    pub track_races: bool,
    /// What the step changed.
    pub effect: Effect,
    /// Whether the step ends a wait that a signal has ended already: it then
    /// takes nothing from the condition.
    pub signalled: bool,
}

impl Recorder<'_> {
    fn touch(&mut self, place: Place, kind: Kind) {
        let Some(object) = self.names.name(place.object).filter(|_| self.unjoined > 1) else { return };
        let end = place.offset.saturating_add(place.len).min(u64::from(u32::MAX));
        self.footprint.add(Access { object, start: place.offset as u32, end: end as u32, kind });
    }

    fn whole(&mut self, object: machine::ObjectId, kind: Kind) {
        self.touch(Place { object, offset: 0, len: u64::MAX }, kind);
    }

    fn special(&mut self, object: u64, kind: Kind) {
        if self.unjoined > 1 {
            self.footprint.add(Access::whole(object, kind));
        }
    }

    fn sync(&mut self, operation: Operation, place: Place, result: u64, phase: Phase) {
        let failed = !matches!(result, 0 | EOWNERDEAD | ENOTRECOVERABLE);
        match (operation.subject, operation.action) {
            (Subject::RwLock, action) => self.rwlock(place, action, failed),
            (Subject::Mutex, Action::Take { .. } | Action::Give) => {
                self.touch(place, if failed { Kind::Read } else { Kind::Write });
                self.mutex_bytes(place);
            }
            // One that finds the initialiser done changes nothing.
            (Subject::Once, Action::Take { .. }) if !failed => self.touch(place, Kind::Read),
            (Subject::Spin | Subject::Semaphore, _) if operation.tries() && failed => {
                self.touch(place, Kind::Read);
            }
            (_, Action::Look) => self.touch(place, Kind::Read),
            // One with a time limit might have ended without the signal.
            (_, Action::Wait { timed: false }) if phase == Phase::End && self.signalled => {}
            _ => self.touch(place, Kind::Write),
        }
    }

    /// The writer is the lock itself, the readers are beside it.
    fn rwlock(&mut self, place: Place, action: Action, failed: bool) {
        let readers = Place { offset: place.offset + 1, ..place };
        let (writer, others) = match action {
            Action::Take { shares: true, patience } if failed && patience != Patience::Waits => {
                return self.touch(place, Kind::Read);
            }
            Action::Take { shares: true, .. } => (Kind::Read, Kind::Add),
            Action::Take { shares: false, patience } if failed && patience != Patience::Waits => {
                (Kind::Read, Kind::Read)
            }
            Action::Take { shares: false, .. } => (Kind::Write, Kind::Read),
            // By a reader or by the writer.
            _ => (Kind::Write, Kind::Write),
        };
        self.touch(place, writer);
        self.touch(readers, others);
    }

    /// Locks taken and given back; all else that changes a synchronisation
    /// object or thread lasts. What a wait does to its mutex is seen in the states
    /// before and after the step.
    fn lock_effect(&mut self, event: &Event) {
        let Event::Sync { op, object, result, .. } = *event else { return };
        let operation = Operation::of(op);
        let Some(place) = object else {
            self.effect.lasting |= operation.action != Action::Myself;
            return;
        };
        // A robust mutex is not what it was.
        let robust = matches!(result, EOWNERDEAD | ENOTRECOVERABLE);
        let is_lock = matches!(operation.subject, Subject::Mutex | Subject::Spin | Subject::RwLock);
        let change = match operation.action {
            _ if robust => 0,
            Action::Take { .. } if operation.tries() && result != 0 => return self.look(place),
            Action::Take { .. } if operation.subject == Subject::Once && result == 0 => {
                return self.look(place);
            }
            Action::Look => return self.look(place),
            Action::Take { .. } if is_lock && result == 0 => 1,
            Action::Give if is_lock && result == 0 => -1,
            Action::Wait { .. } => {
                self.effect.waits = true;
                // A signal that was meant for this wait is gone.
                self.effect.lasting |= self.signalled;
                return;
            }
            _ => 0,
        };
        if change == 0 {
            self.effect.lasting = true;
            self.effect.signals |= operation.subject == Subject::Cond;
            return;
        }
        self.effect.lock(self.names.name(place.object), place.offset, change);
    }

    fn look(&mut self, place: Place) {
        if let Some(object) = self.names.name(place.object) {
            self.effect.looks.push((object, place.offset, place.len));
        }
    }

    /// The places that a step looks at, if others can reach them.
    fn looks(&mut self, event: &Event) {
        match *event {
            Event::Read { place, shared: true, .. } | Event::Write { place, shared: true, .. } => {
                self.look(place);
            }
            Event::Whole { object, shared: true, .. } | Event::Free { object, shared: true } => {
                self.look(Place { object, offset: 0, len: u64::MAX });
            }
            _ => {}
        }
    }

    /// A mutex that was never used is what its bytes say.
    fn mutex_bytes(&mut self, place: Place) {
        self.touch(Place { offset: place.offset + 1, len: 19, ..place }, Kind::Read);
    }
}

impl Observer for Recorder<'_> {
    fn event(&mut self, thread: ThreadId, function: ir::FuncId, pc: ir::Pc, event: Event) {
        self.effect.note(&event);
        self.lock_effect(&event);
        self.looks(&event);
        match event {
            Event::Read { place, shared: true, .. } => self.touch(place, Kind::Read),
            Event::Write { place, shared: true, .. } => self.touch(place, Kind::Write),
            Event::Free { object, shared: true } | Event::Whole { object, write: true, shared: true } => {
                self.whole(object, Kind::Write);
            }
            Event::Whole { object, write: false, shared: true } => self.whole(object, Kind::Read),
            Event::Alloc { object, .. } => {
                // An object of a frame ends with it, one on the heap may be lost.
                let instr = &self.program.function(function).code[pc as usize];
                self.effect.lasting |= matches!(instr, Instr::Malloc { .. });
                Arc::make_mut(self.names).made(thread, object);
            }
            Event::Pinned => self.special(ADDRESSES, Kind::Write),
            Event::HeapOrder { frees } => self.special(HEAP, if frees { Kind::Add } else { Kind::Read }),
            Event::Places { .. } => self.footprint.global = true,
            Event::Sync { op: SyncOp::ThreadCreate, .. } => {
                self.unjoined += 1;
                self.special(STARTS, Kind::Write);
            }
            Event::Sync { op: SyncOp::ThreadJoin, peer: Some(peer), .. } => {
                self.special(life_of(peer), Kind::Write);
                self.unjoined -= 1;
            }
            Event::Sync { op: SyncOp::ThreadDetach, peer: Some(peer), .. } => {
                self.special(life_of(peer), Kind::Write);
            }
            // Every use of a key looks at the table that these change.
            Event::Sync { op: SyncOp::KeyCreate | SyncOp::KeyDelete, .. } => self.footprint.global = true,
            Event::Sync { op, object: Some(place), result, phase, .. } => {
                self.sync(Operation::of(op), place, result, phase);
            }
            Event::Also { object } => {
                self.touch(object, Kind::Write);
                self.mutex_bytes(object);
            }
            Event::ThreadEnd => self.special(life_of(thread), Kind::Write),
            Event::AtomicSection { .. } if self.track_races => self.special(SECTIONS, Kind::Write),
            Event::ProcessEnd { .. } => self.footprint.global = true,
            Event::Read { .. }
            | Event::Write { .. }
            | Event::Free { .. }
            | Event::Whole { .. }
            | Event::Sync { object: None, .. }
            | Event::AtomicSection { .. }
            | Event::Fence { .. }
            | Event::Choice { .. }
            | Event::Call { .. }
            | Event::Return { .. } => {}
        }
    }
}
