//! Float arithmetic on IEEE bits.

use ir::{CastOp, FloatOp, FloatPred, FloatUnOp};

use crate::arith::{Trouble, narrow, wide};

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
                FloatOp::CopySign => $a.copysign($b),
                FloatOp::Pow => $a.powf($b),
            }
        };
    }
    match width {
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
        32 => u64::from(apply!(f32_of(a)).to_bits()),
        _ => apply!(f64::from_bits(a)).to_bits(),
    }
}

/// A comparison. `float` converts to `double` without loss.
pub fn compare(pred: FloatPred, width: u8, a: u64, b: u64) -> bool {
    let number = |bits| if width == 32 { f64::from(f32_of(bits)) } else { f64::from_bits(bits) };
    let (a, b) = (number(a), number(b));
    let unordered = a.is_nan() || b.is_nan();
    match pred {
        FloatPred::Oeq => a == b,
        FloatPred::Ogt => a > b,
        FloatPred::Oge => a >= b,
        FloatPred::Olt => a < b,
        FloatPred::Ole => a <= b,
        FloatPred::One => !unordered && a != b,
        FloatPred::Ord => !unordered,
        FloatPred::Ueq => unordered || a == b,
        FloatPred::Ugt => unordered || a > b,
        FloatPred::Uge => unordered || a >= b,
        FloatPred::Ult => unordered || a < b,
        FloatPred::Ule => unordered || a <= b,
        FloatPred::Une => unordered || a != b,
        FloatPred::Uno => unordered,
        FloatPred::True => true,
        FloatPred::False => false,
    }
}

/// A conversion to or from a float; integers of any width.
pub fn cast(op: CastOp, from: u8, to: u8, bits: u128) -> Result<u128, Trouble> {
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
