//! Instructions that touch nothing but their frame.
//!
//! [`Machine::run_local`] is the machine's inner loop; it stops before the first
//! instruction that needs more than registers, or that is in trouble, and
//! leaves that one to [`crate::exec`].

use ir::{ArithOp, BinOp, CastOp, Instr, Operand};

use crate::machine::Machine;
use crate::state::thread::Frame;
use crate::symbolic::symbols::Snag;
use crate::value::arith::{Trouble, narrow, wide};
use crate::value::float;
use crate::value::{ObjectId, Value, Wide, binary, compare};

impl Machine {
    /// Executes instructions on registers until one needs more, or `fuel` is used up.
    pub(crate) fn run_local(&self, frame: &mut Frame, fuel: &mut u64) {
        let code = &self.code[frame.function.0 as usize];
        let function = self.program().function(frame.function);
        let read = |regs: &[Value], operand| self.constant_or_register(regs, operand);
        while *fuel > 0 && code.local[frame.pc as usize] {
            let instr = &function.code[frame.pc as usize];
            let is_open = self.chooses_undefined
                && code.computed[frame.pc as usize].undefined(&frame.regs).is_some()
                || self.tells_addresses && compares_objects(instr, &frame.regs);
            if is_open || self.eval(instr, frame, read, self.check_overflow).is_err() {
                return;
            }
            *fuel -= 1;
        }
    }

    /// Operands, but for thread-local variables, which need their thread.
    #[inline(always)]
    pub(crate) fn constant_or_register(&self, regs: &[Value], operand: Operand) -> Value {
        // These two are nearly all: no table of jumps for them.
        if let Operand::Reg(reg) = operand {
            return regs[reg.0 as usize];
        }
        if let Operand::Int(bits) = operand {
            return Value::int(bits);
        }
        self.constant(operand)
    }

    fn constant(&self, operand: Operand) -> Value {
        match operand {
            Operand::Reg(_) => unreachable!("no constant"),
            Operand::Int(bits) => Value::int(bits),
            Operand::WideInt(bits) => Value::int(bits as u64),
            Operand::Global(id, offset) => Value::pointer(self.globals[id.0 as usize], self.offset(offset)),
            Operand::Function(id) => Value::pointer(ObjectId::function(id), 0),
            Operand::Undef => Value::UNDEF,
        }
    }

    pub(crate) fn offset(&self, offset: i32) -> u64 {
        i64::from(offset) as u64 & narrow::mask(self.program().pointer_width)
    }

    /// Executes one instruction on registers and moves on; without effect if
    /// there is a snag.
    #[inline(always)]
    pub(crate) fn eval(
        &self,
        instr: &Instr,
        frame: &mut Frame,
        read: impl Fn(&[Value], Operand) -> Value,
        check_overflow: bool,
    ) -> Result<(), Snag> {
        let regs = &mut frame.regs;
        match *instr {
            Instr::Move { width, dst, src } if width <= 64 => regs[dst.0 as usize] = read(regs, src),
            Instr::Binary { op, width, no_signed_wrap, dst, lhs, rhs } if width <= 64 => {
                let (a, b) = (read(regs, lhs), read(regs, rhs));
                if check_overflow && no_signed_wrap && signed_overflow(op, width, a, b) {
                    return Err(Snag::Overflow);
                }
                regs[dst.0 as usize] = binary(op, width, a, b)?;
            }
            Instr::Compare { pred, width, dst, lhs, rhs } if width <= 64 => {
                regs[dst.0 as usize] = compare(pred, width, read(regs, lhs), read(regs, rhs))?;
            }
            Instr::Branch { cond, yes, no } => {
                let cond = read(regs, cond);
                if !cond.is_plain() {
                    check_condition(cond, "a branch")?;
                }
                let holds = cond.bits & 1 == 1;
                self.marks.branch(frame.function, frame.pc, holds);
                frame.pc = if holds { yes } else { no };
                return Ok(());
            }
            Instr::Jump { target } => {
                frame.pc = target;
                return Ok(());
            }
            Instr::PtrAdd { dst, base, index, scale, offset } => {
                let mask = narrow::mask(self.program().pointer_width);
                let (base, index) = (read(regs, base), read(regs, index));
                let scaled =
                    binary(BinOp::Mul, self.program().pointer_width, index, Value::int(scale as u64 & mask))?;
                let moved = Value { bits: scaled.bits.wrapping_add(offset as u64) & mask, ..scaled };
                regs[dst.0 as usize] = binary(BinOp::Add, self.program().pointer_width, base, moved)?;
            }
            Instr::Cast { op, from, to, dst, src } if from <= 64 && to <= 64 => {
                regs[dst.0 as usize] = cast(op, from, to, read(regs, src))?;
            }
            Instr::Select { width, dst, cond, yes, no } if width <= 64 => {
                let cond = read(regs, cond);
                if cond.is_symbolic() {
                    return Err(Trouble::Symbolic.into());
                }
                regs[dst.0 as usize] = match cond.undef & 1 {
                    0 => read(regs, if cond.bits & 1 == 1 { yes } else { no }),
                    _ => Value::UNDEF,
                };
            }
            Instr::Switch { width, value, ref cases, default } if width <= 64 => {
                let value = read(regs, value);
                if value.undef & narrow::mask(width) != 0 {
                    return Err(Snag::Undefined("a switch"));
                }
                if value.is_symbolic() {
                    return Err(Trouble::Symbolic.into());
                }
                if value.is_pointer() {
                    return Err(Trouble::NeedsAddress.into());
                }
                let case = cases.iter().find(|(case, _)| *case == value.bits);
                frame.pc = case.map_or(default, |(_, target)| *target);
                self.marks.arrive(frame.function, frame.pc);
                return Ok(());
            }
            Instr::Unary { op, width, dst, src } if width <= 64 => {
                let src = plain(read(regs, src), width)?;
                regs[dst.0 as usize] =
                    src.map_or(Value::UNDEF, |bits| Value::int(narrow::unary(op, width, bits)));
            }
            Instr::Overflows { op, signed, width, dst, lhs, rhs } if width <= 64 => {
                let (a, b) = (plain(read(regs, lhs), width)?, plain(read(regs, rhs), width)?);
                let result = a.zip(b).map(|(a, b)| narrow::overflows(op, signed, width, a, b));
                regs[dst.0 as usize] = result.map_or(Value::UNDEF, |bit| Value::int(u64::from(bit)));
            }
            Instr::FloatBinary { op, width, dst, lhs, rhs } if width <= 64 => {
                let (a, b) = (plain(read(regs, lhs), width)?, plain(read(regs, rhs), width)?);
                let result = a.zip(b).map(|(a, b)| float::binary(op, width, a, b));
                regs[dst.0 as usize] = result.map_or(Value::UNDEF, Value::int);
            }
            Instr::FloatUnary { op, width, dst, src } if width <= 64 => {
                let result = plain(read(regs, src), width)?.map(|a| float::unary(op, width, a));
                regs[dst.0 as usize] = result.map_or(Value::UNDEF, Value::int);
            }
            Instr::FloatCompare { pred, width, dst, lhs, rhs } if width <= 64 => {
                let (a, b) = (plain(read(regs, lhs), width)?, plain(read(regs, rhs), width)?);
                let result = a.zip(b).map(|(a, b)| float::compare(pred, width, a, b));
                regs[dst.0 as usize] = result.map_or(Value::UNDEF, |bit| Value::int(u64::from(bit)));
            }
            Instr::Yield => {}
            _ => return Err(Snag::NotLocal),
        }
        frame.pc += 1;
        Ok(())
    }

    /// The same for instructions on two-slot values.
    pub(crate) fn eval_wide(
        &self,
        instr: &Instr,
        frame: &mut Frame,
        read: impl Fn(&[Value], Operand) -> Value,
        check_overflow: bool,
    ) -> Result<(), Snag> {
        let regs = &mut frame.regs;
        let halves = |regs: &[Value], operand| wide_operand(regs, operand, &read);
        let number = |regs: &[Value], operand, width: u8| {
            if width <= 64 {
                let value = read(regs, operand);
                return Wide::from_halves(mask_undef(value, width), Value::int(0));
            }
            let (low, high) = halves(regs, operand);
            Wide::from_halves(low, high)
        };
        match *instr {
            Instr::Move { dst, src, .. } => write_wide(regs, dst, halves(regs, src)),
            Instr::Binary { op, width, no_signed_wrap, dst, lhs, rhs } => {
                let (a, b) = (number(regs, lhs, width)?, number(regs, rhs, width)?);
                let checked = check_overflow && no_signed_wrap && a.undef | b.undef == 0;
                if checked && wide::signed_overflow(op, width, a.bits, b.bits) {
                    return Err(Snag::Overflow);
                }
                write_wide(regs, dst, Wide::binary(op, width, a, b)?.halves());
            }
            Instr::Unary { op, width, dst, src } => {
                let a = number(regs, src, width)?;
                let undef = if a.undef == 0 { 0 } else { u128::MAX };
                write_wide(regs, dst, Wide { bits: wide::unary(op, width, a.bits), undef }.halves());
            }
            Instr::Compare { pred, width, dst, lhs, rhs } => {
                let (a, b) = (number(regs, lhs, width)?, number(regs, rhs, width)?);
                let bit = Value::int(u64::from(wide::compare(pred, width, a.bits, b.bits)));
                regs[dst.0 as usize] = if a.undef | b.undef == 0 { bit } else { Value::UNDEF };
            }
            Instr::Overflows { op, signed, width, dst, lhs, rhs } => {
                let (a, b) = (number(regs, lhs, width)?, number(regs, rhs, width)?);
                let bit = Value::int(u64::from(wide::overflows(op, signed, width, a.bits, b.bits)));
                regs[dst.0 as usize] = if a.undef | b.undef == 0 { bit } else { Value::UNDEF };
            }
            Instr::Cast { op, from, to, dst, src } => {
                let result = cast_wide(op, from, to, number(regs, src, from)?)?;
                if to <= 64 {
                    regs[dst.0 as usize] = result.halves().0;
                } else {
                    write_wide(regs, dst, result.halves());
                }
            }
            Instr::FloatBinary { op, width, dst, lhs, rhs } => {
                let (a, b) = (number(regs, lhs, width)?, number(regs, rhs, width)?);
                let undef = if a.undef | b.undef == 0 { 0 } else { wide::mask(width) };
                let bits = float::wide_binary(op, width, a.bits, b.bits);
                write_wide(regs, dst, Wide { bits: bits & !undef, undef }.halves());
            }
            Instr::FloatUnary { op, width, dst, src } => {
                let a = number(regs, src, width)?;
                let undef = if a.undef == 0 { 0 } else { wide::mask(width) };
                let bits = float::wide_unary(op, width, a.bits);
                write_wide(regs, dst, Wide { bits: bits & !undef, undef }.halves());
            }
            Instr::FloatCompare { pred, width, dst, lhs, rhs } => {
                let (a, b) = (number(regs, lhs, width)?, number(regs, rhs, width)?);
                let bit = Value::int(u64::from(float::wide_compare(pred, width, a.bits, b.bits)));
                regs[dst.0 as usize] = if a.undef | b.undef == 0 { bit } else { Value::UNDEF };
            }
            Instr::Select { dst, cond, yes, no, .. } => {
                let cond = read(regs, cond);
                if cond.is_symbolic() {
                    return Err(Trouble::Symbolic.into());
                }
                let chosen = halves(regs, if cond.bits & 1 == 1 { yes } else { no });
                let undefined = cond.undef & 1 != 0;
                write_wide(regs, dst, if undefined { (Value::UNDEF, Value::UNDEF) } else { chosen });
            }
            _ => return Err(Snag::NotLocal),
        }
        frame.pc += 1;
        Ok(())
    }
}

/// Whether an instruction compares pointers to different objects, which may
/// turn out to be the same place ([`crate::memory::reuse`]). Globals may not.
fn compares_objects(instr: &Instr, regs: &[Value]) -> bool {
    let Instr::Compare { lhs: Operand::Reg(lhs), rhs: Operand::Reg(rhs), .. } = instr else { return false };
    let (a, b) = (regs[lhs.0 as usize].object, regs[rhs.0 as usize].object);
    a != b && a != ObjectId::NONE && b != ObjectId::NONE
}

/// The two slots of a wide operand.
pub(crate) fn wide_operand(
    regs: &[Value],
    operand: Operand,
    read: &impl Fn(&[Value], Operand) -> Value,
) -> (Value, Value) {
    match operand {
        Operand::Reg(reg) => (regs[reg.0 as usize], regs[reg.0 as usize + 1]),
        Operand::WideInt(bits) => (Value::int(bits as u64), Value::int((bits >> 63) as u64)),
        Operand::Undef => (Value::UNDEF, Value::UNDEF),
        _ => (read(regs, operand), Value::int(0)),
    }
}

pub(crate) fn write_wide(regs: &mut [Value], dst: ir::Reg, (low, high): (Value, Value)) {
    regs[dst.0 as usize] = low;
    regs[dst.0 as usize + 1] = high;
}

fn mask_undef(value: Value, width: u8) -> Value {
    Value { undef: value.undef & narrow::mask(width), ..value }
}

/// The bits of a defined integer; `None` if undefined.
fn plain(value: Value, width: u8) -> Result<Option<u64>, Trouble> {
    if value.undef & narrow::mask(width) != 0 {
        return Ok(None);
    }
    if value.is_symbolic() {
        return Err(Trouble::Symbolic);
    }
    if value.is_pointer() { Err(Trouble::NeedsAddress) } else { Ok(Some(value.bits)) }
}

/// Whether a condition that is not plain is nevertheless defined and known.
#[cold]
fn check_condition(cond: Value, decides: &'static str) -> Result<(), Snag> {
    if cond.undef & 1 != 0 {
        return Err(Snag::Undefined(decides));
    }
    if cond.is_symbolic() { Err(Trouble::Symbolic.into()) } else { Ok(()) }
}

pub(crate) fn arith_op(op: BinOp) -> Option<ArithOp> {
    match op {
        BinOp::Add => Some(ArithOp::Add),
        BinOp::Sub => Some(ArithOp::Sub),
        BinOp::Mul => Some(ArithOp::Mul),
        _ => None,
    }
}

fn signed_overflow(op: BinOp, width: u8, a: Value, b: Value) -> bool {
    a.is_plain() && b.is_plain() && narrow::signed_overflow(op, width, a.bits, b.bits)
}

#[inline]
fn cast(op: CastOp, from: u8, to: u8, value: Value) -> Result<Value, Trouble> {
    if value.is_symbolic() {
        return Err(Trouble::Symbolic);
    }
    if value.is_pointer() {
        return match op {
            _ if value.undef != 0 => Ok(Value::UNDEF),
            CastOp::Trunc
                if narrow::mask(to) < crate::value::ALIGNMENT && value.object.as_thread().is_none() =>
            {
                Ok(Value::int(value.bits & narrow::mask(to)))
            }
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt if from == to => Ok(value),
            _ => Err(Trouble::NeedsAddress),
        };
    }
    let undef = value.undef & narrow::mask(from);
    Ok(match op {
        CastOp::Trunc => {
            Value { bits: value.bits & narrow::mask(to), undef: undef & narrow::mask(to), ..value }
        }
        CastOp::ZExt => Value { undef, ..value },
        CastOp::SExt => {
            let extend = |bits| narrow::signed(bits, from) as u64 & narrow::mask(to);
            Value { bits: extend(value.bits), undef: extend(undef), ..value }
        }
        _ if undef != 0 => Value::UNDEF,
        _ => Value::int(float::cast(op, from, to, u128::from(value.bits))? as u64),
    })
}

fn cast_wide(op: CastOp, from: u8, to: u8, value: Wide) -> Result<Wide, Trouble> {
    let mask = wide::mask(to);
    Ok(match op {
        CastOp::Trunc => Wide { bits: value.bits & mask, undef: value.undef & mask },
        CastOp::ZExt => value,
        CastOp::SExt => {
            let extend = |bits| wide::signed(bits, from) as u128 & mask;
            Wide { bits: extend(value.bits), undef: extend(value.undef) }
        }
        _ if value.undef != 0 => Wide { bits: 0, undef: mask },
        _ => Wide { bits: float::cast(op, from, to, value.bits)?, undef: 0 },
    })
}
