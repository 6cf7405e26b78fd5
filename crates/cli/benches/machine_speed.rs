//! How fast the machine is: IR instructions per second in sequential code, and
//! visible steps per second (with and without race detection, with and without
//! the canonical form that a search needs of every state) in racy code.
//!
//! `cargo bench -p threadproof --bench machine_speed`

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use machine::{Config, Grain, Machine, Observer, Properties, Property};

fn load(name: &str, properties: &[Property]) -> Machine {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/machine").join(name);
    let program = frontend::load(&[path], &frontend::Options::default()).expect("the benchmark loads");
    let config =
        Config { properties: properties.iter().copied().collect::<Properties>(), ..Config::default() };
    Machine::new(Arc::new(program), config)
}

/// Runs to the end, turning to another thread at every step; yields the steps.
fn run(
    machine: &Machine,
    grain: Grain,
    observer: &mut impl Observer,
    mut each: impl FnMut(&machine::State),
) -> u64 {
    let mut state = machine.initial();
    let mut steps = 0;
    loop {
        let runnable = machine.runnable(&state);
        let thread = runnable[steps as usize % runnable.len()];
        steps += 1;
        if machine.step(&mut state, thread, 0, grain, observer).end.is_some() {
            return steps;
        }
        each(&state);
    }
}

fn instructions(name: &str) {
    let machine = load(name, &[Property::Assert, Property::Memory]);
    let count = run(&machine, Grain::Instruction, &mut (), |_| {});
    let start = Instant::now();
    run(&machine, Grain::Visible, &mut (), |_| {});
    let rate = count as f64 / start.elapsed().as_secs_f64();
    println!("{name:14} {:8.1} million instructions/s ({:.2} of the aim of 30)", rate / 1e6, rate / 30e6);
}

fn steps(label: &str, properties: &[Property], canonical: bool) {
    let machine = load("racy.c", properties);
    let mut buffer = Vec::new();
    let start = Instant::now();
    let mut count = 0;
    for _ in 0..50 {
        count += run(&machine, Grain::Visible, &mut (), |state| {
            if canonical {
                buffer.clear();
                machine.canonical(&state.clone(), &mut buffer);
            }
        });
    }
    let rate = count as f64 / start.elapsed().as_secs_f64();
    println!("racy.c {label:40} {:8.2} million visible steps/s", rate / 1e6);
}

fn main() {
    instructions("sequential.c");
    instructions("memory.c");
    steps("without race detection", &[Property::Assert], false);
    steps("with race detection", &[Property::Race], false);
    steps("with a clone and the canonical form", &[Property::Assert], true);
    steps("with race detection and canonical form", &[Property::Race], true);
}
