//! What the interpreter asks while a step is executed.

use std::sync::Arc;

use bits::narrow;
use ir::{ArithOp, BinOp, CastOp, Domain, Pred, UnOp};
use logic::{Term, Terms};
use machine::{GREATEST_SIZE, Pair, Snag, Sym, Symbols, ThreadId, Value};
use rustc_hash::FxHashMap;

use crate::guide::{Candidate, Guide};
use crate::number;
use crate::path::Path;
use crate::shape::Shape;
use crate::state::{Input, Met};

const TOO_MANY: &str = "a number that must be known and has too many values";

/// The variables of what is not known when it is met.
#[derive(Default)]
pub(crate) struct Variables {
    /// The n-th input of a thread is the same variable on every path.
    inputs: FxHashMap<(ThreadId, u32, u8), Term>,
    /// The n-th array of elements of a width on a path.
    pub arrays: FxHashMap<(u32, u8), Term>,
}

/// Terms behind symbols, for the steps of one path.
pub(crate) struct Context<'a> {
    pub terms: &'a mut Terms,
    pub guide: &'a mut dyn Guide,
    pub variables: &'a mut Variables,
    pub path: &'a mut Path,
    pub inputs: &'a mut Arc<Vec<Input>>,
    pub met: &'a mut Arc<Met>,
    /// Whether there are objects of unknown size.
    pub opens_objects: bool,
    /// An input with no more values than this is a choice.
    pub few_values: u64,
    pub most_values: u32,
    /// The condition that the path does not decide.
    pub undecided: Option<Undecided>,
}

/// A condition that a path does not decide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undecided {
    pub condition: Term,
    /// The number whose values are gone through, if the condition is that it
    /// has one of them.
    pub number: Option<Term>,
}

impl Context<'_> {
    /// Whether a condition holds on this path; a fork if that is open.
    pub fn decide_term(&mut self, condition: Term) -> Result<bool, Snag> {
        self.decide_about(condition, None)
    }

    fn decide_about(&mut self, condition: Term, number: Option<Term>) -> Result<bool, Snag> {
        self.path.decides(self.terms, condition).ok_or_else(|| {
            self.undecided = Some(Undecided { condition, number });
            Snag::Fork
        })
    }

    /// The value of a term, forking over its values one by one.
    fn know(&mut self, term: Term) -> Result<u128, Snag> {
        if let Some(bits) = self.terms.constant_value(term).or_else(|| self.path.value_of(term)) {
            return Ok(bits);
        }
        if self.path.excluded(term) >= self.most_values {
            return Err(Snag::Unsupported(TOO_MANY));
        }
        match self.guide.candidate(self.terms, self.path, term) {
            Candidate::Value(bits) => {
                let constant = self.terms.constant(self.terms.width(term), bits);
                let equal = self.terms.eq(term, constant);
                match self.decide_about(equal, Some(term))? {
                    true => Ok(bits),
                    false => Err(Snag::Unsupported("a value that must be known, of which nothing is left")),
                }
            }
            Candidate::TooMany => Err(Snag::Unsupported(TOO_MANY)),
        }
    }

    /// The next input of a thread: a variable of this width.
    fn variable(&mut self, thread: ThreadId, width: u8) -> Term {
        let earlier = self.inputs.iter().filter(|input| input.thread == thread).count() as u32;
        let terms = &mut *self.terms;
        *self
            .variables
            .inputs
            .entry((thread, earlier, width))
            .or_insert_with(|| terms.variable(width, format!("{thread}_input{earlier}")))
    }

    /// The value with this index in a domain.
    fn value_in(&mut self, domain: &Domain, choice: Term, width: u8) -> Term {
        match domain {
            Domain::Full => choice,
            Domain::Range { first, .. } => {
                let first = self.terms.constant(width, (*first).into());
                let index = self.resize_term(choice, width);
                self.terms.add(first, index)
            }
            Domain::Classes(values) => {
                let mut result = self.terms.constant(width, values[values.len() - 1].into());
                let bits = self.terms.width(choice);
                for (index, value) in values.iter().enumerate().rev().skip(1) {
                    let (index, value) = (
                        self.terms.constant(bits, index as u128),
                        self.terms.constant(width, (*value).into()),
                    );
                    let is_it = self.terms.eq(choice, index);
                    result = self.terms.ite(is_it, value, result);
                }
                result
            }
        }
    }

    pub fn resize_term(&mut self, term: Term, width: u8) -> Term {
        if self.terms.width(term) > width {
            self.terms.extract(term, 0, width)
        } else {
            self.terms.zext(term, width)
        }
    }
}

impl Symbols for Context<'_> {
    fn binary(&mut self, op: BinOp, width: u8, a: Pair, b: Pair) -> Result<Pair, Snag> {
        self.binary_value(op, width, a, b)
    }

    fn unary(&mut self, op: UnOp, width: u8, a: Pair) -> Result<Pair, Snag> {
        let Some(a) = self.plain(a, width)? else { return Ok((Value::UNDEF, Value::UNDEF)) };
        let result = number::unary(self.terms, op, a);
        Ok(self.wide_integer(result))
    }

    fn overflows(&mut self, op: ArithOp, signed: bool, width: u8, a: Pair, b: Pair) -> Result<Value, Snag> {
        let (Some(a), Some(b)) = (self.plain(a, width)?, self.plain(b, width)?) else {
            return Ok(Value::UNDEF);
        };
        let result = number::overflows(self.terms, op, signed, a, b);
        Ok(self.integer(result))
    }

    fn compare(&mut self, pred: Pred, width: u8, a: Pair, b: Pair) -> Result<Value, Snag> {
        self.compare_values(pred, width, a, b)
    }

    fn cast(&mut self, op: CastOp, from: u8, to: u8, a: Pair) -> Result<Pair, Snag> {
        self.cast_value(op, from, to, a)
    }

    fn select(&mut self, width: u8, cond: Value, yes: Pair, no: Pair) -> Result<Pair, Snag> {
        self.select_value(width, cond, yes, no)
    }

    fn decide(&mut self, cond: Value) -> Result<bool, Snag> {
        let condition = self.number(cond, 1);
        self.decide_term(condition)
    }

    fn concretise(&mut self, value: Value) -> Result<Value, Snag> {
        let bits = self.know(Term::from_number(value.sym.0))? as u64;
        Ok(Value { bits, sym: Sym::NONE, ..value })
    }

    fn slice(&mut self, value: Value, from: u64, len: u64) -> Value {
        let term = Term::from_number(value.sym.0);
        let piece = self.terms.extract(term, (from * 8) as u8, (len * 8) as u8);
        self.integer(piece)
    }

    fn join(&mut self, (low, low_len): (Value, u64), (high, high_len): (Value, u64)) -> Value {
        let (low_width, high_width) = ((low_len * 8) as u8, (high_len * 8) as u8);
        let (low_term, high_term) = (self.number(low, low_width), self.number(high, high_width));
        let both = self.terms.concat(high_term, low_term);
        let undef = low.undef | high.undef << low_width;
        Value { undef, ..self.integer(both) }
    }

    fn resize(&mut self, value: Value, from: u8, to: u8) -> Value {
        let term = self.number(value, from);
        let resized = self.resize_term(term, to);
        Value { undef: value.undef & narrow::mask(to), ..self.integer(resized) }
    }

    fn offsets(&mut self, value: Value, last: u64, most: usize) -> Option<Vec<u64>> {
        let known = self.terms.known(Term::from_number(value.sym.0));
        let mut found = Vec::new();
        let mut next = Some(known.min()).filter(|bits| *bits <= last.into());
        while let Some(bits) = next {
            if found.len() == most {
                return None;
            }
            found.push(bits as u64);
            next = known.next_after(bits).filter(|bits| *bits <= last.into());
        }
        Some(found).filter(|found| !found.is_empty())
    }

    fn choose(&mut self, width: u8, value: Value, cases: &[(u64, Value)]) -> Value {
        let ((_, default), others) = cases.split_last().expect("a case");
        let selector = Term::from_number(value.sym.0);
        let selector_width = self.terms.width(selector);
        let mut result = self.number(*default, width);
        for (case, value) in others.iter().rev() {
            let (case, value) =
                (self.terms.constant(selector_width, (*case).into()), self.number(*value, width));
            let is_it = self.terms.eq(selector, case);
            result = self.terms.ite(is_it, value, result);
        }
        self.integer(result)
    }

    fn input(&mut self, thread: ThreadId, width: u8, domain: &Domain) -> Option<Pair> {
        let narrow = width.min(64);
        let (choice, value) = match domain.count(width) {
            Some(count) if count > 1 && count <= self.few_values => return None,
            Some(1) => {
                let only = self.terms.constant(narrow, domain.value(0, width).into());
                return Some(self.extend_input(only, width));
            }
            None => {
                let choice = self.variable(thread, narrow);
                (choice, choice)
            }
            Some(count) => {
                let bits = (64 - (count - 1).leading_zeros()).max(1) as u8;
                let choice = self.variable(thread, bits);
                let last = self.terms.constant(bits, u128::from(count - 1));
                let in_range = self.terms.ule(choice, last);
                self.path.assume(self.terms, in_range);
                (choice, self.value_in(domain, choice, narrow))
            }
        };
        Arc::make_mut(self.inputs).push(Input { thread, choice, value });
        Some(self.extend_input(value, width))
    }

    fn opens_objects(&self) -> bool {
        self.opens_objects
    }

    fn makes_object(&mut self, size: Value, width: u8) {
        let size = self.number(size, width);
        let most = self.terms.constant(width, GREATEST_SIZE.into());
        let fits = self.terms.ule(size, most);
        let met = Arc::make_mut(self.met);
        met.sizes.push(size);
        met.replayable.extend(Some(fits).filter(|fits| !self.terms.is_true(*fits)));
    }

    fn replays_if(&mut self, condition: Value) {
        let condition = self.number(condition, 1);
        if !self.terms.is_true(condition) {
            Arc::make_mut(self.met).replayable.push(condition);
        }
    }

    fn bounded(&mut self, value: Value, width: u8, most: u64) -> Value {
        self.bounded_value(value, width, most)
    }

    fn shifted(&mut self, value: Value, width: u8, bits: u8) -> Option<Value> {
        self.shifted_value(value, width, bits)
    }

    fn scaled(&mut self, value: Value, width: u8, bits: u8) -> Value {
        self.scaled_value(value, width, bits)
    }

    fn extended_from(&mut self, value: Value, width: u8) -> (u8, bool) {
        let number = self.number(value, width);
        let (shape, part) = Shape::of(self.terms, number, 0);
        (self.terms.width(part), shape.is_signed())
    }

    fn unknown_array(&mut self, width: u8) -> Sym {
        self.new_array(width)
    }

    fn zeros(&mut self, width: u8) -> Sym {
        let zero = self.terms.constant(width, 0);
        Sym(self.terms.fill(zero).number())
    }

    fn element(&mut self, array: Sym, index: (Value, u8)) -> Value {
        let index = self.index(index);
        let element = self.terms.select(Term::from_number(array.0), index);
        self.integer(element)
    }

    fn with_element(&mut self, array: Sym, index: (Value, u8), element: Value) -> Sym {
        let (array, index) = (Term::from_number(array.0), self.index(index));
        let element = self.number(element, self.terms.width(array));
        Sym(self.terms.store(array, index, element).number())
    }
}

impl Context<'_> {
    /// An input of more than 64 bits is the sign-extension of one of 64.
    fn extend_input(&mut self, value: Term, width: u8) -> Pair {
        let extended = self.terms.sext(value, width.max(self.terms.width(value)));
        self.wide_integer(extended)
    }
}
