//! Extraction, concatenation, extension.

use crate::term::{Op, Term, Terms};
use bits::wide::{mask, signed};

impl Terms {
    /// `width` bits from bit `low` on.
    pub fn extract(&mut self, a: Term, low: u8, width: u8) -> Term {
        let node = self.node(a);
        debug_assert!(width > 0 && low + width <= node.width, "bits {low}+{width} of {}", node.width);
        if width == node.width {
            return a;
        }
        if let Some(bits) = self.constant_value(a) {
            return self.constant(width, bits >> low);
        }
        match node.op {
            Op::Extract => self.extract(node.args()[0], node.low + low, width),
            Op::Concat => self.extract_concat(node.args()[0], node.args()[1], low, width),
            Op::SExt => self.extract_sext(node.args()[0], low, width),
            Op::Not => {
                let inner = self.extract(node.args()[0], low, width);
                self.not(inner)
            }
            Op::And | Op::Xor if self.is_cut_easily(node.args()) => {
                let (x, y) = self.extract_both(node.args(), low, width);
                if node.op == Op::And { self.and(x, y) } else { self.xor(x, y) }
            }
            // The low bits of a sum or product depend on the low bits alone.
            Op::Add | Op::Mul if low == 0 && self.is_cut_easily(node.args()) => {
                let (x, y) = self.extract_both(node.args(), low, width);
                if node.op == Op::Add { self.add(x, y) } else { self.mul(x, y) }
            }
            // Nothing is carried out of zeros.
            Op::Add if low > 0 && node.args().iter().all(|arg| self.has_low_zeros(*arg, low)) => {
                let (x, y) = self.extract_both(node.args(), low, width);
                self.add(x, y)
            }
            Op::Ite if self.is_cut_easily(&node.args()[1..]) => {
                let (x, y) = self.extract_both(&node.args()[1..], low, width);
                self.ite(node.args()[0], x, y)
            }
            _ => self.make_at(Op::Extract, width, low, &[a]),
        }
    }

    fn has_low_zeros(&self, term: Term, bits: u8) -> bool {
        self.known(term).zeros & mask(bits) == mask(bits)
    }

    /// Whether extracting from the arguments makes one of them simpler.
    fn is_cut_easily(&self, args: &[Term]) -> bool {
        args.iter().any(|arg| matches!(self.node(*arg).op, Op::Const | Op::Concat | Op::SExt))
    }

    fn extract_both(&mut self, args: &[Term], low: u8, width: u8) -> (Term, Term) {
        (self.extract(args[0], low, width), self.extract(args[1], low, width))
    }

    fn extract_concat(&mut self, high_part: Term, low_part: Term, low: u8, width: u8) -> Term {
        let border = self.width(low_part);
        if low >= border {
            return self.extract(high_part, low - border, width);
        }
        if low + width <= border {
            return self.extract(low_part, low, width);
        }
        let lower = self.extract(low_part, low, border - low);
        let upper = self.extract(high_part, 0, low + width - border);
        self.concat(upper, lower)
    }

    fn extract_sext(&mut self, inner: Term, low: u8, width: u8) -> Term {
        let from = self.width(inner);
        if low + width <= from {
            return self.extract(inner, low, width);
        }
        let start = low.min(from - 1);
        let kept = self.extract(inner, start, from - start);
        self.sext(kept, width)
    }

    /// `high` above `low`. Nested ones lean to the right; neighbours that
    /// belong together are merged.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        if let Some([first, second]) = self.is(high, Op::Concat) {
            let rest = self.concat(second, low);
            return self.concat(first, rest);
        }
        if let Some([next, rest]) = self.is(low, Op::Concat)
            && let Some(merged) = self.merge(high, next)
        {
            return self.concat(merged, rest);
        }
        if let Some(merged) = self.merge(high, low) {
            return merged;
        }
        let width = self.width(high) + self.width(low);
        assert!(width <= 128, "at most 128 bits");
        self.make(Op::Concat, width, &[high, low])
    }

    /// Constants, and adjacent extractions of the same term.
    fn merge(&mut self, high: Term, low: Term) -> Option<Term> {
        let (high_width, low_width) = (self.width(high), self.width(low));
        if let (Some(x), Some(y)) = (self.constant_value(high), self.constant_value(low)) {
            return Some(self.constant(high_width + low_width, x << low_width | y));
        }
        let (upper, lower) = (self.node(high), self.node(low));
        let extracts = upper.op == Op::Extract && lower.op == Op::Extract;
        if extracts && upper.args() == lower.args() && upper.low == lower.low + low_width {
            return Some(self.extract(lower.args()[0], lower.low, high_width + low_width));
        }
        None
    }

    /// Extended with zeros.
    pub fn zext(&mut self, a: Term, width: u8) -> Term {
        let from = self.width(a);
        if from == width {
            return a;
        }
        let zeros = self.zero(width - from);
        self.concat(zeros, a)
    }

    /// Extended with the sign.
    pub fn sext(&mut self, a: Term, width: u8) -> Term {
        let from = self.width(a);
        if from == width {
            return a;
        }
        if let Some(bits) = self.constant_value(a) {
            return self.constant(width, signed(bits, from) as u128);
        }
        match self.known_bit(a, from - 1) {
            Some(false) => return self.zext(a, width),
            Some(true) => {
                let ones = self.constant(width - from, mask(width - from));
                return self.concat(ones, a);
            }
            None => {}
        }
        if let Some([inner, _]) = self.is(a, Op::SExt) {
            return self.sext(inner, width);
        }
        self.make(Op::SExt, width, &[a])
    }
}
