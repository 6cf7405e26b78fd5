//! Happens-before on the steps of the current execution, and its races.
//!
//! A step happens after the earlier steps of its thread, after those that
//! started its thread or let it go on (a barrier, a signal), and after every
//! earlier step that it conflicts with.
//!
//! Two steps of different threads *race* if they conflict, nothing comes
//! between them in happens-before, and the second could have been taken in
//! place of the first. For an operation that blocks the last is a question to
//! the state: before the *unlock* that let a thread in, its lock would have
//! blocked, so these two do not race; before the lock of the thread that
//! unlocks it would not have. So the steps are searched backwards past those
//! before which the operation would have blocked; these do not count as coming
//! between. All operations on a lock are in an order, so it does not matter that
//! the question is put to this execution alone. The end of a wait touches two
//! objects, and for it all executions of the trace are asked; so does a join,
//! after which what the other thread had can be given to a new one.

use std::hash::{DefaultHasher, Hash, Hasher};

use machine::{Need, ThreadId};
use smallvec::SmallVec;

use crate::clock::Clock;
use crate::footprint::Footprint;
use crate::run::{Run, Taken};
use crate::wakeup::Planned;

/// A step's place in happens-before.
struct Stamp {
    thread: ThreadId,
    /// What happened before it, itself included.
    clock: Clock,
    /// The clocks that it changed, as they were.
    changed: SmallVec<[(ThreadId, Clock); 2]>,
    /// The steps that it races with.
    races: SmallVec<[u32; 4]>,
}

/// Happens-before on the steps of an execution.
#[derive(Default)]
pub struct Order {
    stamps: Vec<Stamp>,
    /// What happened before the next step of each thread.
    pasts: Vec<Clock>,
}

/// What an operation touches and needs, to find what it races with.
pub struct Operation<'a> {
    /// The thread whose operation it is.
    pub thread: ThreadId,
    /// What it touches.
    pub footprint: &'a Footprint,
    /// What it needs in order not to block.
    pub need: Option<Need>,
    /// Whether it also needs that its wait was not signalled yet.
    pub unsignalled: bool,
}

impl Order {
    /// Adds the next step of the run.
    pub fn push(&mut self, run: &Run<'_>) {
        let taken = &run.steps()[self.stamps.len()];
        let thread = taken.thread;
        let operation =
            Operation { thread, footprint: &taken.footprint, need: taken.need, unsignalled: false };
        let (mut clock, races) = self.races_of(run, &operation);
        clock.advance(thread);
        let mut changed = SmallVec::new();
        changed.push((thread, self.set_past(thread, clock.clone())));
        for woken in taken.wakes.iter().copied() {
            let mut past = self.past(woken);
            past.join(&clock);
            changed.push((woken, self.set_past(woken, past)));
        }
        self.stamps.push(Stamp { thread, clock, changed, races });
    }

    /// What would happen before an operation if it were the next step, and the
    /// steps that it would race with.
    pub fn races_of(&self, run: &Run<'_>, operation: &Operation<'_>) -> (Clock, SmallVec<[u32; 4]>) {
        let mut before = self.past(operation.thread);
        let mut between = before.clone();
        let mut races = SmallVec::new();
        let wait = run.machine().waiting(run.state_before(self.stamps.len()), operation.thread);
        let unprompted = wait.is_some_and(|wait| wait.timed || !wait.signalled || operation.unsignalled);
        for (index, stamp) in self.stamps.iter().enumerate().rev() {
            let at = stamp.clock.get(stamp.thread);
            if between.get(stamp.thread) >= at
                || stamp.thread == operation.thread
                || !run.steps()[index].footprint.conflicts(operation.footprint)
            {
                continue;
            }
            // What a join has besides the end that it waits for is not ordered with that.
            let joins = matches!(operation.need, Some(Need::End(peer)) if peer != stamp.thread);
            let asks_all = unprompted || joins;
            if operation.could_move(run, index) || asks_all && self.could_move_later(run, operation, index) {
                races.push(index as u32);
                between.join(&stamp.clock);
            }
            before.join(&stamp.clock);
        }
        (before, races)
    }

    /// Whether an operation could be taken in place of a step once all that does
    /// not depend on the step was. The end of a wait looks at the condition and
    /// at the mutex; in place of a signal, it may have to wait for the mutex. A
    /// join in place of a creation may have to wait for the end.
    fn could_move_later(&self, run: &Run<'_>, operation: &Operation<'_>, step: usize) -> bool {
        let independent = (step + 1..self.stamps.len()).filter(|later| !self.happens_before(step, *later));
        let planned = |step: usize| {
            let Taken { thread, choice, ref footprint, .. } = run.steps()[step];
            Planned { thread, choice, footprint: footprint.clone() }
        };
        let sequence: Vec<Planned> = independent.map(planned).collect();
        run.peek(step, &sequence, operation.thread, 0).is_some()
    }

    /// A number that all executions of the same trace have in common, and in
    /// all likelihood no other.
    pub fn fingerprint(run: &Run<'_>) -> u64 {
        let mut order = Order::default();
        run.steps().iter().for_each(|_| order.push(run));
        let hash = |(stamp, taken): (&Stamp, &Taken)| {
            let mut hasher = DefaultHasher::new();
            (stamp.thread, taken.choice, &stamp.clock).hash(&mut hasher);
            hasher.finish()
        };
        order.stamps.iter().zip(run.steps()).map(hash).fold(0, u64::wrapping_add)
    }

    /// Goes back to so many steps.
    pub fn back_to(&mut self, steps: usize) {
        while self.stamps.len() > steps {
            let stamp = self.stamps.pop().expect("a stamp");
            for (thread, past) in stamp.changed.into_iter().rev() {
                self.pasts[thread.0 as usize] = past;
            }
        }
    }

    /// The steps that a step races with.
    pub fn races(&self, step: usize) -> &[u32] {
        &self.stamps[step].races
    }

    /// Whether a step happens before another, or is the same.
    pub fn happens_before(&self, first: usize, second: usize) -> bool {
        self.is_in(first, &self.stamps[second].clock)
    }

    /// What happened before all steps from `later` on.
    pub fn common_past(&self, later: usize) -> Clock {
        let mut clocks = self.stamps[later..].iter().map(|stamp| &stamp.clock);
        let mut common = clocks.next().cloned().unwrap_or_default();
        clocks.for_each(|clock| common.meet(clock));
        common
    }

    /// Whether a step is in a past.
    pub fn is_in(&self, step: usize, past: &Clock) -> bool {
        let stamp = &self.stamps[step];
        past.get(stamp.thread) >= stamp.clock.get(stamp.thread)
    }

    /// What happened before a step, itself included.
    pub fn clock(&self, step: usize) -> &Clock {
        &self.stamps[step].clock
    }

    fn past(&self, thread: ThreadId) -> Clock {
        self.pasts.get(thread.0 as usize).cloned().unwrap_or_default()
    }

    fn set_past(&mut self, thread: ThreadId, past: Clock) -> Clock {
        let index = thread.0 as usize;
        if self.pasts.len() <= index {
            self.pasts.resize(index + 1, Clock::default());
        }
        std::mem::replace(&mut self.pasts[index], past)
    }
}

impl Operation<'_> {
    /// Whether it could have been taken in place of a step.
    fn could_move(&self, run: &Run<'_>, step: usize) -> bool {
        let (machine, state) = (run.machine(), run.state_before(step));
        let in_time =
            !self.unsignalled || machine.waiting(state, self.thread).is_some_and(|wait| !wait.signalled);
        let kept = machine.keeper(state).is_some_and(|keeper| keeper != self.thread);
        in_time && !kept && self.need.is_none_or(|need| machine.is_open(state, self.thread, need))
    }
}
