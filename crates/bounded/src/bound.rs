//! Up to where the tree is explored.
//!
//! Besides context switches and unwindings there are bounds that users cannot
//! set: on the length of executions and on the number of threads. A program that
//! starts threads for ever, or counts for ever, would otherwise keep the search
//! at executions without a context switch. All of them rise until nothing lies
//! beyond.

use crate::node::Pending;

/// The bounds of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Context switches.
    pub switches: u64,
    /// How often a branch may be decided by inputs.
    pub unwind: u32,
    /// Steps of an execution.
    depth: u64,
    /// Threads that were started.
    threads: u32,
}

impl Bound {
    /// The bounds of the first round.
    pub fn first(unwind: u32) -> Bound {
        Bound { switches: 0, unwind, depth: 4096, threads: 128 }
    }

    /// Whether a step lies within.
    pub fn admits(&self, step: &Pending) -> bool {
        step.switches() <= self.switches && !self.is_deep(step)
    }

    /// Whether a step lies beyond the bounds that users cannot set.
    pub fn is_deep(&self, step: &Pending) -> bool {
        step.node.depth >= self.depth || step.threads > self.threads
    }

    /// The bounds of the next round: each is raised that one of the steps lies
    /// beyond. None if there are no steps.
    pub fn next<'a>(&self, mut steps: impl Iterator<Item = &'a Pending> + Clone) -> Option<Bound> {
        let beyond = |is: fn(&Bound, &Pending) -> bool| steps.clone().any(|step| is(self, step));
        let switches = beyond(|bound, step| step.switches() > bound.switches);
        let depth = beyond(|bound, step| step.node.depth >= bound.depth);
        let threads = beyond(|bound, step| step.threads > bound.threads);
        steps.next()?;
        // With more threads each further context switch costs much more.
        let threads = threads && (!switches || self.switches % 4 == 3);
        Some(Bound {
            switches: self.switches + u64::from(switches),
            unwind: self.unwind,
            depth: if depth { self.depth * 2 } else { self.depth },
            threads: if threads { self.threads * 2 } else { self.threads },
        })
    }
}
