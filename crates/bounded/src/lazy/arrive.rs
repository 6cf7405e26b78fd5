//! Where steps lead: to nodes, to violations, to the end of executions.

use std::rc::Rc;

use engine::{Counts, Cut, Limit};
use machine::{End, Fault, Mover};
use symbolic::{State, Successor};

use super::{Found, LazySearch};
use crate::node::{Choice, History, Pending, TreeNode};
use crate::recording::Recorded;

/// Reading an input, which no other thread can observe, is part of the step before;
/// but not more than so many, so that a loop of inputs ends in a node.
const MAX_INPUTS: u32 = 64;

/// Where a step leads.
pub enum Arrival {
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

impl LazySearch<'_> {
    /// Follows a step to where it leads.
    pub(super) fn arrive(&mut self, pending: &Pending, successor: Successor) -> Arrival {
        let machine = self.task.machine;
        let choice = successor.input.map_or(Choice::Number(pending.choice), Choice::Input);
        let before = pending.node.history.clone();
        let history = Rc::new(History { mover: pending.mover, choice, before });
        for fault in successor.step.faults {
            if machine.asks(&fault.kind) {
                return self.violation(fault, history.steps(), &successor.state).into();
            }
            // An exploration without a solver also comes where no inputs lead.
            if !matches!(self.questions.model(&self.terms, &successor.state.path), Ok(None)) {
                self.ledger.warn(fault);
            }
        }
        if let Some(end) = successor.step.end {
            if let Some(formula) = &mut self.formula {
                formula.note_end(&mut self.terms, &history.steps());
            }
            self.end(pending, &successor.state, end);
            return Arrival::Elsewhere;
        }
        let mut state = successor.state;
        machine.normalise(&mut state.machine);
        let read = successor.input.is_some();
        let stored = self.seen.store(state.clone());
        let mut node = TreeNode {
            state: stored,
            number: None,
            before: pending.node.number.or(pending.node.before),
            active: pending.active(),
            switches: pending.switches(),
            depth: pending.node.depth + 1,
            inputs: if read { pending.node.inputs + 1 } else { 0 },
            alone: if pending.alone { pending.node.alone + 1 } else { 0 },
            history: Some(history),
        };
        if node.inputs < MAX_INPUTS && self.reads_open_input(&state, node.active) {
            let (active, node) = (node.active, Rc::new(node));
            let steps = self.steps(&node, &state, active.into());
            self.frontier.extend(steps);
            return Arrival::Elsewhere;
        }
        node.number = Some(self.number(&node.state));
        // Steps left alone lead to later states only, so they form no cycle.
        let ahead = node.number > pending.node.number;
        if machine.can_abandon()
            && let Some(found) = self.look_for_rounds(&node, pending.mover, &state)
        {
            return Arrival::Found(found);
        }
        match self.visit(node, &state) {
            None if ahead => Arrival::Ahead,
            found => found.into(),
        }
    }

    /// Looks for threads that wait for ever, where a step may close a round.
    fn look_for_rounds(&mut self, node: &TreeNode, mover: Mover, state: &State) -> Option<Found> {
        let machine = self.task.machine;
        let number = node.number.expect("the state is numbered");
        if !self.rounds.note(machine, &state.machine, number) {
            return None;
        }
        // Every round has a step that leads back.
        let back = node.before >= node.number;
        if back && state.inputs().is_empty() && !self.rounds.is_clear(number) {
            match machine.abandoned(&state.machine) {
                Ok(None) => self.rounds.clear(number),
                Ok(Some(fault)) => {
                    let steps = node.history.as_ref().map_or_else(Vec::new, |history| history.steps());
                    return self.violation(fault, steps, state);
                }
                Err(_) => {}
            }
        }
        self.rounds.step(node.before, mover, number);
        None
    }

    /// Enters a node, unless its like was entered before.
    pub(super) fn visit(&mut self, node: TreeNode, state: &State) -> Option<Found> {
        let machine = self.task.machine;
        let number = node.number.expect("the state is numbered");
        if !self.seen.arrive(number, node.active, node.state.cost(node.switches)) {
            self.tally.interleavings += 1;
            return None;
        }
        self.tally.depth = self.tally.depth.max(node.depth);
        let states = self.seen.len() as u64;
        let transitions = self.tally.transitions;
        self.task.progress.set(Counts { states, transitions, depth: node.depth });
        if states.is_multiple_of(17) {
            self.task.progress.sample(machine, &state.machine, node.active);
        }
        self.enabled.follow(machine, &state.machine);
        let deadlock = self.enabled.has_stuck().then(|| machine.deadlock(&state.machine)).flatten();
        if let Some(fault) = deadlock.filter(|fault| machine.asks(&fault.kind)) {
            let steps = node.history.as_ref().map_or_else(Vec::new, |history| history.steps());
            return self.violation(fault, steps, state);
        }
        if self.task.bounds.depth == Some(node.depth) {
            self.cut(Cut::Depth(Limit::asked(node.depth)));
            return None;
        }
        let disturbed = self.persistent.touch_awaited(machine, &state.machine);
        self.take_up_others(disturbed);
        self.expand(Rc::new(node), state);
        None
    }

    /// A violation, if there are inputs under which it comes about; or it is
    /// recorded.
    fn violation(&mut self, fault: Fault, steps: Vec<(Mover, Choice)>, state: &State) -> Option<Found> {
        if let Some(formula) = &mut self.formula {
            let conditions = state.path.conditions().to_vec();
            formula.add(&mut self.terms, Recorded { fault, steps, conditions });
            self.fails();
            return None;
        }
        match self.questions.model(&self.terms, &state.path) {
            Ok(Some(model)) => {
                self.fails();
                Some(Found::Violation(Box::new(fault), steps, model))
            }
            // The solver had not known that no execution comes here.
            Ok(None) => None,
            // The verdict says that the solver gave up.
            Err(_) => None,
        }
    }

    fn fails(&mut self) {
        self.tally.interleavings += 1;
        self.tally.failing += 1;
    }

    /// Notes the end of an execution. Final states are not counted once they
    /// depend on inputs, or threads were still alive.
    fn end(&mut self, pending: &Pending, state: &State, end: End) {
        self.tally.interleavings += u64::from(end != End::Infeasible);
        let cut_off = || state.machine.alive().nth(1).is_some();
        if matches!(end, End::Exited(_)) && (!state.inputs().is_empty() || cut_off()) {
            self.ledger.forget_final_states();
        }
        let (machine, seen) = (self.task.machine, &mut self.seen);
        let at = || machine.position(&seen.load(&pending.node.state).machine, pending.mover.thread());
        self.ledger.end(machine, &state.machine, end, at);
    }
}
