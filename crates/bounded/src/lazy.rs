//! Depth first over the reachability tree: the lazy approach (section 3.2), and
//! the exploration for the others.

use std::rc::Rc;

use engine::{Counts, Cut, Exceeded, Task, Warnings};
use logic::{Model, Terms};
use machine::{BranchAt, End, Fault, Grain, Property, ThreadId};
use reduction::{Claim, Discipline};
use rustc_hash::FxHashSet;
use symbolic::{Blind, Executor, Guide, State, Successor};

use crate::check::{Options, Strategy};
use crate::loops::branch_bounds;
use crate::node::{Choice, History, Node, Pending};
use crate::questions::Questions;
use crate::recording::{Formula, Recorded};
use crate::seen::Seen;

/// Reading an input, which nobody else can observe, is part of the step before;
/// but not more than so many, so that a loop of inputs ends in a node.
const MAX_INPUTS: u32 = 64;

/// What ends the search of a bound.
pub enum Found {
    /// A violation: the fault, the steps to it, inputs under which they lead there.
    Violation(Box<Fault>, Vec<(ThreadId, Choice)>, Rc<Model>),
    /// A limit.
    Exceeded(Exceeded),
}

/// The reachability tree as far as it was explored.
pub struct Search<'a> {
    task: &'a Task<'a>,
    executor: Executor<'a>,
    pub terms: Terms,
    pub questions: Questions,
    strategy: Strategy,
    /// What was recorded, unless the strategy is lazy.
    pub formula: Formula,
    /// Whether an interleaving was followed to its end.
    ended: bool,
    stack: Vec<Pending>,
    /// Steps with more context switches than the bound.
    beyond: Vec<Pending>,
    /// Steps given up at a branch that was decided too often.
    unwound: Vec<Pending>,
    /// The bound on context switches.
    bound: u64,
    pub seen: Seen,
    /// Who touches what, if the active thread may be left alone.
    discipline: Option<Discipline<Rc<Node>>>,
    pub cuts: Vec<Cut>,
    pub warnings: Warnings,
    pub tally: Tally,
}

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Steps executed.
    pub transitions: u64,
    /// Executions followed to their end, or to a node that was seen before.
    pub interleavings: u64,
    /// The longest execution.
    pub depth: u64,
    /// Distinct contents of the global memory at the program's end; none once
    /// that depends on inputs, or threads were still alive.
    pub final_states: Option<FxHashSet<Box<[u8]>>>,
}

impl<'a> Search<'a> {
    pub fn new(task: &'a Task<'a>, questions: Questions, options: Options<'_>) -> Search<'a> {
        // A step that is left alone may make an execution longer, and is missing
        // where others end the process before it.
        let ends_matter = task.bounds.depth.is_some() || task.machine.config().properties.has(Property::Leak);
        let discipline = (options.reduction && !ends_matter).then(Discipline::default);
        Search {
            task,
            executor: Executor::new(task.machine)
                .with_bounds(branch_bounds(task.machine.program(), options.loops)),
            terms: Terms::new(),
            questions,
            strategy: options.strategy,
            formula: Formula::default(),
            ended: false,
            stack: Vec::new(),
            beyond: Vec::new(),
            unwound: Vec::new(),
            bound: 0,
            seen: Seen::default(),
            discipline,
            cuts: Vec::new(),
            warnings: Warnings::default(),
            tally: Tally { final_states: Some(FxHashSet::default()), ..Tally::default() },
        }
    }

    /// Enters the initial state.
    pub fn start(&mut self) -> Option<Found> {
        let mut state = State::initial(self.task.machine);
        self.task.machine.normalise(&mut state.machine);
        let stored = self.seen.store(state.clone());
        let number = Some(self.seen.find(&stored));
        let active = ThreadId(0);
        let node = Node { state: stored, number, active, switches: 0, depth: 0, inputs: 0, history: None };
        self.visit(node, &state)
    }

    /// The program's pointer size.
    fn word(&self) -> u64 {
        self.task.machine.program().pointer_size()
    }

    /// Explores up to these bounds what was not explored before.
    pub fn explore(&mut self, switches: u64, unwind: u32) -> Option<Found> {
        self.bound = switches;
        self.executor.set_unwind(Some(unwind));
        self.stack.append(&mut self.unwound);
        self.stack.append(&mut self.beyond);
        let watch = self.task.budget.watch();
        while let Some(pending) = self.stack.pop() {
            if let Some(exceeded) = watch.exceeded() {
                return Some(Found::Exceeded(exceeded));
            }
            if pending.switches() > self.bound {
                self.beyond.push(pending);
                continue;
            }
            let found = self.execute(pending);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Puts what was recorded to the solver.
    pub fn solve(&mut self) -> Option<Found> {
        match self.formula.solve(&mut self.terms, &mut self.questions) {
            Ok(None) => None,
            Ok(Some((recorded, model))) => {
                Some(Found::Violation(Box::new(recorded.fault.clone()), recorded.steps.clone(), model))
            }
            // The verdict says that the solver gave up.
            Err(_) => None,
        }
    }

    /// Drops what lies beyond the bounds and has no inputs that lead there: the
    /// unwinding assertions, and the switches that nothing enables.
    pub fn drop_impossible(&mut self) {
        let (terms, questions) = (&self.terms, &mut self.questions);
        let mut possible = |pending: &Pending| {
            let path = pending.suspended.as_ref().map_or(pending.node.state.path(), |step| step.path());
            !matches!(questions.model(terms, path), Ok(None))
        };
        self.unwound.retain(&mut possible);
        self.beyond.retain(&mut possible);
    }

    /// Whether executions with more context switches remain.
    pub fn has_beyond(&self) -> bool {
        let is_open = |pending: &Pending| {
            let Pending { node, thread, choice, .. } = pending;
            !node.number.is_some_and(|n| self.seen.is_executed(n, *thread, *choice, pending.switches()))
        };
        self.beyond.iter().any(is_open)
    }

    /// The branches at which steps are suspended, each with its own bound, if
    /// it has one.
    pub fn unwound(&self) -> impl Iterator<Item = (BranchAt, Option<u32>)> + '_ {
        let steps = self.unwound.iter().filter_map(|pending| pending.suspended.as_ref());
        steps.map(|step| (step.at(), self.executor.bound_of(step.at())))
    }

    /// Executes a step in every way its path allows.
    fn execute(&mut self, mut pending: Pending) -> Option<Found> {
        let suspended = pending.suspended.take();
        let (thread, choice, switches) = (pending.thread, pending.choice, pending.switches());
        let fresh = suspended.is_none();
        if let Some(number) = pending.node.number.filter(|_| fresh)
            && !self.seen.execute(number, thread, choice, switches)
        {
            return None;
        }
        let state = self.seen.load(&pending.node.state, self.word());
        let before = state.machine.clone();
        let mut blind = Blind;
        let guide: &mut dyn Guide = match self.strategy {
            Strategy::Lazy => &mut self.questions,
            Strategy::Recording | Strategy::Widening => &mut blind,
        };
        let terms = &mut self.terms;
        let successors = match suspended {
            Some(suspended) => self.executor.resume(terms, guide, *suspended, thread, choice, GRAIN),
            None => self.executor.step(terms, guide, state, thread, choice, GRAIN),
        };
        let suspended = self.executor.take_suspended();
        let is_whole = suspended.is_empty() && !successors.is_empty();
        for suspended in suspended {
            let node = Rc::clone(&pending.node);
            self.unwound.push(Pending {
                node,
                thread,
                choice,
                suspended: Some(Box::new(suspended)),
                alone: false,
            });
        }
        let mut alone = is_whole && self.is_undisturbed(&pending, &before, &successors);
        let first = self.stack.len();
        for successor in successors {
            self.tally.transitions += 1;
            match self.arrive(&pending, successor) {
                Arrival::Ahead => {}
                Arrival::Elsewhere => alone = false,
                Arrival::Found(found) => return Some(found),
            }
        }
        if pending.alone && !alone {
            let others = self.others(&pending.node);
            self.stack.splice(first..first, others);
        }
        None
    }

    /// Notes what a step touched. Whether nobody interferes with it, as far as
    /// was seen, if it is to be left alone.
    fn is_undisturbed(
        &mut self,
        pending: &Pending,
        before: &machine::State,
        successors: &[Successor],
    ) -> bool {
        let Some(discipline) = &mut self.discipline else { return false };
        let claim = Claim { machine: self.task.machine, before, thread: pending.thread };
        let mut broken = Vec::new();
        for successor in successors {
            broken.extend(discipline.touch(&claim, &successor.footprint));
        }
        let goes_on =
            |successor: &Successor| successor.step.end.is_none() && successor.step.faults.is_empty();
        let footprints: Vec<_> = successors.iter().map(|successor| &successor.footprint).collect();
        let undisturbed = pending.alone
            && successors.iter().all(goes_on)
            && discipline.leave_alone(&claim, &footprints, &pending.node);
        self.give_back(broken);
        undisturbed
    }

    /// Takes up the other threads' steps at nodes that were left to one.
    fn give_back(&mut self, nodes: Vec<Rc<Node>>) {
        for node in nodes {
            let others = self.others(&node);
            self.stack.extend(others);
        }
    }

    /// The steps of those who are not active.
    fn others(&mut self, node: &Rc<Node>) -> Vec<Pending> {
        let state = self.seen.load(&node.state, self.word());
        let threads = self.threads(&state, node.active).into_iter().filter(|thread| *thread != node.active);
        threads.flat_map(|thread| self.steps(node, &state, thread)).collect()
    }

    fn arrive(&mut self, pending: &Pending, successor: Successor) -> Arrival {
        let machine = self.task.machine;
        let choice = successor.input.map_or(Choice::Number(pending.choice), Choice::Input);
        let before = pending.node.history.clone();
        let history = Rc::new(History { thread: pending.thread, choice, before });
        for fault in successor.step.faults {
            if machine.asks(&fault.kind) {
                return self.violation(fault, history.steps(), &successor.state).into();
            }
            // An exploration without a solver also comes where no inputs lead.
            if !matches!(self.questions.model(&self.terms, &successor.state.path), Ok(None)) {
                self.warnings.add(fault);
            }
        }
        if let Some(end) = successor.step.end {
            self.first_end(&history.steps());
            self.end(pending, &successor.state, end);
            return Arrival::Elsewhere;
        }
        let mut state = successor.state;
        machine.normalise(&mut state.machine);
        let read = successor.input.is_some();
        let stored = self.seen.store(state.clone());
        let mut node = Node {
            state: stored,
            number: None,
            active: pending.thread,
            switches: pending.switches(),
            depth: pending.node.depth + 1,
            inputs: if read { pending.node.inputs + 1 } else { 0 },
            history: Some(history),
        };
        if node.inputs < MAX_INPUTS && self.reads_open_input(&state, node.active) {
            let (active, node) = (node.active, Rc::new(node));
            let steps = self.steps(&node, &state, active);
            self.stack.extend(steps);
            return Arrival::Elsewhere;
        }
        node.number = Some(self.seen.find(&node.state));
        // Steps left alone lead to later states only, so they form no cycle.
        let ahead = node.number > pending.node.number;
        match self.visit(node, &state) {
            None if ahead => Arrival::Ahead,
            found => found.into(),
        }
    }

    /// Widening starts from the first interleaving.
    fn first_end(&mut self, steps: &[(ThreadId, Choice)]) {
        if !std::mem::replace(&mut self.ended, true) && self.strategy == Strategy::Widening {
            self.formula.release(&mut self.terms, steps);
        }
    }

    /// A violation, if there are inputs under which it comes about; or it is
    /// recorded.
    fn violation(&mut self, fault: Fault, steps: Vec<(ThreadId, Choice)>, state: &State) -> Option<Found> {
        if self.strategy != Strategy::Lazy {
            self.first_end(&steps);
            let conditions = state.path.conditions().to_vec();
            let recorded = Recorded { fault, steps, conditions };
            self.formula.add(&mut self.terms, recorded, self.strategy == Strategy::Widening);
            return None;
        }
        match self.questions.model(&self.terms, &state.path) {
            Ok(Some(model)) => Some(Found::Violation(Box::new(fault), steps, model)),
            // The solver had not known that no execution comes here.
            Ok(None) => None,
            // The verdict says that the solver gave up.
            Err(_) => None,
        }
    }

    fn end(&mut self, pending: &Pending, state: &State, end: End) {
        self.tally.interleavings += u64::from(end != End::Infeasible);
        match end {
            End::Exited(_) => self.final_state(state),
            End::Unsupported(what) => {
                let before = self.seen.load(&pending.node.state, self.word());
                let at = self.task.machine.position(&before.machine, pending.thread);
                self.cut(Cut::Unsupported { what, at });
            }
            End::Aborted | End::Fault | End::Infeasible => {}
        }
    }

    fn final_state(&mut self, state: &State) {
        let cut_off = state.machine.alive().nth(1).is_some();
        if cut_off || !state.inputs().is_empty() {
            self.tally.final_states = None;
        }
        if let Some(known) = &mut self.tally.final_states {
            let mut globals = Vec::new();
            self.task.machine.canonical_globals(&state.machine, &mut globals);
            known.insert(globals.into());
        }
    }

    fn cut(&mut self, cut: Cut) {
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
    }

    /// Enters a node, unless its like was entered before.
    fn visit(&mut self, node: Node, state: &State) -> Option<Found> {
        let machine = self.task.machine;
        let number = node.number.expect("the state is numbered");
        if !self.seen.arrive(number, node.active, node.switches) {
            self.tally.interleavings += 1;
            return None;
        }
        self.tally.depth = self.tally.depth.max(node.depth);
        let states = self.seen.len() as u64;
        let transitions = self.tally.transitions;
        self.task.progress.set(Counts { states, transitions, depth: node.depth });
        let deadlock = machine.deadlock(&state.machine).filter(|fault| machine.asks(&fault.kind));
        if let Some(fault) = deadlock {
            let steps = node.history.as_ref().map_or_else(Vec::new, |history| history.steps());
            return self.violation(fault, steps, state);
        }
        if self.task.bounds.depth == Some(node.depth) {
            self.cut(Cut::Depth(node.depth));
            return None;
        }
        if let Some(discipline) = &mut self.discipline {
            let broken = discipline.touch_awaited(machine, &state.machine);
            self.give_back(broken);
        }
        self.expand(Rc::new(node), state);
        None
    }

    /// Has the active thread's step executed and left alone, if it can be, else
    /// everybody's.
    fn expand(&mut self, node: Rc<Node>, state: &State) {
        let threads = self.threads(state, node.active);
        let active_last = threads.last() == Some(&node.active);
        if self.discipline.is_some()
            && threads.len() > 1
            && active_last
            && self.executor.choices(state, node.active) == Ok(1)
        {
            let thread = node.active;
            self.stack.push(Pending { node, thread, choice: 0, suspended: None, alone: true });
            return;
        }
        for thread in threads {
            let steps = self.steps(&node, state, thread);
            self.stack.extend(steps);
        }
    }

    /// Whether the thread is about to read an input that is not a choice.
    fn reads_open_input(&self, state: &State, thread: ThreadId) -> bool {
        self.task.machine.reads_input(&state.machine, thread) && self.executor.choices(state, thread) == Ok(1)
    }

    /// Who is to move from a node, the first one last.
    fn threads(&self, state: &State, active: ThreadId) -> Vec<ThreadId> {
        let mut threads = self.task.machine.runnable(&state.machine);
        let goes_on = threads.contains(&active);
        threads.retain(|thread| *thread != active);
        let others = threads.into_iter().rev();
        others.chain(goes_on.then_some(active)).collect()
    }

    /// The steps of a thread, the first one last.
    fn steps(&mut self, node: &Rc<Node>, state: &State, thread: ThreadId) -> Vec<Pending> {
        match self.executor.choices(state, thread) {
            Ok(choices) => (0..choices)
                .rev()
                .map(|choice| Pending {
                    node: Rc::clone(node),
                    thread,
                    choice,
                    suspended: None,
                    alone: false,
                })
                .collect(),
            Err(needs) => {
                self.cut(Cut::NeedsSymbolic(needs));
                Vec::new()
            }
        }
    }
}

/// Where a step leads.
enum Arrival {
    /// To a state that came later than the one it started from.
    Ahead,
    /// Not there.
    Elsewhere,
    /// To the end of the search.
    Found(Found),
}

impl From<Option<Found>> for Arrival {
    fn from(found: Option<Found>) -> Arrival {
        found.map_or(Arrival::Elsewhere, Arrival::Found)
    }
}

/// The grain of the tree's steps.
pub const GRAIN: Grain = Grain::Visible;
