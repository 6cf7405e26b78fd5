//! Building terms, rewritten.
//!
//! Each constructor folds constants, applies the identities of its operation,
//! and brings what remains into a normal form: arguments of commutative
//! operations in the order of their age with the constant last, complements
//! pulled outwards, constants of sums collected, shifts and extensions by
//! constants as concatenations and extractions, so that bytes that are taken
//! apart and put together again meet as the same term.
//!
//! What the known bits decide becomes a constant in [`Terms::make`], whichever
//! rule led there.

mod arith;
mod array;
mod boolean;
mod compare;
mod ite;
mod slice;

#[cfg(test)]
mod array_tests;
#[cfg(test)]
mod tests;

pub use array::INDEX_WIDTH;

use crate::eval::apply;
use crate::term::{Op, Term, Terms};
use bits::wide::mask;

impl Terms {
    /// The arguments of a term with this operation.
    fn is(&self, term: Term, op: Op) -> Option<[Term; 2]> {
        let node = self.node(term);
        (node.op == op).then(|| {
            let args = node.args();
            [args[0], args[args.len() - 1]]
        })
    }

    /// The argument of a complement.
    fn is_not(&self, term: Term) -> Option<Term> {
        self.is(term, Op::Not).map(|[inner, _]| inner)
    }

    /// The argument and constant of an operation whose second argument is one.
    fn with_constant(&self, term: Term, op: Op) -> Option<(Term, u128)> {
        let [other, last] = self.is(term, op)?;
        Some((other, self.constant_value(last)?))
    }

    fn zero(&mut self, width: u8) -> Term {
        self.constant(width, 0)
    }

    fn ones(&mut self, width: u8) -> Term {
        self.constant(width, mask(width))
    }

    /// Folds an operation with two arguments of the same width, and orders
    /// those of a commutative one.
    fn fold(&mut self, op: Op, width: u8, a: Term, b: Term) -> Result<Term, (Term, Term)> {
        debug_assert_eq!(self.width(a), self.width(b), "{op:?}");
        debug_assert!(!self.is_array(a) && !self.is_array(b), "{op:?} of arrays");
        let (x, y) = (self.constant_value(a), self.constant_value(b));
        if let (Some(x), Some(y)) = (x, y) {
            let of = self.width(a);
            return Ok(self.constant(width, apply(op, width, 0, &[(x, of), (y, of)])));
        }
        let swap = op.commutes() && (x.is_some() || y.is_none() && b < a);
        Err(if swap { (b, a) } else { (a, b) })
    }
}
