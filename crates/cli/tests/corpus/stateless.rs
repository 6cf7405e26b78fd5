//! The stateless engine on a program of the corpus, beside the reference.
//!
//! What it cannot finish in a short time is left out, and counted: the runner
//! says at its end how much was compared.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use engine::{Bounds, Budget, Engine, Outcome, Progress, Task};
use machine::{Grain, Machine, MemoryModel, Properties};
use stateless::{Options, Stateless, Strategy};

use crate::header::{Expect, Header};
use crate::program::{Subject, out_of_budget, properties};
use crate::verify;

/// How long one search may take.
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// How many searches came to an answer, and how many did not.
static COMPARED: AtomicU64 = AtomicU64::new(0);
static SKIPPED: AtomicU64 = AtomicU64::new(0);

fn search(subject: &Subject, machine: &Machine, turns: bool) -> Option<Outcome> {
    if !Stateless::default().follows(machine.config().memory_model) {
        return None;
    }
    let budget = Budget::unlimited().with_timeout(Some(TIME_LIMIT)).with_memory_limit(Some(6 << 30));
    let bounds = Bounds { depth: subject.args.depth, ..Bounds::default() };
    let task = Task { machine, budget: &budget, bounds, progress: &Progress::default() };
    let options = Options { search: Strategy::Optimal, turns, ..Options::default() };
    let outcome = stateless::check(&task, &options);
    let finished = !out_of_budget(&outcome) && !cut_by_length(&outcome);
    let count = if finished { &COMPARED } else { &SKIPPED };
    count.fetch_add(1, Ordering::Relaxed);
    finished.then_some(outcome)
}

fn cut_by_length(outcome: &Outcome) -> bool {
    matches!(&outcome.verdict, engine::Verdict::Unknown { reason: engine::Reason::Cut(cuts), .. }
        if cuts.iter().any(|cut| matches!(cut, engine::Cut::Depth(_))))
}

/// All executions, if they are run soon.
fn all_executions(subject: &Subject) -> Option<&Outcome> {
    let search = || search(subject, &subject.machine(Properties::default()).ok()?, false);
    subject.aimless.stateless.get_or_init(search).as_ref()
}

/// The verdict is the expected one, also if threads that are alike begin in turn.
pub fn verdict(subject: &Subject, machine: &Machine, expect: &Expect) -> Option<String> {
    if expect.verdict == "safe" {
        all_executions(subject)?;
    }
    let outcome = search(subject, machine, false)?;
    let error = verify::outcome(subject, machine, expect, &outcome).err();
    if let Some(error) = error {
        return Some(format!("stateless: {error}"));
    }
    machine.twins()?;
    let in_turn = search(subject, machine, true)?;
    let wrong = verify::outcome(subject, machine, expect, &in_turn).err();
    let error = wrong.or_else(|| has_more(&in_turn, &outcome))?;
    Some(format!("stateless, in turn: {error}"))
}

/// There are as many final states as the reference finds, no execution is given
/// up, and there are as many executions as the header says.
pub fn counts(subject: &Subject, executions: Option<u64>) -> Vec<String> {
    let Ok(machine) = subject.machine(Properties::default()) else { return Vec::new() };
    let Some(found) = all_executions(subject) else {
        return executions.map(|_| "stateless: out of time".to_owned()).into_iter().collect();
    };
    let mut differences = Vec::new();
    let final_states = |outcome: &Outcome| outcome.stats.count(engine::counters::FINAL_STATES);
    if let Some(expected) = subject.states(Grain::Visible).map(final_states)
        && final_states(found) != expected
    {
        let found = final_states(found);
        differences.push(format!("stateless: {found:?} final states instead of {expected:?}"));
    }
    // Under partial store order the search is not optimal.
    let optimal = machine.config().memory_model != MemoryModel::Pso;
    if optimal && found.stats.count(stateless::counters::BLOCKED) != Some(0) {
        differences.push(format!(
            "stateless: {:?} executions were given up",
            found.stats.count(stateless::counters::BLOCKED)
        ));
    }
    if executions.is_some() && found.stats.count(engine::counters::EXECUTIONS) != executions {
        differences.push(format!(
            "stateless: {:?} executions instead of {executions:?}",
            found.stats.count(engine::counters::EXECUTIONS)
        ));
    }
    differences
}

/// Where threads that are alike begin in turn, no more executions are run and none is given up; there
/// are no more final states, and fewer only if these say which thread has a lock.
fn has_more(in_turn: &Outcome, all: &Outcome) -> Option<String> {
    if let engine::Verdict::Violated { .. } = all.verdict {
        return None;
    }
    let counters =
        [engine::counters::EXECUTIONS, engine::counters::FINAL_STATES, stateless::counters::BLOCKED];
    let [few, all] = [in_turn, all].map(|outcome| counters.map(|counter| outcome.stats.count(counter)));
    let fewer = few.iter().zip(&all).all(|(few, all)| few <= all);
    (!fewer).then(|| format!("{few:?} executions, final states and executions given up instead of {all:?}"))
}

/// Only what concerns this engine.
pub fn all(subject: &Subject, header: &Header) -> Vec<String> {
    let mut differences = Vec::new();
    for expect in header.enumerated() {
        match subject.machine(properties(&expect.property)) {
            Ok(machine) => differences.extend(verdict(subject, &machine, &expect)),
            Err(error) => differences.push(error),
        }
    }
    if subject.args.depth.is_none() {
        differences.extend(counts(subject, header.executions));
    }
    differences
}

/// How much was compared.
pub fn summary() -> String {
    let (compared, skipped) = (COMPARED.load(Ordering::Relaxed), SKIPPED.load(Ordering::Relaxed));
    format!("stateless: {compared} searches compared, {skipped} too long to finish")
}
