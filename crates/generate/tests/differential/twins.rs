//! Threads that are twins beside the search that follows all of them.
//!
//! All threads of a program run the same function. `main` joins all of them, none,
//! or does something between two joins that the others can see; or one thread's
//! result matters. With twins the verdicts must be the same, counterexamples must
//! replay and have as few context switches, and there must be no more final states.

use std::sync::Arc;
use std::time::Duration;

use engine::counters::{FINAL_STATES, STATES};
use engine::{Bounds, Budget, Outcome, Progress, Reason, Task, Verdict};
use explicit::{Options, Remember, SearchOrder, context_switches};
use generate::Test;
use machine::{Machine, Property};

use crate::alike::alike;
use crate::common::{Disagreement, load};
use crate::compare::{Tally, machine};

/// The longest that one search may take.
const MAX_TIME: Duration = Duration::from_millis(500);

/// Order, threads, and whether what is remembered is checked.
const SEARCHES: [(SearchOrder, usize, Remember); 4] = [
    (SearchOrder::Csdr, 1, Remember::Checked),
    (SearchOrder::Csdr, 2, Remember::Steps),
    (SearchOrder::Bfs, 1, Remember::Steps),
    (SearchOrder::Dfs, 1, Remember::Steps),
];

/// Runs the searches with and without twins on a program whose threads are alike.
pub fn compare(test: &Test) -> Result<Tally, Disagreement> {
    let program = Arc::new(load(&alike(test))?);
    let mut tally = Tally::one();
    for property in [None].into_iter().chain(Property::safety().map(Some)) {
        let Some((few, all)) = same(&machine(&program, property))? else {
            tally.too_large = 1;
            return Ok(tally);
        };
        tally.reduced_states += few as usize;
        tally.states += all as usize;
    }
    Ok(tally)
}

/// Compares the searches on the machine's properties. Yields how many states they
/// visited, with and without twins; nothing if that takes too long.
fn same(machine: &Machine) -> Result<Option<(u64, u64)>, Disagreement> {
    let (mut few, mut all) = (0, 0);
    for (search, threads, remember) in SEARCHES {
        let options = Options { search, remember, ..Options::default() };
        let expected = run(machine, threads, options);
        let found = run(machine, threads, Options { twins: true, ..options });
        if out_of_time(&expected) || out_of_time(&found) {
            return Ok(None);
        }
        let wrong = |message: String| Disagreement {
            kind: "twins".to_owned(),
            message: format!("{search:?}: {message}"),
        };
        match (&expected.verdict, &found.verdict) {
            (Verdict::Violated { trace: least, .. }, Verdict::Violated { trace, fault }) => {
                trace::replay(machine, trace, fault, &mut ()).map_err(|e| wrong(e.to_string()))?;
                let (fewest, switches) = (context_switches(machine, least), context_switches(machine, trace));
                if search == SearchOrder::Csdr && fewest != switches {
                    return Err(wrong(format!("{switches} context switches instead of {fewest}")));
                }
                if search == SearchOrder::Bfs && least.steps.len() != trace.steps.len() {
                    return Err(wrong("the counterexample is longer".to_owned()));
                }
            }
            (Verdict::Holds { .. }, Verdict::Holds { .. })
            | (Verdict::Unknown { .. }, Verdict::Unknown { .. }) => {
                let finals = |outcome: &Outcome| outcome.stats.count(FINAL_STATES);
                // They may differ by which of two twins holds a lock.
                if finals(&expected) < finals(&found) {
                    return Err(wrong("more final states".to_owned()));
                }
                few += found.stats.count(STATES).unwrap_or(0);
                all += expected.stats.count(STATES).unwrap_or(0);
            }
            (expected, found) => return Err(wrong(format!("{found:?} instead of {expected:?}"))),
        }
    }
    Ok(Some((few, all)))
}

fn run(machine: &Machine, threads: usize, options: Options) -> Outcome {
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME)).with_threads(threads);
    let (bounds, progress) = (Bounds::default(), Progress::default());
    explicit::check(&Task { machine, budget: &budget, bounds, progress: &progress }, options)
}

fn out_of_time(outcome: &Outcome) -> bool {
    matches!(&outcome.verdict, Verdict::Unknown { reason: Reason::Exceeded(_), .. })
}
