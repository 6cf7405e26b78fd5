//! A random walk: at each step any of the threads that can move.

use engine::{Outcome, Task};
use fastrand::Rng;
use machine::ThreadId;

use crate::best_first::Settings;
use crate::guided::Point;
use crate::sample::{self, Scheduler};

/// Runs random walks.
pub fn check(task: &Task<'_>, settings: &Settings) -> Outcome {
    sample::check(task, settings, &mut Walk)
}

struct Walk;

impl Scheduler for Walk {
    fn start(&mut self, _: &mut Rng) {}

    fn choose(&mut self, _: usize, point: &Point, random: &mut Rng) -> ThreadId {
        point.enabled[random.usize(..point.enabled.len())]
    }

    fn ended(&mut self, _: usize, _: usize) {}

    fn guarantee(&self, _: u64) -> Option<String> {
        None
    }
}
