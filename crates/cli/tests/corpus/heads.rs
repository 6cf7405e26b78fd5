//! What the static analysis says of variables at the heads of loops, beside the states
//! of the program.

use std::collections::HashSet;

use analysis::invariants::heads::{Head, Range};
use machine::{Grain, Machine, Properties, State};

use crate::program::Subject;

/// So many states are visited.
const MOST_STATES: usize = 4000;

/// Visits states one instruction after the other, and names a variable that has
/// another value than the analysis says.
pub fn invariants(subject: &Subject) -> Option<String> {
    let machine = subject.machine(Properties::default()).ok()?;
    let heads = analysis::heads(&subject.program).ok()?;
    if machine.config().memory_model.has_buffers() || heads.is_empty() {
        return None;
    }
    let (mut ahead, mut seen, mut form) = (vec![machine.initial()], HashSet::new(), Vec::new());
    while let Some(mut state) = ahead.pop().filter(|_| seen.len() < MOST_STATES) {
        if let Some(wrong) = heads.iter().find_map(|head| violated(&machine, &state, head)) {
            return Some(wrong);
        }
        machine.normalise(&mut state);
        form.clear();
        machine.canonical(&state, &mut form);
        if seen.insert(form.clone()) {
            ahead.extend(successors(&machine, &state));
        }
    }
    None
}

fn successors(machine: &Machine, state: &State) -> Vec<State> {
    let mut next = Vec::new();
    for mover in machine.movers(state) {
        for choice in 0..machine.choices_of(state, mover).unwrap_or(0) {
            let mut after = state.clone();
            let step = machine.step(&mut after, mover, choice, Grain::Instruction, &mut ());
            next.extend(step.end.is_none().then_some(after));
        }
    }
    next
}

/// What does not hold at a head, if a thread is there.
fn violated(machine: &Machine, state: &State, head: &Head) -> Option<String> {
    let is_there = |thread| machine.stands(state, thread).last() == Some(&(head.function, head.pc));
    let there = state.alive().any(is_there);
    let wrong = |range: &&Range| {
        let value = machine.global_value(state, range.global, range.offset, range.bytes);
        let unused = 64 - 8 * range.bytes as u32;
        let number = value.filter(|value| value.is_plain()).map(|v| (v.bits << unused) as i64 >> unused);
        number.is_none_or(|number| number < range.values.lo || number > range.values.hi)
    };
    let range = head.ranges.iter().find(wrong).filter(|_| there)?;
    let name = machine.program().name(machine.program().global(range.global).name);
    Some(format!("the invariant {:?} of `{name}` does not hold at {}", range.values, head.at))
}
