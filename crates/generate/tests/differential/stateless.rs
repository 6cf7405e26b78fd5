//! The stateless engine beside the reference and beside itself.
//!
//! The optimal search must run every Mazurkiewicz trace once: no two of its
//! executions have the same, none is given up, and where running every
//! execution is feasible, those have exactly the same traces. Its final states
//! are as many as the reference counts. The verdicts of all searches are the
//! reference's.

use std::collections::HashSet;
use std::time::Duration;

use engine::{Bounds, Budget, Outcome, Progress, Reason, Task, Verdict};
use machine::{Grain, Machine};
use stateless::{Options, Strategy};

use crate::common::Disagreement;

/// The longest that one search may take.
const MAX_TIME: Duration = Duration::from_secs(2);

/// The searches whose verdicts are compared, and the longest that each may take.
const SEARCHES: [(Strategy, Duration); 3] = [
    (Strategy::Optimal, MAX_TIME),
    (Strategy::Dfs, Duration::from_millis(300)),
    (Strategy::BestFirst, Duration::from_millis(300)),
];

/// Those that know all that can move, and not threads alone.
pub const BY_MOVERS: [(Strategy, Duration); 2] =
    [(Strategy::Optimal, MAX_TIME), (Strategy::Dfs, Duration::from_millis(300))];

/// The longest execution: a loop without end is no subject here.
const MAX_DEPTH: u64 = 2000;

fn disagreement(kind: &str, message: String) -> Disagreement {
    Disagreement { kind: format!("stateless {kind}"), message: format!("stateless: {message}") }
}

fn run<T>(machine: &Machine, time: Duration, check: impl FnOnce(&Task<'_>) -> T) -> T {
    let budget = Budget::unlimited().with_timeout(Some(time));
    let bounds = Bounds { depth: Some(MAX_DEPTH), ..Bounds::default() };
    check(&Task { machine, budget: &budget, bounds, progress: &Progress::default() })
}

/// The traces of all executions; `None` if there are too many.
fn traces(machine: &Machine, search: Strategy) -> Option<(Vec<u64>, Outcome)> {
    let mut traces = Vec::new();
    let outcome = run(machine, MAX_TIME, |task| {
        stateless::check_traces(task, &Options { search, ..Options::default() }, |t| traces.push(t))
    });
    finished(&outcome).then_some((traces, outcome))
}

fn finished(outcome: &Outcome) -> bool {
    match &outcome.verdict {
        Verdict::Unknown { reason: Reason::Exceeded(_), .. } => false,
        Verdict::Unknown { reason: Reason::Cut(cuts), .. } => {
            // What is seen of executions that are not followed to their end
            // depends on the order of the search.
            !cuts.iter().any(|cut| matches!(cut, engine::Cut::Depth(_) | engine::Cut::NeedsSymbolic(_)))
        }
        _ => true,
    }
}

/// Compares the traces and final states of the whole program; yields whether
/// the traces could be compared with those of all executions.
pub fn same_traces(machine: &Machine) -> Result<Option<bool>, Disagreement> {
    let Some((optimal, outcome)) = traces(machine, Strategy::Optimal) else { return Ok(None) };
    let distinct: HashSet<u64> = optimal.iter().copied().collect();
    if distinct.len() != optimal.len() {
        let message = format!("{} executions of {} traces", optimal.len(), distinct.len());
        return Err(disagreement("optimality", message));
    }
    if outcome.stats.count(stateless::counters::BLOCKED) != Some(0) {
        return Err(disagreement(
            "blocked",
            format!("{:?} executions given up", outcome.stats.count(stateless::counters::BLOCKED)),
        ));
    }
    let options = reference::Options { reduction: Grain::Visible };
    let expected = run(machine, MAX_TIME, |task| {
        reference::check(&Task { bounds: Bounds::default(), ..*task }, options)
    });
    if finished(&expected)
        && outcome.stats.count(engine::counters::FINAL_STATES)
            != expected.stats.count(engine::counters::FINAL_STATES)
    {
        let (found, expected) = (
            outcome.stats.count(engine::counters::FINAL_STATES),
            expected.stats.count(engine::counters::FINAL_STATES),
        );
        let message = format!("{found:?} final states instead of {expected:?}");
        return Err(disagreement("final states", message));
    }
    let Some((all, _)) = traces(machine, Strategy::Dfs) else { return Ok(Some(false)) };
    let all: HashSet<u64> = all.into_iter().collect();
    if all != distinct {
        let (missed, invented) = (all.difference(&distinct).count(), distinct.difference(&all).count());
        let message =
            format!("of {} traces {missed} are missing, {invented} are none of the program's", all.len());
        return Err(disagreement("traces", message));
    }
    Ok(Some(true))
}

/// Compares the verdicts on the machine's properties with the reference's.
pub fn same_verdict(machine: &Machine, violated: bool) -> Result<(), Disagreement> {
    same_verdict_by(machine, violated, &SEARCHES)
}

/// The same for some of the searches.
pub fn same_verdict_by(
    machine: &Machine,
    violated: bool,
    searches: &[(Strategy, Duration)],
) -> Result<(), Disagreement> {
    for (search, time) in searches.iter().copied() {
        let options = Options { search, ..Options::default() };
        let found = match &run(machine, time, |task| stateless::check(task, &options)).verdict {
            Verdict::Violated { fault, trace } => {
                trace::replay(machine, trace, fault, &mut ())
                    .map_err(|divergence| disagreement("replay", format!("{search:?}: {divergence}")))?;
                true
            }
            Verdict::Holds { .. } => false,
            Verdict::Unknown { .. } => continue,
        };
        if found != violated {
            let text = |violated: bool| if violated { "violated" } else { "safe" };
            let message = format!("{search:?} says {}, the reference {}", text(found), text(violated));
            return Err(disagreement("verdict", message));
        }
    }
    Ok(())
}
