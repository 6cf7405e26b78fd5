//! What a step did, for callers that want to know.
//!
//! The machine tells an [`Observer`] every access and operation as it happens.
//! A footprint ([`crate::Footprint`]) is one observer, the recorder behind a report another; the
//! search that wants neither passes `()` and pays nothing.

use ir::{Order, Pc, SyncOp};

use crate::machine::Machine;
use crate::state::State;
use crate::telling::fault::{ThreadId, Touch};
use crate::value::{ObjectId, Value};
use serde::{Deserialize, Serialize};

/// A range of bytes in an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The object.
    pub object: ObjectId,
    /// Its first byte.
    pub offset: u64,
    /// How many bytes.
    pub len: u64,
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Event {
    /// A read of memory that another thread may be able to reach (`shared`) or not.
    Read { place: Place, value: Value, order: Option<Order>, shared: bool },
    /// A write; `old` is what stood there.
    Write { place: Place, old: Value, new: Value, order: Option<Order>, shared: bool },
    /// A store that waits in its thread's buffer. The memory may cease to be before,
    /// unless it is `lasting`.
    Buffered { place: Place, new: Value, order: Option<Order>, lasting: bool },
    /// A store that waited is committed; `old` is what stood there.
    Flushed { place: Place, old: Value, new: Value, order: Option<Order>, shared: bool },
    /// A memory fence.
    Fence { order: Order },
    /// An operation on a synchronisation object or thread; `result` is what it
    /// yields. For creation and join `peer` is the other thread.
    Sync { op: SyncOp, object: Option<Place>, peer: Option<ThreadId>, result: u64, phase: Phase },
    /// A further synchronisation object that the operation changes: the mutex
    /// of a wait on a condition.
    Also { object: Place },
    /// An object as a whole: its size is asked for, or (`write`) its scope
    /// begins or ends, or a list of arguments is made in it.
    Whole { object: ObjectId, write: bool, shared: bool },
    /// Objects got numbers for addresses; which number depends on the order.
    Pinned,
    /// The heap changes in a way that depends on the order of allocating and
    /// freeing.
    HeapOrder { frees: bool },
    /// It is decided whether two objects are the same place.
    Places { old: ObjectId, new: ObjectId, same: bool },
    /// It is decided which of two objects has the lower address.
    Ordered { low: ObjectId, high: ObjectId },
    /// The life of a thread is over: what it had may be given to one that is
    /// created later.
    LifeOver,
    /// A thread that is created is given an identifier that another had: the
    /// one that was first given to thread `id`.
    SameId { thread: ThreadId, id: ThreadId },
    /// A new object (heap, frame, thread-local or arguments).
    Alloc { object: ObjectId, size: u64 },
    /// An object's end.
    Free { object: ObjectId, shared: bool },
    /// A nondeterministic value was chosen.
    Choice { value: u64, width: u8 },
    /// A call was made.
    Call { function: ir::FuncId },
    /// A call returned.
    Return { function: ir::FuncId },
    /// An instruction that may change what formulas are about was executed, while a monitor
    /// reads it.
    Watched {
        /// Whether it did.
        changed: bool,
    },
    /// An atomic section begins or ends.
    AtomicSection { begin: bool },
    /// The thread ended.
    ThreadEnd,
    /// The process ended; no code for `abort`.
    ProcessEnd { code: Option<u32> },
}

/// Operations in two steps (waiting on a condition or barrier) report each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The operation is complete in one step.
    Whole,
    /// The thread starts to wait.
    Begin,
    /// The thread goes on.
    End {
        /// Whether it waited on a condition and a signal has reached it.
        signalled: bool,
    },
}

/// Receives events. `function` and `pc` are the instruction's.
pub trait Observer {
    /// Whether it looks at anything: what is told to one that does not is not
    /// even found out.
    const LISTENS: bool = true;

    /// Called for each event, in the order of happening.
    fn event(&mut self, thread: ThreadId, function: ir::FuncId, pc: Pc, event: Event);

    /// Called for each access that can be part of a data race.
    #[inline(always)]
    fn access(&mut self, _: Place, _: Touch, _atomic: bool) {}

    /// Called before each instruction on memory or threads that a step executes
    /// or stops at, with the state as the instruction finds it.
    #[inline(always)]
    fn before(&mut self, _: &Machine, _: &State, _: ThreadId) {}
}

impl Observer for () {
    const LISTENS: bool = false;

    #[inline(always)]
    fn event(&mut self, _: ThreadId, _: ir::FuncId, _: Pc, _: Event) {}
}
