//! Forks, places and faults on small programs written by hand.

use std::sync::Arc;

use ir::{
    Access, BinOp, Domain, Failure, FuncId, Global, GlobalId, Instr, Operand, Pred, Program, Reg, Span,
    Symbol, SyncOp,
};
use logic::{Limits, SolverKind, Terms};
use machine::{Config, End, Grain, Machine, ThreadId};
use symbolic::{Executor, Questions, State, Successor};

const MAIN: ThreadId = ThreadId(0);
const ARRAY: Operand = Operand::Global(GlobalId(0), 0);

fn reg(index: u32) -> Operand {
    Operand::Reg(Reg(index))
}

fn input(width: u8, dst: u32) -> Instr {
    Instr::Nondet { width, dst: Reg(dst), domain: Domain::Full, origin: Symbol(0) }
}

fn element(dst: u32, index: u32, scale: i64) -> Instr {
    Instr::PtrAdd { dst: Reg(dst), base: ARRAY, index: reg(index), scale, offset: 0 }
}

fn compare(pred: Pred, width: u8, dst: u32, lhs: Operand, rhs: u64) -> Instr {
    Instr::Compare { pred, width, dst: Reg(dst), lhs, rhs: Operand::Int(rhs) }
}

fn fail() -> Instr {
    Instr::Fail { kind: Failure::Assertion, message: Symbol(0) }
}

/// A machine for one function with slots of these widths and an array of 400
/// bytes, the n-th of which is n modulo 256.
fn machine(slots: &[u8], code: Vec<Instr>) -> Machine {
    let mut function = ir::testing::function(code);
    for width in slots {
        function.add_slot(*width, None);
    }
    let global = Global {
        name: Symbol(0),
        size: 400,
        align: 16,
        init: (0..400).map(|index| index as u8).collect(),
        relocations: Vec::new(),
        constant: false,
        undefined: false,
        thread_local: false,
        layout: None,
        span: Span::default(),
    };
    let program = Program {
        pointer_width: 64,
        functions: vec![function],
        globals: vec![global],
        entry: Some(FuncId(0)),
        symbols: vec!["main".to_owned()],
        ..Program::default()
    };
    Machine::new(Arc::new(program), Config::default())
}

/// All ends of the program, with the choices that a model of each gives; each
/// is also reached concretely, with the same end and faults.
fn ends(machine: &Machine) -> Vec<(Successor, Vec<u64>)> {
    let mut terms = Terms::new();
    let mut guide = Questions::new(logic::open(SolverKind::Cadical).expect("built in"), Limits::default());
    let mut executor = Executor::new(machine);
    let mut work = vec![State::initial(machine)];
    let mut ends = Vec::new();
    while let Some(state) = work.pop() {
        for next in executor.step(&mut terms, &mut guide, state, MAIN, 0, Grain::Visible) {
            if next.step.end.is_none() {
                work.push(next.state);
                continue;
            }
            let model = guide.model(&terms, &next.state.path).expect("an answer").expect("a possible path");
            let choices = next.state.choices(&terms, &model);
            let (end, faults) = concretely(machine, &choices);
            assert_eq!(next.step.end, end);
            assert_eq!(names(&next.step), faults);
            ends.push((next, choices));
        }
    }
    assert_eq!(guide.error(), None);
    ends
}

fn names(step: &machine::Step) -> Vec<&'static str> {
    step.faults.iter().map(|fault| fault.kind.name()).collect()
}

fn concretely(machine: &Machine, choices: &[u64]) -> (Option<End>, Vec<&'static str>) {
    let mut state = machine.initial();
    let mut choices = choices.iter();
    loop {
        let choice = if machine.reads_input(&state, MAIN) { *choices.next().expect("an input") } else { 0 };
        let step = machine.step(&mut state, MAIN, choice, Grain::Visible, &mut ());
        machine.refresh_sharing(&mut state);
        if step.end.is_some() {
            return (step.end.clone(), names(&step));
        }
    }
}

fn faults(ends: &[(Successor, Vec<u64>)]) -> Vec<&'static str> {
    let mut faults: Vec<_> = ends.iter().flat_map(|(end, _)| names(&end.step)).collect();
    faults.sort_unstable();
    faults
}

#[test]
fn the_root_of_a_number_is_found() {
    let machine = machine(
        &[32, 32, 1, 1],
        vec![
            input(32, 0),
            compare(Pred::Ult, 32, 2, reg(0), 1000),
            Instr::Assume { cond: reg(2) },
            Instr::Binary {
                op: BinOp::Mul,
                width: 32,
                no_signed_wrap: true,
                dst: Reg(1),
                lhs: reg(0),
                rhs: reg(0),
            },
            compare(Pred::Eq, 32, 3, reg(1), 529),
            Instr::Branch { cond: reg(3), yes: 6, no: 7 },
            fail(),
            Instr::Exit { code: None },
        ],
    );
    let ends = ends(&machine);
    let failing = ends.iter().find(|(end, _)| names(&end.step) == ["assertion"]).expect("23 is the root");
    assert_eq!(failing.1, [23]);
    // One in which the assumption is false, one with each outcome.
    assert_eq!(ends.len(), 3);
}

#[test]
fn an_unknown_place_in_an_array_is_one_case() {
    let machine = machine(
        &[64, 64, 32, 1],
        vec![
            input(64, 0),
            element(1, 0, 4),
            Instr::Store { width: 32, ptr: reg(1), value: Operand::Int(77), access: Access::default() },
            // What stood at 20..24 is overwritten only if the index is 5.
            Instr::Load {
                width: 32,
                dst: Reg(2),
                ptr: Operand::Global(GlobalId(0), 20),
                access: Access::default(),
            },
            compare(Pred::Eq, 32, 3, reg(2), 77),
            Instr::Branch { cond: reg(3), yes: 6, no: 7 },
            fail(),
            Instr::Exit { code: None },
        ],
    );
    let ends = ends(&machine);
    assert_eq!(faults(&ends), ["assertion", "out-of-bounds"]);
    assert_eq!(ends.len(), 3);
    let failing = ends.iter().find(|(end, _)| names(&end.step) == ["assertion"]).expect("index 5");
    // 4 * x wraps: the top bits of the index do not matter.
    assert_eq!(failing.1[0] << 2, 20);
}

#[test]
fn division_has_three_ways() {
    let machine = machine(
        &[32, 32, 32],
        vec![
            input(32, 0),
            input(32, 1),
            Instr::Binary {
                op: BinOp::SDiv,
                width: 32,
                no_signed_wrap: false,
                dst: Reg(2),
                lhs: reg(0),
                rhs: reg(1),
            },
            Instr::Exit { code: None },
        ],
    );
    let ends = ends(&machine);
    assert_eq!(faults(&ends), ["division-by-zero", "division-overflow"]);
    assert_eq!(ends.len(), 3);
}

/// Which of the mutexes is locked is known when the thread stands at the lock.
#[test]
fn an_unknown_mutex_is_settled() {
    let machine = machine(
        &[64, 64, 1],
        vec![
            input(64, 0),
            compare(Pred::Ult, 64, 2, reg(0), 3),
            Instr::Assume { cond: reg(2) },
            // All-zero bytes are mutexes.
            Instr::MemSet { dst: ARRAY, byte: Operand::Int(0), len: Operand::Int(400) },
            element(1, 0, 40),
            Instr::Sync { op: SyncOp::MutexLock, dst: None, args: vec![reg(1)].into() },
            Instr::Sync {
                op: SyncOp::MutexUnlock,
                dst: None,
                args: vec![Operand::Global(GlobalId(0), 40)].into(),
            },
            Instr::Exit { code: None },
        ],
    );
    let ends = ends(&machine);
    assert_eq!(faults(&ends), ["unlock-not-held", "unlock-not-held"]);
    // Three mutexes, and the assumption that is false.
    assert_eq!(ends.len(), 4);
}

#[test]
fn pieces_of_an_unknown_number_come_together() {
    let machine = machine(
        &[64, 64, 32, 64, 1],
        vec![
            input(64, 0),
            Instr::Store { width: 64, ptr: ARRAY, value: reg(0), access: Access::default() },
            // Byte by byte over itself, and the middle read across.
            Instr::MemCopy {
                dst: Operand::Global(GlobalId(0), 17),
                src: ARRAY,
                len: Operand::Int(8),
                may_overlap: true,
            },
            Instr::Load {
                width: 64,
                dst: Reg(3),
                ptr: Operand::Global(GlobalId(0), 17),
                access: Access::default(),
            },
            Instr::Compare { pred: Pred::Eq, width: 64, dst: Reg(4), lhs: reg(0), rhs: reg(3) },
            Instr::Branch { cond: reg(4), yes: 7, no: 6 },
            fail(),
            Instr::Exit { code: None },
        ],
    );
    let ends = ends(&machine);
    assert_eq!(faults(&ends), Vec::<&str>::new());
    assert_eq!(ends.len(), 1);
}
