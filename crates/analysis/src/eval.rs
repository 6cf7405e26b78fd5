//! Arithmetic on abstract values.
//!
//! It follows `machine::value`: additions, and masks of the bits below the
//! alignment of every object, keep the object that a pointer points into. All
//! else asks for the pointer's address as a number, which pins the object
//! ([`crate::memory`]), and yields a number.

use domains::fold;
use ir::{BinOp, CastOp, Pred};

use crate::value::{Num, Off, Ptr, Val};

/// Every object is aligned to this.
const ALIGNMENT: u64 = 16;

/// A result, and the pointers whose addresses were asked for.
pub struct Computed {
    /// The result.
    pub val: Val,
    /// What is pinned.
    pub pins: Val,
}

impl Computed {
    fn pure(val: Val) -> Computed {
        Computed { val, pins: Val::default() }
    }
}

/// Anything, computed from these values as numbers.
pub fn numeric(vals: &[&Val]) -> Computed {
    let mut pins = Val::default();
    vals.iter().for_each(|val| {
        pins.join(&Val { num: Num::None, undef: false, ..(*val).clone() });
    });
    let none = vals.iter().any(|val| val.is_none());
    Computed { val: if none { Val::default() } else { Val::any() }, pins }
}

/// An operation with two operands.
pub fn binary(op: BinOp, width: u8, a: &Val, b: &Val) -> Computed {
    let (a, b) = (&a.determined(), &b.determined());
    if a.ptrs.is_empty() && b.ptrs.is_empty() {
        return Computed::pure(Val::number(number(op, width, a.num, b.num)));
    }
    match op {
        BinOp::Add if b.ptrs.is_empty() => moved(a, b, width, 1),
        BinOp::Add if a.ptrs.is_empty() => moved(b, a, width, 1),
        BinOp::Sub if b.ptrs.is_empty() => moved(a, b, width, -1),
        BinOp::And | BinOp::Or | BinOp::Xor if b.ptrs.is_empty() => masked(op, width, a, b.num),
        BinOp::And | BinOp::Or | BinOp::Xor if a.ptrs.is_empty() => masked(op, width, b, a.num),
        _ => numeric(&[a, b]),
    }
}

fn number(op: BinOp, width: u8, a: Num, b: Num) -> Num {
    match (a, b) {
        (Num::None, _) | (_, Num::None) => Num::None,
        (Num::Exact(a), Num::Exact(b)) => fold::binary(op, width, a, b).map_or(Num::Any, Num::Exact),
        _ if matches!(op, BinOp::Add | BinOp::Sub) && width >= 64 => a.sum(b),
        (_, Num::Exact(mask)) | (Num::Exact(mask), _) if op == BinOp::And && mask < 1 << 31 => Num::Small(33),
        _ => Num::Any,
    }
}

/// A value that may be a pointer, moved by a number.
fn moved(a: &Val, by: &Val, width: u8, sign: i64) -> Computed {
    let num = number(if sign > 0 { BinOp::Add } else { BinOp::Sub }, width, a.num, by.num);
    if by.num == Num::None {
        return Computed::pure(Val::default());
    }
    let plus = |off: Off| off.plus_scaled(by.num, sign, 0, width).of_width(width);
    let val = a.map(|ptr| Ptr { off: plus(ptr.off), ..ptr });
    Computed::pure(Val { num, ..val })
}

fn masked(op: BinOp, width: u8, a: &Val, mask: Num) -> Computed {
    let Num::Exact(mask) = mask else { return numeric(&[a, &Val::number(mask)]) };
    let num = number(op, width, a.num, Num::Exact(mask));
    let keeps_upper = mask | (ALIGNMENT - 1) == fold::mask(width);
    match op {
        BinOp::And if mask < ALIGNMENT => Computed::pure(Val::number(Num::Any)),
        BinOp::And if keeps_upper => {
            let kept = |off: Off| off.known().map_or(Off::ANY, |at| Off::exact(at & mask as i64));
            // The handle of a thread is a number, of which this makes another.
            Computed::pure(Val { num: Num::Any, ..a.map(|ptr| Ptr { off: kept(ptr.off), ..ptr }) })
        }
        BinOp::Or | BinOp::Xor if mask < ALIGNMENT => {
            let tag = |at: i64| if op == BinOp::Or { at | mask as i64 } else { at ^ mask as i64 };
            let tagged = |off: Off| off.known().map_or(Off::ANY, |at| Off::exact(tag(at)));
            Computed::pure(Val { num, ..a.map(|ptr| Ptr { off: tagged(ptr.off), ..ptr }) })
        }
        _ => numeric(&[a]),
    }
}

/// `base + index * scale + offset`.
pub fn pointer_add(base: &Val, index: &Val, scale: i64, offset: i64, width: u8) -> Computed {
    let (base, index) = (base.determined(), index.determined());
    if !index.ptrs.is_empty() {
        return numeric(&[&base, &index]);
    }
    if base.is_none() || index.is_none() {
        return Computed::pure(Val::default());
    }
    let plus = |off: Off| off.plus_scaled(index.num, scale, offset, width).of_width(width);
    let val = base.map(|ptr| Ptr { off: plus(ptr.off), ..ptr });
    let num = match (base.num, index.num) {
        (Num::None, _) => Num::None,
        (Num::Exact(base), Num::Exact(index)) => {
            let moved = index.wrapping_mul(scale as u64).wrapping_add(offset as u64);
            Num::Exact(base.wrapping_add(moved) & fold::mask(width))
        }
        _ => Num::Any,
    };
    Computed::pure(Val { num, ..val })
}

/// A conversion.
pub fn cast(op: CastOp, from: u8, to: u8, a: &Val) -> Computed {
    let integer = matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt);
    let whole = integer && from == to;
    if !a.ptrs.is_empty() && !whole {
        let computed = numeric(&[a]);
        // A thread's handle may be a plain number, which survives.
        let num = if integer { Num::Any } else { computed.val.num };
        return Computed { val: Val { num, ..computed.val }, ..computed };
    }
    let num = match a.num {
        Num::None => Num::None,
        Num::Exact(n) => fold::cast(op, from, to, n).map_or(Num::Any, Num::Exact),
        Num::Small(bits) if op == CastOp::SExt && from >= bits => Num::Small(bits),
        _ if integer && to >= 64 => Num::extended(from),
        _ => Num::Any,
    };
    let undef = a.undef && (integer || num == Num::None);
    Computed::pure(Val { ptrs: a.ptrs.clone(), num, undef })
}

/// A comparison.
pub fn compare(pred: Pred, width: u8, a: &Val, b: &Val) -> Computed {
    let (a, b) = (&a.determined(), &b.determined());
    if let (Some(a), Some(b)) = (a.known(), b.known()) {
        return Computed::pure(Val::exact(u64::from(fold::compare(pred, width, a, b))));
    }
    if a.is_none() || b.is_none() {
        return Computed::pure(Val::default());
    }
    if !matches!(pred, Pred::Eq | Pred::Ne) {
        return if a.ptrs.is_empty() && b.ptrs.is_empty() {
            Computed::pure(Val::any())
        } else {
            numeric(&[a, b])
        };
    }
    let never = a.num == Num::None && b.known() == Some(0) || b.num == Num::None && a.known() == Some(0);
    let outcome = if never { Num::Exact(u64::from(pred == Pred::Ne)) } else { Num::Any };
    // A pointer and a number that is not null are compared as numbers.
    let mut pins = Val::default();
    for (pointer, number) in [(a, b), (b, a)] {
        if !matches!(number.num, Num::None | Num::Exact(0)) {
            pins.join(&Val { num: Num::None, ..pointer.clone() });
        }
    }
    Computed { val: Val::number(outcome), pins }
}
