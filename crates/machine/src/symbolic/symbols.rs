//! Numbers that are not known: the machine's side of symbolic execution.
//!
//! A [`Value`] may carry a [`Sym`] in place of its bits: the name of a number
//! that only an implementation of [`Symbols`] knows. The machine moves such
//! values around, stores them in memory, and asks wherever an instruction needs
//! more than that: for the result of an operation, or for a decision. What is
//! undefined in a value and which object it points into stay known.
//!
//! A decision that cannot be made yet is a [`Snag::Fork`]: the instruction is
//! left undone, the caller decides both ways in two copies of the state, and
//! executes it again in each. So all that the machine does case by case, faults
//! included, is there for symbolic values too, written once.

use ir::{ArithOp, BinOp, CastOp, Domain, Pred, UnOp};

use crate::telling::fault::ThreadId;
use crate::value::Value;
use crate::value::arith::Trouble;
use serde::{Deserialize, Serialize};

/// The name of an unknown number; 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Sym(pub u32);

impl Sym {
    /// No symbol: the bits are known.
    pub const NONE: Sym = Sym(0);
}

/// A value of up to 128 bits: its low and its high slot.
pub type Pair = (Value, Value);

/// Why an instruction does not simply yield its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Snag {
    /// The operation has no result.
    Trouble(Trouble),
    /// A signed overflow, where those are looked for.
    Overflow,
    /// Control depends on an undefined value.
    Undefined(&'static str),
    /// Not an instruction on registers.
    NotLocal,
    /// It depends on a condition that is not decided.
    Fork,
    /// It cannot be done with unknown numbers.
    Unsupported(&'static str),
}

impl From<Trouble> for Snag {
    fn from(trouble: Trouble) -> Snag {
        Snag::Trouble(trouble)
    }
}

/// Operations on values of which some carry a symbol. Widths are in bits; the
/// number behind a symbol has the width of the value that carries it. Pointers
/// have their offset in `bits` or behind the symbol.
pub trait Symbols {
    /// The result of an operation with two operands; division by zero and the
    /// like are [`Trouble`].
    fn binary(&mut self, op: BinOp, width: u8, a: Pair, b: Pair) -> Result<Pair, Snag>;
    /// The result of an operation with one operand.
    fn unary(&mut self, op: UnOp, width: u8, a: Pair) -> Result<Pair, Snag>;
    /// Whether an operation overflows, as a value of 1 bit.
    fn overflows(&mut self, op: ArithOp, signed: bool, width: u8, a: Pair, b: Pair) -> Result<Value, Snag>;
    /// A comparison, as a value of 1 bit.
    fn compare(&mut self, pred: Pred, width: u8, a: Pair, b: Pair) -> Result<Value, Snag>;
    /// A conversion.
    fn cast(&mut self, op: CastOp, from: u8, to: u8, a: Pair) -> Result<Pair, Snag>;
    /// One of two values.
    fn select(&mut self, width: u8, cond: Value, yes: Pair, no: Pair) -> Result<Pair, Snag>;
    /// Whether a defined value of 1 bit is 1.
    fn decide(&mut self, cond: Value) -> Result<bool, Snag>;
    /// The same value with its bits known.
    fn concretise(&mut self, value: Value) -> Result<Value, Snag>;
    /// `len` bytes of an integer from byte `from` on.
    fn slice(&mut self, value: Value, from: u64, len: u64) -> Value;
    /// Two integers side by side, of these many bytes.
    fn join(&mut self, low: (Value, u64), high: (Value, u64)) -> Value;
    /// An integer cut off or extended with zeros.
    fn resize(&mut self, value: Value, from: u8, to: u8) -> Value;
    /// The offsets up to `last` that a value may be, if not more than `most`;
    /// those between two of them it never is.
    fn offsets(&mut self, value: Value, last: u64, most: usize) -> Option<Vec<u64>>;
    /// Of integers of this width, the one that belongs to the value; the last
    /// one if the value is none of the others.
    fn choose(&mut self, width: u8, value: Value, cases: &[(u64, Value)]) -> Value;
    /// An input of the program; `None` if it is the step's choice.
    fn input(&mut self, thread: ThreadId, width: u8, domain: &Domain) -> Option<Pair>;

    // Objects of unknown size (`memory/open.rs`). Their contents are arrays, which
    // only symbols stand for; an index has any width.

    /// Whether allocating an unknown number of bytes makes an object of unknown size.
    #[inline(always)]
    fn opens_objects(&self) -> bool {
        false
    }
    /// An object of this unknown size in bytes is made; the number has this width.
    fn makes_object(&mut self, _size: Value, _width: u8) {
        unreachable!("no symbols")
    }
    /// The concrete machine takes the step in the same way if this value of 1 bit is 1;
    /// otherwise it may need a step more.
    fn replays_if(&mut self, _condition: Value) {
        unreachable!("no symbols")
    }
    /// A number that is at most this, in simpler terms if that makes it simpler.
    fn bounded(&mut self, _value: Value, _width: u8, _most: u64) -> Value {
        unreachable!("no symbols")
    }
    /// A number without so many of its lowest bits, and that much narrower, if these
    /// are certainly zero.
    fn shifted(&mut self, _value: Value, _width: u8, _bits: u8) -> Option<Value> {
        unreachable!("no symbols")
    }
    /// A number with so many zero bits below it, and that much wider.
    fn scaled(&mut self, _value: Value, _width: u8, _bits: u8) -> Value {
        unreachable!("no symbols")
    }
    /// The width of the number that a number is an extension of, and whether it is
    /// extended with the sign; its own width if it is none.
    fn extended_from(&mut self, _value: Value, _width: u8) -> (u8, bool) {
        unreachable!("no symbols")
    }
    /// An array of elements of this width that may be anything.
    fn unknown_array(&mut self, _width: u8) -> Sym {
        unreachable!("no symbols")
    }
    /// An array of zeros of this width.
    fn zeros(&mut self, _width: u8) -> Sym {
        unreachable!("no symbols")
    }
    /// The element of an array at an index of this width.
    fn element(&mut self, _array: Sym, _index: (Value, u8)) -> Value {
        unreachable!("no symbols")
    }
    /// The array with another element at an index of this width.
    fn with_element(&mut self, _array: Sym, _index: (Value, u8), _element: Value) -> Sym {
        unreachable!("no symbols")
    }
}

/// The concrete machine: no value carries a symbol.
pub(crate) struct Concrete;

impl Symbols for Concrete {
    fn binary(&mut self, _: BinOp, _: u8, _: Pair, _: Pair) -> Result<Pair, Snag> {
        unreachable!("no symbols")
    }
    fn unary(&mut self, _: UnOp, _: u8, _: Pair) -> Result<Pair, Snag> {
        unreachable!("no symbols")
    }
    fn overflows(&mut self, _: ArithOp, _: bool, _: u8, _: Pair, _: Pair) -> Result<Value, Snag> {
        unreachable!("no symbols")
    }
    fn compare(&mut self, _: Pred, _: u8, _: Pair, _: Pair) -> Result<Value, Snag> {
        unreachable!("no symbols")
    }
    fn cast(&mut self, _: CastOp, _: u8, _: u8, _: Pair) -> Result<Pair, Snag> {
        unreachable!("no symbols")
    }
    fn select(&mut self, _: u8, _: Value, _: Pair, _: Pair) -> Result<Pair, Snag> {
        unreachable!("no symbols")
    }
    fn decide(&mut self, _: Value) -> Result<bool, Snag> {
        unreachable!("no symbols")
    }
    fn concretise(&mut self, value: Value) -> Result<Value, Snag> {
        Ok(value)
    }
    fn slice(&mut self, _: Value, _: u64, _: u64) -> Value {
        unreachable!("no symbols")
    }
    fn join(&mut self, _: (Value, u64), _: (Value, u64)) -> Value {
        unreachable!("no symbols")
    }
    fn resize(&mut self, value: Value, _: u8, _: u8) -> Value {
        value
    }
    fn offsets(&mut self, _: Value, _: u64, _: usize) -> Option<Vec<u64>> {
        unreachable!("no symbols")
    }
    fn choose(&mut self, _: u8, _: Value, _: &[(u64, Value)]) -> Value {
        unreachable!("no symbols")
    }
    fn input(&mut self, _: ThreadId, _: u8, _: &Domain) -> Option<Pair> {
        None
    }
}
