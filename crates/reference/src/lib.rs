//! The reference engine: a plain, sequential, depth-first exhaustive search
//! that stores every state in full.
//!
//! It is kept small and simple, because faster engines are tested against it.
//! States are compared by their whole canonical form, so no state is ever
//! taken for another. Only the states along the current path are kept as such.

use engine::counters::{BYTES_PER_STATE, FINAL_STATES, MAX_DEPTH, STATES, TRANSITIONS};
use engine::{
    Counts, Cut, Ending, Engine, Evidence, Exceeded, Formulas, Ledger, Limit, Outcome, Reason, Stats, Task,
    by_priority, counted,
};
use machine::{
    Fault, Grain, Machine, MemoryModel, Mover, Movers, Properties, Property, State, ThreadId, TooMuch,
};
use rustc_hash::FxHashSet;
use trace::{Trace, TraceStep};

/// How the search is done.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// `Visible` collapses the steps of a thread that no other thread can
    /// observe (tau reduction), `Instruction` does not.
    pub reduction: Grain,
}

impl Default for Options {
    fn default() -> Options {
        Options { reduction: Grain::Visible }
    }
}

/// The name of the engine.
pub const NAME: &str = "reference";

/// The reference engine with its options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference(pub Options);

impl Engine for Reference {
    fn name(&self) -> &'static str {
        NAME
    }

    fn decides(&self) -> Properties {
        Property::safety().chain([Property::Robust, Property::RobustTraces, Property::Ltl]).collect()
    }

    fn tries_values(&self) -> bool {
        true
    }

    fn follows(&self, _: MemoryModel) -> bool {
        true
    }

    fn formulas(&self) -> Formulas {
        Formulas::Safety
    }

    fn check(&self, task: &Task<'_>) -> Outcome {
        check(task, self.0)
    }
}

/// Visits every reachable state, unless a violation or the budget ends it.
pub fn check(task: &Task<'_>, options: Options) -> Outcome {
    let mut search = DepthFirst::new(task, options.reduction);
    let found = search.run();
    search.outcome(found)
}

/// A state on the current path with the steps from it that are still to be
/// taken, and the step that is being explored.
struct PathNode {
    state: State,
    /// Its canonical form.
    form: Box<[u8]>,
    movers: Movers,
    mover: Mover,
    choices: std::ops::Range<u64>,
    choice: u64,
}

/// What ends the search early.
enum Found {
    Violation(Box<Fault>),
    Exceeded(Exceeded),
}

struct DepthFirst<'a> {
    task: &'a Task<'a>,
    grain: Grain,
    path: Vec<PathNode>,
    seen: FxHashSet<Box<[u8]>>,
    /// The states on the path: where a step leads back to one, an execution
    /// goes on for ever.
    on_path: FxHashSet<Box<[u8]>>,
    buffer: Vec<u8>,
    ledger: Ledger,
    bytes: u64,
    transitions: u64,
    max_depth: u64,
}

impl<'a> DepthFirst<'a> {
    fn new(task: &'a Task<'a>, grain: Grain) -> DepthFirst<'a> {
        DepthFirst {
            task,
            grain,
            path: Vec::new(),
            seen: FxHashSet::default(),
            on_path: FxHashSet::default(),
            buffer: Vec::new(),
            ledger: Ledger::default(),
            bytes: 0,
            transitions: 0,
            max_depth: 0,
        }
    }

    fn machine(&self) -> &'a Machine {
        self.task.machine
    }

    fn run(&mut self) -> Option<Found> {
        let watch = self.task.budget.watch();
        let mut found = self.visit(self.machine().initial(), ThreadId(0).into());
        while found.is_none() && !self.path.is_empty() {
            let states = self.seen.len() as u64;
            found = match watch.exceeded().or_else(|| self.task.budget.out_of_states(states)) {
                Some(exceeded) => Some(Found::Exceeded(exceeded)),
                None => self.advance(),
            };
        }
        found
    }

    /// Takes the next step from the last state of the path, or leaves it.
    fn advance(&mut self) -> Option<Found> {
        let machine = self.machine();
        let node = self.path.last_mut()?;
        let Some(choice) = node.choices.next() else {
            if !self.next_mover() {
                self.leave();
            }
            return None;
        };
        node.choice = choice;
        let (mover, mut state) = (node.mover, node.state.clone());
        let step = machine.step(&mut state, mover, choice, self.grain, &mut ());
        self.transitions += 1;
        if let Some(fault) = self.ledger.asked(machine, step.faults) {
            return Some(Found::Violation(Box::new(fault)));
        }
        let Some(end) = step.end else { return self.visit(state, mover) };
        let node = self.path.last()?;
        self.ledger.end(machine, &state, end, || machine.position(&node.state, mover.thread()));
        None
    }

    fn leave(&mut self) {
        if let Some(node) = self.path.pop() {
            self.on_path.remove(&node.form);
        }
    }

    /// Looks for threads that wait for ever while others go round, in a state
    /// of the path that a step has led back to.
    fn go_round(&mut self) -> Option<Found> {
        let machine = self.machine();
        if !machine.can_abandon() || !self.on_path.contains(self.buffer.as_slice()) {
            return None;
        }
        let index = self.path.iter().position(|node| *node.form == *self.buffer)?;
        match machine.abandoned(&self.path[index].state) {
            Ok(None) => None,
            Ok(Some(fault)) => {
                self.path.truncate(index + 1);
                Some(Found::Violation(Box::new(fault)))
            }
            Err(TooMuch) => {
                self.ledger.cut(Cut::Waiting);
                None
            }
        }
    }

    /// Turns to the next one that can move from the last node of the path.
    fn next_mover(&mut self) -> bool {
        let machine = self.machine();
        let node = self.path.last_mut().expect("the search is not over");
        let Some(mover) = node.movers.pop() else { return false };
        node.mover = mover;
        match machine.choices_of(&node.state, mover) {
            Ok(choices) => node.choices = 0..choices,
            Err(needs) => self.ledger.cut(Cut::NeedsSymbolic(needs)),
        }
        true
    }

    /// Enters a state, unless it has been seen before.
    fn visit(&mut self, mut state: State, last: Mover) -> Option<Found> {
        let machine = self.machine();
        machine.normalise(&mut state);
        self.buffer.clear();
        machine.canonical(&state, &mut self.buffer);
        if self.seen.contains(self.buffer.as_slice()) {
            return self.go_round();
        }
        self.bytes += self.buffer.len() as u64;
        self.seen.insert(self.buffer.as_slice().into());
        let deadlock = machine.deadlock(&state);
        if deadlock.is_none() && self.task.bounds.depth == Some(self.path.len() as u64) {
            self.ledger.cut(Cut::Depth(Limit::asked(self.path.len() as u64)));
            return None;
        }
        let movers = by_priority(machine.movers(&state), last);
        let form: Box<[u8]> = self.buffer.as_slice().into();
        self.on_path.insert(form.clone());
        self.path.push(PathNode { state, form, movers, mover: last, choices: 0..0, choice: 0 });
        self.report_progress();
        deadlock.filter(|fault| machine.asks(&fault.kind)).map(|fault| Found::Violation(Box::new(fault)))
    }

    fn report_progress(&mut self) {
        let depth = self.path.len() as u64 - 1;
        self.max_depth = self.max_depth.max(depth);
        let states = self.seen.len() as u64;
        self.task.progress.set(Counts { states, transitions: self.transitions, depth });
    }

    fn outcome(self, found: Option<Found>) -> Outcome {
        let (states, transitions) = (self.seen.len() as u64, self.transitions);
        let (of_states, of_steps) = (counted(states, "state"), counted(transitions, "transition"));
        let covered = format!("{of_states} and {of_steps}, all of them safe");
        let ending = match found {
            Some(Found::Violation(fault)) => {
                let trace = self.trace(&fault);
                Ending::Violated(fault, trace)
            }
            Some(Found::Exceeded(exceeded)) => Ending::GivenUp(Reason::Exceeded(exceeded)),
            None => Ending::Exhausted,
        };
        let evidence = Evidence::ExhaustedStates { states, context_switches: None };
        let stats = Stats::after(self.task.budget.elapsed().as_secs_f64())
            .with(STATES, states)
            .with(TRANSITIONS, transitions)
            .with_known(FINAL_STATES, self.ledger.final_states())
            .with(MAX_DEPTH, self.max_depth)
            .with(BYTES_PER_STATE, self.bytes as f64 / states.max(1) as f64);
        self.ledger.outcome(self.task, ending, evidence, covered, stats)
    }

    /// The steps along the path. A deadlock is a fault of the last state
    /// itself, any other of the step that is being taken from it.
    fn trace(&self, fault: &Fault) -> Trace {
        let deadlock = fault.kind.property() == machine::Property::Deadlock;
        let nodes = &self.path[..self.path.len() - usize::from(deadlock)];
        let step = |node: &PathNode| TraceStep::new(self.machine(), &node.state, node.mover, node.choice);
        Trace { grain: self.grain, steps: nodes.iter().map(step).collect() }
    }
}
