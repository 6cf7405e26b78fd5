//! Formulas of temporal logic: executions of the state graph that an automaton of the
//! formula's negation accepts.
//!
//! The graph is built once, breadth-first; it is looked at whenever it has twice as many
//! states as the last time, so that an execution which is found early ends the search. A state has the letter of the propositions that hold in it, and
//! the set of threads that can move. For each formula the product of the graph with the
//! automaton of its negation is searched for a cycle that is accepting and fair
//! (`emptiness`). A state in which no thread can move is repeated for ever, and so is the
//! state in which the process has ended.
//!
//! The reductions that are used keep what formulas mean: `machine/src/temporal/` has the
//! argument. Symmetry and what the static analysis knows of undisturbed accesses are not
//! used here.

mod cycle;
mod emptiness;
mod product;

use engine::{Cut, Outcome, Task};
use ltl::Class;
use machine::{End, Fairness, Machine, Mover, State, ThreadId};
use store::Loaded;

use crate::Options;
use crate::found::{Choice, Found};
use crate::livelock;
use crate::state_graph::{Edge, Labels, StateGraph, Target, choice_between};
use crate::whole_graph;
use crate::worker::{Next, Opened, Worker};

use product::{Product, Way};

/// The graph is looked at for the first time when it has so many states.
const FIRST_PART: usize = 1_000;

/// What is known of a state.
#[derive(Clone, Copy)]
pub struct StateLabel {
    /// The threads that can move.
    enabled: u64,
    /// The propositions that hold: the number of their set.
    letter: u16,
    /// Whether a thread keeps the others from moving.
    kept: bool,
}

/// What is known of a step.
#[derive(Clone, Copy)]
pub struct StepLabel {
    /// Whether a program may not rely on it to happen for ever ([`machine::Machine::is_spurious`]).
    spurious: bool,
    /// The propositions that hold once the process has ended, if it does.
    last: u16,
}

/// The graph with these labels.
pub type Labelled = StateGraph<StateLabel, StepLabel>;

/// Looks for an execution that violates a formula.
pub fn check(task: &Task<'_>, options: &Options) -> Outcome {
    let look =
        |graph: &Labelled, worker: &mut Worker<'_>, letters: &Letters| look(graph, worker, &letters.known);
    whole_graph::check_parts(task, options, Letters::default(), FIRST_PART, look)
}

/// Labels states and steps. Letters are numbered, since there are few.
#[derive(Default)]
struct Letters {
    known: Vec<ltl::Letter>,
}

impl Letters {
    fn number(&mut self, letter: ltl::Letter) -> Option<u16> {
        let known = self.known.iter().position(|known| *known == letter);
        let number = known.unwrap_or_else(|| {
            self.known.push(letter);
            self.known.len() - 1
        });
        u16::try_from(number).ok()
    }

    fn cut(worker: &mut Worker<'_>, loaded: &Loaded, what: &str) -> (StateLabel, bool) {
        livelock::cut(worker, loaded, what);
        // It is not followed, but does not stand still either.
        (StateLabel { enabled: u64::MAX, letter: 0, kept: false }, false)
    }
}

impl Labels for Letters {
    type State = StateLabel;
    type Step = StepLabel;

    fn state(&mut self, worker: &mut Worker<'_>, loaded: &Loaded) -> (StateLabel, bool) {
        let enabled = match livelock::enabled(worker, loaded) {
            Ok(enabled) => enabled,
            Err(what) => return Letters::cut(worker, loaded, what),
        };
        let machine = worker.shared.machine();
        let state = worker.shared.store.state(loaded);
        let kept = machine.keeper(state).is_some();
        match self.number(machine.letter(state, false)) {
            Some(letter) => (StateLabel { enabled, letter, kept }, true),
            None => Letters::cut(worker, loaded, "more than 65535 sets of propositions"),
        }
    }

    fn step(
        &mut self,
        worker: &mut Worker<'_>,
        from: &Opened,
        mover: Mover,
        choice: u64,
    ) -> Option<(Target, StepLabel)> {
        let next = worker.step(from, mover, choice, false);
        let (machine, grain) = (worker.shared.machine(), worker.shared.grain);
        let state = worker.shared.store.state(&from.loaded);
        let spurious = machine.is_spurious(state, mover.thread(), choice);
        match next {
            Next::State { tree, .. } => Some((Target::State(tree), StepLabel { spurious, last: 0 })),
            Next::Fault => None,
            Next::Over => {
                let mut last = state.clone();
                let step = machine.step(&mut last, mover, choice, grain, &mut ());
                // Other ends are noted as cuts, or are of no interest.
                let ended = matches!(step.end, Some(End::Exited(_) | End::Aborted));
                let letter = ended.then(|| machine.letter(&last, true))?;
                Some((Target::Over, StepLabel { spurious, last: self.number(letter)? }))
            }
        }
    }
}

/// The first formula that some execution violates, and the execution.
fn look(graph: &Labelled, worker: &mut Worker<'_>, letters: &[ltl::Letter]) -> Found {
    let machine = worker.shared.machine();
    let Some(temporal) = machine.temporal() else { return Found::Nothing };
    let fairness = temporal.question.fairness;
    for (formula, text) in temporal.formulas.iter().zip(&temporal.question.formulas) {
        let automaton = ltl::automaton(&formula.clone().negated());
        let Some(product) = Product::new(graph, &automaton, letters) else {
            let at = machine.position(&machine.initial(), ThreadId(0));
            worker.tally.cut(Cut::Unsupported { what: "so large a product".to_owned(), at });
            continue;
        };
        let by_prefix = formula.is_safety() && automaton.class() == Class::Terminal;
        let way = if by_prefix { product.bad_prefix() } else { product.lasso(fairness) };
        if let Some(way) = way {
            return found(worker, graph, way, text, fairness);
        }
    }
    Found::Nothing
}

/// The execution along a way in the product.
fn found(
    worker: &mut Worker<'_>,
    graph: &Labelled,
    way: Way<'_>,
    formula: &str,
    fairness: Fairness,
) -> Found {
    let mut steps = Vec::new();
    for (index, (from, edge)) in way.steps.iter().enumerate() {
        let in_cycle = way.start.is_some_and(|start| index >= start);
        steps.push(choice_of(worker, graph, *from, edge, in_cycle && fairness != Fairness::None));
    }
    Found::Formula { steps, start: way.start, formula: formula.to_owned() }
}

/// The step that an edge stands for.
fn choice_of(
    worker: &mut Worker<'_>,
    graph: &Labelled,
    from: store::StateId,
    edge: &Edge<StepLabel>,
    caused: bool,
) -> Choice {
    let machine = worker.shared.machine();
    let admits = |machine: &Machine, state: &State, step: Choice| {
        step.mover == edge.mover()
            && !(caused && machine.is_spurious(state, step.mover.thread(), step.choice))
    };
    match edge.to() {
        Some(to) => choice_between(worker, from, to, |state, step| admits(machine, state, step)),
        None => last_choice(worker, graph, from, edge),
    }
}

/// The step by which the process ends.
fn last_choice(
    worker: &mut Worker<'_>,
    graph: &Labelled,
    from: store::StateId,
    edge: &Edge<StepLabel>,
) -> Choice {
    // The edges of a state stand in the order in which its steps are taken; the same
    // labels come out again.
    let opened = worker.open(from);
    let mut letters = Letters::default();
    let wanted = graph.edges(from).iter().filter(|other| other.to().is_none());
    let place = wanted.take_while(|other| !std::ptr::eq(*other, edge)).count();
    let movers: Vec<Mover> = opened.movers().collect();
    let mut ends = Vec::new();
    for mover in movers {
        for choice in 0..worker.choices(&opened, mover) {
            if let Some((Target::Over, _)) = letters.step(worker, &opened, mover, choice) {
                ends.push(Choice { mover, choice });
            }
        }
    }
    ends[place]
}
