//! Has the races of an execution run in the other order too: at the node before
//! the first step of a race, a sequence is planned that leaves that step out and
//! has the second one come after all that does not depend on the first (JACM
//! 2017, Algorithm 2, lines 3 to 8).

use std::sync::Arc;

use machine::ThreadId;
use smallvec::SmallVec;

use crate::covered::{Last, Sketch};
use crate::footprint::Footprint;
use crate::order::{Operation, Order};
use crate::run::{Pending, Run, Taken};
use crate::tree::WakeupNode;
use crate::wakeup::Planned;

/// An execution, and the nodes on its way.
pub struct Reversal<'a, 'm> {
    /// The execution.
    pub run: &'a Run<'m>,
    /// Happens-before on its steps.
    pub order: &'a Order,
    /// The node before each step.
    pub path: &'a [Arc<WakeupNode>],
    /// The branch of each step.
    pub taken: &'a [usize],
}

/// Indices of steps.
type Steps = SmallVec<[usize; 32]>;

impl Reversal<'_, '_> {
    /// Reverses the race of a step with an earlier one.
    pub fn race(&self, first: usize, second: usize) {
        let Taken { mover, choice, ref footprint, need, .. } = self.run.steps()[second];
        // A thread's choices are explored once its step comes first. Which store leaves a
        // buffer decides what the step touches, and so whether there is a race.
        let choice = if mover.is_thread() { 0 } else { choice };
        let rest = self.independent(&[first]);
        let steady = self.run.is_steady(second);
        let last = Last { mover, choice, footprint: steady.then_some(footprint) };
        if (steady || need.is_none()) && self.is_covered(first, &rest, last) {
            return;
        }
        self.reverse(first, rest, Planned { mover, choice, footprint: footprint.clone() }, !steady);
    }

    /// Reverses the races of steps that were not taken, of these threads: those of others
    /// have none. The last step may have ended the execution.
    pub fn pending(&self, threads: Vec<ThreadId>, ended: bool) {
        debug_assert!(self.others_race_with_nothing(&threads, ended));
        for pending in self.run.pending_among(threads, ended) {
            let mover = pending.mover;
            for first in self.races_of(&pending).into_iter().map(|first| first as usize) {
                let last = Planned { mover, choice: 0, footprint: pending.footprint.clone() };
                self.reverse(first, self.independent(&[first]), last, true);
            }
        }
    }

    fn races_of(&self, pending: &Pending) -> SmallVec<[u32; 4]> {
        let Pending { mover, ref footprint, need, unsignalled } = *pending;
        let operation = Operation { mover, footprint, need, unsignalled };
        self.order.races_of(self.run, &operation).1
    }

    /// Whether the operations to come of all threads but these race with no step.
    fn others_race_with_nothing(&self, threads: &[ThreadId], ended: bool) -> bool {
        let others = self.run.state().thread_ids().filter(|thread| !threads.contains(thread));
        let pending = self.run.pending_among(others, ended);
        let mut of_threads = pending.iter().filter(|pending| pending.mover.is_thread());
        of_threads.all(|pending| self.races_of(pending).is_empty())
    }

    /// Has the other data choices of a step run, of which there are so many.
    pub fn choices(&self, step: usize, choices: u64) {
        let Taken { mover, choice, .. } = self.run.steps()[step];
        let rest = self.independent(&[step]);
        for other in (0..choices).filter(|other| *other != choice) {
            if self.is_covered(step, &rest, Last { mover, choice: other, footprint: None }) {
                continue;
            }
            let mut sequence = self.planned(&rest);
            if let Some(footprint) = self.run.peek(step, &sequence, mover, other) {
                sequence.push(Planned { mover, choice: other, footprint });
                self.plan(step, sequence);
            }
        }
    }

    /// Has the rest of the steps run without `first`, and then `last`.
    fn reverse(&self, first: usize, rest: Steps, mut last: Planned, peek: bool) {
        let mut sequence = self.planned(&rest);
        if peek {
            let mut footprint = self.run.peek(first, &sequence, last.mover, last.choice);
            if footprint.is_none() {
                // Threads that share a lock keep it from a thread that wants it alone.
                let rest = self.independent(&self.conflicting(first, &last.footprint));
                sequence = self.planned(&rest);
                footprint = self.run.peek(first, &sequence, last.mover, last.choice);
            }
            match footprint {
                Some(footprint) => last.footprint = footprint,
                None => return self.all(first),
            }
        }
        sequence.push(last);
        self.plan(first, sequence);
    }

    fn plan(&self, first: usize, sequence: Vec<Planned>) {
        self.path[first].lock().plan(self.taken[first], sequence);
    }

    /// Whether nothing is to be planned for a sequence in place of a step.
    fn is_covered(&self, first: usize, rest: &Steps, last: Last<'_>) -> bool {
        let sketch = Sketch { steps: self.run.steps(), rest: rest.clone(), last: Some(last) };
        sketch.covered(&self.path[first].lock(), self.taken[first])
    }

    /// The steps after the first of some that happen after none of them.
    fn independent(&self, of: &[usize]) -> Steps {
        let depends = |step: usize| of.iter().any(|first| self.order.happens_before(*first, step));
        (of[0] + 1..self.run.steps().len()).filter(|step| !depends(*step)).collect()
    }

    fn planned(&self, steps: &Steps) -> Vec<Planned> {
        let planned = |step: &usize| {
            let Taken { mover, choice, ref footprint, .. } = self.run.steps()[*step];
            Planned { mover, choice, footprint: footprint.clone() }
        };
        steps.iter().map(planned).collect()
    }

    /// A step, and those after it that conflict with a footprint.
    fn conflicting(&self, first: usize, footprint: &Footprint) -> Vec<usize> {
        let steps = self.run.steps();
        let conflicts = |step: &usize| steps[*step].footprint.conflicts(footprint);
        std::iter::once(first).chain((first + 1..steps.len()).filter(conflicts)).collect()
    }

    /// Has all others run in place of a step.
    fn all(&self, first: usize) {
        let current = self.run.steps()[first].mover;
        for mover in self.run.enabled_before(first).into_iter().filter(|mover| *mover != current) {
            if let Some(footprint) = self.run.peek(first, &[], mover, 0) {
                self.plan(first, vec![Planned { mover, choice: 0, footprint }]);
            }
        }
    }
}
