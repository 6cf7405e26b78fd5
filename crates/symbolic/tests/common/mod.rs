//! Random straight-line programs that read inputs.

use ir::{
    Access, ArithOp, BinOp, CastOp, CompareExchange, Domain, Function, Global, GlobalId, Instr, Operand,
    Order, Pred, Program, Reg, RmwOp, Span, Symbol, UnOp,
};
use logic::testing::Random;
use machine::{FaultKind, Step, ThreadId};

pub const MAIN: ThreadId = ThreadId(0);
pub const GLOBAL: GlobalId = GlobalId(0);
pub const SIZE: u64 = 32;

/// The slots of the function: widths of values that are computed with; then
/// pointers to the global and to a variable.
const WIDTHS: [u8; 12] = [8, 8, 16, 32, 32, 32, 64, 64, 64, 128, 1, 1];

struct Slots {
    values: Vec<(Reg, u8)>,
    pointers: Vec<Reg>,
    spare: Reg,
}

fn function(code: Vec<Instr>) -> (Function, Slots) {
    let mut function = ir::testing::function(code);
    let values = WIDTHS.iter().map(|width| (function.add_slot(*width, None), *width)).collect();
    let pointers = (0..2).map(|_| function.add_slot(64, None)).collect();
    let spare = function.add_slot(64, None);
    (function, Slots { values, pointers, spare })
}

struct Generator {
    random: Random,
    slots: Slots,
    code: Vec<Instr>,
}

impl Generator {
    fn reg(&mut self, width: u8) -> Reg {
        let fitting: Vec<Reg> =
            self.slots.values.iter().filter(|(_, w)| *w == width).map(|(reg, _)| *reg).collect();
        self.random.pick(&fitting)
    }

    fn width(&mut self) -> u8 {
        self.random.pick(&WIDTHS)
    }

    fn operand(&mut self, width: u8) -> Operand {
        let bits = self.random.bits(width) as u64;
        match self.random.below(24) {
            0..6 if width <= 64 => Operand::Int(bits & (u64::MAX >> (64 - width))),
            0..6 => Operand::WideInt(bits as i64),
            6 => Operand::Undef,
            _ => Operand::Reg(self.reg(width)),
        }
    }

    /// A pointer into one of the objects: at a known place, or at one that
    /// depends on a register, masked to lie inside or not.
    fn pointer(&mut self, bytes: u64) -> Operand {
        let base = self.random.pick(&self.slots.pointers.clone());
        let spare = self.slots.spare;
        let at = self.random.below(SIZE + 2 - bytes) as i64;
        let index = match self.random.below(3) {
            0 => Operand::Int(0),
            kind => {
                let register = Operand::Reg(self.reg(64));
                let mask = if kind == 1 { 0x0c } else { 0x1f };
                self.binary(BinOp::And, 64, spare, register, Operand::Int(mask));
                Operand::Reg(spare)
            }
        };
        let offset = if index == Operand::Int(0) { at } else { 0 };
        self.code.push(Instr::PtrAdd { dst: spare, base: Operand::Reg(base), index, scale: 1, offset });
        Operand::Reg(spare)
    }

    fn binary(&mut self, op: BinOp, width: u8, dst: Reg, lhs: Operand, rhs: Operand) {
        let no_signed_wrap = self.random.below(3) == 0;
        self.code.push(Instr::Binary { op, width, no_signed_wrap, dst, lhs, rhs });
    }

    fn instruction(&mut self) {
        use BinOp::*;
        let width = self.width();
        let (dst, lhs, rhs) = (self.reg(width), self.operand(width), self.operand(width));
        let bit = self.reg(1);
        let bytes = u64::from(width).div_ceil(8);
        let access = Access::default();
        match self.random.below(16) {
            0..4 => {
                let all = [
                    Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor, UMin, UMax, SMin,
                    SMax,
                ];
                let op = self.random.pick(&all);
                // Shifts and divisions are not always faults.
                let small = Operand::Int(match op {
                    Shl | LShr | AShr => self.random.below(width.into()),
                    _ => 1 + self.random.below(9),
                });
                let may_fault = matches!(op, Shl | LShr | AShr | UDiv | SDiv | URem | SRem) && width > 4;
                // Nor are products and quotients hard problems.
                let hard = matches!(op, Mul | UDiv | SDiv | URem | SRem) && width > 16;
                let safe = hard || may_fault && self.random.below(4) > 0;
                self.binary(op, width, dst, lhs, if safe { small } else { rhs });
            }
            4 => {
                use UnOp::*;
                let all = [PopCount, LeadingZeros, TrailingZeros, BitReverse, Abs];
                let op = if width.is_multiple_of(16) && self.random.below(3) == 0 {
                    ByteSwap
                } else {
                    self.random.pick(&all)
                };
                self.code.push(Instr::Unary { op, width, dst, src: lhs });
            }
            5 => {
                let op = self.random.pick(&[ArithOp::Add, ArithOp::Sub, ArithOp::Mul]);
                let signed = self.random.below(2) == 0;
                self.code.push(Instr::Overflows { op, signed, width, dst: bit, lhs, rhs });
            }
            6 | 7 => {
                use Pred::*;
                let pred = self.random.pick(&[Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge]);
                self.code.push(Instr::Compare { pred, width, dst: bit, lhs, rhs });
            }
            8 | 9 => {
                let to = self.width();
                let op = match to.cmp(&width) {
                    std::cmp::Ordering::Less => CastOp::Trunc,
                    std::cmp::Ordering::Equal => return,
                    std::cmp::Ordering::Greater => self.random.pick(&[CastOp::ZExt, CastOp::SExt]),
                };
                let dst = self.reg(to);
                self.code.push(Instr::Cast { op, from: width, to, dst, src: lhs });
            }
            10 => {
                let cond = self.operand(1);
                self.code.push(Instr::Select { width, dst, cond, yes: lhs, no: rhs });
            }
            11 => {
                let ptr = self.pointer(bytes);
                self.code.push(Instr::Load { width, dst, ptr, access });
            }
            12 | 13 => {
                let ptr = self.pointer(bytes);
                self.code.push(Instr::Store { width, ptr, value: lhs, access });
            }
            14 => self.atomic(),
            _ => self.bytes_or_branch(),
        }
    }

    fn atomic(&mut self) {
        let width = self.random.pick(&[8, 16, 32, 64]);
        let ptr = self.pointer(u64::from(width / 8));
        let (dst, value, expected) = (self.reg(width), self.operand(width), self.operand(width));
        let ok = self.reg(1);
        if self.random.below(2) == 0 {
            use RmwOp::*;
            let op = self.random.pick(&[Xchg, Add, Sub, And, Nand, Or, Xor, UMin, UMax, SMin, SMax]);
            self.code.push(Instr::AtomicRmw { op, width, dst, ptr, value, order: Order::SeqCst });
        } else {
            self.code.push(Instr::CompareExchange(Box::new(CompareExchange {
                width,
                old: dst,
                ok,
                ptr,
                expected,
                new: value,
                success: Order::SeqCst,
                failure: Order::SeqCst,
                weak: false,
            })));
        }
    }

    fn bytes_or_branch(&mut self) {
        let len = self.random.below(12);
        let [first, second] = self.slots.pointers[..] else { unreachable!("two pointers") };
        match self.random.below(4) {
            0 => {
                let ptr = self.pointer(len);
                let byte = self.operand(8);
                self.code.push(Instr::MemSet { dst: ptr, byte, len: Operand::Int(len) });
            }
            1 => {
                let dst = self.pointer(len);
                self.code.push(Instr::MemCopy {
                    dst,
                    src: Operand::Reg(second),
                    len: Operand::Int(len),
                    may_overlap: true,
                });
            }
            2 => self.code.push(Instr::Compare {
                pred: Pred::Ult,
                width: 64,
                dst: self.slots.values[WIDTHS.len() - 1].0,
                lhs: Operand::Reg(first),
                rhs: Operand::Reg(self.slots.spare),
            }),
            _ => {
                // Past the next instructions or not.
                let cond = Operand::Reg(self.reg(1));
                let here = self.code.len();
                self.code.push(Instr::Jump { target: 0 });
                for _ in 0..2 {
                    self.instruction();
                }
                let no = self.code.len() as u32;
                self.code[here] = Instr::Branch { cond, yes: here as u32 + 1, no };
            }
        }
    }
}

/// A program that reads inputs, computes, and ends at an `unreachable`.
pub fn program(seed: u64) -> Program {
    let (_, slots) = function(Vec::new());
    let mut generator = Generator { random: Random::new(seed), slots, code: Vec::new() };
    let domains = [
        Domain::Full,
        Domain::Full,
        Domain::Range { first: 250, count: 20 },
        Domain::Classes(vec![3, 7, 200, 0, 128, 99].into()),
    ];
    for (dst, width) in generator.slots.values.clone() {
        let src = match (generator.random.bits(width) as u64, width) {
            (bits, 128) => Operand::WideInt(bits as i64),
            (bits, _) => Operand::Int(bits & (u64::MAX >> (64 - width))),
        };
        generator.code.push(Instr::Move { width, dst, src });
    }
    for domain in domains {
        let wide = matches!(domain, Domain::Full);
        let (dst, width) = loop {
            let (dst, width) = generator.random.pick(&generator.slots.values.clone());
            if width > 1 && (wide || width >= 8) {
                break (dst, width);
            }
        };
        generator.code.push(Instr::Nondet { width, dst, domain, origin: Symbol(0) });
    }
    let [first, second] = generator.slots.pointers[..] else { unreachable!("two pointers") };
    generator.code.push(Instr::Move { width: 64, dst: first, src: Operand::Global(GLOBAL, 0) });
    generator.code.push(Instr::Alloca { dst: second, size: Operand::Int(SIZE), align: 8, var: None });
    for _ in 0..14 {
        generator.instruction();
    }
    generator.code.push(Instr::Unreachable);
    program_of(generator.code)
}

/// A program with one function, which has registers of all widths.
pub fn program_of(code: Vec<Instr>) -> Program {
    let (function, _) = function(code);
    let global = Global {
        name: Symbol(0),
        size: SIZE,
        align: 8,
        init: (0..SIZE as u8).collect(),
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
        entry: Some(ir::FuncId(0)),
        symbols: vec!["main".to_owned()],
        ..Program::default()
    }
}

/// What went wrong in a step.
pub fn names(step: &Step) -> Vec<String> {
    step.faults.iter().map(|fault| name(&fault.kind)).collect()
}

fn name(kind: &FaultKind) -> String {
    match kind {
        FaultKind::Uninitialised { decides } => format!("uninitialised {decides}"),
        kind => kind.name().to_owned(),
    }
}
