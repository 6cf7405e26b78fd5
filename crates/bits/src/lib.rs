//! Operations on bit-vectors of 1 to 128 bits: what they are called, and what they
//! do.
//!
//! This is the one definition. The machine computes with it, the analysis of inputs
//! folds constants with it, and `logic` defines the meaning of its terms by it,
//! after it has said what operations without a result yield there.
//!
//! A value is the low bits of a `u64` ([`narrow`]) or a `u128` ([`wide`]); the bits
//! above its width are 0. Which bits of a result are undefined follows from which
//! bits of the operands are (`undefined`).

mod arithmetic;

pub use arithmetic::{inverse, narrow, wide};

/// Integer operations with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    UMin,
    UMax,
    SMin,
    SMax,
}

/// Integer operations with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// Number of one bits.
    PopCount,
    /// Leading zeros (the width, for 0).
    LeadingZeros,
    /// Trailing zeros (the width, for 0).
    TrailingZeros,
    /// Reverses the bytes.
    ByteSwap,
    /// Reverses the bits.
    BitReverse,
    /// Absolute value, wrapping.
    Abs,
}

/// Operations whose overflow can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
}

/// Integer and pointer comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Pred {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Why an operation has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoResult {
    /// Division by zero.
    DivisionByZero,
    /// The smallest value divided by -1.
    DivisionOverflow,
    /// A shift by the width or more.
    Shift {
        /// By how much.
        amount: u64,
    },
}
