//! Wakeup trees (Abdulla, Aronsson, Jonsson, Sagonas: Source Sets, JACM 2017,
//! section 6): the executions that are still to be run from a state, as
//! sequences that share their beginnings.
//!
//! A sequence is inserted unless the tree already leads to an execution of the
//! same trace ([`insert`]). Both this and the sleep set ask whether a step is a
//! *weak initial* of the sequence ([`is_weak_initial`]): whether it could as well
//! come first.

use machine::ThreadId;

use crate::footprint::Footprint;

/// A step of a sequence that is to be run.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Who moves.
    pub thread: ThreadId,
    /// With which data choice.
    pub choice: u64,
    /// What the step touches.
    pub footprint: Footprint,
}

/// A branch of a wakeup tree.
#[derive(Debug)]
pub struct Branch {
    /// Its first step.
    pub step: Planned,
    /// What follows; nothing, where the search is free to go on as it likes.
    pub children: Vec<Branch>,
}

/// Whether a step is in the sequence with nothing before it that it depends on,
/// or is independent of all of the sequence. The same step with another data
/// choice is another one, which excludes it.
pub fn is_weak_initial(initial: &Planned, sequence: &[Planned]) -> bool {
    for step in sequence {
        if step.thread == initial.thread {
            return step.choice == initial.choice;
        }
        if step.footprint.conflicts(&initial.footprint) {
            return false;
        }
    }
    true
}

/// Inserts a sequence below a node whose branches these are (JACM 2017, section
/// 6.2, insert).
pub fn insert(branches: &mut Vec<Branch>, mut sequence: Vec<Planned>) {
    let mut branches = branches;
    while let Some(index) = branches.iter().position(|branch| is_weak_initial(&branch.step, &sequence)) {
        let branch = &mut branches[index];
        if let Some(at) = sequence.iter().position(|step| step.thread == branch.step.thread) {
            sequence.remove(at);
        }
        // A leaf stands for all executions that begin so.
        if branch.children.is_empty() || sequence.is_empty() {
            return;
        }
        branches = &mut branches[index].children;
    }
    branches.extend(chain(sequence));
}

/// A sequence as a tree without forks.
fn chain(sequence: Vec<Planned>) -> Option<Branch> {
    sequence
        .into_iter()
        .rev()
        .fold(None, |rest, step| Some(Branch { step, children: rest.into_iter().collect() }))
}
