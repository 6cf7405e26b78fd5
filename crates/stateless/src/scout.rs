//! A quick look: executions with few preemptions, one of each kind.
//!
//! The first execution preempts no thread. Each later one follows an earlier one
//! to some point, has another thread go on there instead, and preempts none
//! after that; a thread that was preempted goes on as soon as the other cannot.
//! Executions with fewer preemptions come first (iterative context bounding:
//! Musuvathi and Qadeer, PLDI 2007).
//!
//! With thousands of threads there are too many such executions, and most are
//! alike. So points are told apart only by where the running thread is, of which
//! the last and the first are taken, and threads only by the function they
//! started with and where they are, of which the lowest is taken. Executions end
//! where more than a few threads would have moved; once these are all run, more
//! threads may. What is left are a few executions in which few threads have run,
//! whatever the number of threads is.
//!
//! This leaves out most executions, so it never says that a program is safe. A
//! step costs the same whatever the number of threads is: whether there is a
//! deadlock is asked only where the running thread has to wait.

use std::collections::VecDeque;
use std::rc::Rc;

use engine::{Cut, Limit, Outcome, Task, Watch, counted};
use ir::{FuncId, Pc};
use machine::{Machine, State, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use trace::execute;

use crate::run::GRAIN;
use crate::tally::{Found, Tally};

/// The longest execution.
const MAX_STEPS: usize = 200_000;

/// After so many steps of one thread another one goes on: it may spin.
const SLICE: usize = 20_000;

/// How many threads may have moved in an execution before others are left out,
/// at first; and by what that grows once all these executions were run.
const FEW_THREADS: usize = 8;
const MORE_THREADS: usize = 16;

/// The most preemptions.
const MAX_PREEMPTIONS: usize = 4;

/// A thread that moves, and its data choice.
type Move = (ThreadId, u64);

/// The function that a thread started with, and where it is.
type Kind = (FuncId, FuncId, Pc);

/// A point of an execution, at which the running thread could go on.
struct Point {
    steps: usize,
    state: State,
    /// Where the running thread is.
    kind: Kind,
    running: ThreadId,
    /// How many threads have moved.
    moved: usize,
}

/// An execution to be run: an earlier one up to a point, then another thread.
struct Plan {
    earlier: Rc<[Move]>,
    steps: usize,
    state: State,
    thread: ThreadId,
    preempted: Vec<ThreadId>,
    /// What was preempted by what, where.
    preemptions: Vec<(Kind, Kind)>,
}

/// Runs executions until a violation or the budget ends it, or there are none
/// left.
pub fn check(task: &Task<'_>) -> Outcome {
    let mut scout = Scout {
        machine: task.machine,
        task,
        watch: task.budget.watch(),
        tally: Tally::default(),
        plans: VecDeque::new(),
        planned: FxHashSet::default(),
        most: FEW_THREADS,
        cut: false,
    };
    let found = scout.run().err();
    let Scout { mut tally, .. } = scout;
    let executions = tally.executions;
    tally.ledger.forget_final_states();
    tally.cut(Cut::Executions(Limit { most: executions, asked: false }));
    let executions = counted(executions, "execution");
    tally.coverage = Some(format!("{executions} with few preemptions, all of them safe"));
    tally.outcome(task, found)
}

struct Scout<'a> {
    machine: &'a Machine,
    task: &'a Task<'a>,
    watch: Watch<'a>,
    tally: Tally,
    plans: VecDeque<Plan>,
    planned: FxHashSet<Vec<(Kind, Kind)>>,
    /// How many threads may move in an execution.
    most: usize,
    /// Whether more could have moved in some.
    cut: bool,
}

/// An execution that is being run.
struct Execution {
    /// The threads that have moved.
    moved: FxHashSet<ThreadId>,
    moves: Vec<Move>,
    state: State,
    running: ThreadId,
    preempted: Vec<ThreadId>,
    /// How many steps the running thread has taken in a row.
    slice: usize,
    /// Threads before this one, but for the first, have ended.
    first_alive: usize,
    /// By where the running thread is: the first and the last point, as numbers
    /// of steps. States are not kept: a step would then copy what it changes.
    points: FxHashMap<Kind, (usize, usize)>,
}

impl Scout<'_> {
    fn run(&mut self) -> Result<(), Found> {
        loop {
            self.run_few()?;
            if !std::mem::take(&mut self.cut) {
                return Ok(());
            }
            self.most *= MORE_THREADS;
            self.planned.clear();
        }
    }

    /// Runs executions in which few threads move.
    fn run_few(&mut self) -> Result<(), Found> {
        self.execute(Plan {
            earlier: Rc::default(),
            steps: 0,
            state: self.machine.initial(),
            thread: ThreadId(0),
            preempted: Vec::new(),
            preemptions: Vec::new(),
        })?;
        while let Some(plan) = self.plans.pop_front() {
            self.execute(plan)?;
        }
        Ok(())
    }

    fn execute(&mut self, plan: Plan) -> Result<(), Found> {
        let Plan { earlier, steps, state, thread, preempted, preemptions } = plan;
        let start = state.clone();
        let moved = earlier[..steps].iter().map(|(thread, _)| *thread).collect();
        let mut execution = Execution {
            moved,
            moves: earlier[..steps].to_vec(),
            state,
            running: thread,
            preempted: preempted.clone(),
            slice: 0,
            first_alive: 1,
            points: FxHashMap::default(),
        };
        // The planned thread moves first.
        let mut goes_on = self.step(&mut execution)?;
        while goes_on && execution.moves.len() < MAX_STEPS {
            goes_on = self.choose(&mut execution)? && self.step(&mut execution)?;
        }
        self.tally.executions += 1;
        self.tally.max_depth = self.tally.max_depth.max(execution.moves.len() as u64);
        if preemptions.len() < MAX_PREEMPTIONS {
            self.plan(execution, (steps, start), &preempted, &preemptions);
        }
        Ok(())
    }

    /// Takes a step of the running thread; says whether the execution goes on.
    fn step(&mut self, execution: &mut Execution) -> Result<bool, Found> {
        if let Some(exceeded) = self.watch.exceeded() {
            return Err(Found::Exceeded(exceeded));
        }
        // Inputs are other engines' business.
        if self.machine.choices(&execution.state, execution.running).is_err() {
            return Ok(false);
        }
        if execution.moved.insert(execution.running) && execution.moved.len() > self.most {
            self.cut = true;
            return Ok(false);
        }
        execution.moves.push((execution.running, 0));
        execution.slice += 1;
        self.tally.transitions += 1;
        if self.tally.transitions.is_multiple_of(257) {
            self.tally.report(self.task.progress, execution.moves.len());
            self.task.progress.sample(self.machine, &execution.state, execution.running);
        }
        let step = self.machine.step(&mut execution.state, execution.running, 0, GRAIN, &mut ());
        if self.tally.ledger.asked(self.machine, step.faults).is_some() {
            return Err(self.violation(&execution.moves));
        }
        Ok(step.end.is_none())
    }

    /// Decides which thread goes on; says whether there is one.
    fn choose(&mut self, execution: &mut Execution) -> Result<bool, Found> {
        let Execution { state, running, .. } = execution;
        let alive = self.machine.is_alive(state, *running);
        if self.machine.goes_on(state, *running) {
            if execution.slice < SLICE {
                execution.note_point(self.machine);
                return Ok(true);
            }
            execution.preempted.insert(0, execution.running);
        } else if alive && !self.machine.is_joining(state, *running) {
            self.look_for_deadlock(execution)?;
        }
        execution.slice = 0;
        if let Some(thread) = execution.next(self.machine) {
            execution.running = thread;
            return Ok(true);
        }
        self.look_for_deadlock(execution)?;
        Ok(false)
    }

    fn look_for_deadlock(&self, execution: &Execution) -> Result<(), Found> {
        let deadlock = self.machine.deadlock(&execution.state);
        match deadlock.filter(|fault| self.machine.asks(&fault.kind)) {
            Some(_) => Err(self.violation(&execution.moves)),
            None => Ok(()),
        }
    }

    fn violation(&self, moves: &[Move]) -> Found {
        let (trace, fault) = execute(self.machine, GRAIN, moves.iter().copied());
        Found::Violation(Box::new(fault.expect("the same execution ends in the same fault")), trace)
    }

    /// Plans executions that preempt the running thread once more than this one,
    /// which began with a state after some steps. Those in which few threads have
    /// run come first.
    fn plan(
        &mut self,
        execution: Execution,
        start: (usize, State),
        preempted: &[ThreadId],
        preemptions: &[(Kind, Kind)],
    ) {
        let Execution { moves, points, .. } = execution;
        let mut points = self.points(&moves, start, &points);
        points.sort_by_key(|point| (point.moved, std::cmp::Reverse(point.steps)));
        let earlier: Rc<[Move]> = moves.into();
        for point in points {
            for (other, thread) in self.others(&point) {
                let preemptions = [preemptions, &[(point.kind, other)]].concat();
                if !self.planned.insert(preemptions.clone()) {
                    continue;
                }
                let (steps, state, earlier) = (point.steps, point.state.clone(), Rc::clone(&earlier));
                let preempted = preempted.iter().copied().chain([point.running]).collect();
                self.plans.push_back(Plan { earlier, steps, state, thread, preempted, preemptions });
            }
        }
    }

    /// Follows an execution once more and keeps the states at some points.
    fn points(
        &self,
        moves: &[Move],
        (first, mut state): (usize, State),
        wanted: &FxHashMap<Kind, (usize, usize)>,
    ) -> Vec<Point> {
        let mut wanted: Vec<(usize, Kind)> =
            wanted.iter().flat_map(|(kind, (first, last))| [(*first, *kind), (*last, *kind)]).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut moved: FxHashSet<ThreadId> = moves[..first].iter().map(|(thread, _)| *thread).collect();
        let mut points = Vec::new();
        let mut next = first;
        for (steps, kind) in wanted {
            for (thread, choice) in &moves[next..steps] {
                moved.insert(*thread);
                self.machine.step(&mut state, *thread, *choice, GRAIN, &mut ());
            }
            next = steps;
            let (running, state) = (moves[steps - 1].0, state.clone());
            points.push(Point { steps, state, kind, running, moved: moved.len() });
        }
        points
    }

    /// The other threads that could go on at a point, the lowest of each kind.
    fn others(&self, point: &Point) -> Vec<(Kind, ThreadId)> {
        let Point { state, running, .. } = point;
        let mut kinds = FxHashSet::default();
        let others = state.thread_ids().filter(|t| t != running && self.machine.goes_on(state, *t));
        let others = others.filter_map(|thread| Some((self.machine.whereabouts(state, thread)?, thread)));
        others.filter(|(kind, _)| kinds.insert(*kind)).collect()
    }
}

impl Execution {
    fn note_point(&mut self, machine: &Machine) {
        let Some(kind) = machine.whereabouts(&self.state, self.running) else { return };
        let steps = self.moves.len();
        self.points.entry(kind).or_insert((steps, steps)).1 = steps;
    }

    /// The thread that goes on if the running one cannot: the one that was
    /// preempted last, or the lowest.
    fn next(&mut self, machine: &Machine) -> Option<ThreadId> {
        let Execution { state, preempted, .. } = self;
        if let Some(at) = preempted.iter().rposition(|thread| machine.goes_on(state, *thread)) {
            return Some(preempted.remove(at));
        }
        let is_next = |thread: &ThreadId| *thread != self.running && machine.goes_on(state, *thread);
        if is_next(&ThreadId(0)) {
            return Some(ThreadId(0));
        }
        let alive = |thread: &ThreadId| machine.is_alive(state, *thread);
        self.first_alive = state.thread_ids().skip(self.first_alive).find(alive)?.0 as usize;
        state.thread_ids().skip(self.first_alive).find(is_next)
    }
}
