//! Loops that spin: an iteration that changed nothing is not repeated until
//! something it looked at has changed.
//!
//! A thread spins if, moving alone, it comes back to the state it is in. Going
//! round would lead to the same state again and again, so the thread is held
//! until another one has written to what its iteration touched and the
//! memory is no longer as it was. States that can be reached stay the same. A
//! thread that is held has not been preempted when another one moves.
//!
//! An iteration must not even change anything for a moment, so that no other
//! thread could have seen it. Locks may be taken and released, unless the
//! program can find out without waiting that a lock is held. A lock that the
//! thread held when the iteration began must not be released in it, for others may
//! need it; the same loop is then an iteration from where the lock is not held.
//! The exception is an iteration that begins with a wait on a condition: there
//! the thread may begin to wait again, only not wake by itself, because a wait that
//! wakes by itself and is begun anew can as well go on. That is so unless the
//! condition was signalled in between: then it does not count as an iteration. A
//! wait with a time limit is held while it lasts: a signal that would have come
//! between two waits comes now in one, which lets the thread go on, and may be
//! consumed by a time-out.
//!
//! (Searches that reverse every race have [`crate::idle`], which says why.)
//!
//! If no threads can move but those that are held, they spin for ever: a livelock.

use std::sync::Arc;

use ir::{Instr, SyncOp};
use machine::{Machine, State, ThreadId};
use smallvec::SmallVec;

use crate::footprint::Footprint;
use crate::run::Run;

/// The longest iteration looked for, in steps of the thread.
const LONGEST: usize = 64;

/// A thread that is held.
#[derive(Clone)]
struct Held {
    thread: ThreadId,
    spin: Arc<Spin>,
    /// Whether another thread has touched what the iteration touched.
    touched: bool,
}

/// An iteration that changed nothing.
pub struct Spin {
    /// What it touched.
    footprint: Footprint,
    /// The state it leads from and to.
    state: State,
    /// The data choices of its steps.
    choices: Vec<u64>,
}

/// The threads that are held, after each step of an execution.
pub struct Spins {
    /// Whether the program can see that a lock is held.
    tries_locks: bool,
    now: SmallVec<[Held; 2]>,
    before: Vec<SmallVec<[Held; 2]>>,
}

impl Spins {
    /// At the beginning of an execution.
    pub fn new(machine: &Machine) -> Spins {
        Spins { tries_locks: machine.tries_locks(), now: SmallVec::new(), before: Vec::new() }
    }

    /// Looks at the last step of the run.
    pub fn push(&mut self, run: &Run<'_>) {
        let taken = run.steps().last().expect("a step was taken");
        self.before.push(self.now.clone());
        let signals = |spin: &Spin| taken.effect.signals && spin.footprint.conflicts(&taken.footprint);
        self.now.retain(|held| held.thread != taken.thread() && !signals(&held.spin));
        for held in &mut self.now {
            held.touched |= held.spin.footprint.conflicts(&taken.footprint);
        }
        if let Some(spin) = self.iteration(run, taken.thread()) {
            self.now.push(Held { thread: taken.thread(), spin: Arc::new(spin), touched: false });
        }
    }

    /// Goes back to so many steps.
    pub fn back_to(&mut self, steps: usize) {
        self.before.truncate(steps + 1);
        if self.before.len() > steps {
            self.now = self.before.pop().expect("the threads held before the step");
        }
    }

    /// The iteration that a thread need not repeat in the run's state.
    pub fn of(&self, run: &Run<'_>, thread: ThreadId) -> Option<&Spin> {
        let held = self.now.iter().find(|held| held.thread == thread)?;
        let changed = held.touched && !run.machine().same_memory(&held.spin.state, run.state());
        (!changed).then_some(&*held.spin)
    }

    /// Whether the thread must not move. One that is about to wait on a
    /// condition may, only not wake by itself again.
    pub fn holds(&self, run: &Run<'_>, thread: ThreadId) -> bool {
        self.of(run, thread).is_some() && !is_at_wait(run, thread)
    }

    /// Whether a wait that the thread is about to begin may end by itself.
    pub fn may_wake_by_itself(&self, run: &Run<'_>, thread: ThreadId) -> bool {
        self.of(run, thread).is_none()
    }
}

impl Spins {
    /// An iteration of the thread from here on that changes nothing. It is looked
    /// for where the thread has come to a place where it was before, with the same
    /// memory.
    fn iteration(&self, run: &Run<'_>, thread: ThreadId) -> Option<Spin> {
        let (machine, now) = (run.machine(), run.state());
        let place = |state: &State| {
            let waits = machine.waiting(state, thread);
            // Whether one without a time limit wakes by itself is chosen before.
            let is_chosen = waits.is_some_and(|wait| !wait.timed);
            let at = machine.program_counter(state, thread).filter(|_| !is_chosen)?;
            Some((at, waits.is_some()))
        };
        let here = place(now)?;
        let steps = run.steps();
        let own = |step: &usize| steps[*step].mover == thread.into();
        let is_here = |step: &usize| place(run.state_before(*step)) == Some(here);
        let start = (0..steps.len()).rev().filter(own).take(LONGEST).find(is_here)?;
        if !machine.same_memory(run.state_before(start), now) {
            return None;
        }
        if steps[start..].iter().any(|step| step.effect.signals) {
            return None;
        }
        let choices: Vec<u64> = (start..steps.len()).filter(own).map(|step| steps[step].choice).collect();
        let footprint = self.go_round(run, thread, &choices)?;
        Some(Spin { footprint, state: now.clone(), choices })
    }

    /// Has the thread go round alone. What it touches, if that changes nothing.
    fn go_round(&self, run: &Run<'_>, thread: ThreadId, choices: &[u64]) -> Option<Footprint> {
        let (machine, before) = (run.machine(), run.state());
        let mut round = run.fork();
        let mut footprint = Footprint::default();
        for choice in choices {
            if !round.enabled_threads().contains(&thread) || round.step(thread, *choice).end.is_some() {
                return None;
            }
            let unseen = match self.tries_locks {
                true => machine.same_memory(before, round.state()),
                false => machine.same_contents(before, round.state()),
            };
            let waits = is_at_wait(run, thread) && round.steps().len() == 1;
            if !unseen || !waits && !machine.keeps_locks(before, round.state(), thread) {
                return None;
            }
            let touched = &round.steps().last()?.footprint;
            footprint.global |= touched.global;
            touched.accesses.iter().for_each(|access| footprint.add(*access));
        }
        let after = round.state();
        let same =
            machine.same_memory(before, after) && canonical(machine, before) == canonical(machine, after);
        same.then_some(footprint)
    }
}

impl Spin {
    /// What the iteration touched.
    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// The data choices of the iteration's steps.
    pub fn choices(&self) -> &[u64] {
        &self.choices
    }
}

fn is_at_wait(run: &Run<'_>, thread: ThreadId) -> bool {
    let next = run.machine().next_instruction(run.state(), thread);
    matches!(next, Some(Instr::Sync { op: SyncOp::CondWait, .. }))
}

fn canonical(machine: &Machine, state: &State) -> Vec<u8> {
    let (mut state, mut bytes) = (state.clone(), Vec::new());
    machine.normalise(&mut state);
    machine.canonical(&state, &mut bytes);
    bytes
}
