//! Which bits of a term are the same whatever its variables are.

use crate::term::{Node, Op, Term, Terms};
use bits::wide::{mask, sign, signed};

/// The bits known to be 0 and those known to be 1. Above the width all are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// Bits that are 0.
    pub zeros: u128,
    /// Bits that are 1.
    pub ones: u128,
}

impl Known {
    /// Everything is known.
    pub fn exactly(bits: u128, width: u8) -> Known {
        Known { zeros: !bits & mask(width) | !mask(width), ones: bits }
    }

    fn nothing(width: u8) -> Known {
        Known { zeros: !mask(width), ones: 0 }
    }

    fn of(zeros: u128, ones: u128, width: u8) -> Known {
        Known { zeros: zeros | !mask(width), ones: ones & mask(width) }
    }

    /// The value, if every bit is known.
    pub fn value(self, width: u8) -> Option<u128> {
        ((self.zeros | self.ones) & mask(width) == mask(width)).then_some(self.ones)
    }

    /// The smallest unsigned value.
    pub fn min(self) -> u128 {
        self.ones
    }

    /// The largest unsigned value.
    pub fn max(self) -> u128 {
        !self.zeros
    }

    /// The smallest signed value.
    pub fn signed_min(self, width: u8) -> i128 {
        let negative = self.zeros & sign(width) == 0;
        signed(if negative { self.min() | sign(width) } else { self.min() }, width)
    }

    /// The largest signed value.
    pub fn signed_max(self, width: u8) -> i128 {
        let positive = self.ones & sign(width) == 0;
        signed(if positive { self.max() & !sign(width) } else { self.max() }, width)
    }

    /// Bits that are neither.
    pub fn unknown(self) -> u128 {
        !(self.zeros | self.ones)
    }

    /// The next larger value with these bits.
    pub fn next_after(self, value: u128) -> Option<u128> {
        let next = (value | !self.unknown()).wrapping_add(1) & self.unknown() | self.ones;
        (next > value).then_some(next)
    }

    fn meet(self, other: Known) -> Known {
        Known { zeros: self.zeros & other.zeros, ones: self.ones & other.ones }
    }
}

/// What is known of a node, given what is known of its arguments.
pub(crate) fn known(terms: &Terms, node: &Node) -> Known {
    let of = |index: usize| terms.known(node.args()[index]);
    let width = node.width;
    match node.op {
        Op::Const | Op::Var | Op::Array | Op::Fill | Op::Store | Op::Select => Known::nothing(width),
        Op::Not => Known::of(of(0).ones, of(0).zeros & mask(width), width),
        Op::And => Known::of(of(0).zeros | of(1).zeros, of(0).ones & of(1).ones, width),
        Op::Xor => {
            let (a, b) = (of(0), of(1));
            Known::of(a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros, width)
        }
        Op::Add => sum(of(0), of(1), false, width),
        Op::Neg => {
            let a = of(0);
            let not = Known::of(a.ones, a.zeros & mask(width), width);
            sum(not, Known::exactly(0, width), true, width)
        }
        Op::Mul => {
            let trailing = of(0).max().trailing_zeros() + of(1).max().trailing_zeros();
            low_zeros(trailing, width)
        }
        Op::UDiv => {
            // A divisor of at least 1 makes nothing larger.
            let at_most = if of(1).min() > 0 { of(0).max() / of(1).min() } else { mask(width) };
            high_zeros(at_most, width)
        }
        Op::URem => {
            let below = if of(1).min() > 0 { of(1).max() - 1 } else { mask(width) };
            high_zeros(below.min(of(0).max()), width)
        }
        Op::Shl => {
            let least = of(1).min().min(128) as u32;
            low_zeros(of(0).max().trailing_zeros().saturating_add(least), width)
        }
        Op::LShr => {
            let least = of(1).min().min(128) as u32;
            high_zeros(of(0).max().checked_shr(least).unwrap_or(0), width)
        }
        Op::AShr => Known::of(of(0).zeros & sign(width), of(0).ones & sign(width), width),
        Op::Eq | Op::Ult | Op::Slt => Known::nothing(1),
        Op::Ite => of(1).meet(of(2)),
        Op::Concat => {
            let low = terms.width(node.args()[1]);
            let (high_part, low_part) = (of(0), of(1));
            let zeros = high_part.zeros << low | low_part.zeros & mask(low);
            Known::of(zeros, high_part.ones << low | low_part.ones, width)
        }
        Op::Extract => Known::of(of(0).zeros >> node.low, of(0).ones >> node.low, width),
        Op::SExt => {
            let from = terms.width(node.args()[0]);
            let extend = |bits: u128| signed(bits & mask(from), from) as u128;
            Known::of(extend(of(0).zeros), extend(of(0).ones), width)
        }
    }
}

/// A sum: bits are known as far as the bits and the carry into them are.
fn sum(a: Known, b: Known, carry: bool, width: u8) -> Known {
    let carry = u128::from(carry);
    let least = (a.min() & mask(width)).wrapping_add(b.min() & mask(width)).wrapping_add(carry);
    let most = (a.max() & mask(width)).wrapping_add(b.max() & mask(width)).wrapping_add(carry);
    // A carry into a bit is known if it is the same in the least and most sum.
    let carry_least = least ^ a.min() ^ b.min();
    let carry_most = most ^ a.max() ^ b.max();
    let same = !(carry_least ^ carry_most);
    let sure = same & !a.unknown() & !b.unknown();
    Known::of(!least & sure, least & sure, width)
}

fn low_zeros(count: u32, width: u8) -> Known {
    Known::of(1u128.checked_shl(count).map_or(u128::MAX, |bit| bit - 1), 0, width)
}

fn high_zeros(at_most: u128, width: u8) -> Known {
    let bits = 128 - at_most.leading_zeros();
    Known::of(!mask(bits as u8) | if bits == 0 { u128::MAX } else { 0 }, 0, width)
}

impl Terms {
    /// Whether the bit of a term is known, and which it is.
    pub fn known_bit(&self, term: Term, bit: u8) -> Option<bool> {
        let known = self.known(term);
        match (known.ones >> bit & 1, known.zeros >> bit & 1) {
            (1, _) => Some(true),
            (_, 1) => Some(false),
            _ => None,
        }
    }
}
