//! The tree of executions that several workers explore, as far as it is needed.
//!
//! A node is a state, its branches are the steps that were or will be taken from
//! it. They have an order: new ones come last, and each is taken for the first
//! time after those before it. A branch is *guided* if it is known what follows
//! its step; its node is then there from the beginning, so that guided branches
//! are a wakeup tree (JACM 2017, section 6.2). A branch that is not guided stands
//! for all executions that begin so, and its node is known only to the workers
//! below it.
//!
//! While a worker is below a branch, sequences may be planned in the nodes of
//! guided branches further right, whether these were explored already or not. A
//! node to whose left all is complete is *closed*: only those below it add to it.

mod saved;

use std::sync::{Arc, Mutex, MutexGuard};

use machine::Mover;
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

use crate::buffers::depend;
use crate::footprint::Footprint;
use crate::wakeup::{Planned, is_weak_initial};
pub use saved::SavedTree;

/// Steps that need not be taken, because something else leads to what they lead
/// to.
pub type Sleep = SmallVec<[Planned; 2]>;

/// A state.
#[derive(Default)]
pub struct WakeupNode(Mutex<Branches>);

/// The branches of a node, and what is known about its state.
#[derive(Default)]
pub struct Branches {
    /// What sleeps because of branches of nodes above.
    pub sleep: Sleep,
    /// Those that cannot go on, whatever others do.
    pub stuck: SmallVec<[Mover; 2]>,
    /// Most nodes have one.
    all: SmallVec<[Branch; 1]>,
    /// Whether a step was taken.
    stepped: bool,
    /// Whether a worker has been here.
    entered: bool,
    closed: bool,
    /// Workers on their way here.
    coming: usize,
}

struct Branch {
    step: Planned,
    /// Whether something is to be run that no worker sees to.
    open: bool,
    /// Whether its step cannot be taken.
    dead: bool,
    /// Workers below it.
    inside: usize,
    /// The next node, if it is guided and that is not closed and complete.
    guided: Option<Arc<WakeupNode>>,
}

impl Branch {
    /// One that is to be run.
    fn new(step: Planned, guided: Option<Arc<WakeupNode>>) -> Branch {
        Branch { step, open: true, dead: false, inside: 0, guided }
    }
}

impl WakeupNode {
    /// The first node, to which a worker is on its way.
    pub fn root() -> WakeupNode {
        WakeupNode(Mutex::new(Branches { coming: 1, closed: true, ..Branches::default() }))
    }

    /// A node that has one guided branch, or nothing if the sequence is empty. It is made
    /// from the last step on: a sequence may be as long as an execution.
    fn chain(sequence: impl DoubleEndedIterator<Item = Planned>) -> Option<Arc<WakeupNode>> {
        sequence.rev().fold(None, |guided, step| {
            let all = smallvec![Branch::new(step, guided)];
            Some(Arc::new(WakeupNode(Mutex::new(Branches { all, ..Branches::default() }))))
        })
    }

    /// The branches, for this worker alone.
    pub fn lock(&self) -> MutexGuard<'_, Branches> {
        self.0.lock().expect("no worker panicked")
    }
}

impl Branches {
    /// Adds a branch that begins with this sequence, unless that is empty.
    pub fn extend(
        &mut self,
        sequence: impl IntoIterator<Item = Planned, IntoIter: DoubleEndedIterator>,
    ) -> bool {
        let mut steps = sequence.into_iter();
        let Some(step) = steps.next() else { return false };
        self.all.push(Branch::new(step, WakeupNode::chain(steps)));
        true
    }

    /// The steps that sleep for a worker below a branch: those that slept, and
    /// the branches to its left.
    pub fn asleep(&self, below: usize) -> impl Iterator<Item = &Planned> {
        let left = self.all[..below].iter().filter(|branch| !branch.dead).map(|branch| &branch.step);
        self.sleep.iter().chain(left)
    }

    /// The steps of branches from one on, with their next nodes if guided.
    pub fn planned(&self, from: usize) -> impl Iterator<Item = (&Planned, Option<&Arc<WakeupNode>>)> {
        let alive = self.all[from..].iter().filter(|branch| !branch.dead);
        alive.map(|branch| (&branch.step, branch.guided.as_ref()))
    }

    /// Has a sequence run that a worker found below a branch, unless something
    /// leads to the same. That may be the branch itself, if its step conflicts with
    /// none of the sequence once it is not taken before.
    pub fn plan(&mut self, below: usize, sequence: Vec<Planned>) {
        if !self.asleep(below + 1).any(|step| is_weak_initial(step, &sequence)) {
            self.insert(below + 1, sequence);
        }
    }

    /// Inserts a sequence into the branches from one on (JACM 2017, section 6.2,
    /// insert); whether that made a difference.
    fn insert(&mut self, from: usize, mut sequence: Vec<Planned>) -> bool {
        let leads_there = |b: &&mut Branch| !b.dead && is_weak_initial(&b.step, &sequence);
        let Some(branch) = self.all[from..].iter_mut().find(leads_there) else {
            return self.extend(sequence);
        };
        if let Some(at) = sequence.iter().position(|step| step.mover == branch.step.mover) {
            sequence.remove(at);
        }
        let Some(node) = branch.guided.as_ref().filter(|_| !sequence.is_empty()) else { return false };
        let added = node.lock().insert(0, sequence);
        branch.open |= added;
        added
    }

    /// Whether no step was taken from here.
    pub fn is_fresh(&self) -> bool {
        !self.stepped
    }

    /// Whether a step of the mover is among them.
    pub fn has(&self, mover: Mover) -> bool {
        self.all.iter().any(|branch| branch.step.mover == mover)
    }

    /// The next branch to take, and its step.
    pub fn next(&self) -> Option<(usize, &Planned)> {
        let index = self.all.iter().position(|branch| branch.open)?;
        Some((index, &self.all[index].step))
    }

    /// The branch is never to be taken: its step cannot.
    pub fn give_up(&mut self, index: usize) {
        let branch = &mut self.all[index];
        (branch.open, branch.dead) = (false, true);
    }

    /// Takes a branch whose step touched this.
    pub fn take(&mut self, index: usize, footprint: Footprint) {
        let branch = &mut self.all[index];
        branch.step.footprint = footprint;
        branch.open = false;
        branch.inside += 1;
        self.stepped = true;
    }

    /// The node after a branch that was taken; `sleep` is what sleeps there.
    pub fn enter(&self, index: usize, sleep: impl FnOnce() -> Sleep) -> Arc<WakeupNode> {
        let branch = &self.all[index];
        let node = branch.guided.clone().unwrap_or_default();
        let mut next = node.lock();
        if !next.entered {
            next.entered = true;
            next.sleep = sleep();
            next.stuck.clone_from(&self.stuck);
            next.closed = branch.guided.is_none() || self.closed && self.is_complete(index);
        }
        drop(next);
        node
    }

    /// What sleeps after a branch: what slept before and the branches to its
    /// left, as far as they do not depend on it.
    pub fn sleep_after(&self, index: usize) -> Sleep {
        let taken = &self.all[index].step;
        let sleeps = |step: &&Planned| {
            step.mover != taken.mover
                && !depend((step.mover, &step.footprint), (taken.mover, &taken.footprint))
        };

        self.asleep(index).filter(sleeps).cloned().collect()
    }

    /// A worker comes back from a branch.
    pub fn leave(&mut self, index: usize) {
        self.all[index].inside -= 1;
        if self.closed && self.is_complete(index + 1) {
            self.all[..=index].iter_mut().for_each(|branch| branch.guided = None);
        }
    }

    /// A worker goes below a branch, though not from here.
    pub fn join(&mut self, index: usize) {
        self.all[index].inside += 1;
    }

    /// Whether no worker is below the first branches, and nothing is to be run
    /// there.
    pub fn is_complete(&self, count: usize) -> bool {
        self.all[..count].iter().all(|branch| !branch.open && branch.inside == 0)
    }

    /// Sends a worker here if there is a branch for it.
    pub fn send(&mut self) -> bool {
        let room = self.all.iter().filter(|branch| branch.open).count() > self.coming;
        self.coming += usize::from(room);
        room
    }

    /// A worker leaves what is left here to another one.
    pub fn hand_over(&mut self) {
        self.coming += 1;
    }

    /// A worker that was sent here arrives.
    pub fn arrive(&mut self) {
        self.coming -= 1;
    }
}

/// Whether the last of some nodes is closed. Below each but the last a branch
/// was taken.
pub fn is_closed(path: &[Arc<WakeupNode>], taken: &[usize]) -> bool {
    let Some((node, above)) = path.split_last() else { return true };
    if node.lock().closed {
        return true;
    }
    let left = |parent: &Arc<WakeupNode>| parent.lock().is_complete(taken[above.len() - 1]);
    let closed = above.last().is_none_or(left) && is_closed(above, taken);
    node.lock().closed |= closed;
    closed
}

/// The part of all executions that was run, if all branches of a node are alike
/// (Knuth's estimate), from the paths of the workers.
pub fn explored<'a>(paths: impl IntoIterator<Item = &'a [Arc<WakeupNode>]>) -> f64 {
    let mut seen = FxHashSet::default();
    let mut explored = 0.0;
    for path in paths {
        let mut share = 1.0;
        for node in path {
            let branches = node.lock();
            let alive = || branches.all.iter().filter(|branch| !branch.dead);
            let (all, complete) = (alive().count(), alive().filter(|b| !b.open && b.inside == 0).count());
            if seen.insert(Arc::as_ptr(node)) && all > 0 {
                explored += share * complete as f64 / all as f64;
            }
            share /= all.max(1) as f64;
        }
    }
    explored
}
