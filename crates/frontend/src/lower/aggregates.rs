//! Members of structures held in registers, and bit casts between
//! vectors and integers, which is how C passes small structures by value.

use ir::{BinOp, CastOp, Instr, Operand};

use super::What;
use super::body::{Body, Operands};
use crate::llvm::{Opcode, Value};

impl<'m> Body<'_, 'm> {
    pub(super) fn aggregate(&mut self, value: Value<'m>) -> What<()> {
        match value.opcode() {
            Some(Opcode::LLVMExtractValue) => self.extract_value(value),
            Some(Opcode::LLVMInsertValue) => self.insert_value(value),
            Some(Opcode::LLVMExtractElement) => self.extract_element(value),
            Some(Opcode::LLVMInsertElement) => self.insert_element(value),
            _ => self.shuffle(value),
        }
    }

    pub(super) fn source(&mut self, value: Value<'m>, index: u32) -> What<(Value<'m>, Operands)> {
        let source = value.operand(index).ok_or("an aggregate operation without operands")?;
        Ok((source, self.value(source)?))
    }

    fn extract_value(&mut self, value: Value<'m>) -> What<()> {
        let (source, operands) = self.source(value, 0)?;
        let (first, count) = self.lowering.member(source.ty(), &value.indices())?;
        let member = operands.get(first..first + count).ok_or("a member that does not exist")?;
        self.define(value, Operands::from_slice(member))
    }

    fn insert_value(&mut self, value: Value<'m>) -> What<()> {
        let (source, mut operands) = self.source(value, 0)?;
        let (_, inserted) = self.source(value, 1)?;
        let (first, count) = self.lowering.member(source.ty(), &value.indices())?;
        if first + count > operands.len() || inserted.len() != count {
            return Err("a member that does not exist".to_owned());
        }
        operands[first..first + count].copy_from_slice(&inserted);
        self.define(value, operands)
    }

    /// Between types of one size: through one integer of that size.
    pub(super) fn bitcast(&mut self, value: Value<'m>) -> What<()> {
        let (source, operands) = self.source(value, 0)?;
        let from = self.lowering.widths(source.ty())?;
        let to = self.lowering.widths(value.ty())?;
        if from == to {
            return self.define(value, operands);
        }
        let total: u32 = from.iter().map(|w| u32::from(*w)).sum();
        if total > 128 || total != to.iter().map(|w| u32::from(*w)).sum::<u32>() {
            return Err(format!("a bit cast of {total} bits"));
        }
        let whole = self.join(&operands, &from, total as u8);
        let parts = self.split(whole, total as u8, &to);
        self.define(value, parts)
    }

    /// One integer made of several, the first in its low bits.
    pub(super) fn join(&mut self, operands: &[Operand], widths: &[u8], total: u8) -> Operand {
        let mut whole: Option<Operand> = None;
        let mut shift = 0;
        for (operand, width) in operands.iter().zip(widths) {
            // Undefined parts must not make the others undefined.
            let known = if *operand == Operand::Undef { Operand::Int(0) } else { *operand };
            let mut part = self.resize(known, *width, total, false);
            if shift > 0 {
                let dst = self.temp(total);
                let by = self.int(shift, total);
                self.binary(BinOp::Shl, total, dst, part, by);
                part = Operand::Reg(dst);
            }
            whole = Some(match whole {
                None => part,
                Some(old) => {
                    let dst = self.temp(total);
                    self.binary(BinOp::Or, total, dst, old, part);
                    Operand::Reg(dst)
                }
            });
            shift += u128::from(*width);
        }
        whole.unwrap_or(Operand::Undef)
    }

    /// The parts of an integer, the first from its low bits.
    pub(super) fn split(&mut self, whole: Operand, total: u8, widths: &[u8]) -> Operands {
        let mut parts = Operands::new();
        let mut shift = 0;
        for width in widths {
            let mut part = whole;
            if shift > 0 {
                let dst = self.temp(total);
                let by = self.int(shift, total);
                self.binary(BinOp::LShr, total, dst, whole, by);
                part = Operand::Reg(dst);
            }
            if *width != total {
                let dst = self.temp(*width);
                self.emit(Instr::Cast { op: CastOp::Trunc, from: total, to: *width, dst, src: part });
                part = Operand::Reg(dst);
            }
            parts.push(part);
            shift += u128::from(*width);
        }
        parts
    }
}
