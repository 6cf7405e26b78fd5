//! Who moves from a node: everybody, or the active thread alone.

use std::rc::Rc;

use engine::Cut;
use machine::ThreadId;
use reduction::Move;
use symbolic::{State, Successor, Suspended};

use crate::lazy::Search;
use crate::node::{Node, Pending};

/// After so many steps that were left alone everybody moves, lest a thread that
/// never ends keeps the others from being seen to interfere.
const MOST_ALONE: u32 = 100;

impl Search<'_> {
    /// Has the active thread's step executed and left alone, if it can be, else
    /// everybody's.
    pub fn expand(&mut self, node: Rc<Node>, state: &State) {
        let threads = self.threads(state, node.active);
        let may_be_alone = self.discipline.is_some() && node.alone < MOST_ALONE;
        if may_be_alone && threads.len() > 1 && threads.last() == Some(&node.active) {
            let active = self.steps(&node, state, node.active);
            // Where a step is put off because it starts a thread, the others go on.
            if let [step] = &active[..]
                && step.threads == 0
            {
                self.stack.extend(active.into_iter().map(|step| Pending { alone: true, ..step }));
                return;
            }
        }
        for thread in threads {
            let steps = self.steps(&node, state, thread);
            self.stack.extend(steps);
        }
    }

    /// Notes what a step touched, also where it is suspended, and takes up the
    /// nodes at which this interferes.
    pub fn note_touched(
        &mut self,
        pending: &Pending,
        before: &machine::State,
        successors: &[Successor],
        suspended: &[Suspended],
    ) {
        let Some(discipline) = &mut self.discipline else { return };
        let step = Move { machine: self.task.machine, before, thread: pending.thread };
        let whole = successors.iter().map(|successor| &successor.footprint);
        let footprints = whole.chain(suspended.iter().map(Suspended::footprint));
        let broken = footprints.flat_map(|footprint| discipline.touch(&step, footprint)).collect();
        self.give_back(broken);
    }

    /// Whether nobody interferes with a step, as far as was seen.
    pub fn is_undisturbed(
        &mut self,
        pending: &Pending,
        before: &machine::State,
        successors: &[Successor],
    ) -> bool {
        let Some(discipline) = &mut self.discipline else { return false };
        let step = Move { machine: self.task.machine, before, thread: pending.thread };
        let goes_on =
            |successor: &Successor| successor.step.end.is_none() && successor.step.faults.is_empty();
        let footprints: Vec<_> = successors.iter().map(|successor| &successor.footprint).collect();
        successors.iter().all(goes_on) && discipline.leave_alone(&step, &footprints, &pending.node)
    }

    /// Takes up the other threads' steps at nodes that were left to one.
    pub fn give_back(&mut self, nodes: Vec<Rc<Node>>) {
        for node in nodes {
            let others = self.others(&node);
            self.stack.extend(others);
        }
    }

    /// The steps of those who are not active.
    pub fn others(&mut self, node: &Rc<Node>) -> Vec<Pending> {
        let state = self.seen.load(&node.state, self.word());
        let threads = self.threads(&state, node.active).into_iter().filter(|thread| *thread != node.active);
        threads.flat_map(|thread| self.steps(node, &state, thread)).collect()
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
    pub fn steps(&mut self, node: &Rc<Node>, state: &State, thread: ThreadId) -> Vec<Pending> {
        let machine = self.task.machine;
        let starts = machine.is_starting(&state.machine, thread);
        let threads = if starts { state.machine.thread_ids().count() as u32 + 1 } else { 0 };
        let step = |choice| Pending { threads, ..Pending::new(node, thread, choice) };
        match self.executor.choices(state, thread) {
            Ok(choices) => (0..choices).rev().map(step).collect(),
            Err(needs) => {
                self.cut(Cut::NeedsSymbolic(needs));
                Vec::new()
            }
        }
    }

    /// Whether the thread is about to read an input that is not a choice.
    pub fn reads_open_input(&self, state: &State, thread: ThreadId) -> bool {
        self.task.machine.reads_input(&state.machine, thread) && self.executor.choices(state, thread) == Ok(1)
    }
}
