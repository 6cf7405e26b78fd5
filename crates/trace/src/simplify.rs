//! Making a counterexample easier to read: the same fault with fewer
//! preemptions.
//!
//! An execution is a sequence of blocks, each of one thread. A preemption is
//! the end of a block whose thread could have gone on. To remove it, the
//! thread's next block is brought forward, or its last one put off, or left
//! out; what remains of the schedule is followed as far as it goes, and then
//! no thread is preempted any more. If that meets the same fault with fewer
//! preemptions (or as many, and fewer switches or steps), it is tried again
//! from there.

use machine::{Fault, FaultKind, Grain, Machine, Mover, State, Step, ThreadId};

use crate::execute::deadlock_in;
use crate::lasso::{canonical, lasso};
use crate::replay::fault_at_end;
use crate::{Trace, TraceStep, refresh};

/// How many steps all attempts together may take.
const STEPS: usize = 200_000;
/// How many steps it counts for to look at all that can follow a state.
const LOOKING_AHEAD: usize = 2_000;
/// How much longer than the plan an attempt may get.
const SLACK: usize = 200;

/// The same kind of fault at the same place, with as few preemptions as could
/// be found, and its trace; `None` if the trace itself does not lead to it. Of
/// a livelock, the way to the cycle is simplified.
pub fn simplify(machine: &Machine, trace: &Trace, fault: &Fault) -> Option<(Trace, Fault)> {
    // When a store leaves its buffer is as much a matter of the fault as who runs.
    if trace.steps.iter().any(|step| !step.mover.is_thread()) {
        return None;
    }
    // So are the states on the way of an execution that violates a formula.
    if let FaultKind::Formula { .. } = fault.kind {
        return None;
    }
    let (way, cycle) = match fault.kind {
        FaultKind::Livelock { start, .. } => trace.steps.split_at(start),
        _ => (&trace.steps[..], &[][..]),
    };
    let goal = if cycle.is_empty() { Goal::Fault } else { Goal::State(state_after(machine, trace, way)) };
    let mut attempts = Attempts { machine, fault, goal, grain: trace.grain, left: STEPS };
    let plan: Vec<Move> = way.iter().map(|step| (step.mover, step.choice)).collect();
    let mut best = attempts.run(&plan)?;
    while let Some(better) = attempts.improve(&best) {
        best = better;
    }
    let start = best.steps.len();
    let simple = Trace { grain: trace.grain, steps: [best.steps, cycle.to_vec()].concat() };
    let fault = if cycle.is_empty() { best.fault? } else { lasso(machine, &simple, start).ok()? };
    Some((simple, fault))
}

/// The state that steps lead to.
fn state_after(machine: &Machine, trace: &Trace, steps: &[TraceStep]) -> Vec<u8> {
    let mut state = machine.initial();
    for step in steps {
        machine.step(&mut state, step.mover, step.choice, trace.grain, &mut ());
        refresh(machine, trace.grain, &mut state);
    }
    canonical(machine, &state)
}

/// Where an attempt is to lead.
enum Goal {
    /// To the fault.
    Fault,
    /// To this state.
    State(Vec<u8>),
}

/// What moves, and the data choice it takes.
type Move = (Mover, u64);

struct Attempts<'a> {
    machine: &'a Machine,
    fault: &'a Fault,
    goal: Goal,
    grain: Grain,
    left: usize,
}

/// An execution that was tried.
#[derive(Default)]
struct Execution {
    steps: Vec<TraceStep>,
    /// The steps that preempt the thread of the step before.
    preemptions: Vec<usize>,
    switches: usize,
    fault: Option<Fault>,
}

impl Execution {
    fn cost(&self) -> (usize, usize, usize) {
        (self.preemptions.len(), self.switches, self.steps.len())
    }

    fn moves(&self) -> Vec<Move> {
        self.steps.iter().map(|step| (step.mover, step.choice)).collect()
    }
}

impl Attempts<'_> {
    /// The first change that makes the execution better. Preemptions first,
    /// from the last: what comes after an early one depends on it.
    fn improve(&mut self, best: &Execution) -> Option<Execution> {
        let moves = best.moves();
        let boundaries = (1..moves.len()).rev().filter(|i| moves[*i].0 != moves[i - 1].0);
        let (preemptive, other): (Vec<usize>, Vec<usize>) =
            boundaries.partition(|i| best.preemptions.contains(i));
        for boundary in preemptive.into_iter().chain(other) {
            for plan in without(&moves, boundary) {
                let found = self.run(&plan).filter(|found| found.cost() < best.cost());
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Follows the plan where it can be followed, then preempts no thread.
    fn run(&mut self, plan: &[Move]) -> Option<Execution> {
        self.left = self.left.checked_sub(plan.len() + 1)?;
        let mut execution = Execution::default();
        let mut state = self.machine.initial();
        for planned in plan {
            if self.can(&state, *planned) && !self.advance(&mut state, *planned, &mut execution) {
                return Some(execution).filter(|execution| execution.fault.is_some());
            }
        }
        if let Goal::State(goal) = &self.goal {
            execution.fault = (canonical(self.machine, &state) == *goal).then(|| self.fault.clone());
            return Some(execution).filter(|execution| execution.fault.is_some());
        }
        // Threads may wait for ever though others go on: replay looks for that at
        // the end, and so does this.
        if let FaultKind::LocalDeadlock { .. } = self.fault.kind {
            self.left = self.left.saturating_sub(LOOKING_AHEAD);
            execution.fault = deadlock_in(self.machine, &state).filter(|found| self.is_same(found));
            if execution.fault.is_some() {
                return Some(execution);
            }
        }
        for _ in 0..plan.len() + SLACK {
            let Some(mover) = self.default_mover(&state, &execution) else { break };
            if !self.advance(&mut state, (mover, 0), &mut execution) {
                break;
            }
        }
        Some(execution).filter(|execution| execution.fault.is_some())
    }

    fn can(&self, state: &State, (mover, choice): Move) -> bool {
        let enumerated = || self.machine.choices_of(state, mover).is_ok_and(|choices| choice < choices);
        self.machine.can_take_step(state, mover) && enumerated()
    }

    /// The one that goes on if no thread is preempted, and none is woken without a
    /// reason.
    fn default_mover(&self, state: &State, execution: &Execution) -> Option<Mover> {
        let goes_on = |mover: &Mover| self.machine.goes_on(state, mover.thread());
        let last = execution.steps.last().map(|step| step.mover);
        last.filter(goes_on).or_else(|| state.thread_ids().map(Mover::Thread).find(goes_on))
    }

    /// Takes a step; false if the execution is over then.
    fn advance(&self, state: &mut State, (mover, choice): Move, execution: &mut Execution) -> bool {
        let thread = mover.thread();
        if let Some(last) = execution.steps.last().map(TraceStep::thread).filter(|last| *last != thread) {
            execution.switches += 1;
            if is_preemption(self.machine, state, last) {
                execution.preemptions.push(execution.steps.len());
            }
        }
        execution.steps.push(TraceStep::new(self.machine, state, mover, choice));
        let step = self.machine.step(state, mover, choice, self.grain, &mut ());
        refresh(self.machine, self.grain, state);
        let over = step.end.is_some();
        execution.fault = self.same_fault(state, step);
        !over && execution.fault.is_none()
    }

    fn same_fault(&self, state: &State, step: Step) -> Option<Fault> {
        // Which threads wait for which is asked of all threads: not after every step
        // of any execution.
        if matches!(self.fault.kind, FaultKind::Deadlock { .. } | FaultKind::LocalDeadlock { .. }) {
            return fault_at_end(self.machine, state, step, |found| self.is_same(found));
        }
        step.faults.into_iter().find(|found| self.is_same(found))
    }

    fn is_same(&self, found: &Fault) -> bool {
        found.kind.name() == self.fault.kind.name() && found.at == self.fault.at
    }
}

/// Whether switching away from the thread takes it from the processor: it
/// could go on, and not only because a wait may end by itself.
pub fn is_preemption(machine: &Machine, state: &State, from: ThreadId) -> bool {
    machine.goes_on(state, from)
}

/// The schedule without the switch before `boundary`, in several ways.
fn without(moves: &[Move], boundary: usize) -> Vec<Vec<Move>> {
    let from = moves[boundary - 1].0;
    let block_end = |start: usize| {
        let thread = moves[start].0;
        (start..moves.len()).find(|i| moves[*i].0 != thread).unwrap_or(moves.len())
    };
    let start = (0..boundary).rev().find(|i| moves[*i].0 != from).map_or(0, |i| i + 1);
    let dropped = [&moves[..start], &moves[boundary..]].concat();
    let Some(again) = (boundary..moves.len()).find(|i| moves[*i].0 == from) else {
        // It goes on until it has to wait.
        let goes_on = vec![(from, 0); SLACK];
        return vec![[&moves[..boundary], &goes_on, &moves[boundary..]].concat(), dropped];
    };
    let end = block_end(again);
    let forward = [&moves[..boundary], &moves[again..end], &moves[boundary..again], &moves[end..]].concat();
    let put_off =
        [&moves[..start], &moves[boundary..again], &moves[start..boundary], &moves[again..]].concat();
    vec![forward, put_off, dropped]
}
