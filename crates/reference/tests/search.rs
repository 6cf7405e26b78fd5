//! The search on programs made by hand, with counts that theory gives.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use engine::{Bounds, Budget, Cut, Exceeded, Limit, Outcome, Progress, Reason, Task, Verdict};
use ir::{
    Access, BinOp, Domain, Failure, FuncId, Function, Global, GlobalId, Instr, Operand, Order, Pred, Program,
    Reg, RmwOp, Span, Symbol, SyncOp,
};
use machine::{Config, FaultKind, Grain, Machine, Properties, Property};
use reference::Options;

const X: GlobalId = GlobalId(0);
const LOCKS: [GlobalId; 2] = [GlobalId(1), GlobalId(2)];
const HANDLES: GlobalId = GlobalId(3);

/// A program whose `main` starts one thread per worker, joins them all and
/// then runs `last`. Workers may use the registers 0 to 3, of 32 bits but for
/// the last, which has 1.
fn program(workers: Vec<Vec<Instr>>, last: Vec<Instr>) -> Program {
    let mut program = Program { pointer_width: 64, entry: Some(FuncId(0)), ..Program::default() };
    program.files.push(ir::SourceFile { path: "made.c".to_owned() });
    program.symbols = ["main", "worker", "x", "a", "b", "handles", "nondet"].map(str::to_owned).to_vec();
    for (name, size) in [(2, 4), (3, 40), (4, 40), (5, 80)] {
        program.globals.push(Global {
            name: Symbol(name),
            size,
            align: 8,
            init: Vec::new(),
            relocations: Vec::new(),
            constant: false,
            undefined: false,
            thread_local: false,
            layout: None,
            span: Span::default(),
        });
    }
    let mut main = Vec::new();
    for index in 0..workers.len() as u32 {
        let handle = Operand::Global(HANDLES, 8 * index as i32);
        let start = Operand::Function(FuncId(index + 1));
        main.push(sync(SyncOp::ThreadCreate, &[handle, Operand::Int(0), start, Operand::Int(0)]));
    }
    for index in 0..workers.len() as i32 {
        let ptr = Operand::Global(HANDLES, 8 * index);
        main.push(Instr::Load { width: 64, dst: Reg(4), ptr, access: Access::default() });
        main.push(sync(SyncOp::ThreadJoin, &[Operand::Reg(Reg(4)), Operand::Int(0)]));
    }
    // Jumps in `last` are relative to its start.
    let start = main.len() as u32;
    main.extend(last.into_iter().map(|instr| match instr {
        Instr::Branch { cond, yes, no } => Instr::Branch { cond, yes: yes + start, no: no + start },
        instr => instr,
    }));
    main.push(Instr::Exit { code: Some(Operand::Int(0)) });
    program.functions.push(function(0, main, false));
    for mut code in workers {
        code.push(Instr::ThreadExit { value: Operand::Int(0) });
        program.functions.push(function(1, code, true));
    }
    if let Err(invalid) = ir::validate(&program) {
        panic!("{}", invalid.0);
    }
    program
}

fn function(name: u32, code: Vec<Instr>, worker: bool) -> Function {
    let spans = (1..=code.len() as u32).map(|line| Span { line, ..Span::default() }).collect();
    let mut function = Function {
        name: Symbol(name),
        params: Vec::new(),
        variadic: false,
        results: Vec::new(),
        slots: Vec::new(),
        code,
        spans,
        span: Span::default(),
        origin: ir::Origin::default(),
        library: false,
        atomic: false,
    };
    for width in [32, 32, 32, 1, 64] {
        function.add_slot(width, None);
    }
    if worker {
        let reg = function.add_slot(64, None);
        function.params.push(ir::Param { reg, width: 64 });
        function.results.push(64);
    }
    function
}

fn sync(op: SyncOp, args: &[Operand]) -> Instr {
    Instr::Sync { op, dst: None, args: args.into() }
}

fn lock(index: usize) -> Instr {
    sync(SyncOp::MutexLock, &[Operand::Global(LOCKS[index], 0)])
}

fn unlock(index: usize) -> Instr {
    sync(SyncOp::MutexUnlock, &[Operand::Global(LOCKS[index], 0)])
}

fn store(value: Operand) -> Instr {
    Instr::Store { width: 32, ptr: Operand::Global(X, 0), value, access: relaxed() }
}

fn load() -> Instr {
    Instr::Load { width: 32, dst: Reg(0), ptr: Operand::Global(X, 0), access: relaxed() }
}

fn relaxed() -> Access {
    Access { order: Some(Order::Relaxed), volatile: false }
}

fn add_atomically() -> Instr {
    let (op, order) = (RmwOp::Add, Order::SeqCst);
    Instr::AtomicRmw { op, width: 32, dst: Reg(0), ptr: Operand::Global(X, 0), value: Operand::Int(1), order }
}

/// `x = x + 1` in two accesses.
fn increment() -> Vec<Instr> {
    let (lhs, rhs) = (Operand::Reg(Reg(0)), Operand::Int(1));
    let add = Instr::Binary { op: BinOp::Add, width: 32, no_signed_wrap: false, dst: Reg(1), lhs, rhs };
    vec![load(), add, store(Operand::Reg(Reg(1)))]
}

/// Fails unless `x` is `value`.
fn assert_x(value: u64) -> Vec<Instr> {
    let (lhs, rhs) = (Operand::Reg(Reg(0)), Operand::Int(value));
    vec![
        load(),
        Instr::Compare { pred: Pred::Eq, width: 32, dst: Reg(3), lhs, rhs },
        Instr::Branch { cond: Operand::Reg(Reg(3)), yes: 4, no: 3 },
        Instr::Fail { kind: Failure::Assertion, message: Symbol(2) },
    ]
}

fn check_with(program: Program, grain: Grain, budget: &Budget, bounds: Bounds) -> (Machine, Outcome) {
    let properties: Properties = [Property::Assert, Property::Deadlock].into_iter().collect();
    let machine = Machine::new(Arc::new(program), Config { properties, ..Config::default() });
    let progress = Progress::default();
    let outcome = reference::check(
        &Task { machine: &machine, budget, bounds, progress: &progress },
        Options { reduction: grain },
    );
    (machine, outcome)
}

/// Both reductions must agree; the reduced outcome is returned.
fn check(program: Program) -> (Machine, Outcome) {
    let budget = Budget::unlimited();
    let (_, full) = check_with(program.clone(), Grain::Instruction, &budget, Bounds::default());
    let (machine, reduced) = check_with(program, Grain::Visible, &budget, Bounds::default());
    assert_eq!(std::mem::discriminant(&full.verdict), std::mem::discriminant(&reduced.verdict));
    if matches!(full.verdict, Verdict::Holds { .. }) {
        assert_eq!(
            full.stats.count(engine::counters::FINAL_STATES),
            reduced.stats.count(engine::counters::FINAL_STATES)
        );
        assert!(full.stats.count(engine::counters::STATES) >= reduced.stats.count(engine::counters::STATES));
    }
    (machine, reduced)
}

fn fault_of(machine: &Machine, outcome: &Outcome) -> FaultKind {
    let Verdict::Violated { fault, trace } = &outcome.verdict else { panic!("{:?}", outcome.verdict) };
    trace::replay(machine, trace, fault, &mut ()).expect("the trace replays");
    fault.kind.clone()
}

#[test]
fn atomic_increments_all_count() {
    for n in 1..=4 {
        let (_, outcome) = check(program(vec![vec![add_atomically()]; n], assert_x(n as u64)));
        assert!(matches!(outcome.verdict, Verdict::Holds { .. }), "{:?}", outcome.verdict);
        assert_eq!(outcome.stats.count(engine::counters::FINAL_STATES), Some(1));
    }
}

#[test]
fn the_last_write_wins() {
    for n in 1..=4 {
        let workers = (1..=n).map(|i| vec![store(Operand::Int(i))]).collect();
        assert_eq!(check(program(workers, vec![])).1.stats.count(engine::counters::FINAL_STATES), Some(n));
    }
}

#[test]
fn a_lost_update_is_found() {
    let (machine, outcome) = check(program(vec![increment(); 2], assert_x(2)));
    assert!(matches!(fault_of(&machine, &outcome), FaultKind::Assertion { .. }));
    // 1 or 2, if nothing is asserted.
    assert_eq!(
        check(program(vec![increment(); 2], vec![])).1.stats.count(engine::counters::FINAL_STATES),
        Some(2)
    );
}

#[test]
fn locks_in_opposite_order_deadlock() {
    let locked = |first, second| vec![lock(first), lock(second), unlock(second), unlock(first)];
    let (machine, outcome) = check(program(vec![locked(0, 1), locked(1, 0)], vec![]));
    let FaultKind::Deadlock { waits } = fault_of(&machine, &outcome) else { panic!("{:?}", outcome.verdict) };
    assert_eq!(waits.len(), 3, "main and both workers: {waits:?}");
    let (_, outcome) = check(program(vec![locked(0, 1), locked(0, 1)], vec![]));
    assert!(matches!(outcome.verdict, Verdict::Holds { .. }));
}

fn nondet(domain: Domain) -> Vec<Instr> {
    vec![Instr::Nondet { width: 32, dst: Reg(0), domain, origin: Symbol(6) }, store(Operand::Reg(Reg(0)))]
}

#[test]
fn every_data_choice_is_tried() {
    let (_, outcome) = check(program(vec![nondet(Domain::Range { first: 5, count: 7 })], vec![]));
    assert_eq!(outcome.stats.count(engine::counters::FINAL_STATES), Some(7));
}

#[test]
fn a_value_with_too_many_possibilities_is_not_safe() {
    let (_, outcome) = check(program(vec![nondet(Domain::Full), vec![add_atomically()]], vec![]));
    let Verdict::Unknown { reason: Reason::Cut(cuts), .. } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict)
    };
    assert!(matches!(cuts.as_slice(), [Cut::NeedsSymbolic(needs)] if needs.origin == "nondet"));
    // A violation on another branch is still one.
    let (machine, outcome) = check(program(
        vec![nondet(Domain::Full), vec![Instr::Fail { kind: Failure::ErrorCall, message: Symbol(2) }]],
        vec![],
    ));
    assert!(matches!(fault_of(&machine, &outcome), FaultKind::ErrorCall { .. }));
}

#[test]
fn an_exceeded_budget_is_not_safe() {
    let cancelled = Budget::unlimited().with_cancel(Arc::new(AtomicBool::new(true)));
    let program = program(vec![increment(); 2], vec![]);
    let (_, outcome) = check_with(program.clone(), Grain::Visible, &cancelled, Bounds::default());
    let expected = Reason::Exceeded(Exceeded::Cancelled);
    assert!(matches!(outcome.verdict, Verdict::Unknown { reason, .. } if reason == expected));

    let spent = Budget::unlimited().with_timeout(Some(Duration::ZERO));
    let (_, outcome) = check_with(program.clone(), Grain::Instruction, &spent, Bounds::default());
    assert!(matches!(outcome.verdict, Verdict::Unknown { reason: Reason::Exceeded(_), .. }));

    let bounds = Bounds { depth: Some(3), ..Bounds::default() };
    let (_, outcome) = check_with(program, Grain::Visible, &Budget::unlimited(), bounds);
    let Verdict::Unknown { reason: Reason::Cut(cuts), .. } = outcome.verdict else { panic!() };
    assert_eq!(cuts, [Cut::Depth(Limit::asked(3))]);
}
