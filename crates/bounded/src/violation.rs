//! From a path to an execution with inputs.

use logic::{Evaluation, Model, Terms};
use machine::{Fault, Grain, Machine, ThreadId};
use trace::{Trace, TraceStep};

use crate::node::Choice;

/// The execution that a path's steps are under the inputs of a model, and its
/// fault.
pub fn trace(
    machine: &Machine,
    terms: &Terms,
    model: &Model,
    steps: &[(ThreadId, Choice)],
    grain: Grain,
) -> (Trace, Option<Fault>) {
    let mut evaluation = Evaluation::new(terms, model);
    let mut state = machine.initial();
    let (mut taken, mut fault) = (Vec::new(), None);
    for (thread, choice) in steps.iter().copied() {
        let choice = match choice {
            Choice::Number(choice) => choice,
            Choice::Input(term) => evaluation.value(term) as u64,
        };
        taken.push(TraceStep { thread, choice, at: machine.position(&state, thread) });
        let step = machine.step(&mut state, thread, choice, grain, &mut ());
        machine.refresh_sharing(&mut state);
        fault = step.faults.into_iter().find(|fault| machine.asks(&fault.kind));
        if step.end.is_some() {
            break;
        }
    }
    let deadlock = || machine.deadlock(&state).filter(|fault| machine.asks(&fault.kind));
    let fault = fault.or_else(deadlock);
    (Trace { grain, steps: taken }, fault)
}
