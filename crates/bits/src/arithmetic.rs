//! Arithmetic on values of up to 64 and of up to 128 bits.

use crate::{ArithOp, BinOp, NoResult, Pred, UnOp};

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

            /// The sign bit of the width.
            #[inline]
            pub fn sign(width: u8) -> $uint {
                1 << (width - 1)
            }

            /// The value as a signed number.
            #[inline]
            pub fn signed(bits: $uint, width: u8) -> $int {
                let shift = BITS - u32::from(width);
                ((bits << shift) as $int) >> shift
            }

            /// An operation with two operands.
            #[inline]
            pub fn binary(op: BinOp, width: u8, a: $uint, b: $uint) -> Result<$uint, NoResult> {
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

            #[inline]
            fn divide(op: BinOp, width: u8, a: $uint, b: $uint) -> Result<$uint, NoResult> {
                if b == 0 {
                    return Err(NoResult::DivisionByZero);
                }
                let (sa, sb) = (signed(a, width), signed(b, width));
                let is_signed = matches!(op, BinOp::SDiv | BinOp::SRem);
                if is_signed && sb == -1 && a == sign(width) {
                    return Err(NoResult::DivisionOverflow);
                }
                Ok(match op {
                    BinOp::UDiv => a / b,
                    BinOp::URem => a % b,
                    BinOp::SDiv => (sa / sb) as $uint,
                    _ => (sa % sb) as $uint,
                })
            }

            #[inline]
            fn shift(op: BinOp, width: u8, a: $uint, b: $uint) -> Result<$uint, NoResult> {
                if b >= <$uint>::from(width) {
                    return Err(NoResult::Shift { amount: b as u64 });
                }
                let amount = b as u32;
                Ok(match op {
                    BinOp::Shl => a << amount,
                    BinOp::LShr => a >> amount,
                    _ => (signed(a, width) >> amount) as $uint,
                })
            }

            /// An operation with one operand.
            #[inline]
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

            /// Whether a left shift by an amount in range overflows as C's
            /// signed one: the value is negative, or a one reaches the sign bit.
            #[inline]
            pub fn shift_overflows(width: u8, a: $uint, amount: $uint) -> bool {
                let last = <$uint>::from(width) - 1;
                amount <= last && a >> (last - amount) != 0
            }

            /// Whether an operation overflows as a signed one.
            #[inline]
            pub fn signed_overflow(op: BinOp, width: u8, a: $uint, b: $uint) -> bool {
                match op {
                    BinOp::Add => overflows(ArithOp::Add, true, width, a, b),
                    BinOp::Sub => overflows(ArithOp::Sub, true, width, a, b),
                    BinOp::Mul => overflows(ArithOp::Mul, true, width, a, b),
                    BinOp::Shl => shift_overflows(width, a, b),
                    _ => false,
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

/// The inverse of an odd number modulo two to the 64th (Newton's iteration).
pub fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPS: [BinOp; 17] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::UDiv,
        BinOp::SDiv,
        BinOp::URem,
        BinOp::SRem,
        BinOp::Shl,
        BinOp::LShr,
        BinOp::AShr,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::UMin,
        BinOp::UMax,
        BinOp::SMin,
        BinOp::SMax,
    ];

    /// Both representations, on every pair of small values.
    #[test]
    fn narrow_and_wide_agree() {
        for op in OPS {
            for (a, b) in (0..32u64).flat_map(|a| (0..32u64).map(move |b| (a, b))) {
                let small = narrow::binary(op, 5, a, b).map(u128::from);
                assert_eq!(small, wide::binary(op, 5, a.into(), b.into()), "{op:?} {a} {b}");
            }
        }
    }

    /// A result bit that counts as defined is the same however the operands'
    /// undefined bits are filled in.
    #[test]
    fn defined_bits_do_not_depend_on_undefined_ones() {
        let width = 3;
        for op in
            OPS.into_iter().filter(|op| !matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem))
        {
            for case in 0..1u64 << 12 {
                let field = |at: u32| case >> (3 * at) & 7;
                let (a, ua, b, ub) = (field(0), field(1), field(2), field(3));
                let undef = narrow::undefined(op, width, (a & !ua, ua), (b & !ub, ub));
                let fillings = (0..64u64).map(|fill| (a & !ua | fill & ua, b & !ub | fill >> 3 & ub));
                let mut results = fillings.filter_map(|(a, b)| narrow::binary(op, width, a, b).ok());
                let Some(first) = results.next() else { continue };
                for result in results {
                    assert_eq!((first ^ result) & !undef, 0, "{op:?} {a:03b}/{ua:03b} {b:03b}/{ub:03b}");
                }
            }
        }
    }

    #[test]
    fn trouble() {
        assert_eq!(narrow::binary(BinOp::SDiv, 32, 5, 0), Err(NoResult::DivisionByZero));
        assert_eq!(narrow::binary(BinOp::SDiv, 8, 0x80, 0xff), Err(NoResult::DivisionOverflow));
        assert_eq!(narrow::binary(BinOp::UDiv, 8, 0x80, 0xff), Ok(0));
        assert_eq!(narrow::binary(BinOp::Shl, 32, 1, 32), Err(NoResult::Shift { amount: 32 }));
        assert_eq!(wide::binary(BinOp::SRem, 128, (-7i128) as u128, 2), Ok(u128::MAX));
    }

    #[test]
    fn overflow() {
        let limit = i32::MAX as u64;
        assert!(narrow::overflows(ArithOp::Add, true, 32, limit, 1));
        assert!(!narrow::overflows(ArithOp::Add, false, 32, limit, 1));
        assert!(narrow::overflows(ArithOp::Sub, true, 32, 0, 1 << 31));
        assert!(narrow::overflows(ArithOp::Mul, true, 64, 1 << 62, 2));
        assert!(!wide::overflows(ArithOp::Mul, true, 128, 1 << 62, 2));
        assert!(narrow::overflows(ArithOp::Sub, false, 8, 1, 2));
    }

    #[test]
    fn left_shifts_overflow() {
        assert!(narrow::shift_overflows(32, 1, 31));
        assert!(!narrow::shift_overflows(32, 1, 30));
        assert!(narrow::shift_overflows(32, u32::MAX.into(), 0));
        assert!(!narrow::shift_overflows(33, 1, 31));
        assert!(wide::shift_overflows(128, 1, 127));
    }

    #[test]
    fn counting_bits() {
        assert_eq!(narrow::unary(UnOp::LeadingZeros, 32, 1), 31);
        assert_eq!(narrow::unary(UnOp::TrailingZeros, 32, 0), 32);
        assert_eq!(narrow::unary(UnOp::ByteSwap, 16, 0x1234), 0x3412);
        assert_eq!(narrow::unary(UnOp::PopCount, 8, 0xff), 8);
        assert_eq!(narrow::unary(UnOp::Abs, 8, 0xff), 1);
    }
}
