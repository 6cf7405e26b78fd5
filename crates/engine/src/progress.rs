//! How far a search is, for the progress line.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use ir::{FuncId, Pc};
use machine::{Machine, State, ThreadId};
use rustc_hash::FxHashMap;

/// Counters that a running search keeps up to date. They may lag a little and
/// are never a result.
#[derive(Debug, Default)]
pub struct Progress {
    states: AtomicU64,
    transitions: AtomicU64,
    depth: AtomicU64,
    queue: AtomicU64,
    unit: Mutex<Option<&'static str>>,
    visits: Mutex<Option<&'static str>>,
    /// One more than the number of executions that may be left; 0 if unknown.
    left: AtomicU64,
    /// Where threads stood in some of the steps, and how often.
    samples: Mutex<FxHashMap<(FuncId, Pc), u64>>,
}

/// The counters at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// States seen.
    pub states: u64,
    /// Steps executed.
    pub transitions: u64,
    /// The length of the current execution.
    pub depth: u64,
}

impl Progress {
    /// Says how far the search is.
    #[inline]
    pub fn set(&self, counts: Counts) {
        self.states.store(counts.states, Ordering::Relaxed);
        self.transitions.store(counts.transitions, Ordering::Relaxed);
        self.depth.store(counts.depth, Ordering::Relaxed);
    }

    /// Forgets the search before.
    pub fn restart(&self) {
        self.set(Counts::default());
        self.set_queue(0);
        self.set_left(None);
        set(&self.unit, None);
        set(&self.visits, None);
    }

    /// Says how many states wait to be visited.
    pub fn set_queue(&self, states: u64) {
        self.queue.store(states, Ordering::Relaxed);
    }

    /// How many states wait to be visited; 0 where an engine does not say.
    pub fn queue(&self) -> u64 {
        self.queue.load(Ordering::Relaxed)
    }

    /// Says what the depth counts, if it is not the length of an execution.
    pub fn set_unit(&self, unit: &'static str) {
        set(&self.unit, Some(unit));
    }

    /// What the depth counts.
    pub fn unit(&self) -> &'static str {
        self.unit.lock().unwrap_or_else(PoisonError::into_inner).unwrap_or("depth")
    }

    /// Says what is counted in place of states.
    pub fn set_visits(&self, visits: &'static str) {
        set(&self.visits, Some(visits));
    }

    /// What the states are, in the plural.
    pub fn visits(&self) -> &'static str {
        self.visits.lock().unwrap_or_else(PoisonError::into_inner).unwrap_or("states")
    }

    /// Says how many executions may be left.
    pub fn set_left(&self, left: Option<u64>) {
        self.left.store(left.map_or(0, |left| left.saturating_add(1)), Ordering::Relaxed);
    }

    /// How many executions may be left, if the search estimates that.
    pub fn left(&self) -> Option<u64> {
        self.left.load(Ordering::Relaxed).checked_sub(1)
    }

    /// Notes where the thread stands that makes a step. Engines do so once in a
    /// while, so that it can be told where most steps are made. Once in a prime number
    /// of steps is best: steps of threads may come in regular turns.
    pub fn sample(&self, machine: &Machine, state: &State, thread: ThreadId) {
        let at = machine.stand(state, thread);
        *self.samples.lock().unwrap_or_else(PoisonError::into_inner).entry(at).or_default() += 1;
    }

    /// Adds what a part of the search has noted of its steps.
    pub fn add_samples(&self, part: &Progress) {
        let mut samples = self.samples.lock().unwrap_or_else(PoisonError::into_inner);
        for (at, count) in part.samples() {
            *samples.entry(at).or_default() += count;
        }
    }

    /// Where steps were made, as far as they were noted, and how many.
    pub fn samples(&self) -> Vec<((FuncId, Pc), u64)> {
        let samples = self.samples.lock().unwrap_or_else(PoisonError::into_inner);
        samples.iter().map(|(at, count)| (*at, *count)).collect()
    }

    /// How far the search is.
    pub fn get(&self) -> Counts {
        Counts {
            states: self.states.load(Ordering::Relaxed),
            transitions: self.transitions.load(Ordering::Relaxed),
            depth: self.depth.load(Ordering::Relaxed),
        }
    }
}

fn set(word: &Mutex<Option<&'static str>>, to: Option<&'static str>) {
    *word.lock().unwrap_or_else(PoisonError::into_inner) = to;
}
