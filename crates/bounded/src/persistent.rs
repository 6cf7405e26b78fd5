//! Persistent sets of one step: where the other threads' steps are put off.
//!
//! A node may explore the active thread's step alone while no other thread was
//! seen to interfere with it. [`Discipline`] watches what all steps touch. Once
//! it sees interference, it names the nodes at which the other threads' steps
//! must be taken up after all.

use std::rc::Rc;

use machine::{Enabled, Machine, State};
use reduction::{Discipline, Move, Unjoined};
use symbolic::{Successor, Suspended};

use crate::node::TreeNode;

/// After so many steps that were left alone all threads move, lest a thread that
/// never ends keeps the others from being seen to interfere.
const MOST_ALONE: u32 = 100;

/// Decides where the active thread's step is explored alone.
pub struct PersistentSets {
    /// What is touched under which locks; none if all threads always move.
    discipline: Option<Discipline<Rc<TreeNode>>>,
    /// The threads where it was last noted what they wait for, and which of them were not
    /// joined.
    noted: (Enabled, Unjoined),
}

impl PersistentSets {
    /// If they are not used, all threads move everywhere.
    pub fn new(used: bool) -> PersistentSets {
        PersistentSets { discipline: used.then(Discipline::default), noted: Default::default() }
    }

    /// Whether the active thread's step may be explored alone at a node.
    pub fn may_leave_alone(&self, node: &TreeNode) -> bool {
        self.discipline.is_some() && node.alone < MOST_ALONE
    }

    /// Notes what a step touched, also where it is suspended. Yields the nodes at
    /// which this interferes.
    pub fn touch(
        &mut self,
        step: &Move<'_>,
        successors: &[Successor],
        suspended: &[Suspended],
    ) -> Vec<Rc<TreeNode>> {
        let Some(discipline) = &mut self.discipline else { return Vec::new() };
        let whole = successors.iter().map(|successor| &successor.footprint);
        let footprints = whole.chain(suspended.iter().map(Suspended::footprint));
        footprints.flat_map(|footprint| discipline.touch(step, footprint)).collect()
    }

    /// Notes what the threads of a state wait for. Yields the nodes at which this
    /// interferes. What was noted at the state before stays noted: what a thread waits for
    /// is looked at again if that may have changed, or the others that threads have.
    pub fn touch_awaited(&mut self, machine: &Machine, state: &State) -> Vec<Rc<TreeNode>> {
        let Some(discipline) = &mut self.discipline else { return Vec::new() };
        let (enabled, last) = &mut self.noted;
        enabled.follow(machine, state);
        let unjoined = Unjoined::of(state);
        match std::mem::replace(last, unjoined) == unjoined {
            true => discipline.touch_awaited(machine, state, enabled.asked().iter().copied()),
            false => discipline.touch_awaited(machine, state, state.thread_ids()),
        }
    }

    /// Whether no thread interferes with a step from a node, as far as was seen.
    pub fn leave_alone(&mut self, step: &Move<'_>, successors: &[Successor], node: &Rc<TreeNode>) -> bool {
        let Some(discipline) = &mut self.discipline else { return false };
        let goes_on =
            |successor: &Successor| successor.step.end.is_none() && successor.step.faults.is_empty();
        let footprints: Vec<_> = successors.iter().map(|successor| &successor.footprint).collect();
        successors.iter().all(goes_on) && discipline.leave_alone(step, &footprints, node)
    }
}
