//! Which objects can be reached, by which threads, and in which order a fixed
//! traversal meets them.
//!
//! The traversal begins with the *public* objects: those that global variables lead
//! to, and objects whose address is a number. It goes on with one thread after the
//! other. Meeting a public object again changes nothing, neither its number nor that
//! all threads can reach it, and a public object leads to public ones only. So where
//! the public objects are known and keep their numbers, a traversal of the others is
//! enough: from the threads on, as if the public objects had been met already.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use triomphe::Arc;

use crate::machine::Machine;
use crate::memory::object::{Life, Object, Origin};
use crate::state::State;
use crate::state::list::List;
use crate::state::thread::{Status, Thread, references};
use crate::telling::fault::ThreadId;
use crate::value::{Named, ObjectId};

/// Which threads can reach an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Thread(ThreadId),
    All,
}

/// The objects that a traversal has met, in order, with the threads that reach them.
pub(super) struct Reach {
    met: Met,
    order: SmallVec<[(ObjectId, Owner); 32]>,
    /// Whether public objects counted as met from the beginning.
    keeps_public: bool,
    /// The slot that the first object that was met gets.
    first: usize,
    /// How many of those that were met are public.
    public: usize,
    /// How many pointers public objects have to each of them, where these are counted.
    counts: Vec<u32>,
    /// The new numbers of objects that have become public.
    moved: FxHashMap<ObjectId, usize>,
    /// Whether an object turned out to be within reach of all threads after its
    /// pointers were followed.
    spreads: bool,
}

/// Positions in the order of meeting, by slot. It lives on the stack, for one traversal.
#[allow(clippy::large_enum_variant)]
enum Met {
    /// In a list of all slots.
    All(SmallVec<[Option<u32>; 32]>),
    /// Where few of many are expected.
    Some(FxHashMap<u32, u32>),
}

/// Up to so many slots there is a list of all.
const FEW_SLOTS: usize = 256;

impl Machine {
    /// Meets all that can be reached.
    pub(super) fn reach(&self, state: &State) -> Reach {
        let slots = state.memory.slots.len();
        let mut reach = Reach::new(Met::All(smallvec![None; slots]), None);
        for id in &self.globals {
            reach.meet(*id, Owner::All);
        }
        for (_, id) in &state.memory.addresses.pinned {
            reach.meet(*id, Owner::All);
        }
        let roots = reach.order.len();
        reach.follow(state, 0);
        reach.public = reach.order.len();
        reach.follow_threads(state);
        if self.has_counts(reach.slots()) {
            reach.count(state, roots);
        }
        reach
    }

    /// Meets what can be reached besides the public objects, which are marked. The
    /// first of them gets the number `first`.
    pub(super) fn reach_private(&self, state: &State, first: usize) -> Reach {
        let slots = state.memory.slots.len();
        let met = if slots <= FEW_SLOTS {
            Met::All(smallvec![None; slots])
        } else {
            Met::Some(FxHashMap::default())
        };
        let mut reach = Reach::new(met, Some(first));
        reach.follow_threads(state);
        reach
    }
}

impl Reach {
    fn new(met: Met, after_public: Option<usize>) -> Reach {
        let (keeps_public, first) = (after_public.is_some(), after_public.unwrap_or(1));
        Reach {
            met,
            order: SmallVec::new(),
            keeps_public,
            first,
            public: 0,
            spreads: false,
            counts: Vec::new(),
            moved: FxHashMap::default(),
        }
    }

    fn at_slot(&self, slot: usize) -> Option<u32> {
        match &self.met {
            Met::All(positions) => positions[slot],
            Met::Some(positions) => positions.get(&(slot as u32)).copied(),
        }
    }

    fn position(&self, id: ObjectId) -> Option<u32> {
        self.at_slot(id.slot_index()?).filter(|at| self.order[*at as usize].0 == id)
    }

    /// Whether all threads reach an object, and whether it is public. Neither, if it
    /// was not met.
    pub fn flags(&self, id: ObjectId) -> (bool, u32) {
        self.position(id).map_or((false, 0), |at| {
            let (_, shared, public) = self.identity(at as usize);
            (shared, public)
        })
    }

    /// How many slots the normal form has.
    pub fn slots(&self) -> usize {
        self.first + self.order.len()
    }

    /// The slots that objects have got that have become public.
    pub fn moved_slots(&self) -> impl Iterator<Item = usize> + '_ {
        self.moved.values().copied()
    }

    /// Lets objects that have become public have other numbers.
    pub fn with_moved(self, moved: FxHashMap<ObjectId, usize>) -> Reach {
        Reach { moved, ..self }
    }

    /// Counts the pointers of public objects. The first objects are public anyway.
    fn count(&mut self, state: &State, roots: usize) {
        let mut counts = vec![0; self.public];
        for (id, _) in &self.order[..self.public] {
            let pointers = state.memory.get(*id).into_iter().flat_map(|object| &object.pointers);
            for at in pointers.filter_map(|(_, target)| self.position(*target)) {
                counts[at as usize] += 1;
            }
        }
        counts[..roots].fill(1);
        self.counts = counts;
    }

    /// The slots of the objects that were met and are not public.
    pub fn private_slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.order[self.public..].iter().filter_map(|(id, _)| id.slot_index().map(|slot| slot as u32))
    }

    /// An object's number in the normal form; none if it was not reached.
    fn number(&self, state: &State, id: ObjectId) -> ObjectId {
        match id.named() {
            Named::Slot { .. } if self.is_known(state, id) => {
                self.moved.get(&id).map_or(id, |slot| ObjectId::slot(*slot, 0))
            }
            Named::Slot { .. } => {
                self.position(id).map_or(ObjectId::NONE, |at| ObjectId::slot(self.first + at as usize, 0))
            }
            _ => id,
        }
    }

    /// Whether an object counts as met from the beginning.
    fn is_known(&self, state: &State, id: ObjectId) -> bool {
        self.keeps_public && state.memory.get(id).is_some_and(|object| object.is_public())
    }

    fn visit(&mut self, state: &State, id: ObjectId, owner: Owner) {
        if !self.is_known(state, id) {
            self.meet(id, owner);
        }
    }

    /// Meets an object for the first time or again.
    fn meet(&mut self, id: ObjectId, owner: Owner) {
        let Named::Slot { slot, .. } = id.named() else { return };
        let next = self.order.len() as u32;
        match self.at_slot(slot) {
            Some(at) => self.meet_again(at, owner),
            None => {
                match &mut self.met {
                    Met::All(positions) => positions[slot] = Some(next),
                    Met::Some(positions) => drop(positions.insert(slot as u32, next)),
                }
                self.order.push((id, owner));
            }
        }
    }

    fn meet_again(&mut self, at: u32, owner: Owner) {
        let known = &mut self.order[at as usize].1;
        if *known != owner && *known != Owner::All {
            *known = Owner::All;
            self.spreads = true;
        }
    }

    /// Goes on with what threads refer to.
    fn follow_threads(&mut self, state: &State) {
        for (index, thread) in state.threads.iter().enumerate() {
            let owner = match thread.status {
                Status::Ended => Owner::All,
                _ => Owner::Thread(ThreadId(index as u32)),
            };
            let first = self.order.len();
            references(thread, |id| self.visit(state, id, owner));
            self.follow(state, first);
        }
        // A frame's objects end with it, whether or not its thread still has a
        // pointer to them.
        for (index, thread) in state.threads.iter().enumerate() {
            let owner = Owner::Thread(ThreadId(index as u32));
            for (id, _) in thread.frames.iter().flat_map(|frame| &frame.objects) {
                if let Some(at) = self.position(*id) {
                    self.meet_again(at, owner);
                }
            }
            // Others reach what a store points to once it is committed.
            for store in thread.own.buffer.stores() {
                self.visit(state, store.value.0.object, Owner::All);
                self.visit(state, store.value.1.object, Owner::All);
            }
        }
        self.follow(state, self.order.len());
    }

    /// Follows the pointers of what was met from position `first` on. Where all
    /// threads can reach an object, they can reach all that it leads to.
    fn follow(&mut self, state: &State, first: usize) {
        let mut at = first;
        while at < self.order.len() {
            let (id, owner) = self.order[at];
            self.visit_targets(state, id, owner);
            at += 1;
        }
        while std::mem::take(&mut self.spreads) {
            // Public objects lead to public ones.
            for at in self.public..self.order.len() {
                let (id, owner) = self.order[at];
                if owner == Owner::All {
                    self.visit_targets(state, id, owner);
                }
            }
        }
    }

    fn visit_targets(&mut self, state: &State, id: ObjectId, owner: Owner) {
        if let Some(object) = state.memory.get(id) {
            object.pointers.iter().for_each(|(_, target)| self.visit(state, *target, owner));
        }
    }
}

impl Reach {
    /// Remembers the heap objects that are about to be dropped.
    pub fn note_lost(&self, state: &mut State) {
        self.note_lost_among(state, self.first..state.memory.slots.len());
    }

    /// The same of those in some slots.
    pub fn note_lost_among(&self, state: &mut State, slots: impl Iterator<Item = usize>) {
        for slot in slots {
            let object = &state.memory.slots[slot];
            let id = ObjectId::slot(slot, object.generation);
            let live = object.life == Life::Alive && matches!(object.origin, Origin::Heap(..));
            if live && self.position(id).is_none() && !self.is_known(state, id) {
                let note = (object.origin.site(), object.size());
                state.rest_mut().lost.push(note);
            }
        }
    }

    /// Puts the objects that were met into the order of meeting.
    pub fn renumber(&self, state: &mut State) {
        let objects = self.order.iter().enumerate().map(|(at, (id, _))| self.object(state, at, *id));
        let objects: Vec<Arc<Object>> = objects.collect();
        let before = state.clone();
        self.renumber_references(state, &before);
        match self.keeps_public {
            true => put(&mut state.memory.slots, self.first, objects),
            false => {
                state.memory.slots = before.memory.slots.iter().take(1).cloned().chain(objects).collect()
            }
        }
    }

    /// Gives objects the numbers of the normal form where others than objects refer to
    /// them.
    fn renumber_references(&self, state: &mut State, before: &State) {
        let number = |id| self.number(before, id);
        for (index, thread) in before.threads.iter().enumerate() {
            if thread.refers_to(|id| number(id) != id) {
                Thread::renumber(&mut state.threads[index], number);
            }
        }
        state.memory.forget_free();
        state.memory.renumber_pinned(number);
        if !state.rest.apart.is_empty() {
            renumber_apart(&mut state.rest_mut().apart, number);
        }
    }

    /// The same where some objects have become public and some are public no more:
    /// `changed` are the slots of public objects whose pointers may have changed, `holes`
    /// those that no object has any more.
    pub fn renumber_public(&self, state: &mut State, changed: &[usize], holes: &[u32]) {
        let objects = self.order.iter().enumerate().map(|(at, (id, _))| self.object(state, at, *id));
        let objects: Vec<Arc<Object>> = objects.collect();
        let before = state.clone();
        let renumbered = |object: &Arc<Object>| {
            let same = |(_, id): &(u32, ObjectId)| self.number(&before, *id) == *id;
            if object.generation == 0 && object.pointers.iter().all(same) {
                return Arc::clone(object);
            }
            let mut object = Object::clone(object);
            object.generation = 0;
            object.pointers.iter_mut().for_each(|(_, target)| *target = self.number(&before, *target));
            Arc::new(object)
        };
        let mut public: Vec<(usize, Arc<Object>)> =
            changed.iter().map(|slot| (*slot, renumbered(&before.memory.slots[*slot]))).collect();
        let moved = self.moved.iter().filter_map(|(id, new)| Some((id.slot_index()?, *new)));
        public.extend(moved.map(|(old, new)| (new, renumbered(&before.memory.slots[old]))));
        public.extend(holes.iter().map(|slot| (*slot as usize, Arc::new(Object::hole()))));
        public.sort_unstable_by_key(|(slot, _)| *slot);
        self.renumber_references(state, &before);
        public.into_iter().for_each(|(slot, object)| state.memory.slots.put(slot, object));
        put(&mut state.memory.slots, self.first, objects);
    }

    /// Whether every object has its number and its flags already.
    pub fn is_normal(&self, state: &State) -> bool {
        let slots = &state.memory.slots;
        let is_normal = |(at, (id, _)): (usize, &(ObjectId, Owner))| {
            let slot = self.first + at;
            *id == ObjectId::slot(slot, 0) && slots[slot].identity() == self.identity(at)
        };
        self.first + self.order.len() == slots.len() && self.order.iter().enumerate().all(is_normal)
    }

    /// What [`Object::identity`] is of an object in the normal form.
    fn identity(&self, at: usize) -> (u16, bool, u32) {
        let public = u32::from(at < self.public);
        (0, self.order[at].1 == Owner::All, self.counts.get(at).copied().unwrap_or(public))
    }

    fn object(&self, state: &State, at: usize, id: ObjectId) -> Arc<Object> {
        let Named::Slot { slot, .. } = id.named() else { unreachable!("only objects in slots are numbered") };
        let old = &state.memory.slots[slot];
        let same = old.identity() == self.identity(at);
        if same && old.pointers.iter().all(|(_, target)| self.number(state, *target) == *target) {
            return Arc::clone(old);
        }
        let mut object = Object::clone(old);
        object.set_identity(self.identity(at));
        object.pointers.iter_mut().for_each(|(_, target)| *target = self.number(state, *target));
        Arc::new(object)
    }
}

/// Replaces all items from a position on; those that stay the same are not touched.
fn put(slots: &mut List<Object>, first: usize, objects: Vec<Arc<Object>>) {
    slots.truncate(first + objects.len());
    for (index, object) in (first..).zip(objects) {
        if slots.get(index).is_none_or(|old| !Arc::ptr_eq(old, &object)) {
            slots.put(index, object);
        }
    }
}

/// Objects that are no more are apart from nothing.
fn renumber_apart(apart: &mut Vec<(ObjectId, ObjectId)>, number: impl Fn(ObjectId) -> ObjectId) {
    for (a, b) in apart.iter_mut() {
        let (first, second) = (number(*a), number(*b));
        (*a, *b) = (first.min(second), first.max(second));
    }
    apart.retain(|(first, _)| *first != ObjectId::NONE);
    apart.sort_unstable();
}
