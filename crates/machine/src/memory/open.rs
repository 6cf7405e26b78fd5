//! Objects whose size is not known.
//!
//! Such an object is *open*: in place of bytes it has a number for its size and a
//! symbol for its contents, which are an array of elements of one width. Its `data`
//! are empty, so that whatever knows nothing of open objects finds every access to
//! them out of bounds; [`crate::exec::access`] notices before that becomes a fault.
//! What can be done with them is in [`crate::symbolic::open`].

use ir::CastOp;

use crate::symbolic::symbols::Sym;
use crate::value::Value;
use crate::value::arith::narrow;
use serde::{Deserialize, Serialize};

/// The size and the contents of an open object.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Open {
    /// The size is counted in units of two to the power of this many bytes.
    pub unit: u8,
    /// How many units it has: a number as wide as a pointer without `unit` bits.
    pub size: Value,
    /// Whether it was made of zeros.
    pub zeroed: bool,
    /// Its contents. None before the first access, which says how wide they are.
    pub elements: Option<Elements>,
}

/// What an open object holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Elements {
    /// An element has two to the power of this many bytes.
    pub log: u8,
    /// The array of all elements.
    pub contents: Sym,
    /// What is known to be initialised. None if all elements are.
    pub initialised: Option<Prefix>,
}

/// So many elements from the first one on, as a number that is as wide as the one that
/// the size is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Prefix {
    pub len: Value,
    pub width: u8,
    /// Whether it is extended with its sign to be compared with an index. Its sign is
    /// never set.
    pub signed: bool,
}

impl Prefix {
    /// How it is made as wide as an index.
    pub fn extension(self) -> CastOp {
        if self.signed { CastOp::SExt } else { CastOp::ZExt }
    }

    /// The greatest number that it can be.
    pub fn most(self) -> u64 {
        narrow::mask(self.width - u8::from(self.signed))
    }
}

impl Elements {
    /// The width of an element in bits.
    pub fn width(self) -> u8 {
        8 << self.log
    }
}
