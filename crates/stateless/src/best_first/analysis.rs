//! What an execution says about others: which of them partial-order reduction
//! would run (GAMBIT, Figure 4, lines 27 to 41), and which lead to where
//! another one leads.

use ir::{Instr, SyncOp};
use machine::{Need, ThreadId};
use rustc_hash::FxHashMap;

use crate::footprint::Footprint;
use crate::guided::Guided;
use crate::order::Order;
use crate::run::{Pending, Run};

/// How much partial-order reduction asks for a backtracking point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Demand {
    /// Not at all.
    None,
    /// To be on the safe side: the thread that should move there cannot, so
    /// every other one is asked for.
    Conservative,
    /// The step of the thread conflicts with the one that was taken.
    Required,
}

/// What an execution says about others.
pub struct Analysis {
    demands: FxHashMap<(u32, ThreadId), Demand>,
    /// Of each step, the next step of each thread from there on.
    following: Vec<Vec<u32>>,
}

const NEVER: u32 = u32::MAX;

impl Analysis {
    /// Looks at the steps from `new` on. The order must hold all steps.
    pub fn of(guided: &Guided<'_>, order: &Order, new: usize, ended: bool) -> Analysis {
        let mut analysis = Analysis { demands: FxHashMap::default(), following: following(guided) };
        let steps = guided.explorer.run.steps();
        for (second, taken) in steps.iter().enumerate().skip(new) {
            let operation =
                Operation { thread: taken.thread(), footprint: &taken.footprint, need: taken.need };
            analysis.demand(guided, order, second, &operation);
        }
        analysis.pending(guided, order, ended);
        analysis
    }

    /// How much this thread is asked for at a step.
    pub fn demand_of(&self, step: usize, thread: ThreadId) -> Demand {
        self.demands.get(&(step as u32, thread)).copied().unwrap_or(Demand::None)
    }

    /// All that is asked for, in a fixed order.
    pub fn demands(&self) -> Vec<(usize, ThreadId, Demand)> {
        let mut all: Vec<(usize, ThreadId, Demand)> =
            self.demands.iter().map(|((step, thread), demand)| (*step as usize, *thread, *demand)).collect();
        all.sort_unstable_by_key(|(step, thread, _)| (*step, *thread));
        all
    }

    /// Whether taking this thread at a step leads to where taking it one step
    /// earlier leads: its step does not depend on the one between. Sleep sets
    /// would leave it out. A switch that is free here and a preemption there is
    /// another matter (section 4.5).
    pub fn is_asleep(&self, guided: &Guided<'_>, step: usize, thread: ThreadId) -> bool {
        let Some(earlier) = step.checked_sub(1) else { return false };
        let (points, steps) = (guided.points(), guided.explorer.run.steps());
        let (before, between) = (&points[earlier], &steps[earlier]);
        let cheaper = points[step].preemptions_with(thread) < before.preemptions_with(thread);
        let depends = |next: usize| steps[next].footprint.conflicts(&between.footprint);
        between.thread() != thread
            && before.enabled.contains(&thread)
            && self.next_step(step, thread).is_some_and(|next| !depends(next))
            && !cheaper
    }

    /// The first step of the thread from a step on.
    pub fn next_step(&self, step: usize, thread: ThreadId) -> Option<usize> {
        let next = self.following.get(step)?.get(thread.0 as usize).copied()?;
        (next != NEVER).then_some(next as usize)
    }

    /// The steps that conflict with one that thread takes next, at any moment
    /// since its last one (lines 29 to 38): each of them, and the most recent
    /// one before that, unless it happened before.
    fn demand(&mut self, guided: &Guided<'_>, order: &Order, second: usize, operation: &Operation<'_>) {
        let thread = operation.thread;
        let run = &guided.explorer.run;
        let steps = run.steps();
        let last = (0..second).rev().find(|i| steps[*i].thread() == thread || starts(guided, *i, thread));
        let conflicts = |first: &usize| {
            steps[*first].thread() != thread
                && steps[*first].footprint.conflicts(operation.footprint)
                && !operation.is_let_in_by(run, *first)
        };
        let since = last.map_or(0, |last| last + 1);
        for first in (since..second).filter(conflicts) {
            self.ask(guided, first, thread);
        }
        let Some(last) = last else { return };
        if let Some(first) = (0..last).rev().find(conflicts).filter(|i| !order.happens_before(*i, last)) {
            self.ask(guided, first, thread);
        }
    }

    /// Lines 32 to 38.
    fn ask(&mut self, guided: &Guided<'_>, step: usize, thread: ThreadId) {
        let enabled = &guided.points()[step].enabled;
        if enabled.contains(&thread) {
            self.demands.insert((step as u32, thread), Demand::Required);
            return;
        }
        for other in enabled {
            self.demands.entry((step as u32, *other)).or_insert(Demand::Conservative);
        }
    }

    /// What threads would do next that are not over when the execution is.
    fn pending(&mut self, guided: &Guided<'_>, order: &Order, ended: bool) {
        let run = &guided.explorer.run;
        let end = run.steps().len();
        for pending in run.pending(ended) {
            let Pending { mover, footprint, need, .. } = &pending;
            let operation = Operation { thread: mover.thread(), footprint, need: *need };
            self.demand(guided, order, end, &operation);
        }
        for thread in run.state().thread_ids() {
            if let Some(spin) = guided.spins.of(run, thread) {
                let operation = Operation { thread, footprint: spin.footprint(), need: None };
                self.demand(guided, order, end, &operation);
            }
        }
        // The last step ended it for all of them.
        if ended && let Some(point) = guided.points().last() {
            for thread in &point.enabled {
                self.demands.insert((end as u32 - 1, *thread), Demand::Required);
            }
        }
    }
}

/// What a thread does or would do next.
struct Operation<'a> {
    thread: ThreadId,
    footprint: &'a Footprint,
    /// What it needs in order not to block.
    need: Option<Need>,
}

impl Operation<'_> {
    /// Whether a step gives the operation what it needs, and could not have
    /// been taken if that had been there: the release of a lock, the end of a
    /// thread that is joined. Two such steps are never possible in the same
    /// state, so they cannot be swapped.
    fn is_let_in_by(&self, run: &Run<'_>, step: usize) -> bool {
        let Some(need) = self.need else { return false };
        let is_post = matches!(
            run.machine().next_instruction(run.state_before(step), run.steps()[step].thread()),
            Some(Instr::Sync { op: SyncOp::SemPost, .. })
        );
        let is_open = |step: usize| run.machine().is_open(run.state_before(step), self.thread, need);
        !is_post && !is_open(step) && is_open(step + 1)
    }
}

/// Whether a step started the thread.
fn starts(guided: &Guided<'_>, step: usize, thread: ThreadId) -> bool {
    let run = &guided.explorer.run;
    run.steps()[step].wakes.contains(&thread) && run.state_before(step).thread_ids().all(|t| t != thread)
}

fn following(guided: &Guided<'_>) -> Vec<Vec<u32>> {
    let run = &guided.explorer.run;
    let mut next = vec![NEVER; run.state().thread_ids().count()];
    let mut following: Vec<Vec<u32>> = Vec::with_capacity(run.steps().len());
    for (step, taken) in run.steps().iter().enumerate().rev() {
        next[taken.thread().0 as usize] = step as u32;
        following.push(next.clone());
    }
    following.reverse();
    following
}
