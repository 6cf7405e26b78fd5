//! Renames the registers of an instruction.

use ir::{Callee, Instr, Operand, Reg};

/// Applies `f` to every register that the instruction names.
pub fn rename(instr: &mut Instr, f: &impl Fn(Reg) -> Reg) {
    let operand = |operand: &mut Operand| {
        if let Operand::Reg(reg) = operand {
            *reg = f(*reg);
        }
    };
    match instr {
        Instr::Move { dst, src, .. }
        | Instr::Unary { dst, src, .. }
        | Instr::Cast { dst, src, .. }
        | Instr::FloatUnary { dst, src, .. } => {
            *dst = f(*dst);
            operand(src);
        }
        Instr::Binary { dst, lhs, rhs, .. }
        | Instr::Overflows { dst, lhs, rhs, .. }
        | Instr::Compare { dst, lhs, rhs, .. }
        | Instr::FloatBinary { dst, lhs, rhs, .. }
        | Instr::FloatCompare { dst, lhs, rhs, .. } => {
            *dst = f(*dst);
            [lhs, rhs].into_iter().for_each(operand);
        }
        Instr::Malloc { dst, size, align, .. } => {
            *dst = f(*dst);
            [size, align].into_iter().for_each(operand);
        }
        Instr::Select { dst, cond, yes, no, .. } => {
            *dst = f(*dst);
            [cond, yes, no].into_iter().for_each(operand);
        }
        Instr::PtrAdd { dst, base, index, .. } => {
            *dst = f(*dst);
            [base, index].into_iter().for_each(operand);
        }
        Instr::Alloca { dst, size: src, .. }
        | Instr::ObjectSize { dst, ptr: src }
        | Instr::Load { dst, ptr: src, .. } => {
            *dst = f(*dst);
            operand(src);
        }
        Instr::StackSave { dst } | Instr::Nondet { dst, .. } => *dst = f(*dst),
        Instr::AtomicRmw { dst, ptr, value, .. } => {
            *dst = f(*dst);
            [ptr, value].into_iter().for_each(operand);
        }
        Instr::CompareExchange(exchange) => {
            exchange.old = f(exchange.old);
            exchange.ok = f(exchange.ok);
            [&mut exchange.ptr, &mut exchange.expected, &mut exchange.new].into_iter().for_each(operand);
        }
        Instr::Call { callee, args, dsts } => {
            if let Callee::Indirect(target) = callee {
                operand(target);
            }
            args.iter_mut().for_each(|arg| operand(&mut arg.value));
            dsts.iter_mut().for_each(|dst| *dst = f(*dst));
        }
        Instr::Sync { dst, args, .. } => {
            args.iter_mut().for_each(operand);
            if let Some(dst) = dst {
                *dst = f(*dst);
            }
        }
        _ => rename_uses(instr, operand),
    }
}

/// Instructions that only read.
fn rename_uses(instr: &mut Instr, operand: impl Fn(&mut Operand)) {
    match instr {
        Instr::EndObject { ptr }
        | Instr::ScopeBegin { ptr }
        | Instr::ScopeEnd { ptr }
        | Instr::StackRestore { mark: ptr }
        | Instr::VaStart { list: ptr }
        | Instr::ThreadExit { value: ptr }
        | Instr::Branch { cond: ptr, .. }
        | Instr::Assume { cond: ptr }
        | Instr::Switch { value: ptr, .. }
        | Instr::Initialised { value: ptr, .. }
        | Instr::Exit { code: Some(ptr) } => operand(ptr),
        Instr::Store { ptr, value, .. } => [ptr, value].into_iter().for_each(operand),
        Instr::Free { ptr, heir, size } => [ptr, heir].into_iter().chain(size).for_each(operand),
        Instr::MemCopy { dst, src, len, .. } => [dst, src, len].into_iter().for_each(operand),
        Instr::MemSet { dst, byte, len } => [dst, byte, len].into_iter().for_each(operand),
        Instr::Return { values } => values.iter_mut().for_each(|arg| operand(&mut arg.value)),
        _ => {}
    }
}
