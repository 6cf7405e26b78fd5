//! From what a search found to what an engine answers.

use engine::counters::{BYTES_PER_STATE, FINAL_STATES, LAYERS, MAX_DEPTH, STATES, TRANSITIONS};
use engine::{Cut, Ending, Evidence, Ledger, Outcome, Reason, Stats, counted};
use machine::{Fault, Grain, Machine, ThreadId};
use trace::Trace;

use crate::compaction;
use crate::counters::{MEMORY, SENT_PER_STATE, STATES_PER_LAYER};
use crate::found::{Choice, Found};
use crate::spread::Spread;
use crate::worker::{Shared, Tally};

/// How a search ended.
pub struct Ended {
    /// With what.
    pub found: Found,
    /// How many states there are, in all processes.
    pub states: u64,
    /// The bytes that they and all that is known of them take.
    pub bytes: u64,
    /// The bytes that were sent to other processes, if there are any.
    pub sent: Option<u64>,
    /// Layers explored completely.
    pub complete: Option<u64>,
    /// New states per layer.
    pub layers: Vec<u64>,
    /// The longest execution.
    pub depth: Option<u64>,
}

impl Ended {
    /// With nothing found among these states.
    pub fn of(shared: &Shared<'_>) -> Ended {
        Ended {
            found: Found::Nothing,
            states: shared.states(),
            bytes: shared.bytes(),
            sent: None,
            complete: None,
            layers: Vec::new(),
            depth: None,
        }
    }

    /// Adds what other processes have counted. Without them there is no answer, unless a
    /// violation was found.
    pub fn add_up(&mut self, shared: &Shared<'_>, spread: &Spread<'_>, tally: &mut Tally) {
        match spread.finish(shared, tally, &mut self.layers, self.bytes) {
            Ok((bytes, sent)) => (self.bytes, self.sent) = (bytes, Some(sent)),
            Err(exceeded) if matches!(self.found, Found::Nothing) => self.found = Found::Exceeded(exceeded),
            Err(_) => {}
        }
        self.states = shared.states();
    }
}

/// The engine's answer.
pub fn outcome(shared: &Shared<'_>, ended: Ended, mut tally: Tally) -> Outcome {
    let states = ended.states;
    if shared.fingerprints.is_some() {
        tally.cut(Cut::Fingerprints { omission: compaction::omission(states) });
    }
    let covered = covered(states, tally.transitions, ended.complete, &tally.ledger);
    let ending = match ended.found {
        Found::Violation(steps) => violation(shared.task.machine, shared.grain, &steps),
        Found::Shown(shown) => Ending::Violated(Box::new(shown.fault), shown.trace),
        Found::Cycle { steps, start } => cycle(shared.task.machine, shared.grain, &steps, start),
        Found::Formula { steps, start, formula } => {
            let (trace, _) = executed(shared.task.machine, shared.grain, &steps);
            let fault = trace::violation(shared.task.machine, &trace, &formula, start);
            let fault = fault.expect("the steps violate the formula");
            Ending::Violated(Box::new(fault), trace)
        }
        Found::Exceeded(exceeded) => Ending::GivenUp(Reason::Exceeded(exceeded)),
        Found::Nothing => Ending::Exhausted,
    };
    let context_switches = ended.complete.map(|layers| layers.saturating_sub(1));
    let evidence = Evidence::ExhaustedStates { states, context_switches };
    let stats = Stats::after(shared.task.budget.elapsed().as_secs_f64())
        .with(STATES, states)
        .with(TRANSITIONS, tally.transitions)
        .with_known(FINAL_STATES, tally.ledger.final_states())
        .with_known(MAX_DEPTH, ended.depth)
        .with(BYTES_PER_STATE, ended.bytes as f64 / states.max(1) as f64)
        .with_known(MEMORY, engine::resident())
        .with_known(SENT_PER_STATE, ended.sent.map(|sent| sent as f64 / states.max(1) as f64))
        .with_known(LAYERS, ended.complete)
        .with(STATES_PER_LAYER, ended.layers);
    tally.ledger.outcome(shared.task, ending, evidence, covered, stats)
}

fn covered(states: u64, transitions: u64, layers: Option<u64>, ledger: &Ledger) -> String {
    let (states, transitions) = (counted(states, "state"), counted(transitions, "transition"));
    let counts = format!("{states} and {transitions}, all of them safe");
    match layers {
        None => counts,
        Some(0) => format!("{counts}; not even the executions without context switches completely"),
        Some(layers) => {
            // A value with too many possibilities, for instance, ends what is followed.
            let bounded = |cut: &Cut| matches!(cut, Cut::ContextSwitches(_));
            let up_to =
                if ledger.cuts().iter().all(bounded) { "" } else { ", as far as it could be followed" };
            let switches = counted(layers - 1, "context switch");
            format!("{counts}; every execution with at most {switches}{up_to}")
        }
    }
}

/// Executes the steps and demands that they go round.
fn cycle(machine: &Machine, grain: Grain, steps: &[Choice], start: usize) -> Ending {
    let (trace, _) = executed(machine, grain, steps);
    let fault = trace::lasso(machine, &trace, start).expect("the steps go round for ever");
    Ending::Violated(Box::new(fault), trace)
}

fn violation(machine: &Machine, grain: Grain, steps: &[Choice]) -> Ending {
    let (trace, fault) = executed(machine, grain, steps);
    // An engine that finds faults which are not there must not go on.
    let fault = fault.expect("the steps lead to a fault");
    Ending::Violated(Box::new(fault), trace)
}

/// Executes the steps from the beginning: what the store remembers for
/// messages is that of some state, not of this execution.
pub fn executed(machine: &Machine, grain: Grain, steps: &[Choice]) -> (Trace, Option<Fault>) {
    trace::execute(machine, grain, steps.iter().map(|step| (step.mover, step.choice)))
}

/// How many context switches an execution has, as the layers count them: each
/// step of another thread than the last one, and each start of a thread, which
/// takes the processor to the new one (section 3.4). Steps of store buffers need no
/// processor.
pub fn context_switches(machine: &Machine, trace: &Trace) -> u64 {
    switches(machine, trace, true)
}

/// The same where starting a thread may count or not.
pub fn switches(machine: &Machine, trace: &Trace, starts_switch: bool) -> u64 {
    let mut state = machine.initial();
    let (mut running, mut switches) = (ThreadId(0), 0);
    for step in &trace.steps {
        let before = state.clone();
        machine.step(&mut state, step.mover, step.choice, trace.grain, &mut ());
        trace::refresh(machine, trace.grain, &mut state);
        if !step.mover.is_thread() {
            continue;
        }
        switches += u64::from(step.thread() != running);
        running = step.thread();
        if let Some(started) = machine.started(&before, &state).filter(|_| starts_switch) {
            switches += 1;
            running = started;
        }
    }
    switches
}
