//! Hand-built programs, for tests.

#![allow(missing_docs)]

use crate::instr::{Arg, CastOp, Instr, Operand, Reg};
use crate::program::{FuncId, Function, Global, GlobalId, Param, Program, Symbol};
use crate::span::{FileId, SourceFile, Span};
use crate::{Access, Callee, Domain, Origin, Pred};

/// An empty 64-bit program with the file `src/prog.c`.
pub fn program() -> Program {
    let files = vec![SourceFile { path: "/home/me/src/prog.c".to_owned() }];
    Program { pointer_width: 64, files, ..Program::default() }
}

pub fn intern(program: &mut Program, name: &str) -> Symbol {
    let found = program.symbols.iter().position(|s| s == name);
    Symbol(found.unwrap_or_else(|| {
        program.symbols.push(name.to_owned());
        program.symbols.len() - 1
    }) as u32)
}

pub fn line(line: u32) -> Span {
    Span { file: FileId(0), line, column: 1, inlined: false }
}

pub fn add_global(program: &mut Program, name: &str, size: u64) -> GlobalId {
    let name = intern(program, name);
    program.globals.push(Global {
        name,
        size,
        align: size.min(8) as u32,
        init: Vec::new(),
        relocations: Vec::new(),
        constant: false,
        undefined: false,
        thread_local: false,
        layout: None,
        span: Span::default(),
    });
    GlobalId(program.globals.len() as u32 - 1)
}

/// A function of this code, without parameters, results and slots.
pub fn function(code: Vec<Instr>) -> Function {
    Function {
        name: Symbol(0),
        params: Vec::new(),
        variadic: false,
        results: Vec::new(),
        slots: Vec::new(),
        spans: vec![Span::default(); code.len()],
        code,
        span: Span::default(),
        origin: Origin::default(),
        library: false,
        atomic: false,
    }
}

/// Adds a function with these parameter and result widths; the parameters are
/// registers 0, 1, ... The first function is the entry.
pub fn add_function(program: &mut Program, name: &str, params: &[u8], results: &[u8]) -> FuncId {
    let name = intern(program, name);
    let mut function = Function { name, results: results.to_vec(), ..function(Vec::new()) };
    for width in params {
        let reg = function.add_slot(*width, None);
        function.params.push(Param { reg, width: *width });
    }
    program.functions.push(function);
    let id = FuncId(program.functions.len() as u32 - 1);
    program.entry = program.entry.or(Some(id));
    id
}

/// A program with the one function `main`, of these slot widths and code.
pub fn single(slots: &[u8], code: Vec<Instr>) -> Program {
    let mut program = program();
    let main = add_function(&mut program, "main", &[], &[]);
    set_code(&mut program, main, slots, code);
    program
}

/// Appends slots to a function and sets its code.
pub fn set_code(program: &mut Program, id: FuncId, slots: &[u8], code: Vec<Instr>) {
    let function = &mut program.functions[id.0 as usize];
    for width in slots {
        function.add_slot(*width, None);
    }
    function.spans = vec![Span::default(); code.len()];
    function.code = code;
}

pub fn r(reg: u32) -> Operand {
    Operand::Reg(Reg(reg))
}

pub fn int(value: i64) -> Operand {
    Operand::Int(value as u64)
}

pub fn int32(value: i32) -> Operand {
    Operand::Int(u64::from(value as u32))
}

pub fn mov(width: u8, dst: u32, src: Operand) -> Instr {
    Instr::Move { width, dst: Reg(dst), src }
}

pub fn nondet(width: u8, dst: u32) -> Instr {
    Instr::Nondet { width, dst: Reg(dst), domain: Domain::Full, origin: Symbol(0) }
}

pub fn compare(pred: Pred, width: u8, dst: u32, lhs: Operand, rhs: Operand) -> Instr {
    Instr::Compare { pred, width, dst: Reg(dst), lhs, rhs }
}

pub fn cast(op: CastOp, from: u8, to: u8, dst: u32, src: Operand) -> Instr {
    Instr::Cast { op, from, to, dst: Reg(dst), src }
}

pub fn load(width: u8, dst: u32, ptr: Operand) -> Instr {
    Instr::Load { width, dst: Reg(dst), ptr, access: Access::default() }
}

pub fn store(width: u8, ptr: Operand, value: Operand) -> Instr {
    Instr::Store { width, ptr, value, access: Access::default() }
}

pub fn branch(cond: Operand, yes: u32, no: u32) -> Instr {
    Instr::Branch { cond, yes, no }
}

pub fn jump(target: u32) -> Instr {
    Instr::Jump { target }
}

pub fn assume(cond: Operand) -> Instr {
    Instr::Assume { cond }
}

pub fn call(callee: FuncId, args: &[(u8, Operand)], dsts: &[u32]) -> Instr {
    let args = args.iter().map(|(width, value)| Arg { value: *value, width: *width }).collect();
    Instr::Call { callee: Callee::Direct(callee), args, dsts: dsts.iter().map(|r| Reg(*r)).collect() }
}

pub fn ret(values: &[(u8, Operand)]) -> Instr {
    Instr::Return {
        values: values.iter().map(|(width, value)| Arg { value: *value, width: *width }).collect(),
    }
}
