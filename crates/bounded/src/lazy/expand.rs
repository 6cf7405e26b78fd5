//! Which threads move from a node: all of them, or the active thread alone. Bounds
//! count switches between threads, so threads are meant here, not movers: under the
//! memory models that this engine follows nothing else moves.

use std::rc::Rc;

use engine::Cut;
use machine::ThreadId;
use smallvec::SmallVec;
use symbolic::State;

use super::LazySearch;
use crate::node::{Pending, TreeNode};

impl LazySearch<'_> {
    /// Adds the steps from a node: the active thread's alone, if it may be left
    /// alone, else those of all threads.
    pub(super) fn expand(&mut self, node: Rc<TreeNode>, state: &State) {
        let threads = self.threads(state, node.active);
        if self.persistent.may_leave_alone(&node) && threads.len() > 1 && threads.last() == Some(&node.active)
        {
            let active = self.steps(&node, state, node.active);
            // Where a step is put off because it starts a thread, the others go on.
            if let [step] = &active[..]
                && step.threads == 0
            {
                self.frontier.extend(active.into_iter().map(|step| Pending { alone: true, ..step }));
                return;
            }
        }
        for thread in threads {
            let steps = self.steps(&node, state, thread);
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
        let threads = self.threads(&state, node.active).into_iter().filter(|thread| *thread != node.active);
        threads.flat_map(|thread| self.steps(node, &state, thread)).collect()
    }

    /// The threads that can move from a node, the first one last. Of those that have not
    /// moved yet and are alike, the first is enough; none of them is active.
    fn threads(&mut self, state: &State, active: ThreadId) -> Vec<ThreadId> {
        self.enabled.follow(self.task.machine, &state.machine);
        let mut threads: SmallVec<[ThreadId; 8]> = self.enabled.threads().collect();
        if let Some(twins) = &self.twins {
            let mut is_needed = twins.beginners(&state.machine);
            threads.retain(|thread| is_needed(*thread));
        }
        let goes_on = threads.contains(&active);
        threads.retain(|thread| *thread != active);
        let others = threads.into_iter().rev();
        others.chain(goes_on.then_some(active)).collect()
    }

    /// The steps of a thread, the first one last.
    pub(super) fn steps(&mut self, node: &Rc<TreeNode>, state: &State, thread: ThreadId) -> Vec<Pending> {
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
    pub(super) fn reads_open_input(&self, state: &State, thread: ThreadId) -> bool {
        self.task.machine.reads_input(&state.machine, thread) && self.executor.choices(state, thread) == Ok(1)
    }
}
