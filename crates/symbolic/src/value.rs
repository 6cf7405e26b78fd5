//! Operations on values with undefined bits or an object: the rules of the
//! machine's `value` and `eval`, where the bits are terms. Which bits are
//! undefined is always known; where it would depend on an unknown number, that
//! number is made known first.

use bits::wide::{self, mask, signed};
use ir::{BinOp, CastOp, Pred};
use logic::Term;
use machine::{ObjectId, Pair, Snag, Symbols, Trouble, Value};

use crate::context::Context;
use crate::number;

/// Objects are aligned to this: the bits below may be used as tags.
const ALIGNMENT: u128 = 16;

fn is_pointer((low, high): Pair) -> bool {
    low.is_pointer() || high.is_pointer()
}

/// The undefined bits of a value of this width.
fn undef((low, high): Pair, width: u8) -> u128 {
    let high = if width > 64 { high.undef } else { 0 };
    (u128::from(high) << 64 | u128::from(low.undef)) & mask(width)
}

/// The same number with these bits undefined.
fn with_undef((low, high): Pair, undef: u128) -> Pair {
    (Value { undef: undef as u64, ..low }, Value { undef: (undef >> 64) as u64, ..high })
}

fn number_only((low, high): Pair) -> Pair {
    let only = |value: Value| Value { undef: 0, ..value.without_object() };
    (only(low), only(high))
}

impl Context<'_> {
    /// The number of a defined integer; `None` if undefined.
    pub fn plain(&mut self, value: Pair, width: u8) -> Result<Option<Term>, Snag> {
        if undef(value, width) != 0 {
            return Ok(None);
        }
        if is_pointer(value) {
            return Err(Trouble::NeedsAddress.into());
        }
        Ok(Some(self.wide_number(value, width)))
    }

    pub fn binary_value(&mut self, op: BinOp, width: u8, a: Pair, b: Pair) -> Result<Pair, Snag> {
        if undef(a, width) | undef(b, width) != 0 {
            return self.binary_undef(op, width, a, b);
        }
        if is_pointer(a) || is_pointer(b) {
            if width > 64 {
                return Err(Trouble::NeedsAddress.into());
            }
            return self.binary_pointer(op, width, a.0, b.0).map(|value| (value, Value::int(0)));
        }
        let (a, b) = (self.wide_number(a, width), self.wide_number(b, width));
        let result = self.calculate(op, width, a, b)?;
        Ok(self.wide_integer(result))
    }

    fn binary_undef(&mut self, op: BinOp, width: u8, a: Pair, b: Pair) -> Result<Pair, Snag> {
        let (undef_a, undef_b) = (undef(a, width), undef(b, width));
        let division = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
        if undef_b != 0 && division {
            return Err(Trouble::UndefinedDivisor.into());
        }
        let nothing = with_undef((Value::int(0), Value::int(0)), mask(width));
        if is_pointer(a) || is_pointer(b) {
            return if width > 64 { Err(Trouble::NeedsAddress.into()) } else { Ok(nothing) };
        }
        let (x, y) = (self.wide_number(number_only(a), width), self.wide_number(number_only(b), width));
        let either = undef_a | undef_b;
        let result = match op {
            BinOp::And => self.undef_unless(either, [(x, undef_a), (y, undef_b)], false)?,
            BinOp::Or => self.undef_unless(either, [(x, undef_a), (y, undef_b)], true)?,
            // What the operands are makes no difference.
            BinOp::Xor | BinOp::Add | BinOp::Sub | BinOp::Mul => {
                wide::undefined(op, width, (0, undef_a), (0, undef_b))
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr if undef_b == 0 => {
                self.rule_out_shift(width, y)?;
                wide::undefined(op, width, (0, undef_a), (self.know_term(y)?, 0))
            }
            // Only the divisor matters: the rest is undefined.
            _ if division => {
                let zero = self.terms.constant(width, 0);
                let by_zero = self.terms.eq(y, zero);
                if self.decide_term(by_zero)? {
                    return Err(Trouble::DivisionByZero.into());
                }
                return Ok(nothing);
            }
            _ => return Ok(nothing),
        } & mask(width);
        let number = self.calculate(op, width, x, y)?;
        Ok(with_undef(self.wide_integer(number), result))
    }

    /// Bits are undefined unless the other operand has a defined bit there
    /// that decides the result.
    fn undef_unless(&mut self, either: u128, args: [(Term, u128); 2], deciding: bool) -> Result<u128, Snag> {
        let mut result = either;
        for (term, undef) in args {
            let matters = either & !undef;
            let known = self.terms.known(term);
            if matters & known.unknown() != 0 {
                // Rare: which bits are defined depends on the number.
                let bits = self.know_term(term)?;
                result &= !(matters & if deciding { bits } else { !bits });
                continue;
            }
            result &= !(matters & if deciding { known.ones } else { known.zeros });
        }
        Ok(result)
    }

    fn know_term(&mut self, term: Term) -> Result<u128, Snag> {
        let width = self.terms.width(term);
        let (low, high) = self.wide_integer(term);
        let known = |context: &mut Self, value: Value| -> Result<u128, Snag> {
            Ok(u128::from(if value.is_symbolic() { context.concretise(value)?.bits } else { value.bits }))
        };
        let low = known(self, low)?;
        Ok(if width > 64 { known(self, high)? << 64 | low } else { low })
    }

    fn pointer(&mut self, object: ObjectId, offset: Term) -> Value {
        Value { object, ..self.integer(offset) }
    }

    fn binary_pointer(&mut self, op: BinOp, width: u8, a: Value, b: Value) -> Result<Value, Snag> {
        let (x, y) = (self.number(a, width), self.number(b, width));
        match op {
            BinOp::Add if !(a.is_pointer() && b.is_pointer()) => {
                let object = if a.is_pointer() { a.object } else { b.object };
                let offset = self.terms.add(x, y);
                Ok(self.pointer(object, offset))
            }
            BinOp::Sub if !b.is_pointer() => {
                let offset = self.terms.sub(x, y);
                Ok(self.pointer(a.object, offset))
            }
            BinOp::Sub if a.object == b.object => {
                let distance = self.terms.sub(x, y);
                Ok(self.integer(distance))
            }
            BinOp::And | BinOp::Or | BinOp::Xor if !(a.is_pointer() && b.is_pointer()) => {
                let (pointer, other) = if a.is_pointer() { (a, b) } else { (b, a) };
                self.tag(op, width, pointer, other)
            }
            _ => Err(Trouble::NeedsAddress.into()),
        }
    }

    /// Bitwise operations with a tag or its complement. What they do depends
    /// on the other operand, so that is known.
    fn tag(&mut self, op: BinOp, width: u8, pointer: Value, other: Value) -> Result<Value, Snag> {
        let other = self.number(other, width);
        let bits = self.know_term(other)?;
        let (offset, other) = (self.number(pointer, width), self.terms.constant(width, bits));
        let is_tag = bits < ALIGNMENT;
        let keeps_upper = bits | (ALIGNMENT - 1) == mask(width);
        match op {
            BinOp::And if is_tag => {
                let bits = self.terms.and(offset, other);
                Ok(self.integer(bits))
            }
            BinOp::And if keeps_upper => {
                let kept = self.terms.and(offset, other);
                Ok(self.pointer(pointer.object, kept))
            }
            BinOp::Or if is_tag => {
                let tagged = self.terms.or(offset, other);
                Ok(self.pointer(pointer.object, tagged))
            }
            BinOp::Xor if is_tag => {
                let tagged = self.terms.xor(offset, other);
                Ok(self.pointer(pointer.object, tagged))
            }
            _ => Err(Trouble::NeedsAddress.into()),
        }
    }

    pub fn compare_values(&mut self, pred: Pred, width: u8, a: Pair, b: Pair) -> Result<Value, Snag> {
        if undef(a, width) | undef(b, width) != 0 {
            return self.compare_undef(pred, width, a, b);
        }
        if is_pointer(a) || is_pointer(b) {
            return self.compare_pointers(pred, width, a, b);
        }
        let (a, b) = (self.wide_number(a, width), self.wide_number(b, width));
        let result = number::compare(self.terms, pred, a, b);
        Ok(self.integer(result))
    }

    fn compare_undef(&mut self, pred: Pred, width: u8, a: Pair, b: Pair) -> Result<Value, Snag> {
        let undefined = Ok(Value { undef: 1, ..Value::default() });
        if width > 64 {
            return if is_pointer(a) || is_pointer(b) {
                Err(Trouble::NeedsAddress.into())
            } else {
                Ok(Value::UNDEF)
            };
        }
        if !matches!(pred, Pred::Eq | Pred::Ne) || is_pointer(a) || is_pointer(b) {
            return undefined;
        }
        // Defined bits that differ decide it.
        let known = mask(width) & !(undef(a, width) | undef(b, width));
        let (x, y) = (self.number(a.0, width), self.number(b.0, width));
        let (differing, known) = (self.terms.xor(x, y), self.terms.constant(width, known));
        let differing = self.terms.and(differing, known);
        let zero = self.terms.constant(width, 0);
        let differ = self.terms.ne(differing, zero);
        if self.decide_term(differ)? { Ok(Value::int(u64::from(pred == Pred::Ne))) } else { undefined }
    }

    fn compare_pointers(&mut self, pred: Pred, width: u8, a: Pair, b: Pair) -> Result<Value, Snag> {
        if width > 64 {
            return Err(Trouble::NeedsAddress.into());
        }
        let (a, b) = (a.0, b.0);
        if a.object == b.object {
            let (x, y) = (self.number(a, width), self.number(b, width));
            let result = number::compare(self.terms, pred, x, y);
            return Ok(self.integer(result));
        }
        if matches!(pred, Pred::Eq | Pred::Ne) && self.is_pointer_or_null(a, width)? {
            // Different objects, or an object and null, are never equal.
            if self.is_pointer_or_null(b, width)? {
                return Ok(Value::int(u64::from(pred == Pred::Ne)));
            }
        }
        Err(Trouble::NeedsAddress.into())
    }

    fn is_pointer_or_null(&mut self, value: Value, width: u8) -> Result<bool, Snag> {
        if value.is_pointer() {
            return Ok(true);
        }
        let (number, zero) = (self.number(value, width), self.terms.constant(width, 0));
        let is_null = self.terms.eq(number, zero);
        self.decide_term(is_null)
    }

    pub fn cast_value(&mut self, op: CastOp, from: u8, to: u8, a: Pair) -> Result<Pair, Snag> {
        if is_pointer(a) {
            return self.cast_pointer(op, from, to, a);
        }
        let undefined = undef(a, from);
        let number = self.wide_number(number_only(a), from);
        let (number, undefined) = match op {
            CastOp::Trunc => (self.terms.extract(number, 0, to), undefined & mask(to)),
            CastOp::ZExt => (self.terms.zext(number, to), undefined),
            CastOp::SExt => {
                let extended = signed(undefined, from) as u128;
                (self.terms.sext(number, to), extended & mask(to))
            }
            _ if undefined != 0 => return Ok((Value::UNDEF, Value::UNDEF)),
            _ => return Err(Snag::Unsupported("a conversion of a floating-point value that is not known")),
        };
        Ok(with_undef(self.wide_integer(number), undefined))
    }

    fn cast_pointer(&mut self, op: CastOp, from: u8, to: u8, a: Pair) -> Result<Pair, Snag> {
        if from > 64 || to > 64 {
            return Err(Trouble::NeedsAddress.into());
        }
        let zero = Value::int(0);
        match op {
            _ if a.0.undef != 0 => Ok((Value::UNDEF, zero)),
            CastOp::Trunc if mask(to) < ALIGNMENT => {
                let offset = self.number(a.0, from);
                let low = self.terms.extract(offset, 0, to);
                Ok((self.integer(low), zero))
            }
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt if from == to => Ok(a),
            _ => Err(Trouble::NeedsAddress.into()),
        }
    }

    pub fn select_value(&mut self, width: u8, cond: Value, yes: Pair, no: Pair) -> Result<Pair, Snag> {
        if cond.undef & 1 != 0 {
            return Ok((Value::UNDEF, Value::UNDEF));
        }
        let same_objects = (yes.0.object, yes.1.object) == (no.0.object, no.1.object);
        let same_undef = undef(yes, width) == undef(no, width);
        if !same_objects || !same_undef || (width > 64 && is_pointer(yes)) {
            let condition = self.number(cond, 1);
            return Ok(if self.decide_term(condition)? { yes } else { no });
        }
        let condition = self.number(cond, 1);
        let (x, y) = (self.wide_number(yes, width), self.wide_number(no, width));
        let chosen = self.terms.ite(condition, x, y);
        let (low, high) = with_undef(self.wide_integer(chosen), undef(yes, width));
        Ok((Value { object: yes.0.object, ..low }, high))
    }
}
