//! Names that places keep from state to state, and locks by place: what a
//! search needs that watches who touches what under which locks.

use crate::blocked::Blocked;
use crate::fault::ThreadId;
use crate::machine::Machine;
use crate::observer::Place;
use crate::state::State;
use crate::sync::SyncObject;
use crate::thread::Status;
use crate::value::{Named, ObjectId};

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

impl Machine {
    /// The home of an object; none if it cannot be written or is no more.
    pub fn home(&self, state: &State, object: ObjectId) -> Option<Home> {
        match object.named() {
            Named::Slot { .. } if self.is_global(object) => Some(Home::Global(object)),
            Named::Slot { .. } => state.memory.get(object).map(|object| Home::Size(object.size())),
            _ => None,
        }
    }

    /// Whether a thread has taken the mutex or spin lock at a place.
    pub fn has_lock(&self, state: &State, thread: ThreadId, object: ObjectId, offset: u64) -> bool {
        match state.memory.get(object).and_then(|object| object.sync_at(offset)) {
            Some(SyncObject::Mutex(mutex) | SyncObject::Spin(mutex)) => mutex.owner == Some(thread),
            _ => false,
        }
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
