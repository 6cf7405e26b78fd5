//! How many symbolic steps per second: a straight-line loop over an unknown
//! value that never forks, with the value in a register and in memory.
//!
//! `cargo bench -p symbolic --bench symbolic_speed`

use std::sync::Arc;
use std::time::Instant;

use ir::{Access, BinOp, Domain, FuncId, Global, GlobalId, Instr, Operand, Pred, Program, Reg, Span, Symbol};
use logic::Terms;
use machine::{Config, Grain, Machine, ThreadId};
use symbolic::{Blind, Executor, State};

const ROUNDS: u64 = 200_000;

fn program() -> Program {
    let (x, i, more, seen) = (Reg(0), Reg(1), Reg(2), Reg(3));
    let reg = Operand::Reg;
    let int = Operand::Int;
    let place = Operand::Global(GlobalId(0), 0);
    let access = Access::default();
    let binary = |op, dst, lhs, rhs| Instr::Binary { op, width: 32, no_signed_wrap: false, dst, lhs, rhs };
    let code = vec![
        Instr::Nondet { width: 32, dst: x, domain: Domain::Full, origin: Symbol(0) },
        Instr::Move { width: 32, dst: i, src: int(0) },
        // The loop: eight instructions, five of them on unknown values.
        binary(BinOp::Mul, x, reg(x), int(3)),
        binary(BinOp::Xor, x, reg(x), reg(i)),
        Instr::Store { width: 32, ptr: place, value: reg(x), access },
        Instr::Load { width: 32, dst: seen, ptr: place, access },
        binary(BinOp::Add, x, reg(seen), int(7)),
        binary(BinOp::Add, i, reg(i), int(1)),
        Instr::Compare { pred: Pred::Ult, width: 32, dst: more, lhs: reg(i), rhs: int(ROUNDS) },
        Instr::Branch { cond: reg(more), yes: 2, no: 10 },
        Instr::Exit { code: None },
    ];
    let mut function = ir::testing::function(code);
    for width in [32, 32, 1, 32] {
        function.add_slot(width, None);
    }
    let global = Global {
        name: Symbol(0),
        size: 8,
        align: 8,
        init: Vec::new(),
        relocations: Vec::new(),
        constant: false,
        undefined: false,
        thread_local: false,
        layout: None,
        span: Span::default(),
    };
    Program {
        pointer_width: 64,
        functions: vec![function],
        globals: vec![global],
        entry: Some(FuncId(0)),
        symbols: vec!["main".to_owned()],
        ..Program::default()
    }
}

fn main() {
    let machine = Machine::new(Arc::new(program()), Config::default());
    for grain in [Grain::Visible, Grain::Instruction] {
        let mut terms = Terms::new();
        let mut executor = Executor::new(&machine);
        let mut state = State::initial(&machine);
        let (started, mut steps) = (Instant::now(), 0u64);
        loop {
            let mut next = executor.step(&mut terms, &mut Blind, state, ThreadId(0), 0, grain);
            steps += 1;
            assert_eq!(next.len(), 1, "the loop does not fork");
            let next = next.remove(0);
            if next.step.end.is_some() {
                break;
            }
            state = next.state;
        }
        let seconds = started.elapsed().as_secs_f64();
        let instructions = (8 * ROUNDS) as f64 / seconds;
        println!(
            "{grain:?}: {:.2} million instructions/s on terms ({:.1} of the bar of 0.2), {steps} steps, {} terms",
            instructions / 1e6,
            instructions / 2e5,
            terms.len(),
        );
    }
}
