//! Loops in which nothing happens: when a thread need not go on.
//!
//! A *round* of a thread `t` is a run of `t`'s steps, in an execution in which
//! others may move in between, that leads `t` back to where it was: to the same
//! instruction (or the same wait on a condition that was not signalled), with the
//! same values in all registers that it still reads. A round is *idle* if
//!
//! 1. it changed nothing: every write left the bytes as they stood, and nothing
//!    was made, ended, signalled, posted or counted. Locks may be taken and given
//!    back, and waits may begin and end without a signal;
//! 2. after each of its steps `t` holds at least the locks that it held when the
//!    round began, each at least as often, and is inside of at least as many atomic
//!    sections; after its last step it holds no more than these;
//! 3. if the program can find out without waiting whether a lock is held, the round
//!    takes none;
//! 4. if the round leads from a wait on a condition to the same wait, no other
//!    thread did anything with the condition in the meantime, except to wait on it;
//! 5. if races are looked for and what an operation observes need not happen
//!    before it (atomics weaker than acquire and release, locks that are tried),
//!    the round looks at one place only.
//!
//! A thread that has completed an idle round is given up: it makes no step more.
//!
//! **Theorem.** Every state, final state and fault that an execution of the program
//! leads to is also led to by one in which no thread makes a step after an idle
//! round.
//!
//! *Proof.* Take an execution `e` that leads there, as short as possible, in which
//! `t` makes an idle round and a step later. Leave the steps of the round out. The
//! steps of the others are still possible, and do the same: by (1) the memory was
//! at each moment what it is without the round. By (2) `t` now holds at each moment
//! no lock that it did not hold in `e`, and is in no atomic section that it was not
//! in, so every thread that could move in `e` can; by (3) no thread notices that a
//! lock is free.
//! A signal that came while `t` waited inside of the round did not wake `t`, so it
//! woke another thread or found no thread to wake, and does the same
//! now. Where the round leads from a wait to a wait, `t` now waits all the time; by
//! (4) there was no signal that would wake `t` now and did not in `e`. (The choice
//! between a wait that a signal ends and one that ends by itself is made when the
//! wait begins. The one wait that takes the place of two makes the choice of the
//! second.) `t` is where it was, with the same registers, and goes on as in `e`.
//! So a shorter execution leads to the same state, in contradiction to the choice
//! of `e`. (Without (2) this is wrong: a thread that unlocks and locks a mutex lets
//! others in.)
//!
//! A fault of the last step of `e` is still there, because this step is not left
//! out (`t` moves after the round), and is taken in the same state, but for what
//! the race detector remembers. For a race let `a` and `b` be the two accesses, `b`
//! in the last step of `e`. Leaving a round out takes away pairs of the
//! happens-before of the race detector and adds none, so if `a` is not in the round
//! the race is still there. If it is, and if every operation happens after those
//! whose effects it observes, take of `e` only what happens before `a` or `b`, in
//! the same order. That is an execution, with the same race (`e` has no earlier
//! one); no step of `t` after `a` is in it, for else `a` would happen before
//! `b`; so it is shorter. Otherwise there is (5): `t` was going to look at the same
//! place again as the first thing that could make a difference to it. If it did so
//! before `b`, this access races with `b`, too. If not, all steps of `t` after
//! the round took or gave back locks, no step depends on them (3), and they can be
//! left out instead of the round. ∎
//!
//! **Why the search finds these executions.** Whether a round is idle is decided by
//! `t`'s steps, by what they read, and by their order among the operations on the
//! condition that they conflict with. That is the same in all executions of one
//! Mazurkiewicz trace. So the executions without steps after idle rounds are those
//! of a program in which such a thread ends, the steps that commute are
//! the same as before, and the searches cover all executions of this program. In
//! particular a write that lets `t` leave its loop can be made without `t`: the
//! writer does not depend on the round, so it comes after the round in some
//! execution, and the race with what `t` looked at is reversed.
//!
//! A round that is not idle where it was noticed may be idle when it is looked at
//! from another place of the loop: `while (!g) { unlock(&m); lock(&m); }` is idle
//! from the call of `lock` on, and a loop around a wait from the wait on. Loops
//! without such a place (two locks in turn, one of which is always held) are run
//! up to the bound on steps, and the verdict is then unknown.
//!
//! [`crate::spin`] asks for more than this: it compares whole states, holds a
//! thread only as long as no thread changed what it looks at, and so needs no race to
//! be reversed to let the thread go on; there a bound on preemptions may keep
//! races from being reversed. One cannot stand in for the other.

use machine::{Machine, State, ThreadId};
use smallvec::SmallVec;

use crate::effect::{Change, Effect};
use crate::footprint::{Access, Footprint};
use crate::run::Taken;

/// What makes a difference to which rounds are idle.
#[derive(Clone, Copy, Default)]
pub struct Conditions {
    /// Whether the program can find out that a lock is held without waiting.
    tries_locks: bool,
    /// Whether a race may depend on what an operation observes without happening
    /// after it.
    one_place: bool,
}

impl Conditions {
    /// Of a program, and what is asked about it.
    pub fn of(machine: &Machine) -> Conditions {
        let tries_locks = machine.tries_locks();
        let races = machine.config().properties.has(machine::Property::Race);
        Conditions { tries_locks, one_place: races && (tries_locks || machine.is_weakly_ordered()) }
    }
}

/// An execution in which a thread has just made a step.
pub struct Look<'a, B> {
    /// The machine.
    pub machine: &'a Machine,
    /// What makes a difference.
    pub conditions: Conditions,
    /// The steps so far.
    pub steps: &'a [Taken],
    /// The state before each step.
    pub before: B,
    /// The state after the last.
    pub now: &'a State,
    /// The thread.
    pub thread: ThreadId,
    /// The condition that the thread now waits on, if it does.
    pub condition: Option<Access>,
}

impl<'a, B: Fn(usize) -> &'a State> Look<'a, B> {
    /// The step that an idle round began with whose last step was the last one of
    /// the execution.
    pub fn round(&self) -> Option<usize> {
        let at = self.machine.program_counter(self.now, self.thread)?;
        let mut balance = Balance::default();
        for (index, step) in self.steps.iter().enumerate().rev() {
            if step.mover != self.thread.into() {
                if self.condition.is_some_and(|condition| disturbs(step, condition)) {
                    return None;
                }
                continue;
            }
            if !balance.add(&step.effect, self.conditions) {
                return None;
            }
            let then = (self.before)(index);
            if balance.is_even()
                && self.machine.program_counter(then, self.thread) == Some(at)
                && self.machine.is_same_local(then, self.now, self.thread)
            {
                return Some(index);
            }
        }
        None
    }
}

/// Whether a step may make a difference to which threads wait on a condition,
/// other than by waiting on it.
fn disturbs(step: &Taken, condition: Access) -> bool {
    let condition = Footprint { accesses: SmallVec::from_slice(&[condition]), global: false };
    let only_waits = step.effect.waits && !step.effect.signals;
    !only_waits && step.footprint.conflicts(&condition)
}

/// What the last steps of a thread did to the locks, and where they looked.
#[derive(Default)]
struct Balance {
    locks: SmallVec<[Change; 4]>,
    sections: i64,
    place: Option<(u64, u64, u64)>,
}

impl Balance {
    /// Adds the step before them. If the steps now take more than they give back,
    /// or change anything, no round that ends with them is idle.
    fn add(&mut self, effect: &Effect, conditions: Conditions) -> bool {
        self.sections += effect.sections;
        effect.locks.iter().for_each(|lock| self.add_lock(*lock));
        let unseen = effect.locks.is_empty() || !conditions.tries_locks;
        let elsewhere = conditions.one_place && effect.looks.iter().any(|place| !self.is_place(*place));
        let idle = !effect.lasting && unseen && !elsewhere;
        idle && self.sections <= 0 && self.locks.iter().all(|(_, _, change)| *change <= 0)
    }

    fn add_lock(&mut self, (object, offset, change): Change) {
        match self.locks.iter_mut().find(|(o, at, _)| (*o, *at) == (object, offset)) {
            Some((_, _, sum)) => *sum += change,
            None => self.locks.push((object, offset, change)),
        }
    }

    fn is_place(&mut self, place: (u64, u64, u64)) -> bool {
        *self.place.get_or_insert(place) == place
    }

    fn is_even(&self) -> bool {
        self.sections == 0 && self.locks.iter().all(|(_, _, change)| *change == 0)
    }
}
