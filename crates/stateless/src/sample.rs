//! Executions at random, one after the other.

use engine::{Cut, Limit, Outcome, Task, counted};
use fastrand::Rng;
use machine::ThreadId;

use crate::best_first::Settings;
use crate::guided::{Advance, Guided, Point};
use crate::livelock;
use crate::tally::Found;

/// Decides which thread moves next.
pub trait Scheduler {
    /// Called before each execution.
    fn start(&mut self, random: &mut Rng);

    /// One of the threads that can move.
    fn choose(&mut self, step: usize, point: &Point, random: &mut Rng) -> ThreadId;

    /// Called after each execution with its number of steps and threads.
    fn ended(&mut self, steps: usize, threads: usize);

    /// What so many executions guarantee, if they guarantee anything.
    fn guarantee(&self, executions: u64) -> Option<String>;
}

/// Runs executions until there were enough, or a violation or the budget ends
/// it.
pub fn check(task: &Task<'_>, settings: &Settings, scheduler: &mut dyn Scheduler) -> Outcome {
    let mut guided = Guided::new(task);
    let mut random = Rng::with_seed(settings.seed);
    let mut found = None;
    while found.is_none() && settings.executions.is_none_or(|most| guided.explorer.tally.executions < most) {
        found = execute(&mut guided, scheduler, &mut random).err();
    }
    let tally = &mut guided.explorer.tally;
    let executions = tally.executions;
    tally.cut(Cut::Executions(Limit { most: executions, asked: settings.executions.is_some() }));
    let counts = format!("{} at random, all of them safe", counted(executions, "execution"));
    let guarantee = scheduler.guarantee(executions).map(|text| format!("; {text}")).unwrap_or_default();
    tally.coverage = Some(counts + &guarantee);
    guided.explorer.outcome(found)
}

fn execute(guided: &mut Guided<'_>, scheduler: &mut dyn Scheduler, random: &mut Rng) -> Result<(), Found> {
    guided.back_to(0);
    scheduler.start(random);
    loop {
        let point = guided.point();
        if point.enabled.is_empty() {
            livelock::look(&guided.explorer.run, || guided.rounds())?;
            break;
        }
        if guided.explorer.is_too_long() {
            break;
        }
        let thread = scheduler.choose(guided.steps(), &point, random);
        let choices = guided.choices(thread);
        let choice = if choices > 1 { random.u64(..choices) } else { 0 };
        if let Advance::Over = guided.step(point, thread, choice)? {
            break;
        }
    }
    let threads = guided.explorer.run.state().thread_ids().count();
    scheduler.ended(guided.steps(), threads);
    guided.explorer.tally.executions += 1;
    Ok(())
}
