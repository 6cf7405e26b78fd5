//! LLVM's own functions, `llvm.*`.

use ir::{ArithOp, BinOp, FloatOp, FloatPred, FloatUnOp, Instr, Operand, Order, Pred, UnOp};
use smallvec::smallvec;

use super::What;
use super::body::{Body, Operands, zero};
use super::promote::is_only_marked;
use crate::llvm::Value;

/// The classes that `llvm.is.fpclass` asks for, as far as they are known.
const NAN: u128 = 0x003;
const INFINITE: u128 = 0x204;
const FINITE: u128 = 0x1f8;

impl<'m> Body<'_, 'm> {
    pub(super) fn intrinsic(&mut self, site: Value<'m>, full_name: &str) -> What<()> {
        let name = stem(full_name);
        if let Some(op) = min_max(name) {
            return self.each_leaf(site, |o, dst, width| {
                Ok(Instr::Binary { op, width, no_signed_wrap: false, dst, lhs: o[0], rhs: o[1] })
            });
        }
        if matches!(name, "ctlz" | "cttz") && site.operand(1).and_then(|v| v.int_bits()) == Some(1) {
            return self.count_below_one(site, unary(name).ok_or("a count of zeros")?);
        }
        if let Some(op) = unary(name) {
            return self.each_leaf(site, |o, dst, width| Ok(Instr::Unary { op, width, dst, src: o[0] }));
        }
        if let Some(op) = float_unary(name) {
            return self.each_leaf(site, |o, dst, width| {
                native_width(op.is_native_only(), width, name)?;
                Ok(Instr::FloatUnary { op, width, dst, src: o[0] })
            });
        }
        if let Some(op) = float_binary(name) {
            return self.each_leaf(site, |o, dst, width| {
                native_width(op.is_native_only(), width, name)?;
                Ok(Instr::FloatBinary { op, width, dst, lhs: o[0], rhs: o[1] })
            });
        }
        if let Some((op, signed)) = overflow_op(name) {
            return self.with_overflow(site, op, signed);
        }
        if let Some((op, signed)) = saturating_op(name) {
            return self.saturating(site, op, signed);
        }
        if let Some(operation) = name.strip_prefix("vector.reduce.") {
            return self.reduce(site, operation);
        }
        match name {
            "memcpy" | "memcpy.inline" => self.memory_intrinsic(site, false, false),
            "memmove" => self.memory_intrinsic(site, false, true),
            "memset" | "memset.inline" => self.memory_intrinsic(site, true, false),
            "lifetime.start" => self.lifetime(site, true),
            "lifetime.end" => self.lifetime(site, false),
            "fmuladd" => self.multiply_add(site),
            // It rounds only once, which no two instructions do.
            "fma" => Err("the function fma".to_owned()),
            "is.fpclass" => self.float_class(site),
            "fshl" | "fshr" => self.funnel_shift(site, name == "fshl"),
            _ => self.other_intrinsic(site, name),
        }
    }

    fn other_intrinsic(&mut self, site: Value<'m>, name: &str) -> What<()> {
        match name {
            "assume"
            | "donothing"
            | "prefetch"
            | "var.annotation"
            | "va_end"
            | "sideeffect"
            | "pseudoprobe"
            | "experimental.noalias.scope.decl"
            | "invariant.start"
            | "invariant.end" => self.without_value(site),
            "expect"
            | "expect.with.probability"
            | "ptr.annotation"
            | "annotation"
            | "ssa.copy"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "threadlocal.address" => {
                let operands = self.value(site.operand(0).ok_or("an intrinsic without operands")?)?;
                self.copy(site, operands)
            }
            // The compiler does not know: -1, or 0 if the least is asked for.
            "objectsize" => {
                let least = site.operand(1).and_then(|v| v.int_bits()) == Some(1);
                self.constant_result(site, if least { 0 } else { u128::MAX })
            }
            "is.constant" | "returnaddress" | "frameaddress" => self.constant_result(site, 0),
            "readcyclecounter" => {
                let cycles = self.cycles();
                self.define(site, smallvec![cycles])
            }
            "ptrmask" => match self.unaligned_place(site)? {
                Some(place) => self.copy(site, smallvec![place]),
                None => self.each_leaf(site, |o, dst, width| {
                    Ok(Instr::Binary {
                        op: BinOp::And,
                        width,
                        no_signed_wrap: false,
                        dst,
                        lhs: o[0],
                        rhs: o[1],
                    })
                }),
            },
            "stacksave" => {
                let dst = self.dst(site, self.lowering.pointer_width);
                self.emit(Instr::StackSave { dst });
                Ok(())
            }
            _ if name.starts_with("eh.") => Err("C++ exception".to_owned()),
            _ => self.plain_effect(site, name),
        }
    }

    /// Intrinsics without a result.
    fn plain_effect(&mut self, site: Value<'m>, name: &str) -> What<()> {
        let instr = match name {
            "trap" | "debugtrap" | "ubsantrap" => Instr::Exit { code: None },
            "x86.sse2.pause" => Instr::Yield,
            "x86.sse2.mfence" => Instr::Fence { order: Order::SeqCst },
            "x86.sse2.lfence" => Instr::Fence { order: Order::Acquire },
            "x86.sse.sfence" => Instr::Fence { order: Order::Release },
            "stackrestore" => Instr::StackRestore { mark: self.operand(site, 0)? },
            "va_start" => Instr::VaStart { list: self.operand(site, 0)? },
            "va_copy" => {
                let (dst, src) = (self.operand(site, 0)?, self.operand(site, 1)?);
                let size = if self.lowering.pointer_width == 64 { 24 } else { 4 };
                Instr::MemCopy { dst, src, len: Operand::Int(size), may_overlap: true }
            }
            _ => return Err(format!("the intrinsic llvm.{name}")),
        };
        self.emit(instr);
        Ok(())
    }

    fn without_value(&mut self, site: Value<'m>) -> What<()> {
        let widths = self.lowering.widths(site.ty())?;
        self.define(site, widths.iter().map(|_| Operand::Undef).collect())
    }

    fn constant_result(&mut self, site: Value<'m>, bits: u128) -> What<()> {
        let width = self.lowering.width(site.ty())?;
        let operand = self.int(bits, width);
        self.define(site, smallvec![operand])
    }

    fn lifetime(&mut self, site: Value<'m>, begins: bool) -> What<()> {
        let address = site.operand(1).ok_or("a scope without an object")?;
        if let Some(dst) = self.locals.get(&address).copied() {
            let width = self.function.slots[dst.0 as usize].width;
            if begins {
                self.emit(Instr::Move { width, dst, src: Operand::Undef });
            }
            return Ok(());
        }
        if is_only_marked(address) {
            return Ok(());
        }
        if begins && self.scoped.contains(&address) {
            return self.begin_scope(address);
        }
        let ptr = self.scalar(address)?;
        if self.scoped.contains(&address) {
            self.emit(Instr::EndObject { ptr });
            return Ok(());
        }
        self.emit(if begins { Instr::ScopeBegin { ptr } } else { Instr::ScopeEnd { ptr } });
        Ok(())
    }

    fn memory_intrinsic(&mut self, site: Value<'m>, set: bool, may_overlap: bool) -> What<()> {
        let dst = self.operand(site, 0)?;
        let second = self.operand(site, 1)?;
        let size = site.operand(2).ok_or("a copy without a length")?;
        let from = self.lowering.width(size.ty())?;
        let len = self.scalar(size)?;
        let len = self.pointer_wide(len, from, false);
        if len == Operand::Int(0) {
            return Ok(());
        }
        self.emit(match set {
            true => Instr::MemSet { dst, byte: second, len },
            // A structure assigned to itself is one object copied onto itself: allowed in practice.
            false => Instr::MemCopy { dst, src: second, len, may_overlap },
        });
        Ok(())
    }

    fn with_overflow(&mut self, site: Value<'m>, op: ArithOp, signed: bool) -> What<()> {
        let (lhs, rhs) = (self.operand(site, 0)?, self.operand(site, 1)?);
        let width = self.lowering.width(site.operand(0).ok_or("no operand")?.ty())?;
        let (result, overflow) = (self.temp(width), self.temp(1));
        self.binary(bin_op(op), width, result, lhs, rhs);
        self.emit(Instr::Overflows { op, signed, width, dst: overflow, lhs, rhs });
        self.define(site, smallvec![Operand::Reg(result), Operand::Reg(overflow)])
    }

    /// The result, or the bound it runs into.
    fn saturating(&mut self, site: Value<'m>, op: ArithOp, signed: bool) -> What<()> {
        self.each_element(site, |body, operands, width| {
            let (lhs, rhs) = (operands[0], operands[1]);
            let (result, overflow, dst) = (body.temp(width), body.temp(1), body.temp(width));
            body.binary(bin_op(op), width, result, lhs, rhs);
            body.emit(Instr::Overflows { op, signed, width, dst: overflow, lhs, rhs });
            let bound = match (signed, op) {
                (false, ArithOp::Sub) => zero(width),
                (false, _) => body.int(u128::MAX, width),
                (true, _) => body.signed_bound(lhs, width),
            };
            let cond = Operand::Reg(overflow);
            body.emit(Instr::Select { width, dst, cond, yes: bound, no: Operand::Reg(result) });
            Operand::Reg(dst)
        })
    }

    /// The least number if `lhs` is negative, else the greatest.
    fn signed_bound(&mut self, lhs: Operand, width: u8) -> Operand {
        let least = 1u128 << (width - 1);
        let (low, high) = (self.int(least, width), self.int(least - 1, width));
        let (negative, bound) = (self.temp(1), self.temp(width));
        self.emit(Instr::Compare { pred: Pred::Slt, width, dst: negative, lhs, rhs: zero(width) });
        self.emit(Instr::Select { width, dst: bound, cond: Operand::Reg(negative), yes: low, no: high });
        Operand::Reg(bound)
    }

    /// The zeros before or behind the first one. A number without any has no such count: what
    /// the processor returns for it is undefined.
    fn count_below_one(&mut self, site: Value<'m>, op: UnOp) -> What<()> {
        let numbers = self.value(site.operand(0).ok_or("an intrinsic without operands")?)?;
        let widths = self.lowering.widths(site.ty())?;
        let mut results = Operands::new();
        for (src, width) in numbers.into_iter().zip(widths) {
            let (count, none, dst) = (self.temp(width), self.temp(1), self.temp(width));
            self.emit(Instr::Unary { op, width, dst: count, src });
            self.emit(Instr::Compare { pred: Pred::Eq, width, dst: none, lhs: src, rhs: zero(width) });
            let (cond, no) = (Operand::Reg(none), Operand::Reg(count));
            self.emit(Instr::Select { width, dst, cond, yes: Operand::Undef, no });
            results.push(Operand::Reg(dst));
        }
        self.define(site, results)
    }

    fn multiply_add(&mut self, site: Value<'m>) -> What<()> {
        self.each_element(site, |body, operands, width| {
            let (product, dst) = (body.temp(width), body.temp(width));
            let (lhs, rhs) = (operands[0], operands[1]);
            body.emit(Instr::FloatBinary { op: FloatOp::Mul, width, dst: product, lhs, rhs });
            let (lhs, rhs) = (Operand::Reg(product), operands[2]);
            body.emit(Instr::FloatBinary { op: FloatOp::Add, width, dst, lhs, rhs });
            Operand::Reg(dst)
        })
    }

    /// `isnan` and its kin.
    fn float_class(&mut self, site: Value<'m>) -> What<()> {
        let class = site.operand(1).and_then(|v| v.int_bits()).ok_or("a class of floats")?;
        let number = site.operand(0).ok_or("an intrinsic without operands")?;
        let width = self.lowering.width(number.ty())?;
        let src = self.scalar(number)?;
        let infinity = match width {
            16 => 0x7c00,
            32 => f32::INFINITY.to_bits().into(),
            64 => f64::INFINITY.to_bits().into(),
            _ => 0x7fff_8000_0000_0000_0000,
        };
        let pred = match class {
            NAN => FloatPred::Uno,
            INFINITE => FloatPred::Oeq,
            FINITE => FloatPred::Olt,
            _ => return Err("a class of floats".to_owned()),
        };
        let (rhs, absolute, dst) = (self.int(infinity, width), self.temp(width), self.temp(1));
        self.emit(Instr::FloatUnary { op: FloatUnOp::Abs, width, dst: absolute, src });
        self.emit(Instr::FloatCompare { pred, width, dst, lhs: Operand::Reg(absolute), rhs });
        self.define(site, smallvec![Operand::Reg(dst)])
    }

    /// Shifts two words as one: `(high : low) << n`, upper half; or `>> n`, lower half.
    fn funnel_shift(&mut self, site: Value<'m>, left: bool) -> What<()> {
        self.each_element(site, |body, operands, width| {
            body.funnel_shift_word(operands[0], operands[1], operands[2], width, left)
        })
    }

    fn funnel_shift_word(
        &mut self,
        high: Operand,
        low: Operand,
        by: Operand,
        width: u8,
        left: bool,
    ) -> Operand {
        let bits = self.int(u128::from(width), width);
        let (amount, rest) = (self.temp(width), self.temp(width));
        self.binary(BinOp::URem, width, amount, by, bits);
        self.binary(BinOp::Sub, width, rest, bits, Operand::Reg(amount));
        let one = self.int(1, width);
        // Shifting by the whole width is a fault, so the far side goes in two steps.
        let (less, near, far, all, whole) =
            (self.temp(width), self.temp(width), self.temp(width), self.temp(width), self.temp(width));
        self.binary(BinOp::Sub, width, less, Operand::Reg(rest), one);
        let (near_op, far_op) = if left { (BinOp::Shl, BinOp::LShr) } else { (BinOp::LShr, BinOp::Shl) };
        let (near_word, far_word) = if left { (high, low) } else { (low, high) };
        self.binary(near_op, width, near, near_word, Operand::Reg(amount));
        self.binary(far_op, width, far, far_word, Operand::Reg(less));
        self.binary(far_op, width, all, Operand::Reg(far), one);
        self.binary(BinOp::Or, width, whole, Operand::Reg(near), Operand::Reg(all));
        Operand::Reg(whole)
    }
}

/// Some functions are there for `float` and `double` only.
fn native_width(native_only: bool, width: u8, name: &str) -> What<()> {
    match native_only && !matches!(width, 32 | 64) {
        true => Err(format!("the function {name} on {width} bits")),
        false => Ok(()),
    }
}

/// The name without `llvm.` and without the types at its end:
/// `llvm.sadd.with.overflow.i8` is `sadd.with.overflow`.
fn stem(full_name: &str) -> &str {
    let mut name = full_name.strip_prefix("llvm.").unwrap_or(full_name);
    while let Some((rest, last)) = name.rsplit_once('.') {
        let number = last.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let is_type =
            last.starts_with(['i', 'f', 'p', 'v']) && !number.is_empty() && number.len() < last.len();
        if !is_type {
            break;
        }
        name = rest;
    }
    name
}

fn bin_op(op: ArithOp) -> BinOp {
    match op {
        ArithOp::Add => BinOp::Add,
        ArithOp::Sub => BinOp::Sub,
        ArithOp::Mul => BinOp::Mul,
    }
}

fn overflow_op(name: &str) -> Option<(ArithOp, bool)> {
    Some(match name.strip_suffix(".with.overflow")? {
        "sadd" => (ArithOp::Add, true),
        "uadd" => (ArithOp::Add, false),
        "ssub" => (ArithOp::Sub, true),
        "usub" => (ArithOp::Sub, false),
        "smul" => (ArithOp::Mul, true),
        "umul" => (ArithOp::Mul, false),
        _ => return None,
    })
}

fn saturating_op(name: &str) -> Option<(ArithOp, bool)> {
    Some(match name.strip_suffix(".sat")? {
        "sadd" => (ArithOp::Add, true),
        "uadd" => (ArithOp::Add, false),
        "ssub" => (ArithOp::Sub, true),
        "usub" => (ArithOp::Sub, false),
        _ => return None,
    })
}

pub(super) fn min_max(name: &str) -> Option<BinOp> {
    Some(match name {
        "smax" => BinOp::SMax,
        "smin" => BinOp::SMin,
        "umax" => BinOp::UMax,
        "umin" => BinOp::UMin,
        _ => return None,
    })
}

fn unary(name: &str) -> Option<UnOp> {
    Some(match name {
        "ctpop" => UnOp::PopCount,
        "ctlz" => UnOp::LeadingZeros,
        "cttz" => UnOp::TrailingZeros,
        "bswap" => UnOp::ByteSwap,
        "bitreverse" => UnOp::BitReverse,
        "abs" => UnOp::Abs,
        _ => return None,
    })
}

fn float_unary(name: &str) -> Option<FloatUnOp> {
    Some(match name {
        "fabs" => FloatUnOp::Abs,
        "sqrt" => FloatUnOp::Sqrt,
        "floor" => FloatUnOp::Floor,
        "ceil" => FloatUnOp::Ceil,
        "trunc" => FloatUnOp::Trunc,
        "round" => FloatUnOp::Round,
        "roundeven" | "rint" | "nearbyint" => FloatUnOp::RoundEven,
        "sin" => FloatUnOp::Sin,
        "cos" => FloatUnOp::Cos,
        "exp" => FloatUnOp::Exp,
        "log" => FloatUnOp::Log,
        _ => return None,
    })
}

fn float_binary(name: &str) -> Option<FloatOp> {
    Some(match name {
        "minnum" | "minimumnum" => FloatOp::Min,
        "maxnum" | "maximumnum" => FloatOp::Max,
        "minimum" => FloatOp::Minimum,
        "maximum" => FloatOp::Maximum,
        "copysign" => FloatOp::CopySign,
        "pow" => FloatOp::Pow,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn types_are_cut_off() {
        assert_eq!(stem("llvm.memcpy.p0.p0.i64"), "memcpy");
        assert_eq!(stem("llvm.sadd.with.overflow.i8"), "sadd.with.overflow");
        assert_eq!(stem("llvm.fabs.v4f32"), "fabs");
        assert_eq!(stem("llvm.x86.sse2.pause"), "x86.sse2.pause");
        assert_eq!(stem("llvm.trap"), "trap");
        assert_eq!(stem("llvm.uadd.sat.i32"), "uadd.sat");
    }
}
