//! The search by context switches with and without transactions.
//!
//! With transactions the verdicts must be the same for every bound on context switches,
//! counterexamples must replay and have as few switches, and all final states of programs
//! whose threads are joined must be reached. The numbers of states must not depend on
//! that of the threads. Half of the programs have threads that are twins.

use std::sync::Arc;
use std::time::Duration;

use engine::counters::{FINAL_STATES, STATES};
use engine::{Bounds, Budget, Outcome, Progress, Reason, Task, Verdict};
use explicit::{Options, Remember, switches};
use generate::Test;
use machine::{Machine, Property};

use crate::alike::alike;
use crate::common::{Disagreement, load};
use crate::compare::{Tally, machine};

/// The longest that one search may take.
const MAX_TIME: Duration = Duration::from_millis(500);

const BOUNDS: [Option<u64>; 4] = [Some(2), Some(4), Some(6), None];

/// Compares both on a program, property by property.
pub fn compare(test: &Test) -> Result<Tally, Disagreement> {
    let twins = test.seed % 2 == 1;
    let source = if twins { alike(test) } else { test.to_string() };
    let program = Arc::new(load(&source)?);
    let count = |call| source.matches(call).count();
    // What the others have done when the process ends may differ, and of twins any may hold a lock.
    let joined = !twins && count("pthread_join(") == count("pthread_create(") && count("exit(") == 0;
    let mut tally = Tally::one();
    for property in [None].into_iter().chain(Property::safety().map(Some)) {
        let machine = machine(&program, property);
        for (bound, clocks) in BOUNDS.into_iter().flat_map(|bound| [(bound, false), (bound, true)]) {
            // A start counts only if the new thread can move, which others decide.
            let options = Options { twins, clocks, starts_switch: false, ..Options::default() };
            let Some((few, all)) = same(&machine, options, bound, joined)? else {
                tally.too_large = 1;
                return Ok(tally);
            };
            tally.reduced_states += few as usize;
            tally.states += all as usize;
        }
    }
    Ok(tally)
}

/// Compares the searches. Yields how many states they visited where nothing is violated;
/// nothing if that takes too long.
fn same(
    machine: &Machine,
    options: Options,
    bound: Option<u64>,
    joined: bool,
) -> Result<Option<(u64, u64)>, Disagreement> {
    let wrong = |message: String| Disagreement {
        kind: "transactions".to_owned(),
        message: format!("{message} (context bound {bound:?}, clocks {})", options.clocks),
    };
    let all = run(machine, bound, 1, options);
    let with = Options { transactions: true, ..options };
    let checked = Options { remember: Remember::Checked, ..with };
    let [few, two] =
        [(1, checked), (2, with)].map(|(threads, options)| run(machine, bound, threads, options));
    if [&all, &few, &two].into_iter().any(out_of_time) {
        return Ok(None);
    }
    match (&all.verdict, &few.verdict, &two.verdict) {
        (
            Verdict::Violated { trace: least, .. },
            Verdict::Violated { trace, fault },
            Verdict::Violated { trace: second, .. },
        ) => {
            trace::replay(machine, trace, fault, &mut ()).map_err(|e| wrong(e.to_string()))?;
            let [fewest, found] = [least, trace].map(|trace| switches(machine, trace, false));
            if fewest != found {
                return Err(wrong(format!("{found} context switches instead of {fewest}")));
            }
            if trace != second {
                return Err(wrong("the counterexample depends on the number of threads".to_owned()));
            }
            return Ok(Some((0, 0)));
        }
        (Verdict::Holds { .. }, Verdict::Holds { .. }, Verdict::Holds { .. }) => {
            let finals = [&all, &few].map(|outcome| outcome.stats.count(FINAL_STATES));
            if finals[0] < finals[1] || joined && finals[0] != finals[1] {
                return Err(wrong(format!("final states: {finals:?}")));
            }
        }
        // Whether a bound leaves something out may differ.
        (Verdict::Holds { .. } | Verdict::Unknown { .. }, found, other) if !is_violated(found) => {
            if bound.is_none() && matches!(all.verdict, Verdict::Holds { .. }) || is_violated(other) {
                return Err(wrong(format!("{found:?} and {other:?} instead of {:?}", all.verdict)));
            }
        }
        (expected, found, _) => return Err(wrong(format!("{found:?} instead of {expected:?}"))),
    }
    let [all, few, two] = [all, few, two].map(|outcome| outcome.stats.count(STATES).unwrap_or(0));
    if few != two || few > all {
        return Err(wrong(format!(
            "{few} states with one thread, {two} with two, {all} without transactions"
        )));
    }
    Ok(Some((few, all)))
}

fn run(machine: &Machine, context_switches: Option<u64>, threads: usize, options: Options) -> Outcome {
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME)).with_threads(threads);
    let bounds = Bounds { context_switches, ..Bounds::default() };
    let task = Task { machine, budget: &budget, bounds, progress: &Progress::default() };
    explicit::check(&task, options)
}

fn is_violated(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Violated { .. })
}

fn out_of_time(outcome: &Outcome) -> bool {
    matches!(&outcome.verdict, Verdict::Unknown { reason: Reason::Exceeded(_), .. })
}
