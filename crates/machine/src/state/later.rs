//! What happens after accesses that a thread made while a store of its own waited.
//!
//! Kept beside the store, where traces are looked at ([`crate::exec::traces`]).

use serde::{Deserialize, Serialize};

use crate::independence::footprint::Kind;
use crate::telling::fault::ThreadId;
use crate::telling::observer::Place;
use crate::value::ObjectId;

/// What happens after something that the thread did after the store.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Later {
    /// Whether another thread delayed a store meanwhile: nothing is looked for then.
    pub given_up: bool,
    /// Other threads of which some step does, ascending.
    threads: Vec<ThreadId>,
    /// The accesses, ascending.
    accesses: Vec<Mark>,
}

/// An access to memory, or (with no object) to the life of a thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct Mark {
    object: ObjectId,
    offset: u64,
    len: u64,
    kind: u8,
}

impl Mark {
    pub fn memory(place: Place, kind: Kind) -> Mark {
        Mark { object: place.object, offset: place.offset, len: place.len, kind: kind as u8 }
    }

    pub fn life(thread: ThreadId, kind: Kind) -> Mark {
        Mark { object: ObjectId::NONE, offset: u64::from(thread.0), len: 1, kind: kind as u8 }
    }

    fn meets(&self, other: &Mark) -> bool {
        self.object == other.object
            && self.offset < other.offset.saturating_add(other.len)
            && other.offset < self.offset.saturating_add(self.len)
    }

    /// Whether the order of two accesses matters. Those that only read, or only add, commute.
    pub fn conflicts(&self, other: &Mark) -> bool {
        let commute = self.kind == other.kind && self.kind != Kind::Write as u8;
        self.meets(other) && !commute
    }

    /// The numbers that it consists of, but for the object.
    pub fn numbers(&self) -> [u64; 3] {
        [self.offset, self.len, u64::from(self.kind)]
    }

    /// The object, or none.
    pub fn object(&self) -> ObjectId {
        self.object
    }
}

impl Later {
    /// Another thread delayed a store.
    pub fn give_up(&mut self) {
        *self = Later { given_up: true, ..Later::default() };
    }

    /// Whether an access happens after one of these.
    pub fn is_before(&self, access: &Mark) -> bool {
        self.accesses.iter().any(|before| before.conflicts(access))
    }

    pub fn has_thread(&self, thread: ThreadId) -> bool {
        self.threads.binary_search(&thread).is_ok()
    }

    pub fn add_thread(&mut self, thread: ThreadId) {
        if let Err(index) = self.threads.binary_search(&thread) {
            self.threads.insert(index, thread);
        }
    }

    pub fn add_access(&mut self, access: Mark) {
        if let Err(index) = self.accesses.binary_search(&access) {
            self.accesses.insert(index, access);
        }
    }

    pub fn threads(&self) -> &[ThreadId] {
        &self.threads
    }

    pub fn accesses(&self) -> &[Mark] {
        &self.accesses
    }

    /// Calls `f` with every object that accesses are to.
    pub fn references(&self, f: impl FnMut(ObjectId)) {
        self.accesses
            .iter()
            .map(|access| access.object)
            .filter(|object| *object != ObjectId::NONE)
            .for_each(f);
    }

    pub fn references_mut(&mut self, f: impl FnMut(&mut ObjectId)) {
        let objects = self.accesses.iter_mut().map(|access| &mut access.object);
        objects.filter(|object| **object != ObjectId::NONE).for_each(f);
        self.accesses.sort_unstable();
    }
}
