//! The whole check: precision, product, invariants, tree; and again with another
//! order of threads or richer templates where a proof does not come to an end.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use engine::counters::SOLVER_CALLS;
use engine::{Cut, Ending, Evidence, Invariant, Ledger, Outcome, Reason, Stats, Task, Verdict};
use logic::{Limits, SolverError, SolverKind, Term, Terms};
use machine::{Fault, Property, ThreadId};
use rustc_hash::FxHashMap;
use symbolic::Questions;

use crate::affine::Affine;
use crate::candidates::candidates;
use crate::contract::Contraction;
use crate::counters::{COVERED, IMPLICATIONS, INVARIANTS, LOCATIONS, NODES, REFINEMENTS, VERTICES};
use crate::exact;
use crate::heads::Heads;
use crate::invariants::{Invariants, inductive};
use crate::precision::Precision;
use crate::product::{Builder, Product, Unfinished, Vertex};
use crate::proof::{Complete, Keeper};
use crate::prover::{NoAnswer, Prover};
use crate::reduce::{Order, Reduction};
use crate::sample::{Values, sample};
use crate::search::{self, End, Search};
use crate::system::{GRAIN, System};
use crate::tree::Tree;

/// How a check is done.
#[derive(Clone, Debug)]
pub struct Options {
    /// The orders of threads that are tried.
    pub orders: Vec<Order>,
    /// Whether threads that do not interfere are put off.
    pub reduces: bool,
    /// Whether covers are forced.
    pub force_cover: bool,
    /// Whether invariants are looked for.
    pub invariants: bool,
    /// The solver.
    pub solver: SolverKind,
    /// Takes the proof, if one is found.
    pub keeper: Option<Keeper>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            orders: vec![Order::Lockstep, Order::Sequential, Order::Reverse],
            reduces: true,
            force_cover: true,
            invariants: true,
            solver: SolverKind::default(),
            keeper: None,
        }
    }
}

/// A product has no more vertices than this.
pub(crate) const MOST_VERTICES: usize = 50_000;

/// With more vertices than this, inputs of a few values become data.
const MANY_VERTICES: usize = 2_000;

/// A tree has at most so many nodes in the first round of attempts, and so many times
/// more in each one after.
pub(crate) const FIRST_NODES: usize = 200;
pub(crate) const MORE_NODES: usize = 4;

/// A question may take so many conflicts for each node that the tree may have.
pub(crate) const CONFLICTS_PER_NODE: u32 = 10;

/// In the first round of attempts each may take this part of the time that there is, or
/// this long if there is no limit; in each round after, so many times more.
const FIRST_SHARE: u32 = 40;
const FIRST_TIME: Duration = Duration::from_secs(1);
pub(crate) const MORE_TIME: u32 = 3;

/// It is given up as well if labels were refined this often.
const NODES_PER_REFINEMENT: u64 = 4;

/// Proves the program, or finds a fault, unless the budget ends it.
pub fn check(task: &Task<'_>, options: &Options) -> Outcome {
    match Check::new(task, options) {
        Ok(check) => check.run(),
        Err(error) => no_solver(task, &error),
    }
}

fn no_solver(task: &Task<'_>, error: &SolverError) -> Outcome {
    let reason = Reason::Solver(error.to_string());
    let verdict = Verdict::Unknown { reason, covered: "nothing".to_owned() };
    Outcome::new(task.machine, verdict, Stats::default(), Vec::new())
}

/// A check on its way.
pub(crate) struct Check<'a> {
    task: &'a Task<'a>,
    options: &'a Options,
    pub(crate) terms: Terms,
    pub(crate) prover: Prover,
    pub(crate) guide: Questions,
    pub(crate) precision: Precision,
    ledger: Ledger,
    tally: Tally,
    /// What the proof says about the heads of loops.
    told: Vec<Invariant>,
}

/// What was counted in the last attempt.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    locations: u64,
    vertices: u64,
    nodes: u64,
    covered: u64,
    refinements: u64,
    invariants: u64,
}

/// A product with the invariants that were found for it.
pub(crate) struct Attempt<'m> {
    pub(crate) system: System<'m>,
    pub(crate) product: Product,
    /// The vertices before any were passed over, if a proof is to be written.
    pub(crate) whole: Vec<Vertex>,
    pub(crate) initial: Vec<Term>,
    pub(crate) invariants: FxHashMap<Level, Invariants>,
}

/// What is looked for before the tree is built; each level takes up the one before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Level {
    /// Nothing.
    Nothing,
    /// All that excludes faults, if there are no loops.
    Exact,
    /// Equations between sums.
    Equations,
    /// Also variables that are not greater than others, or than constants.
    Bounds,
}

impl Attempt<'_> {
    /// The levels to try.
    pub(crate) fn levels(&self, options: &Options) -> &'static [Level] {
        match (options.invariants, self.product.has_cycle()) {
            (true, true) => &[Level::Nothing, Level::Equations, Level::Bounds],
            (true, false) => &[Level::Exact],
            (false, _) => &[Level::Nothing],
        }
    }
}

impl<'a> Check<'a> {
    /// A check that has not begun.
    pub(crate) fn new(task: &'a Task<'a>, options: &'a Options) -> Result<Check<'a>, SolverError> {
        let deadline = task.budget.remaining().map(|left| Instant::now() + left);
        let limits = Limits { deadline, interrupt: Some(task.budget.cancel_flag()), ..Limits::default() };
        let mut ledger = Ledger::default();
        ledger.forget_final_states();
        Ok(Check {
            task,
            options,
            terms: Terms::new(),
            prover: Prover::new(options.solver, limits.clone())?,
            guide: Questions::new(logic::open(options.solver)?, limits),
            precision: Precision::default(),
            ledger,
            tally: Tally::default(),
            told: Vec::new(),
        })
    }

    fn run(mut self) -> Outcome {
        let ending = self.decide();
        let Tally { locations, vertices, nodes, covered, refinements, invariants } = self.tally;
        let told = std::mem::take(&mut self.told);
        let evidence = Evidence::Tree { nodes, covered, invariants: told };
        let text = format!("{nodes} nodes of an abstract reachability tree, which is not complete");
        let stats = Stats::after(self.task.budget.elapsed().as_secs_f64())
            .with(LOCATIONS, locations)
            .with(VERTICES, vertices)
            .with(NODES, nodes)
            .with(COVERED, covered)
            .with(REFINEMENTS, refinements)
            .with(INVARIANTS, invariants)
            .with(IMPLICATIONS, self.prover.asked)
            .with(SOLVER_CALLS, self.prover.answered());
        self.ledger.outcome(self.task, ending, evidence, text, stats)
    }

    fn decide(&mut self) -> Ending {
        let machine = self.task.machine;
        if machine.config().properties.has(Property::Deadlock) && machine.can_abandon() {
            self.ledger.cut(Cut::Waiting);
        }
        if self.task.bounds.depth.is_some() || self.task.bounds.context_switches.is_some() {
            return gave_up("bounds on executions are not kept by this engine");
        }
        let mut attempts = Vec::new();
        let mut reduction = Reduction::new(machine, self.options.reduces);
        for order in &self.options.orders {
            reduction.order = *order;
            match self.attempt(&mut reduction) {
                Ok(attempt) => {
                    let has_loops = attempt.product.has_cycle();
                    attempts.push(attempt);
                    // Without loops the order makes no difference to invariants.
                    if !has_loops {
                        break;
                    }
                }
                Err(Unfinished::Exceeded(exceeded)) => return Ending::GivenUp(Reason::Exceeded(exceeded)),
                Err(_) => {}
            }
        }
        if attempts.is_empty() {
            return gave_up("the program has too many locations");
        }
        self.search_all(attempts)
    }

    /// Searches all products, with each kind of invariants and ever larger trees.
    fn search_all(&mut self, mut attempts: Vec<Attempt<'_>>) -> Ending {
        let mut most = FIRST_NODES;
        let mut time = self.task.budget.remaining().map_or(FIRST_TIME, |left| left / FIRST_SHARE);
        let mut reason = "no proof was found".to_owned();
        loop {
            let mut open = false;
            for attempt in &mut attempts {
                for level in attempt.levels(self.options) {
                    self.prover.limit(most as u32 * CONFLICTS_PER_NODE, time);
                    match self.search(attempt, *level, most) {
                        End::TooLarge | End::NoAnswer(NoAnswer::Hard) => open = true,
                        End::NoAnswer(NoAnswer::Input) => {
                            reason = "why a path is impossible depends on an input, which no label can name"
                                .to_owned();
                        }
                        End::NoAnswer(NoAnswer::Failed(why)) => reason = why,
                        End::Exceeded(exceeded) => return Ending::GivenUp(Reason::Exceeded(exceeded)),
                        End::Proven => return Ending::Exhausted,
                        End::Fault(fault, steps) => return self.faulty(fault, steps),
                        End::NotReplayable => {
                            return gave_up("an execution with a fault was found that cannot be replayed");
                        }
                        End::Cut(cut) => {
                            self.ledger.cut(cut);
                            return Ending::Exhausted;
                        }
                    }
                }
            }
            if !open {
                return gave_up(&reason);
            }
            most *= MORE_NODES;
            time *= MORE_TIME;
        }
    }

    /// The answer if an execution leads to a fault.
    fn faulty(&mut self, fault: Box<Fault>, steps: Vec<(ThreadId, u64)>) -> Ending {
        let machine = self.task.machine;
        if !machine.asks(&fault.kind) {
            self.ledger.warn(*fault);
            return Ending::Exhausted;
        }
        let (trace, concrete) = trace::execute(machine, GRAIN, steps);
        // Should the execution not show the fault, the replay will say so.
        Ending::Violated(concrete.map_or(fault, Box::new), trace)
    }

    /// Builds the product for an order of threads, with as much data as that takes.
    fn attempt(&mut self, reduction: &mut Reduction<'a>) -> Result<Attempt<'a>, Unfinished> {
        let machine = self.task.machine;
        loop {
            let mut system = System::new(machine, self.precision.clone());
            let (root, initial) = system.initial(&mut self.terms);
            let mut builder = Builder {
                task: self.task,
                system: &mut system,
                reduction: &mut *reduction,
                terms: &mut self.terms,
                guide: &mut self.guide,
                prover: &mut self.prover,
                many: if self.precision.all_inputs { usize::MAX } else { MANY_VERTICES },
                most: MOST_VERTICES,
            };
            let built = builder.build(root, &initial);
            self.tally.locations = system.len() as u64;
            match built {
                Ok(mut product) => {
                    let whole = self.options.keeper.as_ref().map(|_| product.vertices.clone());
                    let (terms, prover) = (&mut self.terms, &mut self.prover);
                    if (Contraction { terms, prover }).contract(&mut product).is_err() {
                        return Err(Unfinished::TooLarge);
                    }
                    self.precision = system.precision.clone();
                    let invariants = FxHashMap::default();
                    let whole = whole.unwrap_or_default();
                    return Ok(Attempt { system, product, whole, initial, invariants });
                }
                Err(Unfinished::TooCoarse) => self.precision = system.precision,
                Err(Unfinished::ManyChoices) => {
                    self.precision = system.precision;
                    self.precision.all_inputs = true;
                }
                Err(unfinished) => return Err(unfinished),
            }
        }
    }

    /// Searches a product for a proof with invariants of a level.
    pub(crate) fn search(&mut self, attempt: &mut Attempt<'_>, level: Level, most: usize) -> End {
        if let Err(no_answer) = self.find_invariants(attempt, level) {
            return self.task.budget.exceeded().map_or(End::NoAnswer(no_answer), End::Exceeded);
        }
        let invariants = &attempt.invariants[&level];
        let most_refinements = most as u64 / NODES_PER_REFINEMENT;
        let options = search::Options { force_cover: self.options.force_cover, most, most_refinements };
        let mut search = Search::new(
            self.task,
            (&attempt.product, invariants),
            (&mut self.terms, &mut self.prover),
            options,
        );
        let initial: BTreeSet<Term> = attempt.initial.iter().copied().collect();
        let end = search.run(initial);
        self.tally = Tally {
            locations: attempt.system.len() as u64,
            vertices: attempt.product.vertices.len() as u64,
            nodes: search.tree.len() as u64,
            covered: search.tree.covers() as u64,
            refinements: search.refinements,
            invariants: invariants.iter().map(|all| all.len() as u64).sum(),
        };
        if let End::Proven = end {
            let Search { tree, .. } = search;
            self.tell(attempt, &tree);
        }
        end
    }

    /// Tells what a complete tree says, and hands the proof over if it is wanted.
    fn tell(&mut self, attempt: &Attempt<'_>, tree: &Tree) {
        let Attempt { system, product, whole, .. } = attempt;
        if let Some(keeper) = &self.options.keeper {
            let (solver, terms) = (self.options.solver, &self.terms);
            let complete = Complete { solver, system, whole, product, tree, terms };
            complete.proof().into_iter().for_each(|proof| keeper.keep(proof));
        }
        let (terms, prover, budget) = (&mut self.terms, &mut self.prover, self.task.budget);
        self.told = Heads { system, product, tree, terms, prover, budget }.invariants();
    }

    /// Finds the invariants of a level, unless that was done before.
    fn find_invariants(&mut self, attempt: &mut Attempt<'_>, level: Level) -> Result<(), NoAnswer> {
        if attempt.invariants.contains_key(&level) {
            return Ok(());
        }
        let facts = || attempt.product.vertices.iter().map(|vertex| vertex.facts.clone()).collect();
        let found = match level {
            Level::Nothing => facts(),
            Level::Exact => {
                let mut found = facts();
                let (terms, prover) = (&mut self.terms, &mut self.prover);
                if let Some(labels) = exact::labels(&attempt.product, &attempt.initial, (terms, prover))? {
                    add(&mut found, labels);
                }
                found
            }
            Level::Equations => {
                let mut found = facts();
                let equations = self.equations(attempt, &found)?;
                add(&mut found, equations);
                found
            }
            Level::Bounds => {
                self.find_invariants(attempt, Level::Equations)?;
                self.bounds(attempt)?
            }
        };
        attempt.invariants.insert(level, found);
        Ok(())
    }

    fn equations(&mut self, attempt: &Attempt<'_>, background: &Invariants) -> Result<Invariants, NoAnswer> {
        let Attempt { system, product, initial, .. } = attempt;
        let (terms, prover, budget) = (&mut self.terms, &mut self.prover, self.task.budget);
        let numbers = |vertex: &Vertex| system.numbers_at(terms, vertex.location);
        let columns: Vec<Vec<Term>> = product.vertices.iter().map(numbers).collect();
        Affine { product, background, terms, prover, budget }.equations(&columns, initial)
    }

    fn bounds(&mut self, attempt: &Attempt<'_>) -> Result<Invariants, NoAnswer> {
        let Attempt { system, product, initial, invariants, .. } = attempt;
        let terms = &mut self.terms;
        let samples = sample(product, &start(initial, terms), terms);
        let mut found = candidates(product, system, terms, &samples);
        add(&mut found, invariants[&Level::Equations].clone());
        found[0] = initial.clone();
        let mut bounds = inductive(product, found, (terms, &mut self.prover), self.task.budget)?;
        // Bounds make more equations hold: a counter that has reached its bound is equal to it.
        let more = self.equations(attempt, &bounds)?;
        add(&mut bounds, more);
        Ok(bounds)
    }
}

fn add(invariants: &mut Invariants, others: Invariants) {
    for (invariants, others) in invariants.iter_mut().zip(others) {
        invariants.extend(others);
        invariants.sort_unstable();
        invariants.dedup();
    }
}

/// The values that equalities with constants say.
fn start(initial: &[Term], terms: &Terms) -> Values {
    let mut values = Values::default();
    for condition in initial {
        let node = terms.node(*condition);
        if let [variable, value] = node.args()
            && let Some(bits) = terms.constant_value(*value)
        {
            values.insert(*variable, bits);
        }
    }
    values
}

fn gave_up(why: &str) -> Ending {
    Ending::GivenUp(Reason::Solver(why.to_owned()))
}
