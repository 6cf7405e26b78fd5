//! The explicit engine on a program of the corpus, beside the reference.

use engine::{Bounds, Budget, Outcome, Progress, Task, Verdict};
use explicit::{Options, Remember, SearchOrder};
use machine::{Grain, Machine, Properties};

use crate::header::Expect;
use crate::interrupted;
use crate::program::{SMALL, Subject, TIME_LIMIT, out_of_budget};
use crate::verify;

/// Order, threads, whether every remembered step is executed all the same, and
/// whether races are found by clocks.
type Which = (SearchOrder, usize, Remember, bool);

const SEARCHES: [Which; 4] = [
    (SearchOrder::Csdr, 1, Remember::Checked, true),
    (SearchOrder::Csdr, 2, Remember::Steps, true),
    (SearchOrder::Bfs, 2, Remember::Steps, true),
    (SearchOrder::Dfs, 1, Remember::Steps, true),
];

/// The same without clocks, in which the counts of states are others.
const WITHOUT_CLOCKS: [Which; 3] = [
    (SearchOrder::Csdr, 1, Remember::Checked, false),
    (SearchOrder::Bfs, 2, Remember::Steps, false),
    (SearchOrder::Dfs, 1, Remember::Steps, false),
];

fn search(subject: &Subject, machine: &Machine, which: Which, reduction: Grain) -> Outcome {
    let (search, threads, remember, clocks) = which;
    let options = Options { search, reduction, remember, clocks, ..Options::default() };
    search_with(subject, machine, threads, options)
}

pub fn search_with(subject: &Subject, machine: &Machine, threads: usize, options: Options) -> Outcome {
    let budget = Budget::unlimited().with_timeout(Some(TIME_LIMIT)).with_memory_limit(Some(6 << 30));
    let (budget, progress) = (budget.with_threads(threads), Progress::default());
    let bounds = Bounds { depth: subject.args.depth, ..Bounds::default() };
    explicit::check(&Task { machine, budget: &budget, bounds, progress: &progress }, options)
}

/// The verdict of each search is the expected one; that of csdr does not depend
/// on the number of threads.
pub fn verdicts(subject: &Subject, machine: &Machine, expect: &Expect, reference: &Outcome) -> Vec<String> {
    let mut differences = Vec::new();
    let mut traces = Vec::new();
    for which in SEARCHES {
        let outcome = search(subject, machine, which, Grain::Visible);
        if let Err(error) = verify::outcome(subject, machine, expect, &outcome) {
            differences.push(format!("explicit, {which:?}: {error}"));
        }
        let states = |outcome: &Outcome| outcome.stats.count(engine::counters::STATES);
        if expect.verdict == "safe" && states(&outcome) != states(reference) {
            let (found, expected) = (states(&outcome), states(reference));
            differences.push(format!("explicit, {which:?}: {found:?} states instead of {expected:?}"));
        }
        if let Verdict::Violated { trace, .. } = outcome.verdict {
            traces.push(trace);
        }
    }
    if expect.property == "race" {
        for which in WITHOUT_CLOCKS {
            let outcome = search(subject, machine, which, Grain::Visible);
            let result = verify::outcome(subject, machine, expect, &outcome);
            differences.extend(result.err().map(|error| format!("explicit, {which:?}: {error}")));
        }
    }
    differences.extend(interrupted::difference(subject, machine));
    differences.extend(large(subject, machine, expect, reference));
    differences.extend(compacted(subject, machine, expect));
    differences.extend(symmetric(subject, machine, expect));
    differences.extend(with_twins(subject, machine, expect));
    differences.extend(with_transactions(subject, machine, expect));
    if let [first, second, ..] = traces.as_slice()
        && first != second
    {
        differences.push("explicit: the counterexample depends on the number of threads".to_owned());
    }
    differences
}

/// The default search.
pub fn first(subject: &Subject, machine: &Machine) -> Outcome {
    search_with(subject, machine, 2, Options::default())
}

/// Livelocks are looked for with and without reduction.
pub fn livelock(subject: &Subject, machine: &Machine, expect: &Expect) -> Vec<String> {
    let each = [Grain::Visible, Grain::Instruction].map(|grain| {
        let outcome = search(subject, machine, SEARCHES[1], grain);
        verify::outcome(subject, machine, expect, &outcome).err().map(|error| format!("{grain:?}: {error}"))
    });
    each.into_iter().flatten().collect()
}

/// Up to the numbers of threads the verdicts are the same.
fn symmetric(subject: &Subject, machine: &Machine, expect: &Expect) -> Vec<String> {
    let each = [(SearchOrder::Csdr, 2), (SearchOrder::Dfs, 1)].map(|(search, threads)| {
        let options = Options { search, symmetry: true, ..Options::default() };
        let outcome = search_with(subject, machine, threads, options);
        let result = verify::outcome(subject, machine, expect, &outcome);
        result.err().map(|error| format!("symmetry, {search:?}: {error}"))
    });
    each.into_iter().flatten().collect()
}

/// Where public objects keep their numbers the verdicts are the same. No states are
/// taken for one that are not, and their number does not depend on that of the threads.
fn large(subject: &Subject, machine: &Machine, expect: &Expect, reference: &Outcome) -> Vec<String> {
    let machine = machine.with_large_states();
    let (mut differences, mut counts) = (Vec::new(), Vec::new());
    for which in [SEARCHES[0], SEARCHES[1]] {
        let outcome = search(subject, &machine, which, Grain::Visible);
        let result = verify::outcome(subject, &machine, expect, &outcome);
        differences.extend(result.err().map(|error| format!("large states, {which:?}: {error}")));
        counts.push(outcome.stats.count(engine::counters::STATES));
    }
    let least = reference.stats.count(engine::counters::STATES);
    if expect.verdict == "safe" && (counts[0] != counts[1] || counts[0] < least) {
        differences.push(format!("large states: {counts:?} states, and at least {least:?}"));
    }
    differences
}

/// With twins the verdicts are the same, and so is the number of context switches.
fn with_twins(subject: &Subject, machine: &Machine, expect: &Expect) -> Vec<String> {
    let mut differences = Vec::new();
    let searches = [
        (SearchOrder::Csdr, 1, Remember::Checked),
        (SearchOrder::Csdr, 2, Remember::Steps),
        (SearchOrder::Bfs, 1, Remember::Steps),
    ];
    for (search, threads, remember) in searches {
        let options = Options { search, remember, twins: true, ..Options::default() };
        let outcome = search_with(subject, machine, threads, options);
        let result = verify::outcome(subject, machine, expect, &outcome);
        differences.extend(result.err().map(|error| format!("twins, {search:?}: {error}")));
        if search == SearchOrder::Csdr
            && let Verdict::Violated { trace, .. } = &outcome.verdict
            && let Verdict::Violated { trace: least, .. } = first(subject, machine).verdict
            && ::explicit::context_switches(machine, trace) != ::explicit::context_switches(machine, &least)
        {
            differences.push("twins: another number of context switches".to_owned());
        }
    }
    differences
}

/// With transactions the verdicts are the same, and so is the number of context switches if starts
/// of threads are none; counts and counterexamples do not depend on the number of threads.
fn with_transactions(subject: &Subject, machine: &Machine, expect: &Expect) -> Vec<String> {
    let mut differences = Vec::new();
    let plain = Options { starts_switch: false, ..Options::default() };
    let least = search_with(subject, machine, 2, plain);
    for twins in [false, true] {
        let searches = [(1, Remember::Checked), (2, Remember::Steps)].map(|(threads, remember)| {
            let options = Options { remember, twins, transactions: true, ..plain };
            search_with(subject, machine, threads, options)
        });
        let errors =
            searches.iter().filter_map(|found| verify::outcome(subject, machine, expect, found).err());
        differences.extend(errors.map(|error| format!("transactions, twins {twins}: {error}")));
        let [one, two] = &searches;
        let states = |outcome: &Outcome| outcome.stats.count(engine::counters::STATES);
        match (&least.verdict, &one.verdict, &two.verdict) {
            (
                Verdict::Violated { trace: least, .. },
                Verdict::Violated { trace: one, .. },
                Verdict::Violated { trace: two, .. },
            ) => {
                let switches = [least, one].map(|trace| ::explicit::switches(machine, trace, false));
                if switches[0] != switches[1] || one != two {
                    differences.push(format!("transactions: {switches:?} context switches, or two traces"));
                }
            }
            (Verdict::Holds { .. }, ..) if states(one) != states(two) || states(one) > states(&least) => {
                let counts = [&least, one, two].map(states);
                differences.push(format!("transactions, twins {twins}: {counts:?} states"));
            }
            _ => {}
        }
    }
    differences
}

/// With hash compaction a violation is one, and everything else is unknown. So is
/// a deadlock beside threads that go on for ever: it takes the graph of the states.
fn compacted(subject: &Subject, machine: &Machine, expect: &Expect) -> Option<String> {
    let verdict = if expect.verdict == "safe" { "unknown" } else { &expect.verdict };
    let expect = Expect { property: expect.property.clone(), verdict: verdict.to_owned() };
    let options = Options { hash_compaction: true, ..Options::default() };
    let outcome = search_with(subject, machine, 1, options);
    if expect.property == "deadlock" && matches!(outcome.verdict, Verdict::Unknown { .. }) {
        return None;
    }
    verify::outcome(subject, machine, &expect, &outcome).err().map(|e| format!("hash compaction: {e}"))
}

/// Every search counts as many states as the reference, where nothing ends it.
pub fn counts(subject: &Subject) -> Vec<String> {
    let Ok(machine) = subject.machine(Properties::default()) else { return Vec::new() };
    let mut differences = Vec::new();
    for (grain, reduction) in [(Grain::Visible, "reduced"), (Grain::Instruction, "unreduced")] {
        let Some(expected) = subject.states(grain) else { continue };
        differences.extend(no_more_states(subject, &machine, grain, expected));
        for which in SEARCHES {
            let outcome = search(subject, &machine, which, grain);
            differences.extend(layers(subject, &machine, grain, &outcome));
            let counts = |outcome: &Outcome| {
                (
                    outcome.stats.count(engine::counters::STATES),
                    outcome.stats.count(engine::counters::TRANSITIONS),
                    outcome.stats.count(engine::counters::FINAL_STATES),
                )
            };
            if !out_of_budget(&outcome) && counts(&outcome) != counts(expected) {
                let (found, expected) = (counts(&outcome), counts(expected));
                differences
                    .push(format!("explicit, {which:?}, {reduction}: {found:?} instead of {expected:?}"));
            }
        }
    }
    differences
}

/// Up to the numbers of threads there are no more states, and no other ends.
fn no_more_states(
    subject: &Subject,
    machine: &Machine,
    reduction: Grain,
    expected: &Outcome,
) -> Option<String> {
    let options = Options { symmetry: true, reduction, ..Options::default() };
    let outcome = search_with(subject, machine, 1, options);
    let (found, most) =
        (outcome.stats.count(engine::counters::STATES), expected.stats.count(engine::counters::STATES));
    if out_of_budget(&outcome) || found <= most {
        return None;
    }
    Some(format!("symmetry, {reduction:?}: {found:?} states instead of at most {most:?}"))
}

/// The layers are those of the state graph, which are found in another way.
fn layers(subject: &Subject, machine: &Machine, reduction: Grain, outcome: &Outcome) -> Option<String> {
    let mut found = outcome.stats.list(::explicit::counters::STATES_PER_LAYER).to_vec();
    if found.is_empty() || out_of_budget(outcome) || subject.args.depth.is_some() {
        return None;
    }
    // What leads to a layer may turn out to lead to an earlier one.
    while found.last() == Some(&0) {
        found.pop();
    }
    let (budget, progress) = (Budget::unlimited(), Progress::default());
    let task = Task { machine, budget: &budget, bounds: Bounds::default(), progress: &progress };
    let options = Options { reduction, ..Options::default() };
    let graph = explicit::graph(&task, &options, SMALL).ok()?;
    let expected = graph.layers();
    (found != expected).then(|| format!("explicit, {reduction:?}: layers {found:?} instead of {expected:?}"))
}
