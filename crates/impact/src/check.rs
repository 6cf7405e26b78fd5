//! The whole check: precision, product, invariants, tree; and again with another
//! order of threads or richer templates where a proof does not come to an end.

use std::rc::Rc;
use std::time::{Duration, Instant};

use certify::Interleavings;
use engine::counters::SOLVER_CALLS;
use engine::{Cut, Ending, Evidence, Invariant, Ledger, Outcome, Reason, Stats, Task, Verdict, counted};
use logic::{Limits, Share, SolverError, SolverKind, Terms};
use machine::{Fault, FaultKind, Grain, Machine, Property, ThreadId};
use symbolic::Questions;

use crate::alike;
use crate::announce::Races;
use crate::attempt::{Attempt, Level, Tools};
use crate::commuting::{Commuting, Ways};
use crate::contract::Contraction;
use crate::counters::{
    COVER_EXPANSIONS, COVERED, IMPLICATIONS, INVARIANTS, LOCATIONS, NODES, REFINEMENTS, VERTICES,
};
use crate::heads::Heads;
use crate::partition;
use crate::por::{Por, Skips, skips};
use crate::precision::{FEW, Precision};
use crate::product::{Builder, Product, Unfinished};
use crate::proof::{Complete, Keeper};
use crate::prover::{NoAnswer, Prover};
use crate::racing::racing;
use crate::reduce::{Order, Reduction};
use crate::search::{self, End, Unwinding};
use crate::system::{GRAIN, System};
use crate::tree::{NodeId, Tree};
use crate::watched::Watched;
use crate::worklist::Visit;

/// How a check is done.
#[derive(Clone, Debug)]
pub struct Options {
    /// The orders of threads that are tried.
    pub orders: Vec<Order>,
    /// Whether threads that do not interfere are put off.
    pub reduces: bool,
    /// One of the paper's reductions, in place of the reduced product. The orders of threads and
    /// `reduces` make no difference then.
    pub por: Option<Por>,
    /// Whether covers are forced.
    pub force_cover: bool,
    /// In which order nodes of the tree are visited. Unless it is said, those of a tree without
    /// invariants breadth-first, which finds faults, and others depth-first.
    pub visit: Option<Visit>,
    /// Whether invariants are looked for.
    pub invariants: bool,
    /// What has more values than this, all else being alike, becomes data.
    pub few: usize,
    /// The solver.
    pub solver: SolverKind,
    /// Takes the proof, if one is found.
    pub keeper: Option<Keeper>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            orders: vec![
                Order::Lockstep,
                Order::Alike,
                Order::Writes,
                Order::Sequential,
                Order::Groups,
                Order::Reverse,
                Order::Relay,
            ],
            reduces: true,
            por: None,
            force_cover: true,
            visit: None,
            invariants: true,
            few: FEW,
            solver: SolverKind::default(),
            keeper: None,
        }
    }
}

/// A product has no more vertices than this.
pub(crate) const MOST_VERTICES: usize = 50_000;

/// With more vertices than this, inputs of a few values become data.
const MANY_VERTICES: usize = 2_000;

/// With more vertices than this, threads that are alike are taken for one another.
const MANY_ALIKE: usize = 100;

/// A tree has at most so many nodes in the first round of attempts, and so many times
/// more in each one after.
pub(crate) const FIRST_NODES: usize = 200;
pub(crate) const MORE_NODES: usize = 4;

/// A question may take so many conflicts for each node that the tree may have.
pub(crate) const CONFLICTS_PER_NODE: u32 = 50;

/// In the first round of attempts each may take this part of the time that there is, or
/// this long if there is no limit; in each round after, so many times more. Their shares
/// are of processor time: how busy the machine is decides when they end, not how.
const FIRST_SHARE: u32 = 40;
const FIRST_TIME: Duration = Duration::from_millis(500);
pub(crate) const MORE_TIME: u32 = 3;

/// A product may take so many times more time to be built than to be searched once.
const BUILDING: u32 = 6;

/// One with more in its locations, which is most often nothing new, so many times more.
const BUILDING_MORE: u32 = 2;

/// A question of the building may take so many conflicts.
const CONFLICTS_OF_BUILDING: u32 = 100_000;

/// It is given up as well if labels were refined this often.
const NODES_PER_REFINEMENT: u64 = 4;

/// So many nodes of a tree say where it is hard.
const MOST_SAMPLES: usize = 1000;

/// Proves the program, or finds a fault, unless the budget ends it.
pub fn check(task: &Task<'_>, options: &Options) -> Outcome {
    let watched = match Watched::of(task.machine, options) {
        Ok(watched) => watched,
        Err(why) => return unknown(task, why),
    };
    let tagged = alike::followed(task.machine, options);
    match Check::new(task, options) {
        Ok(check) => Check { tagged: tagged.as_ref(), ..check.watching(watched.as_ref()) }.run(),
        Err(error) => unknown(task, &error.to_string()),
    }
}

fn unknown(task: &Task<'_>, why: &str) -> Outcome {
    let reason = Reason::Solver(why.to_owned());
    let verdict = Verdict::Unknown { reason, covered: "nothing".to_owned() };
    Outcome::new(task.machine, verdict, Stats::default(), Vec::new())
}

/// A check on its way.
pub(crate) struct Check<'a> {
    task: &'a Task<'a>,
    /// What is followed.
    machine: &'a Machine,
    /// What is followed where threads that are alike are taken for one another.
    tagged: Option<&'a Machine>,
    /// The accesses that may race, if races are looked for.
    races: Option<Rc<Races>>,
    options: &'a Options,
    pub(crate) terms: Terms,
    pub(crate) prover: Prover,
    pub(crate) guide: Questions,
    /// What is data where numbers with few values are none.
    pub(crate) precision: Precision,
    /// The same where numbers may have more values.
    finer: Precision,
    /// The same where all loops are unrolled.
    unrolled: Precision,
    ledger: Ledger,
    tally: Tally,
    /// What the proof says about the heads of loops.
    told: Vec<Invariant>,
    /// What is data in the proof.
    data: Vec<String>,
}

/// A product to search.
struct Plan<'m> {
    /// The order of threads.
    order: Order,
    /// Which numbers belong to the location.
    numbers: Numbers,
    /// What was found out so far.
    attempt: Option<Attempt<'m>>,
}

/// Which numbers belong to the location, and are no data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Numbers {
    /// Those with few values.
    Few,
    /// Also those with some more: two threads that each count to two in one variable.
    More,
    /// All that are known: loops are unrolled.
    Known,
}

/// What was counted in the last attempt.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    locations: u64,
    vertices: u64,
    nodes: u64,
    covered: u64,
    refinements: u64,
    cover_expansions: u64,
    invariants: u64,
}

/// What came of searching a product for a while.
enum Round {
    /// An answer.
    Over(Ending),
    /// With more time and larger trees there may be one.
    Open,
    /// There will be none, for this reason.
    Stuck(String),
}

impl Round {
    /// Takes down why a search came to nothing, unless others may still come to something.
    fn stuck(&mut self, why: &str) {
        if let Round::Stuck(reason) = self {
            *reason = why.to_owned();
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
            machine: task.machine,
            tagged: None,
            races: None,
            options,
            terms: Terms::new(),
            prover: Prover::new(options.solver, limits.clone())?,
            guide: Questions::new(logic::open(options.solver)?, limits),
            precision: Precision::up_to(options.few),
            finer: Precision::finer(),
            unrolled: Precision::unrolling(),
            ledger,
            tally: Tally::default(),
            told: Vec::new(),
            data: Vec::new(),
        })
    }

    /// Looks for races, if that is asked.
    fn watching(self, watched: Option<&'a Watched>) -> Check<'a> {
        let Some(Watched { machine, races }) = watched else { return self };
        Check { machine, races: races.clone(), ..self }
    }

    fn run(mut self) -> Outcome {
        let ending = self.decide();
        let Tally { locations, vertices, nodes, covered, refinements, cover_expansions, invariants } =
            self.tally;
        let (told, data) = (std::mem::take(&mut self.told), std::mem::take(&mut self.data));
        let evidence = Evidence::Tree { nodes, covered, invariants: told, data };
        let text =
            format!("{} of an abstract reachability tree, which is not complete", counted(nodes, "node"));
        let stats = Stats::after(self.task.budget.elapsed().as_secs_f64())
            .with(LOCATIONS, locations)
            .with(VERTICES, vertices)
            .with(NODES, nodes)
            .with(COVERED, covered)
            .with(REFINEMENTS, refinements)
            .with(COVER_EXPANSIONS, cover_expansions)
            .with(INVARIANTS, invariants)
            .with(IMPLICATIONS, self.prover.asked)
            .with(SOLVER_CALLS, self.prover.answered());
        self.ledger.outcome(self.task, ending, evidence, text, stats)
    }

    fn decide(&mut self) -> Ending {
        let machine = self.machine;
        if machine.config().properties.has(Property::Deadlock) && machine.can_abandon() {
            self.ledger.cut(Cut::Waiting);
        }
        if self.task.bounds.depth.is_some() || self.task.bounds.context_switches.is_some() {
            return gave_up("bounds on executions are not kept by this engine");
        }
        let reduces = self.options.reduces && self.options.por.is_none();
        let mut reduction = Reduction::new(machine, reduces, self.races.clone());
        self.search_all(&mut reduction)
    }

    /// The products to search, each in its turn. That in which all loops are unrolled comes after
    /// the first order: it is given up soon if there are loops which inputs bound. That with more
    /// numbers in its locations comes then: most often it is the same as the first. Before them
    /// comes that in which threads are sorted, which is small where the first one is large.
    fn plans(&self) -> Vec<Plan<'a>> {
        let plan = |order: &Order| Plan { order: *order, numbers: Numbers::Few, attempt: None };
        if self.options.por.is_some() {
            return vec![plan(&Order::Sequential)];
        }
        let is_there = |order: &&Order| **order != Order::Alike || self.tagged.is_some();
        let mut plans: Vec<Plan<'a>> = self.options.orders.iter().filter(is_there).map(plan).collect();
        let mut others = self.options.orders.iter().filter(|order| **order != Order::Alike);
        if let Some(first) = others.next().filter(|_| self.options.invariants) {
            let next = plans.iter().position(|plan| ![*first, Order::Alike].contains(&plan.order));
            let next = next.unwrap_or(plans.len());
            let others = [Numbers::Known, Numbers::More];
            let others = others.map(|numbers| Plan { numbers, ..plan(first) });
            plans.splice(next..next, others);
        }
        plans
    }

    /// Searches the products of all orders, with each kind of invariants and ever larger
    /// trees. A product is built when its turn has come, so that the first one has been
    /// searched before the next one costs any time.
    fn search_all(&mut self, reduction: &mut Reduction<'a>) -> Ending {
        let mut plans = self.plans();
        let mut most = FIRST_NODES;
        let mut time =
            self.task.budget.remaining().map_or(FIRST_TIME, |left| FIRST_TIME.min(left / FIRST_SHARE));
        let mut reason = "the program has too many locations".to_owned();
        loop {
            let mut open = false;
            let mut sizes = Vec::new();
            let mut vain = Vec::new();
            // Where one thread at a time is in a loop, the order has no bearing on the invariants of
            // loops. So all the time goes to one order, as long as it may come to something.
            let mut enough = None;
            for (index, plan) in plans.iter_mut().enumerate() {
                if enough.is_some_and(|order| order != plan.order) {
                    continue;
                }
                let is_small = |(_, vertices): &(usize, usize)| *vertices < MANY_ALIKE;
                let sorts = plan.sorts();
                if sorts && sizes.first().is_some_and(is_small) {
                    continue;
                }
                if plan.attempt.is_none() {
                    reduction.order = plan.order;
                    match self.attempt(reduction, time, plan) {
                        Ok(built) if plan.is_variant() && sizes.contains(&built.size()) => {}
                        Ok(built) if plan.numbers == Numbers::Known && built.has_loops => vain.push(index),
                        Ok(built) => plan.attempt = Some(built),
                        Err(Unfinished::Exceeded(exceeded)) => {
                            return Ending::GivenUp(Reason::Exceeded(exceeded));
                        }
                        Err(Unfinished::TooCoarse | Unfinished::NotAlike) => vain.push(index),
                        Err(unfinished) => open |= unfinished == Unfinished::Late,
                    }
                }
                let Some(attempt) = &mut plan.attempt else { continue };
                sizes.push(attempt.size());
                match self.search_levels(attempt, most, time) {
                    Round::Over(ending) => return ending,
                    Round::Open => open = true,
                    Round::Stuck(why) => reason = why,
                }
                // Without loops there is nothing that others would prove.
                if !attempt.has_loops && plan.numbers != Numbers::Known && !sorts {
                    break;
                }
                if open && !sorts && !attempt.has_shared_loops {
                    enough.get_or_insert(plan.order);
                }
            }
            if !open {
                return gave_up(&reason);
            }
            vain.into_iter().rev().for_each(|index| _ = plans.remove(index));
            most *= MORE_NODES;
            time *= MORE_TIME;
        }
    }

    /// Searches a product with each kind of invariants.
    fn search_levels(&mut self, attempt: &mut Attempt<'_>, most: usize, time: Duration) -> Round {
        let mut round = Round::Stuck("no proof was found".to_owned());
        // Without loops a tree is finite, and there are no other orders to be tried.
        let (most, time) = if attempt.has_loops { (most, time) } else { (usize::MAX, time * BUILDING) };
        for level in attempt.levels(self.options.invariants) {
            self.prover
                .limit(u32::try_from(most).unwrap_or(u32::MAX).saturating_mul(CONFLICTS_PER_NODE), time);
            // Where invariants are enough, a tree has a node for each step of the product.
            let steps = if *level == Level::Nothing { 0 } else { attempt.product.steps() };
            let ending = match self.search(attempt, *level, most.max(steps + 1)) {
                End::TooLarge | End::NoAnswer(NoAnswer::Hard) => {
                    round = Round::Open;
                    continue;
                }
                End::NoAnswer(NoAnswer::Input) => {
                    round.stuck("why a path is impossible depends on an input, which no label can name");
                    continue;
                }
                End::NoAnswer(NoAnswer::Failed(why)) => {
                    round.stuck(&why);
                    continue;
                }
                // Others find the execution, with the numbers that threads have in it.
                End::Fault(..) | End::NotReplayable | End::Cut(_) if attempt.system.sorts => {
                    round.stuck("a fault was found by threads that stand for others");
                    continue;
                }
                End::Exceeded(exceeded) => Ending::GivenUp(Reason::Exceeded(exceeded)),
                End::Proven => Ending::Exhausted,
                End::Fault(fault, steps) => self.faulty(fault, steps),
                End::NotReplayable => gave_up("an execution with a fault was found that cannot be replayed"),
                End::Cut(cut) => {
                    self.ledger.cut(cut);
                    Ending::Exhausted
                }
            };
            return Round::Over(ending);
        }
        round
    }

    /// The answer if an execution leads to a fault.
    fn faulty(&mut self, fault: Box<Fault>, steps: Vec<(ThreadId, u64)>) -> Ending {
        let machine = self.task.machine;
        if !machine.asks(&fault.kind) {
            self.ledger.warn(*fault);
            return Ending::Exhausted;
        }
        if let FaultKind::DataRace { first, second, .. } = &fault.kind {
            return match racing(machine, self.grain(), &steps, (first.thread, second.thread)) {
                Some((trace, fault)) => Ending::Violated(Box::new(fault), trace),
                None => gave_up("an execution with a race was found that cannot be replayed"),
            };
        }
        let (trace, concrete) = trace::execute(machine, self.grain(), steps);
        // Should the execution not show the fault, the replay will say so.
        Ending::Violated(concrete.map_or(fault, Box::new), trace)
    }

    /// Builds the product for an order of threads, with as much data as that takes. What
    /// was learnt about data is kept if there is not enough time.
    fn attempt(
        &mut self,
        reduction: &mut Reduction<'a>,
        time: Duration,
        plan: &Plan<'_>,
    ) -> Result<Attempt<'a>, Unfinished> {
        let numbers = plan.numbers;
        let machine = self.tagged.filter(|_| plan.sorts()).unwrap_or(self.machine);
        let time = time * if numbers == Numbers::Few { BUILDING } else { BUILDING_MORE };
        let share = Share::of(time);
        self.prover.limit(CONFLICTS_OF_BUILDING, time);
        loop {
            let mut system = System::new(machine, self.precision_of(numbers).clone());
            system.grain = self.grain();
            system.races = self.races.clone();
            system.sorts = plan.sorts();
            let all_inputs = system.precision.all_inputs;
            let (root, initial) = system.initial(&mut self.terms);
            let mut builder = Builder {
                task: self.task,
                system: &mut system,
                reduction: &mut *reduction,
                terms: &mut self.terms,
                guide: &mut self.guide,
                prover: &mut self.prover,
                many: if all_inputs { usize::MAX } else { MANY_VERTICES },
                most: MOST_VERTICES,
                share,
                ways: Ways::default(),
            };
            let built = builder.build(root, &initial);
            self.tally.locations = system.len() as u64;
            match built {
                Ok(_) if system.tells_numbers => return Err(Unfinished::NotAlike),
                Ok(mut product) => {
                    let whole = self.options.keeper.as_ref().map(|_| product.vertices.clone());
                    let whole = whole.unwrap_or_default();
                    *self.precision_of(numbers) = system.precision.clone();
                    if let Some(por) = self.options.por {
                        // Each step is a node, as in the paper.
                        let skips = match por {
                            Por::Monotonic => Some(self.skips(&product, &mut system)?),
                            Por::None | Por::Shared => None,
                        };
                        let mut attempt = Attempt::new(system, product, whole, initial);
                        attempt.skips = skips;
                        return Ok(attempt);
                    }
                    let (terms, prover) = (&mut self.terms, &mut self.prover);
                    Contraction { terms, prover }.contract(&mut product)?;
                    let (terms, prover) = (&mut self.terms, &mut self.prover);
                    partition::divide(&mut product, &system, (terms, prover))?;
                    return Ok(Attempt::new(system, product, whole, initial));
                }
                Err(Unfinished::TooCoarse) if numbers != Numbers::Known => {
                    *self.precision_of(numbers) = system.precision
                }
                Err(Unfinished::ManyChoices) => {
                    *self.precision_of(numbers) = system.precision;
                    self.precision_of(numbers).all_inputs = true;
                }
                Err(unfinished) => {
                    *self.precision_of(numbers) = system.precision;
                    return Err(unfinished);
                }
            }
        }
    }

    /// Which threads do not move after which steps of a product.
    fn skips(&mut self, product: &Product, system: &mut System<'a>) -> Result<Skips, Unfinished> {
        // What is data was decided when the product was built.
        system.learns = false;
        let mut commuting = Commuting {
            system,
            reduction: &Reduction::new(self.machine, true, self.races.clone()),
            terms: &mut self.terms,
            guide: &mut self.guide,
            prover: &mut self.prover,
            ways: &mut Ways::default(),
        };
        Ok(skips(product, &mut commuting)?)
    }

    /// How far a step goes.
    fn grain(&self) -> Grain {
        self.options.por.map_or(GRAIN, Por::grain)
    }

    fn precision_of(&mut self, numbers: Numbers) -> &mut Precision {
        match numbers {
            Numbers::Few => &mut self.precision,
            Numbers::More => &mut self.finer,
            Numbers::Known => &mut self.unrolled,
        }
    }

    /// Searches a product with one kind of invariants for a while.
    pub(crate) fn search(&mut self, attempt: &mut Attempt<'_>, level: Level, most: usize) -> End {
        let tools = Tools { task: self.task, terms: &mut self.terms, prover: &mut self.prover };
        let most_refinements = most as u64 / NODES_PER_REFINEMENT;
        let Options { force_cover, .. } = *self.options;
        let visit = self.options.visit.unwrap_or(level.visit());
        let options = search::Options { force_cover, visit, most, most_refinements };
        let end = attempt.search(level, options, tools);
        let invariants = attempt.invariants(level);
        let Some(Unwinding { tree, refinements, cover_expansions, .. }) = attempt.unwinding(level) else {
            return end;
        };
        self.tally = Tally {
            locations: attempt.system.len() as u64,
            vertices: attempt.product.vertices.len() as u64,
            nodes: tree.len() as u64,
            covered: tree.covers() as u64,
            refinements: *refinements,
            cover_expansions: *cover_expansions,
            invariants,
        };
        match end {
            End::Proven => self.tell(attempt, tree),
            _ => self.sample(attempt, tree),
        }
        end
    }

    /// Notes where threads stand at the last nodes of a tree that is not complete.
    fn sample(&self, attempt: &Attempt<'_>, tree: &Tree) {
        let Attempt { system, product, .. } = attempt;
        for node in (0..tree.len() as NodeId).rev().take(MOST_SAMPLES) {
            let vertex = &product.vertices[tree.node(node).vertex as usize];
            let state = system.state(vertex.location);
            vertex
                .movers
                .iter()
                .for_each(|thread| self.task.progress.sample(system.machine(), state, *thread));
        }
    }

    /// Tells what a complete tree says, and hands the proof over if it is wanted.
    fn tell(&mut self, attempt: &Attempt<'_>, tree: &Tree) {
        let Attempt { system, product, whole, .. } = attempt;
        if let Some(keeper) = &self.options.keeper {
            let (solver, terms) = (self.options.solver, &self.terms);
            let interleavings = self.options.por.map_or(Interleavings::Reduced, Por::interleavings);
            let complete = Complete { solver, interleavings, system, whole, product, tree, terms };
            complete.proof().into_iter().for_each(|proof| keeper.keep(proof));
        }
        let (terms, prover, budget) = (&mut self.terms, &mut self.prover, self.task.budget);
        let heads = Heads { system, product, tree, terms, prover, budget };
        (self.data, self.told) = (heads.data(), heads.invariants());
    }
}

impl Plan<'_> {
    /// Whether threads that are alike are taken for one another.
    fn sorts(&self) -> bool {
        self.order == Order::Alike
    }

    /// Whether its product may be nothing new: groups of one thread, a relay of one, one write in
    /// each round, no number with more than a few values.
    fn is_variant(&self) -> bool {
        self.numbers == Numbers::More
            || matches!(self.order, Order::Alike | Order::Groups | Order::Relay | Order::Writes)
    }
}

fn gave_up(why: &str) -> Ending {
    Ending::GivenUp(Reason::Solver(why.to_owned()))
}
