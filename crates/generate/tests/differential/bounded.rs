//! The engine `bounded` beside the reference.
//!
//! The reference tries the few values that stand for all others. `bounded` must
//! come to the same verdicts with these as choices, and with inputs that can be
//! anything as symbols; by every strategy, with either solver.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use bounded::{Options, Strategy};
use engine::counters::FINAL_STATES;
use engine::{Bounds, Budget, Outcome, Progress, Task, Verdict};
use generate::Test;
use ir::Program;
use logic::SolverKind;
use machine::{Grain, Machine, MemoryModel, Property};

use crate::common::{Disagreement, load};
use crate::compare::{Tally, machine_under};
use crate::symbolic::{reads_inputs, widened};

/// The longest that one search may take.
const MAX_TIME: Duration = Duration::from_millis(500);

const STRATEGIES: [Strategy; 3] = [Strategy::Lazy, Strategy::Recording, Strategy::Widening];

/// Compares `bounded` with the reference.
pub fn compare(test: &Test) -> Result<Tally, Disagreement> {
    compare_under(MemoryModel::Sc, test)
}

/// The same where stores wait in buffers, with values that are not known among them.
pub fn compare_with_buffers(test: &Test) -> Result<Tally, Disagreement> {
    let model = if (test.seed / 2).is_multiple_of(2) { MemoryModel::Tso } else { MemoryModel::Pso };
    compare_under(model, test)
}

fn compare_under(model: MemoryModel, test: &Test) -> Result<Tally, Disagreement> {
    let narrow = Arc::new(load(&test.to_string())?);
    let mut tally = Tally::one();
    if !reads_inputs(&narrow) {
        return Ok(tally);
    }
    let wide = Arc::new(widened(&narrow));
    let solver = solver(test.seed);
    same_faults(model, (&narrow, &wide), solver)?;
    let expected = expected(model, &narrow);
    for program in [&narrow, &wide] {
        for strategy in STRATEGIES {
            let options = Options { strategy, solver, ..Options::default() };
            tally.bounded += same_verdicts(model, program, &options, &expected)?;
        }
    }
    tally.in_reach += expected.len() * 2 * STRATEGIES.len();
    for (property, violated) in expected {
        *tally.violated.entry(property.name()).or_default() += usize::from(violated);
    }
    Ok(tally)
}

/// Which properties are violated, as far as the reference knows.
fn expected(model: MemoryModel, program: &Arc<Program>) -> Vec<(Property, bool)> {
    let found = |property| violated(&run(&machine_under(model, program, Some(property)), reference));
    let verdict = |property| Some((property, found(property)?));
    Property::safety().filter_map(verdict).collect()
}

/// How many verdicts were the same, until one took too long.
fn same_verdicts(
    model: MemoryModel,
    program: &Arc<Program>,
    options: &Options,
    expected: &[(Property, bool)],
) -> Result<usize, Disagreement> {
    for (count, (property, violated)) in expected.iter().enumerate() {
        let machine = machine_under(model, program, Some(*property));
        let found = run(&machine, |task| bounded::check(task, options));
        if !same_verdict(&machine, options, &found, *violated)? {
            return Ok(count);
        }
    }
    Ok(expected.len())
}

/// Compares every strategy with what is known about a property.
pub fn same_verdict_by_all(machine: &Machine, violated: bool) -> Result<(), Disagreement> {
    STRATEGIES.into_iter().try_for_each(|strategy| {
        let options = Options { strategy, ..Options::default() };
        let found = run(machine, |task| bounded::check(task, &options));
        same_verdict(machine, &options, &found, violated).map(|_| ())
    })
}

/// That the lazy search reaches as many final states as there are, where it counts them.
pub fn same_final_states(machine: &Machine, expected: usize) -> Result<bool, Disagreement> {
    let found = run(machine, |task| bounded::check(task, &Options::default()));
    let Some(count) = found.stats.count(FINAL_STATES).filter(|_| violated(&found) == Some(false)) else {
        return Ok(false);
    };
    if count == expected as u64 {
        return Ok(true);
    }
    let message = format!("{count} instead of {expected}");
    Err(Disagreement { kind: "bounded final states".to_owned(), message })
}

/// Z3 for every other program, where it is there.
fn solver(seed: u64) -> SolverKind {
    let z3 = seed % 2 == 1 && logic::open(SolverKind::Z3).is_ok();
    if z3 { SolverKind::Z3 } else { SolverKind::Cadical }
}

/// An engine's answer within the time that one search may take.
pub fn run(machine: &Machine, check: impl FnOnce(&Task<'_>) -> Outcome) -> Outcome {
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME));
    check(&Task { machine, budget: &budget, bounds: Bounds::default(), progress: &Progress::default() })
}

/// The reference's answer.
pub fn reference(task: &Task<'_>) -> Outcome {
    reference::check(task, reference::Options { reduction: Grain::Visible })
}

/// Whether there is a violation, if that is known.
pub fn violated(outcome: &Outcome) -> Option<bool> {
    match outcome.verdict {
        Verdict::Holds { .. } => Some(false),
        Verdict::Violated { .. } => Some(true),
        Verdict::Unknown { .. } => None,
    }
}

/// That the verdict is the expected one, if there is one, and that a
/// counterexample replays.
fn same_verdict(
    machine: &Machine,
    options: &Options,
    found: &Outcome,
    expected: bool,
) -> Result<bool, Disagreement> {
    let differ = |kind: &str, what: String| {
        let properties = machine.config().properties;
        let names: Vec<&str> = properties.iter().map(Property::name).collect();
        let message = format!("{:?}, {}, {}: {what}", options.strategy, options.solver, names.join(","));
        Err(Disagreement { kind: format!("bounded {kind}"), message })
    };
    match &found.verdict {
        Verdict::Unknown { .. } => return Ok(false),
        Verdict::Holds { .. } if expected => {
            return differ("verdict", "safe, but there is a violation".into());
        }
        Verdict::Violated { fault, .. } if !expected => {
            return differ("verdict", format!("{} at {}, but it is safe", fault.kind.name(), fault.at));
        }
        Verdict::Violated { fault, trace } => {
            if let Err(divergence) = trace::replay(machine, trace, fault, &mut ()) {
                return differ("replay", divergence.to_string());
            }
        }
        Verdict::Holds { .. } => {}
    }
    Ok(true)
}

/// That the same faults come about, in the same places, if they are not asked for.
fn same_faults(
    model: MemoryModel,
    (narrow, wide): (&Arc<Program>, &Arc<Program>),
    solver: SolverKind,
) -> Result<(), Disagreement> {
    let places = |outcome: &Outcome| -> BTreeSet<String> {
        outcome.warnings.iter().map(|w| format!("{} at {}", w.fault.kind.name(), w.fault.at)).collect()
    };
    let expected = run(&machine_under(model, narrow, None), reference);
    if violated(&expected).is_none() {
        return Ok(());
    }
    for program in [narrow, wide] {
        for strategy in STRATEGIES {
            let options = Options { strategy, solver, ..Options::default() };
            let machine = machine_under(model, program, None);
            let found = run(&machine, |task| bounded::check(task, &options));
            if violated(&found).is_some() && places(&found) != places(&expected) {
                let (found, expected) = (places(&found), places(&expected));
                let message = format!("{strategy:?}, {solver}: {found:?} instead of {expected:?}");
                return Err(Disagreement { kind: "bounded faults".to_owned(), message });
            }
        }
    }
    Ok(())
}
