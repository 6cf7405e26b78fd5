//! Depth-first search: one path at a time, on one thread. Counterexamples are
//! long, but it needs no more than the path besides the states.

use engine::{Cut, Limit, by_priority};
use machine::{Fault, Mover, Movers, Racing, ThreadId};

use crate::found::{Choice, Found, with_earlier_step};
use crate::worker::{Next, Opened, Shared, Tally, Worker};

/// A depth-first search.
pub struct Dfs<'a> {
    worker: Worker<'a>,
    path: Vec<Frame>,
    /// The race in the last state of the path.
    race: Option<Racing>,
    /// The longest path.
    pub max_depth: u64,
}

/// A state on the path with the steps that are still to be taken from it; the
/// last of `steps` is the one being explored.
struct Frame {
    state: Opened,
    movers: Movers,
    step: Choice,
    choices: std::ops::Range<u64>,
}

impl<'a> Dfs<'a> {
    /// Before the first state.
    pub fn new(shared: &'a Shared<'a>) -> Dfs<'a> {
        Dfs { worker: Worker::new(shared), path: Vec::new(), race: None, max_depth: 0 }
    }

    /// Explores everything.
    pub fn run(&mut self) -> Found {
        let shared = self.worker.shared;
        let first = self.worker.first();
        let mut faulty = self.enter(first);
        while !faulty && !self.path.is_empty() {
            if self.worker.must_stop() {
                return Found::Exceeded(shared.stopped().expect("it stops for a reason"));
            }
            faulty = self.advance();
        }
        if faulty { Found::Violation(self.steps()) } else { Found::Nothing }
    }

    /// The steps to the fault at the end of the path.
    fn steps(&self) -> Vec<Choice> {
        // A deadlocked state is left without a step.
        let taken = |node: &Frame| (node.choices.start > 0).then_some(node.step);
        let mut steps: Vec<Choice> = self.path.iter().filter_map(taken).collect();
        if let Some(race) = self.race {
            steps.push(Choice { mover: race.last.into(), choice: race.choice });
            steps = with_earlier_step(self.worker.shared, steps, race);
        }
        steps
    }

    /// Collects a fault at the end of the path, if the search goes on past faults.
    fn goes_on(&mut self, met: &[Fault]) -> bool {
        let shared = self.worker.shared;
        shared.collected.is_some_and(|collected| {
            shared.collect(collected, met, &self.steps());
            true
        })
    }

    /// Takes the next step from the last state of the path, or leaves it; says
    /// whether there is a fault.
    fn advance(&mut self) -> bool {
        let node = self.path.last_mut().expect("the search is not over");
        let Some(choice) = node.choices.next() else {
            self.next_mover();
            return false;
        };
        node.step.choice = choice;
        let next = self.worker.step(&node.state, node.step.mover, choice, false);
        let met = std::mem::take(&mut self.worker.news);
        if !met.is_empty() && !self.goes_on(&met) {
            return true;
        }
        let Next::State { tree, .. } = next else { return false };
        let new = self.worker.enter(tree);
        new.is_some_and(|state| self.enter(state))
    }

    fn next_mover(&mut self) {
        let node = self.path.last_mut().expect("the search is not over");
        let Some(mover) = node.movers.pop() else {
            self.path.pop();
            return;
        };
        node.step.mover = mover;
        node.choices = 0..self.worker.choices(&node.state, mover);
    }

    /// Puts a new state on the path; says whether it is deadlocked, or steps
    /// from it race.
    fn enter(&mut self, state: Opened) -> bool {
        let shared = self.worker.shared;
        let depth = self.path.len() as u64;
        self.race = self.worker.racing(&state).first().copied();
        let deadlock = self.worker.deadlock(&state);
        let faulty = deadlock.is_some() || self.race.is_some();
        if !faulty && shared.task.bounds.depth == Some(depth) {
            self.worker.tally.cut(Cut::Depth(Limit::asked(depth)));
            return false;
        }
        self.max_depth = self.max_depth.max(depth);
        shared.enter_layer(depth);
        let last = self.path.last().map_or(Mover::Thread(ThreadId(0)), |node| node.step.mover);
        let movers = by_priority(state.candidates().collect(), last);
        let step = Choice { mover: last, choice: 0 };
        self.path.push(Frame { state, movers, step, choices: 0..0 });
        faulty && !self.goes_on(deadlock.as_slice())
    }

    /// The bytes of what is kept besides the states.
    pub fn bytes(&self) -> u64 {
        self.worker.bytes()
    }

    /// All that was counted.
    pub fn into_tally(self) -> Tally {
        self.worker.tally
    }
}
