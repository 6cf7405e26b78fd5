//! Random formulas about random programs: the verdict with reduction is that without, and
//! engines agree on safety formulas; under sequential consistency and where stores wait in
//! buffers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Bounds, Budget, Engine, Progress, Task, Verdict};
use fastrand::Rng;
use generate::{Group, Shape, sketch};
use ir::LayoutKind;
use machine::{Config, Fairness, Grain, Machine, MemoryModel, Properties, Property, Question, Temporal};

const SEEDS: std::ops::Range<u64> = 0..400;
/// The longest that a test run goes on to new seeds.
const TIME: Duration = Duration::from_secs(45);
/// The longest that one search may take.
const MAX_TIME: Duration = Duration::from_secs(2);
/// How many formulas are asked about a program.
const FORMULAS: usize = 6;

/// The models whose stores wait in buffers.
const BUFFERED: [MemoryModel; 2] = [MemoryModel::Tso, MemoryModel::Pso];

/// Programs are smaller where stores wait in buffers.
fn program(model: MemoryModel, seed: u64) -> Arc<ir::Program> {
    let all = vec![Group::Control, Group::Atomics, Group::Mutexes, Group::OtherLocks];
    let groups = if seed.is_multiple_of(2) { vec![Group::Control, Group::Atomics] } else { all };
    let most = if model.has_buffers() { 2 } else { 3 };
    let shape = Shape { threads: (2, 2), operations: (1, most), groups };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.c");
    std::fs::write(&path, sketch(seed, &shape).to_string()).unwrap();
    Arc::new(frontend::load(&[path], &frontend::Options::default()).unwrap())
}

/// The names of the program's global numbers.
fn numbers(program: &ir::Program) -> Vec<String> {
    let is_number = |global: &&ir::Global| {
        let kind = global.layout.map(|layout| &program.layouts.get(layout).kind);
        matches!(kind, Some(LayoutKind::Int { .. })) && !global.thread_local && !global.constant
    };
    program.globals.iter().filter(is_number).map(|global| program.name(global.name).to_owned()).collect()
}

/// Where threads may stand.
fn positions(program: &ir::Program) -> Vec<String> {
    let mut found = Vec::new();
    for (function, id) in program.functions.iter().zip(0..).filter(|(function, _)| !function.library) {
        for span in &function.spans {
            let at = program.location(ir::FuncId(id), *span);
            let threads = if at.function == "main" { ["main", "main"] } else { ["T1", "T2"] };
            if at.line != 0 && at.function == program.name(function.name) {
                found.extend(threads.map(|thread| format!("{thread}@{}:{}", at.function, at.line)));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// What formulas are about.
struct Names {
    numbers: Vec<String>,
    positions: Vec<String>,
}

fn atom(random: &mut Rng, names: &Names) -> String {
    match random.u8(..8) {
        0 => return "terminated".to_owned(),
        1 | 2 => return names.positions[random.usize(..names.positions.len())].clone(),
        _ => {}
    }
    let names = &names.numbers;
    let comparison = ["==", "!=", "<", ">="][random.usize(..4)];
    format!("\"{} {comparison} {}\"", names[random.usize(..names.len())], random.u8(..3))
}

fn formula(random: &mut Rng, names: &Names, size: u8) -> String {
    if size <= 1 {
        return atom(random, names);
    }
    let mut sub = || formula(random, names, size / 2);
    let (a, b) = (sub(), sub());
    match random.u8(..8) {
        0 => format!("F ({a})"),
        1 => format!("G ({a})"),
        2 => format!("G F ({a})"),
        3 => format!("!({a})"),
        4 => format!("({a} && {b})"),
        5 => format!("({a} U {b})"),
        6 => format!("({a} W {b})"),
        _ => format!("G ({a} -> F {b})"),
    }
}

/// Whether a formula holds, if that is found out; a counterexample must replay.
fn holds(machine: &Machine, reduction: Grain) -> Option<bool> {
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME));
    let (bounds, progress) = (Bounds::default(), Progress::default());
    let options = explicit::Options { reduction, ..explicit::Options::default() };
    match explicit::check(&Task { machine, budget: &budget, bounds, progress: &progress }, options).verdict {
        Verdict::Holds { .. } => Some(true),
        Verdict::Violated { fault, trace } => {
            trace::replay(machine, &trace, &fault, &mut ()).unwrap_or_else(|error| panic!("{error}"));
            Some(false)
        }
        Verdict::Unknown { .. } => None,
    }
}

/// A safety formula, because of how it is written.
fn safety_formula(random: &mut Rng, names: &Names, size: u8) -> String {
    if size <= 1 {
        let atom = atom(random, names);
        return if random.bool() { atom } else { format!("!{atom}") };
    }
    let mut sub = || safety_formula(random, names, size / 2);
    let (a, b) = (sub(), sub());
    match random.u8(..6) {
        0 | 1 => format!("G ({a} || {b})"),
        2 => format!("({a} && {b})"),
        3 => format!("({a} || {b})"),
        4 => format!("({a} W {b})"),
        _ => format!("({a} R {b})"),
    }
}

/// The model under which a program is looked at.
fn model(models: &[MemoryModel], seed: u64) -> MemoryModel {
    models[seed as usize / 2 % models.len()]
}

/// A machine under a memory model that is asked these formulas.
fn machine(
    memory_model: MemoryModel,
    program: &Arc<ir::Program>,
    formulas: Vec<String>,
    fairness: Fairness,
) -> Machine {
    let question = Question { formulas, names: Vec::new(), fairness };
    let temporal = Some(Temporal::new(question, program).unwrap());
    let properties = [Property::Ltl].into_iter().collect();
    let assumed = Properties::undefined();
    let config = Config { properties, temporal, assumed, memory_model, ..Config::default() };
    Machine::new(Arc::clone(program), config)
}

/// Whether the formulas hold, as an engine says; a counterexample must replay.
fn engine_says(engine: &dyn Engine, machine: &Machine) -> Option<bool> {
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME));
    let (bounds, progress) = (Bounds::default(), Progress::default());
    match engine.check(&Task { machine, budget: &budget, bounds, progress: &progress }).verdict {
        Verdict::Holds { .. } => Some(true),
        Verdict::Violated { fault, trace } => {
            trace::replay(machine, &trace, &fault, &mut ()).unwrap_or_else(|error| panic!("{error}"));
            Some(false)
        }
        Verdict::Unknown { .. } => None,
    }
}

/// A formula that is always true, but that the state graph is needed for.
fn always_true(names: &Names) -> String {
    let number = &names.numbers[0];
    format!("G F \"{number} >= 0 || {number} < 0\"")
}

/// Engines that find faults of steps say of safety formulas what the state graph says.
fn decide_step_by_step(models: &[MemoryModel]) {
    let start = Instant::now();
    let unreduced = explicit::Options { reduction: Grain::Instruction, ..explicit::Options::default() };
    let checked = explicit::Options { remember: explicit::Remember::Checked, ..explicit::Options::default() };
    let engines: [(&str, Box<dyn Engine>); 6] = [
        (
            "csdr",
            Box::new(explicit::Explicit { options: checked, checkpoints: None, peers: None, spill: None }),
        ),
        (
            "csdr without reduction",
            Box::new(explicit::Explicit { options: unreduced, checkpoints: None, peers: None, spill: None }),
        ),
        ("reference", Box::new(reference::Reference::default())),
        ("stateless", Box::new(stateless::Stateless::default())),
        ("stateless dfs", Box::new(depth_first())),
        ("bounded", Box::new(bounded::Bounded::default())),
    ];
    let (mut compared, mut violated) = ([0; 6], 0);
    for seed in SEEDS.take_while(|_| start.elapsed() < TIME) {
        let (model, mut random) = (model(models, seed), Rng::with_seed(seed));
        let program = program(model, seed);
        let names = Names { numbers: numbers(&program), positions: positions(&program) };
        for _ in 0..FORMULAS.min(FORMULAS * names.numbers.len()) {
            let size = [2, 4, 8][random.usize(..3)];
            let text = safety_formula(&mut random, &names, size);
            let by_graph = machine(model, &program, vec![text.clone(), always_true(&names)], Fairness::None);
            let by_steps = machine(model, &program, vec![text.clone()], Fairness::None);
            assert!(!by_graph.has_monitor());
            let Some(expected) = holds(&by_graph, Grain::Instruction) else { continue };
            if !by_steps.has_monitor() {
                continue;
            }
            for ((name, engine), count) in engines.iter().zip(&mut compared) {
                let Some(found) = engine_says(&**engine, &by_steps) else { continue };
                assert_eq!(found, expected, "seed {seed}, {model}, {name}: {text}");
                *count += 1;
            }
            violated += usize::from(!expected);
        }
    }
    println!("{models:?}: formulas compared by engine: {compared:?}, {violated} violated");
    assert!(compared.iter().all(|count| *count >= 5) && violated >= 2, "{compared:?}, {violated}");
}

#[test]
fn safety_formulas_are_decided_step_by_step() {
    decide_step_by_step(&[MemoryModel::Sc]);
}

#[test]
fn safety_formulas_are_decided_step_by_step_where_stores_wait() {
    decide_step_by_step(&BUFFERED);
}

fn depth_first() -> stateless::Stateless {
    let options = stateless::Options { search: stateless::Strategy::Dfs, ..stateless::Options::default() };
    stateless::Stateless { options, ..stateless::Stateless::default() }
}

/// Verdicts with and without reduction.
fn compare_reductions(models: &[MemoryModel]) {
    let start = Instant::now();
    let (mut compared, mut violated) = (0, 0);
    for seed in SEEDS.take_while(|_| start.elapsed() < TIME) {
        let (model, mut random) = (model(models, seed), Rng::with_seed(seed));
        let program = program(model, seed);
        let names = Names { numbers: numbers(&program), positions: positions(&program) };
        for _ in 0..FORMULAS {
            if names.numbers.is_empty() {
                continue;
            }
            let text = formula(&mut random, &names, 4);
            let fairness = [Fairness::None, Fairness::Weak, Fairness::Strong][random.usize(..3)];
            let machine = machine(model, &program, vec![text.clone()], fairness);
            let Some(full) = holds(&machine, Grain::Instruction) else { continue };
            let Some(reduced) = holds(&machine, Grain::Visible) else { continue };
            assert_eq!(reduced, full, "seed {seed}, {model}, {fairness:?}, {text}");
            compared += 1;
            violated += usize::from(!full);
        }
    }
    println!("{models:?}: {compared} formulas compared, {violated} violated");
    assert!(compared >= 25 && violated >= 5, "only {compared} formulas, {violated} violated");
}

#[test]
fn reduction_keeps_what_formulas_mean() {
    compare_reductions(&[MemoryModel::Sc]);
}

#[test]
fn reduction_keeps_what_formulas_mean_where_stores_wait() {
    compare_reductions(&BUFFERED);
}
