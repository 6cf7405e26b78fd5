//! Float arithmetic on IEEE bits, of a width that says the format.

mod extended;

use std::cmp::Ordering;

use ir::{CastOp, FloatOp, FloatPred, FloatUnOp};

use crate::value::arith::{Trouble, narrow, wide};

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// An operation with two operands.
pub fn binary(op: FloatOp, width: u8, a: u64, b: u64) -> u64 {
    macro_rules! apply {
        ($a:expr, $b:expr) => {
            match op {
                FloatOp::Add => $a + $b,
                FloatOp::Sub => $a - $b,
                FloatOp::Mul => $a * $b,
                FloatOp::Div => $a / $b,
                FloatOp::Rem => $a % $b,
                FloatOp::Min => $a.min($b),
                FloatOp::Max => $a.max($b),
                FloatOp::Minimum if $a.is_nan() || $b.is_nan() => $a + $b,
                FloatOp::Maximum if $a.is_nan() || $b.is_nan() => $a + $b,
                FloatOp::Minimum if $a == $b => {
                    if $a.is_sign_negative() {
                        $a
                    } else {
                        $b
                    }
                }
                FloatOp::Maximum if $a == $b => {
                    if $a.is_sign_negative() {
                        $b
                    } else {
                        $a
                    }
                }
                FloatOp::Minimum => $a.min($b),
                FloatOp::Maximum => $a.max($b),
                FloatOp::CopySign => $a.copysign($b),
                FloatOp::Pow => $a.powf($b),
            }
        };
    }
    match width {
        16 => extended::binary(op, width, a.into(), b.into()) as u64,
        32 => u64::from(apply!(f32_of(a), f32_of(b)).to_bits()),
        _ => apply!(f64::from_bits(a), f64::from_bits(b)).to_bits(),
    }
}

/// An operation with one operand.
pub fn unary(op: FloatUnOp, width: u8, a: u64) -> u64 {
    macro_rules! apply {
        ($a:expr) => {
            match op {
                FloatUnOp::Neg => -$a,
                FloatUnOp::Abs => $a.abs(),
                FloatUnOp::Sqrt => $a.sqrt(),
                FloatUnOp::Floor => $a.floor(),
                FloatUnOp::Ceil => $a.ceil(),
                FloatUnOp::Trunc => $a.trunc(),
                FloatUnOp::Round => $a.round(),
                FloatUnOp::RoundEven => $a.round_ties_even(),
                FloatUnOp::Sin => $a.sin(),
                FloatUnOp::Cos => $a.cos(),
                FloatUnOp::Exp => $a.exp(),
                FloatUnOp::Log => $a.ln(),
            }
        };
    }
    match width {
        16 => extended::unary(op, width, a.into()) as u64,
        32 => u64::from(apply!(f32_of(a)).to_bits()),
        _ => apply!(f64::from_bits(a)).to_bits(),
    }
}

/// A comparison. `float` converts to `double` without loss.
pub fn compare(pred: FloatPred, width: u8, a: u64, b: u64) -> bool {
    let number = |bits| if width == 32 { f64::from(f32_of(bits)) } else { f64::from_bits(bits) };
    match width {
        16 => holds(pred, extended::order(width, a.into(), b.into())),
        _ => holds(pred, number(a).partial_cmp(&number(b))),
    }
}

/// An operation with two operands of more than 64 bits.
pub fn wide_binary(op: FloatOp, width: u8, a: u128, b: u128) -> u128 {
    extended::binary(op, width, a, b)
}

/// An operation with one operand of more than 64 bits.
pub fn wide_unary(op: FloatUnOp, width: u8, a: u128) -> u128 {
    extended::unary(op, width, a)
}

/// A comparison of numbers of more than 64 bits.
pub fn wide_compare(pred: FloatPred, width: u8, a: u128, b: u128) -> bool {
    holds(pred, extended::order(width, a, b))
}

/// Whether a comparison holds; there is no order if one is not a number.
fn holds(pred: FloatPred, order: Option<Ordering>) -> bool {
    let unordered = order.is_none();
    match pred {
        FloatPred::Oeq => order.is_some_and(Ordering::is_eq),
        FloatPred::Ogt => order.is_some_and(Ordering::is_gt),
        FloatPred::Oge => order.is_some_and(Ordering::is_ge),
        FloatPred::Olt => order.is_some_and(Ordering::is_lt),
        FloatPred::Ole => order.is_some_and(Ordering::is_le),
        FloatPred::One => order.is_some_and(Ordering::is_ne),
        FloatPred::Ord => !unordered,
        FloatPred::Ueq => order.is_none_or(Ordering::is_eq),
        FloatPred::Ugt => order.is_none_or(Ordering::is_gt),
        FloatPred::Uge => order.is_none_or(Ordering::is_ge),
        FloatPred::Ult => order.is_none_or(Ordering::is_lt),
        FloatPred::Ule => order.is_none_or(Ordering::is_le),
        FloatPred::Une => order.is_none_or(Ordering::is_ne),
        FloatPred::Uno => unordered,
        FloatPred::True => true,
        FloatPred::False => false,
    }
}

/// A conversion to or from a float; integers of any width.
pub fn cast(op: CastOp, from: u8, to: u8, bits: u128) -> Result<u128, Trouble> {
    let extended = |width| matches!(width, 16 | 80);
    let (is_float, becomes_float) = float_sides(op);
    if is_float && extended(from) || becomes_float && extended(to) {
        return extended::cast(op, from, to, bits);
    }
    let low = bits as u64;
    let float = || if from == 32 { f64::from(f32_of(low)) } else { f64::from_bits(low) };
    if op.can_fail() && !fits(op, to, float()) {
        return Err(Trouble::Conversion { double: float().to_bits() });
    }
    Ok(match op {
        CastOp::FloatToSigned => float() as i128 as u128 & wide::mask(to),
        CastOp::FloatToUnsigned => float() as u128 & wide::mask(to),
        CastOp::SignedToFloat => {
            from_integer(to, wide::signed(bits, from) as f32, wide::signed(bits, from) as f64)
        }
        CastOp::UnsignedToFloat => from_integer(to, bits as f32, bits as f64),
        CastOp::FloatToFloat => from_integer(to, float() as f32, float()),
        CastOp::Trunc | CastOp::ZExt | CastOp::SExt => u128::from(low & narrow::mask(to)),
    })
}

/// Whether what is converted is a float, and whether the result is.
fn float_sides(op: CastOp) -> (bool, bool) {
    match op {
        CastOp::FloatToSigned | CastOp::FloatToUnsigned => (true, false),
        CastOp::SignedToFloat | CastOp::UnsignedToFloat => (false, true),
        CastOp::FloatToFloat => (true, true),
        CastOp::Trunc | CastOp::ZExt | CastOp::SExt => (false, false),
    }
}

/// Whether the whole part of a number is one of the integers of this width.
fn fits(op: CastOp, width: u8, number: f64) -> bool {
    let (whole, limit) = (number.trunc(), 2f64.powi(i32::from(width)));
    match op {
        CastOp::FloatToSigned => whole >= -limit / 2.0 && whole < limit / 2.0,
        _ => whole >= 0.0 && whole < limit,
    }
}

fn from_integer(to: u8, single: f32, double: f64) -> u128 {
    if to == 32 { u128::from(single.to_bits()) } else { u128::from(double.to_bits()) }
}
