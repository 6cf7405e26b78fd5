//! The explicit engine beside the reference.
//!
//! With no property at all nothing ends a search early, so the states of the
//! whole program are compared: every order of search, any number of threads,
//! with and without reduction, must count the same states, transitions and
//! final states; and each step that is remembered must be what executing it
//! again gives. For each property the verdicts must be the same, every
//! counterexample must replay, and that of the exact search must be the same
//! for any number of threads, with no more switches than any other.

use std::time::Duration;

use engine::{Bounds, Budget, Outcome, Progress, Task, Verdict};
use explicit::{Bookkeeping, Options, Remember, SearchOrder, context_switches};
use machine::{Grain, Machine};

use crate::common::Disagreement;

/// The longest that one search may take.
const MAX_TIME: Duration = Duration::from_secs(5);

/// Order, bookkeeping, threads, and whether races are found by clocks.
type Which = (SearchOrder, Bookkeeping, usize, bool);

const SEARCHES: [Which; 7] = [
    (SearchOrder::Csdr, Bookkeeping::Exact, 1, false),
    (SearchOrder::Csdr, Bookkeeping::Exact, 2, false),
    (SearchOrder::Csdr, Bookkeeping::Inexact, 2, false),
    (SearchOrder::Bfs, Bookkeeping::Exact, 1, false),
    (SearchOrder::Bfs, Bookkeeping::Exact, 2, true),
    (SearchOrder::Dfs, Bookkeeping::Exact, 1, false),
    (SearchOrder::Csdr, Bookkeeping::Exact, 1, true),
];

fn disagreement(kind: &str, message: String) -> Disagreement {
    Disagreement { kind: kind.to_owned(), message }
}

fn run<T>(machine: &Machine, threads: usize, check: impl FnOnce(&Task<'_>) -> T) -> T {
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME)).with_threads(threads);
    let (bounds, progress) = (Bounds::default(), Progress::default());
    check(&Task { machine, budget: &budget, bounds, progress: &progress })
}

fn explicit(machine: &Machine, reduction: Grain, which: Which, remember: Remember) -> Outcome {
    let (search, bookkeeping, threads, clocks) = which;
    let options = Options { search, reduction, bookkeeping, remember, clocks, ..Options::default() };
    run(machine, threads, |task| explicit::check(task, options))
}

/// Compares the number of states of the whole program.
pub fn same_counts(machine: &Machine, reduction: Grain) -> Result<(), Disagreement> {
    let options = reference::Options { reduction };
    let expected = run(machine, 1, |task| reference::check(task, options));
    if out_of_time(&expected) {
        return Ok(());
    }
    no_more_states(machine, reduction, &expected)?;
    no_fewer_states(machine, reduction, &expected)?;
    let remembering = SEARCHES.map(|which| (which, Remember::Steps));
    let checked = (SEARCHES[0], Remember::Checked);
    for (which, remember) in remembering.into_iter().chain([checked]) {
        let found = explicit(machine, reduction, which, remember);
        let counts = |outcome: &Outcome| {
            let stats = &outcome.stats;
            (
                stats.count(engine::counters::STATES),
                stats.count(engine::counters::TRANSITIONS),
                stats.count(engine::counters::FINAL_STATES),
            )
        };
        if !out_of_time(&found) && counts(&found) != counts(&expected) {
            let (found, expected) = (counts(&found), counts(&expected));
            let message = format!("{which:?}, {reduction:?}: {found:?} instead of {expected:?}");
            return Err(disagreement("states", message));
        }
    }
    Ok(())
}

/// Where public objects keep their numbers there are no fewer states, and as many for
/// any number of threads.
fn no_fewer_states(machine: &Machine, reduction: Grain, least: &Outcome) -> Result<(), Disagreement> {
    let machine = machine.with_large_states();
    let states = |outcome: &Outcome| outcome.stats.count(engine::counters::STATES);
    let finals = |outcome: &Outcome| outcome.stats.count(engine::counters::FINAL_STATES);
    let searches = [(SEARCHES[0], Remember::Checked), (SEARCHES[1], Remember::Steps)];
    let found = searches.map(|(which, remember)| explicit(&machine, reduction, which, remember));
    if found.iter().any(out_of_time) {
        return Ok(());
    }
    let [one, two] = &found;
    if states(one) != states(two) || states(one) < states(least) || finals(one) != finals(least) {
        let counts = [one, two, least].map(|outcome| (states(outcome), finals(outcome)));
        let message = format!("{reduction:?}: large states, one and two threads, reference: {counts:?}");
        return Err(disagreement("states", message));
    }
    Ok(())
}

/// Up to the numbers of threads there are no more states.
fn no_more_states(machine: &Machine, reduction: Grain, most: &Outcome) -> Result<(), Disagreement> {
    let options = Options { reduction, symmetry: true, ..Options::default() };
    let found = run(machine, 1, |task| explicit::check(task, options));
    if !out_of_time(&found)
        && found.stats.count(engine::counters::STATES) > most.stats.count(engine::counters::STATES)
    {
        let (found, most) =
            (found.stats.count(engine::counters::STATES), most.stats.count(engine::counters::STATES));
        let message = format!("{reduction:?}: {found:?} instead of at most {most:?} with symmetry");
        return Err(disagreement("states", message));
    }
    Ok(())
}

/// Up to the numbers of threads the verdict is the same, and a counterexample
/// is one of the program, with no more switches than any.
fn symmetric_verdict(
    machine: &Machine,
    reduction: Grain,
    least: Option<&(u64, trace::Trace)>,
) -> Result<(), Disagreement> {
    for search in [SearchOrder::Csdr, SearchOrder::Bfs, SearchOrder::Dfs] {
        let options = Options { search, reduction, symmetry: true, ..Options::default() };
        let outcome = run(machine, 2, |task| explicit::check(task, options));
        let wrong = |message: String| Err(disagreement("symmetry", format!("{search:?}: {message}")));
        match (&outcome.verdict, least) {
            (Verdict::Violated { fault, trace }, Some((fewest, _))) => {
                if let Err(divergence) = trace::replay(machine, trace, fault, &mut ()) {
                    return wrong(divergence.to_string());
                }
                let switches = context_switches(machine, trace);
                // In a deadlock main may have to join others first.
                let more = u64::from(fault.kind.property() == machine::Property::Deadlock);
                if search == SearchOrder::Csdr && !(*fewest..=fewest + more).contains(&switches) {
                    return wrong(format!("{switches} context switches instead of {fewest}"));
                }
            }
            (Verdict::Violated { fault, .. }, None) => {
                return wrong(format!("finds {} at {}", fault.kind.name(), fault.at));
            }
            (_, Some(_)) if !out_of_time(&outcome) => return wrong("finds nothing".to_owned()),
            _ => {}
        }
    }
    Ok(())
}

/// Compares the verdicts on the machine's properties with the reference's.
pub fn same_verdicts(machine: &Machine, reduction: Grain, violated: bool) -> Result<(), Disagreement> {
    let mut least: Option<(u64, trace::Trace)> = None;
    // Where nothing is violated, all orders visit the same states.
    let searches = if violated { &SEARCHES[..] } else { &SEARCHES[1..2] };
    for which in searches.iter().copied() {
        let outcome = explicit(machine, reduction, which, Remember::Steps);
        let Verdict::Violated { fault, trace } = &outcome.verdict else {
            if violated && !out_of_time(&outcome) {
                return Err(disagreement("explicit verdict", format!("{which:?} finds nothing")));
            }
            continue;
        };
        if !violated {
            let message = format!("{which:?} finds {} at {}", fault.kind.name(), fault.at);
            return Err(disagreement("explicit verdict", message));
        }
        trace::replay(machine, trace, fault, &mut ()).map_err(|divergence| {
            disagreement("explicit replay", format!("{which:?} {reduction:?}: {divergence}"))
        })?;
        check_least(machine, which, trace, &mut least)?;
    }
    if violated && least.is_none() {
        return Ok(());
    }
    symmetric_verdict(machine, reduction, least.as_ref())
}

/// Compares the verdict of a search that leaves store buffers out where there are no data
/// races. Yields whether it did.
pub fn raceless(machine: &Machine, violated: bool) -> Result<bool, Disagreement> {
    let wrong = |message: String| Err(disagreement("raceless", message));
    let options = Options { raceless: true, ..Options::default() };
    let outcome = run(machine, 1, |task| explicit::check(task, options));
    let without_buffers = outcome.stats.counts.get(explicit::counters::MEMORY_MODEL).is_some();
    match &outcome.verdict {
        Verdict::Violated { fault, trace } if violated => match trace::replay(machine, trace, fault, &mut ())
        {
            Ok(_) => Ok(without_buffers),
            Err(divergence) => wrong(divergence.to_string()),
        },
        Verdict::Violated { fault, .. } => wrong(format!("finds {} at {}", fault.kind.name(), fault.at)),
        _ if violated && !out_of_time(&outcome) => wrong("finds nothing".to_owned()),
        _ => Ok(without_buffers),
    }
}

/// The first search is the exact one on one thread.
fn check_least(
    machine: &Machine,
    which: Which,
    trace: &trace::Trace,
    least: &mut Option<(u64, trace::Trace)>,
) -> Result<(), Disagreement> {
    let switches = context_switches(machine, trace);
    let Some((fewest, first)) = least else {
        *least = Some((switches, trace.clone()));
        return Ok(());
    };
    if switches < *fewest {
        let message = format!("{which:?} has {switches} context switches, csdr {fewest}");
        return Err(disagreement("context switches", message));
    }
    let (search, bookkeeping, _, clocks) = which;
    if (search, bookkeeping, clocks) == (SearchOrder::Csdr, Bookkeeping::Exact, false) && *trace != *first {
        return Err(disagreement("counterexample", "it depends on the number of threads".to_owned()));
    }
    Ok(())
}

fn out_of_time(outcome: &Outcome) -> bool {
    matches!(&outcome.verdict, Verdict::Unknown { reason: engine::Reason::Exceeded(_), .. })
}
