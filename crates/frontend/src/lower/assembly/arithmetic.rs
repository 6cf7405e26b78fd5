//! Instructions that compute, on registers or on memory, and the flags that they set.

use ir::{ArithOp, BinOp, CastOp, Instr, Operand, Order, Pred, RmwOp};

use super::operands::{Assembly, Flags, Spot};
use crate::lower::body::{Body, zero};

impl Body<'_, '_> {
    /// `inc`, `add` and so on. On memory without `lock` they are a read and a write.
    pub(super) fn asm_modify(
        &mut self,
        name: &str,
        from: Option<Spot>,
        to: Spot,
        suffix: Option<u8>,
        lock: bool,
        asm: &mut Assembly,
    ) -> Option<()> {
        let width = suffix.or(to.width()).or(from.and_then(Spot::width))?;
        let op = binary_op(name)?;
        let value = match from {
            None => self.int(1, width),
            Some(from) => self.asm_read(from, width, asm)?,
        };
        let shifts = matches!(op, BinOp::Shl | BinOp::LShr);
        if shifts && !matches!(value, Operand::Int(by) if by < u64::from(width)) {
            return None;
        }
        let (old, new) = self.asm_update(op, value, to, width, lock, asm)?;
        let carry = self.asm_carry(op, width, old, value);
        // `inc` and `dec` leave the carry alone.
        let carry = if from.is_none() { asm.flags.carry } else { carry };
        asm.flags = if shifts { Flags::default() } else { self.asm_flags(new, width, carry) };
        Some(())
    }

    /// Replaces what an operand holds by the result of an operation; the value before and after.
    pub(super) fn asm_update(
        &mut self,
        op: BinOp,
        value: Operand,
        to: Spot,
        width: u8,
        lock: bool,
        asm: &mut Assembly,
    ) -> Option<(Operand, Operand)> {
        let new = self.temp(width);
        let old = match (lock, to) {
            (true, Spot::Memory(ptr)) => {
                let (op, dst) = (rmw_op(op)?, self.temp(width));
                self.emit(Instr::AtomicRmw { op, width, dst, ptr, value, order: Order::SeqCst });
                Operand::Reg(dst)
            }
            (true, _) => return None,
            (false, to) => self.asm_read(to, width, asm)?,
        };
        self.binary(op, width, new, old, value);
        let written = lock || self.asm_write(to, Operand::Reg(new), width, asm);
        written.then_some((old, Operand::Reg(new)))
    }

    /// The carry of an operation, if it is known.
    fn asm_carry(&mut self, op: BinOp, width: u8, lhs: Operand, rhs: Operand) -> Option<Operand> {
        let op = match op {
            BinOp::Add => ArithOp::Add,
            BinOp::Sub => ArithOp::Sub,
            BinOp::And | BinOp::Or | BinOp::Xor => return Some(Operand::Int(0)),
            _ => return None,
        };
        let dst = self.temp(1);
        self.emit(Instr::Overflows { op, signed: false, width, dst, lhs, rhs });
        Some(Operand::Reg(dst))
    }

    pub(super) fn asm_flags(&mut self, result: Operand, width: u8, carry: Option<Operand>) -> Flags {
        let (is_zero, sign) = (self.temp(1), self.temp(1));
        let rhs = zero(width);
        self.emit(Instr::Compare { pred: Pred::Eq, width, dst: is_zero, lhs: result, rhs });
        self.emit(Instr::Compare { pred: Pred::Slt, width, dst: sign, lhs: result, rhs });
        Flags { zero: Some(Operand::Reg(is_zero)), sign: Some(Operand::Reg(sign)), carry }
    }

    /// Whether a condition holds: `z`, `ne`, `c` and so on. `None` if that is not known.
    pub(super) fn asm_condition(&mut self, code: &str, asm: &Assembly) -> Option<Operand> {
        let (flag, holds) = match code {
            "z" | "e" => (asm.flags.zero?, true),
            "nz" | "ne" => (asm.flags.zero?, false),
            "s" => (asm.flags.sign?, true),
            "ns" => (asm.flags.sign?, false),
            "c" | "b" | "nae" => (asm.flags.carry?, true),
            "nc" | "nb" | "ae" => (asm.flags.carry?, false),
            _ => return None,
        };
        if holds {
            return Some(flag);
        }
        let dst = self.temp(1);
        self.emit(Instr::Compare { pred: Pred::Eq, width: 1, dst, lhs: flag, rhs: zero(1) });
        Some(Operand::Reg(dst))
    }

    /// `xor %eax, %eax`: zero, whatever was there.
    pub(super) fn asm_clear(&mut self, to: Spot, suffix: Option<u8>, asm: &mut Assembly) -> Option<()> {
        let width = suffix.or(to.width())?;
        asm.flags = self.asm_flags(zero(width), width, Some(Operand::Int(0)));
        self.asm_write(to, zero(width), width, asm).then_some(())
    }

    /// `sbb %eax, %eax`: all ones if there was a carry, else zero.
    pub(super) fn asm_spread_carry(
        &mut self,
        to: Spot,
        suffix: Option<u8>,
        asm: &mut Assembly,
    ) -> Option<()> {
        let width = suffix.or(to.width())?;
        let carry = asm.flags.carry?;
        let dst = self.temp(width);
        self.emit(Instr::Cast { op: CastOp::SExt, from: 1, to: width, dst, src: carry });
        asm.flags = self.asm_flags(Operand::Reg(dst), width, Some(carry));
        self.asm_write(to, Operand::Reg(dst), width, asm).then_some(())
    }

    /// `bt` and its kin: the carry is a bit, which is then set, cleared or
    /// flipped. A register counts bits from an address on, also beyond a word.
    pub(super) fn asm_bit(
        &mut self,
        name: &str,
        bit: Spot,
        to: Spot,
        suffix: Option<u8>,
        lock: bool,
        asm: &mut Assembly,
    ) -> Option<()> {
        let width = suffix.or(to.width()).or(bit.width()).filter(|w| *w >= 16)?;
        let index = self.asm_read(bit, width, asm)?;
        let to = match (to, bit) {
            (Spot::Memory(base), Spot::Cell(..)) => Spot::Memory(self.asm_word_of_bit(base, index, width)),
            _ => to,
        };
        let (within, mask, shifted, carry) =
            (self.temp(width), self.temp(width), self.temp(width), self.temp(1));
        let (last, one) = (self.int(u128::from(width) - 1, width), self.int(1, width));
        self.binary(BinOp::And, width, within, index, last);
        self.binary(BinOp::Shl, width, mask, one, Operand::Reg(within));
        let old = match name {
            "bt" if lock => return None,
            "bt" => self.asm_read(to, width, asm)?,
            "bts" => self.asm_update(BinOp::Or, Operand::Reg(mask), to, width, lock, asm)?.0,
            "btc" => self.asm_update(BinOp::Xor, Operand::Reg(mask), to, width, lock, asm)?.0,
            _ => {
                let others = self.temp(width);
                let ones = self.int(u128::MAX, width);
                self.binary(BinOp::Xor, width, others, Operand::Reg(mask), ones);
                self.asm_update(BinOp::And, Operand::Reg(others), to, width, lock, asm)?.0
            }
        };
        self.binary(BinOp::LShr, width, shifted, old, Operand::Reg(within));
        let src = Operand::Reg(shifted);
        self.emit(Instr::Cast { op: CastOp::Trunc, from: width, to: 1, dst: carry, src });
        asm.flags.carry = Some(Operand::Reg(carry));
        asm.flags.sign = None;
        Some(())
    }

    /// The address of the word in which a bit lies.
    fn asm_word_of_bit(&mut self, base: Operand, bit: Operand, width: u8) -> Operand {
        let word = self.temp(width);
        let by = self.int(u128::from(width.trailing_zeros()), width);
        self.binary(BinOp::AShr, width, word, bit, by);
        let index = self.pointer_wide(Operand::Reg(word), width, true);
        let dst = self.temp(self.lowering.pointer_width);
        self.emit(Instr::PtrAdd { dst, base, index, scale: i64::from(width / 8), offset: 0 });
        Operand::Reg(dst)
    }
}

fn binary_op(name: &str) -> Option<BinOp> {
    Some(match name {
        "add" | "inc" => BinOp::Add,
        "sub" | "dec" => BinOp::Sub,
        "and" => BinOp::And,
        "or" => BinOp::Or,
        "xor" => BinOp::Xor,
        "shl" | "sal" => BinOp::Shl,
        "shr" => BinOp::LShr,
        _ => return None,
    })
}

fn rmw_op(op: BinOp) -> Option<RmwOp> {
    Some(match op {
        BinOp::Add => RmwOp::Add,
        BinOp::Sub => RmwOp::Sub,
        BinOp::And => RmwOp::And,
        BinOp::Or => RmwOp::Or,
        BinOp::Xor => RmwOp::Xor,
        _ => return None,
    })
}
