//! Which events of a section depend on each other, so that it must order them.
//!
//! Section 4 of Metzler, Suri and Weissenbacher: the order of a section is the smallest partial
//! order in which dependent events stay in the order of the proof. Every other order of its
//! events is reached by swapping neighbours that commute, so that threads read the same values
//! and come to the same places.
//!
//! An event is what its thread does natively from the beginning of its first instruction to the
//! end of its last one. What the thread does after it, up to its next event, follows the event at
//! a time that nothing orders. In the proof no other thread can reach the memory that is touched
//! then. So it matters only to events that come *before* in the proof, when others could still
//! reach it; a thread that can reach it later was given it by a later event of the thread, and the
//! events by which it was given depend on each other.
//!
//! What is not an access to memory or an operation on a lock (threads that are made or joined,
//! conditions, barriers, the heap, the process) is taken to depend on everything. That a thread
//! ends matters only to those who join it or make another one, and these do.

use std::collections::{BTreeMap, BTreeSet};

use machine::{
    Action, Home, How, Kind, MUTEX_BYTES, Machine, Operation, Patience, Subject, Thing, Touched, Went,
};

use crate::redundant::Touching;

/// An object, as far as it can be told from others in all states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Object {
    Global(usize),
    /// One of the heap or of a stack, by its size.
    Sized(u64),
    /// One of these of which not even that is known.
    Unknown,
}

impl Object {
    fn may_be(self, other: Object) -> bool {
        match (self, other) {
            (Object::Global(_), Object::Unknown | Object::Sized(_)) => false,
            (Object::Unknown | Object::Sized(_), Object::Global(_)) => false,
            (Object::Unknown, _) | (_, Object::Unknown) => true,
            _ => self == other,
        }
    }
}

/// Bytes that are touched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Part {
    object: Object,
    from: u64,
    to: u64,
    writes: bool,
    /// Whether another thread may be able to reach them.
    shared: bool,
}

impl Part {
    /// Whether two parts may be the same bytes, and one of them is written.
    fn conflicts(&self, other: &Part) -> bool {
        let overlap = self.from < other.to && other.from < self.to;
        overlap && (self.writes || other.writes) && self.object.may_be(other.object)
    }
}

/// All that a piece of an execution touches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    parts: BTreeSet<Part>,
    /// Whether it does something on which everything may depend.
    is_special: bool,
}

impl Extent {
    fn note(&mut self, machine: &Machine, step: &Touching<'_>, touched: &Touched) {
        let (Thing::Memory { place, shared }, Some(writes)) = (touched.thing, access(touched)) else {
            self.is_special |= touched.thing != Thing::Sections && !is_end(touched);
            return;
        };
        let object = match (machine.home(step.state, place.object), place.object.slot_index()) {
            (Some(Home::Global(_)), Some(slot)) => Object::Global(slot),
            // An object whose size is not known has no bytes.
            (Some(Home::Size(size)), _) if size > 0 => Object::Sized(size),
            (None, None) if !writes => return,
            _ => Object::Unknown,
        };
        let (from, to) = match object {
            Object::Unknown => (0, u64::MAX),
            _ => (place.offset, place.offset.saturating_add(length(touched, place.len))),
        };
        self.parts.insert(Part { object, from, to, writes, shared });
    }

    fn add(&mut self, other: &Extent) {
        self.parts.extend(&other.parts);
        self.is_special |= other.is_special;
    }

    /// Whether an event depends on this one, which comes before it: `other` has all that the
    /// later one's thread does up to its next event.
    fn precedes(&self, other: &Extent) -> bool {
        let mut shared = self.parts.iter().filter(|part| part.shared);
        self.is_special
            || other.is_special
            || shared.any(|part| other.parts.iter().any(|other| part.conflicts(other)))
    }
}

/// Whether a thread ends.
fn is_end(touched: &Touched) -> bool {
    let adds = touched.how == How::Access { kind: Kind::Add, atomic: false };
    matches!(touched.thing, Thing::Life(_)) && touched.how == How::End
        || touched.thing == Thing::Starts && adds
}

/// Whether something writes, if it is an access or an operation on a lock that depends on nothing
/// else.
fn access(touched: &Touched) -> Option<bool> {
    match touched.how {
        How::Access { kind, .. } => Some(kind != Kind::Read),
        How::Operation(Operation { subject, action }, Went::Done | Went::Failed) => {
            let waits = |patience| matches!(patience, Patience::Waits | Patience::Tries);
            let is_lock = matches!(subject, Subject::Mutex | Subject::Spin);
            let fits = match action {
                Action::Take { patience, .. } => waits(patience),
                action => action == Action::Give,
            };
            (is_lock && fits).then_some(true)
        }
        _ => None,
    }
}

/// How many bytes are touched. Those of a lock are all of it.
fn length(touched: &Touched, len: u64) -> u64 {
    if matches!(touched.how, How::Access { .. }) { len } else { len.max(MUTEX_BYTES) }
}

/// What events touch, and what threads touch after them. Events are named by `E`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extents<E> {
    during: BTreeMap<E, Extent>,
    after: BTreeMap<E, Extent>,
}

impl<E> Default for Extents<E> {
    fn default() -> Extents<E> {
        Extents { during: BTreeMap::new(), after: BTreeMap::new() }
    }
}

impl<E: Ord + Copy> Extents<E> {
    /// Notes a step, which is part of an event or comes after it.
    pub fn note(&mut self, machine: &Machine, step: &Touching<'_>, event: E) {
        let all = if step.after.is_some() { &mut self.after } else { &mut self.during };
        let extent = all.entry(event).or_default();
        step.touched.iter().for_each(|touched| extent.note(machine, step, touched));
    }

    /// Notes that after an event a thread waits at an instruction that is no event. Natively it
    /// would not wait if it came there before others took what it waits for.
    pub fn hold(&mut self, event: E) {
        self.after.entry(event).or_default().is_special = true;
    }

    /// Which of some events depend on which earlier ones. Each is a run of single ones, which
    /// are named.
    pub fn dependences<'e>(&self, events: impl Iterator<Item = &'e [E]>) -> Dependences
    where
        E: 'e,
    {
        Dependences { reaches: events.map(|run| self.reach(run)).collect() }
    }

    fn reach(&self, run: &[E]) -> Reach {
        let mut reach = Reach::default();
        for (index, event) in run.iter().enumerate() {
            let ends = index + 1 == run.len();
            let [during, after] = [&self.during, &self.after].map(|all| all.get(event));
            during.into_iter().for_each(|extent| reach.event.add(extent));
            let last = if ends { &mut reach.rest } else { &mut reach.event };
            after.into_iter().for_each(|extent| last.add(extent));
        }
        let event = reach.event.clone();
        reach.rest.add(&event);
        reach
    }
}

/// What an event touches.
#[derive(Default)]
struct Reach {
    /// Up to its end.
    event: Extent,
    /// Up to the next event.
    rest: Extent,
}

/// Which events of a section depend on each other.
pub struct Dependences {
    reaches: Vec<Reach>,
}

impl Dependences {
    /// Whether an event depends on an earlier one of another thread.
    pub fn has(&self, earlier: usize, later: usize) -> bool {
        self.reaches[earlier].event.precedes(&self.reaches[later].rest)
    }
}
