//! What changed in a state since it was last brought into normal form.
//!
//! A state keeps the lists that it had then. Lists share what they have in
//! common, so keeping them costs little, and the threads and objects that
//! changed since are found without looking at the others. Where no reference
//! changed, every object can be reached by the same threads and is met in the
//! same order as before: it keeps its number and its flag, and nothing is
//! dropped. What a thread or an object has to be rid of depends on that part
//! alone, so that only those that changed are looked at.

use smallvec::SmallVec;
use triomphe::Arc;

use crate::machine::Machine;
use crate::memory::Addresses;
use crate::memory::object::Object;
use crate::state::State;
use crate::state::list::List;
use crate::state::thread::Thread;
use crate::value::ObjectId;

/// A state as it was when it was last normal, or at least its flags were right.
#[derive(Debug)]
pub(crate) struct Base {
    /// Whether it was normal.
    pub is_normal: bool,
    threads: List<Thread>,
    objects: List<Object>,
    addresses: Arc<Addresses>,
    /// The slots of objects that have clocks or synchronisation objects,
    /// ascending, where races are looked for.
    pub timed: Slots,
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
    pub(crate) fn set_base(&mut self, timed: Slots) {
        self.set(true, timed);
    }

    /// Notes that it is known of every object whether it is shared.
    pub(crate) fn set_sharing_known(&mut self) {
        if self.base.as_ref().is_none_or(|base| !base.is_normal) {
            self.set(false, Slots::default());
        }
    }

    fn set(&mut self, is_normal: bool, timed: Slots) {
        self.base = Some(Arc::new(Base {
            is_normal,
            threads: self.threads.clone(),
            objects: self.memory.slots.clone(),
            addresses: Arc::clone(&self.memory.addresses),
            timed,
        }));
    }

    /// What changed since the state was last normal; `None` if it never was, or
    /// if objects came or threads went.
    pub(crate) fn changes(&self) -> Option<Changes> {
        self.base.as_ref().filter(|base| base.is_normal)?;
        self.changes_of_any()
    }

    /// What changed since the state was last normal or its flags were right.
    pub(crate) fn changes_of_any(&self) -> Option<Changes> {
        let base = Arc::clone(self.base.as_ref()?);
        let same_shape = base.objects.len() == self.memory.slots.len()
            && base.threads.len() <= self.threads.len()
            && Arc::ptr_eq(&base.addresses, &self.memory.addresses);
        if !same_shape {
            return None;
        }
        let (mut threads, mut objects) = (Positions::new(), Positions::new());
        base.threads.differences(&self.threads, |index| threads.push(index));
        base.objects.differences(&self.memory.slots, |slot| objects.push(slot));
        threads.extend(base.threads.len()..self.threads.len());
        Some(Changes { base, threads, objects })
    }
}

impl Changes {
    /// The slots of objects that may have clocks or synchronisation objects.
    pub fn timed(&self, state: &State) -> Slots {
        let is_timed = |slot: u32| has_times(&state.memory.slots[slot as usize]);
        let known = |slot: u32| self.base.timed.binary_search(&slot).is_ok();
        let changed = || self.objects.iter().map(|slot| *slot as u32);
        if changed().all(|slot| known(slot) == is_timed(slot)) {
            return Slots::clone(&self.base.timed);
        }
        let mut slots: Vec<u32> = self.base.timed.iter().copied().chain(changed()).collect();
        slots.retain(|slot| is_timed(*slot));
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

/// Whether an object has clocks or synchronisation objects.
pub(crate) fn has_times(object: &Object) -> bool {
    !object.shadow.is_empty() || !object.sync.is_empty()
}

impl Machine {
    /// Whether threads and objects lead to the same objects, in the same order,
    /// as when the state was last normal. Threads that changed are rid of what
    /// they never read again.
    pub(crate) fn keeps_references(&self, state: &State, changes: &Changes) -> bool {
        let Changes { base, threads, objects } = changes;
        let keeps_object = |slot: &usize| {
            let (old, new) = (&base.objects[*slot], &state.memory.slots[*slot]);
            // An object in a slot that was used before counts as another one.
            (old.generation, old.shared) == (new.generation, new.shared) && self.same_pointers(old, new)
        };
        let keeps_thread = |index: &usize| match base.threads.get(*index) {
            Some(old) => self.same_references(old, &state.threads[*index], &[]),
            None => self.same_references(&Thread::new(None), &state.threads[*index], &[]),
        };
        objects.iter().all(keeps_object) && threads.iter().all(keeps_thread)
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
        let same = state.parts().eq(afresh.parts());
        assert!(same, "a state that was kept normal is normal:\n{state:#?}\nand not\n{afresh:#?}");
        if let Some(base) = state.base.as_ref().filter(|base| self.track_races && base.is_normal) {
            assert_eq!(base.timed, timed(state), "all objects with clocks are known");
        }
        let slot = |id: ObjectId| id.slot_index().is_none_or(|slot| slot < state.memory.slots.len());
        state.threads.iter().for_each(|t| crate::state::thread::references(t, |id| assert!(slot(id))));
    }
}
