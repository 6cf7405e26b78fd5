//! The part of a number that varies.
//!
//! Offsets into objects of unknown size, and their sizes, are multiples of an
//! element's size and extensions of narrower numbers: `4 * (long) i`. Where such a
//! number becomes data, its variable stands for `i` alone, and what is around it stays
//! in the location. So it stays known that the offset is aligned, and that the
//! variable of the offset is `i` is an equality of two variables.

use logic::{Op, Term, Terms};

/// What is around the part that varies.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The width of the whole number.
    width: u8,
    /// How many of its lowest bits are zero.
    zeros: u8,
    /// Whether what is above them is extended with the sign, rather than zeros.
    signed: bool,
}

impl Shape {
    /// The shape of any number: all of it varies.
    pub fn plain(terms: &Terms, number: Term) -> (Shape, Term) {
        (Shape { width: terms.width(number), zeros: 0, signed: false }, number)
    }

    /// The shape of a number of which up to so many of the lowest bits are known to
    /// be zero, and the part that varies.
    pub fn of(terms: &mut Terms, number: Term, most_zeros: u8) -> (Shape, Term) {
        let width = terms.width(number);
        let zeros = terms.known(number).zeros.trailing_ones().min(most_zeros.into()) as u8;
        let upper = terms.extract(number, zeros, width - zeros);
        let node = terms.node(upper);
        let (signed, part) = match (node.op, node.args()) {
            (Op::SExt, &[part]) => (true, part),
            (Op::Concat, &[high, part]) if terms.constant_value(high) == Some(0) => (false, part),
            _ => (false, upper),
        };
        (Shape { width, zeros, signed }, part)
    }

    /// Whether the part is extended with its sign.
    pub fn is_signed(self) -> bool {
        self.signed
    }

    /// The number of this shape with another part that varies.
    pub fn around(self, terms: &mut Terms, part: Term) -> Term {
        let upper = self.width - self.zeros;
        let extended = if self.signed { terms.sext(part, upper) } else { terms.zext(part, upper) };
        if self.zeros == 0 {
            return extended;
        }
        let low = terms.constant(self.zeros, 0);
        terms.concat(extended, low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_index_varies_in_the_index() {
        let mut terms = Terms::new();
        let (i, four) = (terms.variable(32, "i"), terms.constant(64, 4));
        for signed in [false, true] {
            let long = if signed { terms.sext(i, 64) } else { terms.zext(i, 64) };
            let offset = terms.mul(long, four);
            let (shape, part) = Shape::of(&mut terms, offset, 2);
            assert_eq!(part, i);
            assert_eq!(shape.around(&mut terms, part), offset);
        }
    }

    #[test]
    fn a_sum_varies_above_its_zeros() {
        let mut terms = Terms::new();
        let (x, four) = (terms.variable(64, "x"), terms.constant(64, 4));
        let scaled = terms.mul(x, four);
        let offset = terms.add(scaled, four);
        let (shape, part) = Shape::of(&mut terms, offset, 2);
        assert_eq!(terms.width(part), 62);
        let again = shape.around(&mut terms, part);
        let mut evaluation = logic::Evaluation::new(&terms, |_| u128::from(u64::MAX / 5));
        assert_eq!(evaluation.value(again), evaluation.value(offset));
        let (shape, part) = Shape::of(&mut terms, x, 2);
        assert_eq!((part, shape.around(&mut terms, part)), (x, x));
    }
}
