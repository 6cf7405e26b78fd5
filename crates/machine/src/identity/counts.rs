//! Which objects are public in large states, kept by counts.
//!
//! Every object knows how many pointers public objects have to it ([`Object::public`]). A
//! step changes the counts of objects that it sets pointers to, or that it takes pointers
//! away from. An object whose count was 0 becomes public with all that it leads to; one
//! whose count becomes 0 is public no more. A global variable is always public.
//!
//! An object from which a pointer was taken away is *in doubt* if pointers to it are left:
//! they may be those of objects that nothing leads to any more and that go round. Let an
//! object `u` be public before, and let no object in doubt lead to it. Then it is still
//! public: of a path that led to it, take what comes after the last pointer that was taken
//! away; where that pointer led is an object in doubt, or one whose count is 0, and that
//! leads nowhere that counts. So of all that objects in doubt lead to, those with
//! a pointer from elsewhere are public, and those that they lead to (trial deletion, after
//! Bacon and Rajan, *Concurrent cycle collection in reference counted systems*). A pointer
//! from a global variable leaves no doubt, nor does one from an object that it leads to and
//! that has become public just now. If the objects in doubt lead to too many, the whole
//! state is traversed.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::identity::base::Changes;
use crate::machine::Machine;
use crate::memory::object::Object;
use crate::state::State;
use crate::value::ObjectId;

/// So many pointers of global variables are looked at to see which objects are in doubt.
const LOOKED_AT: usize = 256;

/// If objects in doubt lead to more objects than this, the whole state is traversed.
const IN_DOUBT: usize = 64;

/// The objects that became public or are public no more.
#[derive(Default)]
pub(super) struct Turnover {
    /// In the order in which they were met.
    pub gained: SmallVec<[ObjectId; 4]>,
    pub lost: SmallVec<[ObjectId; 4]>,
}

/// Counts that are being changed.
struct Counting<'a> {
    machine: &'a Machine,
    state: &'a State,
    changes: &'a Changes,
    counts: FxHashMap<ObjectId, Count>,
    /// In the order in which they were met.
    met: SmallVec<[ObjectId; 8]>,
    /// The objects from which pointers were taken away.
    dropped: SmallVec<[ObjectId; 8]>,
}

#[derive(Clone, Copy)]
struct Count {
    pointers: u32,
    /// Whether its own pointers are counted.
    counted: bool,
}

impl Machine {
    /// Whether a state with so many slots has counts.
    pub(crate) fn has_counts(&self, slots: usize) -> bool {
        slots > self.config().few_objects
    }

    /// Brings the counts of a state up to date; none if that takes a traversal.
    pub(super) fn recount(&self, state: &mut State, changes: &Changes) -> Option<Turnover> {
        let is_possible = self.was_counted(changes) && state.memory.addresses.pinned.is_empty();
        let changed = changes.changed_public(state).filter(|_| is_possible)?;
        let mut counting = Counting::new(self, state, changes);
        // What was marked since then is marked anew.
        changes.objects.iter().for_each(|slot| counting.note_slot(*slot));
        for (old, new) in changed {
            counting.replace(old, new);
        }
        let gained = counting.gain();
        counting.lose();
        counting.settle_doubts(&gained)?;
        let Counting { counts, met, .. } = counting;
        let after = |id: &ObjectId| counts[id].pointers;
        let lost = met.iter().copied().filter(|id| changes.count(*id) > 0 && after(id) == 0).collect();
        let gained = gained.into_iter().filter(|id| after(id) > 0).collect();
        for id in met {
            let public = after(&id);
            let object = state.memory.get(id).expect("only objects are counted");
            let shared = object.shared || public > 0;
            if (object.shared, object.public) != (shared, public) {
                let object = state.memory.get_mut(id);
                (object.shared, object.public) = (shared, public);
            }
        }
        Some(Turnover { gained, lost })
    }
}

impl Machine {
    /// Checks the counts and the numbers of a large state: for tests. `afresh` is the
    /// same state with new numbers.
    pub(crate) fn check_counts(&self, state: &State, afresh: &State) {
        let slots = &state.memory.slots;
        let mut counts = vec![0; slots.len()];
        for object in slots.iter().filter(|object| object.is_public()) {
            object.pointers.iter().filter_map(|(_, id)| id.slot_index()).for_each(|slot| counts[slot] += 1);
        }
        for (slot, object) in slots.iter().enumerate().skip(1) {
            let anyway = slot <= self.global_slots || object.is_hole();
            let expected = if anyway { 1 } else { counts[slot] };
            let pinned = !state.memory.addresses.pinned.is_empty();
            assert!(object.public == expected || pinned, "pointers to {slot} are counted: {state:#?}");
            assert!(!object.is_hole() || counts[slot] == 0, "nothing leads to a hole");
        }
        let public = slots.iter().skip(1).take_while(|object| object.is_public()).count();
        let all = slots.iter().filter(|object| object.is_public()).count();
        assert_eq!(public, all, "public objects come first");
        let holes = (0..).zip(slots).filter(|(_, object)| object.is_hole()).map(|(slot, _)| slot);
        let known = state.base.iter().flat_map(|base| base.known.holes.iter().copied());
        assert!(holes.eq(known), "all holes are known");
        let form = |state: &State| {
            let objects = state.memory.slots.iter().filter(|object| !object.is_hole());
            let mut flags: Vec<_> = objects.map(|object| (object.shared, object.is_public())).collect();
            flags.sort_unstable();
            let mut form = Vec::new();
            self.canonical(state, &mut form);
            (flags, form)
        };
        assert!(form(state) == form(afresh), "a state keeps its future:\n{state:#?}\n{afresh:#?}");
    }
}

impl<'a> Counting<'a> {
    fn new(machine: &'a Machine, state: &'a State, changes: &'a Changes) -> Counting<'a> {
        let (counts, met, dropped) = (FxHashMap::default(), SmallVec::new(), SmallVec::new());
        Counting { machine, state, changes, counts, met, dropped }
    }

    /// The count of an object; none for a global variable, which is always public, and
    /// for what is no object of the state.
    fn count(&mut self, id: ObjectId) -> Option<&mut Count> {
        if self.machine.is_global(id) || self.state.memory.get(id).is_none() {
            return None;
        }
        Some(self.counts.entry(id).or_insert_with(|| {
            self.met.push(id);
            let pointers = self.changes.count(id);
            Count { pointers, counted: pointers > 0 }
        }))
    }

    fn note_slot(&mut self, slot: usize) {
        self.count(ObjectId::slot(slot, self.state.memory.slots[slot].generation));
    }

    /// Counts the pointers of a public object that has changed.
    fn replace(&mut self, old: &Object, new: &Object) {
        let targets =
            |object: &Object| object.pointers.iter().map(|(_, id)| *id).collect::<SmallVec<[_; 8]>>();
        let (old, new) = (targets(old), targets(new));
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let tails = old[same..].iter().rev().zip(new[same..].iter().rev());
        let same_tail = tails.take_while(|(a, b)| a == b).count();
        for id in &new[same..new.len() - same_tail] {
            self.count(*id).into_iter().for_each(|count| count.pointers += 1);
        }
        for id in &old[same..old.len() - same_tail] {
            self.take_away(*id);
        }
    }

    /// Takes a pointer to an object away.
    fn take_away(&mut self, id: ObjectId) -> Option<Count> {
        let count = self.count(id)?;
        count.pointers -= 1;
        let count = *count;
        self.dropped.push(id);
        Some(count)
    }

    /// Finds the objects that become public, in the order in which they are met.
    fn gain(&mut self) -> Vec<ObjectId> {
        let gains = |count: Count| count.pointers > 0 && !count.counted;
        let mut gained: Vec<ObjectId> =
            self.met.iter().copied().filter(|id| gains(self.counts[id])).collect();
        let mut at = 0;
        while let Some(id) = gained.get(at).copied() {
            at += 1;
            self.counts.get_mut(&id).expect("it has a count").counted = true;
            for target in self.targets(id) {
                let Some(count) = self.count(target) else { continue };
                count.pointers += 1;
                if count.pointers == 1 && !count.counted {
                    gained.push(target);
                }
            }
        }
        gained
    }

    /// Finds the objects that are public no more.
    fn lose(&mut self) {
        let loses = |count: Count| count.pointers == 0 && count.counted;
        let mut lost: Vec<ObjectId> = self.met.iter().copied().filter(|id| loses(self.counts[id])).collect();
        while let Some(id) = lost.pop() {
            self.counts.get_mut(&id).expect("it has a count").counted = false;
            for target in self.targets(id) {
                if self.take_away(target).is_some_and(loses) {
                    lost.push(target);
                }
            }
        }
    }

    /// Finds out which of the objects that seem to be public are not, because they go
    /// round. None if that takes a traversal of the whole state.
    fn settle_doubts(&mut self, gained: &[ObjectId]) -> Option<()> {
        let beyond_doubt = if self.dropped.is_empty() { <_>::default() } else { self.beyond_doubt(gained) };
        let is_in_doubt = |id: &ObjectId| self.counts[id].pointers > 0 && !beyond_doubt.contains(id);
        let mut region: Vec<ObjectId> = self.dropped.iter().copied().filter(is_in_doubt).collect();
        region.sort_unstable();
        region.dedup();
        let mut inside: FxHashMap<ObjectId, u32> = region.iter().map(|id| (*id, 0)).collect();
        let mut at = 0;
        while let Some(id) = region.get(at).copied() {
            at += 1;
            for target in self.targets(id) {
                if self.count(target).is_some() && !inside.contains_key(&target) {
                    region.push(target);
                }
                inside.entry(target).and_modify(|pointers| *pointers += 1).or_insert(1);
            }
            if region.len() > IN_DOUBT {
                return None;
            }
        }
        let has_others = |id: &ObjectId| self.counts[id].pointers > inside[id] || beyond_doubt.contains(id);
        let mut public: FxHashSet<ObjectId> = region.iter().copied().filter(has_others).collect();
        let mut due: Vec<ObjectId> = public.iter().copied().collect();
        while let Some(id) = due.pop() {
            let targets = self.targets(id).into_iter();
            let counted = targets.filter(|target| self.counts.contains_key(target));
            due.extend(counted.filter(|target| public.insert(*target)));
        }
        for id in region.into_iter().filter(|id| !public.contains(id)) {
            for target in self.targets(id) {
                self.take_away(target);
            }
        }
        Some(())
    }

    /// The objects to which a global variable leads, at once or by objects that have
    /// become public.
    fn beyond_doubt(&self, gained: &[ObjectId]) -> FxHashSet<ObjectId> {
        let slots = 1..=self.machine.global_slots;
        let pointers = slots.flat_map(|slot| &self.state.memory.slots[slot].pointers);
        let mut due: Vec<ObjectId> = pointers.map(|(_, target)| *target).take(LOOKED_AT).collect();
        let gained: FxHashSet<ObjectId> = gained.iter().copied().collect();
        let mut found = FxHashSet::default();
        while let Some(id) = due.pop() {
            if found.insert(id) && gained.contains(&id) {
                due.extend(self.targets(id));
            }
        }
        found
    }

    fn targets(&self, id: ObjectId) -> SmallVec<[ObjectId; 8]> {
        let object = self.state.memory.get(id);
        object.iter().flat_map(|object| &object.pointers).map(|(_, target)| *target).collect()
    }
}
