//! Several workers on one tree of executions.
//!
//! A worker that has nothing to do waits for a *job*: a node that has branches
//! to be taken, with the steps that lead there. A worker that sees another one wait
//! looks for one on its path, the highest first, because most is left there.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use machine::Mover;

use crate::tree::WakeupNode;

/// A node that a worker is sent to.
pub struct Job {
    /// The nodes that lead there, from the first on, and the node itself.
    pub path: Vec<Arc<WakeupNode>>,
    /// The branches between them.
    pub taken: Vec<usize>,
    /// Their steps: what moves, and data choices.
    pub steps: Vec<(Mover, u64)>,
}

/// What workers share.
pub struct Crew {
    state: Mutex<State>,
    changed: Condvar,
    /// Workers that wait for a job that is not found yet.
    hungry: AtomicUsize,
    /// Whether the search is to end. Changed under the lock only, so that no
    /// worker that waits misses it.
    stop: AtomicBool,
    executions: AtomicU64,
    transitions: AtomicU64,
}

struct State {
    jobs: Vec<Job>,
    waiting: usize,
    workers: usize,
}

impl Crew {
    /// A crew of so many workers, with their first job.
    pub fn new(workers: usize, first: Job) -> Crew {
        let state = State { jobs: vec![first], waiting: 0, workers };
        Crew {
            state: Mutex::new(state),
            changed: Condvar::new(),
            hungry: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            executions: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no worker panicked")
    }

    fn count_hungry(&self, state: &State) {
        self.hungry.store(state.waiting.saturating_sub(state.jobs.len()), Ordering::Relaxed);
    }

    /// Waits for a job; none if all is done, or the search is to end.
    pub fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        state.waiting += 1;
        loop {
            if self.is_stopped() {
                return None;
            }
            if let Some(job) = state.jobs.pop() {
                state.waiting -= 1;
                self.count_hungry(&state);
                return Some(job);
            }
            if state.waiting == state.workers {
                self.stop.store(true, Ordering::Relaxed);
                self.changed.notify_all();
                return None;
            }
            self.count_hungry(&state);
            state = self.changed.wait(state).expect("no worker panicked");
        }
    }

    /// Whether a worker waits for a job.
    #[inline]
    pub fn is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Gives a job to a worker that waits.
    pub fn give(&self, job: Job) {
        let mut state = self.lock();
        state.jobs.push(job);
        self.count_hungry(&state);
        self.changed.notify_one();
    }

    /// Ends the search.
    pub fn stop(&self) {
        let _state = self.lock();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Counts executions and steps; how many there were of all workers.
    pub fn count(&self, executions: u64, transitions: u64) -> (u64, u64) {
        let before = self.executions.fetch_add(executions, Ordering::Relaxed);
        let steps = self.transitions.fetch_add(transitions, Ordering::Relaxed);
        (before + executions, steps + transitions)
    }
}
