//! Integer arithmetic on plain bits is that of [`bits`]; here is what else can keep
//! an operation of the machine from having a result. Undefined bits and pointers
//! are dealt with in [`crate::value`].

use bits::NoResult;
pub(crate) use bits::{narrow, wide};

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
    /// A float that does not fit the integer it is converted to.
    Conversion {
        /// The bits of the float as a `double`.
        double: u64,
    },
    /// The divisor is undefined.
    UndefinedDivisor,
    /// The numeric address of an object is needed.
    NeedsAddress,
    /// An operand is not known.
    Symbolic,
}

impl From<NoResult> for Trouble {
    fn from(why: NoResult) -> Trouble {
        match why {
            NoResult::DivisionByZero => Trouble::DivisionByZero,
            NoResult::DivisionOverflow => Trouble::DivisionOverflow,
            NoResult::Shift { amount } => Trouble::Shift { amount },
        }
    }
}
