//! The execution that a search is in: it can go on by a step, and go back.
//!
//! A step is a thread's next visible operation with the invisible ones that
//! follow it ([`Grain::Causal`]). Before each step the state is kept; states
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
use machine::{Grain, Machine, Need, NeedsSymbolic, State, Step, ThreadId};
use smallvec::SmallVec;
use trace::{Trace, TraceStep};

use crate::footprint::{Footprint, Recorder};
use crate::names::Names;

/// How far every step goes.
pub const GRAIN: Grain = Grain::Causal;

/// A step that was taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Who moved.
    pub thread: ThreadId,
    /// The data choice, among [`Run::choices`].
    pub choice: u64,
    /// What the step touched.
    pub footprint: Footprint,
    /// What the step needed in order not to block.
    pub need: Option<Need>,
    /// Threads that it let go on: from a barrier, by a signal, or new ones.
    pub wakes: SmallVec<[ThreadId; 2]>,
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
}

/// An execution, from the initial state to now.
pub struct Run<'m> {
    machine: &'m Machine,
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
        };
        Run { machine, now, steps: Vec::new(), before: Vec::new() }
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

    /// The threads that can move, ascending.
    pub fn enabled(&self) -> SmallVec<[ThreadId; 8]> {
        let mut enabled = self.machine.runnable(&self.now.state);
        enabled.retain(|thread| self.may_wake(*thread));
        enabled
    }

    /// Whether a thread that waits on a condition goes on in the way it chose.
    fn may_wake(&self, thread: ThreadId) -> bool {
        match self.machine.waiting(&self.now.state, thread) {
            Some(wait) if !wait.timed => wait.signalled != self.now.by_itself.contains(&thread),
            _ => true,
        }
    }

    /// How many data choices the next step of a thread has.
    pub fn choices(&self, thread: ThreadId) -> Result<u64, NeedsSymbolic> {
        match self.next_sync(thread) {
            Some(SyncOp::CondWait) => Ok(2),
            _ => self.machine.choices(&self.now.state, thread),
        }
    }

    fn next_sync(&self, thread: ThreadId) -> Option<SyncOp> {
        match self.machine.next_instruction(&self.now.state, thread)? {
            Instr::Sync { op, .. } => Some(*op),
            _ => None,
        }
    }

    /// Takes a step with an enabled thread.
    pub fn step(&mut self, thread: ThreadId, choice: u64) -> Step {
        let before = self.now.clone();
        let machine = self.machine;
        let op = self.next_sync(thread);
        let waiting = machine.waiting(&before.state, thread);
        let need = match (op, waiting) {
            (None, None) => None,
            _ => machine.need(&before.state, thread),
        };
        let signalled = waiting.is_some_and(|wait| wait.signalled);
        let Moment { state, names, unjoined, by_itself } = &mut self.now;
        let track_races = machine.config().properties.has(machine::Property::Race);
        let footprint = Footprint::default();
        let mut recorder = Recorder { footprint, names, unjoined: *unjoined, track_races, signalled };
        let taken_choice = if op == Some(SyncOp::CondWait) { 0 } else { choice };
        let result = machine.step(state, thread, taken_choice, GRAIN, &mut recorder);
        let mut footprint = recorder.footprint;
        *unjoined = recorder.unjoined;
        // What a step that went wrong looked at is not told.
        footprint.global |= result.end.is_some();
        by_itself.retain(|waiter| *waiter != thread);
        if op == Some(SyncOp::CondWait) && choice == 1 {
            by_itself.push(thread);
        }
        let wakes = woken(machine, op, &before.state, state);
        self.steps.push(Taken { thread, choice, footprint, need, wakes });
        self.before.push(before);
        result
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
        let step = |(taken, before): (&Taken, &Moment)| TraceStep {
            thread: taken.thread,
            choice: if self.is_wait(&before.state, taken.thread) { 0 } else { taken.choice },
            at: self.machine.position(&before.state, taken.thread),
        };
        Trace { grain: GRAIN, steps: self.steps.iter().zip(&self.before).map(step).collect() }
    }

    fn is_wait(&self, state: &State, thread: ThreadId) -> bool {
        let next = self.machine.next_instruction(state, thread);
        matches!(next, Some(Instr::Sync { op: SyncOp::CondWait, .. }))
    }
}

/// The threads that a step changed besides the one that moved.
fn woken(machine: &Machine, op: Option<SyncOp>, before: &State, after: &State) -> SmallVec<[ThreadId; 2]> {
    let known = before.thread_ids().count();
    let mut woken: SmallVec<[ThreadId; 2]> = after.thread_ids().skip(known).collect();
    let changed = |thread: &ThreadId| {
        machine.is_at_barrier(before, *thread) != machine.is_at_barrier(after, *thread)
            || machine.waiting(before, *thread) != machine.waiting(after, *thread)
    };
    if let Some(SyncOp::BarrierWait | SyncOp::CondSignal | SyncOp::CondBroadcast) = op {
        woken.extend(before.thread_ids().filter(changed));
    }
    woken
}
