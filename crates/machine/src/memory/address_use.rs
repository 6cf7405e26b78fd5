//! Whether a program can tell addresses apart, so that it matters that they are
//! given out again ([`crate::memory::reuse`]).

use ir::{BinOp, CastOp, Function, Instr, Operand};

/// Whether a program may find out that two addresses are the same: it compares
/// values that may be addresses, or computes with them. This costs nothing to
/// overestimate but speed.
pub(crate) fn tells_addresses(program: &ir::Program) -> bool {
    program.functions.iter().any(|function| {
        let addresses = Addresses::of(program, function);
        function.code.iter().any(|instr| addresses.tells(instr))
    })
}

/// The registers of a function that may hold addresses.
struct Addresses {
    word: u8,
    /// Whether each is wide enough.
    wide: Vec<bool>,
    held: Vec<bool>,
}

impl Addresses {
    fn of(program: &ir::Program, function: &Function) -> Addresses {
        let word = program.pointer_width;
        let wide: Vec<bool> = function.slots.iter().map(|slot| slot.width >= word).collect();
        let mut held = vec![false; wide.len()];
        for param in function.params.iter().filter(|param| param.width >= word) {
            held[param.reg.0 as usize] = true;
        }
        let mut addresses = Addresses { word, wide, held };
        while function.code.iter().filter(|instr| addresses.learn(instr)).count() > 0 {}
        addresses
    }

    fn may_be(&self, operand: Operand) -> bool {
        match operand {
            Operand::Reg(reg) => self.held[reg.0 as usize],
            Operand::Global(..) => true,
            _ => false,
        }
    }

    /// Whether an instruction shows that another register may hold one.
    fn learn(&mut self, instr: &Instr) -> bool {
        use BinOp::*;
        let makes = match instr {
            Instr::Load { width, .. } | Instr::AtomicRmw { width, .. } => *width >= self.word,
            Instr::CompareExchange(cx) => cx.width >= self.word,
            Instr::Call { .. } | Instr::Alloca { .. } | Instr::Malloc { .. } | Instr::Sync { .. } => true,
            Instr::PtrAdd { base, .. } => self.may_be(*base),
            Instr::Move { src, .. } => self.may_be(*src),
            Instr::Cast { op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt, src, .. } => self.may_be(*src),
            Instr::Select { yes, no, .. } => self.may_be(*yes) || self.may_be(*no),
            Instr::Binary { op: Add | Sub | And | Or | Xor, lhs, rhs, .. } => {
                self.may_be(*lhs) || self.may_be(*rhs)
            }
            _ => false,
        };
        let mut changed = false;
        instr.for_each_def(|reg, _| {
            let slot = reg.0 as usize;
            changed |= makes && self.wide[slot] && !std::mem::replace(&mut self.held[slot], true);
        });
        changed
    }

    fn tells(&self, instr: &Instr) -> bool {
        use BinOp::*;
        match *instr {
            Instr::Compare { lhs, rhs, .. } => self.may_be(lhs) && self.may_be(rhs),
            Instr::Binary { op: Sub | Xor, lhs, rhs, .. } => self.may_be(lhs) && self.may_be(rhs),
            Instr::Binary { op: Mul | UDiv | URem | LShr | Shl, lhs, .. } => self.may_be(lhs),
            Instr::CompareExchange(ref cx) => self.may_be(cx.expected),
            _ => false,
        }
    }
}
