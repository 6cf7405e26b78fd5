//! Which threads can move, which wait for which, and deadlock.
//!
//! Deadlock is decided on the wait-for state. A set of threads is stuck if
//! each waits for something that only threads of the set, or ended ones, could
//! give; the largest such set is a greatest fixpoint. If it holds all threads
//! that are alive, the deadlock is global, otherwise local.

use std::borrow::Borrow;

use ir::{Instr, Operand, SyncOp};
use smallvec::{SmallVec, smallvec};

use crate::machine::Machine;
use crate::state::State;
use crate::state::thread::{Status, SyncPlace, Thread};
use crate::sync::{Mutex, MutexKind, Once, RwLock, SyncObject};
use crate::telling::describe::quoted;
use crate::telling::fault::{Fault, FaultKind, ThreadId, Wait};
use crate::telling::observer::Place;
use ir::operation::{Needs, Operation, Subject};

/// Why a thread cannot go on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Blocked {
    /// Every one of the holders must release the object.
    Held { what: &'static str, at: Option<SyncPlace>, holders: SmallVec<[ThreadId; 2]> },
    /// The thread must end.
    Join(ThreadId),
    /// Any thread could signal, post or arrive.
    Anyone { what: &'static str, at: SyncPlace },
}

/// What a thread wants to have: an object, alone or with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    pub at: SyncPlace,
    pub subject: Subject,
    pub shares: bool,
}

/// Whether a thread can move, and what it waits for if not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    alive: bool,
    /// Whether it can take a step, spurious wakeups included.
    moves: bool,
    /// Whether it keeps the others from moving while it can move itself.
    keeps_others: bool,
    blocked: Option<Blocked>,
}

impl Guard {
    /// That of a thread that waits for nothing.
    pub(crate) fn unblocked() -> Guard {
        Guard { alive: true, moves: true, keeps_others: false, blocked: None }
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.alive
    }

    pub(crate) fn moves(&self) -> bool {
        self.moves
    }

    pub(crate) fn keeps_others(&self) -> bool {
        self.keeps_others
    }

    pub(crate) fn blocked(&self) -> Option<&Blocked> {
        self.blocked.as_ref()
    }
}

/// The threads that can take a step, ascending, by the guards of all threads.
/// A thread in an atomic section keeps the others from moving while it can
/// move itself; not while it waits on a condition, which they are to make true.
pub fn runnable<T: From<ThreadId>>(guards: impl Iterator<Item = impl Borrow<Guard>>) -> SmallVec<[T; 8]> {
    let mut runnable = SmallVec::new();
    for (index, guard) in guards.enumerate() {
        let (thread, guard) = (ThreadId(index as u32), guard.borrow());
        if guard.moves && guard.keeps_others {
            return std::iter::once(T::from(thread)).collect();
        }
        if guard.moves {
            runnable.push(T::from(thread));
        }
    }
    runnable
}

/// The threads that will never move again but are not over, ascending, by the
/// guards of all threads.
pub fn stuck<'a>(guards: impl Iterator<Item = &'a Guard> + Clone) -> SmallVec<[ThreadId; 8]> {
    let blocked = numbered(guards.clone()).filter(|(_, guard)| guard.blocked.is_some());
    let blocked = blocked.map(|(thread, _)| thread).collect();
    stuck_among(guards, blocked, |others_run| !others_run)
}

/// The largest set of stuck threads within one. Whether a thread is stuck that
/// waits for what any thread could do is told by whether others run.
pub(crate) fn stuck_among<'a>(
    guards: impl Iterator<Item = &'a Guard>,
    mut stuck: SmallVec<[ThreadId; 8]>,
    waits_for_ever: impl Fn(bool) -> bool,
) -> SmallVec<[ThreadId; 8]> {
    if stuck.is_empty() {
        return stuck;
    }
    let guards: SmallVec<[&Guard; 8]> = guards.collect();
    let mut is_stuck: SmallVec<[bool; 32]> = smallvec![false; guards.len()];
    stuck.iter().for_each(|thread| is_stuck[thread.0 as usize] = true);
    loop {
        let others_run = guards.iter().zip(&is_stuck).any(|(guard, stuck)| guard.alive && !stuck);
        let never = |t: &ThreadId| {
            let index = t.0 as usize;
            is_stuck[index] || !guards[index].alive
        };
        let stays = |blocked: &Blocked| match blocked {
            Blocked::Held { holders, .. } => holders.iter().any(never),
            Blocked::Join(peer) => is_stuck[peer.0 as usize],
            Blocked::Anyone { .. } => waits_for_ever(others_run),
        };
        let stays = |t: &ThreadId| guards[t.0 as usize].blocked.as_ref().is_some_and(stays);
        let (still, free): (SmallVec<[ThreadId; 8]>, SmallVec<[ThreadId; 8]>) =
            stuck.into_iter().partition(stays);
        free.iter().for_each(|thread| is_stuck[thread.0 as usize] = false);
        stuck = still;
        if free.is_empty() || stuck.is_empty() {
            return stuck;
        }
    }
}

fn numbered<'a>(guards: impl Iterator<Item = &'a Guard>) -> impl Iterator<Item = (ThreadId, &'a Guard)> {
    guards.enumerate().map(|(index, guard)| (ThreadId(index as u32), guard))
}

impl Machine {
    /// What the thread waits for; `None` if it can go on. Spurious wakeups do
    /// not count: no program may rely on them.
    pub(crate) fn blocked(&self, state: &State, thread: ThreadId) -> Option<Blocked> {
        match &state.thread(thread).status {
            Status::Ended => None,
            Status::AtBarrier(at) => Some(Blocked::Anyone { what: "barrier", at: *at }),
            Status::Waiting(wait) if !wait.signalled && !wait.timed => {
                Some(Blocked::Anyone { what: "condition variable", at: wait.cond })
            }
            Status::Waiting(wait) => self.mutex_taken(state, thread, wait.mutex),
            Status::Ready => self.blocked_at_instruction(state, thread),
        }
    }

    fn blocked_at_instruction(&self, state: &State, thread: ThreadId) -> Option<Blocked> {
        let frame = state.thread(thread).frame();
        match &self.program().function(frame.function).code[frame.pc as usize] {
            Instr::Sync { op, args, .. } => self.blocked_at_sync(state, thread, *op, args),
            Instr::AtomicBegin { .. } if state.thread(thread).atomic == 0 => {
                let holder = state.alive().find(|t| *t != thread && state.thread(*t).atomic > 0)?;
                Some(Blocked::Held { what: "atomic section", at: None, holders: smallvec![holder] })
            }
            _ => None,
        }
    }

    fn blocked_at_sync(
        &self,
        state: &State,
        thread: ThreadId,
        op: SyncOp,
        args: &[Operand],
    ) -> Option<Blocked> {
        match Operation::of(op).needs() {
            Needs::Nothing => None,
            Needs::End => {
                let peer = state.thread_of_handle(self.peek(state, thread, args[0]))?;
                let other = state.thread(peer);
                let waits = other.is_alive() && peer != thread && !other.detached && !other.joined;
                waits.then_some(Blocked::Join(peer))
            }
            Needs::Object { .. } => self.taken(state, thread, self.wanted_by(state, thread, op, args)?),
        }
    }

    /// What a thread wants to have that is about to take an object.
    pub(crate) fn wanted(&self, state: &State, thread: ThreadId) -> Option<Wanted> {
        let Some(Instr::Sync { op, args, .. }) = self.next_instruction(state, thread) else { return None };
        self.wanted_by(state, thread, *op, args)
    }

    fn wanted_by(&self, state: &State, thread: ThreadId, op: SyncOp, args: &[Operand]) -> Option<Wanted> {
        let operation = Operation::of(op);
        let Needs::Object { shares } = operation.needs() else { return None };
        let at = self.peek_place(state, thread, args[0])?;
        Some(Wanted { at, subject: operation.subject, shares })
    }

    /// What keeps a thread from having what it wants. It is the same for all threads but
    /// those that have it or wait at it already.
    pub(crate) fn taken(&self, state: &State, thread: ThreadId, wanted: Wanted) -> Option<Blocked> {
        let Wanted { at, subject, shares } = wanted;
        let held = |what, holders: SmallVec<[ThreadId; 2]>| {
            (!holders.is_empty()).then_some(Blocked::Held { what, at: Some(at), holders })
        };
        let sync = || state.memory.get(at.0)?.sync_at(at.1);
        match subject {
            Subject::Mutex => self.mutex_taken(state, thread, at),
            Subject::Spin => {
                let owner = self.spin_at(state, at)?.owner.filter(|owner| self.must_wait(*owner, thread));
                held("spin lock", owner.into_iter().collect())
            }
            Subject::RwLock => {
                held("rwlock", self.rwlock_keepers(&self.rwlock_at(state, at)?, thread, shares))
            }
            Subject::Semaphore => {
                let empty = matches!(sync()?, SyncObject::Semaphore(s) if s.value == 0);
                empty.then_some(Blocked::Anyone { what: "semaphore", at })
            }
            Subject::Once => match sync()? {
                SyncObject::Once(Once::Running(holder)) => held("once initialiser", smallvec![*holder]),
                _ => None,
            },
            Subject::Cond | Subject::Barrier | Subject::Thread | Subject::Key => None,
        }
    }

    fn mutex_taken(&self, state: &State, thread: ThreadId, at: SyncPlace) -> Option<Blocked> {
        let mutex = self.mutex_at(state, at)?;
        let owner = mutex.owner.filter(|_| !self.may_take(&mutex, thread))?;
        Some(Blocked::Held { what: "mutex", at: Some(at), holders: smallvec![owner] })
    }

    /// Whether a thread that locks a mutex need not wait. A normal one that it
    /// holds itself makes it wait for ever, unless that is looked for as misuse:
    /// then it is reported when executed.
    pub(crate) fn may_take(&self, mutex: &Mutex, thread: ThreadId) -> bool {
        let again = mutex.kind != MutexKind::Normal || self.reports_misuse;
        mutex.owner.is_none_or(|owner| owner == thread && again)
    }

    /// Whether a thread that wants what another one holds, or it itself, has
    /// to wait. For itself it would wait for ever, unless that is looked for
    /// as misuse: then it is reported when executed.
    pub(crate) fn must_wait(&self, owner: ThreadId, thread: ThreadId) -> bool {
        owner != thread || !self.reports_misuse
    }

    /// The holders of a lock that a thread has to wait for if it wants to read
    /// or to write. The lock may tell the thread that has it for writing so,
    /// instead of making it wait. So that thread counts as one that waits for
    /// ever only where deadlocks are looked for.
    pub(crate) fn rwlock_keepers(
        &self,
        lock: &RwLock,
        thread: ThreadId,
        reads: bool,
    ) -> SmallVec<[ThreadId; 2]> {
        let readers = lock.readers.iter().filter(|_| !reads);
        let holders: SmallVec<_> = lock.writer.iter().chain(readers).copied().collect();
        let told = lock.writer == Some(thread) && !self.reports_deadlocks;
        let open = told || holders.iter().any(|holder| !self.must_wait(*holder, thread));
        if open { SmallVec::new() } else { holders }
    }

    /// Whether a thread can move, and what it waits for.
    pub fn guard(&self, state: &State, thread: ThreadId) -> Guard {
        let Thread { status, atomic, .. } = state.thread(thread);
        let blocked = self.blocked(state, thread);
        let moves = match status {
            Status::Ended => false,
            Status::Waiting(wait) => self.mutex_taken(state, thread, wait.mutex).is_none(),
            _ => blocked.is_none(),
        };
        let moves = moves && !self.must_drain(state, thread);
        let keeps_others = *atomic > 0 && *status == Status::Ready;
        Guard { alive: *status != Status::Ended, moves, keeps_others, blocked }
    }

    /// The threads that can take a step, ascending.
    pub fn runnable(&self, state: &State) -> SmallVec<[ThreadId; 8]> {
        runnable(state.thread_ids().map(|thread| self.guard(state, thread)))
    }

    /// The thread that a step started, if it can move: within an atomic section
    /// it has to wait.
    pub fn started(&self, before: &State, after: &State) -> Option<ThreadId> {
        let last = ThreadId(after.threads.len() as u32 - 1);
        (after.threads.len() > before.threads.len() && self.can_move(after, last)).then_some(last)
    }

    /// Whether a thread can take a step. The same as being among
    /// [`Machine::runnable`], without looking at what the others wait for.
    pub fn can_move(&self, state: &State, thread: ThreadId) -> bool {
        self.guard(state, thread).moves && self.keeper(state).is_none_or(|keeper| keeper == thread)
    }

    /// Whether a thread can take a step, and not only because a wait may end by
    /// itself.
    pub fn goes_on(&self, state: &State, thread: ThreadId) -> bool {
        state.thread(thread).is_alive()
            && self.blocked(state, thread).is_none()
            && !self.must_drain(state, thread)
            && self.keeper(state).is_none_or(|keeper| keeper == thread)
    }

    /// The deadlock in this state, global or local, if there is one.
    pub fn deadlock(&self, state: &State) -> Option<Fault> {
        let guards: SmallVec<[Guard; 8]> = state.thread_ids().map(|t| self.guard(state, t)).collect();
        self.deadlock_of(state, &guards, &stuck(guards.iter()))
    }

    /// The deadlock of these threads; none if there are none.
    pub(crate) fn deadlock_of(&self, state: &State, guards: &[Guard], stuck: &[ThreadId]) -> Option<Fault> {
        let first = *stuck.first()?;
        let wait = |t: &ThreadId| {
            let blocked = guards[t.0 as usize].blocked.as_ref().expect("a thread that is stuck waits");
            self.wait(state, *t, blocked)
        };
        let waits = stuck.iter().map(wait).collect();
        let global = stuck.len() == guards.iter().filter(|guard| guard.alive).count();
        let kind = if global { FaultKind::Deadlock { waits } } else { FaultKind::LocalDeadlock { waits } };
        Some(self.fault(state, first, kind)).filter(|fault| !self.is_suppressed(fault))
    }

    /// What a thread waits for, if it cannot go on.
    pub fn waits_for(&self, state: &State, thread: ThreadId) -> Option<Wait> {
        self.blocked(state, thread).map(|blocked| self.wait(state, thread, &blocked))
    }

    fn wait(&self, state: &State, thread: ThreadId, blocked: &Blocked) -> Wait {
        let name = |what: &str, at: SyncPlace| {
            let place = Place { object: at.0, offset: at.1, len: 1 };
            format!("{what} {}", quoted(&self.describe_for(state, thread, place)))
        };
        let (object, holders) = match blocked {
            Blocked::Held { what, at: Some(at), holders } => (name(what, *at), holders.to_vec()),
            Blocked::Held { what, at: None, holders } => ((*what).to_owned(), holders.to_vec()),
            Blocked::Join(peer) => (format!("the end of {peer}"), vec![*peer]),
            Blocked::Anyone { what, at } => (name(what, *at), Vec::new()),
        };
        Wait { thread, at: self.position(state, thread), object, holders }
    }
}
