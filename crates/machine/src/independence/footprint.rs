//! What a step touches: the one list from which reductions tell whether two
//! steps commute.
//!
//! A footprint is complete. It names the bytes of memory that a step reads and
//! writes, the synchronisation objects that it operates on, and what is no
//! memory: the lives of threads, atomic sections, the heap where the order of
//! allocations makes a difference, the numbers of addresses. [`touches`] makes
//! it out of the events of a step, one event at a time, so that an engine which
//! keeps footprints in a form of its own needs no list in between.
//!
//! There are two questions to ask, and an engine asks one of them:
//!
//! - *Do two steps of different threads commute?* Ask [`Touched::parts`]. They do
//!   if no two parts conflict: parts that name the same thing, overlap in it, and
//!   whose [`Kind`]s do not commute. Memory that is not shared can be left out, as
//!   no other thread touches it; so can everything while there is one thread only.
//!   [`Thing::Sections`] matters only where races are looked for. `stateless` asks
//!   this, under names for objects that do not depend on the order of steps.
//! - *Which locks protect a place?* Ask [`Touched::roles`]. Steps that are more
//!   than accesses to memory, taking and giving back locks, and the end of their
//!   thread are [`Footprint::special`], and a lockset says nothing about them.
//!   `reduction` asks this.
//!
//! What a step touched is not told in full if the step faulted, or if an atomic
//! section is open before or after it: see [`Machine::is_told`].

use serde::{Deserialize, Serialize};

use crate::machine::{End, Machine, Step};
use crate::state::State;
use crate::sync::errno;
use crate::sync::gate::Need;
use crate::telling::fault::ThreadId;
use crate::telling::observer::{Event, Observer, Phase, Place};
use crate::value::ObjectId;
use ir::operation::{Action, Operation, Patience, Subject};

/// The bytes of a mutex that matter to its operations. Every synchronisation
/// object is taken to be as large.
pub const MUTEX_BYTES: u64 = 20;

/// How a thing is touched, as far as it matters for commuting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// Commutes with reading.
    Read,
    /// Commutes with adding. Readers of a readers-writer lock add themselves.
    Add,
    /// Commutes with nothing.
    Write,
}

impl Kind {
    /// Whether two touches of the same thing can be swapped.
    #[inline]
    pub fn commutes(self, other: Kind) -> bool {
        self == other && self != Kind::Write
    }
}

/// What a lockset has to know about a touch of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
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

/// A thing that a step can touch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Thing {
    /// Bytes of memory, or the synchronisation object that begins there.
    Memory {
        /// Which bytes.
        place: Place,
        /// Whether another thread may be able to reach them.
        shared: bool,
    },
    /// The order of thread creations: it decides the numbers of threads. The
    /// end of a life adds to what a new thread may be given.
    Starts,
    /// Whether a thread has ended, was joined or was detached.
    Life(ThreadId),
    /// The order of atomic sections, which orders them for the race detector.
    Sections,
    /// Which blocks of the heap are to be had. Freeing adds to them.
    Heap,
    /// The numbers of addresses: the next object gets the next number.
    Addresses,
    /// The monitor of safety formulas, which reads what watched instructions change.
    Monitor,
    /// What belongs to the moving thread alone, but is no memory: the order that
    /// its fences make, its values for keys.
    Own,
    /// Something that every other step may depend on.
    Everything,
}

/// How an operation on a synchronisation object went.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Went {
    /// It did what it says.
    Done,
    /// It took a robust mutex whose owner had ended.
    OwnerDied,
    /// It found a robust mutex that can never be taken any more.
    Unrecoverable,
    /// It did not get what it asked for, or (`once`) has to do it itself.
    Failed,
}

impl Went {
    /// How an operation with this result went.
    pub fn of(result: u64) -> Went {
        match result {
            0 => Went::Done,
            errno::EOWNERDEAD => Went::OwnerDied,
            errno::ENOTRECOVERABLE => Went::Unrecoverable,
            _ => Went::Failed,
        }
    }
}

/// How a thing is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// By an access, or as if by one.
    Access {
        /// What it does.
        kind: Kind,
        /// Whether it is an atomic access of the program.
        atomic: bool,
    },
    /// By an operation on the synchronisation object that begins here.
    Operation(Operation, Went),
    /// By the end of a wait that a signal had ended before: it takes nothing from
    /// the condition.
    Signalled(Operation),
    /// The mutex here is given back or taken by a wait, or left behind by a
    /// thread that ends.
    Handover,
    /// The thread ends.
    End,
}

/// A thing that a step touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touched {
    /// The thing.
    pub thing: Thing,
    /// How.
    pub how: How,
}

impl Touched {
    fn thing(thing: Thing, kind: Kind) -> Touched {
        Touched { thing, how: How::Access { kind, atomic: false } }
    }

    fn memory(place: Place, shared: bool, kind: Kind, atomic: bool) -> Touched {
        Touched { thing: Thing::Memory { place, shared }, how: How::Access { kind, atomic } }
    }

    fn whole(object: ObjectId, shared: bool, kind: Kind) -> Touched {
        Touched::memory(Place { object, offset: 0, len: u64::MAX }, shared, kind, false)
    }

    fn object(at: Place, how: How) -> Touched {
        let place = Place { len: MUTEX_BYTES, ..at };
        Touched { thing: Thing::Memory { place, shared: true }, how }
    }

    /// Tells the parts of the thing that are touched, each with its kind. A
    /// synchronisation object is its first byte, so that writing over a mutex
    /// conflicts with locking it.
    #[inline]
    pub fn parts(&self, mut tell: impl FnMut(Thing, Kind)) {
        let Thing::Memory { place, shared } = self.thing else {
            return tell(self.thing, self.kind());
        };
        let mut range = |offset, len, kind| {
            let place = Place { offset: place.offset + offset, len, ..place };
            tell(Thing::Memory { place, shared }, kind);
        };
        match self.how {
            How::Access { kind, .. } => range(0, place.len, kind),
            How::Operation(Operation { subject: Subject::RwLock, action }, went) => {
                let (writer, readers) = readers_writer(action, went);
                range(0, 1, writer);
                if let Some(readers) = readers {
                    range(1, 1, readers);
                }
            }
            // A mutex that was never used is what its bytes say.
            How::Operation(
                Operation { subject: Subject::Mutex, action: Action::Take { .. } | Action::Give },
                went,
            ) => {
                range(0, 1, if went == Went::Failed { Kind::Read } else { Kind::Write });
                range(1, MUTEX_BYTES - 1, Kind::Read);
            }
            How::Handover => {
                range(0, 1, Kind::Write);
                range(1, MUTEX_BYTES - 1, Kind::Read);
            }
            How::Operation(operation, went) => range(0, 1, of_operation(operation, went)),
            // One with a time limit might have ended without the signal.
            How::Signalled(operation) => {
                if operation.action != (Action::Wait { timed: false }) {
                    range(0, 1, Kind::Write);
                }
            }
            How::End => {}
        }
    }

    fn kind(&self) -> Kind {
        match self.how {
            How::Access { kind, .. } => kind,
            How::Operation(..) | How::Signalled(_) | How::Handover | How::End => Kind::Write,
        }
    }

    /// What the touch is to the locks of the place.
    pub fn roles(&self) -> &'static [Role] {
        match self.how {
            How::Access { kind: Kind::Read, .. } => &[Role::Read],
            How::Access { kind: Kind::Add | Kind::Write, .. } | How::Signalled(_) | How::End => {
                &[Role::Write]
            }
            // As others do when they give a mutex back and take it again.
            How::Handover => &[Role::Unlock, Role::Lock],
            How::Operation(operation, went) => role(operation, went),
        }
    }

    fn is_special(&self) -> bool {
        match (self.thing, self.how) {
            (Thing::Memory { .. }, How::Access { .. }) | (_, How::End) => false,
            (Thing::Memory { .. }, How::Operation(..) | How::Signalled(_)) => self.roles() == [Role::Write],
            _ => true,
        }
    }
}

/// The writer of a readers-writer lock is the lock itself, the readers are
/// beside it.
fn readers_writer(action: Action, went: Went) -> (Kind, Option<Kind>) {
    let failed = went == Went::Failed;
    match action {
        Action::Take { shares: true, patience } if failed && patience != Patience::Waits => {
            (Kind::Read, None)
        }
        Action::Take { shares: true, .. } => (Kind::Read, Some(Kind::Add)),
        Action::Take { shares: false, patience } if failed && patience != Patience::Waits => {
            (Kind::Read, Some(Kind::Read))
        }
        Action::Take { shares: false, .. } => (Kind::Write, Some(Kind::Read)),
        // Given back by a reader or by the writer, made or ended.
        Action::Give
        | Action::Init { .. }
        | Action::Destroy
        | Action::Repair
        | Action::Wait { .. }
        | Action::Wake { .. }
        | Action::Arrive
        | Action::Look
        | Action::Create
        | Action::Join
        | Action::Detach
        | Action::Myself
        | Action::NewKey
        | Action::DropKey
        | Action::Specific { .. } => (Kind::Write, Some(Kind::Write)),
    }
}

/// How an operation touches an object that is a single thing.
fn of_operation(operation: Operation, went: Went) -> Kind {
    let failed = went == Went::Failed;
    let is_counted = matches!(operation.subject, Subject::Spin | Subject::Semaphore);
    match operation.action {
        // One that finds the initialiser done changes nothing.
        Action::Take { .. } if operation.subject == Subject::Once && !failed => Kind::Read,
        Action::Take { .. } if is_counted && operation.tries() && failed => Kind::Read,
        Action::Look => Kind::Read,
        Action::Take { .. }
        | Action::Give
        | Action::Init { .. }
        | Action::Destroy
        | Action::Repair
        | Action::Wait { .. }
        | Action::Wake { .. }
        | Action::Arrive
        | Action::Create
        | Action::Join
        | Action::Detach
        | Action::Myself
        | Action::NewKey
        | Action::DropKey
        | Action::Specific { .. } => Kind::Write,
    }
}

/// What an operation is to the lock that it concerns.
fn role(operation: Operation, went: Went) -> &'static [Role] {
    if !matches!(operation.subject, Subject::Mutex | Subject::Spin) || went == Went::OwnerDied {
        return &[Role::Write];
    }
    let done = went == Went::Done;
    match operation.action {
        Action::Take { patience: Patience::Waits, .. } if done => &[Role::Lock],
        Action::Take { patience: Patience::Tries | Patience::Timed, .. } => &[Role::TryLock],
        Action::Give if done => &[Role::Unlock],
        Action::Take { patience: Patience::Waits, .. }
        | Action::Give
        | Action::Init { .. }
        | Action::Destroy
        | Action::Repair
        | Action::Wait { .. }
        | Action::Wake { .. }
        | Action::Arrive
        | Action::Look
        | Action::Create
        | Action::Join
        | Action::Detach
        | Action::Myself
        | Action::NewKey
        | Action::DropKey
        | Action::Specific { .. } => &[Role::Write],
    }
}

/// Tells what an event of a thread touches.
#[inline]
pub fn touches(thread: ThreadId, event: &Event, mut tell: impl FnMut(Touched)) {
    match *event {
        Event::Read { place, shared, order, .. } => {
            tell(Touched::memory(place, shared, Kind::Read, order.is_some()));
        }
        // A store that waits looks whether its memory is there.
        Event::Buffered { place, order, lasting: false, .. } => {
            tell(Touched::memory(place, true, Kind::Read, order.is_some()));
        }
        Event::Write { place, shared, order, .. } | Event::Flushed { place, shared, order, .. } => {
            tell(Touched::memory(place, shared, Kind::Write, order.is_some()));
        }
        Event::Free { object, shared } | Event::Whole { object, write: true, shared } => {
            tell(Touched::whole(object, shared, Kind::Write));
        }
        Event::Whole { object, write: false, shared } => tell(Touched::whole(object, shared, Kind::Read)),
        Event::Pinned | Event::Ordered { .. } => tell(Touched::thing(Thing::Addresses, Kind::Write)),
        Event::HeapOrder { frees } => {
            tell(Touched::thing(Thing::Heap, if frees { Kind::Add } else { Kind::Read }));
        }
        Event::LifeOver => tell(Touched::thing(Thing::Starts, Kind::Add)),
        Event::Sync { op, object, peer, result, phase } => {
            let operation = Operation::of(op);
            let how = match phase {
                Phase::End { signalled: true } => How::Signalled(operation),
                _ => How::Operation(operation, Went::of(result)),
            };
            tell(of_sync(operation, object, peer, how));
        }
        Event::Also { object } => tell(Touched::object(object, How::Handover)),
        Event::AtomicSection { .. } => tell(Touched::thing(Thing::Sections, Kind::Write)),
        Event::ThreadEnd => tell(Touched { thing: Thing::Life(thread), how: How::End }),
        Event::Places { .. } | Event::ProcessEnd { .. } => {
            tell(Touched::thing(Thing::Everything, Kind::Write));
        }
        Event::Watched { .. } => tell(Touched::thing(Thing::Monitor, Kind::Write)),
        Event::Fence { .. } => tell(Touched::thing(Thing::Own, Kind::Write)),
        Event::Buffered { lasting: true, .. }
        | Event::Alloc { .. }
        | Event::SameId { .. }
        | Event::Choice { .. }
        | Event::Call { .. }
        | Event::Return { .. } => {}
    }
}

fn of_sync(operation: Operation, object: Option<Place>, peer: Option<ThreadId>, how: How) -> Touched {
    let thing = match operation.action {
        Action::Create => Thing::Starts,
        Action::Join | Action::Detach => peer.map_or(Thing::Own, Thing::Life),
        // Every use of a key looks at the table that these change.
        Action::NewKey | Action::DropKey => Thing::Everything,
        Action::Myself | Action::Specific { .. } => Thing::Own,
        Action::Init { .. }
        | Action::Destroy
        | Action::Take { .. }
        | Action::Give
        | Action::Repair
        | Action::Wait { .. }
        | Action::Wake { .. }
        | Action::Arrive
        | Action::Look => match object {
            Some(place) => return Touched::object(place, how),
            None => Thing::Own,
        },
    };
    Touched::thing(thing, Kind::Write)
}

/// Tells what an operation that needs this touches at least, with the kind, if it
/// is an object. It has not been executed yet, so that no footprint is known.
pub fn needed(need: Need, mut tell: impl FnMut(Place, Kind)) {
    let beside = |place: Place| Place { offset: place.offset + 1, ..place };
    match need {
        Need::End(_) | Need::Section => {}
        Need::Alone(place) => {
            tell(place, Kind::Write);
            tell(beside(place), Kind::Read);
        }
        Need::Shared(place) => {
            tell(place, Kind::Read);
            tell(beside(place), Kind::Add);
        }
    }
}

impl Machine {
    /// Whether the events of a step told all that it touched. A step that faults
    /// stops before it tells what it looked at; and while a thread is in an
    /// atomic section, because of a choice or because it has to wait, which
    /// threads can move depends on it.
    pub fn is_told(&self, in_section: bool, after: &State, step: &Step) -> bool {
        let stopped = matches!(step.end, Some(End::Fault | End::Unsupported(_)));
        !stopped && !in_section && !self.has_section(after)
    }
}

/// What a step touched.
#[derive(Clone, Default, Debug)]
pub struct Footprint {
    /// The things, in the order in which they were touched.
    pub touched: Vec<Touched>,
    /// Whether it did more than access memory, take or give back mutexes and
    /// spin locks, and end its thread.
    pub special: bool,
}

impl Footprint {
    /// The memory that was touched: where, what each touch is to the locks of
    /// the place, and whether another thread may be able to reach it.
    pub fn memory(&self) -> impl Iterator<Item = (Place, Role, bool)> {
        self.touched.iter().flat_map(|touched| {
            let memory = match touched.thing {
                Thing::Memory { place, shared } => Some((place, shared)),
                _ => None,
            };
            let roles = touched.roles().iter();
            memory
                .into_iter()
                .flat_map(move |(place, shared)| roles.clone().map(move |role| (place, *role, shared)))
        })
    }
}

impl Observer for Footprint {
    fn event(&mut self, thread: ThreadId, _: ir::FuncId, _: ir::Pc, event: Event) {
        touches(thread, &event, |touched| {
            self.special |= touched.is_special();
            self.touched.push(touched);
        });
    }
}

#[cfg(test)]
mod tests {
    use ir::SyncOp;

    use super::*;

    const T: ThreadId = ThreadId(1);
    const AT: Place = Place { object: ObjectId::NONE, offset: 8, len: 1 };

    fn operation(op: SyncOp, result: u64, phase: Phase) -> Event {
        Event::Sync { op, object: Some(AT), peer: None, result, phase }
    }

    fn parts(op: SyncOp, result: u64, phase: Phase) -> Vec<(u64, u64, Kind)> {
        let mut parts = Vec::new();
        touches(T, &operation(op, result, phase), |touched| {
            touched.parts(|thing, kind| match thing {
                Thing::Memory { place, .. } => parts.push((place.offset, place.len, kind)),
                other => panic!("{other:?} is no memory"),
            });
        });
        parts
    }

    #[test]
    fn a_lock_that_is_tried_in_vain_is_only_read() {
        let lock = |op, result| parts(op, result, Phase::Whole);
        assert_eq!(lock(SyncOp::MutexLock, 0), [(8, 1, Kind::Write), (9, 19, Kind::Read)]);
        let refused = [(8, 1, Kind::Read), (9, 19, Kind::Read)];
        assert_eq!(lock(SyncOp::MutexTryLock, errno::EBUSY), refused);
        assert_eq!(lock(SyncOp::SpinTryLock, errno::EBUSY), [(8, 1, Kind::Read)]);
        assert_eq!(lock(SyncOp::SemWait, 0), [(8, 1, Kind::Write)]);
    }

    #[test]
    fn readers_commute_with_readers_and_with_no_writer() {
        let reader = parts(SyncOp::RwReadLock, 0, Phase::Whole);
        let writer = parts(SyncOp::RwWriteLock, 0, Phase::Whole);
        let commute = |a: &[(u64, u64, Kind)], b: &[(u64, u64, Kind)]| {
            a.iter().all(|a| b.iter().all(|b| a.0 != b.0 || a.2.commutes(b.2)))
        };
        assert!(commute(&reader, &reader));
        assert!(!commute(&reader, &writer) && !commute(&writer, &writer));
    }

    #[test]
    fn the_end_of_a_wait_takes_nothing_if_a_signal_ended_it() {
        let end = |op, signalled| parts(op, 0, Phase::End { signalled });
        assert_eq!(end(SyncOp::CondWait, true), []);
        assert_eq!(end(SyncOp::CondWait, false), [(8, 1, Kind::Write)]);
        assert_eq!(end(SyncOp::CondTimedWait, true), [(8, 1, Kind::Write)]);
    }

    #[test]
    fn locks_and_the_own_end_are_ordinary_and_all_else_is_special() {
        let special = |event| {
            let mut footprint = Footprint::default();
            footprint.event(T, ir::FuncId(0), 0, event);
            footprint.special
        };
        assert!(!special(operation(SyncOp::MutexLock, 0, Phase::Whole)));
        assert!(!special(Event::ThreadEnd));
        assert!(special(operation(SyncOp::MutexLock, errno::EOWNERDEAD, Phase::Whole)));
        assert!(special(operation(SyncOp::RwReadLock, 0, Phase::Whole)));
        let (object, result, phase) = (None, 0, Phase::Whole);
        let detach = Event::Sync { op: SyncOp::ThreadDetach, object, peer: Some(T), result, phase };
        assert!(special(detach) && special(Event::Also { object: AT }));
    }
}
