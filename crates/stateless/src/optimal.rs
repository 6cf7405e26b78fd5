//! Optimal dynamic partial-order reduction: source sets with wakeup trees
//! (Abdulla, Aronsson, Jonsson, Sagonas: Source Sets, JACM 2017, Algorithm 2).
//! Every Mazurkiewicz trace is run exactly once, and no execution is given up
//! because all threads that could move were asleep, for any number of workers.
//!
//! **Why once, whichever worker takes which branch when.** Consider the tree when all is
//! done. At each node the branches have an order, new ones having come last.
//!
//! - *No trace twice.* Below a branch everything sleeps that slept at the node,
//!   and all branches to its left, whether they were complete or not when this
//!   one was taken. So no execution below it is equivalent to one that begins
//!   with a branch further left.
//! - *None is given up.* A sequence is planned only if nothing that sleeps there
//!   and no branch so far could come first in it. So each of these depends on one
//!   of its steps, and after the sequence nothing sleeps any more. Branches that
//!   are added later come later, and do not sleep here.
//! - *None is missing.* Suppose that a continuation `w` of a node has no first
//!   step among its branches and what sleeps there. Of all these take the one, `b`,
//!   that depends on none of the longest beginning of `w`; `x` is the first step of
//!   `w` that depends on it. An execution with `b` first, then that beginning and
//!   `x`, was run, below `b` or, if `b` sleeps, below the branch further left that
//!   `b` is (else something there would be independent of even more of `w`). It has
//!   a race of `b` and `x`, and the sequence that reverses it holds that beginning
//!   and `x`. When it was looked at, something was or came to be there that could be
//!   first in it, in contradiction to the choice of `b`. If `b` sleeps, the sequence
//!   was planned at the node further up where `b` is a branch, and from there went
//!   down to this one along guided branches, which are to the right of `b`. They
//!   may have been explored before; that is why they are kept as long as something
//!   to their left is not complete ([`crate::tree`]). Where a branch on the way is
//!   not guided, nothing sleeps after it, and all that follows it is run.
//!
//! For the last it matters that a race is looked at in every execution that has
//! it, because the sequence holds all that does not depend on its first step, and
//! that this is different from execution to execution. It is enough to look again
//! where a new step does not depend on the race's first one.
//!
//! Deviations from the algorithm as published:
//!
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
//! - A thread at an assumption that is false, or at a failure that was not asked
//!   about, stays where it is. Others go on: what they do is done by an
//!   execution of the machine in which that step never comes.

use std::sync::Arc;

use machine::{End, Mover};

use crate::explorer::Explorer;
use crate::footprint::Footprint;
use crate::order::Order;
use crate::queues::Queues;
use crate::reversal::Reversal;
use crate::run::Run;
use crate::tree::{Branches, Sleep, WakeupNode};
use crate::wakeup::Planned;
use crate::walk::{Policy, movable};

/// Takes one execution of every trace.
#[derive(Default)]
pub struct Optimal {
    order: Order,
    /// How many data choices each step has.
    choices: Vec<u64>,
    /// The first step that no execution before had.
    new: usize,
    /// The steps that race with an earlier one or have several data choices, ascending:
    /// those for which something may have to be planned.
    racing: Vec<usize>,
    /// The threads that were alive at the end of the last execution.
    queues: Queues,
}

impl Policy for Optimal {
    const EXECUTIONS: &'static str = ", one of each trace";

    /// Any that does not sleep.
    fn choose(&mut self, explorer: &mut Explorer<'_>, branches: &mut Branches) {
        let sleeps = |mover: Mover| branches.sleep.iter().any(|step| step.mover == mover);
        let first = movable(explorer, branches).find(|mover| !sleeps(*mover));
        if let Some(mover) = first {
            branches.extend([Planned { mover, choice: 0, footprint: Footprint::default() }]);
        }
    }

    fn stays(&self, explorer: &Explorer<'_>, end: &End) -> bool {
        explorer.is_local_end(end)
    }

    fn push(&mut self, run: &Run<'_>, choices: u64) {
        self.order.push(run);
        let step = self.choices.len();
        if choices > 1 || !self.order.races(step).is_empty() {
            self.racing.push(step);
        }
        self.choices.push(choices);
    }

    fn sleep(&self, branches: &Branches, index: usize) -> Sleep {
        branches.sleep_after(index)
    }

    /// Sees to it that races are run in the other order too: those of the new
    /// steps, and others for which the new steps make a difference.
    fn over(&mut self, run: &Run<'_>, path: &[Arc<WakeupNode>], taken: &[usize], ended: bool) {
        let reversal = Reversal { run, order: &self.order, path, taken };
        let common = self.order.common_past(self.new);
        for second in self.racing.iter().copied() {
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
        reversal.pending(self.queues.racing(run, &self.order), ended);
    }

    fn back_to(&mut self, steps: usize) {
        self.order.back_to(steps);
        self.choices.truncate(steps);
        self.racing.truncate(self.racing.partition_point(|step| *step < steps));
        self.new = steps;
    }
}
