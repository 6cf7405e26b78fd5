//! Breadth-first search: level by level, each state once. Counterexamples are
//! shortest in steps.
//!
//! A state remembers one parent, the first that came by; with several threads
//! the counterexample may differ from run to run, as in the paper's Table 2.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use engine::Cut;

use crate::chunked::Chunked;
use crate::found::{Candidate, Choice, Found};
use crate::parallel::for_ranges;
use crate::store::StateId;
use crate::worker::{Next, Shared, Tally, Worker};

/// A breadth-first search.
pub struct Bfs<'a> {
    shared: &'a Shared<'a>,
    parents: Chunked<AtomicU32, 16>,
    workers: Vec<LevelWorker<'a>>,
    /// How many levels were explored.
    pub levels: u64,
}

struct LevelWorker<'a> {
    worker: Worker<'a>,
    new: Vec<StateId>,
    faults: Vec<Candidate>,
}

impl<'a> Bfs<'a> {
    /// Before the first state.
    pub fn new(shared: &'a Shared<'a>) -> Bfs<'a> {
        let worker = |_| LevelWorker { worker: Worker::new(shared), new: Vec::new(), faults: Vec::new() };
        let workers = (0..shared.task.budget.threads()).map(worker).collect();
        Bfs { shared, parents: Chunked::new(), workers, levels: 0 }
    }

    /// Explores level by level.
    pub fn run(&mut self) -> Found {
        let mut state = self.shared.machine().initial();
        self.shared.machine().normalise(&mut state);
        let mut level = vec![self.shared.store.insert(&state, None).0];
        while !level.is_empty() {
            self.shared.enter_layer(self.levels);
            self.shared.enqueue(level.len());
            self.level(&level);
            if let Some(exceeded) = self.shared.stopped() {
                return Found::Exceeded(exceeded);
            }
            let faults = self.workers.iter_mut().flat_map(|w| std::mem::take(&mut w.faults));
            if let Some(fault) = faults.min_by_key(|fault| (fault.state, fault.thread, fault.choice)) {
                return Found::Violation(self.steps(fault));
            }
            level = self.workers.iter_mut().flat_map(|w| std::mem::take(&mut w.new)).collect();
            self.levels += 1;
            if self.shared.task.bounds.depth == Some(self.levels) && !level.is_empty() {
                self.workers[0].worker.tally.cut(Cut::Depth(self.levels));
                break;
            }
        }
        Found::Nothing
    }

    fn level(&mut self, level: &[StateId]) {
        let parents = &self.parents;
        for_ranges(&mut self.workers, level.len(), |worker, range| worker.visit(parents, level, range));
    }

    /// The steps from the initial state to a fault.
    fn steps(&mut self, fault: Candidate) -> Vec<Choice> {
        let last = fault.thread.map(|thread| Choice { thread, choice: fault.choice });
        let mut steps: Vec<Choice> = last.into_iter().collect();
        let mut state = fault.state;
        // The initial state has number 0 and no parent.
        while state != 0 {
            let parent = self.parents.get(state).load(Ordering::Relaxed);
            steps.push(self.workers[0].step_to(parent, state));
            state = parent;
        }
        steps.reverse();
        steps
    }

    /// All that was counted.
    pub fn into_tally(self) -> Tally {
        let mut all = Tally::default();
        self.workers.into_iter().for_each(|worker| all.add(worker.worker.tally));
        all
    }
}

impl LevelWorker<'_> {
    fn visit(&mut self, parents: &Chunked<AtomicU32, 16>, level: &[StateId], range: Range<usize>) {
        for id in &level[range] {
            if self.worker.must_stop() {
                return;
            }
            self.expand(parents, *id);
        }
    }

    fn expand(&mut self, parents: &Chunked<AtomicU32, 16>, id: StateId) {
        let shared = self.worker.shared;
        let loaded = shared.store.load(id);
        if self.worker.is_deadlocked(&loaded.state) {
            self.faults.push(Candidate::deadlock(id));
        }
        for thread in shared.machine().runnable(&loaded.state) {
            for choice in 0..self.worker.choices(&loaded.state, thread) {
                match self.worker.step(&loaded.state, thread, choice, false) {
                    Next::State(next) => {
                        let (next, new) = shared.store.insert(&next.state, Some(&loaded));
                        if new {
                            parents.get(next).store(id, Ordering::Relaxed);
                            self.new.push(next);
                        }
                    }
                    Next::Fault => self.faults.push(Candidate { state: id, thread: Some(thread), choice }),
                    Next::Over => {}
                }
            }
        }
    }

    /// The first step from one state to another.
    fn step_to(&mut self, from: StateId, to: StateId) -> Choice {
        let shared = self.worker.shared;
        let loaded = shared.store.load(from);
        for thread in shared.machine().runnable(&loaded.state) {
            for choice in 0..self.worker.choices(&loaded.state, thread) {
                if let Next::State(next) = self.worker.step(&loaded.state, thread, choice, true)
                    && shared.store.find(&next.state, Some(&loaded)) == Some(to)
                {
                    return Choice { thread, choice };
                }
            }
        }
        unreachable!("a parent leads to its child")
    }
}
