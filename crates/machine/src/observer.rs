//! What a step did, for those who want to know.
//!
//! The machine tells an [`Observer`] every access and operation as it happens.
//! A footprint is one observer, the recorder behind a report another; the
//! search that wants neither passes `()` and pays nothing.

use ir::{Order, Pc, SyncOp};

use crate::fault::{ThreadId, Touch};
use crate::machine::Machine;
use crate::state::State;
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

    /// Called before each instruction on memory or threads that a step executes
    /// or stops at, with the state as the instruction finds it.
    #[inline(always)]
    fn before(&mut self, _: &Machine, _: &State, _: ThreadId) {}
}

impl Observer for () {
    #[inline(always)]
    fn event(&mut self, _: ThreadId, _: ir::FuncId, _: Pc, _: Event) {}
}

/// The bytes and objects that a step depends on. Two steps of different
/// threads commute if neither's writes meet the other's reads or writes, and
/// neither's synchronisation objects meet the other's.
#[derive(Clone, Default, Debug)]
pub struct Footprint {
    /// Memory touched, with how.
    pub accesses: Vec<(Place, Touch)>,
    /// Synchronisation objects touched, by the place where they live.
    pub objects: Vec<Place>,
    /// Threads started, joined or ended by the step.
    pub threads: Vec<ThreadId>,
    /// Whether the step meets everything (a fence, an atomic section, the end
    /// of the process).
    pub global: bool,
}

impl Observer for Footprint {
    fn event(&mut self, thread: ThreadId, _: ir::FuncId, _: Pc, event: Event) {
        match event {
            Event::Read { place, .. } => self.accesses.push((place, Touch::Read)),
            Event::Write { place, .. } => self.accesses.push((place, Touch::Write)),
            Event::Free { object, .. } => {
                self.accesses.push((Place { object, offset: 0, len: u64::MAX }, Touch::Write));
            }
            // Every use of a key looks at the table that these change.
            Event::Sync { op: SyncOp::KeyCreate | SyncOp::KeyDelete, .. } => self.global = true,
            Event::Sync { object, peer, .. } => {
                self.objects.extend(object);
                self.threads.extend(peer);
            }
            Event::Also { object } => self.objects.push(object),
            Event::ThreadEnd => self.threads.push(thread),
            Event::Fence { .. } | Event::AtomicSection { .. } | Event::ProcessEnd { .. } => {
                self.global = true
            }
            Event::Whole { object, write, .. } => {
                let touch = if write { Touch::Write } else { Touch::Read };
                self.accesses.push((Place { object, offset: 0, len: u64::MAX }, touch));
            }
            // The next one gets another number.
            Event::Pinned => self.global = true,
            Event::Alloc { .. } | Event::Choice { .. } | Event::Call { .. } | Event::Return { .. } => {}
        }
    }
}

impl Footprint {
    /// Whether two steps of different threads may not commute.
    pub fn meets(&self, other: &Footprint) -> bool {
        self.global
            || other.global
            || self.accesses.iter().any(|(place, touch)| {
                other
                    .accesses
                    .iter()
                    .any(|(p, t)| (*touch == Touch::Write || *t == Touch::Write) && overlap(place, p))
            })
            || self.objects.iter().any(|place| other.objects.iter().any(|p| overlap(place, p)))
            || self.threads.iter().any(|thread| other.threads.contains(thread))
    }
}

fn overlap(a: &Place, b: &Place) -> bool {
    a.object == b.object
        && a.offset < b.offset.saturating_add(b.len)
        && b.offset < a.offset.saturating_add(a.len)
}
