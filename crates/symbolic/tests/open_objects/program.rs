//! Random programs that allocate an unknown number of bytes.

use ir::{Access, BinOp, CastOp, Domain, Instr, Operand, Order, Pred, Program, Reg, RmwOp, Symbol};
use logic::testing::Random;

/// The registers of a program, and the width of what it keeps in memory.
#[derive(Clone, Copy)]
pub struct Regs {
    pub width: u8,
    pub byte: Reg,
    pub bit: Reg,
    pub count: Reg,
    pub index: Reg,
    pub x: Reg,
    pub y: Reg,
    pub other: Reg,
    pub a: Reg,
    pub b: Reg,
    pub pointer: Reg,
}

pub const REGS: Regs = Regs {
    width: 32,
    byte: Reg(0),
    bit: Reg(1),
    count: Reg(2),
    index: Reg(3),
    x: Reg(4),
    y: Reg(5),
    other: Reg(6),
    a: Reg(7),
    b: Reg(8),
    pointer: Reg(9),
};

struct Generator {
    /// Whether sizes are known, and all of the objects is initialised.
    known: bool,
    random: Random,
    regs: Regs,
    code: Vec<Instr>,
}

/// An operand.
pub fn reg(reg: Reg) -> Operand {
    Operand::Reg(reg)
}

impl Generator {
    fn binary(&mut self, op: BinOp, width: u8, dst: Reg, rhs: Operand) {
        let lhs = reg(dst);
        self.code.push(Instr::Binary { op, width, no_signed_wrap: false, dst, lhs, rhs });
    }

    fn input(&mut self, dst: Reg, width: u8) {
        self.code.push(Instr::Nondet { width, dst, domain: Domain::Full, origin: Symbol(0) });
    }

    /// A number of up to 64 bits: small, or now and then any.
    fn small(&mut self, dst: Reg) {
        let Regs { byte, .. } = self.regs;
        self.input(byte, 8);
        let mut op = CastOp::SExt;
        if self.random.below(8) > 0 {
            self.binary(BinOp::And, 8, byte, Operand::Int(7));
            op = CastOp::ZExt;
        }
        self.code.push(Instr::Cast { op, from: 8, to: 64, dst, src: reg(byte) });
    }

    fn bytes(&self) -> i64 {
        i64::from(self.regs.width / 8)
    }

    fn allocate(&mut self, dst: Reg) {
        let Regs { count, index, .. } = self.regs;
        if self.known {
            let elements = 1 + self.random.below(6);
            let size = Operand::Int(elements * self.bytes() as u64);
            self.code.push(Instr::Move { width: 64, dst: count, src: Operand::Int(elements) });
            return self.code.push(Instr::Malloc { dst, size, align: Operand::Int(16), zeroed: true });
        }
        self.small(count);
        self.code.push(Instr::Move { width: 64, dst: index, src: reg(count) });
        self.binary(BinOp::Mul, 64, index, Operand::Int(self.bytes() as u64));
        if self.random.below(6) == 0 {
            self.binary(BinOp::Add, 64, index, Operand::Int(1));
        }
        let (align, zeroed) = (Operand::Int(16), self.random.below(4) == 0);
        if self.random.below(3) == 0 {
            self.saturate();
        }
        self.code.push(Instr::Malloc { dst, size: reg(index), align, zeroed });
    }

    /// Makes the size too large for some inputs, as `calloc` does if it overflows.
    fn saturate(&mut self) {
        let Regs { byte, bit, index, .. } = self.regs;
        let (lhs, rhs, yes) = (reg(byte), Operand::Int(6), Operand::Int(u64::MAX));
        self.code.push(Instr::Compare { pred: Pred::Ugt, width: 8, dst: bit, lhs, rhs });
        self.code.push(Instr::Select { width: 64, dst: index, cond: reg(bit), yes, no: reg(index) });
    }

    /// Fills an object with inputs.
    fn fill(&mut self, object: Reg) {
        let Regs { width, bit, count, index, x, pointer, .. } = self.regs;
        self.code.push(Instr::Move { width: 64, dst: index, src: Operand::Int(0) });
        let head = self.code.len() as u32;
        let (lhs, rhs) = (reg(index), reg(count));
        self.code.push(Instr::Compare { pred: Pred::Ult, width: 64, dst: bit, lhs, rhs });
        self.code.push(Instr::Jump { target: 0 });
        self.input(x, width);
        let (base, scale) = (reg(object), self.bytes());
        self.code.push(Instr::PtrAdd { dst: pointer, base, index: reg(index), scale, offset: 0 });
        let access = Access::default();
        self.code.push(Instr::Store { width, ptr: reg(pointer), value: reg(x), access });
        self.binary(BinOp::Add, 64, index, Operand::Int(1));
        self.code.push(Instr::Jump { target: head });
        let no = self.code.len() as u32;
        self.code[head as usize + 1] = Instr::Branch { cond: reg(bit), yes: head + 2, no };
    }

    /// A pointer to somewhere in one of the objects.
    fn point(&mut self) {
        let Regs { index, a, b, pointer, .. } = self.regs;
        if self.random.below(3) > 0 {
            self.small(index);
        } else {
            let src = Operand::Int(self.random.below(3));
            self.code.push(Instr::Move { width: 64, dst: index, src });
        }
        let offset = i64::from(self.random.below(12) == 0);
        let (base, scale) = (reg(self.random.pick(&[a, b])), self.bytes());
        self.code.push(Instr::PtrAdd { dst: pointer, base, index: reg(index), scale, offset });
    }

    fn instruction(&mut self) {
        let Regs { width, bit, x, y, other, a, b, pointer, .. } = self.regs;
        let (dst, ptr, access) = (self.random.pick(&[x, y]), reg(pointer), Access::default());
        match self.random.below(16) {
            0..5 => {
                self.point();
                self.code.push(Instr::Load { width, dst, ptr, access });
                // It is a fault if this is not so.
                self.code.push(Instr::Initialised { width, value: reg(dst), what: Symbol(0) });
            }
            5..9 => {
                self.point();
                self.code.push(Instr::Store { width, ptr, value: reg(dst), access });
            }
            9 => self.binary(BinOp::Add, width, dst, reg(x)),
            10 | 11 => {
                let (lhs, rhs) = (reg(x), reg(y));
                self.code.push(Instr::Compare { pred: Pred::Ule, width, dst: bit, lhs, rhs });
                self.code.push(Instr::Assume { cond: reg(bit) });
            }
            12 => {
                for (dst, src) in [(pointer, a), (a, b), (b, pointer)] {
                    self.code.push(Instr::Move { width: 64, dst, src: reg(src) });
                }
            }
            13 => self.code.push(Instr::Free { ptr: reg(a), heir: Operand::Int(0), size: None }),
            14 => self.code.push(Instr::Move { width: 64, dst: a, src: reg(b) }),
            15 if self.known && self.random.below(2) == 0 => {
                self.point();
                let (op, value, order) = (RmwOp::Add, reg(y), Order::SeqCst);
                self.code.push(Instr::AtomicRmw { op, width, dst: x, ptr, value, order });
            }
            _ => {
                self.point();
                self.code.push(Instr::Load { width: 8, dst: other, ptr, access });
            }
        }
    }
}

/// A program that allocates, fills, reads and writes, and ends at an `unreachable`. The sizes of
/// what it allocates are known, or they are not.
pub fn program(seed: u64, known: bool) -> Program {
    let mut random = Random::new(seed);
    let regs = Regs { width: random.pick(&[8, 16, 32, 64]), ..REGS };
    let mut generator = Generator { known, random, regs, code: Vec::new() };
    for dst in [regs.x, regs.y] {
        generator.code.push(Instr::Move { width: regs.width, dst, src: Operand::Int(3) });
    }
    for object in [regs.a, regs.b] {
        generator.allocate(object);
        if generator.random.below(4) > 0 {
            generator.fill(object);
        }
    }
    for _ in 0..12 {
        generator.instruction();
    }
    generator.code.push(Instr::Unreachable);
    program_of(generator.code, regs.width)
}

/// A program with one function, whose registers are those above.
pub fn program_of(code: Vec<Instr>, width: u8) -> Program {
    let mut function = ir::testing::function(code);
    for width in [8, 1, 64, 64, width, width, 8, 64, 64, 64] {
        function.add_slot(width, None);
    }
    let symbols = vec!["main".to_owned()];
    let entry = Some(ir::FuncId(0));
    Program { functions: vec![function], entry, symbols, ..ir::testing::program() }
}
