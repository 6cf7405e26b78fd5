//! Sums, products, quotients and shifts.

use crate::term::{Op, Term, Terms};
use bits::wide::mask;

impl Terms {
    /// The sum, wrapping.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = match self.fold(Op::Add, width, a, b) {
            Ok(term) => return term,
            Err(args) => args,
        };
        if let Some(bits) = self.constant_value(b) {
            return self.add_constant(a, bits, b);
        }
        // Constants to the outside.
        for (one, other) in [(a, b), (b, a)] {
            if let Some((inner, bits)) = self.with_constant(one, Op::Add) {
                let sum = self.add(inner, other);
                let constant = self.constant(width, bits);
                return self.add(sum, constant);
            }
        }
        if let Some(term) = self.cancel(a, b).or_else(|| self.cancel(b, a)) {
            return term;
        }
        self.make(Op::Add, width, &[a, b])
    }

    fn add_constant(&mut self, a: Term, bits: u128, constant: Term) -> Term {
        let width = self.width(a);
        if bits == 0 {
            return a;
        }
        if let Some((inner, more)) = self.with_constant(a, Op::Add) {
            let both = self.constant(width, bits.wrapping_add(more));
            return self.add(inner, both);
        }
        self.make(Op::Add, width, &[a, constant])
    }

    /// `x + -x`, `x + !x`, `(x + y) + -x`, `(x + -y) + y`.
    fn cancel(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let opposite = |terms: &Terms, x: Term, y: Term| {
            terms.is(x, Op::Neg).is_some_and(|[inner, _]| inner == y)
                || terms.is(y, Op::Neg).is_some_and(|[inner, _]| inner == x)
        };
        if opposite(self, a, b) {
            return Some(self.zero(width));
        }
        if self.is_not(a) == Some(b) {
            return Some(self.ones(width));
        }
        let [x, y] = self.is(a, Op::Add)?;
        if opposite(self, x, b) {
            return Some(y);
        }
        opposite(self, y, b).then_some(x)
    }

    /// The negation, wrapping.
    pub fn neg(&mut self, a: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        if let Some(bits) = self.constant_value(a) {
            return self.constant(width, bits.wrapping_neg());
        }
        if let Some([inner, _]) = self.is(a, Op::Neg) {
            return inner;
        }
        if let Some((inner, bits)) = self.with_constant(a, Op::Add) {
            let inner = self.neg(inner);
            let constant = self.constant(width, bits.wrapping_neg());
            return self.add(inner, constant);
        }
        self.make(Op::Neg, width, &[a])
    }

    /// The difference, wrapping.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            let width = self.width(a);
            return self.zero(width);
        }
        let b = self.neg(b);
        self.add(a, b)
    }

    /// The product, wrapping.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return self.and(a, b);
        }
        let (a, b) = match self.fold(Op::Mul, width, a, b) {
            Ok(term) => return term,
            Err(args) => args,
        };
        if let Some(bits) = self.constant_value(b) {
            return self.mul_constant(a, bits, b);
        }
        for (factor, other) in [(a, b), (b, a)] {
            if let Some((inner, more)) = self.with_constant(factor, Op::Add) {
                return self.mul_sum(inner, more, other);
            }
        }
        self.make(Op::Mul, width, &[a, b])
    }

    /// `(inner + more) * other` as a sum: there are no more products in it than before, and what is
    /// multiplied again and again, as a counter grows, is seen to be a sum.
    fn mul_sum(&mut self, inner: Term, more: u128, other: Term) -> Term {
        let more = self.constant(self.width(inner), more);
        let (product, rest) = (self.mul(inner, other), self.mul(other, more));
        self.add(product, rest)
    }

    fn mul_constant(&mut self, a: Term, bits: u128, constant: Term) -> Term {
        let width = self.width(a);
        if bits == 0 {
            return constant;
        }
        if bits == mask(width) {
            return self.neg(a);
        }
        if let Some((inner, more)) = self.with_constant(a, Op::Mul) {
            let both = self.constant(width, bits.wrapping_mul(more));
            return self.mul(inner, both);
        }
        if let Some((inner, more)) = self.with_constant(a, Op::Add) {
            let product = self.mul(inner, constant);
            let rest = self.constant(width, bits.wrapping_mul(more));
            return self.add(product, rest);
        }
        if bits.is_power_of_two() {
            return self.shift_left(a, bits.trailing_zeros() as u8);
        }
        self.make(Op::Mul, width, &[a, constant])
    }

    /// The unsigned quotient; all ones if the divisor is 0.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Ok(term) = self.fold(Op::UDiv, width, a, b) {
            return term;
        }
        if self.known(a).max() < self.known(b).min() {
            return self.zero(width);
        }
        match self.constant_value(b) {
            Some(0) => self.ones(width),
            Some(bits) if bits.is_power_of_two() => self.shift_right(a, bits.trailing_zeros() as u8),
            _ => self.make(Op::UDiv, width, &[a, b]),
        }
    }

    /// The unsigned remainder; the dividend if the divisor is 0.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Ok(term) = self.fold(Op::URem, width, a, b) {
            return term;
        }
        if a == b {
            return self.zero(width);
        }
        if self.known(a).max() < self.known(b).min() {
            return a;
        }
        match self.constant_value(b) {
            Some(0) => a,
            Some(1) => self.zero(width),
            Some(bits) if bits.is_power_of_two() => {
                let low = self.extract(a, 0, bits.trailing_zeros() as u8);
                self.zext(low, width)
            }
            _ => self.make(Op::URem, width, &[a, b]),
        }
    }

    fn shift_left(&mut self, a: Term, by: u8) -> Term {
        let width = self.width(a);
        if by == 0 {
            return a;
        }
        let low = self.zero(by);
        let high = self.extract(a, 0, width - by);
        self.concat(high, low)
    }

    fn shift_right(&mut self, a: Term, by: u8) -> Term {
        let width = self.width(a);
        let kept = self.extract(a, by, width - by);
        self.zext(kept, width)
    }

    /// Shifted left; 0 if by the width or more.
    pub fn shl(&mut self, a: Term, b: Term) -> Term {
        self.shift(Op::Shl, a, b, |terms, by| terms.shift_left(a, by))
    }

    /// Shifted right, filling with zeros; 0 if by the width or more.
    pub fn lshr(&mut self, a: Term, b: Term) -> Term {
        self.shift(Op::LShr, a, b, |terms, by| terms.shift_right(a, by))
    }

    fn shift(&mut self, op: Op, a: Term, b: Term, by_constant: impl Fn(&mut Terms, u8) -> Term) -> Term {
        let width = self.width(a);
        if let Ok(term) = self.fold(op, width, a, b) {
            return term;
        }
        if self.known(b).min() >= u128::from(width) || self.constant_value(a) == Some(0) {
            return self.zero(width);
        }
        match self.constant_value(b) {
            Some(by) => by_constant(self, by as u8),
            None => self.make(op, width, &[a, b]),
        }
    }

    /// Shifted right, filling with the sign.
    pub fn ashr(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Ok(term) = self.fold(Op::AShr, width, a, b) {
            return term;
        }
        if self.known_bit(a, width - 1) == Some(false) {
            return self.lshr(a, b);
        }
        let known = self.known(b);
        if self.constant_value(b).is_some() || known.min() >= u128::from(width) {
            let by = known.min().min(u128::from(width - 1)) as u8;
            let kept = self.extract(a, by, width - by);
            return self.sext(kept, width);
        }
        self.make(Op::AShr, width, &[a, b])
    }
}
