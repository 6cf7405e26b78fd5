//! How much a search may cost.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::memory::resident_lately;
use crate::pause::Pause;

/// Time, memory and threads that a search may use.
#[derive(Clone, Debug)]
pub struct Budget {
    started: Instant,
    timeout: Option<Duration>,
    memory_limit: Option<u64>,
    /// Whether memory counts that is mapped from files.
    counts_files: bool,
    state_limit: Option<u64>,
    cancelled: Arc<AtomicBool>,
    pause: Option<Arc<Pause>>,
    threads: usize,
}

/// What a search ran out of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Exceeded {
    /// Time.
    Time {
        /// How much it had.
        limit: Duration,
    },
    /// Memory.
    Memory {
        /// How much it had, in bytes.
        limit: u64,
    },
    /// Room for states.
    States {
        /// How many it might store.
        limit: u64,
    },
    /// Room in the folder of its tables.
    Disk {
        /// The system's number of the error.
        error: i32,
    },
    /// One of its processes.
    Process {
        /// The number of the one that is gone.
        process: usize,
    },
    /// The user's patience.
    Cancelled,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::unlimited()
    }
}

impl Budget {
    /// No limits, one thread; time starts now.
    pub fn unlimited() -> Budget {
        Budget {
            started: Instant::now(),
            timeout: None,
            memory_limit: None,
            counts_files: true,
            state_limit: None,
            cancelled: Arc::default(),
            pause: None,
            threads: 1,
        }
    }

    /// Limits the time, counted from the budget's creation.
    pub fn with_timeout(self, timeout: Option<Duration>) -> Budget {
        Budget { timeout, ..self }
    }

    /// Limits the resident memory of the whole process, in bytes.
    pub fn with_memory_limit(self, memory_limit: Option<u64>) -> Budget {
        Budget { memory_limit, ..self }
    }

    /// Does not count memory that is mapped from files: the system can take it back.
    pub fn without_files(self) -> Budget {
        Budget { counts_files: false, ..self }
    }

    /// Limits the states that are stored. Only engines that store states know
    /// how many there are: they ask [`Budget::out_of_states`].
    pub fn with_state_limit(self, state_limit: Option<u64>) -> Budget {
        Budget { state_limit, ..self }
    }

    /// A part of this budget: so much time from now on, and half the memory.
    pub fn turn(&self, time: Duration) -> Budget {
        let half = self.clone().with_half_the_memory();
        Budget { started: Instant::now(), timeout: Some(time), ..half }
    }

    /// The same budget with half the memory.
    pub fn with_half_the_memory(self) -> Budget {
        Budget { memory_limit: self.memory_limit.map(|limit| limit / 2), ..self }
    }

    /// Whether this many states are too many.
    pub fn out_of_states(&self, states: u64) -> Option<Exceeded> {
        let limit = self.state_limit?;
        (states > limit).then_some(Exceeded::States { limit })
    }

    /// Ends the search once this is set.
    pub fn with_cancel(self, cancelled: Arc<AtomicBool>) -> Budget {
        Budget { cancelled, ..self }
    }

    /// Lets the search be suspended: it then waits where it polls.
    pub fn with_pause(self, pause: Arc<Pause>) -> Budget {
        Budget { pause: Some(pause), ..self }
    }

    /// Allows this many threads.
    pub fn with_threads(self, threads: usize) -> Budget {
        Budget { threads: threads.max(1), ..self }
    }

    /// How many threads the search may use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Time spent so far.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time left, if it is limited.
    pub fn remaining(&self) -> Option<Duration> {
        Some(self.timeout?.saturating_sub(self.elapsed()))
    }

    /// Set when the search is to end.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// What has run out, if anything. In a hot loop, ask a [`Watch`].
    pub fn exceeded(&self) -> Option<Exceeded> {
        self.wait_while_suspended();
        self.cancelled().or_else(|| self.out_of_time()).or_else(|| self.out_of_memory())
    }

    /// A poll that is cheap enough for every step of one search thread.
    pub fn watch(&self) -> Watch<'_> {
        Watch { budget: self, polls: Cell::new(0) }
    }

    /// Waits if the search is suspended, unless it has to end.
    fn wait_while_suspended(&self) {
        if let Some(pause) = &self.pause {
            pause.wait(|| self.cancelled().is_some() || self.out_of_time().is_some());
        }
    }

    fn cancelled(&self) -> Option<Exceeded> {
        self.cancelled.load(Ordering::Relaxed).then_some(Exceeded::Cancelled)
    }

    fn out_of_time(&self) -> Option<Exceeded> {
        let limit = self.timeout?;
        (self.elapsed() >= limit).then_some(Exceeded::Time { limit })
    }

    fn out_of_memory(&self) -> Option<Exceeded> {
        let limit = self.memory_limit?;
        let resident = resident_lately()?;
        let used = if self.counts_files { resident.all } else { resident.private };
        (used >= limit).then_some(Exceeded::Memory { limit })
    }
}

/// Polls a [`Budget`] and looks at the clock and the memory only now and then.
/// One per search thread: it holds a counter of its own.
pub struct Watch<'a> {
    budget: &'a Budget,
    polls: Cell<u32>,
}

impl Watch<'_> {
    const CLOCK_EVERY: u32 = 64;
    const MEMORY_EVERY: u32 = 4096;

    /// What has run out, if anything.
    #[inline]
    pub fn exceeded(&self) -> Option<Exceeded> {
        let polls = self.polls.get().wrapping_add(1);
        self.polls.set(polls);
        if !polls.is_multiple_of(Self::CLOCK_EVERY) {
            return self.budget.cancelled();
        }
        self.budget.wait_while_suspended();
        let memory = polls.is_multiple_of(Self::MEMORY_EVERY);
        let soon = self.budget.cancelled().or_else(|| self.budget.out_of_time());
        soon.or_else(|| if memory { self.budget.out_of_memory() } else { None })
    }
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exceeded::Time { limit } => {
                let seconds = (limit.as_secs_f64() * 100.0).round() / 100.0;
                write!(f, "the time limit of {seconds} s was reached")
            }
            Exceeded::Memory { limit } => {
                write!(f, "the memory limit of {} MiB was reached", limit >> 20)
            }
            Exceeded::States { limit } => write!(f, "the limit of {limit} states was reached"),
            Exceeded::Disk { error } => {
                let error = std::io::Error::from_raw_os_error(*error);
                write!(f, "the folder of --spill has no room for the states: {error}")
            }
            Exceeded::Process { process } => {
                write!(f, "process {process} of the search has ended or cannot be reached any more")
            }
            Exceeded::Cancelled => f.write_str("interrupted"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polled(budget: &Budget) -> Option<Exceeded> {
        let watch = budget.watch();
        (0..2 * Watch::MEMORY_EVERY).find_map(|_| watch.exceeded())
    }

    #[test]
    fn nothing_runs_out_of_no_limit() {
        assert_eq!(Budget::unlimited().exceeded(), None);
        assert_eq!(polled(&Budget::unlimited()), None);
    }

    #[test]
    fn a_search_that_is_suspended_waits_where_it_polls() {
        let (pause, stop) = (Arc::new(Pause::default()), Arc::new(AtomicBool::new(false)));
        let budget = Budget::unlimited().with_cancel(Arc::clone(&stop)).with_pause(Arc::clone(&pause));
        pause.suspend();
        let polling = std::thread::spawn(move || budget.exceeded());
        std::thread::sleep(Duration::from_millis(50));
        assert!(!polling.is_finished());
        pause.resume();
        assert_eq!(polling.join().expect("it does not panic"), None);
    }

    #[test]
    fn a_search_that_is_suspended_can_be_stopped() {
        let (pause, stop) = (Arc::new(Pause::default()), Arc::new(AtomicBool::new(true)));
        pause.suspend();
        let budget = Budget::unlimited().with_cancel(stop).with_pause(pause);
        assert_eq!(budget.exceeded(), Some(Exceeded::Cancelled));
    }

    #[test]
    fn each_limit_is_seen_by_both_polls() {
        let flag = Arc::new(AtomicBool::new(true));
        let spent = Some(Duration::ZERO);
        let cases = [
            (Budget::unlimited().with_cancel(flag), Exceeded::Cancelled),
            (Budget::unlimited().with_timeout(spent), Exceeded::Time { limit: Duration::ZERO }),
            (Budget::unlimited().with_memory_limit(Some(1)), Exceeded::Memory { limit: 1 }),
        ];
        for (budget, expected) in cases {
            assert_eq!(budget.exceeded(), Some(expected));
            assert_eq!(polled(&budget), Some(expected));
        }
    }
}
