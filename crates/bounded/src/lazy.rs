//! Depth first over the reachability tree: the lazy approach (section 3.2), and
//! the exploration for the others.

mod arrive;
mod expand;

use std::rc::Rc;

use engine::{Cut, Exceeded, Ledger, Task};
use ir::Loop;
use logic::{Model, Terms};
use machine::{BranchAt, Enabled, Fault, Grain, Mover, Property, ThreadId, Twins};
use reduction::Move;
use symbolic::{Blind, Executor, Guide, Questions, State};

use crate::bound::Bound;
use crate::check::{Options, Strategy};
use crate::counters::UpToBound;
use crate::frontier::Frontier;
use crate::loops::branch_bounds;
use crate::node::{Choice, Pending, TreeNode};
use crate::persistent::PersistentSets;
use crate::recording::Formula;
use crate::rounds::Rounds;
use crate::seen::{Number, Seen, Stored};
use arrive::Arrival;

/// What ends the search of a bound.
pub enum Found {
    /// A violation: the fault, the steps to it, inputs under which they lead there.
    Violation(Box<Fault>, Vec<(Mover, Choice)>, Rc<Model>),
    /// A limit.
    Exceeded(Exceeded),
}

/// The reachability tree as far as it was explored.
pub struct LazySearch<'a> {
    task: &'a Task<'a>,
    executor: Executor<'a>,
    /// The terms that states and conditions consist of.
    pub terms: Terms,
    /// The questions to the solver.
    pub questions: Questions,
    /// The violations that were recorded, unless the search is lazy.
    formula: Option<Formula>,
    frontier: Frontier,
    /// The states that were met.
    pub seen: Seen,
    persistent: PersistentSets,
    /// The threads that can move, where it was asked for last.
    enabled: Enabled,
    /// How threads that have not moved yet stand for each other, if they do.
    twins: Option<Twins>,
    /// Executions that go on for ever while threads wait.
    pub rounds: Rounds,
    pub ledger: Ledger,
    pub tally: Tally,
}

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Steps executed.
    pub transitions: u64,
    /// Executions followed to their end, or to a node that was seen before.
    pub interleavings: u64,
    /// Of these, how many violate a property.
    pub failing: u64,
    /// The longest execution.
    pub depth: u64,
}

impl<'a> LazySearch<'a> {
    pub fn new(
        task: &'a Task<'a>,
        questions: Questions,
        options: &Options,
        loops: &[(Loop, u32)],
    ) -> LazySearch<'a> {
        // A step that is left alone may make an execution longer, and is missing
        // where others end the process before it. That it commutes with store buffers as
        // with threads is not known to the books of what steps touch.
        let properties = task.machine.config().properties;
        let unfreed = properties.has(Property::Leak) || properties.has(Property::Cleanup);
        let ends_matter = task.bounds.depth.is_some() || unfreed;
        let buffers = task.machine.config().memory_model.has_buffers();
        let is_lazy = options.strategy == Strategy::Lazy;
        LazySearch {
            task,
            executor: Executor::new(task.machine).with_bounds(branch_bounds(task.machine.program(), loops)),
            terms: Terms::new(),
            questions,
            formula: (!is_lazy).then(|| Formula::new(options.strategy == Strategy::Widening)),
            frontier: Frontier::new(),
            seen: Seen::new(task.machine),
            persistent: PersistentSets::new(options.reduction && !ends_matter && !buffers),
            enabled: Enabled::default(),
            twins: task.machine.twins().filter(|twins| options.reduction && twins.has_no_rounds()),
            rounds: Rounds::default(),
            ledger: Ledger::default(),
            tally: Tally::default(),
        }
    }

    /// Enters the initial state.
    pub fn start(&mut self) -> Option<Found> {
        let mut state = State::initial(self.task.machine);
        self.task.machine.normalise(&mut state.machine);
        let stored = self.seen.store(state.clone());
        let number = Some(self.number(&stored));
        let active = ThreadId(0);
        let (switches, depth) = (0, 0);
        let node = TreeNode {
            state: stored,
            number,
            before: None,
            active,
            switches,
            depth,
            inputs: 0,
            alone: 0,
            history: None,
        };
        self.visit(node, &state)
    }

    /// The number of a state. Only the lazy search knows that its conditions
    /// can be fulfilled.
    fn number(&mut self, state: &Stored) -> Number {
        let possible = self.formula.is_none();
        self.seen.find(&mut self.terms, &mut self.questions.inputs, state, possible)
    }

    /// Explores up to these bounds what was not explored before.
    pub fn explore(&mut self, bound: Bound) -> Option<Found> {
        self.frontier.raise(bound);
        self.executor.set_unwind(Some(bound.unwind));
        let watch = self.task.budget.watch();
        while let Some(pending) = self.frontier.pop() {
            if let Some(exceeded) = watch.exceeded() {
                return Some(Found::Exceeded(exceeded));
            }
            let found = self.execute(pending);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// What was counted so far, with the bounds up to which it was.
    pub fn count(&self) -> UpToBound {
        let (solver, bound) = (self.questions.statistics(), self.frontier.bound());
        UpToBound {
            context_switches: bound.switches,
            unwinding: bound.unwind.into(),
            states: self.seen.len() as u64,
            interleavings: self.tally.interleavings,
            failing: self.tally.failing,
            solver_calls: solver.checks,
            solver_seconds: solver.time.as_secs_f64(),
            iterations: self.iterations(),
            expressions: self.terms.len() as u64,
            clauses: solver.clauses,
        }
    }

    /// How often the solver was asked for all recorded violations at once.
    pub fn iterations(&self) -> u64 {
        self.formula.as_ref().map_or(0, Formula::iterations)
    }

    /// Puts the recorded violations to the solver, and drops steps beyond the
    /// bounds that no inputs lead to. A lazy search has asked before.
    pub fn solve(&mut self) -> Option<Found> {
        let formula = self.formula.as_mut()?;
        let shown = formula.solve(&mut self.terms, &mut self.questions);
        let (terms, questions) = (&self.terms, &mut self.questions);
        self.frontier.drop_impossible(|path| matches!(questions.model(terms, path), Ok(None)));
        // If the solver gave up, the verdict says so.
        let (recorded, model) = shown.ok().flatten()?;
        Some(Found::Violation(Box::new(recorded.fault.clone()), recorded.steps.clone(), model))
    }

    /// The steps beyond the bound that are still to be executed.
    pub fn beyond(&self) -> impl Iterator<Item = &Pending> + Clone {
        let is_open = |pending: &&Pending| {
            let number = pending.node.number;
            !number.is_some_and(|n| self.seen.is_executed(n, pending.action(), &pending.cost()))
        };
        self.frontier.beyond().filter(is_open)
    }

    /// Where steps are suspended, each with a bound of its own, if it has one.
    pub fn unwound(&self) -> impl Iterator<Item = (Option<BranchAt>, Option<u32>)> + '_ {
        let at = |pending: &Pending| pending.suspended.as_ref().expect("it is suspended").at();
        self.frontier.unwound().map(at).map(|at| (at, at.and_then(|at| self.executor.bound_of(at))))
    }

    /// Executes a step in every way its path allows.
    fn execute(&mut self, mut pending: Pending) -> Option<Found> {
        let suspended = pending.suspended.take();
        let (mover, choice) = (pending.mover, pending.choice);
        let fresh = suspended.is_none();
        if let Some(number) = pending.node.number.filter(|_| fresh)
            && !self.seen.execute(number, pending.action(), pending.cost())
        {
            return None;
        }
        let state = self.seen.load(&pending.node.state);
        let before = state.machine.clone();
        let mut blind = Blind;
        let guide: &mut dyn Guide = if self.formula.is_none() { &mut self.questions } else { &mut blind };
        let terms = &mut self.terms;
        let successors = match suspended {
            Some(suspended) => self.executor.resume(terms, guide, *suspended, mover, choice, GRAIN),
            None => self.executor.step(terms, guide, state, mover, choice, GRAIN),
        };
        let suspended = self.executor.take_suspended();
        let step = Move { machine: self.task.machine, before: &before, thread: mover.thread() };
        let disturbed = self.persistent.touch(&step, &successors, &suspended);
        self.take_up_others(disturbed);
        let is_whole = suspended.is_empty() && !successors.is_empty();
        let mut alone =
            pending.alone && is_whole && self.persistent.leave_alone(&step, &successors, &pending.node);
        for suspended in suspended.into_iter().map(Box::new).map(Some) {
            self.frontier.suspend(Pending { suspended, ..Pending::new(&pending.node, mover, choice) });
        }
        let height = self.frontier.height();
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
            self.frontier.extend_below(height, others);
        }
        None
    }

    pub fn cut(&mut self, cut: Cut) {
        self.ledger.cut(cut);
    }
}

/// The grain of the tree's steps.
pub const GRAIN: Grain = Grain::Visible;
