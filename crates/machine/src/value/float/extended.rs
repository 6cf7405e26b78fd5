//! The formats that the host has no arithmetic for: half precision, of 16
//! bits, and the extended precision of the x87, of 80.

use std::cmp::Ordering;

use ir::{CastOp, FloatOp, FloatUnOp};
use rustc_apfloat::ieee::{Double, Half, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

use crate::value::arith::{Trouble, wide};

/// An operation with two operands.
pub fn binary(op: FloatOp, width: u8, a: u128, b: u128) -> u128 {
    match width {
        16 => binary_in::<Half>(op, a, b),
        _ => binary_in::<X87DoubleExtended>(op, a, b),
    }
}

fn binary_in<F: Float>(op: FloatOp, a: u128, b: u128) -> u128 {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        FloatOp::Add => (a + b).value,
        FloatOp::Sub => (a - b).value,
        FloatOp::Mul => (a * b).value,
        FloatOp::Div => (a / b).value,
        FloatOp::Rem => a.c_fmod(b).value,
        FloatOp::Min => a.min(b),
        FloatOp::Max => a.max(b),
        FloatOp::Minimum => a.minimum(b),
        FloatOp::Maximum => a.maximum(b),
        FloatOp::CopySign => a.copy_sign(b),
        FloatOp::Pow => unreachable!("not in a valid program"),
    };
    result.to_bits()
}

/// An operation with one operand.
pub fn unary(op: FloatUnOp, width: u8, a: u128) -> u128 {
    match width {
        16 => unary_in::<Half>(op, a),
        _ => unary_in::<X87DoubleExtended>(op, a),
    }
}

fn unary_in<F: Float>(op: FloatUnOp, a: u128) -> u128 {
    let a = F::from_bits(a);
    let rounded = |round| a.round_to_integral(round).value;
    let result = match op {
        FloatUnOp::Neg => -a,
        FloatUnOp::Abs => a.abs(),
        FloatUnOp::Floor => rounded(Round::TowardNegative),
        FloatUnOp::Ceil => rounded(Round::TowardPositive),
        FloatUnOp::Trunc => rounded(Round::TowardZero),
        FloatUnOp::Round => rounded(Round::NearestTiesToAway),
        FloatUnOp::RoundEven => rounded(Round::NearestTiesToEven),
        FloatUnOp::Sqrt | FloatUnOp::Sin | FloatUnOp::Cos | FloatUnOp::Exp | FloatUnOp::Log => {
            unreachable!("not in a valid program")
        }
    };
    result.to_bits()
}

/// How two numbers compare; `None` if one is not a number.
pub fn order(width: u8, a: u128, b: u128) -> Option<Ordering> {
    widest(width, a).partial_cmp(&widest(width, b))
}

/// A conversion to or from a float; integers of any width.
pub fn cast(op: CastOp, from: u8, to: u8, bits: u128) -> Result<u128, Trouble> {
    Ok(match op {
        CastOp::SignedToFloat => from_signed(to, wide::signed(bits, from)),
        CastOp::UnsignedToFloat => from_unsigned(to, bits),
        CastOp::FloatToFloat => narrowed(to, widest(from, bits)),
        _ => {
            let number = widest(from, bits);
            let whole = match op {
                CastOp::FloatToSigned => number.to_i128(to.into()).map(|whole| whole as u128),
                _ => number.to_u128(to.into()),
            };
            if whole.status.contains(Status::INVALID_OP) {
                return Err(Trouble::Conversion { double: narrowed(64, number) as u64 });
            }
            whole.value & wide::mask(to)
        }
    })
}

fn from_signed(to: u8, number: i128) -> u128 {
    match to {
        16 => Half::from_i128(number).value.to_bits(),
        _ => X87DoubleExtended::from_i128(number).value.to_bits(),
    }
}

fn from_unsigned(to: u8, number: u128) -> u128 {
    match to {
        16 => Half::from_u128(number).value.to_bits(),
        _ => X87DoubleExtended::from_u128(number).value.to_bits(),
    }
}

/// The number in the format that has all numbers of the others.
fn widest(width: u8, bits: u128) -> X87DoubleExtended {
    fn widen<F: FloatConvert<X87DoubleExtended>>(bits: u128) -> X87DoubleExtended {
        F::from_bits(bits).convert(&mut false).value
    }
    match width {
        16 => widen::<Half>(bits),
        32 => widen::<Single>(bits),
        64 => widen::<Double>(bits),
        _ => X87DoubleExtended::from_bits(bits),
    }
}

/// The bits of the nearest number of a format.
fn narrowed(width: u8, number: X87DoubleExtended) -> u128 {
    fn narrow<F: Float>(number: X87DoubleExtended) -> u128
    where
        X87DoubleExtended: FloatConvert<F>,
    {
        let nearest: F = number.convert(&mut false).value;
        nearest.to_bits()
    }
    match width {
        16 => narrow::<Half>(number),
        32 => narrow::<Single>(number),
        64 => narrow::<Double>(number),
        _ => number.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1.5 in both formats.
    const HALF: u128 = 0x3e00;
    const EXTENDED: u128 = 0x3fff_c000_0000_0000_0000;

    #[test]
    fn formats_convert() {
        assert_eq!(cast(CastOp::FloatToFloat, 64, 80, 1.5f64.to_bits().into()), Ok(EXTENDED));
        assert_eq!(cast(CastOp::FloatToFloat, 80, 16, EXTENDED), Ok(HALF));
        assert_eq!(cast(CastOp::FloatToFloat, 16, 32, HALF), Ok(1.5f32.to_bits().into()));
        assert_eq!(cast(CastOp::SignedToFloat, 32, 80, u32::MAX.into()), Ok(0xbfff_8000_0000_0000_0000));
        assert_eq!(cast(CastOp::FloatToSigned, 80, 32, EXTENDED), Ok(1));
        assert!(cast(CastOp::FloatToSigned, 16, 32, 0x7c00).is_err(), "infinity is no integer");
    }

    #[test]
    fn extended_precision_has_64_bits() {
        let large = cast(CastOp::UnsignedToFloat, 64, 80, u64::MAX.into()).expect("every integer converts");
        assert_eq!(cast(CastOp::FloatToUnsigned, 80, 64, large), Ok(u64::MAX.into()));
        assert_eq!(binary(FloatOp::Add, 80, EXTENDED, EXTENDED), 0x4000_c000_0000_0000_0000);
        assert_eq!(unary(FloatUnOp::Floor, 16, HALF), 0x3c00);
        assert_eq!(order(80, EXTENDED, large), Some(Ordering::Less));
    }
}
