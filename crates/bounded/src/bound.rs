//! Up to where the tree is explored.
//!
//! Besides context switches and unwindings there are bounds on the *size* of
//! executions that users cannot set: on their length and on the number of
//! threads. A program that starts threads for ever, or counts for ever, would
//! otherwise keep the search at executions without a context switch. All of them
//! rise until nothing lies beyond.
//!
//! They begin low, since most bugs show in short executions of few threads. The
//! size rises first, and both kinds in turn where both have something beyond:
//! the kind on which fewer steps were spent so far is raised. So the search
//! takes at most twice as long as if it had known which of them to raise.

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
        Bound { switches: 0, unwind, depth: 64, threads: 2 }
    }

    /// Whether a step lies within.
    pub fn admits(&self, step: &Pending) -> bool {
        step.switches() <= self.switches && !self.is_large(step)
    }

    /// Whether a step makes an execution larger than the bounds that users
    /// cannot set.
    pub fn is_large(&self, step: &Pending) -> bool {
        self.is_long(step) || self.has_many_threads(step)
    }

    fn is_long(&self, step: &Pending) -> bool {
        step.node.depth >= self.depth
    }

    fn has_many_threads(&self, step: &Pending) -> bool {
        step.threads > self.threads
    }

    /// Doubles the bounds on the size that one of the steps lies beyond.
    fn raise_size<'a>(&mut self, steps: impl Iterator<Item = &'a Pending>) {
        let (mut long, mut many) = (false, false);
        for step in steps {
            long |= self.is_long(step);
            many |= self.has_many_threads(step);
        }
        self.depth <<= u32::from(long);
        self.threads <<= u32::from(many);
    }
}

/// The bounds of the round, and what was spent on raising them.
#[derive(Debug)]
pub struct Rising {
    bound: Bound,
    raised: Kind,
    /// The steps that were taken after the size was raised.
    on_size: u64,
    /// The steps that were taken after the others were raised.
    on_switches: u64,
}

/// The bounds that are raised together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Length and number of threads.
    Size,
    /// Context switches and unwindings.
    Switches,
}

/// What lies beyond the bounds of a round.
pub struct Beyond<Steps> {
    /// The steps that were not taken.
    pub steps: Steps,
    /// Whether steps were suspended that a larger unwinding lets go on.
    pub unwinding: bool,
}

impl Rising {
    /// Begins with these bounds.
    pub fn new(bound: Bound) -> Rising {
        Rising { bound, raised: Kind::Switches, on_size: 0, on_switches: 0 }
    }

    /// The bounds of this round.
    pub fn bound(&self) -> Bound {
        self.bound
    }

    /// Raises the bounds after a round of so many steps. Whether there was
    /// anything beyond them.
    pub fn raise<'a, Steps>(&mut self, taken: u64, beyond: Beyond<Steps>) -> bool
    where
        Steps: Iterator<Item = &'a Pending> + Clone,
    {
        match self.raised {
            Kind::Size => self.on_size += taken,
            Kind::Switches => self.on_switches += taken,
        }
        let (bound, steps) = (self.bound, beyond.steps);
        let large = steps.clone().any(|step| bound.is_large(step));
        let switches = steps.clone().any(|step| step.switches() > bound.switches);
        let wide = switches || beyond.unwinding;
        if large && (!wide || self.on_size <= self.on_switches) {
            self.raised = Kind::Size;
            self.bound.raise_size(steps);
        } else if wide {
            self.raised = Kind::Switches;
            self.bound.switches += u64::from(switches);
            self.bound.unwind = bound.unwind.saturating_mul(1 + u32::from(beyond.unwinding));
        }
        large || wide
    }
}
