//! Plain enumeration of all symbolic states.

use std::collections::HashSet;

use ir::{Domain, Instr, Program};
use logic::{Evaluation, Limits, SolverKind, Term, Terms};
use machine::{End, Grain, Machine};
use symbolic::{Executor, Questions, State};

use crate::naive::Summary;

/// Final states are compared where there are not more inputs than this.
const MOST_INPUTS: u128 = 4096;

/// Whether the program reads inputs.
pub fn reads_inputs(program: &Program) -> bool {
    program.functions.iter().flat_map(|f| &f.code).any(|instr| matches!(instr, Instr::Nondet { .. }))
}

/// The program with inputs that can be anything, whatever follows them.
pub fn widened(program: &Program) -> Program {
    let mut program = program.clone();
    for instr in program.functions.iter_mut().flat_map(|f| &mut f.code) {
        if let Instr::Nondet { domain, .. } = instr {
            *domain = Domain::Full;
        }
    }
    program
}

/// Visits all symbolic states; `None` if there are more than `limit`, or if
/// something could not be done symbolically. With `finals`, all concrete final
/// states that they stand for are collected.
pub fn enumerate(machine: &Machine, limit: usize, finals: bool) -> Option<Summary> {
    let mut summary = Summary::default();
    let mut terms = Terms::new();
    let mut guide = Questions::new(logic::open(SolverKind::Cadical).expect("built in"), Limits::default());
    let mut executor = Executor::new(machine);
    let mut seen = HashSet::new();
    let mut work = vec![State::initial(machine)];
    while let Some(mut state) = work.pop() {
        machine.normalise(&mut state.machine);
        if !seen.insert(form(machine, &state)) {
            continue;
        }
        if seen.len() > limit {
            return None;
        }
        summary.look(machine, &state.machine);
        for thread in machine.runnable(&state.machine) {
            for choice in 0..executor.choices(&state, thread).ok()? {
                let state = state.clone();
                for next in executor.step(&mut terms, &mut guide, state, thread, choice, Grain::Visible) {
                    summary.faults(&next.step);
                    match next.step.end {
                        None => work.push(next.state),
                        Some(End::Unsupported(_)) => return None,
                        Some(End::Exited(code)) if finals => {
                            add_final_states(machine, &terms, &next.state, code, &mut summary)?;
                        }
                        Some(_) => {}
                    }
                }
            }
        }
    }
    assert_eq!(guide.error(), None);
    guide.gave_up().is_none().then_some(summary)
}

/// Two states are the same if they agree in form and in what is assumed.
fn form(machine: &Machine, state: &State) -> (Vec<u8>, Vec<Term>) {
    let mut form = Vec::new();
    machine.canonical(&state.machine, &mut form);
    let mut path = state.path.conditions().to_vec();
    path.sort_unstable();
    (form, path)
}

/// Adds the final states for all inputs that lead there.
fn add_final_states(
    machine: &Machine,
    terms: &Terms,
    state: &State,
    code: u32,
    summary: &mut Summary,
) -> Option<()> {
    let inputs = state.inputs();
    let width = |input: &symbolic::Input| u32::from(terms.width(input.choice));
    let total: u32 = inputs.iter().map(width).sum();
    let combinations = 1u128.checked_shl(total).filter(|count| *count <= MOST_INPUTS)?;
    for combination in 0..combinations {
        let value_of = |variable: Term| {
            let at = inputs.iter().position(|input| input.choice == variable).unwrap_or(0);
            combination >> inputs[..at].iter().map(width).sum::<u32>()
        };
        let mut evaluation = Evaluation::new(terms, value_of);
        if state.path.conditions().iter().all(|term| evaluation.holds(*term)) {
            let concrete =
                machine.instantiate(&state.machine, |sym| evaluation.value(Term::from_number(sym.0)) as u64);
            summary.end(machine, &concrete, &End::Exited(code));
        }
    }
    Some(())
}
