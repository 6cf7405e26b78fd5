//! Looking at synchronisation objects without changing anything. An object
//! that was never initialised by a call is what its bytes say: all-zero bytes
//! are a static initialiser.

use ir::Operand;

use crate::fault::{ThreadId, Touch};
use crate::machine::Machine;
use crate::state::State;
use crate::sync::{Mutex, MutexKind, RwLock, SyncObject};
use crate::thread::{Status, SyncPlace};
use crate::value::{ObjectId, Value};

impl Machine {
    /// The value of an operand, as far as looking suffices: a thread-local
    /// variable without an instance yet is nothing.
    pub(crate) fn peek(&self, state: &State, thread: ThreadId, operand: Operand) -> Value {
        let thread = state.thread(thread);
        if let Operand::Global(id, offset) = operand
            && self.program().global(id).thread_local
        {
            let instance = thread.locals.iter().find(|(global, _)| *global == id);
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

    /// The mutex at a place; `None` if there is none.
    pub(crate) fn mutex_at(&self, state: &State, at: SyncPlace) -> Option<Mutex> {
        let object = state.memory.get(at.0)?;
        match object.sync_at(at.1) {
            Some(SyncObject::Mutex(mutex)) => Some(mutex.clone()),
            Some(_) => None,
            None if self.is_undefined(state, at) => None,
            None => Some(Mutex::new(self.static_kind(state, at))),
        }
    }

    /// The type that a static initialiser gives, where glibc keeps it.
    pub(crate) fn static_kind(&self, state: &State, at: SyncPlace) -> MutexKind {
        let offset = at.1 + if state.memory.word == 8 { 16 } else { 12 };
        let object = state.memory.get(at.0).filter(|object| offset + 4 <= object.size());
        let kind = object.and_then(|object| object.read(offset, 4, state.memory.word));
        kind.map_or(MutexKind::Normal, |value| MutexKind::from_number(value.bits & !value.undef))
    }

    pub(crate) fn spin_at(&self, state: &State, at: SyncPlace) -> Option<Mutex> {
        match state.memory.get(at.0)?.sync_at(at.1) {
            Some(SyncObject::Spin(spin)) => Some(spin.clone()),
            Some(_) => None,
            None if self.is_undefined(state, at) => None,
            None => Some(Mutex::new(MutexKind::Normal)),
        }
    }

    pub(crate) fn rwlock_at(&self, state: &State, at: SyncPlace) -> Option<RwLock> {
        match state.memory.get(at.0)?.sync_at(at.1) {
            Some(SyncObject::RwLock(lock)) => Some(lock.clone()),
            Some(_) => None,
            None if self.is_undefined(state, at) => None,
            None => Some(RwLock::default()),
        }
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
            SyncObject::Mutex(mutex) => mutex.owner.is_none() && mutex.kind == self.static_kind(state, at),
            SyncObject::RwLock(lock) => lock.writer.is_none() && lock.readers.is_empty(),
            SyncObject::Cond => true,
            _ => false,
        };
        free && !self.is_undefined(state, at)
    }
}
