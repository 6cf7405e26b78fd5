//! Vectors held in registers, one for each element.

use ir::{BinOp, Failure, FloatOp, Instr, Operand, Pred};
use smallvec::smallvec;

use super::What;
use super::body::{Body, Operands};
use super::intrinsics::min_max;
use crate::llvm::Value;

impl<'m> Body<'_, 'm> {
    /// Computes each element of a call's result from those of its arguments.
    pub(super) fn each_element(
        &mut self,
        site: Value<'m>,
        mut rule: impl FnMut(&mut Self, &[Operand], u8) -> Operand,
    ) -> What<()> {
        let widths = self.lowering.widths(site.ty())?;
        let mut columns = Vec::new();
        for argument in site.arguments() {
            columns.push(self.value(argument)?);
        }
        let mut results = Operands::new();
        for (index, width) in widths.into_iter().enumerate() {
            let operands: Option<Operands> = columns.iter().map(|c| c.get(index).copied()).collect();
            results.push(rule(self, &operands.ok_or("vectors of different lengths")?, width));
        }
        self.define(site, results)
    }

    /// `llvm.vector.reduce.*`: one value out of all elements, from the first to the last.
    pub(super) fn reduce(&mut self, site: Value<'m>, operation: &str) -> What<()> {
        let unknown = || format!("the intrinsic llvm.vector.reduce.{operation}");
        let op = Reduction::named(operation).ok_or_else(unknown)?;
        let width = self.lowering.width(site.ty())?;
        let mut operands = Operands::new();
        // Sums of floats start with a value of their own.
        for argument in site.arguments() {
            operands.extend(self.value(argument)?);
        }
        let (first, others) = operands.split_first().ok_or_else(unknown)?;
        let mut result = *first;
        for operand in others {
            let dst = self.temp(width);
            let (lhs, rhs) = (result, *operand);
            match op {
                Reduction::Int(op) => self.binary(op, width, dst, lhs, rhs),
                Reduction::Float(op) => self.emit(Instr::FloatBinary { op, width, dst, lhs, rhs }),
            }
            result = Operand::Reg(dst);
        }
        self.define(site, smallvec![result])
    }

    pub(super) fn shuffle(&mut self, value: Value<'m>) -> What<()> {
        let (_, first) = self.source(value, 0)?;
        let (_, second) = self.source(value, 1)?;
        let both: Operands = first.into_iter().chain(second).collect();
        let pick = |index: Option<u32>| index.and_then(|i| both.get(i as usize).copied());
        let operands = value.shuffle_mask().into_iter().map(|i| pick(i).unwrap_or(Operand::Undef)).collect();
        self.define(value, operands)
    }

    pub(super) fn extract_element(&mut self, value: Value<'m>) -> What<()> {
        let (_, operands) = self.source(value, 0)?;
        let at = self.element_index(value, 1, operands.len())?;
        let width = self.lowering.width(value.ty())?;
        let mut result = *operands.first().ok_or("a vector without elements")?;
        for (index, operand) in operands.iter().enumerate().skip(1) {
            result = self.select_element(at, index, *operand, result, width);
        }
        self.define(value, smallvec![result])
    }

    pub(super) fn insert_element(&mut self, value: Value<'m>) -> What<()> {
        let (_, mut operands) = self.source(value, 0)?;
        let (_, inserted) = self.source(value, 1)?;
        let inserted = *inserted.first().ok_or("a vector element that does not exist")?;
        let at = self.element_index(value, 2, operands.len())?;
        let widths = self.lowering.widths(value.ty())?;
        for (index, (operand, width)) in operands.iter_mut().zip(widths).enumerate() {
            *operand = self.select_element(at, index, inserted, *operand, width);
        }
        self.define(value, operands)
    }

    /// The index of an element, with its width. One that the vector does not have is a fault.
    fn element_index(&mut self, value: Value<'m>, operand: u32, count: usize) -> What<(Operand, u8)> {
        let index = value.operand(operand).ok_or("a vector element without an index")?;
        let width = self.lowering.width(index.ty())?;
        let at = self.scalar(index)?;
        let always = matches!(at, Operand::Int(bits) if bits < count as u64);
        if !always && (width >= 64 || count < 1 << width) {
            let (inside, ok, bad) = (self.temp(1), self.new_label(), self.new_label());
            let rhs = self.int(count as u128, width);
            self.emit(Instr::Compare { pred: Pred::Ult, width, dst: inside, lhs: at, rhs });
            self.emit(Instr::Branch { cond: Operand::Reg(inside), yes: ok, no: bad });
            self.place(bad);
            let message = self.lowering.symbol(&format!("a vector of {count} elements"));
            self.emit(Instr::Fail { kind: Failure::Element, message });
            self.place(ok);
            self.dead = false;
        }
        Ok((at, width))
    }

    /// One of two values: the first where the index is this one.
    fn select_element(
        &mut self,
        (at, index_width): (Operand, u8),
        index: usize,
        yes: Operand,
        no: Operand,
        width: u8,
    ) -> Operand {
        let rhs = self.int(index as u128, index_width);
        if let Operand::Int(_) | Operand::WideInt(_) = at {
            return if at == rhs { yes } else { no };
        }
        let (chosen, dst) = (self.temp(1), self.temp(width));
        self.emit(Instr::Compare { pred: Pred::Eq, width: index_width, dst: chosen, lhs: at, rhs });
        self.emit(Instr::Select { width, dst, cond: Operand::Reg(chosen), yes, no });
        Operand::Reg(dst)
    }
}

/// What a reduction does with two elements.
#[derive(Clone, Copy)]
enum Reduction {
    Int(BinOp),
    Float(FloatOp),
}

impl Reduction {
    fn named(name: &str) -> Option<Reduction> {
        Some(match name {
            "add" => Reduction::Int(BinOp::Add),
            "mul" => Reduction::Int(BinOp::Mul),
            "and" => Reduction::Int(BinOp::And),
            "or" => Reduction::Int(BinOp::Or),
            "xor" => Reduction::Int(BinOp::Xor),
            "fadd" => Reduction::Float(FloatOp::Add),
            "fmul" => Reduction::Float(FloatOp::Mul),
            "fmin" => Reduction::Float(FloatOp::Min),
            "fmax" => Reduction::Float(FloatOp::Max),
            "fminimum" => Reduction::Float(FloatOp::Minimum),
            "fmaximum" => Reduction::Float(FloatOp::Maximum),
            _ => return min_max(name).map(Reduction::Int),
        })
    }
}
