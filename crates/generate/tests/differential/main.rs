//! Searches that should agree, on random programs.
//!
//! For each seed, a naive enumeration of the states, instruction by
//! instruction, says what the program can do; the reduced enumeration and the
//! reference engine, reduced and not, must say the same: which final states
//! there are, which faults and where, the verdict for each property on its own.
//! Random executions must not lead to anything else. Every counterexample must
//! replay. The explicit engine must agree with the reference, in every order and
//! with any number of threads. Threads with other numbers must do the same. The
//! stateless engine must agree too, and run every trace once. Symbolic execution
//! must lead to the same faults and final states, with inputs from their
//! narrowed domains and from all values; and so must the engine `bounded`. The
//! static analysis must know of every race. Under memory models with store buffers
//! the engines that follow them must agree in the same way, and a weaker model must
//! allow all that a stronger one does.
//!
//! `THREADPROOF_SEEDS=1000..9000` runs those seeds instead of the usual ones,
//! `THREADPROOF_SEEDS=4711` one, and shows what it is about.
//! `THREADPROOF_GROUPS=Reuse,Mutexes` has programs use these groups alone.

mod analysed;
mod bounded;
mod bounded_reduction;
mod compare;
mod engines;
mod impact;
mod naive;
mod renamed;
mod robust;
mod stateless;
mod symbolic;
mod traces;
mod transactions;
mod twins;
mod walk;
mod weak;

#[path = "../common/alike.rs"]
mod alike;
#[path = "../common/mod.rs"]
mod common;

use std::time::Duration;

use generate::{Group, Shape};

use common::{Usual, chosen_seeds, run};
use compare::{compare, compare_reduction, compare_symbolically};

/// What an ordinary test run compares.
const USUAL: Usual = Usual { seeds: 0..300, time: Duration::from_secs(80) };

#[test]
fn reduced_and_unreduced_searches_agree() {
    let tally = run(&USUAL, compare, |_| Shape::default());
    if chosen_seeds().is_none() {
        tally.check_variety();
    }
}

/// What an ordinary test run compares of programs that are pieces of C.
const PIECES: Usual = Usual { seeds: 0..90, time: Duration::from_secs(12) };

#[test]
fn searches_agree_on_pieces_of_c() {
    run(&PIECES, compare, |seed| {
        let groups = vec![Group::PIECES[seed as usize % Group::PIECES.len()]];
        Shape { threads: (2, 2), operations: (1, 2), groups }
    });
}

#[test]
fn symbolic_and_concrete_searches_agree() {
    let tally = run(&USUAL, compare_symbolically, with_inputs);
    if chosen_seeds().is_none() {
        tally.check_symbolic();
    }
}

#[test]
fn bounded_and_reference_agree() {
    let tally = run(&USUAL, bounded::compare, with_inputs);
    if chosen_seeds().is_none() {
        tally.check_bounded();
    }
}

/// What an ordinary test run compares `impact` on.
const PROVEN: Usual = Usual { seeds: 0..150, time: Duration::from_secs(60) };

#[test]
fn impact_and_reference_agree() {
    let tally = run(&PROVEN, impact::compare, |seed| match seed % 3 {
        0 => with_inputs(seed),
        1 => Shape::default(),
        _ => {
            let groups = vec![Group::PIECES[seed as usize % Group::PIECES.len()]];
            Shape { threads: (2, 2), operations: (1, 2), groups }
        }
    });
    if chosen_seeds().is_none() {
        tally.check_bounded();
        tally.check_races();
    }
}

/// What an ordinary test run compares the static analysis on.
const ANALYSED: Usual = Usual { seeds: 0..600, time: Duration::from_secs(30) };

#[test]
fn executions_race_only_where_the_analysis_says() {
    let tally = run(&ANALYSED, analysed::compare, |seed| match seed % 3 {
        0 => {
            let groups = vec![Group::PIECES[seed as usize % Group::PIECES.len()]];
            Shape { threads: (2, 2), operations: (1, 3), groups }
        }
        _ => Shape::default(),
    });
    if chosen_seeds().is_none() {
        tally.check_proven();
    }
}

/// What an ordinary test run compares under weaker memory models.
const WEAK: Usual = Usual { seeds: 0..200, time: Duration::from_secs(40) };

#[test]
fn searches_agree_under_weaker_memory_models() {
    let tally = run(&WEAK, weak::compare, |seed| {
        let other = Group::BASIC[seed as usize / 2 % Group::BASIC.len()];
        let groups = if seed % 2 == 0 { vec![Group::Plain] } else { vec![Group::Atomics, other] };
        Shape { threads: (2, 2), operations: (2, 3), groups }
    });
    if chosen_seeds().is_none() {
        tally.check_weak();
    }
}

/// What an ordinary test run compares `bounded` on where stores wait in buffers.
const BUFFERED: Usual = Usual { seeds: 0..200, time: Duration::from_secs(40) };

#[test]
fn bounded_and_reference_agree_under_weaker_memory_models() {
    let tally = run(&BUFFERED, bounded::compare_with_buffers, |seed| {
        let memory = if seed % 2 == 0 { Group::Plain } else { Group::Atomics };
        Shape { threads: (2, 2), operations: (2, 3), groups: vec![Group::Choices, Group::Arithmetic, memory] }
    });
    if chosen_seeds().is_none() {
        tally.check_bounded();
    }
}

#[test]
fn traces_are_robust_exactly_if_none_has_a_cycle() {
    let started = std::time::Instant::now();
    let (mut cyclic, mut acyclic, mut left_out) = (0, 0, 0);
    for seed in chosen_seeds().unwrap_or(0..400) {
        if started.elapsed() > Duration::from_secs(40) {
            break;
        }
        let source = traces::program(seed);
        let program = common::load(&source).unwrap_or_else(|wrong| panic!("{}", wrong.message));
        match traces::compare(&program.into()) {
            Ok(Some(true)) => cyclic += 1,
            Ok(Some(false)) => acyclic += 1,
            Ok(None) => left_out += 1,
            Err(wrong) => panic!("seed {seed}: {}\n{source}", wrong.message),
        }
    }
    println!("{cyclic} programs with a cycle, {acyclic} without, {left_out} with too many executions");
    assert!(chosen_seeds().is_some() || cyclic > 3 && acyclic > 3, "all traces are alike");
}

/// Inputs and what depends on them, with something else.
fn with_inputs(seed: u64) -> Shape {
    let groups = vec![Group::Choices, Group::Arithmetic, Group::BASIC[seed as usize % Group::BASIC.len()]];
    Shape { threads: (1, 2), operations: (2, 5), groups }
}

#[test]
fn leaving_the_active_thread_alone_changes_nothing() {
    run(&USUAL, compare_reduction, |_| Shape::default());
}

/// What an ordinary test run compares of programs whose threads are alike.
const ALIKE: Usual = Usual { seeds: 0..300, time: Duration::from_secs(30) };

#[test]
fn one_of_several_twins_is_enough() {
    let tally = run(&ALIKE, twins::compare, |_| Shape { operations: (1, 4), ..Shape::default() });
    if chosen_seeds().is_none() {
        assert!(tally.reduced_states < tally.states, "no program has twins: {tally}");
    }
}

/// What an ordinary test run compares with and without transactions.
const TRANSACTIONS: Usual = Usual { seeds: 0..300, time: Duration::from_secs(40) };

#[test]
fn transactions_change_nothing() {
    let tally = run(&TRANSACTIONS, transactions::compare, |seed| match seed / 2 % 3 {
        0 => Shape { operations: (1, 4), ..Shape::default() },
        1 => Shape { operations: (2, 4), groups: vec![Group::Mutexes, Group::Plain], ..Shape::default() },
        _ => {
            let other = Group::BASIC[seed as usize / 6 % Group::BASIC.len()];
            Shape { operations: (1, 4), groups: vec![Group::Mutexes, other], ..Shape::default() }
        }
    });
    if chosen_seeds().is_none() {
        assert!(tally.reduced_states < tally.states, "no program has transactions: {tally}");
    }
}
