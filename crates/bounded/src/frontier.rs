//! The frontier of the exploration: the steps that are still to be executed.

use symbolic::Path;

use crate::bound::Bound;
use crate::node::Pending;

/// Steps that are still to be executed, in three groups. What lies beyond the
/// bounds or was suspended is kept and taken up when the bounds rise, so nothing
/// is explored twice.
pub struct Frontier {
    bound: Bound,
    /// Steps to be executed at this bound, the next one last.
    due: Vec<Pending>,
    /// Steps that the bound does not admit.
    beyond: Vec<Pending>,
    /// Steps that were suspended at a branch which was decided too often.
    unwound: Vec<Pending>,
}

impl Frontier {
    /// Without steps, and with a bound that admits none that unwinds.
    pub fn new() -> Frontier {
        Frontier { bound: Bound::first(0), due: Vec::new(), beyond: Vec::new(), unwound: Vec::new() }
    }

    /// The bound up to which steps are taken.
    pub fn bound(&self) -> Bound {
        self.bound
    }

    /// Raises the bound: all steps are due again.
    pub fn raise(&mut self, bound: Bound) {
        self.bound = bound;
        self.due.append(&mut self.unwound);
        self.due.append(&mut self.beyond);
    }

    /// Takes the next step that the bound admits.
    pub fn pop(&mut self) -> Option<Pending> {
        while let Some(pending) = self.due.pop() {
            if self.bound.admits(&pending) {
                return Some(pending);
            }
            self.beyond.push(pending);
        }
        None
    }

    /// Adds steps; the last of them is taken next.
    pub fn extend(&mut self, steps: impl IntoIterator<Item = Pending>) {
        self.due.extend(steps);
    }

    /// How many steps are due.
    pub fn height(&self) -> usize {
        self.due.len()
    }

    /// Adds steps that are taken after those which were added since the frontier
    /// had this height.
    pub fn extend_below(&mut self, height: usize, steps: impl IntoIterator<Item = Pending>) {
        self.due.splice(height..height, steps);
    }

    /// Keeps a suspended step until the bound rises.
    pub fn suspend(&mut self, step: Pending) {
        debug_assert!(step.suspended.is_some(), "a step that is kept for unwinding was suspended");
        self.unwound.push(step);
    }

    /// The steps beyond the bound.
    pub fn beyond(&self) -> impl Iterator<Item = &Pending> + Clone {
        self.beyond.iter()
    }

    /// The suspended steps.
    pub fn unwound(&self) -> impl Iterator<Item = &Pending> {
        self.unwound.iter()
    }

    /// Drops the steps beyond the bounds whose conditions are impossible: the
    /// unwinding assertions, and the switches that nothing enables.
    pub fn drop_impossible(&mut self, mut is_impossible: impl FnMut(&Path) -> bool) {
        let mut possible = |pending: &Pending| {
            let path = pending.suspended.as_ref().map_or(pending.node.state.path(), |step| step.path());
            !is_impossible(path)
        };
        self.unwound.retain(&mut possible);
        self.beyond.retain(&mut possible);
    }
}
