//! What values a nondeterministic choice ranges over. (The crate `domains` finds
//! small domains that show every behaviour.)

use bits::narrow;

/// The values that a nondeterministic value can take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Every value of the width: too many to enumerate, unless the width is 1.
    Full,
    /// `first`, `first + 1`, ..., `count` of them, wrapping at the width.
    Range {
        /// The first value.
        first: u64,
        /// How many.
        count: u64,
    },
    /// These values, each standing for all the others that the program cannot
    /// tell from it.
    Classes(Box<[u64]>),
}

impl Domain {
    /// How many values there are; `None` if too many to enumerate.
    pub fn count(&self, width: u8) -> Option<u64> {
        match self {
            Domain::Full if width == 1 => Some(2),
            Domain::Full => None,
            Domain::Range { count, .. } => Some(*count),
            Domain::Classes(values) => Some(values.len() as u64),
        }
    }

    /// The value with this index.
    pub fn value(&self, index: u64, width: u8) -> u64 {
        let value = match self {
            Domain::Full => index,
            Domain::Range { first, .. } => first.wrapping_add(index),
            Domain::Classes(values) => values[index as usize],
        };
        value & narrow::mask(width)
    }
}
