//! The execution that a search is in: it can go on by a step, and go back.
//!
//! A step is a thread's next visible operation with the invisible ones that
//! follow it ([`Grain::Causal`]), or a store buffer's next commit. Before each step the state is kept; states
//! share what did not change, so going back costs nothing and going on costs
//! what the step touches, however long the execution is.
//!
//! **Waiting on a condition.** A wait may end by itself. When a thread begins
//! to wait (without a time limit), a choice decides whether it will: with 0 it
//! goes on only once it is signalled, with 1 only before. Every execution of
//! the machine is one of these, and a deadlock is now a state from which no
//! thread goes on: the searches need not pass through every state to see it.

use std::sync::Arc;

use ir::{Instr, SyncOp};
use machine::{
    Enabled, Grain, Kind, Machine, MemoryModel, Mover, Movers, Need, NeedsSymbolic, Place, State, Step,
    ThreadId, Turns, needed,
};
use smallvec::SmallVec;
use trace::{Trace, TraceStep};

use crate::buffers::Buffers;
use crate::effect::Effect;
use crate::footprint::{Access, Footprint, Recorder};
use crate::idle::{Conditions, Look};
use crate::names::Names;
use crate::wakeup::Planned;

/// How far every step goes.
pub const GRAIN: Grain = Grain::Causal;

/// Debug builds compare with all threads where there are so few.
const COMPARED: usize = 64;

/// A step that was taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// What moved.
    pub mover: Mover,
    /// The data choice, among [`Run::choices`].
    pub choice: u64,
    /// What the step touched.
    pub footprint: Footprint,
    /// What it changed.
    pub effect: Effect,
    /// What the step needed in order not to block.
    pub need: Option<Need>,
    /// Threads that it let go on: from a barrier, by a signal, or new ones.
    pub wakes: SmallVec<[ThreadId; 2]>,
}

impl Taken {
    /// The thread that moved, or whose buffer did.
    pub fn thread(&self) -> ThreadId {
        self.mover.thread()
    }
}

/// What a thread that spins does once more.
pub struct Round {
    /// The thread.
    pub thread: ThreadId,
    /// The data choices of its steps.
    pub choices: Vec<u64>,
}

/// An operation that is still to come.
pub struct Pending {
    /// What moves in it.
    pub mover: Mover,
    /// What it touches.
    pub footprint: Footprint,
    /// What it needs in order not to block.
    pub need: Option<Need>,
    /// Whether it also needs that its wait was not signalled yet.
    pub unsignalled: bool,
}

/// A moment of an execution.
#[derive(Clone)]
struct Moment {
    state: State,
    names: Arc<Names>,
    /// Threads that were not joined.
    unjoined: u32,
    /// Threads whose wait will end by itself.
    by_itself: SmallVec<[ThreadId; 2]>,
    /// Threads that spin, where that is looked for, and where their round began.
    idle: SmallVec<[(ThreadId, usize); 2]>,
    /// How many stores went into buffers and left them.
    buffers: Buffers,
    /// Which threads have begun, where they do so in turn.
    turns: Option<Turns>,
}

/// The beginning of an execution: the moments before each of its steps, and the
/// one after the last.
pub struct Beginning {
    steps: Vec<Taken>,
    before: Vec<Moment>,
    now: Moment,
}

impl Beginning {
    /// How many of these steps it begins with.
    pub fn common(&self, steps: &[(Mover, u64)]) -> usize {
        let same = |(mine, step): &(&Taken, &(Mover, u64))| (mine.mover, mine.choice) == **step;
        self.steps.iter().zip(steps).take_while(same).count()
    }
}

/// An execution, from the initial state to now.
pub struct Run<'m> {
    machine: &'m Machine,
    /// Which rounds are idle, if threads that spin do not move any more.
    stops_spins: Option<Conditions>,
    now: Moment,
    steps: Vec<Taken>,
    /// The moment before each step.
    before: Vec<Moment>,
}

impl<'m> Run<'m> {
    /// The empty execution.
    pub fn new(machine: &'m Machine) -> Run<'m> {
        let now = Moment {
            state: machine.initial(),
            names: Arc::default(),
            unjoined: 1,
            by_itself: SmallVec::new(),
            idle: SmallVec::new(),
            buffers: Buffers::default(),
            turns: None,
        };
        Run { machine, stops_spins: None, now, steps: Vec::new(), before: Vec::new() }
    }

    /// The same, but a thread that spins does not move any more.
    pub fn stopping_spins(self) -> Run<'m> {
        Run { stops_spins: Some(Conditions::of(self.machine)), ..self }
    }

    /// The same, but threads that are alike begin in turn.
    pub fn beginning_in_turn(mut self) -> Run<'m> {
        self.now.turns = Some(Turns::default());
        self
    }

    /// An execution that goes on from here, without the steps so far. Threads that
    /// spin move too.
    pub fn fork(&self) -> Run<'m> {
        let now = Moment { idle: SmallVec::new(), ..self.now.clone() };
        Run { now, ..Run::new(self.machine) }
    }

    /// The machine.
    pub fn machine(&self) -> &'m Machine {
        self.machine
    }

    /// The state it has come to.
    pub fn state(&self) -> &State {
        &self.now.state
    }

    /// The state before a step.
    pub fn state_before(&self, step: usize) -> &State {
        self.before.get(step).map_or(&self.now.state, |moment| &moment.state)
    }

    /// The steps taken.
    pub fn steps(&self) -> &[Taken] {
        &self.steps
    }

    /// The names of the objects that live now.
    pub fn names(&self) -> &Names {
        &self.now.names
    }

    /// What can move, ascending.
    pub fn enabled(&self) -> Movers {
        self.now.enabled(self.machine)
    }

    /// The same, by the threads that the machine lets move.
    pub fn movers(&self, enabled: &Enabled) -> impl Iterator<Item = Mover> {
        let goes_on = |thread: &ThreadId| self.now.goes_on(self.machine, *thread);
        let mut buffers = Movers::new();
        self.machine.add_buffers(self.state(), &mut buffers);
        enabled.threads().filter(goes_on).map(Mover::Thread).chain(buffers)
    }

    /// Whether one is among what can move.
    pub fn can_move(&self, mover: Mover) -> bool {
        self.now.can_move(self.machine, mover)
    }

    /// The threads that can move, ascending.
    pub fn enabled_threads(&self) -> SmallVec<[ThreadId; 8]> {
        self.enabled().into_iter().filter_map(Mover::as_thread).collect()
    }

    /// What could move before a step.
    pub fn enabled_before(&self, step: usize) -> Movers {
        self.before[step].enabled(self.machine)
    }

    /// How many data choices the next step of a mover has.
    pub fn choices(&self, mover: impl Into<Mover>) -> Result<u64, NeedsSymbolic> {
        choices(self.machine, &self.now.state, mover.into())
    }

    /// Takes a step with one that is enabled.
    pub fn step(&mut self, mover: impl Into<Mover>, choice: u64) -> Step {
        let mover = mover.into();
        self.before.push(self.now.clone());
        let (taken, result) = self.now.step(self.machine, mover, choice);
        self.steps.push(taken);
        if let (Mover::Thread(thread), Some(conditions)) = (mover, self.stops_spins)
            && let Some(start) = self.round(thread, conditions)
        {
            self.now.idle.push((thread, start));
        }
        result
    }

    fn round(&self, thread: ThreadId, conditions: Conditions) -> Option<usize> {
        let condition = self.machine.waiting(self.state(), thread).map(|wait| wait.cond);
        let look = Look {
            machine: self.machine,
            conditions,
            steps: &self.steps,
            before: |step: usize| self.state_before(step),
            now: self.state(),
            thread,
            condition: condition.and_then(|condition| Access::memory(self.names(), condition, Kind::Read)),
        };
        look.round()
    }

    /// Whether some thread waits for ever because it was to end its wait by
    /// itself before it was signalled.
    pub fn has_overslept(&self) -> bool {
        let signalled = |thread: &ThreadId| {
            self.machine.waiting(self.state(), *thread).is_some_and(|wait| wait.signalled)
        };
        self.now.by_itself.iter().any(signalled)
    }

    /// The threads that spin, with the data choices of their round.
    pub fn idle(&self) -> Vec<Round> {
        let round = |&(thread, start): &(ThreadId, usize)| {
            let own = self.steps[start..].iter().filter(|step| step.mover == thread.into());
            Round { thread, choices: own.map(|step| step.choice).collect() }
        };
        self.now.idle.iter().map(round).collect()
    }

    /// Whether some thread spins.
    pub fn has_idle(&self) -> bool {
        !self.now.idle.is_empty()
    }

    /// What a mover would touch next with a data choice, had the steps from `first` on been
    /// `instead`; `None` if it could not move then.
    pub fn peek(&self, first: usize, instead: &[Planned], mover: Mover, choice: u64) -> Option<Footprint> {
        let mut moment = self.before[first].clone();
        for step in instead {
            moment.step(self.machine, step.mover, step.choice);
        }
        if !moment.can_move(self.machine, mover) || !has_choice(self.machine, &moment.state, mover, choice) {
            return None;
        }
        Some(moment.step(self.machine, mover, choice).0.footprint)
    }

    /// Whether what a step touches does not depend on the contents of what it
    /// touches. Where stores wait in buffers, invisible stores follow a load, and
    /// which they are may depend on what it reads.
    pub fn is_steady(&self, step: usize) -> bool {
        use SyncOp::*;
        let Taken { mover, ref footprint, .. } = self.steps[step];
        let buffers = self.machine.config().memory_model.has_buffers();
        let Some(thread) = mover.as_thread().filter(|_| !footprint.global && !buffers) else {
            let in_order = self.machine.config().memory_model == MemoryModel::Tso;
            return !footprint.global && !mover.is_thread() && in_order;
        };
        match self.machine.next_instruction(&self.before[step].state, thread) {
            Some(Instr::Load { .. } | Instr::Store { .. } | Instr::AtomicRmw { .. }) => true,
            Some(Instr::Sync { op, .. }) => {
                matches!(op, MutexLock | MutexUnlock | SpinLock | SpinUnlock | RwReadLock | SemWait | SemPost)
            }
            _ => false,
        }
    }

    /// The operations that are still to come at the end of an execution, as
    /// far as they could have come earlier: those that are blocked, and all if
    /// the end of the process came before them. Threads that spin have none.
    pub fn pending(&self, ended: bool) -> Vec<Pending> {
        self.pending_among(self.state().thread_ids(), ended)
    }

    /// The same of some threads, and of all store buffers.
    pub fn pending_among(&self, threads: impl IntoIterator<Item = ThreadId>, ended: bool) -> Vec<Pending> {
        let last = self.steps.last().map(|taken| taken.thread());
        let goes_on = |t: &ThreadId| self.machine.is_alive(self.state(), *t) && !self.now.is_idle(*t);
        let threads = threads.into_iter().filter(goes_on);
        let threads = threads.filter(|t| !(ended && Some(*t) == last));
        let mut pending: Vec<Pending> = threads.filter_map(|t| self.pending_of(t, ended)).collect();
        if ended {
            let mut buffers = Movers::new();
            self.machine.add_buffers(self.state(), &mut buffers);
            let commit =
                |mover| Pending { mover, footprint: Footprint::default(), need: None, unsignalled: false };
            pending.extend(buffers.into_iter().map(commit));
        }
        pending
    }

    fn pending_of(&self, thread: ThreadId, ended: bool) -> Option<Pending> {
        let (machine, state) = (self.machine, self.state());
        let need = machine.need(state, thread);
        let mut footprint = need.map_or_else(Footprint::default, |need| self.needed(need));
        if self.now.waits_for_turn(machine, thread) {
            return None;
        }
        if self.now.begins(machine, thread) {
            self.now.touch_turn(thread, &mut footprint);
        }
        let by_itself = self.now.by_itself.contains(&thread);
        match machine.waiting(state, thread) {
            Some(wait) if by_itself || wait.timed => self.touch(&mut footprint, wait.cond, Kind::Write),
            Some(wait) if !wait.signalled => return None,
            None if need.is_none() && (!ended || machine.is_at_barrier(state, thread)) => return None,
            _ => {}
        }
        Some(Pending { mover: thread.into(), footprint, need, unsignalled: by_itself })
    }

    /// What an operation touches that needs this and does nothing else.
    pub fn needed(&self, need: Need) -> Footprint {
        let mut footprint = Footprint::default();
        needed(need, |place, kind| self.touch(&mut footprint, place, kind));
        footprint
    }

    /// Whether operations may touch more than what they need.
    pub fn touches_more(&self) -> bool {
        self.now.turns.is_some() || self.machine.config().memory_model.has_buffers()
    }

    fn touch(&self, footprint: &mut Footprint, place: Place, kind: Kind) {
        if let Some(access) = Access::memory(self.names(), place, kind) {
            footprint.add(access);
        }
    }

    /// The execution so far, to come back to.
    pub fn beginning(&self) -> Beginning {
        Beginning { steps: self.steps.clone(), before: self.before.clone(), now: self.now.clone() }
    }

    /// Comes back to where so many steps of a beginning were taken.
    pub fn come_back(&mut self, beginning: Beginning, steps: usize) {
        Beginning { steps: self.steps, before: self.before, now: self.now } = beginning;
        self.back_to(steps);
    }

    /// How many data choices a step had that was taken.
    pub fn choices_before(&self, step: usize) -> u64 {
        choices(self.machine, self.state_before(step), self.steps[step].mover).unwrap_or(0)
    }

    /// Goes back to where only so many steps were taken.
    pub fn back_to(&mut self, steps: usize) {
        self.steps.truncate(steps);
        self.before.truncate(steps + 1);
        if self.before.len() > steps {
            self.now = self.before.pop().expect("a moment before the step");
        }
    }

    /// The execution as a trace that replays.
    pub fn trace(&self) -> Trace {
        let step = |(taken, before): (&Taken, &Moment)| {
            let choice = if self.is_wait(&before.state, taken.mover) { 0 } else { taken.choice };
            TraceStep::new(self.machine, &before.state, taken.mover, choice)
        };
        Trace { grain: GRAIN, steps: self.steps.iter().zip(&self.before).map(step).collect() }
    }

    fn is_wait(&self, state: &State, mover: Mover) -> bool {
        next_sync(self.machine, state, mover) == Some(SyncOp::CondWait)
    }
}

impl Moment {
    fn enabled(&self, machine: &Machine) -> Movers {
        let mut enabled = machine.movers(&self.state);
        enabled.retain(|mover| mover.as_thread().is_none_or(|thread| self.goes_on(machine, thread)));
        enabled
    }

    /// Whether a thread that the machine lets move does so here.
    fn goes_on(&self, machine: &Machine, thread: ThreadId) -> bool {
        self.may_wake(machine, thread) && !self.is_idle(thread) && !self.waits_for_turn(machine, thread)
    }

    /// Whether a thread that could begin leaves that to another one first.
    fn waits_for_turn(&self, machine: &Machine, thread: ThreadId) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.waits(machine, &self.state, thread))
    }

    /// Whether a thread's next step is the one with which it begins, in turn.
    fn begins(&self, machine: &Machine, thread: ThreadId) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.begins(machine, &self.state, thread))
    }

    /// Adds what a thread touches when it begins.
    fn touch_turn(&self, thread: ThreadId, footprint: &mut Footprint) {
        let before = self.turns.as_ref().and_then(|turns| turns.before(thread));
        footprint.add(Access::turn(thread, Kind::Write));
        before.into_iter().for_each(|before| footprint.add(Access::turn(before, Kind::Read)));
    }

    /// Whether one is among what can move, without looking at what the others wait for.
    fn can_move(&self, machine: &Machine, mover: Mover) -> bool {
        if machine.config().memory_model.has_buffers() {
            return self.enabled(machine).contains(&mover);
        }
        let goes_on = |thread: ThreadId| self.goes_on(machine, thread);
        let can_move = machine.can_take_step(&self.state, mover) && mover.as_thread().is_none_or(goes_on);
        debug_assert!(
            self.state.thread_ids().len() > COMPARED || can_move == self.enabled(machine).contains(&mover)
        );
        can_move
    }

    fn is_idle(&self, thread: ThreadId) -> bool {
        self.idle.iter().any(|(idle, _)| *idle == thread)
    }

    /// Whether a thread that waits on a condition goes on in the way it chose.
    fn may_wake(&self, machine: &Machine, thread: ThreadId) -> bool {
        match machine.waiting(&self.state, thread) {
            Some(wait) if !wait.timed => wait.signalled != self.by_itself.contains(&thread),
            _ => true,
        }
    }

    fn step(&mut self, machine: &Machine, mover: Mover, choice: u64) -> (Taken, Step) {
        let Mover::Thread(thread) = mover else { return self.commit(machine, mover, choice) };
        let op = next_sync(machine, &self.state, mover);
        let waiting = machine.waiting(&self.state, thread);
        let need = machine.need(&self.state, thread);
        let drained = self.buffers.drained(machine, &self.state, thread);
        let inside = machine.has_section(&self.state);
        let begins = self.begins(machine, thread);
        let waiters = Waiters::before(machine, op, self);
        let mutex = machine.mutex_of_wait(&self.state, thread);
        let depth = |state: &State| mutex.map_or(0, |mutex| machine.mutex_depth(state, thread, mutex));
        let deep = i64::from(depth(&self.state));
        let track_races = machine.config().properties.has(machine::Property::Race);
        let Moment { state, names, unjoined, buffers, .. } = self;
        let mut recorder = Recorder {
            footprint: Footprint::default(),
            machine,
            names,
            unjoined: *unjoined,
            track_races,
            effect: Effect::default(),
            buffers,
        };
        let taken_choice = if op == Some(SyncOp::CondWait) { 0 } else { choice };
        let result = machine.step(state, thread, taken_choice, GRAIN, &mut recorder);
        let (mut footprint, mut effect) = (recorder.footprint, recorder.effect);
        *unjoined = recorder.unjoined;
        drained.into_iter().for_each(|access| footprint.add(access));
        if let Some(mutex) = mutex {
            effect.lock(names.name(mutex.object), mutex.offset, i64::from(depth(state)) - deep);
        }
        footprint.global |= !machine.is_told(inside, state, &result);
        if let Some(turns) = &mut self.turns {
            turns.advance(thread, begins);
            turns.note_started(machine, &self.state);
        }
        if begins {
            self.touch_turn(thread, &mut footprint);
        }
        if waiting.is_some() {
            self.by_itself.retain(|waiter| *waiter != thread);
        }
        if op == Some(SyncOp::CondWait) && choice == 1 {
            self.by_itself.push(thread);
        }
        let wakes = waiters.woken(machine, &self.state);
        (Taken { mover, choice, footprint, effect, need, wakes }, result)
    }

    /// The step of a store buffer.
    fn commit(&mut self, machine: &Machine, mover: Mover, choice: u64) -> (Taken, Step) {
        let inside = machine.has_section(&self.state);
        let Moment { state, names, unjoined, buffers, .. } = self;
        let mut recorder = Recorder {
            footprint: Footprint::default(),
            machine,
            names,
            unjoined: *unjoined,
            track_races: false,
            effect: Effect::default(),
            buffers,
        };
        let result = machine.step(state, mover, choice, GRAIN, &mut recorder);
        let (mut footprint, effect) = (recorder.footprint, recorder.effect);
        buffers.left(machine, mover.thread(), &mut footprint);
        footprint.global |= !machine.is_told(inside, state, &result);
        (Taken { mover, choice, footprint, effect, need: None, wakes: SmallVec::new() }, result)
    }
}

/// How many data choices the next step of a mover has. When a wait begins, a choice
/// decides whether it will end by itself.
fn choices(machine: &Machine, state: &State, mover: Mover) -> Result<u64, NeedsSymbolic> {
    match next_sync(machine, state, mover) {
        Some(SyncOp::CondWait) => Ok(2),
        _ => machine.choices_of(state, mover),
    }
}

/// Whether a mover has this data choice. A thread has the choices that were foreseen; what
/// there is to commit depends on what the thread of the buffer did.
pub fn has_choice(machine: &Machine, state: &State, mover: Mover, choice: u64) -> bool {
    mover.is_thread() || machine.choices_of(state, mover).is_ok_and(|choices| choice < choices)
}

fn next_sync(machine: &Machine, state: &State, mover: Mover) -> Option<SyncOp> {
    match machine.next_instruction(state, mover.as_thread()?)? {
        Instr::Sync { op, .. } => Some(*op),
        _ => None,
    }
}

/// The threads that a step may let go on: those that wait, and new ones.
struct Waiters {
    threads: usize,
    waiting: SmallVec<[ThreadId; 4]>,
}

impl Waiters {
    /// A wait that may end without a signal is not let go on by one.
    fn before(machine: &Machine, op: Option<SyncOp>, moment: &Moment) -> Waiters {
        let Moment { state, by_itself, .. } = moment;
        let mut waiting = SmallVec::new();
        if let Some(SyncOp::BarrierWait | SyncOp::CondSignal | SyncOp::CondBroadcast) = op {
            let waits =
                |thread: &ThreadId| is_waiting(machine, state, *thread) && !by_itself.contains(thread);
            waiting.extend(state.thread_ids().filter(waits));
        }
        Waiters { threads: state.thread_ids().count(), waiting }
    }

    fn woken(self, machine: &Machine, after: &State) -> SmallVec<[ThreadId; 2]> {
        let new = after.thread_ids().skip(self.threads);
        let woken = self.waiting.into_iter().filter(|thread| !is_waiting(machine, after, *thread));
        new.chain(woken).collect()
    }
}

fn is_waiting(machine: &Machine, state: &State, thread: ThreadId) -> bool {
    let unsignalled = machine.waiting(state, thread).is_some_and(|wait| !wait.signalled && !wait.timed);
    unsignalled || machine.is_at_barrier(state, thread)
}
