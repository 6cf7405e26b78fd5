//! Nodes of the reachability tree.

use std::rc::Rc;

use logic::{Evaluation, Model, Term};
use machine::{Mover, ThreadId};
use symbolic::Suspended;

use crate::seen::{Action, Cost, Number, Stored};

/// A node: what the paper's tuple (section 3.1) has. The guards are the path of
/// the symbolic state.
pub struct TreeNode {
    /// The state, with the conditions under which it is reached.
    pub state: Stored,
    /// The state's number; none for one that only reads an input.
    pub number: Option<Number>,
    /// The number of the last state before that has one.
    pub before: Option<Number>,
    /// The active thread.
    pub active: ThreadId,
    /// How many context switches lead here.
    pub switches: u64,
    /// How many steps lead here.
    pub depth: u64,
    /// How many of the last steps only read inputs.
    pub inputs: u32,
    /// How many of the last steps were to be left alone.
    pub alone: u32,
    /// The steps that lead here.
    pub history: Option<Rc<History>>,
}

/// A data choice of a step.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// This one.
    Number(u64),
    /// The value of an input.
    Input(Term),
}

impl Choice {
    /// The choice as a trace holds it, under the inputs of a model.
    pub fn number(self, evaluation: &mut Evaluation<'_, &Model>) -> u64 {
        match self {
            Choice::Number(choice) => choice,
            Choice::Input(term) => evaluation.value(term) as u64,
        }
    }
}

/// Steps, the last one first.
pub struct History {
    /// What moved.
    pub mover: Mover,
    /// The data choice taken.
    pub choice: Choice,
    /// The steps before.
    pub before: Option<Rc<History>>,
}

impl Drop for History {
    /// Long histories must not be dropped by recursion.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut history) = before.and_then(Rc::into_inner) {
            before = history.before.take();
        }
    }
}

impl History {
    /// The steps in order.
    pub fn steps(&self) -> Vec<(Mover, Choice)> {
        let mut steps = vec![(self.mover, self.choice)];
        let mut next = self.before.as_ref();
        while let Some(history) = next {
            steps.push((history.mover, history.choice));
            next = history.before.as_ref();
        }
        steps.reverse();
        steps
    }
}

/// A step that is still to be executed.
pub struct Pending {
    /// The node that the step leads from.
    pub node: Rc<TreeNode>,
    /// What moves.
    pub mover: Mover,
    /// The data choice that it takes.
    pub choice: u64,
    /// How many threads there are after it, if it starts one.
    pub threads: u32,
    /// How far it was executed, if it was suspended.
    pub suspended: Option<Box<Suspended>>,
    /// Whether it is to be left alone: the steps of other threads are only to
    /// be executed if they interfere with it.
    pub alone: bool,
}

impl Pending {
    /// A step from its beginning.
    pub fn new(node: &Rc<TreeNode>, mover: Mover, choice: u64) -> Pending {
        Pending { node: Rc::clone(node), mover, choice, threads: 0, suspended: None, alone: false }
    }

    /// The thread that is active after the step. A store buffer takes the processor from no
    /// thread.
    pub fn active(&self) -> ThreadId {
        self.mover.as_thread().unwrap_or(self.node.active)
    }

    /// Context switches, this step's included.
    pub fn switches(&self) -> u64 {
        self.node.switches + u64::from(self.active() != self.node.active)
    }

    /// What is executed.
    pub fn action(&self) -> Action {
        Action { mover: self.mover, choice: self.choice, active: self.active() }
    }

    /// What leads to the step, its own context switch included.
    pub fn cost(&self) -> Cost {
        self.node.state.cost(self.switches())
    }
}
