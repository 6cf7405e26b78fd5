//! Random straight-line programs, executed symbolically once and concretely on
//! random inputs: the same registers, the same memory, the same faults.

mod common;

use std::sync::Arc;

use common::{GLOBAL, MAIN, SIZE, names, program};
use logic::testing::Random;
use logic::{Evaluation, Limits, SolverKind, Term, Terms};
use machine::{Config, End, Grain, Machine, Property, Value};
use symbolic::{Executor, Questions, State};

/// One end of the symbolic execution.
struct Leaf {
    state: State,
    faults: Vec<String>,
    end: Option<End>,
}

fn symbolically(machine: &Machine, terms: &mut Terms, guide: &mut Questions) -> Vec<Leaf> {
    let mut executor = Executor::new(machine).with_most_values(20);
    let mut work = vec![Leaf { state: State::initial(machine), faults: Vec::new(), end: None }];
    let mut leaves = Vec::new();
    while let Some(leaf) = work.pop() {
        for successor in executor.step(terms, guide, leaf.state.clone(), MAIN, 0, Grain::Visible) {
            let mut faults = leaf.faults.clone();
            faults.extend(names(&successor.step));
            let next = Leaf { state: successor.state, faults, end: successor.step.end };
            if next.end.is_some() { leaves.push(next) } else { work.push(next) }
        }
    }
    leaves
}

fn concretely(machine: &Machine, choices: &[u64]) -> (machine::State, Vec<String>, Option<End>) {
    let mut state = machine.initial();
    let mut choices = choices.iter();
    let mut faults = Vec::new();
    loop {
        let choice = if machine.reads_input(&state, MAIN) { *choices.next().expect("an input") } else { 0 };
        let step = machine.step(&mut state, MAIN, choice, Grain::Visible, &mut ());
        faults.extend(names(&step));
        if step.end.is_some() {
            return (state, faults, step.end);
        }
        machine.refresh_sharing(&mut state);
    }
}

/// Random data choices for all inputs, and the variables that stand for them.
fn random_inputs(leaves: &[Leaf], terms: &Terms, random: &mut Random) -> Vec<(Term, u64)> {
    let inputs = leaves.iter().map(|leaf| leaf.state.inputs()).max_by_key(|inputs| inputs.len());
    let bound = |index: usize| [None, None, Some(20), Some(6)][index];
    let inputs = inputs.expect("an input").iter().enumerate();
    let value = |index: usize, width: u8, random: &mut Random| match bound(index) {
        Some(bound) => random.below(bound),
        None => random.bits(width) as u64 & (u64::MAX >> (64 - width)),
    };
    inputs.map(|(index, input)| (input.choice, value(index, terms.width(input.choice), random))).collect()
}

fn same(
    evaluation: &mut Evaluation<'_, impl logic::Assignment>,
    symbolic: Value,
    concrete: Value,
    width: u8,
) -> bool {
    let mask = u64::MAX >> (64 - width.min(64));
    let bits = match symbolic.is_symbolic() {
        true => evaluation.value(Term::from_number(symbolic.sym.0)) as u64,
        false => symbolic.bits,
    };
    let undef = symbolic.undef & mask;
    undef == concrete.undef & mask
        && (undef == mask || symbolic.object == concrete.object)
        && (bits ^ concrete.bits) & mask & !undef == 0
}

fn check(seed: u64, totals: &mut [u64; 3]) {
    let machine = Machine::new(
        Arc::new(program(seed)),
        Config { properties: Property::ALL.into_iter().collect(), ..Config::default() },
    );
    let mut terms = Terms::new();
    // What is too hard counts as possible.
    let limits = Limits { conflicts: Some(200), ..Limits::default() };
    let mut guide = Questions::new(logic::open(SolverKind::Cadical).expect("built in"), limits);
    let leaves = symbolically(&machine, &mut terms, &mut guide);
    assert_eq!(guide.error(), None, "seed {seed}");
    totals[0] += leaves.len() as u64;
    let mut random = Random::new(seed ^ 0xabcd);
    for _ in 0..12 {
        let inputs = random_inputs(&leaves, &terms, &mut random);
        let assignment = |variable: Term| {
            inputs.iter().find(|(choice, _)| *choice == variable).map_or(0, |(_, bits)| u128::from(*bits))
        };
        let mut evaluation = Evaluation::new(&terms, assignment);
        let mut holds =
            |leaf: &&Leaf| leaf.state.path.conditions().iter().all(|term| evaluation.holds(*term));
        let taken: Vec<&Leaf> = leaves.iter().filter(&mut holds).collect();
        assert_eq!(taken.len(), 1, "seed {seed}: one way for {inputs:?}");
        let leaf = taken[0];
        if let Some(End::Unsupported(_)) = leaf.end {
            totals[2] += 1;
            continue;
        }
        let choices: Vec<u64> = inputs.iter().map(|(_, bits)| *bits).collect();
        let (state, faults, end) = concretely(&machine, &choices);
        assert_eq!((&leaf.faults, &leaf.end), (&faults, &end), "seed {seed} with {choices:x?}");
        totals[1] += u64::from(faults.last().is_some_and(|fault| fault == "unreachable"));
        compare_states(seed, &machine, &mut evaluation, leaf, &state);
    }
}

fn compare_states(
    seed: u64,
    machine: &Machine,
    evaluation: &mut Evaluation<'_, impl logic::Assignment>,
    leaf: &Leaf,
    state: &machine::State,
) {
    let slots = &machine.program().functions[0].slots;
    let registers = leaf.state.machine.registers(MAIN).iter().zip(state.registers(MAIN));
    for (index, (symbolic, concrete)) in registers.enumerate() {
        let width = if slots[index].width == 0 { 64 } else { slots[index].width };
        assert!(
            same(evaluation, *symbolic, *concrete, width),
            "seed {seed}, register {index}: {symbolic:?} and {concrete:?}"
        );
    }
    for at in 0..SIZE {
        let symbolic = machine.global_value(&leaf.state.machine, GLOBAL, at, 1);
        let concrete = machine.global_value(state, GLOBAL, at, 1);
        if let (Some(symbolic), Some(concrete)) = (symbolic, concrete) {
            assert!(same(evaluation, symbolic, concrete, 8), "seed {seed}, byte {at}");
        }
    }
    for (at, len) in [(0, 8), (8, 8), (16, 8), (24, 8), (0, 4), (4, 4), (2, 2)] {
        let symbolic = machine.global_value(&leaf.state.machine, GLOBAL, at, len);
        let concrete = machine.global_value(state, GLOBAL, at, len);
        if let (Some(symbolic), Some(concrete)) = (symbolic, concrete) {
            assert!(same(evaluation, symbolic, concrete, 8 * len as u8), "seed {seed}, {len} bytes at {at}");
        }
    }
}

#[test]
fn symbolic_and_concrete_execution_agree() {
    let seeds = std::env::var("THREADPROOF_SEEDS").unwrap_or_else(|_| "0..1500".to_owned());
    let (first, last) = seeds.split_once("..").expect("a range of seeds");
    let (first, last): (u64, u64) = (first.parse().expect("a seed"), last.parse().expect("a seed"));
    let mut totals = [0; 3];
    for seed in first..last {
        check(seed, &mut totals);
    }
    let [leaves, to_the_end, unsupported] = totals;
    println!("{leaves} ends, {to_the_end} runs to the end, {unsupported} unsupported");
    let count = last - first;
    assert!(leaves > 3 * count && to_the_end > count && unsupported < 2 * count, "{totals:?}");
}
