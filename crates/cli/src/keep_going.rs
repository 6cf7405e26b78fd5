//! Searching on after a violation. What was found is put aside as if it were intended
//! (`machine::Suppression`). If the engine has a search that goes on past faults
//! (`engine::Collected`), the rest is collected by one such search; what is left then, and what
//! other engines find, is searched for anew after each fault.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use engine::{Collected, Counterexample, Outcome, Stats, Task, Verdict};
use ir::Program;
use machine::{Config, Machine, Property, Suppression};

use crate::args::CheckArgs;
use crate::check::{bounds, found};
use crate::choose::{Choice, choose};
use crate::exit::Failure;
use crate::fall_through::{Answer, Asking, told};
use crate::session::Session;

/// So many faults are enough for one sitting.
const MOST: usize = 50;

/// Asks the engines; with `--keep-going` again and again, as long as there is
/// something to be found. What was found before the last answer is noted in the
/// session.
pub fn ask(
    args: &CheckArgs,
    program: &Arc<Program>,
    config: Config,
    session: &Session,
) -> Result<Answer, Failure> {
    let mut config = config;
    loop {
        let mut asking = asking(args, program, &config, session);
        let mut answer = asking.ask();
        let failures = asking.failures.into_iter();
        session.warnings().extend(failures.map(|failure| format!("{failure}; please report this")));
        let Verdict::Violated { fault, .. } = &answer.outcome.verdict else { return Ok(answer) };
        let is_last = session.found().len() + 1 == MOST
            || matches!(fault.kind.property(), Property::Livelock | Property::Ltl);
        if !args.keep_going || is_last || session.budget.exceeded().is_some() {
            return Ok(answer);
        }
        let found = found(args, &mut answer, session)?;
        let exactly = Suppression::exactly(&found.fault);
        if config.suppressions.iter().any(|known| known.to_string() == exactly.to_string()) {
            return Ok(answer);
        }
        config.suppressions.push(Arc::new(exactly));
        let is_first = session.found().is_empty();
        session.found().push(found);
        if is_first && let Some(last) = collect(args, program, &mut config, session)? {
            return Ok(last);
        }
    }
}

fn asking<'a>(
    args: &'a CheckArgs,
    program: &'a Arc<Program>,
    config: &Config,
    session: &'a Session,
) -> Asking<'a> {
    let Session { budget, board, log, attempts, .. } = session;
    let (config, failures) = (config.clone(), Vec::new());
    Asking { args, program, config, budget, board, log, attempts, failures, needs_clocks: OnceLock::new() }
}

/// Collects faults by one search of the first engine that would be asked, if it has such a search
/// and decides all that is asked. Yields the last answer, if that is known then. Of limited time
/// it takes half: other engines may find what this one does not reach.
fn collect(
    args: &CheckArgs,
    program: &Arc<Program>,
    config: &mut Config,
    session: &Session,
) -> Result<Option<Answer>, Failure> {
    let asking = asking(args, program, config, session);
    let past = Machine::new(Arc::clone(program), Config { past_faults: true, ..config.clone() });
    let Some(choice) = choose(args, &past).into_iter().next() else { return Ok(None) };
    let why = "faults that are left are collected in one search";
    let choice = Choice { why: Some(why), ..choice };
    if asking.asked_of(choice) != config.properties {
        return Ok(None);
    }
    let half = |left| session.budget.turn(left / 2);
    let budget = session.budget.remaining().map_or_else(|| session.budget.clone(), half);
    let progress = session.board.enter(choice.name());
    let collected = Collected::up_to(MOST - session.found().len());
    let task = Task { machine: &past, budget: &budget, bounds: bounds(args), progress: &progress };
    let started = Instant::now();
    let outcome = choice.make(args).collect(&task, &collected);
    session.board.leave(&progress);
    let Some(outcome) = outcome else { return Ok(None) };
    let attempt = asking.begin(choice);
    asking.end(attempt, told(&outcome, config.properties), started.elapsed(), &progress);
    config.suppressions.extend(collected.suppressions());
    let is_full = collected.is_full();
    let mut last = None;
    for Counterexample { machine, fault, trace } in collected.into_found() {
        let verdict = Verdict::Violated { fault: Box::new(fault), trace };
        let mut answer = Answer { choice: Some(choice), machine, outcome: with_verdict(&outcome, verdict) };
        session.found().push(found(args, &mut answer, session)?);
        last = Some(answer);
    }
    if is_full {
        session.found().pop();
        return Ok(last);
    }
    let holds = matches!(outcome.verdict, Verdict::Holds { .. });
    Ok(holds.then(|| {
        let machine = past.with_config(config.clone());
        machine.add_executed(&past);
        Answer { choice: Some(choice), machine, outcome }
    }))
}

fn with_verdict(outcome: &Outcome, verdict: Verdict) -> Outcome {
    let stats = Stats::after(outcome.stats.seconds);
    Outcome { verdict, stats, warnings: Vec::new(), assumptions: Vec::new() }
}
