//! Instructions that exchange a register and memory.

use ir::{BinOp, CompareExchange, Instr, Operand, Order, Pred, RmwOp};

use super::operands::{Assembly, Flags, Spot, plain};
use crate::lower::body::Body;

impl Body<'_, '_> {
    /// `xchg`: with memory it is atomic also without `lock`.
    pub(super) fn asm_exchange(
        &mut self,
        first: Spot,
        second: Spot,
        suffix: Option<u8>,
        asm: &mut Assembly,
    ) -> Option<()> {
        let width = suffix.or(first.width()).or(second.width())?;
        let (from, to) = if matches!(first, Spot::Memory(_)) { (second, first) } else { (first, second) };
        let value = self.asm_read(from, width, asm)?;
        if let Spot::Memory(ptr) = to {
            let dst = self.temp(width);
            let (op, order) = (RmwOp::Xchg, Order::SeqCst);
            self.emit(Instr::AtomicRmw { op, width, dst, ptr, value, order });
            return self.asm_write(from, Operand::Reg(dst), width, asm).then_some(());
        }
        let other = self.asm_read(to, width, asm)?;
        (self.asm_write(to, value, width, asm) && self.asm_write(from, other, width, asm)).then_some(())
    }

    /// `xadd`: the register gets the value before the addition.
    pub(super) fn asm_exchange_add(
        &mut self,
        from: Spot,
        to: Spot,
        suffix: Option<u8>,
        lock: bool,
        asm: &mut Assembly,
    ) -> Option<()> {
        let width = suffix.or(from.width())?;
        let (Spot::Cell(..), Spot::Memory(_)) = (from, to) else { return None };
        let value = self.asm_read(from, width, asm)?;
        let (old, new) = self.asm_update(BinOp::Add, value, to, width, lock, asm)?;
        asm.flags = self.asm_flags(new, width, None);
        self.asm_write(from, old, width, asm).then_some(())
    }

    /// `cmpxchg`: the accumulator is compared, and gets the value before.
    pub(super) fn asm_compare_exchange(
        &mut self,
        new: Spot,
        to: Spot,
        suffix: Option<u8>,
        lock: bool,
        asm: &mut Assembly,
    ) -> Option<()> {
        let width = suffix.or(new.width())?;
        let accumulator = Spot::Cell(asm.cell("ax"), width);
        let expected = self.asm_read(accumulator, width, asm)?;
        let new = self.asm_read(new, width, asm)?;
        let (old, ok) = self.asm_exchange_if(to, expected, new, width, lock)?;
        asm.flags = Flags { zero: Some(ok), ..Flags::default() };
        self.asm_write(accumulator, old, width, asm).then_some(())
    }

    /// `cmpxchg8b` and `cmpxchg16b`: the values are in two registers each.
    pub(super) fn asm_compare_exchange_pair(
        &mut self,
        to: Spot,
        half: u8,
        lock: bool,
        asm: &mut Assembly,
    ) -> Option<()> {
        let expected = self.asm_pair("ax", "dx", half, asm)?;
        let new = self.asm_pair("bx", "cx", half, asm)?;
        let (old, ok) = self.asm_exchange_if(to, expected, new, 2 * half, lock)?;
        asm.flags.zero = Some(ok);
        for (part, name) in self.split(old, 2 * half, &[half, half]).into_iter().zip(["ax", "dx"]) {
            let cell = asm.cell(name);
            self.asm_write(Spot::Cell(cell, half), part, half, asm);
        }
        Some(())
    }

    /// The value of two registers together.
    fn asm_pair(
        &mut self,
        low: &'static str,
        high: &'static str,
        half: u8,
        asm: &mut Assembly,
    ) -> Option<Operand> {
        let mut parts = Vec::new();
        for name in [low, high] {
            let cell = asm.cell(name);
            parts.push(self.asm_read(Spot::Cell(cell, half), half, asm)?);
        }
        Some(self.join(&parts, &[half, half], 2 * half))
    }

    /// Replaces what memory holds if it is what is expected: the value before,
    /// and whether it was. Without `lock` that is a read and a write.
    fn asm_exchange_if(
        &mut self,
        to: Spot,
        expected: Operand,
        new: Operand,
        width: u8,
        lock: bool,
    ) -> Option<(Operand, Operand)> {
        let Spot::Memory(ptr) = to else { return None };
        let (old, ok) = (self.temp(width), self.temp(1));
        let (success, failure) = (Order::SeqCst, Order::SeqCst);
        if lock {
            let operands =
                CompareExchange { width, old, ok, ptr, expected, new, success, failure, weak: false };
            self.emit(Instr::CompareExchange(Box::new(operands)));
            return Some((Operand::Reg(old), Operand::Reg(ok)));
        }
        let word = self.lowering.pointer_width;
        let stored = self.temp(width);
        let (before, cond) = (Operand::Reg(old), Operand::Reg(ok));
        self.emit(Instr::Load { width, dst: old, ptr, access: plain(Order::Acquire, width, word) });
        self.emit(Instr::Compare { pred: Pred::Eq, width, dst: ok, lhs: before, rhs: expected });
        self.emit(Instr::Select { width, dst: stored, cond, yes: new, no: before });
        let (value, access) = (Operand::Reg(stored), plain(Order::Release, width, word));
        self.emit(Instr::Store { width, ptr, value, access });
        Some((before, cond))
    }
}
