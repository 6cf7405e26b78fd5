//! What all searches have in common: an execution that goes on step by step
//! and back, with everything checked and counted that there is to check.

use engine::{Cut, Limit, Outcome, Task, Watch};
use ir::Instr;
use machine::{Enabled, End, Fault, Machine, Mover, Property, Twins};

use crate::abandoned;
use crate::livelock;
use crate::run::Run;
use crate::tally::{Found, Tally};

/// The longest execution, unless another bound is given. Executions that go on
/// for ever must not keep the search from the others.
const MAX_DEPTH: u64 = 20_000;

/// Where a step led.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// To a state from which the execution may go on.
    State,
    /// To the end of the execution.
    End(End),
}

/// An execution under exploration.
pub struct Explorer<'a> {
    /// What is asked.
    pub task: &'a Task<'a>,
    /// The execution.
    pub run: Run<'a>,
    /// What was counted.
    pub tally: Tally,
    /// The threads that can move, where it was asked for last.
    pub enabled: Enabled,
    watch: Watch<'a>,
    each: Option<Each<'a>>,
    /// Which threads stand for each other, where those that are alike begin in turn.
    twins: Option<&'a Twins>,
}

/// Called with every execution that came to its end by itself.
pub type Each<'a> = &'a (dyn Fn(&Run<'_>) + Sync + 'a);

impl<'a> Explorer<'a> {
    /// At the beginning.
    pub fn new(task: &'a Task<'a>) -> Explorer<'a> {
        let (run, watch) = (Run::new(task.machine), task.budget.watch());
        let (tally, enabled) = (Tally::default(), Enabled::default());
        Explorer { task, run, tally, enabled, watch, each: None, twins: None }
    }

    /// The same, for searches that need no execution in which a thread spins and
    /// then goes on.
    pub fn stopping_spins(task: &'a Task<'a>, each: Option<Each<'a>>) -> Explorer<'a> {
        let explorer = Explorer::new(task);
        Explorer { run: explorer.run.stopping_spins(), each, ..explorer }
    }

    /// The same; threads that are alike begin in turn, if it is known how twins stand for each
    /// other.
    pub fn in_turn(self, twins: Option<&'a Twins>) -> Explorer<'a> {
        let run = if twins.is_some() { self.run.beginning_in_turn() } else { self.run };
        Explorer { run, twins, ..self }
    }

    /// The machine.
    pub fn machine(&self) -> &'a Machine {
        self.task.machine
    }

    /// Takes a step: counts it, and looks for faults in it and in the state it
    /// leads to.
    pub fn step(&mut self, mover: impl Into<Mover>, choice: u64) -> Result<Next, Found> {
        let mover = mover.into();
        if let Some(exceeded) = self.watch.exceeded() {
            return Err(Found::Exceeded(exceeded));
        }
        let machine = self.machine();
        let step = self.run.step(mover, choice);
        let depth = self.run.steps().len();
        self.tally.transitions += 1;
        self.tally.max_depth = self.tally.max_depth.max(depth as u64);
        if let Some(fault) = self.tally.ledger.asked(machine, step.faults) {
            return Err(self.violation(fault));
        }
        if self.tally.transitions.is_multiple_of(257) {
            self.tally.report(self.task.progress, depth);
            self.task.progress.sample(machine, self.run.state_before(depth - 1), mover.thread());
        }
        let unlike = |twins: &Twins| !twins.stay_alike(self.run.state_before(depth - 1), self.run.state());
        if step.end.is_none() && self.twins.is_some_and(unlike) {
            return Err(Found::Unlike);
        }
        match step.end {
            None => self.look().map_or(Ok(Next::State), |fault| Err(self.violation(fault))),
            Some(end) => {
                let from = self.run.state_before(depth - 1);
                let at = || machine.position(from, mover.thread());
                self.tally.ledger.end(machine, self.run.state(), end.clone(), at);
                Ok(Next::End(end))
            }
        }
    }

    /// Whether the step that ended the execution depends on nothing but its
    /// thread, so that others could go on as if it were not there. From within an
    /// atomic section they could not.
    pub fn is_local_end(&self, end: &End) -> bool {
        let steps = self.run.steps();
        let Some(taken) = steps.last() else { return false };
        let before = self.run.state_before(steps.len() - 1);
        let Some(thread) = taken.mover.as_thread() else { return false };
        if self.machine().is_in_section(before, thread) {
            return false;
        }
        match end {
            End::Infeasible => true,
            End::Fault => matches!(
                self.machine().next_instruction(before, thread),
                Some(Instr::Fail { .. } | Instr::Unreachable | Instr::Assume { .. } | Instr::Binary { .. })
            ),
            End::Exited(_) | End::Aborted | End::Unsupported(_) => false,
        }
    }

    /// The deadlock in the state, if there is one and it was asked for.
    fn look(&mut self) -> Option<Fault> {
        let machine = self.machine();
        if !machine.config().properties.has(Property::Deadlock) {
            return None;
        }
        let state = self.run.state();
        self.enabled.follow(machine, state);
        if !self.enabled.has_stuck() {
            return None;
        }
        let alive = state.thread_ids().filter(|thread| machine.is_alive(state, *thread)).count();
        if self.run.enabled_threads().len() == alive {
            return None;
        }
        machine.deadlock(state).filter(|fault| machine.asks(&fault.kind))
    }

    /// What can move, ascending.
    pub fn movers(&mut self) -> impl Iterator<Item = Mover> {
        let Explorer { run, enabled, .. } = self;
        enabled.follow(run.machine(), run.state());
        run.movers(enabled)
    }

    fn violation(&self, fault: Fault) -> Found {
        Found::Violation(Box::new(fault), self.run.trace())
    }

    /// How many data choices a mover's next step has; none, and a cut, if
    /// there are too many to try.
    pub fn choices(&mut self, mover: impl Into<Mover>) -> u64 {
        self.run.choices(mover).unwrap_or_else(|needs| {
            self.tally.cut(Cut::NeedsSymbolic(needs));
            0
        })
    }

    /// Counts an execution that has come to its end: by itself, or with threads
    /// that are stuck or spin. If they spin for ever, that is a livelock.
    pub fn count_execution(&mut self, stuck: bool) -> Result<(), Found> {
        match (stuck || self.run.has_overslept(), self.run.has_idle()) {
            (true, _) => self.tally.infeasible += 1,
            (_, true) => {
                self.tally.spinning += 1;
                abandoned::look(&self.run, &mut self.tally)?;
                livelock::look(&self.run, || self.run.idle())?;
            }
            _ => self.count_complete(),
        }
        Ok(())
    }

    /// Counts an execution that the process or a fault has ended.
    pub fn count_ended(&mut self, end: &End) {
        match end {
            End::Exited(_) | End::Aborted => self.count_complete(),
            End::Infeasible => self.tally.infeasible += 1,
            End::Fault | End::Unsupported(_) => self.tally.executions += 1,
        }
    }

    fn count_complete(&mut self) {
        self.tally.executions += 1;
        if let Some(each) = self.each {
            each(&self.run);
        }
    }

    /// Whether the execution is as long as the bound lets it be.
    pub fn is_too_long(&mut self) -> bool {
        let depth = self.run.steps().len() as u64;
        let too_long = depth >= self.task.bounds.depth.unwrap_or(MAX_DEPTH);
        if too_long {
            self.tally.cut(Cut::Depth(Limit { most: depth, asked: self.task.bounds.depth.is_some() }));
        }
        too_long
    }

    /// The engine's answer.
    pub fn outcome(self, found: Option<Found>) -> Outcome {
        self.tally.outcome(self.task, found)
    }
}
