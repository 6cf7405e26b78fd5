//! From what a search found to what an engine answers.

use engine::{Cut, Evidence, Outcome, Reason, Stats, Verdict, Warning};
use machine::{Fault, Grain, Machine, ThreadId};
use trace::Trace;

use crate::compaction;
use crate::found::{Choice, Found};
use crate::worker::{Shared, Tally};

/// How a search ended.
pub struct Ended {
    /// With what.
    pub found: Found,
    /// Bytes besides those of the store.
    pub bytes: u64,
    /// Layers explored completely.
    pub complete: Option<u64>,
    /// New states per layer.
    pub layers: Vec<u64>,
    /// The longest execution.
    pub depth: Option<u64>,
}

/// The engine's answer.
pub fn outcome(shared: &Shared<'_>, ended: Ended, mut tally: Tally) -> Outcome {
    let states = shared.states();
    let bytes = shared.bytes() + ended.bytes;
    if shared.fingerprints.is_some() {
        tally.cut(Cut::Fingerprints { omission: compaction::omission(states) });
    }
    let covered = covered(states, tally.transitions, ended.complete);
    tally.cuts.sort_by_cached_key(ToString::to_string);
    let verdict = match ended.found {
        Found::Violation(steps) => violation(shared.machine(), shared.grain, &steps),
        Found::Cycle { steps, start } => cycle(shared.machine(), shared.grain, &steps, start),
        Found::Exceeded(exceeded) => Verdict::Unknown { reason: Reason::Exceeded(exceeded), covered },
        Found::Nothing if tally.cuts.is_empty() => {
            let context_switches = ended.complete.map(|layers| layers.saturating_sub(1));
            Verdict::Holds { evidence: Evidence::ExhaustedStates { states, context_switches } }
        }
        Found::Nothing => Verdict::Unknown { reason: Reason::Cut(tally.cuts), covered },
    };
    let stats = Stats {
        seconds: shared.task.budget.elapsed().as_secs_f64(),
        states: Some(states),
        transitions: Some(tally.transitions),
        final_states: Some(tally.final_states.len() as u64),
        max_depth: ended.depth,
        bytes_per_state: Some(bytes as f64 / states.max(1) as f64),
        memory: engine::resident(),
        layers: ended.complete,
        states_per_layer: ended.layers,
        ..Stats::default()
    };
    let mut warnings: Vec<Warning> =
        tally.warnings.into_values().map(|(fault, count)| Warning { fault, count }).collect();
    warnings.sort_by_cached_key(|warning| (warning.fault.at.to_string(), warning.fault.kind.name()));
    Outcome::new(shared.task.machine, verdict, stats, warnings)
}

fn covered(states: u64, transitions: u64, layers: Option<u64>) -> String {
    let counts = format!("{states} states and {transitions} transitions, all of them safe");
    match layers {
        None => counts,
        Some(0) => format!("{counts}; not even the executions without context switches completely"),
        Some(layers) => format!("{counts}; every execution with at most {} context switches", layers - 1),
    }
}

/// Executes the steps and demands that they go round.
fn cycle(machine: &Machine, grain: Grain, steps: &[Choice], start: usize) -> Verdict {
    let (trace, _) = executed(machine, grain, steps);
    let fault = trace::lasso(machine, &trace, start).expect("the steps go round for ever");
    Verdict::Violated { fault: Box::new(fault), trace }
}

fn violation(machine: &Machine, grain: Grain, steps: &[Choice]) -> Verdict {
    let (trace, fault) = executed(machine, grain, steps);
    // An engine that finds faults which are not there must not go on.
    let fault = fault.expect("the steps lead to a fault");
    Verdict::Violated { fault: Box::new(fault), trace }
}

/// Executes the steps from the beginning: what the store remembers for
/// messages is that of some state, not of this execution.
fn executed(machine: &Machine, grain: Grain, steps: &[Choice]) -> (Trace, Option<Fault>) {
    trace::execute(machine, grain, steps.iter().map(|step| (step.thread, step.choice)))
}

/// How many context switches an execution has, as the layers count them: each
/// step of another thread than the last one, and each start of a thread, which
/// takes the processor to the new one (section 3.4).
pub fn context_switches(machine: &Machine, trace: &Trace) -> u64 {
    let mut state = machine.initial();
    let (mut running, mut switches) = (ThreadId(0), 0);
    for step in &trace.steps {
        let before = state.clone();
        machine.step(&mut state, step.thread, step.choice, trace.grain, &mut ());
        machine.refresh_sharing(&mut state);
        switches += u64::from(step.thread != running);
        running = step.thread;
        if let Some(started) = machine.started(&before, &state) {
            switches += 1;
            running = started;
        }
    }
    switches
}
