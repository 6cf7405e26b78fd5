//! Threads with other numbers do the same.
//!
//! Along random executions each state is renamed at random, and every step is
//! taken in both: the same threads can move, each with as many choices, and
//! each step leads to the same, up to the names.

use generate::Random;
use machine::{Grain, Machine, Renaming, State, ThreadId};

/// Executions, and steps of each.
const WALKS: usize = 8;
const MAX_STEPS: usize = 200;

/// Checks a program, with all that a state can remember.
pub fn check(machine: &Machine, seed: u64) {
    let machine = machine.with_tagged_handles();
    let mut random = Random::new(seed);
    for _ in 0..WALKS {
        walk(&machine, &mut random);
    }
}

fn walk(machine: &Machine, random: &mut Random) {
    let mut state = machine.initial();
    machine.normalise(&mut state);
    let grain = random.pick(&[Grain::Instruction, Grain::Visible]);
    for _ in 0..MAX_STEPS {
        if machine.uses_thread_numbers(&state) {
            return;
        }
        let names = shuffled(random, state.thread_ids().count());
        check_steps(machine, &state, grain, &names);
        let runnable = machine.runnable(&state);
        if runnable.is_empty() {
            return;
        }
        let thread = random.pick(&runnable);
        let Ok(choices) = machine.choices(&state, thread) else { return };
        let choice = random.below(choices as usize) as u64;
        if machine.step(&mut state, thread, choice, grain, &mut ()).end.is_some() {
            return;
        }
        machine.normalise(&mut state);
    }
}

/// `main` keeps its number.
fn shuffled(random: &mut Random, threads: usize) -> Renaming {
    let mut numbers: Vec<ThreadId> = (0..threads as u32).map(ThreadId).collect();
    for index in (2..threads).rev() {
        numbers.swap(index, random.within((1, index)));
    }
    Renaming::new(numbers)
}

fn renamed(machine: &Machine, state: &State, names: &Renaming) -> State {
    let mut state = state.clone();
    machine.rename_threads(&mut state, names);
    state
}

fn form(machine: &Machine, state: &State) -> Vec<u8> {
    let mut form = Vec::new();
    machine.canonical(state, &mut form);
    form
}

fn check_steps(machine: &Machine, state: &State, grain: Grain, names: &Renaming) {
    let other = renamed(machine, state, names);
    let mut expected: Vec<ThreadId> =
        machine.runnable(state).iter().map(|thread| names.new_number(*thread)).collect();
    expected.sort();
    assert_eq!(machine.runnable(&other).to_vec(), expected, "the same threads can move");
    assert_eq!(machine.deadlock(state).is_some(), machine.deadlock(&other).is_some());
    for thread in machine.runnable(state) {
        let twin = names.new_number(thread);
        let (choices, others) = (machine.choices(state, thread), machine.choices(&other, twin));
        let Ok(choices) = choices else { continue };
        assert_eq!(Ok(choices), others, "as many choices");
        for choice in 0..choices {
            let woken = machine.woken(state, thread, choice).map(|woken| names.new_number(woken));
            let same = |choice: &u64| machine.woken(&other, twin, *choice) == woken;
            let twins = if woken.is_some() { (0..choices).find(same) } else { Some(choice) };
            let (mut here, mut there) = (state.clone(), other.clone());
            let first = machine.step(&mut here, thread, choice, grain, &mut ());
            let second = machine.step(&mut there, twin, twins.expect("it can wake"), grain, &mut ());
            assert_eq!(first.end, second.end, "both go on or neither does");
            let kinds = |step: &machine::Step| -> Vec<(&str, ir::Location)> {
                step.faults.iter().map(|fault| (fault.kind.name(), fault.at.clone())).collect()
            };
            assert_eq!(kinds(&first), kinds(&second), "the same faults");
            if first.end.is_some() {
                continue;
            }
            machine.normalise(&mut here);
            machine.normalise(&mut there);
            if machine.uses_thread_numbers(&here) {
                assert!(machine.uses_thread_numbers(&there), "both notice");
                continue;
            }
            // A thread that was started has the same number in both.
            let here = renamed(machine, &here, &names.then(&Renaming::identity(here.thread_ids().count())));
            assert_eq!(form(machine, &here), form(machine, &there), "the same state up to the names");
        }
    }
}
