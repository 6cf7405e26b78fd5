//! An execution that behaves by default where nothing else is asked of it.
//!
//! The default (GAMBIT, section 3.2) is never to preempt, and to go on with the
//! lowest thread when the running one cannot. The first data choice is taken.
//! Everything an execution could have done instead is known afterwards from its
//! [`Point`]s.

use engine::Task;
use machine::ThreadId;
use smallvec::SmallVec;

use crate::explorer::{Explorer, Next};
use crate::run::Round;
use crate::spin::Spins;
use crate::tally::Found;

/// What could be done before a step.
#[derive(Clone, Debug)]
pub struct Point {
    /// The threads that can move, ascending. Those that spin are left out.
    pub enabled: SmallVec<[ThreadId; 8]>,
    /// The thread of the step before, if it could go on.
    pub running: Option<ThreadId>,
    /// The preemptions up to here.
    pub preemptions: u32,
    /// How many data choices the step has that was taken.
    pub choices: u64,
}

impl Point {
    /// The thread that goes on by default.
    pub fn default_thread(&self) -> Option<ThreadId> {
        self.running.or_else(|| self.enabled.first().copied())
    }

    /// The preemptions up to and including the step, if this thread takes it.
    pub fn preemptions_with(&self, thread: ThreadId) -> u32 {
        self.preemptions + u32::from(self.running.is_some_and(|running| running != thread))
    }
}

/// An execution.
pub struct Guided<'a> {
    /// Its steps so far.
    pub explorer: Explorer<'a>,
    /// The threads that spin.
    pub spins: Spins,
    points: Vec<Point>,
}

/// Whether the execution goes on after a step.
pub enum Advance {
    /// It can go on.
    On,
    /// It is over.
    Over,
}

impl<'a> Guided<'a> {
    /// At the beginning.
    pub fn new(task: &'a Task<'a>) -> Guided<'a> {
        Guided { explorer: Explorer::new(task), spins: Spins::new(task.machine), points: Vec::new() }
    }

    /// How many steps were taken.
    pub fn steps(&self) -> usize {
        self.points.len()
    }

    /// What could be done before each step.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Goes back to so many steps.
    pub fn back_to(&mut self, steps: usize) {
        self.explorer.run.back_to(steps);
        self.spins.back_to(steps);
        self.points.truncate(steps);
    }

    /// What can be done now.
    pub fn point(&self) -> Point {
        let run = &self.explorer.run;
        let mut enabled = run.enabled_threads();
        enabled.retain(|thread| !self.spins.holds(run, *thread));
        let last = run.steps().last().map_or(ThreadId(0), |taken| taken.thread());
        let goes_on = enabled.contains(&last) && run.machine().waiting(run.state(), last).is_none();
        let preemptions = match (self.points.last(), run.steps().last()) {
            (Some(point), Some(taken)) => point.preemptions_with(taken.thread()),
            _ => 0,
        };
        Point { enabled, running: goes_on.then_some(last), preemptions, choices: 1 }
    }

    /// How many data choices the thread's next step has. A wait that ended by
    /// itself to no avail does not do so again.
    pub fn choices(&mut self, thread: ThreadId) -> u64 {
        let choices = self.explorer.choices(thread);
        let held = self.spins.may_wake_by_itself(&self.explorer.run, thread);
        if held { choices } else { choices.min(1) }
    }

    /// What the threads that spin do once more.
    pub fn rounds(&self) -> Vec<Round> {
        let run = &self.explorer.run;
        let round = |thread: ThreadId| {
            Some(Round { thread, choices: self.spins.of(run, thread)?.choices().to_vec() })
        };
        run.enabled_threads().into_iter().filter_map(round).collect()
    }

    /// Takes a step from this point.
    pub fn step(&mut self, mut point: Point, thread: ThreadId, choice: u64) -> Result<Advance, Found> {
        point.choices = self.choices(thread);
        if point.choices == 0 {
            return Ok(Advance::Over);
        }
        self.points.push(point);
        let next = self.explorer.step(thread, choice)?;
        match next {
            Next::End(_) => Ok(Advance::Over),
            Next::State => {
                self.spins.push(&self.explorer.run);
                Ok(Advance::On)
            }
        }
    }
}
