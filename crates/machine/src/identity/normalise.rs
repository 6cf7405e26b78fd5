//! Normal states: two states with the same future are equal part by part.
//!
//! [`Machine::normalise`] brings a state into the form whose equality the
//! canonical bytes ([`crate::identity::canonical`]) define: dead registers are cleared,
//! objects are numbered in the order in which a fixed traversal meets them,
//! what it does not meet is dropped, clocks are ranks, and whether an object is
//! shared is decided afresh: by which threads can reach it now. The last is
//! the escape analysis that the tau reduction rests on.
//!
//! The parts ([`Part`]) of a normal state can be stored once each and a state
//! as the list of them. What a part remembers only for messages (where an
//! object was made) does not count for equality.

use ir::Instr;
use smallvec::{SmallVec, smallvec};
use triomphe::Arc;

use crate::identity::base::{Changes, Slots, has_times, timed};
use crate::identity::printed::printed;
use crate::machine::Machine;
use crate::memory::object::Object;
use crate::race::Ranks;
use crate::state::State;
use crate::state::buffer::Store;
use crate::state::thread::{Frame, Status, Thread, references};
use crate::sync::SyncObject;
use crate::telling::fault::ThreadId;
use crate::value::{Named, ObjectId, Value};

impl Machine {
    /// Decides afresh which objects are shared, by which threads can reach them
    /// now. A search normalises after every step. A caller that follows its steps
    /// without that calls this, so that the steps end at the same places.
    pub fn refresh_sharing(&self, state: &mut State) {
        if let Some(changes) = state.changes_of_any() {
            for index in &changes.threads {
                self.clear_dead(&mut state.threads[*index]);
            }
            if self.keeps_references(state, &changes) {
                return;
            }
        }
        let reach = self.reach(state);
        for slot in 0..state.memory.slots.len() {
            let shared = reach.is_shared(ObjectId::slot(slot, state.memory.slots[slot].generation));
            if state.memory.slots[slot].shared != shared {
                Arc::make_mut(&mut state.memory.slots[slot]).shared = shared;
            }
        }
        state.set_sharing_known();
    }

    /// Brings a state into normal form; its future stays the same. Says
    /// whether every object had its number and its flag already.
    pub fn normalise(&self, state: &mut State) -> bool {
        match state.changes() {
            Some(changes) => self.normalise_changes(state, &changes),
            None => self.normalise_afresh(state),
        }
    }

    /// The same by what changed since the state was last normal.
    fn normalise_changes(&self, state: &mut State, changes: &Changes) -> bool {
        for index in &changes.threads {
            self.clear_dead(&mut state.threads[*index]);
        }
        if !self.keeps_references(state, changes) {
            return self.normalise_afresh(state);
        }
        state.memory.forget_free();
        if self.tells_addresses && !self.keeps_blocks(state, changes) {
            self.rank_blocks(state);
        }
        let mut timed = Slots::default();
        if self.track_races {
            timed = changes.timed(state);
            normalise_clocks(state, &timed);
            timed.iter().for_each(|slot| self.tidy_object(state, *slot as usize));
        }
        changes.objects.iter().for_each(|slot| self.tidy_object(state, *slot));
        self.note_normal(state, timed);
        true
    }

    /// The same for any state.
    fn normalise_afresh(&self, state: &mut State) -> bool {
        let reach = self.reach(state);
        if self.notes_lost {
            reach.note_lost(state);
        }
        let in_place = reach.is_normal(state);
        if in_place {
            state.memory.forget_free();
        } else {
            reach.renumber(state);
        }
        if self.tells_addresses {
            self.rank_blocks(state);
        }
        // A lock whose clock means nothing any more may be as if untouched.
        let mut times = Slots::default();
        if self.track_races {
            times = timed(state);
            normalise_clocks(state, &times);
        }
        for slot in 0..state.memory.slots.len() {
            self.tidy_object(state, slot);
        }
        self.note_normal(state, times);
        in_place
    }

    /// Notes that a state is normal. Of the objects that had clocks some may
    /// have none any more.
    fn note_normal(&self, state: &mut State, timed: Slots) {
        let is_timed = |slot: &&u32| has_times(&state.memory.slots[**slot as usize]);
        let all = timed.iter().all(|slot| is_timed(&slot));
        let timed = if all { timed } else { timed.iter().filter(is_timed).copied().collect() };
        state.set_base(timed);
    }

    /// Clears what a thread holds but never reads again. Of its callers only
    /// those that are new are looked at, so that a deep stack costs no more.
    fn clear_dead(&self, thread: &mut Arc<Thread>) {
        let frames = thread.frames.len();
        for index in (0..frames).rev() {
            let is_top = index + 1 == frames;
            if !is_top && thread.frames[index].buried {
                break;
            }
            self.clear_frame(thread, index, is_top);
        }
        let over = thread.status == Status::Ended && (thread.joined || thread.detached);
        if over && (thread.own.result != Value::int(0) || !thread.clocks.is_empty()) {
            let thread = Arc::make_mut(thread);
            thread.own.result = Value::int(0);
            thread.clocks = Default::default();
        }
    }

    fn clear_frame(&self, thread: &mut Arc<Thread>, index: usize, is_top: bool) {
        let frame = &thread.frames[index];
        let mut stale: SmallVec<[(usize, Value); 16]> = SmallVec::new();
        let mut replace = |slot: usize, value: Value| {
            if frame.regs[slot] != value {
                stale.push((slot, value));
            }
        };
        self.each_printed_slot(frame, is_top, |slot| replace(slot, printed(frame.regs[slot])));
        self.each_dead_slot(frame, is_top, |slot| replace(slot, Value::UNDEF));
        if !stale.is_empty() || frame.buried == is_top {
            let frame = Arc::make_mut(&mut Arc::make_mut(thread).frames[index]);
            stale.into_iter().for_each(|(slot, value)| frame.regs[slot] = value);
            frame.buried = !is_top;
        }
    }

    /// Calls `f` with every slot that is not read again. Of a caller the
    /// arguments are passed and the results yet to come.
    pub(crate) fn each_dead_slot(&self, frame: &Frame, top: bool, mut f: impl FnMut(usize)) {
        let mut live = self.liveness(frame.function).slots_at(frame.pc + u32::from(!top)).iter().peekable();
        let results: &[ir::Reg] = match &self.program().function(frame.function).code[frame.pc as usize] {
            Instr::Call { dsts, .. } if !top => dsts,
            _ => &[],
        };
        for slot in 0..frame.regs.len() {
            let is_live = live.next_if(|live| **live as usize == slot).is_some();
            if !is_live || results.iter().any(|dst| dst.0 as usize == slot) {
                f(slot);
            }
        }
    }

    /// Numbers what can be reached, and finds out by which threads.
    fn reach(&self, state: &mut State) -> Reach {
        for index in 0..state.threads.len() {
            self.clear_dead(&mut state.threads[index]);
        }
        let mut reach = Reach::new(state);
        for id in &self.globals {
            reach.visit(*id, Owner::All);
        }
        for (_, id) in &state.memory.addresses.pinned {
            reach.visit(*id, Owner::All);
        }
        reach.follow(state, 0);
        for (index, thread) in state.threads.iter().enumerate() {
            let owner = match thread.status {
                Status::Ended => Owner::All,
                _ => Owner::Thread(ThreadId(index as u32)),
            };
            let first = reach.order.len();
            references(thread, |id| reach.visit(id, owner));
            reach.follow(state, first);
        }
        // A frame's objects end with it, whether or not its thread still has a
        // pointer to them.
        for (index, thread) in state.threads.iter().enumerate() {
            let owner = Owner::Thread(ThreadId(index as u32));
            for (id, _) in thread.frames.iter().flat_map(|frame| &frame.objects) {
                if let Some(at) = reach.position(*id) {
                    reach.meet_again(at, owner);
                }
            }
            // Others reach what a store points to once it is committed.
            for store in thread.own.buffer.stores() {
                reach.visit(store.value.0.object, Owner::All);
                reach.visit(store.value.1.object, Owner::All);
            }
        }
        reach.follow(state, reach.order.len());
        reach
    }

    /// Removes what makes no difference from an object.
    fn tidy_object(&self, state: &mut State, slot: usize) {
        let id = ObjectId::slot(slot, 0);
        let object = &state.memory.slots[slot];
        let untouched: Vec<u32> = object
            .sync
            .iter()
            .filter(|(at, sync)| {
                self.is_as_if_untouched(state, (id, u64::from(*at)), sync) && !has_clock(sync)
            })
            .map(|(at, _)| *at)
            .collect();
        let defined = object.undef.as_ref().is_some_and(|undef| undef.iter().all(|byte| *byte == 0));
        let dirty = object
            .undef
            .as_ref()
            .is_some_and(|undef| object.data.iter().zip(undef).any(|(byte, undef)| byte & undef != 0));
        if untouched.is_empty() && !defined && !dirty {
            return;
        }
        let object = Arc::make_mut(&mut state.memory.slots[slot]);
        object.sync.retain(|(at, _)| !untouched.contains(at));
        if defined {
            object.undef = None;
        }
        if let Some(undef) = &object.undef {
            object.data.iter_mut().zip(undef).for_each(|(byte, undef)| *byte &= !undef);
        }
    }
}

fn has_clock(sync: &SyncObject) -> bool {
    sync.clocks().iter().any(|clock| !clock.is_empty())
}

/// Which threads can reach an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Thread(ThreadId),
    All,
}

/// The objects that can be reached, in order, with the threads that reach them.
struct Reach {
    /// By slot: position in `order`, if it was met.
    met: SmallVec<[Option<u32>; 32]>,
    order: SmallVec<[(ObjectId, Owner); 32]>,
    /// Whether an object turned out to be within reach of all threads after its
    /// pointers were followed.
    spreads: bool,
}

impl Reach {
    fn new(state: &State) -> Reach {
        Reach { met: smallvec![None; state.memory.slots.len()], order: SmallVec::new(), spreads: false }
    }

    fn position(&self, id: ObjectId) -> Option<u32> {
        self.met[id.slot_index()?].filter(|at| self.order[*at as usize].0 == id)
    }

    fn is_shared(&self, id: ObjectId) -> bool {
        self.position(id).is_some_and(|at| self.order[at as usize].1 == Owner::All)
    }

    /// An object's number in the normal form; none if it was not reached.
    fn number(&self, id: ObjectId) -> ObjectId {
        match id.named() {
            Named::Slot { .. } => {
                self.position(id).map_or(ObjectId::NONE, |at| ObjectId::slot(at as usize + 1, 0))
            }
            _ => id,
        }
    }

    /// Meets an object for the first time or again.
    fn visit(&mut self, id: ObjectId, owner: Owner) {
        let Named::Slot { slot, .. } = id.named() else { return };
        let next = self.order.len() as u32;
        match self.met[slot] {
            Some(at) => self.meet_again(at, owner),
            None => {
                self.met[slot] = Some(next);
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
            for at in 0..self.order.len() {
                let (id, owner) = self.order[at];
                if owner == Owner::All {
                    self.visit_targets(state, id, owner);
                }
            }
        }
    }

    fn visit_targets(&mut self, state: &State, id: ObjectId, owner: Owner) {
        if let Some(object) = state.memory.get(id) {
            object.pointers.iter().for_each(|(_, target)| self.visit(*target, owner));
        }
    }
}

impl Reach {
    /// Remembers the heap objects that are about to be dropped.
    fn note_lost(&self, state: &mut State) {
        let lost: Vec<_> = state.memory.heap_objects().filter(|id| self.position(*id).is_none()).collect();
        for id in lost {
            let object = state.memory.get(id).expect("a live object");
            let note = (object.origin.site(), object.size());
            state.rest_mut().lost.push(note);
        }
    }

    /// Rebuilds memory in the order of meeting.
    fn renumber(&self, state: &mut State) {
        let slots =
            self.order.iter().enumerate().map(|(at, (id, owner))| self.object(state, at, *id, *owner));
        let placeholder = state.memory.slots[0].clone();
        let slots = std::iter::once(placeholder).chain(slots).collect();
        state.threads.each_mut(|thread| Thread::renumber(thread, |id| self.number(id)));
        state.memory.renumber(slots, |id| self.number(id));
        if !state.rest.apart.is_empty() {
            self.renumber_apart(&mut state.rest_mut().apart);
        }
    }

    /// Objects that are no more are apart from nothing.
    fn renumber_apart(&self, apart: &mut Vec<(ObjectId, ObjectId)>) {
        for (a, b) in apart.iter_mut() {
            let (first, second) = (self.number(*a), self.number(*b));
            (*a, *b) = (first.min(second), first.max(second));
        }
        apart.retain(|(first, _)| *first != ObjectId::NONE);
        apart.sort_unstable();
    }

    /// Whether every object has its number and its flag already.
    fn is_normal(&self, state: &State) -> bool {
        let slots = &state.memory.slots;
        let is_normal = |(at, (id, owner)): (usize, &(ObjectId, Owner))| {
            *id == ObjectId::slot(at + 1, 0)
                && slots[at + 1].generation == 0
                && slots[at + 1].shared == (*owner == Owner::All)
        };
        self.order.len() + 1 == slots.len() && self.order.iter().enumerate().all(is_normal)
    }

    fn object(&self, state: &State, at: usize, id: ObjectId, owner: Owner) -> Arc<Object> {
        let Named::Slot { slot, .. } = id.named() else { unreachable!("only objects in slots are numbered") };
        let old = &state.memory.slots[slot];
        let shared = owner == Owner::All;
        let same = id == ObjectId::slot(at + 1, 0) && old.generation == 0 && old.shared == shared;
        if same && old.pointers.iter().all(|(_, target)| self.number(*target) == *target) {
            return Arc::clone(old);
        }
        let mut object = Object::clone(old);
        object.generation = 0;
        object.shared = shared;
        object.pointers.iter_mut().for_each(|(_, target)| *target = self.number(*target));
        Arc::new(object)
    }
}

/// Replaces clocks by ranks (see [`crate::identity::canonical`]). `timed` are
/// the slots of all objects that have clocks. What stays the same is not
/// touched, so that states go on to share it.
fn normalise_clocks(state: &mut State, timed: &[u32]) {
    let objects: Vec<&Object> = timed.iter().map(|slot| &*state.memory.slots[*slot as usize]).collect();
    let ranks = Ranks::new(state, &objects);
    for slot in timed {
        let slot = *slot as usize;
        let object = &state.memory.slots[slot];
        let clocks = || object.sync.iter().flat_map(|(_, sync)| sync.clocks());
        if object.shadow.is_normal(&ranks) && clocks().all(|clock| ranks.is_normal(clock)) {
            continue;
        }
        let object = Arc::make_mut(&mut state.memory.slots[slot]);
        object.shadow.normalise(&ranks);
        object
            .sync
            .iter_mut()
            .flat_map(|(_, sync)| sync.clocks_mut())
            .for_each(|clock| ranks.normalise(clock));
    }
    for index in 0..state.threads.len() {
        let ranked = state.threads[index].clocks.ranked(&ranks, ThreadId(index as u32));
        if *state.threads[index].clocks != ranked {
            Arc::make_mut(&mut state.threads[index]).clocks = ranked.into();
        }
    }
    for index in 0..state.threads.len() {
        let is_normal = |store: &Store| ranks.is_normal(&store.published);
        if !state.threads[index].own.buffer.stores().all(is_normal) {
            let thread = Arc::make_mut(&mut state.threads[index]);
            thread.own.buffer.clocks_mut(|clock| ranks.normalise(clock));
        }
    }
    let section = ranks.ranked(&state.rest.section_clock);
    if state.rest.section_clock != section {
        state.rest_mut().section_clock = section;
    }
}
