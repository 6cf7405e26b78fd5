//! Re-executing a trace.

use machine::{Fault, FaultKind, Machine, Observer, State, Step, Wait};

use crate::divergence::{Divergence, Mismatch};
use crate::execute::deadlock_in;
use crate::{Trace, TraceStep, lasso, refresh, violation};

/// An observer that also sees the states between the steps: names and values
/// can only be told with a state at hand.
pub trait Follow: Observer {
    /// Called after each step, with the events of the step already observed.
    fn stepped(&mut self, stepped: &Stepped<'_>);
}

impl Follow for () {
    fn stepped(&mut self, _: &Stepped<'_>) {}
}

/// One step, replayed.
pub struct Stepped<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The state before.
    pub before: &'a State,
    /// The state after.
    pub after: &'a State,
    /// The step as the trace has it.
    pub step: &'a TraceStep,
    /// Its number, from 0.
    pub index: usize,
    /// What came of it.
    pub result: &'a Step,
}

/// A trace that led where it should.
#[derive(Debug)]
pub struct Replayed {
    /// The fault at its end.
    pub fault: Fault,
    /// The last state.
    pub state: State,
}

/// Executes the trace step by step and demands `fault` at its end.
pub fn replay<F: Follow>(
    machine: &Machine,
    trace: &Trace,
    fault: &Fault,
    follow: &mut F,
) -> Result<Replayed, Divergence> {
    let mut state = machine.initial();
    let mut last = Step::default();
    let steps = trace.steps.len();
    for (index, step) in trace.steps.iter().enumerate() {
        let diverged = |mismatch| Divergence { step: index + 1, steps, mismatch: Box::new(mismatch) };
        check_step(machine, &state, step).map_err(diverged)?;
        let before = state.clone();
        let result = machine.step(&mut state, step.mover, step.choice, trace.grain, follow);
        follow.stepped(&Stepped { machine, before: &before, after: &state, step, index, result: &result });
        refresh(machine, trace.grain, &mut state);
        if index + 1 < steps {
            check_goes_on(result).map_err(diverged)?;
        } else {
            last = result;
        }
    }
    let found = match fault.kind {
        FaultKind::Livelock { start, .. } => end_cycle(machine, trace, fault, start),
        FaultKind::Formula { ref formula, start, .. } => {
            let found = violation(machine, trace, formula, start);
            found.map_err(|why| Mismatch::NoViolation { formula: formula.clone(), why })
        }
        _ => end_fault(machine, &state, last, fault),
    };
    let found =
        found.map_err(|mismatch| Divergence { step: steps + 1, steps, mismatch: Box::new(mismatch) })?;
    Ok(Replayed { fault: found, state })
}

fn check_step(machine: &Machine, state: &State, step: &TraceStep) -> Result<(), Mismatch> {
    let TraceStep { mover, choice, at, site } = step.clone();
    if !machine.can_take_step(state, mover) {
        let runnable = machine.movers(state).into_vec();
        return Err(Mismatch::NotRunnable { mover, expected: at, runnable });
    }
    let found = machine.site(state, mover.thread());
    if found != site {
        let (expected, found) = ((at, site), (machine.position(state, mover.thread()), found));
        return Err(Mismatch::OtherSite { mover, expected: Box::new(expected), found: Box::new(found) });
    }
    match machine.choices_of(state, mover) {
        // Any value at all: the choice is the value.
        Err(_) => Ok(()),
        Ok(choices) if choice >= choices => Err(Mismatch::FewerChoices { mover, at, choice, choices }),
        Ok(_) => Ok(()),
    }
}

fn check_goes_on(result: Step) -> Result<(), Mismatch> {
    match result.end {
        None => Ok(()),
        Some(end) => {
            let fault = result.faults.into_iter().find(|f| f.kind.ends_execution()).map(Box::new);
            Err(Mismatch::EndedEarly { end, fault })
        }
    }
}

/// The expected livelock, if the trace goes round as it should.
fn end_cycle(machine: &Machine, trace: &Trace, expected: &Fault, start: usize) -> Result<Fault, Mismatch> {
    let found = lasso(machine, trace, start).map_err(|why| Mismatch::NoLivelock { start: start + 1, why })?;
    if is_same(&found, expected) {
        return Ok(found);
    }
    Err(Mismatch::OtherFault { expected: Box::new(expected.clone()), found: Box::new(found) })
}

/// The expected fault among those of the last step and the deadlocks of the
/// last state.
fn end_fault(machine: &Machine, state: &State, last: Step, expected: &Fault) -> Result<Fault, Mismatch> {
    let mut others = None;
    let is_expected = |found: &Fault| {
        let same = is_same(found, expected);
        others.get_or_insert_with(|| found.clone());
        same
    };
    if let Some(found) = fault_at_end(machine, state, last, is_expected) {
        return Ok(found);
    }
    if let FaultKind::LocalDeadlock { .. } = expected.kind
        && let Some(found) = deadlock_in(machine, state).filter(|found| is_same(found, expected))
    {
        return Ok(found);
    }
    let expected = Box::new(expected.clone());
    match others {
        None => Err(Mismatch::NoFault { expected }),
        Some(found) => Err(Mismatch::OtherFault { expected, found: Box::new(found) }),
    }
}

/// The first fault that is wanted, among those of the last step and the
/// deadlocks of the last state.
pub(crate) fn fault_at_end(
    machine: &Machine,
    state: &State,
    last: Step,
    is_wanted: impl FnMut(&Fault) -> bool,
) -> Option<Fault> {
    let mut faults = last.faults;
    if last.end.is_none() {
        faults.extend(machine.deadlock(state));
    }
    faults.into_iter().find(is_wanted)
}

/// Whether two faults are the same: kind, threads and places. How their
/// objects are called may depend on what an engine remembers; the replayed one
/// knows best.
fn is_same(a: &Fault, b: &Fault) -> bool {
    use FaultKind::*;
    let details = match (&a.kind, &b.kind) {
        (Assertion { message: a }, Assertion { message: b }) => a == b,
        (ErrorCall { message: a }, ErrorCall { message: b }) => a == b,
        // Several accesses may be unordered with the second one.
        (DataRace { second: a, .. }, DataRace { second: b, .. }) => {
            (a.thread, &a.at, a.touch, a.atomic) == (b.thread, &b.at, b.touch, b.atomic)
        }
        (Deadlock { waits: a }, Deadlock { waits: b })
        | (LocalDeadlock { waits: a }, LocalDeadlock { waits: b }) => same_waits(a, b),
        (a, b) => a.name() == b.name(),
    };
    details && a.thread == b.thread && a.at == b.at
}

fn same_waits(a: &[Wait], b: &[Wait]) -> bool {
    let same = |(a, b): (&Wait, &Wait)| (a.thread, &a.at, &a.holders) == (b.thread, &b.at, &b.holders);
    a.len() == b.len() && a.iter().zip(b).all(same)
}
