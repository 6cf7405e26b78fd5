//! Local steps: those that change nothing but their thread and the parts they
//! depend on, and leave every reference to other objects as it was.
//!
//! What a local step does from one normal state it does from every normal
//! state that agrees with it in the moving thread, in the parts it depends on
//! and in the surroundings: addresses, the rest, whether the thread is the only
//! one alive, and which thread is in an atomic section. For the step itself that
//! is what [`crate::Depends`] promises. For the normal form after it: the numbers
//! of objects and the threads that can reach them follow from the references of each thread and
//! object, which stay the same; all else that [`Machine::normalise`] does, it
//! does to a part on its own. Clocks are ranks over the whole state, so that
//! there are no local steps where races are looked for.

use triomphe::Arc;

use crate::independence::depends::{Depends, Other};
use crate::machine::{Grain, Machine};
use crate::memory::object::Object;
use crate::state::State;
use crate::state::thread::{Thread, first_references, later_references, references};
use crate::telling::fault::ThreadId;
use crate::value::{Named, ObjectId};

impl Machine {
    /// Whether steps of this grain can be local at all. (Causal ones depend on
    /// which threads were joined. Where final states are looked at, the last step depends on
    /// all global memory.)
    pub fn has_local_steps(&self, grain: Grain) -> bool {
        !self.track_races && !self.has_buffers && self.config().finals.is_none() && grain != Grain::Causal
    }

    /// Whether a step between two normal states was local, where steps can be.
    /// `in_place` is what [`Machine::normalise`] said after it.
    pub fn is_local(
        &self,
        before: &State,
        after: &State,
        thread: ThreadId,
        depends: &Depends,
        in_place: bool,
    ) -> bool {
        let common = self.common(before, depends);
        let may_change = |other| depends.others.contains(&other) || other == Other::Thread(thread.0);
        let same_shape = before.threads.len() == after.threads.len()
            && before.memory.slots.len() == after.memory.slots.len()
            && Arc::ptr_eq(&before.memory.addresses, &after.memory.addresses)
            && Arc::ptr_eq(&before.rest, &after.rest);
        let thread_is_local = |index: usize| {
            let (old, new) = (&before.threads[index], &after.threads[index]);
            may_change(Other::Thread(index as u32))
                && self.same_references(old, new, |id| common.contains(&id))
        };
        let object_is_local = |slot: usize| {
            let (old, new) = (&before.memory.slots[slot], &after.memory.slots[slot]);
            // The first slot holds no object of the program.
            slot == 0
                || may_change(Other::Object(slot as u32))
                    && old.block.ended == new.block.ended
                    && self.same_pointers(old, new, |_| false)
        };
        let mut local = in_place && !depends.everything && same_shape;
        if local {
            before.threads.differences(&after.threads, |index| local &= thread_is_local(index));
            before.memory.slots.differences(&after.memory.slots, |slot| local &= object_is_local(slot));
        }
        local
    }

    /// Whether an object is reached without any reference: a global, or one
    /// that no state holds.
    pub(crate) fn is_global(&self, id: ObjectId) -> bool {
        match id.named() {
            // They come first, in every state.
            Named::Slot { slot, .. } => slot <= self.global_slots,
            _ => true,
        }
    }

    /// Objects that are reached before any thread's references are followed, in
    /// every state that has the parts depended on: what globals and addresses
    /// lead to through those parts. (The parts keep their pointers.)
    fn common(&self, state: &State, depends: &Depends) -> Vec<ObjectId> {
        let mut found: Vec<ObjectId> = state.memory.addresses.pinned.iter().map(|(_, id)| *id).collect();
        let slots = depends.others.iter().filter_map(|other| match other {
            Other::Object(slot) => Some(ObjectId::slot(*slot as usize, 0)),
            Other::Thread(_) => None,
        });
        let mut left: Vec<ObjectId> = slots.collect();
        while let Some(at) = left.iter().position(|id| self.is_global(*id) || found.contains(id)) {
            let object = state.memory.get(left.swap_remove(at));
            found.extend(object.iter().flat_map(|object| &object.pointers).map(|(_, target)| *target));
        }
        found
    }

    /// Whether two threads lead to the same objects in the same order. Those that are
    /// reached anyway do not count.
    pub(crate) fn same_references(&self, a: &Thread, b: &Thread, anyway: impl Fn(ObjectId) -> bool) -> bool {
        let common = a.frames.common(&b.frames);
        if common > 0 && self.same_references_beyond(a, b, common, &anyway) {
            return true;
        }
        let all = |thread: &Thread| {
            let mut met = Vec::new();
            references(thread, |id| self.meet(&mut met, id, &anyway));
            (met, objects_beyond(thread, 0))
        };
        let (old, new) = (all(a), all(b));
        // All threads can reach what an ended one leads to.
        old == new && (a.is_alive() == b.is_alive() || old.0.is_empty())
    }

    /// Whether that is so already without the calls that they share up to a depth. What is
    /// met in these is met by both at the same place if both meet the same before, and
    /// what they meet after it in the same order is then new to both or to neither.
    fn same_references_beyond(
        &self,
        a: &Thread,
        b: &Thread,
        depth: usize,
        anyway: &impl Fn(ObjectId) -> bool,
    ) -> bool {
        let met = |thread: &Thread| {
            let (mut first, mut later) = (Vec::new(), Vec::new());
            first_references(thread, |id| self.meet(&mut first, id, anyway));
            later_references(thread, depth, |id| self.meet(&mut later, id, anyway));
            (first, later, objects_beyond(thread, depth))
        };
        a.is_alive() == b.is_alive() && met(a) == met(b)
    }

    /// Whether two objects have pointers to the same objects in the same order, as often:
    /// pointers are counted in large states. Those to objects that are reached anyway do not
    /// count.
    pub(crate) fn same_pointers(&self, a: &Object, b: &Object, anyway: impl Fn(ObjectId) -> bool) -> bool {
        let counts = |id: &ObjectId| !self.is_global(*id) && !anyway(*id);
        let targets = a.pointers.iter().map(|(_, id)| *id).filter(counts);
        targets.eq(b.pointers.iter().map(|(_, id)| *id).filter(counts))
    }

    /// Meeting an object again, or a global, changes nothing.
    fn meet(&self, met: &mut Vec<ObjectId>, id: ObjectId, anyway: impl Fn(ObjectId) -> bool) {
        if !self.is_global(id) && !met.contains(&id) && !anyway(id) {
            met.push(id);
        }
    }
}

/// The objects that end with the calls of a thread from a depth on at which a block of them
/// begins.
fn objects_beyond(thread: &Thread, depth: usize) -> Vec<ObjectId> {
    thread.frames.beyond(depth).flat_map(|frame| &frame.objects).map(|(id, _)| *id).collect()
}
