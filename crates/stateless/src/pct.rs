//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi,
//! Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding
//! Bugs, ASPLOS 2010).
//!
//! Threads get random priorities, and the highest that can move does. At d - 1
//! random steps the running thread's priority falls below all others. In a
//! program with at most n threads and k steps, one execution meets a bug of
//! depth d with a probability of at least 1 / (n k^(d-1)).
//!
//! Deviation: n and k are not known beforehand but taken from the executions
//! run so far, so the bound is stated for the largest that were seen.

use engine::{Outcome, Task};
use fastrand::Rng;
use machine::ThreadId;

use crate::best_first::Settings;
use crate::guided::Point;
use crate::sample::{self, Scheduler};

/// Runs executions with random priorities.
pub fn check(task: &Task<'_>, settings: &Settings) -> Outcome {
    let depth = settings.bug_depth.max(1);
    let mut pct = Pct { depth, steps: 1, threads: 1, priorities: Vec::new(), changes: Vec::new(), lowest: 0 };
    sample::check(task, settings, &mut pct)
}

struct Pct {
    /// The depth of the bugs it looks for.
    depth: u32,
    /// The most steps of an execution so far.
    steps: usize,
    /// The most threads of an execution so far.
    threads: usize,
    /// Of each thread; the highest moves.
    priorities: Vec<i64>,
    /// The steps at which the running thread's priority falls.
    changes: Vec<usize>,
    lowest: i64,
}

impl Pct {
    fn priority(&mut self, thread: ThreadId, random: &mut Rng) -> i64 {
        while self.priorities.len() <= thread.0 as usize {
            self.priorities.push(random.i64(0..1 << 62));
        }
        self.priorities[thread.0 as usize]
    }

    fn highest(&mut self, point: &Point, random: &mut Rng) -> ThreadId {
        let threads = point.enabled.iter().copied();
        threads.max_by_key(|thread| self.priority(*thread, random)).expect("some thread can move")
    }
}

impl Scheduler for Pct {
    fn start(&mut self, random: &mut Rng) {
        self.priorities.clear();
        self.lowest = 0;
        self.changes = (1..self.depth).map(|_| random.usize(..self.steps)).collect();
    }

    fn choose(&mut self, step: usize, point: &Point, random: &mut Rng) -> ThreadId {
        for _ in self.changes.clone().into_iter().filter(|change| *change == step) {
            let running = self.highest(point, random);
            self.lowest -= 1;
            self.priorities[running.0 as usize] = self.lowest;
        }
        self.highest(point, random)
    }

    fn ended(&mut self, steps: usize, threads: usize) {
        self.steps = self.steps.max(steps);
        self.threads = self.threads.max(threads);
    }

    fn guarantee(&self, executions: u64) -> Option<String> {
        let Pct { depth, steps, threads, .. } = *self;
        let one = 1.0 / (threads as f64 * (steps as f64).powi(depth as i32 - 1));
        let all = 1.0 - (1.0 - one).powf(executions as f64);
        Some(format!(
            "with {threads} threads and {steps} steps, each meets a bug of depth {depth} with a probability \
             of at least {one:.2e}, and all together of at least {all:.4}"
        ))
    }
}
