//! What a step did, for those who want to know.
//!
//! The machine tells an [`Observer`] every access and operation as it happens.
//! A footprint is one observer, the recorder behind a report another; the
//! search that wants neither passes `()` and pays nothing.

use ir::{Order, Pc, SyncOp};

use crate::machine::Machine;
use crate::state::State;
use crate::sync::errno;
use crate::sync::operation::{Action, Operation, Patience, Subject};
use crate::telling::fault::{ThreadId, Touch};
use crate::value::{ObjectId, Value};

/// A range of bytes in an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    End,
}

/// Receives events. `function` and `pc` are the instruction's.
pub trait Observer {
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
    #[inline(always)]
    fn event(&mut self, _: ThreadId, _: ir::FuncId, _: Pc, _: Event) {}
}

/// How a place is touched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum How {
    /// Memory is read.
    Read,
    /// Memory is written, or a synchronisation object is changed in a way that
    /// none of the others is.
    Write,
    /// A mutex or spin lock is taken, which waits until it is free.
    Lock,
    /// It is given back by its owner.
    Unlock,
    /// It is taken if it is free, without waiting.
    TryLock,
}

/// A place that a step touched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Touched {
    /// The place.
    pub place: Place,
    /// How.
    pub how: How,
    /// Whether another thread may be able to reach it.
    pub shared: bool,
}

/// What a step touched.
#[derive(Clone, Default, Debug)]
pub struct Footprint {
    /// Memory and synchronisation objects.
    pub touched: Vec<Touched>,
    /// Whether it did more than access memory, take or give back mutexes and
    /// spin locks, and end its thread.
    pub special: bool,
}

/// The result of an operation that took a robust mutex whose owner had ended.
pub const EOWNERDEAD: u64 = errno::EOWNERDEAD;
/// The result of one that can never take it any more.
pub const ENOTRECOVERABLE: u64 = errno::ENOTRECOVERABLE;

/// The bytes of a mutex that matter to its operations.
pub const MUTEX_BYTES: u64 = 20;

impl Footprint {
    fn touch(&mut self, place: Place, how: How, shared: bool) {
        self.touched.push(Touched { place, how, shared });
    }

    fn whole(&mut self, object: ObjectId, how: How, shared: bool) {
        self.touch(Place { object, offset: 0, len: u64::MAX }, how, shared);
    }

    fn sync(&mut self, op: SyncOp, place: Place, result: u64) {
        let how = how(Operation::of(op), result);
        self.special |= how == How::Write;
        self.touch(Place { len: MUTEX_BYTES, ..place }, how, true);
    }
}

/// How an operation with this result touches its object.
fn how(operation: Operation, result: u64) -> How {
    let done = result == 0;
    let is_lock = matches!(operation.subject, Subject::Mutex | Subject::Spin);
    match operation.action {
        _ if !is_lock || result == EOWNERDEAD => How::Write,
        Action::Take { patience: Patience::Waits, .. } if done => How::Lock,
        Action::Take { patience: Patience::Tries | Patience::Timed, .. } => How::TryLock,
        Action::Give if done => How::Unlock,
        _ => How::Write,
    }
}

impl Observer for Footprint {
    fn event(&mut self, _: ThreadId, _: ir::FuncId, _: Pc, event: Event) {
        match event {
            Event::Read { place, shared, .. } => self.touch(place, How::Read, shared),
            Event::Write { place, shared, .. } => self.touch(place, How::Write, shared),
            Event::Free { object, shared } => self.whole(object, How::Write, shared),
            Event::Whole { object, write, shared } => {
                self.whole(object, if write { How::Write } else { How::Read }, shared);
            }
            Event::Sync { op, object: Some(place), result, .. } => self.sync(op, place, result),
            // A wait gives its mutex back and takes it again, as others do.
            Event::Also { object } => {
                self.touch(Place { len: MUTEX_BYTES, ..object }, How::Unlock, true);
                self.touch(Place { len: MUTEX_BYTES, ..object }, How::Lock, true);
                self.special = true;
            }
            // The next one that is pinned gets another number.
            Event::Pinned
            | Event::HeapOrder { .. }
            | Event::Places { .. }
            | Event::Sync { object: None, .. }
            | Event::Fence { .. }
            | Event::AtomicSection { .. }
            | Event::ProcessEnd { .. } => self.special = true,
            Event::ThreadEnd
            | Event::Alloc { .. }
            | Event::Choice { .. }
            | Event::Call { .. }
            | Event::Return { .. } => {}
        }
    }
}
