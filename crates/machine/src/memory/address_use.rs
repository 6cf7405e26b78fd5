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

/// What of an address a register may hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    Nothing,
    /// A byte that was read from memory, of an address or of anything else.
    Byte,
    /// A part that was cut off.
    Part,
    Whole,
}

/// What the registers of a function may hold of addresses.
struct Addresses {
    word: u8,
    /// Whether each is wide enough for a whole one.
    wide: Vec<bool>,
    held: Vec<Held>,
}

impl Addresses {
    fn of(program: &ir::Program, function: &Function) -> Addresses {
        let word = program.pointer_width;
        let wide: Vec<bool> = function.slots.iter().map(|slot| slot.width >= word).collect();
        let mut held = vec![Held::Nothing; wide.len()];
        for param in function.params.iter().filter(|param| param.width >= word) {
            held[param.reg.0 as usize] = Held::Whole;
        }
        let mut addresses = Addresses { word, wide, held };
        while function.code.iter().filter(|instr| addresses.learn(instr)).count() > 0 {}
        addresses
    }

    fn held(&self, operand: Operand) -> Held {
        match operand {
            Operand::Reg(reg) => self.held[reg.0 as usize],
            Operand::Global(..) => Held::Whole,
            _ => Held::Nothing,
        }
    }

    fn may_be(&self, operand: Operand) -> bool {
        self.held(operand) != Held::Nothing
    }

    /// What a value of this width that comes from elsewhere may be.
    fn of_width(&self, width: u8) -> Held {
        match width {
            8 => Held::Byte,
            width if width >= self.word => Held::Whole,
            _ => Held::Nothing,
        }
    }

    /// Whether an instruction shows that a register may hold more.
    fn learn(&mut self, instr: &Instr) -> bool {
        use BinOp::*;
        let outer = matches!(instr, Instr::Call { .. } | Instr::Sync { .. });
        let makes = match instr {
            Instr::Load { width, .. } => self.of_width(*width),
            Instr::AtomicRmw { width, .. } => self.of_width(*width),
            Instr::CompareExchange(cx) => self.of_width(cx.width),
            Instr::Call { .. } | Instr::Alloca { .. } | Instr::Malloc { .. } | Instr::Sync { .. } => {
                Held::Whole
            }
            Instr::PtrAdd { base, .. } => self.held(*base),
            Instr::Move { src, .. } | Instr::Unary { src, .. } => self.held(*src),
            Instr::Cast { op: CastOp::Trunc, src, .. } => self.held(*src).min(Held::Part),
            Instr::Cast { op: CastOp::ZExt | CastOp::SExt, src, .. } => self.held(*src),
            Instr::Select { yes, no, .. } => self.held(*yes).max(self.held(*no)),
            Instr::Binary {
                op: Add | Sub | And | Or | Xor | UMin | UMax | SMin | SMax, lhs, rhs, ..
            } => self.held(*lhs).max(self.held(*rhs)),
            _ => Held::Nothing,
        };
        let mut changed = false;
        instr.for_each_def(|reg, _| {
            let slot = reg.0 as usize;
            if makes > self.held[slot] && (!outer || self.wide[slot]) {
                self.held[slot] = makes;
                changed = true;
            }
        });
        changed
    }

    fn tells(&self, instr: &Instr) -> bool {
        use BinOp::*;
        // It may be compared elsewhere.
        let is_part = |operand: Operand| self.held(operand) == Held::Part;
        match *instr {
            Instr::Compare { lhs, rhs, .. } => self.may_be(lhs) && self.may_be(rhs),
            Instr::Binary { op: Sub | Xor, lhs, rhs, .. } => self.may_be(lhs) && self.may_be(rhs),
            Instr::Binary { op: Mul | UDiv | SDiv | URem | SRem | LShr | AShr | Shl, lhs, .. } => {
                self.held(lhs) > Held::Byte
            }
            Instr::CompareExchange(ref cx) => self.held(cx.expected) > Held::Byte,
            Instr::Store { value, .. } => is_part(value),
            Instr::Call { ref args, .. } => args.iter().any(|arg| is_part(arg.value)),
            Instr::Return { ref values } => values.iter().any(|value| is_part(value.value)),
            _ => false,
        }
    }
}
