//! Bitwise operations.

use crate::term::{Op, Term, Terms};
use bits::wide::mask;

impl Terms {
    /// The complement.
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        if let Some(bits) = self.constant_value(a) {
            return self.constant(width, !bits);
        }
        if let Some(inner) = self.is_not(a) {
            return inner;
        }
        self.make(Op::Not, width, &[a])
    }

    /// That one of these conditions does not hold.
    pub fn not_all(&mut self, conditions: &[Term]) -> Term {
        let mut all = self.constant(1, 1);
        conditions.iter().for_each(|condition| all = self.and(all, *condition));
        self.not(all)
    }

    /// Bitwise and.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = match self.fold(Op::And, width, a, b) {
            Ok(term) => return term,
            Err(args) => args,
        };
        if a == b {
            return a;
        }
        if self.is_not(a) == Some(b) || self.is_not(b) == Some(a) {
            return self.zero(width);
        }
        if let Some(bits) = self.constant_value(b) {
            return self.and_constant(a, bits, b);
        }
        if width == 1
            && let Some(term) = self.and_equalities(a, b)
        {
            return term;
        }
        if let Some(term) = self.absorb(a, b).or_else(|| self.absorb(b, a)) {
            return term;
        }
        self.make(Op::And, width, &[a, b])
    }

    fn and_constant(&mut self, a: Term, bits: u128, constant: Term) -> Term {
        let width = self.width(a);
        if bits == 0 {
            return constant;
        }
        // Nothing is masked out that could be 1.
        if self.known(a).max() & !bits == 0 {
            return a;
        }
        if let Some((inner, more)) = self.with_constant(a, Op::And) {
            let both = self.constant(width, bits & more);
            return self.and(inner, both);
        }
        self.make(Op::And, width, &[a, constant])
    }

    /// `a & (a & x)`, `a & !(a & x)`, and the same with complements.
    fn absorb(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some([x, y]) = self.is(b, Op::And) {
            if x == a || y == a {
                return Some(b);
            }
            let contradicts = |term: Term| self.is_not(term) == Some(a) || self.is_not(a) == Some(term);
            if contradicts(x) || contradicts(y) {
                let width = self.width(a);
                return Some(self.zero(width));
            }
        }
        let [x, y] = self.is(self.is_not(b)?, Op::And)?;
        let complement = |term: Term| self.is_not(term) == Some(a) || self.is_not(a) == Some(term);
        // a & !(!a & y) = a
        if complement(x) || complement(y) {
            return Some(a);
        }
        // a & !(a & y) = a & !y
        let rest = if x == a {
            y
        } else if y == a {
            x
        } else {
            return None;
        };
        let rest = self.not(rest);
        Some(self.and(a, rest))
    }

    /// Two facts about the same term and constants.
    fn and_equalities(&mut self, a: Term, b: Term) -> Option<Term> {
        let equality = |terms: &Terms, term: Term| match terms.is_not(term) {
            Some(inner) => terms.with_constant(inner, Op::Eq).map(|fact| (fact, false)),
            None => terms.with_constant(term, Op::Eq).map(|fact| (fact, true)),
        };
        let ((x, c), positive) = equality(self, a)?;
        let ((y, d), also_positive) = equality(self, b)?;
        if x != y || c == d {
            return None;
        }
        match (positive, also_positive) {
            (true, true) => Some(self.boolean(false)),
            (true, false) => Some(a),
            (false, true) => Some(b),
            (false, false) => None,
        }
    }

    /// Bitwise or.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = match self.fold(Op::Xor, width, a, b) {
            Ok(term) => return term,
            Err(args) => args,
        };
        if a == b {
            return self.zero(width);
        }
        if let Some(bits) = self.constant_value(b) {
            return self.xor_constant(a, bits, b);
        }
        match (self.is_not(a), self.is_not(b)) {
            (Some(x), Some(y)) => return self.xor(x, y),
            (Some(x), None) => return self.not_of_xor(x, b),
            (None, Some(y)) => return self.not_of_xor(a, y),
            (None, None) => {}
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some([x, y]) = self.is(other, Op::Xor) {
                match one {
                    _ if one == x => return y,
                    _ if one == y => return x,
                    _ => {}
                }
            }
        }
        self.make(Op::Xor, width, &[a, b])
    }

    pub(super) fn not_of_xor(&mut self, a: Term, b: Term) -> Term {
        let xor = self.xor(a, b);
        self.not(xor)
    }

    fn xor_constant(&mut self, a: Term, bits: u128, constant: Term) -> Term {
        let width = self.width(a);
        if bits == 0 {
            return a;
        }
        if bits == mask(width) {
            return self.not(a);
        }
        if let Some((inner, more)) = self.with_constant(a, Op::Xor) {
            let both = self.constant(width, bits ^ more);
            return self.xor(inner, both);
        }
        if let Some(inner) = self.is_not(a) {
            let both = self.constant(width, !bits);
            return self.xor(inner, both);
        }
        self.make(Op::Xor, width, &[a, constant])
    }

    /// The conjunction of terms of width 1.
    pub fn all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut all = self.boolean(true);
        for term in terms {
            all = self.and(all, term);
        }
        all
    }

    /// The terms of width 1 whose conjunction a term is, itself if it is none.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        let (mut found, mut work) = (Vec::new(), vec![term]);
        while let Some(term) = work.pop() {
            let node = self.node(term);
            match node.op {
                Op::And if node.width == 1 => work.extend(node.args().iter().rev()),
                _ if self.is_true(term) || found.contains(&term) => {}
                _ => found.push(term),
            }
        }
        found
    }

    /// The disjunction of terms of width 1.
    pub fn any(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut any = self.boolean(false);
        for term in terms {
            any = self.or(any, term);
        }
        any
    }

    /// Whether the first implies the second.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not = self.not(a);
        self.or(not, b)
    }
}
