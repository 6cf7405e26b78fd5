//! Instructions on registers, with all the trouble they can make.

use ir::{Instr, Operand, Reg};
use smallvec::SmallVec;
use triomphe::Arc;

use crate::exec::{Exec, Stop};
use crate::machine::End;
use crate::symbolic::symbols::{Snag, Symbols};
use crate::telling::fault::FaultKind;
use crate::telling::observer::Observer;
use crate::value::arith::{Trouble, narrow};
use crate::value::{ObjectId, Value, aligned};

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// An instruction on registers, with all the trouble it can make.
    pub fn local_instruction(&mut self, instr: &Instr) -> Result<(), Stop> {
        let check = self.machine.check_overflow;
        match self.eval_with(instr, false, check) {
            Err(Snag::Trouble(Trouble::NeedsAddress)) => {
                if let Some((dst, value)) = self.aligned_result(instr).or_else(|| self.ordered_result(instr))
                {
                    return self.set_and_next(dst, value);
                }
                instr.for_each_use(|operand, _| self.pin_operand(operand));
                self.eval_with(instr, true, check)
            }
            result => result,
        }
        .or_else(|snag| match snag {
            Snag::Trouble(Trouble::Symbolic) => self.symbolic_instruction(instr),
            Snag::Overflow => {
                self.report_overflow(instr);
                self.eval_with(instr, true, false).map_err(|snag| self.snag(snag))
            }
            snag => Err(self.snag(snag)),
        })
    }

    /// The result of an operation on a pointer that follows from the alignment
    /// of its object, whatever its address is.
    fn aligned_result(&mut self, instr: &Instr) -> Option<(Reg, Value)> {
        let Instr::Binary { op, width, dst, lhs, rhs, .. } = *instr else { return None };
        let (pointer, other) = (self.value(lhs), self.value(rhs));
        let align = self.state.memory.align_of(pointer.object, &self.machine.constants);
        aligned(op, width, pointer, other, align).map(|value| (dst, value))
    }

    fn eval_with(&mut self, instr: &Instr, numeric: bool, check_overflow: bool) -> Result<(), Snag> {
        let machine = self.machine;
        let mut locals: SmallVec<[(ir::GlobalId, ObjectId); 2]> = SmallVec::new();
        instr.for_each_use(|operand, _| {
            if let Operand::Global(id, _) = operand
                && machine.program().global(id).thread_local
            {
                locals.push((id, self.local_instance(id)));
            }
        });
        let memory = &self.state.memory;
        let addresses = &memory.addresses.pinned;
        let read = |regs: &[Value], operand| {
            let mut value = machine.constant_or_register(regs, operand);
            if let Operand::Global(id, offset) = operand
                && let Some((_, object)) = locals.iter().find(|(local, _)| *local == id)
            {
                value = Value::pointer(*object, machine.offset(offset));
            }
            let base = addresses.iter().find(|(_, object)| numeric && *object == value.object);
            base.map_or(value, |(base, _)| numeric_value(value, *base, machine.program().pointer_width))
        };
        let frame = Arc::make_mut(&mut self.state.threads[self.thread.0 as usize]).frame_mut();
        match machine.eval(instr, frame, read, check_overflow) {
            Err(Snag::NotLocal) => machine.eval_wide(instr, frame, read, check_overflow),
            result => result,
        }
    }

    pub fn pin_operand(&mut self, operand: Operand) {
        let mut pin = |value: Value| {
            if value.is_pointer() {
                self.state.memory.pin(value.object, &self.machine.constants);
            }
        };
        let regs = &self.state.threads[self.thread.0 as usize].frame().regs;
        let (low, high) = match operand {
            Operand::Reg(reg) => {
                let slot = reg.0 as usize;
                let wide = regs.len() > slot + 1;
                (regs[slot], if wide { regs[slot + 1] } else { Value::int(0) })
            }
            _ => (self.machine.constant_or_register(regs, operand), Value::int(0)),
        };
        pin(low);
        pin(high);
    }

    /// What a snag of the current instruction means for the execution.
    pub fn snag(&self, snag: Snag) -> Stop {
        let uninitialised = |decides: &str| FaultKind::Uninitialised { decides: decides.into() }.into();
        match snag {
            Snag::Trouble(Trouble::DivisionByZero) => FaultKind::DivisionByZero.into(),
            Snag::Trouble(Trouble::DivisionOverflow) => self.division_overflow().into(),
            Snag::Trouble(Trouble::Shift { amount }) => {
                let width = if let Instr::Binary { width, .. } = *self.current() { width } else { 0 };
                FaultKind::ShiftOutOfRange { amount, width }.into()
            }
            Snag::Trouble(Trouble::Conversion { double }) => {
                self.float_conversion(f64::from_bits(double)).into()
            }
            Snag::Trouble(Trouble::UndefinedDivisor) => uninitialised("a divisor"),
            Snag::Undefined(what) => uninitialised(what),
            Snag::Fork => Stop::Fork,
            Snag::Unsupported(what) => Stop::TooHard(what),
            Snag::Trouble(Trouble::NeedsAddress | Trouble::Symbolic) | Snag::Overflow | Snag::NotLocal => {
                Stop::End(End::Unsupported("arithmetic on a pointer that has no number".into()))
            }
        }
    }

    /// The smallest number divided by -1: an overflow where those are looked
    /// for, but one after which the execution cannot go on.
    fn division_overflow(&self) -> FaultKind {
        match *self.current() {
            Instr::Binary { op, width, .. } if self.machine.check_overflow => {
                let sign = if op == ir::BinOp::SRem { '%' } else { '/' };
                let least = i128::MIN >> (128 - u32::from(width));
                FaultKind::SignedOverflow { operation: format!("{least} {sign} -1"), width }
            }
            _ => FaultKind::DivisionOverflow,
        }
    }

    fn float_conversion(&self, number: f64) -> FaultKind {
        let (signed, width) = match *self.current() {
            Instr::Cast { op, to, .. } => (op == ir::CastOp::FloatToSigned, to),
            _ => (true, 0),
        };
        FaultKind::FloatConversion { number: number.to_string(), width, signed }
    }

    pub fn report_overflow(&mut self, instr: &Instr) {
        let Instr::Binary { op, width, lhs, rhs, .. } = *instr else { return };
        let mut show = |operand| match self.value(operand) {
            value if value.is_plain() && width <= 64 => narrow::signed(value.bits, width).to_string(),
            _ => "...".to_owned(),
        };
        let sign = match op {
            ir::BinOp::Add => "+",
            ir::BinOp::Sub => "-",
            ir::BinOp::Shl => "<<",
            _ => "*",
        };
        let operation = format!("{} {sign} {}", show(lhs), show(rhs));
        self.report(FaultKind::SignedOverflow { operation, width });
    }
}

/// A pointer as the number it is once its object has an address.
pub(crate) fn numeric_value(value: Value, base: u64, width: u8) -> Value {
    if value.is_pointer() { Value::int(value.bits.wrapping_add(base) & narrow::mask(width)) } else { value }
}
