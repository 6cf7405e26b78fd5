//! Constant folding of the few operations that analyses look through.

use crate::instr::{BinOp, CastOp, Pred};

/// The bits of a value of this width.
pub fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// A value of this width, read as signed.
pub fn signed(value: u64, width: u8) -> i64 {
    let unused = 64 - u32::from(width.clamp(1, 64));
    ((value << unused) as i64) >> unused
}

/// The outcome of a comparison.
pub fn compare(pred: Pred, width: u8, lhs: u64, rhs: u64) -> bool {
    let (l, r) = (signed(lhs, width), signed(rhs, width));
    match pred {
        Pred::Eq => lhs == rhs,
        Pred::Ne => lhs != rhs,
        Pred::Ult => lhs < rhs,
        Pred::Ule => lhs <= rhs,
        Pred::Ugt => lhs > rhs,
        Pred::Uge => lhs >= rhs,
        Pred::Slt => l < r,
        Pred::Sle => l <= r,
        Pred::Sgt => l > r,
        Pred::Sge => l >= r,
    }
}

/// The result of an operation that cannot fault; `None` for the others.
pub fn binary(op: BinOp, width: u8, lhs: u64, rhs: u64) -> Option<u64> {
    let value = match op {
        BinOp::Add => lhs.wrapping_add(rhs),
        BinOp::Sub => lhs.wrapping_sub(rhs),
        BinOp::Mul => lhs.wrapping_mul(rhs),
        BinOp::And => lhs & rhs,
        BinOp::Or => lhs | rhs,
        BinOp::Xor => lhs ^ rhs,
        BinOp::URem if rhs != 0 => lhs % rhs,
        BinOp::SRem if rhs != 0 && !overflows(width, lhs, rhs) => {
            signed(lhs, width).wrapping_rem(signed(rhs, width)) as u64
        }
        _ => return None,
    };
    (width <= 64).then_some(value & mask(width))
}

/// Whether a signed division is that of the smallest number by -1.
fn overflows(width: u8, lhs: u64, rhs: u64) -> bool {
    rhs == mask(width) && lhs == 1 << (width.clamp(1, 64) - 1)
}

/// The result of an integer conversion within 64 bits.
pub fn cast(op: CastOp, from: u8, to: u8, value: u64) -> Option<u64> {
    let value = match op {
        CastOp::Trunc | CastOp::ZExt => value,
        CastOp::SExt => signed(value, from) as u64,
        _ => return None,
    };
    (from <= 64 && to <= 64).then_some(value & mask(to))
}
