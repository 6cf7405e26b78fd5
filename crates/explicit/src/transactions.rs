//! Transactions: several steps of one thread that are taken as one.
//!
//! After a step of a thread the search goes on with the next steps of the same thread,
//! as long as each of them is a persistent set by itself: no other thread was seen to
//! interfere with it, by the locksets with which threads touch places
//! ([`reduction::Discipline`]). The states in between are not kept. A critical section is
//! one step then: where all that touch a place hold the lock, accesses to it commute with
//! what others do, and giving back a lock disturbs only those that try it without
//! waiting. This is the reduction of Stoller and Cohen, *Optimistic
//! Synchronization-Based State-Space Reduction* (TACAS 2003), with the transactions of
//! Flanagan and Qadeer, *Transactions for Software Model Checking* (SoftMC 2003).
//!
//! # Why nothing is lost
//!
//! A state within a transaction is one from which the thread that runs anyway is left
//! alone; `crates/reduction` has the argument for such states. What it leaves to the
//! search:
//!
//! - *No cycle of steps that are left alone.* A transaction has at most [`LONGEST`]
//!   further steps. All threads move from the state where it ends.
//! - *Threads that wait are seen.* A thread that waits for a lock within a transaction
//!   either waits where the transaction ends, or the lock was given back by then and the
//!   thread takes it from there.
//! - *What was assumed is taken back.* If a step is seen that interferes, the search
//!   begins anew with all that was seen. So no state has to be given back to a layer that
//!   was left, and the last search relies on nothing that it did not see to be so.
//! - *Context switches.* A fault with `c` switches that is missed because a step was left
//!   alone wrongly has an execution in which a thread interferes with that step; up to
//!   the interference it is followed with the step taken first, and with no more
//!   switches. So the interference is seen when layer `c` has been explored, before a
//!   fault of a later layer is told: the fewest switches stay the fewest, if starts of
//!   threads are none. A start is a switch only if the new thread can move, so that one
//!   may count after a lock was given back and not before.
//! - *Races without clocks.* Two steps that conflict and can both be taken are not left
//!   alone, and steps of other threads that are do not end this. So some state that is
//!   kept shows the race.
//! - *Twins.* The search follows executions up to the names of threads other than `main`.
//!   Where there are twins, these threads are therefore not told apart: one that touches
//!   a place interferes with all others, and they all are as long unjoined as one of them
//!   is. `main` has no transactions then, since joins that it makes in a row have an
//!   argument of their own (`machine/src/identity/twins.rs`).
//!
//! All decisions of a search are the same whenever they are made: what is seen only
//! grows, so that what interfered once always does, and what is relied upon does not
//! interfere until the search begins anew. So steps can be remembered, and
//! taken again for a counterexample. All workers decide by what was known when the
//! bucket began, so that nothing depends on their number.
//!
//! Beginning anew costs no more than twice what the search without transactions costs:
//! see [`Transactions::begin_anew`].
//!
//! Transactions are not used where steps or final states are counted or looked at (a bound
//! on the depth, leaks, robustness, formulas), where all steps of a cycle matter (threads
//! that wait for what any thread may do, if deadlocks are asked for), under memory models
//! with buffers, with symmetry, in several processes, with checkpoints, and in other
//! orders of search than csdr.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use engine::Task;
use machine::{Footprint, Grain, Machine, ObjectId, Property, ThreadId};
use reduction::{Discipline, Locks, Move, Note, Reliance};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::incoming::Bookkeeping;
use crate::{Options, Outside, SearchOrder};

/// So many further steps a transaction has at most, lest a thread that never ends keeps
/// the others from moving.
pub const LONGEST: u32 = 100;

/// So many states may be given up in all before searches that begin anew have to grow.
const FREE: u64 = 1 << 16;

/// Locks that are held, each with the thread that has it.
pub type Held = SmallVec<[(ThreadId, Locks); 2]>;

/// What the transactions of a search rely upon.
pub struct Transactions {
    discipline: RwLock<Discipline<()>>,
    /// Whether a step was seen that interferes with one that was left alone.
    broken: AtomicBool,
    /// Whether `main` has transactions, too.
    pub of_main: bool,
    /// How many states all searches had that were given up.
    abandoned: u64,
    /// How many states the last search had that was given up.
    last: u64,
}

impl Transactions {
    /// Those of a search for faults of steps and states, if it can have any.
    pub fn new(
        task: &Task<'_>,
        machine: &Machine,
        options: &Options,
        twins: bool,
        outside: Outside<'_>,
    ) -> Option<Transactions> {
        let properties = machine.config().properties;
        let whole = [Property::Leak, Property::Cleanup, Property::Robust, Property::RobustTraces];
        let by_layers = options.search == SearchOrder::Csdr
            && options.bookkeeping == Bookkeeping::Exact
            && options.reduction == Grain::Visible
            && !options.symmetry
            && !options.hash_compaction;
        let here = outside.checkpoints.is_none() && outside.peers.is_none();
        let ends_at_faults = outside.collected.is_none() && machine.config().suppressions.is_empty();
        let plain = task.bounds.depth.is_none()
            && !whole.into_iter().any(|property| properties.has(property))
            && machine.temporal().is_none()
            && !machine.config().memory_model.has_buffers()
            && !machine.can_abandon();
        let used = options.transactions && by_layers && here && ends_at_faults && plain;
        let discipline = if twins { Discipline::of_exchangeable_threads() } else { Discipline::default() };
        used.then(|| Transactions {
            discipline: RwLock::new(discipline),
            broken: AtomicBool::new(false),
            of_main: !twins,
            abandoned: 0,
            last: 0,
        })
    }

    /// What is known.
    pub fn discipline(&self) -> RwLockReadGuard<'_, Discipline<()>> {
        self.discipline.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Learns what workers saw since the last time. Yields whether the search relies on
    /// nothing that is not so.
    pub fn learn<'o>(&self, seen: impl Iterator<Item = &'o mut Seen>) -> bool {
        let mut discipline = self.discipline.write().unwrap_or_else(PoisonError::into_inner);
        let (mut relied, mut holds) = (Vec::new(), true);
        for seen in seen {
            relied.append(&mut seen.fresh_relied);
            seen.fresh_notes.drain(..).for_each(|note| holds &= discipline.note(&note).is_empty());
        }
        relied.into_iter().for_each(|reliance| holds &= discipline.rely(reliance, ()));
        if !holds {
            self.broken.store(true, Ordering::Relaxed);
        }
        holds
    }

    /// Whether the search relied on what is not so.
    pub fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// Forgets that a search with so many states relied on what is not so, and keeps
    /// what it saw. Yields whether the next one is worth while.
    ///
    /// Some ten thousand states are given up without asking. Beyond these, each search must have
    /// come twice as far as the one before it that was given up: so they all have no more states
    /// than twice the last of them, and that has no more than the search without
    /// transactions.
    pub fn begin_anew(&mut self, states: u64) -> bool {
        self.broken = AtomicBool::new(false);
        self.discipline.get_mut().unwrap_or_else(PoisonError::into_inner).release();
        self.abandoned += states;
        let last = std::mem::replace(&mut self.last, states);
        self.abandoned <= FREE || states >= 2 * last
    }

    /// The locks that threads have, by the owner of each lock: a bit for each lock.
    pub fn held(&self, owner: impl Fn(ObjectId, u64) -> Option<ThreadId>) -> Held {
        let discipline = self.discipline();
        let locks = discipline.locks();
        let has = |(number, (object, offset)): (usize, &(ObjectId, u64))| {
            owner(*object, *offset).map(|thread| (thread, 1 << number))
        };
        locks.iter().enumerate().filter_map(has).collect()
    }
}

/// What a worker saw.
#[derive(Default)]
pub struct Seen {
    notes: FxHashSet<Note>,
    relied: FxHashSet<Reliance>,
    fresh_notes: Vec<Note>,
    fresh_relied: Vec<Reliance>,
}

impl Seen {
    /// Notes what was touched.
    pub fn note(&mut self, notes: Vec<Note>) {
        for note in notes {
            if self.notes.insert(note.clone()) {
                self.fresh_notes.push(note);
            }
        }
    }

    /// Whether a step is left alone. If so, what it touched is noted, and what it relies upon.
    pub fn leave_alone(
        &mut self,
        discipline: &Discipline<()>,
        step: &Move<'_>,
        footprint: &Footprint,
    ) -> bool {
        let Some(relied) = discipline.alone(step, &[footprint]) else { return false };
        for reliance in relied {
            if self.relied.insert(reliance.clone()) {
                self.fresh_relied.push(reliance);
            }
        }
        self.note(discipline.notes(step, footprint));
        true
    }
}
