//! Looking at synchronisation objects without changing anything. An object
//! that was never initialised by a call is what its bytes say: all-zero bytes
//! are a static initialiser.
//!
//! An object that is in the state in which its bytes alone would put it is as
//! if no thread had ever used it: it may be used as an object of another kind,
//! as a native one may whose bytes are zero again. One that is held, counts
//! something or was destroyed is of its kind only.

use ir::Operand;

use crate::machine::Machine;
use crate::state::State;
use crate::state::thread::{Status, SyncPlace};
use crate::sync::{Mutex, MutexKind, Once, Robust, RwLock, SyncObject};
use crate::telling::fault::{ThreadId, Touch};
use crate::value::{ObjectId, Value};

impl Machine {
    /// The value of an operand, as far as looking suffices: a thread-local
    /// variable without an instance yet is nothing.
    pub(crate) fn peek(&self, state: &State, thread: ThreadId, operand: Operand) -> Value {
        let thread = state.thread(thread);
        if let Operand::Global(id, offset) = operand
            && self.program().global(id).thread_local
        {
            let instance = thread.own.locals.iter().find(|(global, _)| *global == id);
            let object = instance.map_or(ObjectId::NONE, |(_, object)| *object);
            return Value::pointer(object, self.offset(offset));
        }
        self.constant_or_register(&thread.frame().regs, operand)
    }

    pub(crate) fn peek_place(&self, state: &State, thread: ThreadId, operand: Operand) -> Option<SyncPlace> {
        state.memory.resolve(self.peek(state, thread, operand), 1, Touch::Read).ok()
    }

    /// Whether the bytes of a synchronisation object were never written.
    pub(crate) fn is_undefined(&self, state: &State, at: SyncPlace) -> bool {
        state.memory.get(at.0).is_none_or(|object| object.has_undef(at.1, 4.min(object.size() - at.1)))
    }

    /// Whether a place holds no synchronisation object in use, and bytes that
    /// make a new one.
    pub(crate) fn is_fresh(&self, state: &State, at: SyncPlace) -> bool {
        let sync = state.memory.get(at.0).and_then(|object| object.sync_at(at.1));
        sync.map_or(!self.is_undefined(state, at), |sync| self.is_as_if_untouched(state, at, sync))
    }

    /// The object at a place if it is of the kind that `own` knows, or a new
    /// one if the place is fresh.
    fn sync_as<T>(
        &self,
        state: &State,
        at: SyncPlace,
        own: impl Fn(&SyncObject) -> Option<T>,
        new: impl FnOnce() -> T,
    ) -> Option<T> {
        let found = state.memory.get(at.0)?.sync_at(at.1).and_then(own);
        found.or_else(|| self.is_fresh(state, at).then(new))
    }

    /// The mutex at a place; `None` if there is none.
    pub(crate) fn mutex_at(&self, state: &State, at: SyncPlace) -> Option<Mutex> {
        let own = |sync: &SyncObject| match sync {
            SyncObject::Mutex(mutex) => Some(mutex.clone()),
            _ => None,
        };
        self.sync_as(state, at, own, || Mutex::new(self.static_kind(state, at)))
    }

    /// The type that a static initialiser gives, where glibc keeps it.
    pub(crate) fn static_kind(&self, state: &State, at: SyncPlace) -> MutexKind {
        let offset = at.1 + if state.memory.word == 8 { 16 } else { 12 };
        MutexKind::from_number(self.static_bits(state, (at.0, offset), 4))
    }

    /// The same for a readers-writer lock.
    fn is_static_nonrecursive(&self, state: &State, at: SyncPlace) -> bool {
        let offset = at.1 + if state.memory.word == 8 { 48 } else { 24 };
        self.static_bits(state, (at.0, offset), 1) == RwLock::NONRECURSIVE
    }

    /// What a static initialiser has put at a place; 0 if nothing.
    fn static_bits(&self, state: &State, at: SyncPlace, len: u64) -> u64 {
        let object = state.memory.get(at.0).filter(|object| at.1 + len <= object.size());
        let value = object.and_then(|object| object.read(at.1, len, state.memory.word));
        value.map_or(0, |value| value.bits & !value.undef)
    }

    pub(crate) fn spin_at(&self, state: &State, at: SyncPlace) -> Option<Mutex> {
        let own = |sync: &SyncObject| match sync {
            SyncObject::Spin(spin) => Some(spin.clone()),
            _ => None,
        };
        self.sync_as(state, at, own, || Mutex::new(MutexKind::Normal))
    }

    pub(crate) fn rwlock_at(&self, state: &State, at: SyncPlace) -> Option<RwLock> {
        let own = |sync: &SyncObject| match sync {
            SyncObject::RwLock(lock) => Some(lock.clone()),
            _ => None,
        };
        let nonrecursive = self.is_static_nonrecursive(state, at);
        self.sync_as(state, at, own, || RwLock { nonrecursive, ..RwLock::default() })
    }

    /// The threads that wait on a condition and were not signalled.
    pub(crate) fn waiters(&self, state: &State, cond: SyncPlace) -> Vec<ThreadId> {
        let waits = |t: &ThreadId| matches!(&state.thread(*t).status, Status::Waiting(wait) if wait.cond == cond && !wait.signalled);
        state.thread_ids().filter(waits).collect()
    }

    /// Whether a synchronisation object is in the state in which its bytes
    /// alone would put it (whatever its clock).
    pub(crate) fn is_as_if_untouched(&self, state: &State, at: SyncPlace, sync: &SyncObject) -> bool {
        let free = match sync {
            SyncObject::Mutex(mutex) => {
                let same_kind = mutex.kind == self.static_kind(state, at);
                mutex.owner.is_none() && same_kind && mutex.robust == Robust::No
            }
            SyncObject::Spin(spin) => spin.owner.is_none(),
            SyncObject::RwLock(lock) => {
                let same_kind = lock.nonrecursive == self.is_static_nonrecursive(state, at);
                lock.writer.is_none() && lock.readers.is_empty() && same_kind
            }
            SyncObject::Cond | SyncObject::Once(Once::TakenBack(_)) => true,
            _ => false,
        };
        free && !self.is_undefined(state, at)
    }
}
