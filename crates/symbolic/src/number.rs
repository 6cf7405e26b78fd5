//! Numbers as terms: operations on defined integers.

use ir::{ArithOp, BinOp, Pred, UnOp};
use logic::{Arith, Term, Terms};
use machine::{Pair, Snag, Sym, Trouble, Value};

use crate::context::Context;

impl Context<'_> {
    /// The number of a value of up to 64 bits: of a pointer, its offset.
    pub fn number(&mut self, value: Value, width: u8) -> Term {
        if value.is_symbolic() {
            let term = Term::from_number(value.sym.0);
            debug_assert_eq!(self.terms.width(term), width);
            return term;
        }
        self.terms.constant(width, value.bits.into())
    }

    /// The number of a value of up to 128 bits.
    pub fn wide_number(&mut self, (low, high): Pair, width: u8) -> Term {
        if width <= 64 {
            return self.number(low, width);
        }
        let (low, high) = (self.number(low, 64), self.number(high, width - 64));
        self.terms.concat(high, low)
    }

    /// A term as an integer; a constant one is a known value.
    pub fn integer(&self, term: Term) -> Value {
        match self.terms.constant_value(term) {
            Some(bits) => Value::int(bits as u64),
            None => Value { sym: Sym(term.number()), ..Value::default() },
        }
    }

    /// The same in two slots.
    pub fn wide_integer(&mut self, term: Term) -> Pair {
        let width = self.terms.width(term);
        if width <= 64 {
            return (self.integer(term), Value::int(0));
        }
        let (low, high) = (self.terms.extract(term, 0, 64), self.terms.extract(term, 64, width - 64));
        (self.integer(low), self.integer(high))
    }

    /// An operation on numbers, after what it cannot be done with is ruled out.
    pub fn calculate(&mut self, op: BinOp, width: u8, a: Term, b: Term) -> Result<Term, Snag> {
        match op {
            BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => {
                self.rule_out_division(op, width, a, b)?
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr => self.rule_out_shift(width, b)?,
            _ => {}
        }
        let terms = &mut *self.terms;
        Ok(match op {
            BinOp::Add => terms.add(a, b),
            BinOp::Sub => terms.sub(a, b),
            BinOp::Mul => terms.mul(a, b),
            BinOp::UDiv => terms.udiv(a, b),
            BinOp::SDiv => terms.sdiv(a, b),
            BinOp::URem => terms.urem(a, b),
            BinOp::SRem => terms.srem(a, b),
            BinOp::Shl => terms.shl(a, b),
            BinOp::LShr => terms.lshr(a, b),
            BinOp::AShr => terms.ashr(a, b),
            BinOp::And => terms.and(a, b),
            BinOp::Or => terms.or(a, b),
            BinOp::Xor => terms.xor(a, b),
            BinOp::UMin => terms.umin(a, b),
            BinOp::UMax => terms.umax(a, b),
            BinOp::SMin => terms.smin(a, b),
            BinOp::SMax => terms.smax(a, b),
        })
    }

    fn rule_out_division(&mut self, op: BinOp, width: u8, a: Term, b: Term) -> Result<(), Snag> {
        let zero = self.terms.constant(width, 0);
        let by_zero = self.terms.eq(b, zero);
        if self.decide_term(by_zero)? {
            return Err(Trouble::DivisionByZero.into());
        }
        if matches!(op, BinOp::SDiv | BinOp::SRem) {
            let least = self.terms.constant(width, 1 << (width - 1));
            let minus_one = self.terms.constant(width, u128::MAX);
            let (is_least, is_minus_one) = (self.terms.eq(a, least), self.terms.eq(b, minus_one));
            let overflows = self.terms.and(is_least, is_minus_one);
            if self.decide_term(overflows)? {
                return Err(Trouble::DivisionOverflow.into());
            }
        }
        Ok(())
    }

    pub fn rule_out_shift(&mut self, width: u8, amount: Term) -> Result<(), Snag> {
        let limit = self.terms.constant(width, width.into());
        let too_far = self.terms.ule(limit, amount);
        if self.decide_term(too_far)? {
            return Err(Trouble::Shift { amount: width.into() }.into());
        }
        Ok(())
    }
}

pub(crate) fn unary(terms: &mut Terms, op: UnOp, a: Term) -> Term {
    match op {
        UnOp::PopCount => terms.count_ones(a),
        UnOp::LeadingZeros => terms.leading_zeros(a),
        UnOp::TrailingZeros => terms.trailing_zeros(a),
        UnOp::ByteSwap => terms.reverse(a, 8),
        UnOp::BitReverse => terms.reverse(a, 1),
        UnOp::Abs => terms.abs(a),
    }
}

pub(crate) fn overflows(terms: &mut Terms, op: ArithOp, signed: bool, a: Term, b: Term) -> Term {
    let op = match op {
        ArithOp::Add => Arith::Add,
        ArithOp::Sub => Arith::Sub,
        ArithOp::Mul => Arith::Mul,
    };
    terms.overflows(op, signed, a, b)
}

pub(crate) fn compare(terms: &mut Terms, pred: Pred, a: Term, b: Term) -> Term {
    match pred {
        Pred::Eq => terms.eq(a, b),
        Pred::Ne => terms.ne(a, b),
        Pred::Ult => terms.ult(a, b),
        Pred::Ule => terms.ule(a, b),
        Pred::Ugt => terms.ult(b, a),
        Pred::Uge => terms.ule(b, a),
        Pred::Slt => terms.slt(a, b),
        Pred::Sle => terms.sle(a, b),
        Pred::Sgt => terms.slt(b, a),
        Pred::Sge => terms.sle(b, a),
    }
}
