//! The engine: bounds that rise by themselves until all is covered.

use std::time::Instant;

use engine::counters::{FINAL_STATES, LAYERS, MAX_DEPTH, STATES, TRANSITIONS};
use engine::{Cut, Ending, Evidence, Limit, Outcome, Reason, Stats, Task, Verdict, counted};
use ir::Loop;
use logic::{Evaluation, Limits, Solver, SolverError, SolverKind};
use symbolic::Questions;

use crate::bound::{Beyond, Bound, Rising};
use crate::counters::{
    BOUNDS, CLAUSES, EXPRESSIONS, FAILING, INTERLEAVINGS, ITERATIONS, SOLVER_CALLS, SOLVER_SECONDS,
    UpToBound, per_bound,
};
use crate::lazy::{Found, GRAIN, LazySearch};
use crate::loops::{cuts_at, named};

/// How interleavings are put to the solver (section 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// Each decision of each interleaving at once.
    #[default]
    Lazy,
    /// All interleavings of a bound in one formula.
    Recording,
    /// The same, with schedules released one by one.
    Widening,
}

/// How the check is done.
#[derive(Clone, Debug)]
pub struct Options {
    /// How interleavings are put to the solver.
    pub strategy: Strategy,
    /// How often a branch that inputs decide may be decided both ways along an
    /// execution; without, the bound rises until all is covered.
    pub unwind: Option<u32>,
    /// The same for branches in single loops, each by its name, and for no
    /// others.
    pub loops: Vec<(String, u32)>,
    /// Which solver to ask.
    pub solver: SolverKind,
    /// After how many conflicts it gives a question up.
    pub conflicts: Option<u32>,
    /// Whether the active thread goes on alone where no other thread interferes.
    pub reduction: bool,
}

impl Default for Options {
    fn default() -> Options {
        let (strategy, solver) = (Strategy::default(), SolverKind::default());
        Options { strategy, unwind: None, loops: Vec::new(), solver, conflicts: None, reduction: true }
    }
}

impl Options {
    /// Whether there is a bound on decisions of inputs.
    fn bounds_unwinding(&self) -> bool {
        self.unwind.is_some() || !self.loops.is_empty()
    }
}

/// Explores all executions, unless a violation, a bound or the budget ends it.
pub fn check(task: &Task<'_>, options: &Options) -> Outcome {
    check_opened(task, options, logic::open(options.solver))
}

/// The same with this solver, if it could be opened.
pub fn check_opened(
    task: &Task<'_>,
    options: &Options,
    solver: Result<Box<dyn Solver>, SolverError>,
) -> Outcome {
    match solver {
        Ok(solver) => check_with(task, options, solver),
        Err(error) => no_solver(task, &error),
    }
}

/// The same with this solver, which has nothing asserted.
pub fn check_with(task: &Task<'_>, options: &Options, solver: Box<dyn Solver>) -> Outcome {
    let deadline = task.budget.remaining().map(|left| Instant::now() + left);
    let (interrupt, conflicts) = (Some(task.budget.cancel_flag()), options.conflicts);
    let limits = Limits { deadline, interrupt, conflicts, ..Limits::default() };
    let loops = named(task.machine.program(), &options.loops).unwrap_or_default();
    let mut search = LazySearch::new(task, Questions::new(solver, limits), options, &loops);
    let (found, covered, counts) = run(&mut search, task, options);
    let bounds = text(covered, &loops, search.seen.len() as u64);
    outcome(search, task, found, (covered, bounds), counts)
}

fn no_solver(task: &Task<'_>, error: &SolverError) -> Outcome {
    let reason = Reason::Solver(error.to_string());
    let verdict = Verdict::Unknown { reason, covered: "nothing".to_owned() };
    Outcome::new(task.machine, verdict, Stats::default(), Vec::new())
}

/// The bounds up to which everything was explored.
#[derive(Clone, Copy, Debug, Default)]
struct Covered {
    switches: Option<u64>,
    unwind: u32,
}

/// Raises the bounds. Yields also what was counted at the end of each.
fn run(
    search: &mut LazySearch<'_>,
    task: &Task<'_>,
    options: &Options,
) -> (Option<Found>, Covered, Vec<UpToBound>) {
    let mut covered = Covered::default();
    let mut counts = Vec::new();
    let mut found = search.start();
    let mut rising = Rising::new(Bound::first(options.unwind.unwrap_or(1)));
    let most_switches = task.bounds.context_switches.unwrap_or(u64::MAX);
    while found.is_none() {
        let (bound, before) = (rising.bound(), search.tally.transitions);
        found = search.explore(bound).or_else(|| search.solve());
        count(&mut counts, search.count());
        if found.is_some() {
            break;
        }
        // What it leaves open is not covered, and may never come to an end.
        if search.questions.gave_up().is_some() {
            break;
        }
        if !search.beyond().any(|step| bound.is_large(step)) {
            covered = Covered { switches: Some(bound.switches), unwind: bound.unwind };
        }
        let steps = search.beyond().filter(|step| step.switches() <= most_switches);
        let unwinding = options.unwind.is_none() && search.unwound().any(|(_, bound)| bound.is_none());
        if !rising.raise(search.tally.transitions - before, Beyond { steps, unwinding }) {
            break;
        }
    }
    if found.is_none() {
        cut_at_bounds(search, task, options, covered);
    }
    (found, covered, counts)
}

/// Adds what was counted at the end of a round. A round that only raised the
/// size of executions belongs to the one before.
fn count(counts: &mut Vec<UpToBound>, round: UpToBound) {
    let same = |last: &UpToBound| {
        (last.context_switches, last.unwinding) == (round.context_switches, round.unwinding)
    };
    if counts.last().is_some_and(same) {
        counts.pop();
    }
    counts.push(round);
}

fn cut_at_bounds(search: &mut LazySearch<'_>, task: &Task<'_>, options: &Options, covered: Covered) {
    if search.beyond().next().is_some() {
        let (most, asked) = (covered.switches.unwrap_or(0), task.bounds.context_switches.is_some());
        search.cut(Cut::ContextSwitches(Limit { most, asked }));
    }
    let unwound = search
        .unwound()
        .map(|(at, bound)| (at.map(|at| (at.function, at.pc)), bound.unwrap_or(covered.unwind)));
    let cuts = cuts_at(task.machine.program(), unwound.collect(), options.bounds_unwinding());
    cuts.into_iter().for_each(|cut| search.cut(cut));
}

fn outcome(
    mut search: LazySearch<'_>,
    task: &Task<'_>,
    found: Option<Found>,
    (covered, bounds): (Covered, String),
    counts: Vec<UpToBound>,
) -> Outcome {
    let states = search.seen.len() as u64;
    let cost = search.questions.statistics();
    let iterations = search.iterations();
    if found.is_none() && search.rounds.go_round() {
        search.cut(Cut::Waiting);
    }
    let ending = match found {
        Some(Found::Violation(fault, steps, model)) => {
            let mut evaluation = Evaluation::new(&search.terms, &*model);
            let steps = steps.into_iter().map(|(mover, choice)| (mover, choice.number(&mut evaluation)));
            let (trace, concrete) = trace::execute(task.machine, GRAIN, steps);
            // Should the execution not show the fault, the replay will say so.
            Ending::Violated(concrete.map_or(fault, Box::new), trace)
        }
        Some(Found::Exceeded(exceeded)) => Ending::GivenUp(Reason::Exceeded(exceeded)),
        None => unanswered(&search.questions, task).map_or(Ending::Exhausted, Ending::GivenUp),
    };
    let evidence = Evidence::ExhaustedPaths {
        interleavings: search.tally.interleavings,
        context_switches: covered.switches,
        decisions: u64::from(covered.unwind),
    };
    let stats = Stats::after(task.budget.elapsed().as_secs_f64())
        .with(STATES, states)
        .with(TRANSITIONS, search.tally.transitions)
        .with_known(FINAL_STATES, search.ledger.final_states())
        .with(MAX_DEPTH, search.tally.depth)
        .with_known(LAYERS, covered.switches.map(|switches| switches + 1))
        .with(INTERLEAVINGS, search.tally.interleavings)
        .with(FAILING, search.tally.failing)
        .with(SOLVER_CALLS, cost.checks)
        .with(SOLVER_SECONDS, cost.time.as_secs_f64())
        .with_known(ITERATIONS, (iterations > 0).then_some(iterations))
        .with(EXPRESSIONS, search.terms.len() as u64)
        .with(CLAUSES, cost.clauses)
        .with(BOUNDS, per_bound(&counts));
    search.ledger.outcome(task, ending, evidence, bounds, stats)
}

/// Why the solver did not answer every question, if it did not. Sides of
/// decisions that it does not know are explored, but what a solver that fails
/// says of others is not worth a proof.
fn unanswered(questions: &Questions, task: &Task<'_>) -> Option<Reason> {
    let why = questions.gave_up()?;
    let message = || Reason::Solver(format!("the solver did not answer every question: {why}"));
    Some(task.budget.exceeded().map_or_else(message, Reason::Exceeded))
}

fn times(number: u32) -> String {
    if number == 1 { "once".to_owned() } else { format!("{number} times") }
}

fn text(covered: Covered, loops: &[(Loop, u32)], states: u64) -> String {
    let of_loop = |(each, bound): &(Loop, u32)| format!(" ({bound} in the loop {})", each.name);
    let of_loops: String = loops.iter().map(of_loop).collect();
    let states = counted(states, "state");
    match covered.switches {
        None => {
            format!("{states}, all of them safe; not yet all executions without context switches")
        }
        Some(switches) => format!(
            "{states}, all of them safe; every execution with at most {} in which no branch is decided by \
             inputs more than {}{of_loops}",
            counted(switches, "context switch"),
            times(covered.unwind)
        ),
    }
}
