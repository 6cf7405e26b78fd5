//! Operations that are made of others.

use crate::term::{Term, Terms};
use bits::wide::sign;

/// Operations whose overflow can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Arith {
    Add,
    Sub,
    Mul,
}

impl Terms {
    /// The sign bit.
    pub fn sign(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.extract(a, width - 1, 1)
    }

    /// The absolute value, wrapping.
    pub fn abs(&mut self, a: Term) -> Term {
        let (negative, opposite) = (self.sign(a), self.neg(a));
        self.ite(negative, opposite, a)
    }

    /// The signed quotient, rounded towards zero.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        let (sign_a, sign_b) = (self.sign(a), self.sign(b));
        let (x, y) = (self.abs(a), self.abs(b));
        let quotient = self.udiv(x, y);
        let (differ, opposite) = (self.xor(sign_a, sign_b), self.neg(quotient));
        self.ite(differ, opposite, quotient)
    }

    /// The signed remainder, with the sign of the dividend.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        let negative = self.sign(a);
        let (x, y) = (self.abs(a), self.abs(b));
        let remainder = self.urem(x, y);
        let opposite = self.neg(remainder);
        self.ite(negative, opposite, remainder)
    }

    /// The smaller of the two, unsigned.
    pub fn umin(&mut self, a: Term, b: Term) -> Term {
        let less = self.ult(a, b);
        self.ite(less, a, b)
    }

    /// The larger of the two, unsigned.
    pub fn umax(&mut self, a: Term, b: Term) -> Term {
        let less = self.ult(a, b);
        self.ite(less, b, a)
    }

    /// The smaller of the two, signed.
    pub fn smin(&mut self, a: Term, b: Term) -> Term {
        let less = self.slt(a, b);
        self.ite(less, a, b)
    }

    /// The larger of the two, signed.
    pub fn smax(&mut self, a: Term, b: Term) -> Term {
        let less = self.slt(a, b);
        self.ite(less, b, a)
    }

    /// Whether the mathematical result does not fit the width (a term of width 1).
    pub fn overflows(&mut self, op: Arith, signed: bool, a: Term, b: Term) -> Term {
        match (op, signed) {
            (Arith::Add, false) => {
                let sum = self.add(a, b);
                self.ult(sum, a)
            }
            (Arith::Sub, false) => self.ult(a, b),
            (Arith::Add | Arith::Sub, true) => self.signed_sum_overflows(op, a, b),
            (Arith::Mul, _) => self.product_overflows(signed, a, b),
        }
    }

    /// The operands' signs forbid the sign of the result.
    fn signed_sum_overflows(&mut self, op: Arith, a: Term, b: Term) -> Term {
        let result = if op == Arith::Add { self.add(a, b) } else { self.sub(a, b) };
        let (x, y, z) = (self.sign(a), self.sign(b), self.sign(result));
        let changed = self.xor(x, z);
        let other = self.xor(x, y);
        let may = if op == Arith::Add { self.not(other) } else { other };
        self.and(changed, may)
    }

    fn product_overflows(&mut self, signed: bool, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width > 64 {
            return self.wide_product_overflows(signed, a, b);
        }
        let double = 2 * width;
        let extend = |terms: &mut Terms, term| {
            if signed { terms.sext(term, double) } else { terms.zext(term, double) }
        };
        let (x, y) = (extend(self, a), extend(self, b));
        let exact = self.mul(x, y);
        let kept = self.extract(exact, 0, width);
        let again = extend(self, kept);
        self.ne(exact, again)
    }

    /// By dividing the product again: there is no room for the exact one.
    fn wide_product_overflows(&mut self, signed: bool, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let product = self.mul(a, b);
        let zero = self.constant(width, 0);
        let nonzero = self.ne(b, zero);
        if !signed {
            let quotient = self.udiv(product, b);
            let differs = self.ne(quotient, a);
            return self.and(nonzero, differs);
        }
        let quotient = self.sdiv(product, b);
        let differs = self.ne(quotient, a);
        // The smallest value times -1 divides back to itself.
        let (least, minus_one) = (self.constant(width, sign(width)), self.constant(width, u128::MAX));
        let (is_least, is_minus_one) = (self.eq(a, least), self.eq(b, minus_one));
        let special = self.and(is_least, is_minus_one);
        let wrong = self.or(differs, special);
        self.and(nonzero, wrong)
    }

    /// The number of one bits.
    pub fn count_ones(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let mut parts: Vec<Term> = (0..width)
            .map(|bit| {
                let bit = self.extract(a, bit, 1);
                self.zext(bit, width)
            })
            .collect();
        while parts.len() > 1 {
            let pairs = parts.chunks(2).map(<[Term]>::to_vec).collect::<Vec<_>>();
            parts = pairs
                .into_iter()
                .map(|pair| if let [x, y] = *pair { self.add(x, y) } else { pair[0] })
                .collect();
        }
        parts[0]
    }

    /// The number of zeros above the highest one bit; the width, for 0.
    pub fn leading_zeros(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.first_one(a, (0..width).map(|zeros| (zeros, width - 1 - zeros)))
    }

    /// The number of zeros below the lowest one bit; the width, for 0.
    pub fn trailing_zeros(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.first_one(a, (0..width).map(|zeros| (zeros, zeros)))
    }

    fn first_one(&mut self, a: Term, order: impl DoubleEndedIterator<Item = (u8, u8)>) -> Term {
        let width = self.width(a);
        let mut result = self.constant(width, width.into());
        for (zeros, bit) in order.rev() {
            let (bit, zeros) = (self.extract(a, bit, 1), self.constant(width, zeros.into()));
            result = self.ite(bit, zeros, result);
        }
        result
    }

    /// The pieces of this width in reverse order: bytes or bits.
    pub fn reverse(&mut self, a: Term, piece: u8) -> Term {
        let width = self.width(a);
        let mut result = self.extract(a, 0, piece);
        for low in (piece..width).step_by(piece.into()) {
            let next = self.extract(a, low, piece);
            result = self.concat(result, next);
        }
        result
    }
}
