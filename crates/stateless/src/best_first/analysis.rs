//! What an execution says about others: which of them partial-order reduction
//! would run (GAMBIT, Figure 4, lines 27 to 41), and which lead to where
//! another one leads.

use machine::ThreadId;
use rustc_hash::FxHashMap;

use crate::footprint::Footprint;
use crate::guided::Guided;
use crate::order::Order;

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
        for second in new..steps.len() {
            let taken = &steps[second];
            analysis.demand(guided, order, second, taken.thread, &taken.footprint);
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
        between.thread != thread
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
    fn demand(
        &mut self,
        guided: &Guided<'_>,
        order: &Order,
        second: usize,
        thread: ThreadId,
        footprint: &Footprint,
    ) {
        let steps = guided.explorer.run.steps();
        let last = (0..second).rev().find(|i| steps[*i].thread == thread || starts(guided, *i, thread));
        let conflicts =
            |first: &usize| steps[*first].thread != thread && steps[*first].footprint.conflicts(footprint);
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
            self.demand(guided, order, end, pending.thread, &pending.footprint);
        }
        for thread in run.state().thread_ids() {
            if let Some(spin) = guided.spins.of(run, thread) {
                self.demand(guided, order, end, thread, spin.footprint());
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
        next[taken.thread.0 as usize] = step as u32;
        following.push(next.clone());
    }
    following.reverse();
    following
}
