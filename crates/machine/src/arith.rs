//! Integer arithmetic on plain bits, for values of one slot (64 bits) and two
//! (128 bits). Undefined bits and pointers are dealt with in [`crate::value`].

use ir::{ArithOp, BinOp, Pred, UnOp};

/// What keeps an operation from having a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// Division by zero.
    DivisionByZero,
    /// The smallest value divided by -1.
    DivisionOverflow,
    /// A shift by the width or more.
    Shift {
        /// By how much.
        amount: u64,
    },
    /// The divisor is undefined.
    UndefinedDivisor,
    /// The numeric address of an object is needed.
    NeedsAddress,
}

macro_rules! arithmetic {
    ($name:ident, $uint:ty, $int:ty) => {
        /// Arithmetic on this representation.
        pub mod $name {
            use super::*;

            const BITS: u32 = <$uint>::BITS;

            /// The bits of the width.
            #[inline]
            pub fn mask(width: u8) -> $uint {
                if u32::from(width) >= BITS { <$uint>::MAX } else { (1 << width) - 1 }
            }

            /// The value as a signed number.
            #[inline]
            pub fn signed(bits: $uint, width: u8) -> $int {
                let shift = BITS - u32::from(width);
                ((bits << shift) as $int) >> shift
            }

            /// An operation with two operands.
            #[inline]
            pub fn binary(op: BinOp, width: u8, a: $uint, b: $uint) -> Result<$uint, Trouble> {
                let result = match op {
                    BinOp::Add => a.wrapping_add(b),
                    BinOp::Sub => a.wrapping_sub(b),
                    BinOp::Mul => a.wrapping_mul(b),
                    BinOp::And => a & b,
                    BinOp::Or => a | b,
                    BinOp::Xor => a ^ b,
                    BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => divide(op, width, a, b)?,
                    BinOp::Shl | BinOp::LShr | BinOp::AShr => shift(op, width, a, b)?,
                    BinOp::UMin => a.min(b),
                    BinOp::UMax => a.max(b),
                    BinOp::SMin => {
                        if signed(a, width) < signed(b, width) {
                            a
                        } else {
                            b
                        }
                    }
                    BinOp::SMax => {
                        if signed(a, width) > signed(b, width) {
                            a
                        } else {
                            b
                        }
                    }
                };
                Ok(result & mask(width))
            }

            fn divide(op: BinOp, width: u8, a: $uint, b: $uint) -> Result<$uint, Trouble> {
                if b == 0 {
                    return Err(Trouble::DivisionByZero);
                }
                let (sa, sb) = (signed(a, width), signed(b, width));
                let is_signed = matches!(op, BinOp::SDiv | BinOp::SRem);
                if is_signed && sb == -1 && a == (1 << (width - 1)) {
                    return Err(Trouble::DivisionOverflow);
                }
                Ok(match op {
                    BinOp::UDiv => a / b,
                    BinOp::URem => a % b,
                    BinOp::SDiv => (sa / sb) as $uint,
                    _ => (sa % sb) as $uint,
                })
            }

            fn shift(op: BinOp, width: u8, a: $uint, b: $uint) -> Result<$uint, Trouble> {
                if b >= <$uint>::from(width) {
                    return Err(Trouble::Shift { amount: b as u64 });
                }
                let amount = b as u32;
                Ok(match op {
                    BinOp::Shl => a << amount,
                    BinOp::LShr => a >> amount,
                    _ => (signed(a, width) >> amount) as $uint,
                })
            }

            /// An operation with one operand.
            pub fn unary(op: UnOp, width: u8, a: $uint) -> $uint {
                let spare = BITS - u32::from(width);
                let result = match op {
                    UnOp::PopCount => <$uint>::from(a.count_ones()),
                    UnOp::LeadingZeros => <$uint>::from(a.leading_zeros() - spare),
                    UnOp::TrailingZeros => <$uint>::from(a.trailing_zeros().min(u32::from(width))),
                    UnOp::ByteSwap => a.swap_bytes() >> spare,
                    UnOp::BitReverse => a.reverse_bits() >> spare,
                    UnOp::Abs => signed(a, width).wrapping_abs() as $uint,
                };
                result & mask(width)
            }

            /// A comparison.
            #[inline]
            pub fn compare(pred: Pred, width: u8, a: $uint, b: $uint) -> bool {
                match pred {
                    Pred::Eq => a == b,
                    Pred::Ne => a != b,
                    Pred::Ult => a < b,
                    Pred::Ule => a <= b,
                    Pred::Ugt => a > b,
                    Pred::Uge => a >= b,
                    Pred::Slt => signed(a, width) < signed(b, width),
                    Pred::Sle => signed(a, width) <= signed(b, width),
                    Pred::Sgt => signed(a, width) > signed(b, width),
                    Pred::Sge => signed(a, width) >= signed(b, width),
                }
            }

            /// Whether the mathematical result does not fit the width.
            #[inline]
            pub fn overflows(op: ArithOp, is_signed: bool, width: u8, a: $uint, b: $uint) -> bool {
                if is_signed {
                    let (a, b) = (signed(a, width), signed(b, width));
                    let (result, overflow) = match op {
                        ArithOp::Add => a.overflowing_add(b),
                        ArithOp::Sub => a.overflowing_sub(b),
                        ArithOp::Mul => a.overflowing_mul(b),
                    };
                    overflow || signed(result as $uint & mask(width), width) != result
                } else {
                    let (result, overflow) = match op {
                        ArithOp::Add => a.overflowing_add(b),
                        ArithOp::Sub => a.overflowing_sub(b),
                        ArithOp::Mul => a.overflowing_mul(b),
                    };
                    overflow || result > mask(width)
                }
            }

            /// The undefined bits of a result, given those of the operands:
            /// bit by bit for logic and shifts, upwards from the lowest one for
            /// sums and products, everything for the rest.
            pub fn undefined(op: BinOp, width: u8, a: ($uint, $uint), b: ($uint, $uint)) -> $uint {
                let (va, ua) = a;
                let (vb, ub) = b;
                let either = ua | ub;
                let result = match op {
                    BinOp::And => either & !(!va & !ua) & !(!vb & !ub),
                    BinOp::Or => either & !(va & !ua) & !(vb & !ub),
                    BinOp::Xor => either,
                    BinOp::Add | BinOp::Sub | BinOp::Mul => either | either.wrapping_neg(),
                    BinOp::Shl if ub == 0 => ua.checked_shl(vb as u32).unwrap_or(0),
                    BinOp::LShr if ub == 0 => ua.checked_shr(vb as u32).unwrap_or(0),
                    BinOp::AShr if ub == 0 => {
                        (signed(ua, width)).checked_shr(vb as u32).unwrap_or(0) as $uint
                    }
                    _ => <$uint>::MAX,
                };
                if either == 0 { 0 } else { result & mask(width) }
            }
        }
    };
}

arithmetic!(narrow, u64, i64);
arithmetic!(wide, u128, i128);
