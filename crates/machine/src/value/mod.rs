//! Values of registers: bits, which of them are undefined, and the object that
//! a pointer points into.
//!
//! An integer made from a pointer keeps its object, so casts, tags in the low
//! bits and byte-wise copies of whole words work without addresses. Only an
//! operation that really needs a number asks for one
//! ([`Trouble::NeedsAddress`]); the memory then *pins* the object.

pub(crate) mod arith;
pub(crate) mod float;

use bits::NoResult;
use ir::{BinOp, Pred};
use serde::{Deserialize, Serialize};

use crate::symbolic::symbols::Sym;
use crate::telling::fault::ThreadId;
use crate::value::arith::{Trouble, narrow, wide};

/// An object, by slot and generation: a slot is used again after its object
/// ended, a dangling pointer still names the old generation. Functions and
/// constant globals have numbers of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ObjectId(pub(crate) u32);

/// Objects are aligned to this, whatever their address: the bits below may be
/// used as tags without pinning.
pub(crate) const ALIGNMENT: u64 = 16;

const SPACE_SHIFT: u32 = 30;
const SLOT_BITS: u32 = 20;
const GENERATION_BITS: u32 = SPACE_SHIFT - SLOT_BITS;

/// What an [`ObjectId`] names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    /// Nothing: the value is an integer.
    Nothing,
    /// An object in memory.
    Slot { slot: usize, generation: u16 },
    /// A function.
    Function(ir::FuncId),
    /// A constant global, which no state needs to hold.
    Constant(ir::GlobalId),
    /// A thread: the value is its handle, where handles are told from numbers.
    Thread(ThreadId),
}

impl ObjectId {
    /// No object: the value is an integer.
    pub const NONE: ObjectId = ObjectId(0);
    pub(crate) const MAX_SLOT: usize = (1 << SLOT_BITS) - 1;
    pub(crate) const MAX_GENERATION: u16 = (1 << GENERATION_BITS) - 1;

    /// The slot of an object in memory; `None` for what no step can change.
    pub fn slot_index(self) -> Option<usize> {
        match self.named() {
            Named::Slot { slot, .. } => Some(slot),
            _ => None,
        }
    }

    pub(crate) fn slot(slot: usize, generation: u16) -> ObjectId {
        ObjectId(u32::from(generation) << SLOT_BITS | slot as u32)
    }

    pub(crate) fn function(id: ir::FuncId) -> ObjectId {
        ObjectId(1 << SPACE_SHIFT | id.0)
    }

    pub(crate) fn constant(id: ir::GlobalId) -> ObjectId {
        ObjectId(2 << SPACE_SHIFT | id.0)
    }

    pub(crate) fn thread(id: ThreadId) -> ObjectId {
        ObjectId(3 << SPACE_SHIFT | id.0)
    }

    /// The thread whose handle it is.
    #[inline]
    pub(crate) fn as_thread(self) -> Option<ThreadId> {
        if let Named::Thread(thread) = self.named() { Some(thread) } else { None }
    }

    #[inline]
    pub(crate) fn named(self) -> Named {
        let low = self.0 & ((1 << SPACE_SHIFT) - 1);
        match self.0 >> SPACE_SHIFT {
            0 if self.0 == 0 => Named::Nothing,
            0 => Named::Slot {
                slot: (low & ((1 << SLOT_BITS) - 1)) as usize,
                generation: (low >> SLOT_BITS) as u16,
            },
            1 => Named::Function(ir::FuncId(low)),
            2 => Named::Constant(ir::GlobalId(low)),
            _ => Named::Thread(ThreadId(low)),
        }
    }
}

/// A value of up to 64 bits. With an object, `bits` is the offset into it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Value {
    /// The bits, zero above the width; the offset, for a pointer.
    pub bits: u64,
    /// The bits that are undefined.
    pub undef: u64,
    /// The object pointed into; [`ObjectId::NONE`] for an integer.
    pub object: ObjectId,
    /// What stands for the bits if they are not known (and then 0).
    pub sym: Sym,
}

/// A value of up to 128 bits in two slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wide {
    pub bits: u128,
    pub undef: u128,
}

impl Value {
    /// All bits undefined.
    pub const UNDEF: Value = Value { bits: 0, undef: u64::MAX, object: ObjectId::NONE, sym: Sym::NONE };

    /// An integer.
    #[inline]
    pub fn int(bits: u64) -> Value {
        Value { bits, undef: 0, object: ObjectId::NONE, sym: Sym::NONE }
    }

    /// A pointer.
    #[inline]
    pub fn pointer(object: ObjectId, offset: u64) -> Value {
        Value { bits: offset, undef: 0, object, sym: Sym::NONE }
    }

    /// Whether every bit is defined and known, and it is no pointer.
    #[inline]
    pub fn is_plain(self) -> bool {
        self.undef == 0 && self.object.0 | self.sym.0 == 0
    }

    /// Whether its bits (of a pointer, its offset) are not known.
    #[inline]
    pub fn is_symbolic(self) -> bool {
        self.sym != Sym::NONE
    }

    /// The offset of a pointer, as an integer.
    pub fn without_object(self) -> Value {
        Value { object: ObjectId::NONE, ..self }
    }

    /// Whether it points into an object.
    #[inline]
    pub fn is_pointer(self) -> bool {
        self.object != ObjectId::NONE
    }
}

/// An operation with two operands of one slot. Nearly all operands are plain
/// numbers: inlined, their result never goes through memory.
#[inline(always)]
pub(crate) fn binary(op: BinOp, width: u8, a: Value, b: Value) -> Result<Value, Trouble> {
    match a.is_plain() && b.is_plain() {
        true => Ok(Value::int(narrow::binary(op, width, a.bits, b.bits)?)),
        false => binary_not_plain(op, width, a, b),
    }
}

#[inline(never)]
fn binary_not_plain(op: BinOp, width: u8, a: Value, b: Value) -> Result<Value, Trouble> {
    if a.is_symbolic() || b.is_symbolic() {
        return Err(Trouble::Symbolic);
    }
    if a.undef | b.undef != 0 {
        return binary_undef(op, width, a, b);
    }
    binary_pointer(op, width, a, b)
}

fn is_division(op: BinOp) -> bool {
    matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem)
}

/// Whether an operation is in trouble whatever its first operand is.
fn is_certain(why: NoResult, second_is_defined: bool) -> bool {
    second_is_defined && why != NoResult::DivisionOverflow
}

fn binary_undef(op: BinOp, width: u8, a: Value, b: Value) -> Result<Value, Trouble> {
    if b.undef != 0 && is_division(op) {
        return Err(Trouble::UndefinedDivisor);
    }
    if a.is_pointer() || b.is_pointer() {
        return Ok(Value { undef: narrow::mask(width), ..Value::default() });
    }
    let undef = narrow::undefined(op, width, (a.bits, a.undef), (b.bits, b.undef));
    // The defined bits do not depend on what the undefined ones are taken for.
    let bits = match narrow::binary(op, width, a.bits & !a.undef, b.bits & !b.undef) {
        Err(why) if !is_certain(why, b.undef == 0) => 0,
        result => result?,
    };
    Ok(Value { undef, ..Value::int(bits & !undef) })
}

fn binary_pointer(op: BinOp, width: u8, a: Value, b: Value) -> Result<Value, Trouble> {
    let tag = |v: Value| !v.is_pointer() && v.bits < ALIGNMENT;
    let keeps_upper = |v: Value| !v.is_pointer() && (v.bits | (ALIGNMENT - 1)) == narrow::mask(width);
    let same = |object, bits| Ok(Value::pointer(object, bits & narrow::mask(width)));
    match op {
        // What is computed from a thread's handle depends on its number.
        _ if a.object.as_thread().or(b.object.as_thread()).is_some() => Err(Trouble::NeedsAddress),
        BinOp::Add if !b.is_pointer() => same(a.object, a.bits.wrapping_add(b.bits)),
        BinOp::Add if !a.is_pointer() => same(b.object, a.bits.wrapping_add(b.bits)),
        BinOp::Sub if !b.is_pointer() => same(a.object, a.bits.wrapping_sub(b.bits)),
        BinOp::Sub if a.object == b.object => {
            Ok(Value::int(a.bits.wrapping_sub(b.bits) & narrow::mask(width)))
        }
        BinOp::And if tag(b) => Ok(Value::int(a.bits & b.bits)),
        BinOp::And if tag(a) => Ok(Value::int(a.bits & b.bits)),
        BinOp::And if keeps_upper(b) => same(a.object, a.bits & b.bits),
        BinOp::And if keeps_upper(a) => same(b.object, a.bits & b.bits),
        BinOp::Or if tag(b) => same(a.object, a.bits | b.bits),
        BinOp::Or if tag(a) => same(b.object, a.bits | b.bits),
        BinOp::Xor if tag(b) => same(a.object, a.bits ^ b.bits),
        BinOp::Xor if tag(a) => same(b.object, a.bits ^ b.bits),
        _ => Err(Trouble::NeedsAddress),
    }
}

/// The result of an operation on a pointer into an object whose address is a
/// multiple of `align`, as far as that decides it.
pub(crate) fn aligned(op: BinOp, width: u8, pointer: Value, other: Value, align: u64) -> Option<Value> {
    let known = |value: Value| value.undef == 0 && !value.is_symbolic();
    let handle = pointer.object.as_thread().is_some();
    if !known(pointer) || !known(other) || !pointer.is_pointer() || other.is_pointer() || handle {
        return None;
    }
    let (offset, low, other) = (pointer.bits, align - 1, other.bits);
    match op {
        BinOp::And if other <= low => Some(Value::int(offset & other)),
        BinOp::And if other | low == narrow::mask(width) => {
            Some(Value::pointer(pointer.object, offset & other))
        }
        BinOp::Or if other <= low => Some(Value::pointer(pointer.object, offset | other)),
        BinOp::Xor if other <= low => Some(Value::pointer(pointer.object, offset ^ other)),
        BinOp::URem if other.is_power_of_two() && other <= align => Some(Value::int(offset & (other - 1))),
        _ => None,
    }
}

/// A comparison of values of one slot; the result is undefined if it depends
/// on undefined bits.
#[inline(always)]
pub(crate) fn compare(pred: Pred, width: u8, a: Value, b: Value) -> Result<Value, Trouble> {
    match a.is_plain() && b.is_plain() {
        true => Ok(Value::int(u64::from(narrow::compare(pred, width, a.bits, b.bits)))),
        false => compare_not_plain(pred, width, a, b),
    }
}

#[inline(never)]
fn compare_not_plain(pred: Pred, width: u8, a: Value, b: Value) -> Result<Value, Trouble> {
    if a.is_symbolic() || b.is_symbolic() {
        return Err(Trouble::Symbolic);
    }
    if a.undef | b.undef != 0 {
        return Ok(compare_undef(pred, a, b));
    }
    let decided = |result: bool| Ok(Value::int(u64::from(result)));
    match pred {
        _ if a.object == b.object => decided(narrow::compare(pred, width, a.bits, b.bits)),
        // Different objects, or an object and null, are never equal.
        Pred::Eq | Pred::Ne if (a.is_pointer() || a.bits == 0) && (b.is_pointer() || b.bits == 0) => {
            decided(pred == Pred::Ne)
        }
        _ => Err(Trouble::NeedsAddress),
    }
}

fn compare_undef(pred: Pred, a: Value, b: Value) -> Value {
    let known = !(a.undef | b.undef);
    let differ = !a.is_pointer() && !b.is_pointer() && (a.bits ^ b.bits) & known != 0;
    match pred {
        Pred::Eq if differ => Value::int(0),
        Pred::Ne if differ => Value::int(1),
        _ => Value { undef: 1, ..Value::default() },
    }
}

impl Wide {
    pub fn from_halves(low: Value, high: Value) -> Result<Wide, Trouble> {
        if low.is_symbolic() || high.is_symbolic() {
            return Err(Trouble::Symbolic);
        }
        if low.is_pointer() || high.is_pointer() {
            return Err(Trouble::NeedsAddress);
        }
        Ok(Wide {
            bits: u128::from(high.bits) << 64 | u128::from(low.bits),
            undef: u128::from(high.undef) << 64 | u128::from(low.undef),
        })
    }

    pub fn halves(self) -> (Value, Value) {
        let half = |bits: u128, undef: u128| Value { undef: undef as u64, ..Value::int(bits as u64) };
        (half(self.bits, self.undef), half(self.bits >> 64, self.undef >> 64))
    }

    pub fn binary(op: BinOp, width: u8, a: Wide, b: Wide) -> Result<Wide, Trouble> {
        if b.undef != 0 && is_division(op) {
            return Err(Trouble::UndefinedDivisor);
        }
        let undef = wide::undefined(op, width, (a.bits, a.undef), (b.bits, b.undef));
        let bits = match wide::binary(op, width, a.bits & !a.undef, b.bits & !b.undef) {
            Err(why) if undef != 0 && !is_certain(why, b.undef == 0) => 0,
            result => result?,
        };
        Ok(Wide { bits: bits & !undef, undef })
    }
}
