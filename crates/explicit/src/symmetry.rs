//! Searching up to the numbers of threads ([`Machine::sort_threads`]).
//!
//! What such a search finds are steps between sorted states, and each state
//! numbers threads in its own way. [`concrete`] makes an execution of them: it
//! follows the sorted states and the execution side by side, with the renaming
//! that leads from the one to the other.
//!
//! The two differ in one more way: in a sorted state `main` may join other
//! threads first. Where its execution cannot join yet, that is made up for
//! before `main` does anything else. So a counterexample has the fewest context
//! switches here too, but for deadlocks, where `main` may have to join some
//! threads before it waits for those that are stuck: one switch more.

use engine::{Outcome, Task};
use machine::{Grain, Machine, Renaming, State, ThreadId};

use crate::Options;
use crate::counters::SYMMETRY;
use crate::found::{Choice, Found};
use crate::outcome;
use crate::worker::Shared;

const MAIN: ThreadId = ThreadId(0);

/// Searches up to the numbers of threads. Nothing comes of it if the program
/// turns out to depend on them.
pub fn search(task: &Task<'_>, options: &Options) -> Option<Outcome> {
    let machine = task.machine.with_tagged_handles();
    let sorted = Task { machine: &machine, ..*task };
    let shared = Shared::new(&sorted, &machine, options);
    let (mut ended, tally) = crate::search(&shared, options, None);
    if shared.is_asymmetric() {
        return None;
    }
    if let Found::Violation(steps) = &ended.found {
        // That it leads to a fault is demanded where the trace is made, and that
        // it does so without tagged handles where it is replayed.
        ended.found = Found::Violation(concrete(&machine, shared.grain, steps));
    }
    let outcome = outcome::outcome(&shared, ended, tally);
    Some(Outcome { stats: outcome.stats.with(SYMMETRY, "used"), ..outcome })
}

/// An execution beside the sorted states that it stands for.
struct Pair<'a> {
    machine: &'a Machine,
    grain: Grain,
    sorted: State,
    concrete: State,
    /// From the execution's threads to those of the sorted state.
    names: Renaming,
    /// Joins that `main` has done there but not here.
    owed: usize,
    /// Whether the last step ended in a fault; otherwise it is a deadlock.
    over: bool,
    steps: Vec<Choice>,
}

/// The execution that steps between sorted states stand for; the last of them
/// may have a fault.
fn concrete(machine: &Machine, grain: Grain, steps: &[Choice]) -> Vec<Choice> {
    let mut sorted = machine.initial();
    machine.normalise(&mut sorted);
    let concrete = sorted.clone();
    let names = machine.sort_threads(&mut sorted);
    let mut pair = Pair { machine, grain, sorted, concrete, names, owed: 0, over: false, steps: Vec::new() };
    for (index, step) in steps.iter().enumerate() {
        let followed = pair.follow(*step, index + 1 == steps.len());
        followed.expect("a counterexample of sorted states is one of the program");
    }
    if !pair.over {
        // There main waits for those that still run; here it has to join the
        // others first.
        pair.owed = usize::MAX;
    }
    pair.settle();
    pair.steps
}

impl Pair<'_> {
    fn follow(&mut self, step: Choice, last: bool) -> Option<()> {
        let joins = step.mover == MAIN.into() && self.machine.is_joining(&self.sorted, MAIN);
        if step.mover == MAIN.into() {
            self.settle();
        }
        if joins && !last {
            self.owed += 1;
            self.settle();
        } else {
            if step.mover == MAIN.into() && self.owed > 0 {
                return None;
            }
            let taken = self.concrete_step(step)?;
            self.take(taken);
        }
        let result = self.machine.step(&mut self.sorted, step.mover, step.choice, self.grain, &mut ());
        let asked = result.faults.iter().any(|fault| self.machine.asks(&fault.kind));
        self.over = asked || result.end.is_some();
        if self.over {
            return Some(());
        }
        self.machine.normalise(&mut self.sorted);
        let renaming = self.machine.sort_threads(&mut self.sorted);
        self.names = self.names.then(&renaming);
        Some(())
    }

    /// Lets `main` join what it owes, as far as it can.
    fn settle(&mut self) {
        let can = |pair: &Pair<'_>| {
            pair.machine.is_joining(&pair.concrete, MAIN)
                && pair.machine.runnable(&pair.concrete).contains(&MAIN)
        };
        while self.owed > 0 && can(self) {
            self.take(Choice { mover: MAIN.into(), choice: 0 });
            self.owed -= 1;
        }
    }

    /// The step with the threads as the execution has them.
    fn concrete_step(&self, step: Choice) -> Option<Choice> {
        let thread = self.names.old_number(step.mover.thread());
        if !self.machine.runnable(&self.concrete).contains(&thread) {
            return None;
        }
        let choices = self.machine.choices(&self.concrete, thread).ok()?;
        let choice = match self.machine.woken(&self.sorted, step.mover.thread(), step.choice) {
            None => step.choice,
            Some(woken) => {
                let woken = Some(self.names.old_number(woken));
                (0..choices).find(|choice| self.machine.woken(&self.concrete, thread, *choice) == woken)?
            }
        };
        (choice < choices).then_some(Choice { mover: thread.into(), choice })
    }

    fn take(&mut self, step: Choice) {
        self.steps.push(step);
        self.machine.step(&mut self.concrete, step.mover, step.choice, self.grain, &mut ());
        self.machine.normalise(&mut self.concrete);
    }
}
