//! Comparisons; the results have width 1.

use crate::term::{Op, Term, Terms};
use bits::wide::{mask, sign, signed};

impl Terms {
    /// Whether the two are equal.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = match self.fold(Op::Eq, 1, a, b) {
            Ok(term) => return term,
            Err(args) => args,
        };
        if a == b {
            return self.boolean(true);
        }
        let (x, y) = (self.known(a), self.known(b));
        if x.ones & y.zeros | x.zeros & y.ones != 0 {
            return self.boolean(false);
        }
        if width == 1 {
            return self.not_of_xor(a, b);
        }
        match self.constant_value(b) {
            Some(bits) => self.eq_constant(a, bits, b),
            None => self.eq_terms(a, b),
        }
    }

    fn eq_constant(&mut self, a: Term, bits: u128, constant: Term) -> Term {
        let node = self.node(a);
        let width = node.width;
        match node.op {
            Op::Not => {
                let other = self.constant(width, !bits);
                self.eq(node.args()[0], other)
            }
            Op::Neg => {
                let other = self.constant(width, bits.wrapping_neg());
                self.eq(node.args()[0], other)
            }
            Op::Add | Op::Xor => match self.constant_value(node.args()[1]) {
                Some(more) => {
                    let moved = if node.op == Op::Add { bits.wrapping_sub(more) } else { bits ^ more };
                    let other = self.constant(width, moved);
                    self.eq(node.args()[0], other)
                }
                None => self.make(Op::Eq, 1, &[a, constant]),
            },
            Op::Concat => {
                let (high, low) = (node.args()[0], node.args()[1]);
                let border = self.width(low);
                let (high_bits, low_bits) =
                    (self.constant(width - border, bits >> border), self.constant(border, bits));
                let (upper, lower) = (self.eq(high, high_bits), self.eq(low, low_bits));
                self.and(upper, lower)
            }
            Op::SExt => {
                let inner = node.args()[0];
                let from = self.width(inner);
                if signed(bits & mask(from), from) as u128 & mask(width) != bits {
                    return self.boolean(false);
                }
                let other = self.constant(from, bits);
                self.eq(inner, other)
            }
            Op::Ite => self.eq_ite(a, bits, constant),
            _ => self.make(Op::Eq, 1, &[a, constant]),
        }
    }

    /// A choice of which one is a constant, compared with a constant.
    fn eq_ite(&mut self, a: Term, bits: u128, constant: Term) -> Term {
        let node = self.node(a);
        let [cond, yes, no] = *node.args() else { unreachable!("three arguments") };
        let (yes_bits, no_bits) = (self.constant_value(yes), self.constant_value(no));
        if yes_bits.is_none() && no_bits.is_none() {
            return self.make(Op::Eq, 1, &[a, constant]);
        }
        let if_yes = self.eq(yes, constant);
        let if_no = self.eq(no, constant);
        debug_assert!(yes_bits.is_none_or(|yes| self.constant_value(if_yes) == Some((yes == bits).into())));
        self.ite(cond, if_yes, if_no)
    }

    fn eq_terms(&mut self, a: Term, b: Term) -> Term {
        if self.is_not(a) == Some(b) || self.is_not(b) == Some(a) {
            return self.boolean(false);
        }
        let (x, y) = (self.node(a), self.node(b));
        match (x.op, y.op) {
            (Op::Not, Op::Not) | (Op::Neg, Op::Neg) => return self.eq(x.args()[0], y.args()[0]),
            (Op::SExt, Op::SExt) if self.width(x.args()[0]) == self.width(y.args()[0]) => {
                return self.eq(x.args()[0], y.args()[0]);
            }
            (Op::Concat, Op::Concat) if self.width(x.args()[1]) == self.width(y.args()[1]) => {
                let upper = self.eq(x.args()[0], y.args()[0]);
                let lower = self.eq(x.args()[1], y.args()[1]);
                return self.and(upper, lower);
            }
            (Op::Add, Op::Add) => {
                // Sums with one part in common; the constant is the last.
                for (i, j) in [(0, 0), (1, 1), (0, 1), (1, 0)] {
                    if x.args()[i] == y.args()[j] {
                        return self.eq(x.args()[1 - i], y.args()[1 - j]);
                    }
                }
            }
            _ => {}
        }
        for (sum, part) in [(x, b), (y, a)] {
            if sum.op == Op::Add
                && let Some(index) = sum.args().iter().position(|arg| *arg == part)
            {
                let zero = self.constant(sum.width, 0);
                return self.eq(sum.args()[1 - index], zero);
            }
        }
        self.make(Op::Eq, 1, &[a, b])
    }

    /// Whether the two differ.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Unsigned less than.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        if let Ok(term) = self.fold(Op::Ult, 1, a, b) {
            return term;
        }
        let width = self.width(a);
        let (x, y) = (self.known(a), self.known(b));
        if a == b || x.min() >= y.max() {
            return self.boolean(false);
        }
        if x.max() < y.min() {
            return self.boolean(true);
        }
        if width == 1 {
            let not = self.not(a);
            return self.and(not, b);
        }
        if self.constant_value(b) == Some(1) {
            let zero = self.constant(width, 0);
            return self.eq(a, zero);
        }
        if self.constant_value(a) == Some(0) || self.constant_value(b) == Some(mask(width)) {
            return self.ne(a, b);
        }
        if let Some(term) = self.ult_parts(a, b) {
            return term;
        }
        // An extension keeps the order of unsigned numbers, too.
        if let Some((x, y)) = self.both_extended(a, b) {
            return self.ult(x, y);
        }
        self.make(Op::Ult, 1, &[a, b])
    }

    /// The upper parts are the same (zeros of an extension, mostly).
    fn ult_parts(&mut self, a: Term, b: Term) -> Option<Term> {
        let border = match (self.is(a, Op::Concat), self.is(b, Op::Concat)) {
            (Some([_, x]), Some([_, y])) => self.width(x).max(self.width(y)),
            (Some([_, x]), None) => self.width(x),
            (None, Some([_, y])) => self.width(y),
            (None, None) => return None,
        };
        let upper = self.width(a) - border;
        if upper == 0 {
            return None;
        }
        let (x, y) = (self.extract(a, border, upper), self.extract(b, border, upper));
        if x != y {
            return None;
        }
        let (x, y) = (self.extract(a, 0, border), self.extract(b, 0, border));
        Some(self.ult(x, y))
    }

    /// Unsigned less or equal.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Signed less than.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        if let Ok(term) = self.fold(Op::Slt, 1, a, b) {
            return term;
        }
        let width = self.width(a);
        let (x, y) = (self.known(a), self.known(b));
        if a == b || x.signed_min(width) >= y.signed_max(width) {
            return self.boolean(false);
        }
        if x.signed_max(width) < y.signed_min(width) {
            return self.boolean(true);
        }
        if width == 1 {
            let not = self.not(b);
            return self.and(a, not);
        }
        // The sign decides.
        if self.constant_value(b) == Some(0) {
            return self.extract(a, width - 1, 1);
        }
        if self.constant_value(a) == Some(mask(width)) {
            let negative = self.extract(b, width - 1, 1);
            return self.not(negative);
        }
        if self.constant_value(a) == Some(sign(width)) || self.constant_value(b) == Some(sign(width) - 1) {
            return self.ne(a, b);
        }
        let signs = (self.known_bit(a, width - 1), self.known_bit(b, width - 1));
        if signs.0.is_some() && signs.0 == signs.1 {
            return self.ult(a, b);
        }
        if let Some((x, y)) = self.both_extended(a, b) {
            return self.slt(x, y);
        }
        self.make(Op::Slt, 1, &[a, b])
    }

    /// What two terms are extensions of with the sign, from the same width.
    fn both_extended(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let narrow =
            |terms: &Terms, term: Term| terms.is(term, Op::SExt).map(|[inner, _]| terms.width(inner));
        let from = match (narrow(self, a), narrow(self, b)) {
            (Some(x), Some(y)) => x.max(y),
            (Some(x), None) => x,
            (None, Some(y)) => y,
            (None, None) => return None,
        };
        let (x, y) = (self.extract(a, 0, from), self.extract(b, 0, from));
        let width = self.width(a);
        let same = self.sext(x, width) == a && self.sext(y, width) == b;
        same.then_some((x, y))
    }

    /// Signed less or equal.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }
}
