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
//!
//! Steps that touch nothing in common with an operation are not looked at, nor steps that
//! come before one that is known to come between and touches all that the operation does
//! ([`crate::touched`]). So a step costs what was touched since, and not what the execution is
//! long.
//!
//! What moves may be a store buffer instead of a thread. A buffer commits a store
//! after its thread made it, and its thread waits at some instructions until all its
//! stores are committed. These steps conflict ([`crate::buffers`]), but could not
//! have come in the other order, so they do not race. Nor do the steps with which threads begin
//! that do so in turn ([`machine::Turns`]).

use std::hash::{DefaultHasher, Hash, Hasher};

use machine::{Mover, Need, ThreadId};
use smallvec::SmallVec;

use crate::buffers::{are_bound, depend};
use crate::clock::Clock;
use crate::footprint::Footprint;
use crate::run::{Run, Taken};
use crate::touched::Touched;
use crate::wakeup::Planned;

/// A step's place in happens-before.
struct Stamp {
    mover: Mover,
    /// What happened before it, itself included.
    clock: Clock,
    /// The clocks that it changed, as they were.
    changed: SmallVec<[(Mover, Clock); 2]>,
    /// The steps that it races with.
    races: SmallVec<[u32; 4]>,
}

/// Happens-before on the steps of an execution.
#[derive(Default)]
pub struct Order {
    stamps: Vec<Stamp>,
    /// What happened before the next step of each thread, and of each buffer.
    pasts: [Vec<Clock>; 2],
    touched: Touched,
}

/// What an operation touches and needs, to find what it races with.
pub struct Operation<'a> {
    /// What moves.
    pub mover: Mover,
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
        let mover = taken.mover;
        let operation =
            Operation { mover, footprint: &taken.footprint, need: taken.need, unsignalled: false };
        let (mut clock, races) = self.races_of(run, &operation);
        clock.advance(mover);
        let mut changed = SmallVec::new();
        changed.push((mover, self.set_past(mover, clock.clone())));
        for woken in taken.wakes.iter().copied().map(Mover::Thread) {
            let mut past = self.past(woken);
            past.join(&clock);
            changed.push((woken, self.set_past(woken, past)));
        }
        self.touched.push(self.stamps.len(), &taken.footprint);
        self.stamps.push(Stamp { mover, clock, changed, races });
    }

    /// What would happen before an operation if it were the next step, and the
    /// steps that it would race with.
    pub fn races_of(&self, run: &Run<'_>, operation: &Operation<'_>) -> (Clock, SmallVec<[u32; 4]>) {
        let before = self.past(operation.mover);
        let waiting = |thread| run.machine().waiting(run.state_before(self.stamps.len()), thread);
        let wait = operation.mover.as_thread().and_then(waiting);
        let unprompted = wait.is_some_and(|wait| wait.timed || !wait.signalled || operation.unsignalled);
        let (between, races) = (before.clone(), SmallVec::new());
        let search = Search { order: self, run, operation, unprompted, before, between, races };
        if operation.footprint.global || run.machine().config().memory_model.has_buffers() {
            return search.among_all();
        }
        debug_assert_eq!(search.clone().among_candidates(), search.clone().among_all());
        search.among_candidates()
    }

    /// Whether an operation could be taken in place of a step once all that does
    /// not depend on the step was. The end of a wait looks at the condition and
    /// at the mutex; in place of a signal, it may have to wait for the mutex. A
    /// join in place of a creation may have to wait for the end.
    fn could_move_later(&self, run: &Run<'_>, operation: &Operation<'_>, step: usize) -> bool {
        let independent = (step + 1..self.stamps.len()).filter(|later| !self.happens_before(step, *later));
        let planned = |step: usize| {
            let Taken { mover, choice, ref footprint, .. } = run.steps()[step];
            Planned { mover, choice, footprint: footprint.clone() }
        };
        let sequence: Vec<Planned> = independent.map(planned).collect();
        run.peek(step, &sequence, operation.mover, 0).is_some()
    }

    /// A number that all executions of the same trace have in common, and in
    /// all likelihood no other.
    pub fn fingerprint(run: &Run<'_>) -> u64 {
        let mut order = Order::default();
        run.steps().iter().for_each(|_| order.push(run));
        let hash = |(stamp, taken): (&Stamp, &Taken)| {
            let mut hasher = DefaultHasher::new();
            (stamp.mover, taken.choice, &stamp.clock).hash(&mut hasher);
            hasher.finish()
        };
        order.stamps.iter().zip(run.steps()).map(hash).fold(0, u64::wrapping_add)
    }

    /// Goes back to so many steps.
    pub fn back_to(&mut self, steps: usize) {
        self.touched.back_to(steps);
        while self.stamps.len() > steps {
            let stamp = self.stamps.pop().expect("a stamp");
            for (mover, past) in stamp.changed.into_iter().rev() {
                self.set_past(mover, past);
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
        past.get(stamp.mover) >= stamp.clock.get(stamp.mover)
    }

    /// What happened before a step, itself included.
    pub fn clock(&self, step: usize) -> &Clock {
        &self.stamps[step].clock
    }

    /// The steps that may conflict with what an operation touches and did not happen in this
    /// past, the last one first, where no stores wait in buffers.
    pub fn conflicting<'a>(
        &'a self,
        footprint: &'a Footprint,
        past: &'a Clock,
    ) -> impl Iterator<Item = usize> + 'a {
        let mut candidates = self.touched.candidates(footprint);
        let all = std::iter::from_fn(move || {
            let step = candidates.next()?;
            candidates.pass(step, self.is_in(step, past));
            Some(step)
        });
        all.filter(|step| !self.is_in(*step, past))
    }

    /// What happened before the next step of a mover.
    pub fn past(&self, mover: Mover) -> Clock {
        let (kind, index) = place(mover);
        self.pasts[kind].get(index).cloned().unwrap_or_default()
    }

    fn set_past(&mut self, mover: Mover, past: Clock) -> Clock {
        let (kind, index) = place(mover);
        let pasts = &mut self.pasts[kind];
        if pasts.len() <= index {
            pasts.resize(index + 1, Clock::default());
        }
        std::mem::replace(&mut pasts[index], past)
    }
}

/// The search for the steps that an operation races with, from the last one backwards.
#[derive(Clone)]
struct Search<'a, 'm> {
    order: &'a Order,
    run: &'a Run<'m>,
    operation: &'a Operation<'a>,
    /// Whether the operation is the end of a wait that no signal need have ended.
    unprompted: bool,
    /// What happens before the operation.
    before: Clock,
    /// Steps after which no step can race with the operation.
    between: Clock,
    races: SmallVec<[u32; 4]>,
}

impl Search<'_, '_> {
    /// Looks at all steps.
    fn among_all(mut self) -> (Clock, SmallVec<[u32; 4]>) {
        (0..self.order.stamps.len()).rev().for_each(|step| self.look_at(step));
        (self.before, self.races)
    }

    /// Looks at those that may conflict with the operation.
    fn among_candidates(mut self) -> (Clock, SmallVec<[u32; 4]>) {
        let mut candidates = self.order.touched.candidates(self.operation.footprint);
        while let Some(step) = candidates.next() {
            self.look_at(step);
            candidates.pass(step, self.order.is_in(step, &self.between));
        }
        (self.before, self.races)
    }

    fn look_at(&mut self, step: usize) {
        let Search { order, run, operation, .. } = *self;
        let stamp = &order.stamps[step];
        if order.is_in(step, &self.between)
            || stamp.mover == operation.mover
            || !depend((stamp.mover, &run.steps()[step].footprint), (operation.mover, operation.footprint))
        {
            return;
        }
        let own = stamp.mover.thread() == operation.mover.thread();
        let in_turn = run.steps()[step].footprint.is_turn_before(operation.footprint);
        let bound = in_turn || own && operation.is_bound_to(run, step);
        let races = !bound && self.could_move(step);
        if races {
            self.races.push(step as u32);
        }
        if bound || races {
            self.between.join(&stamp.clock);
        }
        self.before.join(&stamp.clock);
    }

    /// Whether the operation could have been taken in place of a step, at once or later.
    fn could_move(&self, step: usize) -> bool {
        let Search { order, run, operation, .. } = *self;
        let mover = order.stamps[step].mover;
        // What a join has besides the end that it waits for is not ordered with that.
        let joins = matches!(operation.need, Some(Need::End(peer)) if Mover::Thread(peer) != mover);
        let asks_all = self.unprompted || joins;
        operation.could_move(run, step) || asks_all && order.could_move_later(run, operation, step)
    }
}

/// Where the past of a mover is kept.
fn place(mover: Mover) -> (usize, usize) {
    (usize::from(!mover.is_thread()), mover.thread().0 as usize)
}

impl Operation<'_> {
    /// Whether it could have been taken in place of a step.
    fn could_move(&self, run: &Run<'_>, step: usize) -> bool {
        let (machine, state) = (run.machine(), run.state_before(step));
        let in_time =
            !self.unsignalled || machine.waiting(state, self.thread()).is_some_and(|wait| !wait.signalled);
        let kept = machine.keeper(state).is_some_and(|keeper| self.mover != Mover::Thread(keeper));
        in_time && !kept && self.need.is_none_or(|need| machine.is_open(state, self.thread(), need))
    }

    /// Whether it and a step of the same thread or its buffer could not have come in
    /// the other order.
    fn is_bound_to(&self, run: &Run<'_>, step: usize) -> bool {
        let possible =
            || self.mover.is_thread() || run.machine().can_take_step(run.state_before(step), self.mover);
        are_bound(&run.steps()[step].footprint, self.footprint) || !possible()
    }

    fn thread(&self) -> ThreadId {
        self.mover.thread()
    }
}
