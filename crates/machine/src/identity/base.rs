//! What changed in a state since it was last brought into normal form.
//!
//! A state keeps the lists that it had then. Lists share what they have in
//! common, so keeping them costs little, and the threads and objects that
//! changed since are found without looking at the others. Where no reference
//! changed, every object can be reached by the same threads and is met in the
//! same order as before: it keeps its number and its flags, and nothing is
//! dropped. References to public objects do not count unless public objects have
//! them ([`crate::identity::reach`]). Where public objects lead to the same objects as
//! before, they keep their numbers, and only the others are traversed.
//! What a thread or an object has to be rid of depends on that part
//! alone, so that only those that changed are looked at.

use smallvec::SmallVec;
use triomphe::Arc;

use crate::identity::normalise::ranks;
use crate::machine::Machine;
use crate::memory::Addresses;
use crate::memory::object::Object;
use crate::race::knowers::Knowers;
use crate::state::State;
use crate::state::list::List;
use crate::state::thread::Thread;
use crate::value::{Named, ObjectId};

/// A state as it was when it was last normal, or at least its flags were right.
#[derive(Debug)]
pub(crate) struct Base {
    pub known: Known,
    threads: List<Thread>,
    objects: List<Object>,
    addresses: Arc<Addresses>,
}

/// What was known of that state.
#[derive(Clone, Default, Debug)]
pub(crate) struct Known {
    /// Whether it was normal.
    pub is_normal: bool,
    /// The slots of objects that have clocks or synchronisation objects,
    /// ascending, where races are looked for.
    pub timed: Slots,
    /// Unless it was normal: the slots of the objects that can be reached and are not
    /// public. In a normal state they come after the public ones.
    private: Slots,
    /// Unless it was normal: whether objects knew how many pointers lead to them
    /// ([`crate::identity::counts`]).
    counted: bool,
    /// The slots among those of public objects that no object had, ascending.
    pub holes: Slots,
    /// Whose clocks knew of what, where that is followed.
    pub knowers: Option<Knowers>,
}

/// Slots of objects, ascending. An empty list takes no memory, as the standard
/// library makes it.
pub(crate) type Slots = std::sync::Arc<[u32]>;

/// Positions in a state's lists, ascending.
pub(crate) type Positions = SmallVec<[usize; 8]>;

/// What changed since a state was last normal.
pub(crate) struct Changes {
    base: Arc<Base>,
    pub threads: Positions,
    pub objects: Positions,
}

impl State {
    /// Notes that the state is normal as it is.
    pub(crate) fn set_base(&mut self, timed: Slots, holes: Slots, knowers: Option<Knowers>) {
        self.set(Known { is_normal: true, timed, holes, knowers, ..Known::default() });
    }

    /// Notes that it is known of every object whether it is shared. These are the slots
    /// of the objects that can be reached and are not public.
    pub(crate) fn set_sharing_known(&mut self, private: Slots, counted: bool) {
        if self.base.as_ref().is_none_or(|base| !base.known.is_normal) {
            self.set(Known { private, counted, ..Known::default() });
        }
    }

    fn set(&mut self, known: Known) {
        self.base = Some(Arc::new(Base {
            known,
            threads: self.threads.clone(),
            objects: self.memory.slots.clone(),
            addresses: Arc::clone(&self.memory.addresses),
        }));
    }

    /// What changed since the state was last normal; `None` if it never was, or
    /// if objects or threads went, or addresses changed.
    pub(crate) fn changes(&self) -> Option<Changes> {
        self.base.as_ref().filter(|base| base.known.is_normal)?;
        self.changes_of_any()
    }

    /// What changed since the state was last normal or its flags were right.
    pub(crate) fn changes_of_any(&self) -> Option<Changes> {
        let base = Arc::clone(self.base.as_ref()?);
        let same_shape = base.objects.len() <= self.memory.slots.len()
            && base.threads.len() <= self.threads.len()
            && Arc::ptr_eq(&base.addresses, &self.memory.addresses);
        if !same_shape {
            return None;
        }
        let (mut threads, mut objects) = (Positions::new(), Positions::new());
        base.threads.differences(&self.threads, |index| threads.push(index));
        base.objects.differences(&self.memory.slots, |slot| objects.push(slot));
        threads.extend(base.threads.len()..self.threads.len());
        objects.extend(base.objects.len()..self.memory.slots.len());
        Some(Changes { base, threads, objects })
    }
}

/// What became of the references of a state.
pub(crate) enum References {
    /// Every object has its number and its flags.
    Same,
    /// Public objects have them; others may have other ones.
    SamePublic,
    /// Nothing is known.
    Other,
}

impl Changes {
    /// Whether so little changed that looking at it once more costs little.
    pub fn are_few(&self) -> bool {
        !self.threads.spilled() && !self.objects.spilled()
    }

    /// What was known of the state when it was last normal.
    pub fn known(&self) -> &Known {
        &self.base.known
    }

    /// How many pointers public objects had to an object, where these are counted.
    pub fn count(&self, id: ObjectId) -> u32 {
        let Named::Slot { slot, generation } = id.named() else { return 0 };
        let old = self.base.objects.get(slot).filter(|object| object.generation == generation);
        old.map_or(0, |object| object.public)
    }

    /// Objects that were public and have changed since, as they were and as they are.
    /// None if there is one whose slot has got another object.
    pub fn changed_public<'a>(&'a self, state: &'a State) -> Option<Vec<(&'a Object, &'a Object)>> {
        let old = |slot: usize| self.base.objects.get(slot).filter(|object| object.is_public());
        let both = |slot: &usize| Some((&**old(*slot)?, &*state.memory.slots[*slot]));
        let changed: Vec<_> = self.objects.iter().filter_map(both).collect();
        changed.iter().all(|(old, new)| old.generation == new.generation).then_some(changed)
    }

    /// The slot after those of the public objects of a normal state.
    pub fn first_private(&self) -> usize {
        let objects = &self.base.objects;
        let (mut low, mut high) = (1, objects.len());
        while low < high {
            let middle = (low + high) / 2;
            match objects[middle].is_public() {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }

    /// The slots of the objects that are not public and could or can be reached.
    pub fn private_slots(&self, state: &State) -> Slots {
        let normal =
            if self.base.known.is_normal { self.first_private()..self.base.objects.len() } else { 0..0 };
        let before = normal.map(|slot| slot as u32).chain(self.base.known.private.iter().copied());
        let is_new = |slot: &usize| {
            let old = self.base.objects.get(*slot);
            let same = |old: &Arc<Object>| old.generation == state.memory.slots[*slot].generation;
            !state.memory.slots[*slot].is_public() && !old.is_some_and(same)
        };
        before.chain(self.objects.iter().copied().filter(is_new).map(|slot| slot as u32)).collect()
    }

    /// The slots of objects that may have clocks or synchronisation objects.
    pub fn timed(&self, state: &State) -> Slots {
        let is_timed = |slot: u32| has_times(&state.memory.slots[slot as usize]);
        let known = |slot: u32| self.base.known.timed.binary_search(&slot).is_ok();
        let changed = || self.objects.iter().map(|slot| *slot as u32);
        if changed().all(|slot| known(slot) == is_timed(slot)) {
            return Slots::clone(&self.base.known.timed);
        }
        self.timed_among(state, &self.objects)
    }

    /// The same where some objects may have changed or got other numbers.
    pub fn timed_among(&self, state: &State, changed: &[usize]) -> Slots {
        let changed = changed.iter().map(|slot| *slot as u32);
        let mut slots: Vec<u32> = self.base.known.timed.iter().copied().chain(changed).collect();
        slots.retain(|slot| state.memory.slots.get(*slot as usize).is_some_and(|object| has_times(object)));
        slots.sort_unstable();
        slots.dedup();
        slots.into()
    }
}

/// The same of any state.
pub(crate) fn timed(state: &State) -> Slots {
    let slots = state.memory.slots.iter().enumerate().filter(|(_, object)| has_times(object));
    slots.map(|(slot, _)| slot as u32).collect()
}

/// The slots that no object has, of any normal state.
pub(crate) fn holes(state: &State) -> Slots {
    let slots = state.memory.slots.iter().enumerate().skip(1).filter(|(_, object)| object.is_hole());
    slots.map(|(slot, _)| slot as u32).collect()
}

/// Whether an object has clocks or synchronisation objects.
pub(crate) fn has_times(object: &Object) -> bool {
    !object.shadow.is_empty() || !object.sync.is_empty()
}

impl Machine {
    /// Whether objects knew how many pointers lead to them before the changes.
    pub(crate) fn was_counted(&self, changes: &Changes) -> bool {
        let Base { known, objects, .. } = &*changes.base;
        if known.is_normal { self.has_counts(objects.len()) } else { known.counted }
    }

    /// Whether threads and objects lead to the same objects, in the same order,
    /// as when the state was last normal. Threads that changed are rid of what
    /// they never read again.
    pub(crate) fn references(&self, state: &State, changes: &Changes) -> References {
        let Changes { base, threads, objects } = changes;
        let is_public = |id: ObjectId| match id.named() {
            Named::Slot { slot, generation } => base
                .objects
                .get(slot)
                .is_some_and(|object| object.is_public() && object.generation == generation),
            _ => true,
        };
        let was_public = |slot: &usize| base.objects.get(*slot).is_some_and(|object| object.is_public());
        // An object in a slot that was used before counts as another one.
        let keeps = |slot: usize, anyway: &dyn Fn(ObjectId) -> bool| {
            let new = &state.memory.slots[slot];
            let same =
                |old: &Arc<Object>| old.identity() == new.identity() && self.same_pointers(old, new, anyway);
            base.objects.get(slot).is_some_and(same)
        };
        if !objects.iter().filter(|slot| was_public(slot)).all(|slot| keeps(*slot, &|_| false)) {
            return References::Other;
        }
        let keeps_thread = |index: &usize| match base.threads.get(*index) {
            Some(old) => self.same_references(old, &state.threads[*index], is_public),
            None => self.same_references(&Thread::new(None), &state.threads[*index], is_public),
        };
        let mut private = objects.iter().filter(|slot| !was_public(slot));
        let same = private.all(|slot| keeps(*slot, &is_public)) && threads.iter().all(keeps_thread);
        if same { References::Same } else { References::SamePublic }
    }

    /// Whether no block of the address space changed either. Slots and stacks
    /// are the same where references are.
    pub(crate) fn keeps_blocks(&self, state: &State, changes: &Changes) -> bool {
        let same = |slot: &usize| changes.base.objects[*slot].block == state.memory.slots[*slot].block;
        changes.objects.iter().all(same)
    }

    /// Checks that a state which was made normal step by step is as if it had
    /// been made normal at once: for tests.
    pub fn check_normal(&self, state: &State) {
        let mut afresh = State { base: None, ..state.clone() };
        self.normalise(&mut afresh);
        if self.has_counts(state.memory.slots.len()) {
            self.check_counts(state, &afresh);
        } else {
            let same = state.parts().eq(afresh.parts());
            assert!(same, "a state that was kept normal is normal:\n{state:#?}\nand not\n{afresh:#?}");
        }
        if let Some(base) = state.base.as_ref().filter(|base| self.track_races && base.known.is_normal) {
            assert_eq!(base.known.timed, timed(state), "all objects with clocks are known");
            let ranks = ranks(state, &base.known.timed, None);
            let are_right = |knowers: &Knowers| knowers.are_of(state, &ranks);
            assert!(base.known.knowers.as_ref().is_none_or(are_right), "whose clocks know of what is known");
        }
        let slot = |id: ObjectId| id.slot_index().is_none_or(|slot| slot < state.memory.slots.len());
        state.threads.iter().for_each(|t| crate::state::thread::references(t, |id| assert!(slot(id))));
    }
}
