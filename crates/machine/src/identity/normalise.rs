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
use smallvec::SmallVec;
use triomphe::Arc;

use crate::identity::base::{Changes, Positions, References, Slots, has_times, timed};
use crate::identity::counts::Turnover;
use crate::identity::printed::printed;
use crate::identity::public::Numbers;
use crate::identity::reach::Reach;
use crate::machine::Machine;
use crate::memory::object::Object;
use crate::race::Ranks;
use crate::race::knowers::Knowers;
use crate::state::State;
use crate::state::buffer::Store;
use crate::state::thread::{Frame, Status, Thread};
use crate::sync::SyncObject;
use crate::telling::fault::ThreadId;
use crate::value::{ObjectId, Value};

impl Machine {
    /// Decides afresh which objects are shared, by which threads can reach them
    /// now. A search normalises after every step. A caller that follows its steps
    /// without that calls this, so that the steps end at the same places.
    pub fn refresh_sharing(&self, state: &mut State) {
        let Some(changes) = state.changes_of_any() else { return self.refresh_sharing_afresh(state) };
        self.clear_dead_of(state, &changes.threads);
        match self.references(state, &changes) {
            References::Same if changes.are_few() => {}
            References::Same => {
                state.set_sharing_known(changes.private_slots(state), self.was_counted(&changes))
            }
            References::SamePublic => self.refresh_private(state, &changes, &Turnover::default()),
            References::Other => match self.recount(state, &changes) {
                Some(turnover) => self.refresh_private(state, &changes, &turnover),
                None => self.refresh_sharing_afresh(state),
            },
        }
    }

    /// The same where the public objects are known.
    fn refresh_private(&self, state: &mut State, changes: &Changes, turnover: &Turnover) {
        let reach = self.reach_private(state, 0);
        let lost = turnover.lost.iter().filter_map(|id| id.slot_index());
        let slots = changes.private_slots(state);
        for slot in slots.iter().map(|slot| *slot as usize).chain(lost) {
            if !state.memory.slots[slot].is_public() {
                refresh_flags(state, &reach, slot);
            }
        }
        state.set_sharing_known(reach.private_slots().collect(), self.was_counted(changes));
    }

    fn refresh_sharing_afresh(&self, state: &mut State) {
        self.clear_all_dead(state);
        let reach = self.reach(state);
        for slot in 0..state.memory.slots.len() {
            refresh_flags(state, &reach, slot);
        }
        state.set_sharing_known(reach.private_slots().collect(), self.has_counts(reach.slots()));
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
        self.clear_dead_of(state, &changes.threads);
        match self.references(state, changes) {
            References::Same => self.normalise_in_place(state, changes),
            References::SamePublic => return self.normalise_private(state, changes),
            References::Other => return self.normalise_public(state, changes),
        }
        true
    }

    /// The same where every object has its number and its flags already.
    fn normalise_in_place(&self, state: &mut State, changes: &Changes) {
        state.memory.forget_free();
        if self.tells_addresses && !self.keeps_blocks(state, changes) {
            self.rank_blocks(state);
        }
        self.tidy(
            state,
            &changes.objects,
            |state| changes.timed(state),
            changes.known().holes.clone(),
            Some(changes),
        );
    }

    /// The same where the public objects have their numbers and flags already.
    fn normalise_private(&self, state: &mut State, changes: &Changes) -> bool {
        let first = changes.first_private();
        let reach = self.reach_private(state, first);
        if self.has_counts(reach.slots()) != self.was_counted(changes) {
            return self.normalise_afresh(state);
        }
        let in_place = self.renumber(state, &reach);
        let mut slots: Positions = changes.objects.iter().copied().filter(|slot| *slot < first).collect();
        slots.extend(first..state.memory.slots.len());
        let holes = changes.known().holes.clone();
        self.tidy(state, &slots, |state| changes.timed_among(state, &slots), holes, Some(changes));
        in_place
    }

    /// The same where public objects have changed. In large states those that stay
    /// public keep their numbers.
    fn normalise_public(&self, state: &mut State, changes: &Changes) -> bool {
        let turnover = self.recount(state, changes);
        let numbers = turnover.as_ref().and_then(|turnover| self.numbers(changes, turnover));
        let (Some(turnover), Some(Numbers { moved, holes, end })) = (turnover, numbers) else {
            return self.normalise_afresh(state);
        };
        let reach = self.reach_private(state, end).with_moved(moved);
        if !self.has_counts(reach.slots()) {
            return self.normalise_afresh(state);
        }
        let first = changes.first_private();
        let lost: Positions = turnover.lost.iter().filter_map(|id| id.slot_index()).collect();
        if self.notes_lost {
            reach.note_lost_among(state, lost.iter().copied().chain(first..state.memory.slots.len()));
        }
        let stays = |slot: &usize| *slot < first && state.memory.slots[*slot].is_public();
        let changed: Positions = changes.objects.iter().copied().filter(stays).collect();
        let new_holes: Vec<u32> =
            lost.iter().map(|slot| *slot as u32).filter(|slot| holes.binary_search(slot).is_ok()).collect();
        reach.renumber_public(state, &changed, &new_holes);
        if self.tells_addresses {
            self.rank_blocks(state);
        }
        let mut slots = changed;
        slots.extend(reach.moved_slots());
        slots.extend(end..state.memory.slots.len());
        self.tidy(state, &slots, |state| changes.timed_among(state, &slots), holes.into(), Some(changes));
        false
    }

    /// The same for any state.
    fn normalise_afresh(&self, state: &mut State) -> bool {
        self.clear_all_dead(state);
        let reach = self.reach(state);
        let in_place = self.renumber(state, &reach);
        let slots: Positions = (0..state.memory.slots.len()).collect();
        self.tidy(state, &slots, timed, Slots::default(), None);
        in_place
    }

    /// Gives objects their numbers and flags, and drops those that were not met. Says
    /// whether all was so already.
    fn renumber(&self, state: &mut State, reach: &Reach) -> bool {
        if self.notes_lost {
            reach.note_lost(state);
        }
        let in_place = reach.is_normal(state);
        match in_place {
            true => state.memory.forget_free(),
            false => reach.renumber(state),
        }
        if self.tells_addresses {
            self.rank_blocks(state);
        }
        in_place
    }

    /// Makes clocks ranks and removes what makes no difference from the objects that may
    /// have changed. `timed` tells the slots of all objects that have clocks, `changes` which
    /// threads are not as they were when the state was last normal.
    fn tidy(
        &self,
        state: &mut State,
        slots: &[usize],
        timed: impl FnOnce(&State) -> Slots,
        holes: Slots,
        changes: Option<&Changes>,
    ) {
        let (mut times, mut knowers) = (Slots::default(), None);
        // A lock whose clock means nothing any more may be as if untouched.
        if self.track_races {
            times = timed(state);
            knowers = normalise_clocks(state, &times, changes);
            times.iter().for_each(|slot| self.tidy_object(state, *slot as usize));
        }
        slots.iter().for_each(|slot| self.tidy_object(state, *slot));
        self.note_normal(state, times, holes, knowers);
    }

    fn clear_dead_of(&self, state: &mut State, threads: &[usize]) {
        threads.iter().for_each(|index| self.clear_dead(&mut state.threads[*index]));
    }

    fn clear_all_dead(&self, state: &mut State) {
        (0..state.threads.len()).for_each(|index| self.clear_dead(&mut state.threads[index]));
    }

    /// Notes that a state is normal. Of the objects that had clocks some may
    /// have none any more.
    fn note_normal(&self, state: &mut State, timed: Slots, holes: Slots, knowers: Option<Knowers>) {
        let is_timed = |slot: &&u32| has_times(&state.memory.slots[**slot as usize]);
        let all = timed.iter().all(|slot| is_timed(&slot));
        let timed = if all { timed } else { timed.iter().filter(is_timed).copied().collect() };
        state.set_base(timed, holes, knowers);
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

/// Sets the flags of an object as a traversal found them.
fn refresh_flags(state: &mut State, reach: &Reach, slot: usize) {
    let object = &state.memory.slots[slot];
    let (shared, public) = reach.flags(ObjectId::slot(slot, object.generation));
    let identity = (object.generation, shared, public);
    if object.identity() != identity {
        Arc::make_mut(&mut state.memory.slots[slot]).set_identity(identity);
    }
}

fn has_clock(sync: &SyncObject) -> bool {
    sync.clocks().iter().any(|clock| !clock.is_empty())
}

/// Replaces clocks by ranks (see [`crate::identity::canonical`]). `timed` are
/// the slots of all objects that have clocks. What stays the same is not
/// touched, so that states go on to share it. Of the threads only those are looked at
/// whose clocks may change ([`crate::race::knowers`]).
fn normalise_clocks(state: &mut State, timed: &[u32], changes: Option<&Changes>) -> Option<Knowers> {
    let before = changes.and_then(|changes| Some((changes, changes.known().knowers.as_ref()?)));
    let ranks = ranks(state, timed, before.map(|(_, knowers)| knowers));
    let threads = match before {
        Some((changes, knowers)) => knowers.concerned(&ranks, &changes.threads),
        None => (0..state.threads.len()).collect(),
    };
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
    threads.iter().for_each(|index| normalise_clocks_of(&mut state.threads[*index], *index, &ranks));
    let section = ranks.ranked(&state.rest.section_clock);
    if state.rest.section_clock != section {
        state.rest_mut().section_clock = section;
    }
    Knowers::after(before.map(|(_, knowers)| knowers), state, &ranks, &threads)
}

/// The epochs of a state that count; these are the slots of all objects that have clocks.
pub(crate) fn ranks(state: &State, timed: &[u32], before: Option<&Knowers>) -> Ranks {
    let objects: Vec<&Object> = timed.iter().map(|slot| &*state.memory.slots[*slot as usize]).collect();
    Ranks::new(state, &objects, before)
}

fn normalise_clocks_of(thread: &mut Arc<Thread>, index: usize, ranks: &Ranks) {
    let ranked = thread.clocks.ranked(ranks, ThreadId(index as u32));
    if *thread.clocks != ranked {
        Arc::make_mut(thread).clocks = ranked.into();
    }
    let is_normal = |store: &Store| ranks.is_normal(&store.published);
    if !thread.own.buffer.stores().all(is_normal) {
        Arc::make_mut(thread).own.buffer.clocks_mut(|clock| ranks.normalise(clock));
    }
}
