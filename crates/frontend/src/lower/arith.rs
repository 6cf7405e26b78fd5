//! Integer and float arithmetic, comparisons, conversions.
//!
//! Vectors are worked on element by element: every rule here is for one leaf.

use ir::{BinOp, CastOp, FloatOp, FloatPred, FloatUnOp, Instr, Operand, Pred, Reg};

use super::What;
use super::body::{Body, Operands};
use crate::llvm::{IntPredicate, Opcode, RealPredicate, Value};

impl<'m> Body<'_, 'm> {
    pub(super) fn arith(&mut self, value: Value<'m>) -> What<()> {
        use Opcode::*;
        let opcode = value.opcode().ok_or("something that is no instruction")?;
        match opcode {
            LLVMSelect => self.select(value),
            LLVMFreeze => {
                let operands = self.value(value.operand(0).ok_or("a freeze of nothing")?)?;
                self.copy(value, operands)
            }
            LLVMBitCast => self.bitcast(value),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
            | LLVMFPTrunc | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr | LLVMAddrSpaceCast => {
                self.cast(value, cast_op(opcode))
            }
            LLVMFNeg => self.each_leaf(value, |op, dst, width| {
                Ok(Instr::FloatUnary { op: FloatUnOp::Neg, width, dst, src: op[0] })
            }),
            LLVMICmp => {
                let pred = pred(value.int_predicate().ok_or("a comparison")?);
                self.each_leaf(value, |op, dst, width| {
                    Ok(Instr::Compare { pred, width, dst, lhs: op[0], rhs: op[1] })
                })
            }
            LLVMFCmp => {
                let pred = float_pred(value.real_predicate().ok_or("a comparison")?);
                self.each_leaf(value, |op, dst, width| {
                    Ok(Instr::FloatCompare { pred, width, dst, lhs: op[0], rhs: op[1] })
                })
            }
            _ => self.two_operands(value, opcode),
        }
    }

    fn two_operands(&mut self, value: Value<'m>, opcode: Opcode) -> What<()> {
        if let Some(op) = float_op(opcode) {
            return self.each_leaf(value, |operand, dst, width| {
                Ok(Instr::FloatBinary { op, width, dst, lhs: operand[0], rhs: operand[1] })
            });
        }
        let Some(op) = bin_op(opcode) else { return Err(format!("the instruction {opcode:?}")) };
        let no_signed_wrap = value.no_signed_wrap();
        self.each_leaf(value, |operand, dst, width| {
            Ok(Instr::Binary { op, width, no_signed_wrap, dst, lhs: operand[0], rhs: operand[1] })
        })
    }

    /// Applies a rule to each leaf of the operands. The rule gets the width of
    /// the operands; the result has the widths of the value's own type.
    pub(super) fn each_leaf(
        &mut self,
        value: Value<'m>,
        mut rule: impl FnMut(&[Operand], Reg, u8) -> What<Instr>,
    ) -> What<()> {
        let first = value.operand(0).ok_or("an instruction without operands")?;
        let from = self.lowering.widths(first.ty())?;
        let to = self.lowering.widths(value.ty())?;
        let count = value.operand_count().min(2);
        let mut columns = Vec::new();
        for i in 0..count {
            columns.push(self.value(value.operand(i).ok_or("an instruction without operands")?)?);
        }
        if let ([width], [result]) = (from.as_slice(), to.as_slice()) {
            let operands: Operands = columns.iter().map(|c| c[0]).collect();
            let dst = self.dst(value, *result);
            let instr = rule(&operands, dst, *width)?;
            self.emit(instr);
            return Ok(());
        }
        let mut results = Operands::new();
        for (leaf, (width, result)) in from.into_iter().zip(to).enumerate() {
            let operands: Operands = columns.iter().filter_map(|c| c.get(leaf).copied()).collect();
            if operands.len() < columns.len() {
                return Err("vectors of different lengths".to_owned());
            }
            let dst = self.temp(result);
            let instr = rule(&operands, dst, width)?;
            self.emit(instr);
            results.push(Operand::Reg(dst));
        }
        self.define(value, results)
    }

    /// Copies operands into registers of their own.
    pub(super) fn copy(&mut self, value: Value<'m>, operands: Operands) -> What<()> {
        let widths = self.lowering.widths(value.ty())?;
        if let ([width], [src]) = (widths.as_slice(), operands.as_slice()) {
            let dst = self.dst(value, *width);
            self.emit(Instr::Move { width: *width, dst, src: *src });
            return Ok(());
        }
        let mut results = Operands::new();
        for (src, width) in operands.into_iter().zip(widths) {
            let dst = self.temp(width);
            self.emit(Instr::Move { width, dst, src });
            results.push(Operand::Reg(dst));
        }
        self.define(value, results)
    }

    fn select(&mut self, value: Value<'m>) -> What<()> {
        let conds = self.value(value.operand(0).ok_or("a select without condition")?)?;
        let yes = self.value(value.operand(1).ok_or("a select without values")?)?;
        let no = self.value(value.operand(2).ok_or("a select without values")?)?;
        let widths = self.lowering.widths(value.ty())?;
        let mut results = Operands::new();
        for (leaf, width) in widths.iter().copied().enumerate() {
            let cond = conds.get(leaf).or(conds.first()).copied().ok_or("a select without condition")?;
            let dst = if widths.len() == 1 { self.dst(value, width) } else { self.temp(width) };
            self.emit(Instr::Select { width, dst, cond, yes: yes[leaf], no: no[leaf] });
            results.push(Operand::Reg(dst));
        }
        self.define(value, results)
    }

    fn cast(&mut self, value: Value<'m>, op: Option<CastOp>) -> What<()> {
        let source = value.operand(0).ok_or("a cast of nothing")?;
        let from = self.lowering.widths(source.ty())?;
        let to = self.lowering.widths(value.ty())?;
        let operands = self.value(source)?;
        if from == to && op.is_none() {
            return self.define(value, operands);
        }
        let mut results = Operands::new();
        let single = to.len() == 1;
        for ((src, from), to) in operands.into_iter().zip(from).zip(to) {
            // Pointers and integers convert by width, zero-extended.
            let op = op.unwrap_or(if from > to { CastOp::Trunc } else { CastOp::ZExt });
            let dst = if single { self.dst(value, to) } else { self.temp(to) };
            self.emit(Instr::Cast { op, from, to, dst, src });
            results.push(Operand::Reg(dst));
        }
        self.define(value, results)
    }
}

/// `None` for conversions between pointers and integers.
fn cast_op(opcode: Opcode) -> Option<CastOp> {
    use Opcode::*;
    match opcode {
        LLVMTrunc => Some(CastOp::Trunc),
        LLVMZExt => Some(CastOp::ZExt),
        LLVMSExt => Some(CastOp::SExt),
        LLVMFPToUI => Some(CastOp::FloatToUnsigned),
        LLVMFPToSI => Some(CastOp::FloatToSigned),
        LLVMUIToFP => Some(CastOp::UnsignedToFloat),
        LLVMSIToFP => Some(CastOp::SignedToFloat),
        LLVMFPTrunc | LLVMFPExt => Some(CastOp::FloatToFloat),
        _ => None,
    }
}

fn bin_op(opcode: Opcode) -> Option<BinOp> {
    use Opcode::*;
    Some(match opcode {
        LLVMAdd => BinOp::Add,
        LLVMSub => BinOp::Sub,
        LLVMMul => BinOp::Mul,
        LLVMUDiv => BinOp::UDiv,
        LLVMSDiv => BinOp::SDiv,
        LLVMURem => BinOp::URem,
        LLVMSRem => BinOp::SRem,
        LLVMShl => BinOp::Shl,
        LLVMLShr => BinOp::LShr,
        LLVMAShr => BinOp::AShr,
        LLVMAnd => BinOp::And,
        LLVMOr => BinOp::Or,
        LLVMXor => BinOp::Xor,
        _ => return None,
    })
}

fn float_op(opcode: Opcode) -> Option<FloatOp> {
    use Opcode::*;
    Some(match opcode {
        LLVMFAdd => FloatOp::Add,
        LLVMFSub => FloatOp::Sub,
        LLVMFMul => FloatOp::Mul,
        LLVMFDiv => FloatOp::Div,
        LLVMFRem => FloatOp::Rem,
        _ => return None,
    })
}

fn pred(predicate: IntPredicate) -> Pred {
    match predicate {
        IntPredicate::LLVMIntEQ => Pred::Eq,
        IntPredicate::LLVMIntNE => Pred::Ne,
        IntPredicate::LLVMIntUGT => Pred::Ugt,
        IntPredicate::LLVMIntUGE => Pred::Uge,
        IntPredicate::LLVMIntULT => Pred::Ult,
        IntPredicate::LLVMIntULE => Pred::Ule,
        IntPredicate::LLVMIntSGT => Pred::Sgt,
        IntPredicate::LLVMIntSGE => Pred::Sge,
        IntPredicate::LLVMIntSLT => Pred::Slt,
        IntPredicate::LLVMIntSLE => Pred::Sle,
    }
}

fn float_pred(predicate: RealPredicate) -> FloatPred {
    use RealPredicate::*;
    match predicate {
        LLVMRealPredicateFalse => FloatPred::False,
        LLVMRealOEQ => FloatPred::Oeq,
        LLVMRealOGT => FloatPred::Ogt,
        LLVMRealOGE => FloatPred::Oge,
        LLVMRealOLT => FloatPred::Olt,
        LLVMRealOLE => FloatPred::Ole,
        LLVMRealONE => FloatPred::One,
        LLVMRealORD => FloatPred::Ord,
        LLVMRealUNO => FloatPred::Uno,
        LLVMRealUEQ => FloatPred::Ueq,
        LLVMRealUGT => FloatPred::Ugt,
        LLVMRealUGE => FloatPred::Uge,
        LLVMRealULT => FloatPred::Ult,
        LLVMRealULE => FloatPred::Ule,
        LLVMRealUNE => FloatPred::Une,
        LLVMRealPredicateTrue => FloatPred::True,
    }
}
