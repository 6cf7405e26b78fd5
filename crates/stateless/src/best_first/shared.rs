//! What the workers share: the tree, the fringe, and how far the search is.

use std::sync::{Condvar, Mutex, MutexGuard};

use engine::{counted, grouped};
use smallvec::SmallVec;

use crate::best_first::Settings;
use crate::best_first::fringe::{Cost, Fringe};
use crate::best_first::shelf::{Entry, Kept, Shelf};
use crate::best_first::tree::{Delta, NodeId, Tree};
use crate::tally::Tally;

/// How often it is estimated how many executions are left.
const ESTIMATE_EVERY: u64 = 1024;

/// What the workers share.
pub struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// An execution to be run next: its node, and how it departs from the default.
pub struct Job {
    /// The node.
    pub node: NodeId,
    /// Its ancestors and itself, with what each does differently.
    pub path: Vec<(NodeId, Delta)>,
    /// The default execution.
    pub root: NodeId,
}

/// An execution that was found, and what running it costs.
pub struct Discovery {
    /// The node whose list it belongs to.
    pub owner: NodeId,
    /// What it does differently.
    pub delta: Delta,
    /// What running it costs.
    pub cost: Cost,
    /// How much it is asked for, from 0 to 3.
    pub asked: u32,
    /// Its preemptions.
    pub preemptions: u32,
    /// Whether it may have been found before.
    pub known: bool,
    /// Whether it is to be run even if it was not found before.
    pub add: bool,
}

struct State {
    tree: Tree,
    fringe: Fringe,
    root: Option<NodeId>,
    busy: usize,
    stop: bool,
    left: Option<u64>,
    executions: u64,
    beyond_bound: bool,
    peak_bytes: u64,
    /// Where to keep executions beyond a limit; only with a bound. Without one,
    /// what was run must be remembered as long as something below is left.
    shelf: Option<Shelf>,
    kept: Kept,
    /// Of the executions to be run, how many have so many preemptions.
    open: Vec<u64>,
}

/// How far a search has come.
pub struct Coverage {
    /// Whether executions were left out because of the bound.
    pub beyond_bound: bool,
    /// Whether executions are left to be run.
    pub unfinished: bool,
    /// Whether the search ended because it had run as many as it should.
    pub stopped: bool,
    /// The most bytes that tree and fringe have taken.
    pub peak_bytes: u64,
    /// How many more executions there may be.
    pub left: u64,
    /// The fewest preemptions of an execution that is left.
    open_preemptions: Option<usize>,
}

impl Shared {
    /// Before the first execution.
    pub fn new(settings: &Settings) -> Shared {
        let mut tree = Tree::default();
        let root = Some(tree.root());
        let state = State {
            tree,
            fringe: Fringe::default(),
            root,
            busy: 0,
            stop: false,
            left: settings.executions,
            executions: 0,
            beyond_bound: false,
            peak_bytes: 0,
            shelf: settings.shelf.clone().filter(|_| settings.preemption_bound.is_some()),
            kept: Kept::default(),
            open: Vec::new(),
        };
        Shared { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no worker panicked")
    }

    /// The next execution to be run; waits for one as long as another worker
    /// may find some.
    pub fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if state.stop || state.left == Some(0) {
                return None;
            }
            if let Some(node) = state.take() {
                state.busy += 1;
                state.left = state.left.map(|left| left - 1);
                let (path, root) = (state.tree.path(node), state.tree.root_of(node));
                return Some(Job { node, path, root });
            }
            if state.busy == 0 {
                self.changed.notify_all();
                return None;
            }
            state = self.changed.wait(state).expect("no worker panicked");
        }
    }

    /// An execution was run. Yields how many were, and now and then how many may
    /// be left.
    pub fn finish(
        &self,
        job: &Job,
        found: Vec<Discovery>,
        preemptions: u32,
        beyond_bound: bool,
    ) -> (u64, Option<u64>) {
        let mut state = self.lock();
        if job.node != job.root {
            state.open[preemptions as usize] -= 1;
        }
        found.into_iter().for_each(|discovery| state.add(discovery));
        state.beyond_bound |= beyond_bound;
        state.tree.finish(job.node);
        state.busy -= 1;
        state.executions += 1;
        state.peak_bytes = state.peak_bytes.max(state.bytes());
        state.keep_outside();
        self.changed.notify_all();
        let left = state.executions.is_multiple_of(ESTIMATE_EVERY).then(|| state.left());
        (state.executions, left)
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.lock().stop = true;
        self.changed.notify_all();
    }

    /// How far the search has come.
    pub fn coverage(self) -> Coverage {
        let state = self.state.into_inner().expect("no worker panicked");
        let unfinished = state.stop || !state.tree.is_empty() || state.kept.entries() > 0;
        Coverage {
            beyond_bound: state.beyond_bound,
            unfinished,
            stopped: unfinished && !state.stop && state.left == Some(0),
            peak_bytes: state.peak_bytes,
            left: state.left(),
            open_preemptions: state.open.iter().position(|count| *count > 0),
        }
    }
}

impl State {
    fn take(&mut self) -> Option<NodeId> {
        if let Some(root) = self.root.take() {
            return Some(root);
        }
        loop {
            self.fetch();
            let (_, open) = self.fringe.pop()?;
            // What was moved within the fringe stands there twice.
            if let Some(node) = self.tree.take(open) {
                return Some(node);
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.tree.bytes() + self.fringe.bytes()
    }

    /// Beyond the limit, the worse half of the fringe is kept outside memory.
    fn keep_outside(&mut self) {
        let Some(shelf) = self.shelf.clone().filter(|shelf| self.bytes() > shelf.limit) else { return };
        let worst = self.fringe.take_worst().into_iter();
        let entries: Vec<Entry> =
            worst.filter_map(|(cost, open)| Some((cost, self.tree.remove(open)?))).collect();
        if self.kept.put(&*shelf.store, &entries).is_err() {
            // It cannot be kept outside, so it stays.
            self.shelf = None;
            self.remember(entries);
        }
    }

    /// Fetches what is kept outside once it is better than what is here.
    fn fetch(&mut self) {
        let Some(shelf) = self.shelf.clone() else { return };
        if let Some(entries) = self.kept.take_below(&*shelf.store, self.fringe.best()) {
            self.remember(entries);
        }
    }

    fn remember(&mut self, entries: Vec<Entry>) {
        // In the order in which they were: the last of equal cost comes first.
        for (cost, path) in entries {
            if let Some(open) = self.tree.restore(&path) {
                self.fringe.push(cost, open);
            }
        }
    }

    fn add(&mut self, discovery: Discovery) {
        let Discovery { owner, delta, cost, asked, preemptions, known, add } = discovery;
        if !add && !self.tree.has(owner, delta) {
            return;
        }
        let (open, new) = self.tree.extend(owner, delta, known);
        let more = self.tree.ask(open, asked);
        if new {
            let preemptions = preemptions as usize;
            self.open.resize(self.open.len().max(preemptions + 1), 0);
            self.open[preemptions] += 1;
        }
        if new || more {
            self.fringe.push(cost, open);
        }
    }

    /// How many executions may be left, if those that were run are the part of
    /// all that they are thought to be.
    fn left(&self) -> u64 {
        let executions = self.executions as f64;
        let known = self.fringe.len() as u64 + self.kept.entries();
        ((executions / self.tree.done() - executions) as u64).max(known)
    }
}

impl Coverage {
    /// The statement of what was covered.
    pub fn text(&self, tally: &Tally, settings: &Settings) -> String {
        let executions = counted(tally.executions, "execution");
        let bound = settings.preemption_bound;
        let mut parts: SmallVec<[String; 3]> = SmallVec::new();
        match (bound, self.unfinished) {
            (Some(bound), false) => parts.push(format!(
                "every execution with at most {} was run ({executions}), all of them safe",
                counted(u64::from(bound), "preemption")
            )),
            (None, false) | (_, true) => parts.push(format!("{executions}, all of them safe")),
        }
        if let Some(open) =
            self.open_preemptions.filter(|open| *open > 0 && self.unfinished && bound.is_some())
        {
            parts.push(format!(
                "every execution with at most {} was run",
                counted(open as u64 - 1, "preemption")
            ));
        }
        if self.unfinished {
            parts.push(format!("an estimated {} executions are left", grouped(self.left)));
        }
        parts.join("; ")
    }
}
