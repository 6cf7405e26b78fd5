//! Public objects of large states: which there are, kept by counts, and their numbers,
//! which do not shift.
//!
//! In small states every step that changes the pointers of public objects is followed
//! by a traversal of the whole state. Where there are more objects than
//! [`Config::few_objects`](crate::Config), that costs too much. There every public
//! object knows how many pointers public objects have to it ([`Object::public`]). A step
//! changes the counts of the objects that it sets pointers to, or that it takes pointers
//! away from. An object whose count was 0 becomes public with all that it leads to; one
//! whose count becomes 0 is public no more. A global variable is always public.
//!
//! A public object keeps its number as long as it is public. One that becomes public
//! gets the lowest number that is free, and one that is public no more leaves a *hole*
//! behind. The other objects come after the public ones, in the order in which the
//! traversal of the threads meets them, as in small states.
//!
//! # Why it is sound
//!
//! The future of a state depends neither on the numbers of its objects nor on holes. So
//! states with the same future may be told apart here, but states with different futures
//! are not taken for one. A traversal of the whole state finds no more public objects
//! than there are by the counts: by induction, each object on a path from a global
//! variable has a pointer from a public object. It may find fewer, where pointers of
//! objects that nothing leads to any more go round. These count as public, and so do the
//! objects they lead to. An object that is taken to be public costs steps that others
//! could not observe, and memory, but changes no verdict: what is lost when the process
//! ends is decided by a traversal ([`Machine::unfreed`]).
//!
//! The normal form of a state is a function of the normal form before the step and of
//! the step. So a search finds the same states whichever way it goes through them.
//!
//! As many states are reachable as before up to numbers and objects that go round: both
//! are bounded where the number of objects is. A traversal of the whole state gives all
//! objects new numbers and drops those that go round whenever half of the numbers are
//! those of holes, and when a new number is a power of two. It also does so now and then,
//! by lot: else a queue from which elements are taken while others are put in would be
//! told apart by all orders that the numbers of its elements can have. Its cost is shared
//! out evenly, since the lots are more where there are more objects.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use crate::identity::base::Changes;
use crate::machine::Machine;
use crate::memory::object::Object;
use crate::state::State;
use crate::value::ObjectId;

/// The objects that became public or are public no more.
#[derive(Default)]
pub(super) struct Turnover {
    /// In the order in which they were met.
    pub gained: SmallVec<[ObjectId; 4]>,
    pub lost: SmallVec<[ObjectId; 4]>,
}

/// The numbers of public objects after a step.
#[derive(Default)]
pub(super) struct Numbers {
    /// The new numbers of those that became public.
    pub moved: FxHashMap<ObjectId, usize>,
    /// The slots in between that no object has, ascending.
    pub holes: Vec<u32>,
    /// The slot after the last public object.
    pub end: usize,
}

/// Counts that are being changed.
struct Counting<'a> {
    machine: &'a Machine,
    state: &'a State,
    changes: &'a Changes,
    counts: FxHashMap<ObjectId, Count>,
    /// In the order in which they were met.
    met: SmallVec<[ObjectId; 8]>,
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
        let mut counting =
            Counting { machine: self, state, changes, counts: <_>::default(), met: <_>::default() };
        // What was marked since then is marked anew.
        changes.objects.iter().for_each(|slot| counting.note_slot(*slot));
        for (old, new) in changed {
            counting.replace(old, new);
        }
        let gained = counting.gain();
        counting.lose();
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
        let holes = (0..).zip(slots).filter(|(_, object)| object.is_hole()).map(|(slot, _)| slot).skip(1);
        let known = state.base.iter().flat_map(|base| base.known.holes.iter().copied());
        assert!(holes.eq(known), "all holes are known");
        // Clocks, times and losses may be those of objects that go round.
        if !self.track_races && !self.tells_addresses && !self.notes_lost {
            let form = |state: &State| {
                let mut form = Vec::new();
                self.canonical(state, &mut form);
                form
            };
            assert!(form(state) == form(afresh), "a state keeps its future:\n{state:#?}\n{afresh:#?}");
        }
    }
}

impl Counting<'_> {
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
            self.count(*id).into_iter().for_each(|count| count.pointers -= 1);
        }
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
                let Some(count) = self.count(target) else { continue };
                count.pointers -= 1;
                if loses(*count) {
                    lost.push(target);
                }
            }
        }
    }

    fn targets(&self, id: ObjectId) -> SmallVec<[ObjectId; 8]> {
        let object = self.state.memory.get(id).expect("only objects are counted");
        object.pointers.iter().map(|(_, target)| *target).collect()
    }
}

impl Machine {
    /// The numbers of public objects after a step; none if all objects get new ones.
    pub(super) fn numbers(&self, state: &State, changes: &Changes, turnover: &Turnover) -> Option<Numbers> {
        let first = changes.first_private();
        let lost = turnover.lost.iter().filter_map(|id| id.slot_index()).map(|slot| slot as u32);
        let mut holes: Vec<u32> = changes.known().holes.iter().copied().chain(lost).collect();
        holes.sort_unstable();
        let filled = turnover.gained.len().min(holes.len());
        let mut end = first + turnover.gained.len() - filled;
        let grows = (first..end).any(usize::is_power_of_two);
        let free = holes.drain(..filled).map(|slot| slot as usize).chain(first..end);
        let moved = turnover.gained.iter().copied().zip(free).collect();
        while holes.pop_if(|hole| *hole as usize + 1 == end).is_some() {
            end -= 1;
        }
        let is_due = grows || 2 * holes.len() > end || self.is_drawn(state, changes, turnover);
        (!is_due).then_some(Numbers { moved, holes, end })
    }

    /// Draws lots whether all objects get new numbers: in the long run as many get some as
    /// [`Config::renumbered`](crate::Config) says. The outcome depends on the state alone.
    fn is_drawn(&self, state: &State, changes: &Changes, turnover: &Turnover) -> bool {
        let mut hasher = FxHasher::default();
        for index in &changes.threads {
            let top = state.threads[*index].frames.last();
            (index, top.map(|frame| (frame.function, frame.pc))).hash(&mut hasher);
        }
        (&turnover.gained[..], &turnover.lost[..]).hash(&mut hasher);
        let lots = state.memory.slots.len() / self.config().renumbered;
        (hasher.finish() >> 20) % lots.max(1) as u64 == 0
    }
}
