//! Formulas of temporal logic: executions of the state graph that an automaton of the
//! formula's negation accepts.
//!
//! The graph is built batch by batch, by several workers at once, in the order of steps or of
//! context switches (`graph`, `visit`). It is looked at whenever it has twice as many states as
//! the last time, so that an execution which is found early ends the search: what goes
//! round in a part of the graph goes round in all of it. This is the two-phase search of the
//! paper's section 3.3, whose first phase looks for cycles in the layers that were visited so
//! far, and whose second one decides. There the first phase may miss a cycle; here it finds each
//! one that the part has, because a part is looked at as the whole graph is.
//!
//! A state has the letter of the propositions that hold in it, and the set of threads that can
//! move. For each formula the product of the graph with the automaton of its negation is
//! searched for a cycle that is accepting and fair (`emptiness`). A state in which no thread can
//! move is repeated for ever, and so is the state in which the process has ended.
//!
//! The reductions that are used keep what formulas mean: `machine/src/temporal/` has the
//! argument. Symmetry and what the static analysis knows of undisturbed accesses are not
//! used here.

mod cycle;
mod emptiness;
mod frontier;
mod graph;
mod product;
mod visit;

use engine::{Cut, Outcome, Task};
use ltl::{Class, Formula};
use machine::{Fairness, Machine, State, ThreadId};

use crate::found::{Choice, Found};
use crate::livelock;
use crate::outcome::{self, Ended};
use crate::parallel::{Pool, with_pool};
use crate::state_graph::{Edge, choice_between};
use crate::worker::{Shared, Tally, Worker};
use crate::{Options, SearchOrder};

use graph::{Graph, StepLabel};
use product::{Product, Way};
use visit::{List, Visitor, last_letter, visits};

/// The graph is looked at for the first time when it has so many states.
const FIRST_PART: usize = 64;

/// Looks for an execution that violates a formula that the machine is asked.
pub fn check(task: &Task<'_>, options: &Options) -> Outcome {
    let temporal = task.machine.temporal().expect("formulas are asked");
    let texts = temporal.question.formulas.iter().map(|text| Told::Formula(text));
    let asked: Vec<_> = temporal.formulas.iter().zip(texts).collect();
    decide(task, options, Asked { formulas: &asked, fairness: temporal.question.fairness })
}

/// Looks for a livelock, which is a formula too.
pub fn livelock(task: &Task<'_>, options: &Options) -> Outcome {
    let formula = ltl::parse(livelock::FORMULA).expect("it is one").formula;
    decide(task, options, Asked { formulas: &[(&formula, Told::Livelock)], fairness: livelock::FAIRNESS })
}

/// What is asked.
#[derive(Clone, Copy)]
struct Asked<'q> {
    formulas: &'q [(&'q Formula, Told<'q>)],
    fairness: Fairness,
}

/// How the violation of a formula is told.
#[derive(Clone, Copy, PartialEq)]
enum Told<'q> {
    /// By the formula.
    Formula(&'q str),
    /// As a livelock.
    Livelock,
}

fn decide(task: &Task<'_>, options: &Options, asked: Asked<'_>) -> Outcome {
    let options = Options { hash_compaction: false, symmetry: false, ..*options };
    let shared = Shared::new(task, task.machine, &options);
    let livelock = asked.formulas.iter().any(|(_, told)| *told == Told::Livelock);
    let visitors = (0..task.budget.threads()).map(|_| Visitor::new(Worker::new(&shared), livelock));
    let mut visitors: Vec<Visitor<'_>> = visitors.collect();
    let initial = visitors[0].worker.initial();
    let mut search = Search { asked, order: options.search, graph: Graph::new(options.search, initial) };
    let visit = |visitor: &mut Visitor<'_>, list: &List, range| visitor.visit(list, range);
    let found = with_pool(&mut visitors, visit, |pool| search.run(&shared, pool));
    let mut tally = Tally::default();
    visitors.into_iter().for_each(|visitor| tally.add(visitor.worker.tally));
    let bytes = search.graph.bytes();
    outcome::outcome(&shared, Ended { found, bytes, ..Ended::of(&shared) }, tally)
}

/// A graph that is being built.
struct Search<'q> {
    asked: Asked<'q>,
    order: SearchOrder,
    graph: Graph,
}

impl Search<'_> {
    /// Builds the graph and looks at it now and then.
    fn run<'a>(&mut self, shared: &Shared<'a>, pool: &Pool<'_, '_, Visitor<'a>, List>) -> Found {
        let mut due = FIRST_PART;
        loop {
            let batch = self.graph.batch();
            let done = batch.is_empty();
            shared.enqueue(batch.len());
            self.visit(pool, batch);
            if let Some(exceeded) = shared.stopped() {
                return Found::Exceeded(exceeded);
            }
            if !done && self.graph.visited < due {
                continue;
            }
            due = 2 * self.graph.visited;
            match self.look(&mut pool.first().worker) {
                Found::Nothing if !done => {}
                found => return found,
            }
        }
    }

    /// Visits states and adds what comes of it, in their order.
    fn visit(&mut self, pool: &Pool<'_, '_, Visitor<'_>, List>, batch: Vec<graph::Arrival>) {
        let with_state = |arrival: &graph::Arrival| (*arrival, self.graph.state(arrival.0));
        pool.run(batch.iter().map(with_state).collect(), batch.len());
        for (index, visit) in visits(pool) {
            if self.graph.add(batch[index], visit).is_none() {
                cut(&mut pool.first().worker, "more than 65536 sets of propositions");
            }
        }
    }

    /// The first formula that some execution violates, and the execution.
    fn look(&self, worker: &mut Worker<'_>) -> Found {
        let Asked { formulas, fairness } = self.asked;
        for (formula, told) in formulas {
            let automaton = ltl::automaton(&(*formula).clone().negated());
            let Some(product) = Product::new(&self.graph, &automaton, self.order) else {
                cut(worker, "so large a product");
                continue;
            };
            let by_prefix = formula.is_safety() && automaton.class() == Class::Terminal;
            let way = if by_prefix { product.bad_prefix() } else { product.lasso(fairness, self.order) };
            if let Some(way) = way {
                return self.found(worker, way, *told);
            }
        }
        Found::Nothing
    }

    /// The execution along a way in the product.
    fn found(&self, worker: &mut Worker<'_>, way: Way<'_>, told: Told<'_>) -> Found {
        let mut steps = Vec::new();
        for (index, (from, edge)) in way.steps.iter().enumerate() {
            let in_cycle = way.start.is_some_and(|start| index >= start);
            steps.push(self.choice_of(worker, *from, edge, in_cycle, told));
        }
        match told {
            Told::Formula(formula) => Found::Formula { steps, start: way.start, formula: formula.to_owned() },
            Told::Livelock => {
                let start = way.start.expect("no beginning is a livelock");
                Found::Cycle { steps, start }
            }
        }
    }

    /// The step that an edge stands for. One of a cycle is as the edge says.
    fn choice_of(
        &self,
        worker: &mut Worker<'_>,
        from: u32,
        edge: &Edge<StepLabel>,
        in_cycle: bool,
        told: Told<'_>,
    ) -> Choice {
        let (machine, grain) = (worker.shared.machine(), worker.shared.grain);
        let caused = in_cycle && self.asked.fairness != Fairness::None;
        let livelock = in_cycle && told == Told::Livelock;
        let admits = |machine: &Machine, state: &State, step: Choice| {
            step.mover == edge.mover()
                && !(caused && machine.is_spurious(state, step.mover, step.choice))
                && !(livelock && livelock::progresses(machine, state, step, grain))
        };
        let state = self.graph.state(from);
        match edge.to() {
            Some(to) => choice_between(worker, state, self.graph.state(to), |state, step| {
                admits(machine, state, step)
            }),
            None => self.last_choice(worker, from, edge),
        }
    }

    /// The step by which the process ends. Of several with the same letter
    /// afterwards any will do.
    fn last_choice(&self, worker: &mut Worker<'_>, from: u32, edge: &Edge<StepLabel>) -> Choice {
        let opened = worker.open(self.graph.state(from));
        let last = self.graph.letters[edge.label.last as usize];
        for choice in 0..worker.choices(&opened, edge.mover()) {
            let step = Choice { mover: edge.mover(), choice };
            if last_letter(worker, &opened, step) == Some(last) {
                return step;
            }
        }
        unreachable!("the graph has this step")
    }
}

/// Notes that executions were not followed.
fn cut(worker: &mut Worker<'_>, what: &str) {
    let machine = worker.shared.machine();
    let at = machine.position(&machine.initial(), ThreadId(0));
    worker.tally.cut(Cut::Unsupported { what: what.to_owned(), at });
}
