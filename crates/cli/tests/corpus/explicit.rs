//! The explicit engine on a program of the corpus, beside the reference.

use engine::{Bounds, Budget, Outcome, Progress, Task, Verdict};
use explicit::{Options, Remember, Search};
use machine::{Grain, Machine, Properties};

use crate::header::Expect;
use crate::program::{Subject, TIME_LIMIT, out_of_budget};
use crate::verify;

/// Order, threads, and whether every remembered step is executed all the same.
type Which = (Search, usize, Remember);

const SEARCHES: [Which; 4] = [
    (Search::Csdr, 1, Remember::Checked),
    (Search::Csdr, 2, Remember::Steps),
    (Search::Bfs, 2, Remember::Steps),
    (Search::Dfs, 1, Remember::Steps),
];

fn search(subject: &Subject, machine: &Machine, which: Which, reduction: Grain) -> Outcome {
    let budget = Budget::unlimited().with_timeout(Some(TIME_LIMIT)).with_memory_limit(Some(6 << 30));
    let (budget, progress) = (budget.with_threads(which.1), Progress::default());
    let bounds = Bounds { depth: subject.args.depth, ..Bounds::default() };
    let options = Options { search: which.0, reduction, remember: which.2, ..Options::default() };
    explicit::check(&Task { machine, budget: &budget, bounds, progress: &progress }, options)
}

/// The verdict of each search is the expected one; that of csdr does not depend
/// on the number of threads.
pub fn verdicts(subject: &Subject, machine: &Machine, expect: &Expect) -> Vec<String> {
    let mut differences = Vec::new();
    let mut traces = Vec::new();
    for which in SEARCHES {
        let outcome = search(subject, machine, which, Grain::Visible);
        if let Err(error) = verify::outcome(subject, machine, expect, &outcome) {
            differences.push(format!("explicit, {which:?}: {error}"));
        }
        if let Verdict::Violated { trace, .. } = outcome.verdict {
            traces.push(trace);
        }
    }
    if let [first, second, ..] = traces.as_slice()
        && first != second
    {
        differences.push("explicit: the counterexample depends on the number of threads".to_owned());
    }
    differences
}

/// Every search counts as many states as the reference, where nothing ends it.
pub fn counts(subject: &Subject) -> Vec<String> {
    let Ok(machine) = subject.machine(Properties::default()) else { return Vec::new() };
    let mut differences = Vec::new();
    for (grain, reduction) in [(Grain::Visible, "reduced"), (Grain::Instruction, "unreduced")] {
        let expected = subject.search(&machine, grain);
        if out_of_budget(&expected) {
            continue;
        }
        for which in SEARCHES {
            let outcome = search(subject, &machine, which, grain);
            let counts = |outcome: &Outcome| {
                (outcome.stats.states, outcome.stats.transitions, outcome.stats.final_states)
            };
            if !out_of_budget(&outcome) && counts(&outcome) != counts(&expected) {
                let (found, expected) = (counts(&outcome), counts(&expected));
                differences
                    .push(format!("explicit, {which:?}, {reduction}: {found:?} instead of {expected:?}"));
            }
        }
    }
    differences
}
