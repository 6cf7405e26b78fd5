//! Several workers on one tree of executions.
//!
//! A worker that has nothing to do waits for a *job*: a node that has branches
//! to be taken, with the steps that lead there. A worker that sees another one wait
//! looks for one on its path, the highest first, because most is left there.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use engine::Checkpoints;
use machine::{Machine, Mover};

use crate::checkpoint;
use crate::tally::Tally;
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

impl Job {
    /// The first node, with nothing taken.
    pub fn first() -> Job {
        Job { path: vec![Arc::new(WakeupNode::root())], taken: Vec::new(), steps: Vec::new() }
    }
}

/// What workers share.
pub struct Crew<'a> {
    machine: &'a Machine,
    checkpoints: Option<&'a dyn Checkpoints>,
    state: Mutex<State>,
    changed: Condvar,
    /// Workers that wait for a job that is not found yet.
    hungry: AtomicUsize,
    /// Whether the search is to end. Changed under the lock only, so that no
    /// worker that waits misses it.
    stop: AtomicBool,
    /// Whether all are to hand over their jobs, for a checkpoint. Changed under the lock only.
    gather: AtomicBool,
    executions: AtomicU64,
    transitions: AtomicU64,
}

struct State {
    jobs: Vec<Job>,
    /// What workers had counted when they last waited for a job.
    tally: Tally,
    waiting: usize,
    workers: usize,
}

impl<'a> Crew<'a> {
    /// A crew of so many workers, with the jobs that there are and what was counted before.
    pub fn new(
        workers: usize,
        machine: &'a Machine,
        checkpoints: Option<&'a dyn Checkpoints>,
        (jobs, tally): (Vec<Job>, Tally),
    ) -> Crew<'a> {
        let (executions, transitions) = (tally.executions, tally.transitions);
        let state = State { jobs, tally, waiting: 0, workers };
        Crew {
            machine,
            checkpoints,
            state: Mutex::new(state),
            changed: Condvar::new(),
            hungry: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            gather: AtomicBool::new(false),
            executions: AtomicU64::new(executions),
            transitions: AtomicU64::new(transitions),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no worker panicked")
    }

    fn count_hungry(&self, state: &State) {
        self.hungry.store(state.waiting.saturating_sub(state.jobs.len()), Ordering::Relaxed);
    }

    /// Waits for a job; none if all is done, or the search is to end. What the worker has counted
    /// is taken from it.
    pub fn next(&self, tally: &mut Tally) -> Option<Job> {
        let mut state = self.lock();
        state.tally.merge(std::mem::take(tally));
        state.waiting += 1;
        loop {
            if self.is_stopped() {
                return None;
            }
            let all_wait = state.waiting == state.workers;
            if self.gather.load(Ordering::Relaxed) && all_wait {
                self.save(&state);
                self.gather.store(false, Ordering::Relaxed);
                self.changed.notify_all();
            }
            let gathers = self.gather.load(Ordering::Relaxed);
            if let Some(job) = state.jobs.pop_if(|_| !gathers) {
                state.waiting -= 1;
                self.count_hungry(&state);
                return Some(job);
            }
            if all_wait {
                self.stop.store(true, Ordering::Relaxed);
                self.changed.notify_all();
                return None;
            }
            self.count_hungry(&state);
            state = self.changed.wait(state).expect("no worker panicked");
        }
    }

    /// Writes a checkpoint while all wait.
    fn save(&self, state: &State) {
        let State { jobs, tally, .. } = state;
        let mut write = |out: &mut dyn std::io::Write| checkpoint::write(self.machine, jobs, tally, out);
        self.checkpoints.iter().for_each(|checkpoints| checkpoints.save(&mut write));
    }

    /// Whether a worker that comes back from an execution is to hand over its job, because a
    /// checkpoint is due.
    pub fn gathers(&self) -> bool {
        let due = || self.checkpoints.is_some_and(|checkpoints| checkpoints.is_due());
        let gathers = self.gather.load(Ordering::Relaxed);
        if !gathers && due() {
            let _state = self.lock();
            self.gather.store(true, Ordering::Relaxed);
            return true;
        }
        gathers
    }

    /// What the workers have counted, when all have ended.
    pub fn into_tally(self) -> Tally {
        self.state.into_inner().expect("no worker panicked").tally
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
