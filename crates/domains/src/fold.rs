//! Constant folding of the few operations that analyses look through.

use bits::narrow;
use ir::{BinOp, CastOp};

pub use bits::narrow::{compare, mask};

/// A value of this width, read as signed.
pub fn signed(value: u64, width: u8) -> i64 {
    narrow::signed(value, width.clamp(1, 64))
}

/// The result of an operation that cannot fault; `None` for the others.
pub fn binary(op: BinOp, width: u8, lhs: u64, rhs: u64) -> Option<u64> {
    use BinOp::*;
    let looked_through = matches!(op, Add | Sub | Mul | And | Or | Xor | URem | SRem) && width <= 64;
    if looked_through { narrow::binary(op, width, lhs, rhs).ok() } else { None }
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
