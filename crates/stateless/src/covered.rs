//! Whether a sequence need not be planned, found out without making it: most
//! races are looked at again and again.

use machine::Mover;
use smallvec::SmallVec;

use crate::buffers::depend;
use crate::footprint::Footprint;
use crate::run::Taken;
use crate::tree::Branches;
use crate::wakeup::Planned;

/// A sequence: some steps of an execution, and one that comes last.
#[derive(Clone)]
pub struct Sketch<'a> {
    /// The steps of the execution.
    pub steps: &'a [Taken],
    /// The indices of those in the sequence.
    pub rest: SmallVec<[usize; 32]>,
    /// The last step, unless that is among those left out.
    pub last: Option<Last<'a>>,
}

/// The last step of a sequence.
#[derive(Clone, Copy)]
pub struct Last<'a> {
    /// What moves.
    pub mover: Mover,
    /// With which data choice.
    pub choice: u64,
    /// What it touches, if that is known.
    pub footprint: Option<&'a Footprint>,
}

/// Where a step is in a sequence before which nothing comes that it depends on.
enum Initial {
    /// Among the steps, at this index.
    Step(usize),
    /// It is the last step.
    Last,
    /// Nowhere; it depends on none of them.
    Independent,
    /// It is no initial.
    No,
    /// That depends on what the last step touches.
    Unknown,
}

impl Sketch<'_> {
    /// Whether something that sleeps or was planned leads to where the sequence
    /// leads, for a worker below a branch. In doubt it does not.
    pub fn covered(self, branches: &Branches, below: usize) -> bool {
        let sleeps = |step: &Planned| !matches!(self.initial(step), Initial::No | Initial::Unknown);
        branches.asleep(below + 1).any(sleeps) || self.inserted(branches, below + 1)
    }

    /// The same for branches from one on, as [`Branches::plan`] would find out.
    fn inserted(mut self, branches: &Branches, from: usize) -> bool {
        for (step, guided) in branches.planned(from) {
            match self.initial(step) {
                Initial::No => continue,
                Initial::Unknown => return false,
                Initial::Independent => {}
                Initial::Last => self.last = None,
                Initial::Step(at) => {
                    self.rest.remove(at);
                }
            }
            let Some(node) = guided else { return true };
            return self.rest.is_empty() && self.last.is_none() || self.inserted(&node.lock(), 0);
        }
        false
    }

    fn initial(&self, planned: &Planned) -> Initial {
        for (at, step) in self.rest.iter().map(|index| &self.steps[*index]).enumerate() {
            if step.mover == planned.mover {
                return if step.choice == planned.choice { Initial::Step(at) } else { Initial::No };
            }
            if depend((step.mover, &step.footprint), (planned.mover, &planned.footprint)) {
                return Initial::No;
            }
        }
        match self.last {
            None => Initial::Independent,
            Some(last) if last.mover == planned.mover => {
                if last.choice == planned.choice {
                    Initial::Last
                } else {
                    Initial::No
                }
            }
            Some(Last { footprint: None, .. }) => Initial::Unknown,
            Some(Last { mover, footprint: Some(footprint), .. }) => {
                match depend((mover, footprint), (planned.mover, &planned.footprint)) {
                    true => Initial::No,
                    false => Initial::Independent,
                }
            }
        }
    }
}
