//! Names that places keep from state to state, and locks by place: what a
//! search needs that watches which threads touch what under which locks.

use ir::Instr;

use crate::machine::Machine;
use crate::memory::object::{Object, Origin};
use crate::state::State;
use crate::state::thread::Status;
use crate::sync::SyncObject;
use crate::sync::blocked::Blocked;
use crate::telling::fault::ThreadId;
use crate::telling::observer::Place;
use crate::value::{Named, ObjectId};
use ir::operation::{Action, Operation};

/// Where a place is. Numbers of objects on the heap or in frames change when
/// states are normalised, and which object is which is lost when equal states
/// become one; their size stays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Home {
    /// In a global.
    Global(ObjectId),
    /// In some object of this size.
    Size(u64),
}

impl SyncObject {
    /// The thread that has taken it, if it is a mutex or a spin lock.
    pub(crate) fn lock_owner(&self) -> Option<ThreadId> {
        match self {
            SyncObject::Mutex(mutex) | SyncObject::Spin(mutex) => mutex.owner,
            _ => None,
        }
    }
}

impl Machine {
    /// The home of an object; none if it cannot be written or is no more.
    pub fn home(&self, state: &State, object: ObjectId) -> Option<Home> {
        match object.named() {
            Named::Slot { .. } if self.is_global(object) => Some(Home::Global(object)),
            Named::Slot { .. } => state.memory.get(object).map(|object| Home::Size(object.size())),
            _ => None,
        }
    }

    /// Whether an object ends with a call or thread that is not this thread's.
    /// Such an end may go unseen: what no thread can reach any more is no longer
    /// there to be ended.
    pub fn is_lent(&self, state: &State, thread: ThreadId, object: ObjectId) -> bool {
        let lasts = |object: &Object| matches!(object.origin, Origin::Heap(..));
        if self.is_global(object) || state.memory.get(object).is_none_or(lasts) {
            return false;
        }
        let thread = state.thread(thread);
        let mut own = thread.frames.outwards().flat_map(|frame| frame.objects.iter()).map(|(id, _)| id);
        !own.any(|id| *id == object) && !thread.own.locals.iter().any(|(_, id)| *id == object)
    }

    /// Whether a thread is about to use its specific values, or to leave its
    /// first function: what happens then depends on keys that others may delete.
    pub fn uses_keys(&self, state: &State, thread: ThreadId) -> bool {
        let last = state.thread(thread).frames.len() == 1;
        match self.next_instruction(state, thread) {
            Some(Instr::Return { .. }) => last,
            Some(Instr::ThreadExit { .. }) => true,
            Some(Instr::Sync { op, .. }) => matches!(Operation::of(*op).action, Action::Specific { .. }),
            _ => false,
        }
    }

    /// Whether a thread has taken the mutex or spin lock at a place.
    pub fn has_lock(&self, state: &State, thread: ThreadId, object: ObjectId, offset: u64) -> bool {
        let lock = state.memory.get(object).and_then(|object| object.sync_at(offset));
        lock.and_then(SyncObject::lock_owner) == Some(thread)
    }

    /// Whether a thread holds any lock.
    pub fn holds_lock(&self, state: &State, thread: ThreadId) -> bool {
        let objects = state.memory.slots.iter().flat_map(|object| &object.sync);
        objects.into_iter().any(|(_, lock)| lock.holds(thread) > 0)
    }

    /// The lock or semaphore that a thread is kept waiting for, or will be once
    /// its wait on a condition has ended.
    pub fn awaited(&self, state: &State, thread: ThreadId) -> Option<Place> {
        let at = match &state.thread(thread).status {
            Status::Waiting(wait) => Some(wait.mutex),
            _ => match self.blocked(state, thread)? {
                Blocked::Held { at, .. } => at,
                Blocked::Anyone { at, .. } => Some(at),
                Blocked::Join(_) => None,
            },
        };
        at.map(|(object, offset)| Place { object, offset, len: 1 })
    }
}
