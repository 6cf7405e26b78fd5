//! What moves from a node: all threads and store buffers, or the active thread alone.
//! Bounds count switches between threads: a step of a buffer is none, and leaves the
//! processor to the thread that has it.

use std::rc::Rc;

use engine::Cut;
use machine::{Mover, Movers, ThreadId};
use symbolic::State;

use super::LazySearch;
use crate::node::{Pending, TreeNode};

impl LazySearch<'_> {
    /// Adds the steps from a node: the active thread's alone, if it may be left
    /// alone, else those of all threads.
    pub(super) fn expand(&mut self, node: Rc<TreeNode>, state: &State) {
        let (active, movers) = (Mover::Thread(node.active), self.movers(state, &node));
        if self.persistent.may_leave_alone(&node) && movers.len() > 1 && movers.last() == Some(&active) {
            let active = self.steps(&node, state, active);
            // Where a step is put off because it starts a thread, the others go on.
            if let [step] = &active[..]
                && step.threads == 0
            {
                self.frontier.extend(active.into_iter().map(|step| Pending { alone: true, ..step }));
                return;
            }
        }
        for mover in movers {
            let steps = self.steps(&node, state, mover);
            self.frontier.extend(steps);
        }
    }

    /// Takes up the other threads' steps at nodes that explored one alone.
    pub(super) fn take_up_others(&mut self, nodes: Vec<Rc<TreeNode>>) {
        for node in nodes {
            let others = self.others(&node);
            self.frontier.extend(others);
        }
    }

    /// The steps of the threads that are not active.
    pub(super) fn others(&mut self, node: &Rc<TreeNode>) -> Vec<Pending> {
        let state = self.seen.load(&node.state);
        let movers = self.movers(&state, node).into_iter().filter(|mover| *mover != node.active.into());
        movers.flat_map(|mover| self.steps(node, &state, mover)).collect()
    }

    /// What can move from a node, the first one last: the active thread, the others, the store
    /// buffers. Of threads that have not moved yet and are alike, the first is enough; none of
    /// them is active.
    fn movers(&mut self, state: &State, node: &TreeNode) -> Movers {
        let machine = self.task.machine;
        self.enabled.follow(machine, &state.machine);
        let mut movers: Movers = self.enabled.threads().map(Mover::Thread).collect();
        machine.add_buffers(&state.machine, &mut movers);
        if let Some(twins) = &self.twins {
            let mut is_needed = twins.beginners(&state.machine);
            movers.retain(|mover| mover.as_thread().is_none_or(&mut is_needed));
        }
        let active = Mover::Thread(node.active);
        movers.sort_by_key(|mover| std::cmp::Reverse((*mover != active, *mover)));
        movers
    }

    /// The steps of a thread or a store buffer, the first one last.
    pub(super) fn steps(&mut self, node: &Rc<TreeNode>, state: &State, mover: Mover) -> Vec<Pending> {
        let machine = self.task.machine;
        let starts = mover.as_thread().is_some_and(|thread| machine.is_starting(&state.machine, thread));
        let threads = if starts { state.machine.thread_ids().count() as u32 + 1 } else { 0 };
        let step = |choice| Pending { threads, ..Pending::new(node, mover, choice) };
        match self.executor.choices(state, mover) {
            Ok(choices) => (0..choices).rev().map(step).collect(),
            Err(needs) => {
                self.cut(Cut::NeedsSymbolic(needs));
                Vec::new()
            }
        }
    }

    /// Whether the thread is about to read an input that is not a choice.
    pub(super) fn reads_open_input(&self, state: &State, thread: ThreadId) -> bool {
        self.task.machine.reads_input(&state.machine, thread) && self.executor.choices(state, thread) == Ok(1)
    }
}
