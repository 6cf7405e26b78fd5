//! What the instructions of a function do, in one calling context, that matters
//! to other threads. The flow of locks and threads ([`crate::flow`]) is computed
//! over these alone.

use ir::Pc;
use smallvec::SmallVec;

use crate::memory::{NodeIx, ThreadIx};
use crate::value::Ptr;

/// The kinds of locks. One place is one kind of lock, or none at all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LockKind {
    /// A mutex.
    Mutex,
    /// A readers-writer lock.
    RwLock,
    /// A spin lock.
    Spin,
    /// Something else that threads synchronise with.
    Other,
}

/// An access to memory that the race detector of the machine records.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// Where it may go.
    pub targets: SmallVec<[Ptr; 2]>,
    /// Its size in bytes, if it is known.
    pub len: Option<u64>,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic.
    pub atomic: bool,
}

/// What an instruction does.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// It accesses memory.
    Access(Access),
    /// It takes a lock at one of these places; it holds it afterwards if it is
    /// not a mere attempt.
    Lock {
        /// The places.
        targets: SmallVec<[Ptr; 2]>,
        /// Which kind of lock.
        kind: LockKind,
        /// Whether no other thread can hold it at the same time.
        exclusive: bool,
        /// Whether it may fail.
        attempt: bool,
    },
    /// It gives back a lock at one of these places.
    Unlock {
        /// The places.
        targets: SmallVec<[Ptr; 2]>,
        /// Which kind of lock.
        kind: LockKind,
    },
    /// It makes new synchronisation objects at these places.
    Renew(SmallVec<[Ptr; 2]>),
    /// It starts one of these threads.
    Create(SmallVec<[ThreadIx; 2]>),
    /// It waits for the end of this thread, if that is known.
    Join(Option<ThreadIx>),
    /// It begins an atomic section.
    Begin {
        /// Whether the section is ordered with others.
        orders: bool,
    },
    /// It ends one.
    End {
        /// Whether the section is ordered with others.
        orders: bool,
    },
    /// It calls one of these.
    Call(SmallVec<[NodeIx; 2]>),
    /// It returns to the caller; from the first function of a thread, it ends
    /// the thread.
    Return,
    /// It ends the thread.
    ThreadExit,
    /// It does something else of which it matters where it is.
    Other,
}

/// An action with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// The instruction.
    pub pc: Pc,
    /// What it does.
    pub action: Action,
}

/// A basic block as it is in one calling context.
#[derive(Clone, Debug, Default)]
pub struct EventBlock {
    /// What its instructions do, in order.
    pub events: Vec<Event>,
    /// The blocks that may follow.
    pub next: SmallVec<[u32; 2]>,
    /// Whether it can be reached at all.
    pub reached: bool,
}
