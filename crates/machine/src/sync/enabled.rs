//! The threads that can move and what the others wait for, kept from state to state.
//!
//! A search comes from one state to another that shares most parts with it. What a
//! thread waits for depends on its own part and on a few others ([`Depends::of_guard`]),
//! so that only the threads are asked whose parts, or these others, are not the same in
//! both ([`Enabled::follow`]). A step then costs the threads that it concerns, however
//! many there are.
//!
//! Many threads may wait for one object. Whether they can have it is the same for all that
//! neither have it nor wait at it otherwise, so they are in one queue, of which one thread
//! is asked when the object changes ([`Queue`]). All of them are asked only if its answer
//! is not the same as before: not when a part of the object changes that has nothing to do
//! with the wait, such as the data beside a lock.
//!
//! Two things are no matter of single parts:
//!
//! - *Atomic sections.* Whether a thread can enter one depends on whether another is
//!   inside, and one inside that can move keeps all others from moving. The threads
//!   inside and those about to enter are sets of their own, which are looked at when
//!   it is asked for the threads that can move.
//! - *Deadlock.* Threads that wait for the same are stuck together or not at all, so
//!   that the fixpoint of [`stuck`](super::blocked::stuck) is taken over what is waited
//!   for, and not over threads.
//!
//! Where there are store buffers, all threads are asked in every state: whether one has
//! to wait until its buffer is empty depends on more ([`crate::sync::drain`]).

use std::collections::BTreeSet;

use ir::Instr;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use triomphe::Arc;

use crate::independence::depends::{Depends, Other};
use crate::machine::Machine;
use crate::state::State;
use crate::sync::blocked::{Blocked, Guard, Wanted};
use crate::telling::fault::ThreadId;

/// Debug builds compare with the guards of all threads where there are so few.
const COMPARED: usize = 64;

/// The threads of a state that can move, and what the others wait for.
#[derive(Default)]
pub struct Enabled {
    /// The state that is followed.
    last: Option<State>,
    /// What is known of each thread.
    known: Vec<Known>,
    /// Those that depend on a part and are in no queue.
    depending: BTreeSet<(Other, ThreadId)>,
    /// Those that wait for something in an object.
    queues: FxHashMap<Other, SmallVec<[Queue; 1]>>,
    /// Those that may depend on any part.
    on_everything: BTreeSet<ThreadId>,
    /// Those that can move, as far as atomic sections let them.
    moving: BTreeSet<ThreadId>,
    /// Of these the ones that are about to enter an atomic section.
    entering: BTreeSet<ThreadId>,
    /// Those in atomic sections.
    inside: BTreeSet<ThreadId>,
    alive: usize,
    /// How many threads wait for what, but for atomic sections.
    awaited: FxHashMap<Blocked, usize>,
    /// Those that were asked last.
    asked: Vec<ThreadId>,
}

/// What is known of a thread.
struct Known {
    guard: Guard,
    others: SmallVec<[Other; 4]>,
    /// Whether it is in a queue.
    queued: bool,
}

/// Threads that want the same, which is kept from all of them by the same.
struct Queue {
    wanted: Wanted,
    blocked: Blocked,
    threads: BTreeSet<ThreadId>,
}

impl Queue {
    /// Whether all the threads still wait for the same, as far as that is not their own
    /// matter. The state need not follow the last one: where the object was, there may be
    /// another one that is too small.
    fn still_waits(&self, machine: &Machine, state: &State) -> bool {
        let first = *self.threads.first().expect("a queue has a thread");
        let is_there = (first.0 as usize) < state.threads.len();
        let has_it = state.memory.names_any(self.wanted.at, |thread| self.threads.contains(&thread));
        is_there
            && !has_it
            && machine.wanted(state, first) == Some(self.wanted)
            && machine.taken(state, first, self.wanted).as_ref() == Some(&self.blocked)
    }
}

impl Enabled {
    /// Goes on to a state.
    pub fn follow(&mut self, machine: &Machine, state: &State) {
        let mut asked = std::mem::take(&mut self.asked);
        asked.clear();
        self.concerned(machine, state, &mut asked);
        asked.sort_unstable();
        asked.dedup();
        for index in state.threads.len()..self.known.len() {
            self.forget(ThreadId(index as u32));
        }
        self.known.truncate(state.threads.len());
        asked.retain(|thread| (thread.0 as usize) < state.threads.len());
        for thread in asked.iter().copied() {
            if (thread.0 as usize) < self.known.len() {
                self.forget(thread);
            }
            self.ask(machine, state, thread);
        }
        (self.asked, self.last) = (asked, Some(state.clone()));
        debug_assert!(self.known.len() > COMPARED || self.is_right(machine, state));
    }

    /// The threads that were asked in the state that is followed: all that is known of
    /// the others is as it was before.
    pub fn asked(&self) -> &[ThreadId] {
        &self.asked
    }

    /// The threads that can take a step, ascending.
    pub fn threads(&self) -> impl Iterator<Item = ThreadId> + '_ {
        let keeper = self.keeper();
        let is_open = self.inside.is_empty();
        let may_enter = move |thread: &&ThreadId| is_open || !self.entering.contains(thread);
        let others = keeper.is_none().then(|| self.moving.iter().filter(may_enter).copied());
        keeper.into_iter().chain(others.into_iter().flatten())
    }

    /// Whether at most one thread is alive.
    pub fn is_alone(&self) -> bool {
        self.alive <= 1
    }

    /// The first thread in an atomic section.
    pub fn first_inside(&self) -> Option<ThreadId> {
        self.inside.first().copied()
    }

    /// Whether some thread will never move again but is not over.
    pub fn has_stuck(&self) -> bool {
        let section = self.first_inside().filter(|_| !self.entering.is_empty()).map(|holder| Blocked::Held {
            what: "atomic section",
            at: None,
            holders: smallvec![holder],
        });
        let entering = section.iter().map(|section| (section, self.entering.len()));
        let awaited = self.awaited.iter().map(|(blocked, count)| (blocked, *count));
        let mut stuck: FxHashMap<&Blocked, usize> = awaited.chain(entering).collect();
        while !stuck.is_empty() {
            let others_run = self.alive > stuck.values().sum();
            let is_stuck = |thread: ThreadId| {
                let entering = section.as_ref().filter(|_| self.entering.contains(&thread));
                let blocked = self.known[thread.0 as usize].guard.blocked();
                blocked.or(entering).is_some_and(|blocked| stuck.contains_key(blocked))
            };
            let is_over = |thread: ThreadId| !self.known[thread.0 as usize].guard.is_alive();
            let goes_on = |blocked: &&Blocked| match blocked {
                Blocked::Held { holders, .. } => !holders.iter().any(|t| is_stuck(*t) || is_over(*t)),
                Blocked::Join(peer) => !is_stuck(*peer),
                Blocked::Anyone { .. } => others_run,
            };
            let free: Vec<&Blocked> = stuck.keys().copied().filter(goes_on).collect();
            if free.is_empty() {
                return true;
            }
            for blocked in free {
                stuck.remove(blocked);
            }
        }
        false
    }

    /// The thread that keeps the others from moving.
    fn keeper(&self) -> Option<ThreadId> {
        let keeps = |thread: &&ThreadId| {
            self.moving.contains(thread) && self.known[thread.0 as usize].guard.keeps_others()
        };
        self.inside.iter().find(keeps).copied()
    }

    /// Adds the threads for which something may not be as in the last state.
    fn concerned(&self, machine: &Machine, state: &State, asked: &mut Vec<ThreadId>) {
        let Some(old) = self.last.as_ref().filter(|old| {
            !machine.has_buffers && Arc::ptr_eq(&old.memory.addresses, &state.memory.addresses)
        }) else {
            return asked.extend(state.thread_ids());
        };
        asked.extend(&self.on_everything);
        let mut changed = |other: Other| {
            if let Other::Thread(index) = other {
                asked.push(ThreadId(index));
            }
            let depending = self.depending.range((other, ThreadId(0))..=(other, ThreadId(u32::MAX)));
            asked.extend(depending.map(|(_, thread)| *thread));
            let queues = self.queues.get(&other).into_iter().flatten();
            let queues = queues.filter(|queue| !queue.still_waits(machine, state));
            asked.extend(queues.flat_map(|queue| &queue.threads));
        };
        let mut thread = |index: usize| changed(Other::Thread(index as u32));
        old.threads.differences(&state.threads, &mut thread);
        beyond(old.threads.len(), state.threads.len()).for_each(thread);
        let mut object = |slot: usize| changed(Other::Object(slot as u32));
        old.memory.slots.differences(&state.memory.slots, &mut object);
        beyond(old.memory.slots.len(), state.memory.slots.len()).for_each(object);
    }

    /// Takes in what a thread waits for. The thread is the next one, or was forgotten.
    fn ask(&mut self, machine: &Machine, state: &State, thread: ThreadId) {
        let entering = !machine.has_buffers && is_entering(machine, state, thread);
        let guard = if entering { Guard::unblocked() } else { machine.guard(state, thread) };
        let Depends { others, everything, .. } = Depends::of_guard(machine, state, thread);
        if everything {
            self.on_everything.insert(thread);
        }
        let queued = !everything && self.enqueue(machine, state, (thread, &guard), &others);
        if !queued {
            self.depending.extend(others.iter().map(|other| (*other, thread)));
        }
        if guard.moves() {
            self.moving.insert(thread);
        }
        if entering {
            self.entering.insert(thread);
        }
        if guard.is_alive() && state.thread(thread).atomic > 0 {
            self.inside.insert(thread);
        }
        self.alive += usize::from(guard.is_alive());
        if let Some(blocked) = guard.blocked() {
            *self.awaited.entry(blocked.clone()).or_default() += 1;
        }
        let known = Known { guard, others, queued };
        match self.known.get_mut(thread.0 as usize) {
            Some(place) => *place = known,
            None => self.known.push(known),
        }
    }

    /// Puts a thread into the queue of those that wait as it does. Says whether there is
    /// one: not if the thread waits for more than an object, or for one that it has.
    fn enqueue(
        &mut self,
        machine: &Machine,
        state: &State,
        (thread, guard): (ThreadId, &Guard),
        others: &[Other],
    ) -> bool {
        let waits = !guard.moves() && !guard.keeps_others();
        let Some(blocked) = guard.blocked().filter(|_| waits && others.len() == 1) else { return false };
        let Some(wanted) = machine.wanted(state, thread) else { return false };
        if state.memory.names_any(wanted.at, |named| named == thread) {
            return false;
        }
        let queues = self.queues.entry(others[0]).or_default();
        let same = |queue: &&mut Queue| queue.wanted == wanted && queue.blocked == *blocked;
        match queues.iter_mut().find(same) {
            Some(queue) => {
                queue.threads.insert(thread);
            }
            None => {
                let (blocked, threads) = (blocked.clone(), BTreeSet::from([thread]));
                queues.push(Queue { wanted, blocked, threads });
            }
        }
        true
    }

    /// Takes a thread out of the queues at an object.
    fn dequeue(queues: &mut FxHashMap<Other, SmallVec<[Queue; 1]>>, other: Other, thread: ThreadId) {
        let Some(at) = queues.get_mut(&other) else { return };
        at.retain(|queue| {
            queue.threads.remove(&thread);
            !queue.threads.is_empty()
        });
        if at.is_empty() {
            queues.remove(&other);
        }
    }

    /// Takes a thread out of all sets.
    fn forget(&mut self, thread: ThreadId) {
        let Known { guard, others, queued } = &self.known[thread.0 as usize];
        for other in others {
            match queued {
                true => Enabled::dequeue(&mut self.queues, *other, thread),
                false => {
                    self.depending.remove(&(*other, thread));
                }
            }
        }
        for set in [&mut self.on_everything, &mut self.moving, &mut self.entering, &mut self.inside] {
            set.remove(&thread);
        }
        self.alive -= usize::from(guard.is_alive());
        if let Some(blocked) = guard.blocked() {
            let count = self.awaited.get_mut(blocked).expect("what a thread waits for is counted");
            *count -= 1;
            if *count == 0 {
                self.awaited.remove(blocked);
            }
        }
    }

    /// Whether the guards of all threads say the same.
    pub fn is_right(&self, machine: &Machine, state: &State) -> bool {
        let guards: Vec<Guard> = state.thread_ids().map(|thread| machine.guard(state, thread)).collect();
        let stuck = super::blocked::stuck(guards.iter());
        self.threads().eq(super::blocked::runnable::<ThreadId>(guards.iter()))
            && self.has_stuck() != stuck.is_empty()
            && self.is_alone() == state.is_alone()
            && self.inside.iter().copied().eq(state.alive().filter(|t| state.thread(*t).atomic > 0))
    }
}

/// The positions that only the longer of two lists has.
fn beyond(old: usize, new: usize) -> std::ops::Range<usize> {
    old.min(new)..old.max(new)
}

/// Whether a thread is about to enter an atomic section, and not inside one.
fn is_entering(machine: &Machine, state: &State, thread: ThreadId) -> bool {
    let begins = matches!(machine.next_instruction(state, thread), Some(Instr::AtomicBegin { .. }));
    begins && state.thread(thread).atomic == 0
}
