//! Optimal dynamic partial-order reduction: source sets with wakeup sequences
//! (Abdulla, Aronsson, Jonsson, Sagonas: Source Sets, JACM 2017, Algorithm 2).
//! Every Mazurkiewicz trace is run exactly once, and no execution is given up
//! because whoever could move was asleep, for any number of workers.
//!
//! **Why once, whoever takes which branch when.** Consider the tree when all is
//! done. At each node the branches have an order, new ones having come last.
//!
//! - *No trace twice.* Below a branch everything sleeps that slept at the node,
//!   and all earlier branches, whether they were complete or not when this one
//!   was taken. So no execution below it is equivalent to one that begins with
//!   an earlier branch.
//! - *None is missing.* Every step of the tree is taken by one worker, and that
//!   worker has its races reversed: at the node before the first step there is,
//!   when that is done, a branch that could come first in the reversing sequence,
//!   or a step asleep that could. This is all that the proof of Algorithm 2 asks
//!   of a node; it goes by induction over the tree from left to right, not over
//!   time, and what sleeps stands for branches further left, all of which are
//!   run in the end.
//! - *None is given up.* A sequence is planned only if nothing that sleeps and
//!   no branch so far could come first in it. So each of them depends on one of
//!   its steps, and after these nothing sleeps any more. Branches that are added
//!   later come later, and do not sleep here.
//!
//! Deviations from the algorithm as published:
//!
//! - There are sequences instead of trees. Where a branch could come first in a
//!   sequence, nothing is added: what is below that branch is run completely
//!   anyway.
//! - A race is looked at once, in the first execution that has its second step.
//!   Later executions that begin with the same steps have the same race, and
//!   what its reversal leads to is found from there.
//! - What a step touches may depend on what it reads: a compare-and-exchange
//!   that fails is a read. The second step of a race is about to read something
//!   else, so where that can make a difference it is tried before the sequence
//!   is planned ([`Run::peek`]).
//! - Blocking: which steps race is said in [`crate::order`]. Operations that
//!   are still blocked at the end of an execution take part in its races.
//! - Data choices are alternatives of one step. They exclude each other, and so
//!   are treated as steps that race.
//! - The end of the process keeps the other threads from moving. It conflicts
//!   with everything, and the next steps of the others take part in its races.
//! - A thread at an assumption that is false, or at a failure that nobody asked
//!   about, stays where it is. Others go on: what they do is done by an
//!   execution of the machine in which that step never comes.

use std::sync::Arc;

use machine::{End, ThreadId};

use crate::explorer::Explorer;
use crate::footprint::Footprint;
use crate::order::Order;
use crate::reversal::Reversal;
use crate::run::Run;
use crate::tree::{Branches, Node, Sleep};
use crate::wakeup::Planned;
use crate::walk::Policy;

/// Takes one execution of every trace.
#[derive(Default)]
pub struct Optimal {
    order: Order,
    /// How many data choices each step has.
    choices: Vec<u64>,
    /// The first step that no execution before had.
    new: usize,
}

impl Policy for Optimal {
    const EXECUTIONS: &'static str = ", one of each trace";

    /// Any thread that does not sleep.
    fn choose(&mut self, _: &mut Explorer<'_>, movable: &[ThreadId], branches: &mut Branches) {
        let sleeps = |thread: ThreadId| branches.sleep.iter().any(|step| step.thread == thread);
        if let Some(thread) = movable.iter().copied().find(|thread| !sleeps(*thread)) {
            branches.extend([Planned { thread, choice: 0, footprint: Footprint::default() }]);
        }
    }

    fn stays(&self, explorer: &Explorer<'_>, end: &End) -> bool {
        explorer.is_local_end(end)
    }

    fn push(&mut self, run: &Run<'_>, choices: u64) {
        self.order.push(run);
        self.choices.push(choices);
    }

    fn sleep(&self, branches: &Branches, index: usize) -> Sleep {
        branches.sleep_after(index)
    }

    /// Sees to it that races are run in the other order too: those of the new
    /// steps, and others for which the new steps make a difference.
    fn over(&mut self, run: &Run<'_>, path: &[Arc<Node>], taken: &[usize], ended: bool) {
        let reversal = Reversal { run, order: &self.order, path, taken };
        let common = self.order.common_past(self.new);
        for second in 0..run.steps().len() {
            let differs = |first: usize| second >= self.new || !self.order.is_in(first, &common);
            if self.choices[second] > 1 && differs(second) {
                reversal.choices(second, self.choices[second]);
            }
            for first in self.order.races(second).iter().map(|first| *first as usize) {
                if differs(first) {
                    reversal.race(first, second);
                }
            }
        }
        reversal.pending(ended);
    }

    fn back_to(&mut self, steps: usize) {
        self.order.back_to(steps);
        self.choices.truncate(steps);
        self.new = steps;
    }
}
