//! What a register or a piece of memory may hold: pointers into abstract
//! objects, and a number.
//!
//! A value of the machine carries the object that it points into, through
//! integer variables, casts, copies and arithmetic ([`ir`]'s conventions). So
//! does an abstract value: [`Val::ptrs`] has every object that it may point
//! into, with the offsets that it may have there. [`Val::num`] is what it may
//! be if it points into no object. A number can still lead to an object: one
//! whose address was asked for as a number. Those objects are kept in a set of
//! their own ([`crate::memory`]), and code that follows a number may get there.

use smallvec::SmallVec;

/// Index of an abstract object.
pub type ObjIx = u32;

/// Where in its object a pointer may point: at `first + k * stride` for some
/// integer `k`; at `first` alone if the stride is 0.
///
/// Offsets of the machine wrap at the width of a pointer, and a stride that is
/// no power of two does not survive that. So such a stride is kept only while
/// the offset is known to be small: where pointers have 64 bits, an index of at
/// most 48 bits times the stride; and a few constants (`hops` of them) added to
/// it. What goes on and on, as in a loop that moves a pointer, keeps the power
/// of two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Off {
    /// One of the offsets; the least that is not negative if there are several.
    pub first: i64,
    /// The distance between two of them.
    pub stride: u64,
    hops: u8,
}

/// So many constants may be added to an offset that is not exactly known.
const MAX_HOPS: u8 = 6;
/// Constants below this are small: a few of them do not wrap.
const SMALL: u64 = 1 << 24;

impl Off {
    /// Exactly this offset.
    pub fn exact(first: i64) -> Off {
        Off { first, stride: 0, hops: 0 }
    }

    /// Any offset.
    pub const ANY: Off = Off { first: 0, stride: 1, hops: 0 };

    /// The one offset that it may be.
    pub fn known(self) -> Option<i64> {
        (self.stride == 0).then_some(self.first)
    }

    fn strided(first: i64, stride: u64, hops: u8) -> Off {
        match stride {
            0 => Off { first, stride: 0, hops },
            _ if stride >= SMALL => Off::ANY,
            _ => Off { first: first.rem_euclid(stride as i64), stride, hops },
        }
    }

    /// What remains true of the offset however it wraps.
    fn wrapped(self) -> Off {
        let power = if self.stride == 0 { 0 } else { 1 << self.stride.trailing_zeros() };
        Off::strided(self.first, power, MAX_HOPS)
    }

    /// The offset moved by a constant.
    pub fn plus(self, by: i64) -> Off {
        let first = self.first.wrapping_add(by);
        if self.stride == 0 {
            return Off { first, ..self };
        }
        if self.hops >= MAX_HOPS || by.unsigned_abs() >= SMALL {
            return Off { first, ..self }.wrapped();
        }
        Off::strided(first, self.stride, self.hops + 1)
    }

    /// The offset moved by a number times a scale.
    pub fn plus_scaled(self, num: Num, scale: i64, offset: i64, width: u8) -> Off {
        match num {
            Num::None => Off::ANY,
            Num::Exact(n) => {
                self.plus(domains::fold::signed(n, width).wrapping_mul(scale).wrapping_add(offset))
            }
            Num::Small(_) | Num::Any => {
                let small =
                    num != Num::Any && width >= 64 && scale.unsigned_abs() < 1 << 14 && self.is_small();
                let stride = gcd(self.stride, scale.unsigned_abs());
                let moved = Off::strided(self.first.wrapping_add(offset), stride, self.hops);
                if small { moved } else { moved.wrapped() }
            }
        }
    }

    /// The same offset as a number of the pointer's width.
    pub fn of_width(self, width: u8) -> Off {
        if self.stride == 0 {
            Off { first: domains::fold::signed(self.first as u64, width), ..self }
        } else {
            self
        }
    }

    fn is_small(self) -> bool {
        self.first.unsigned_abs() < SMALL && self.hops < MAX_HOPS
    }

    /// An offset that is one of the two.
    pub fn join(self, other: Off) -> Off {
        if self.first == other.first && self.stride == other.stride {
            return Off { hops: self.hops.max(other.hops), ..self };
        }
        let distance = self.first.wrapping_sub(other.first).unsigned_abs();
        let stride = gcd(gcd(self.stride, other.stride), distance);
        let joined = Off::strided(self.first, stride, self.hops.max(other.hops));
        if self.is_small() && other.is_small() { joined } else { joined.wrapped() }
    }

    /// How accesses of so many bytes at these offsets can meet.
    pub fn meets(self, len: u64, other: Off, other_len: u64) -> Meets {
        let period = gcd(self.stride, other.stride);
        let distance = self.first.wrapping_sub(other.first);
        let (ahead, behind) = match period {
            0 if distance >= 0 => (distance as u64, u64::MAX),
            0 => (u64::MAX, distance.unsigned_abs()),
            _ => {
                let ahead = distance.rem_euclid(period as i64) as u64;
                (ahead, if ahead == 0 { 0 } else { period - ahead })
            }
        };
        if ahead >= other_len && behind >= len {
            Meets::Never
        } else if distance_is_zero(ahead, behind) && len == other_len && (period == 0 || period >= len) {
            Meets::Same
        } else {
            Meets::Partly
        }
    }
}

fn distance_is_zero(ahead: u64, behind: u64) -> bool {
    ahead == 0 || behind == 0
}

/// How two accesses to one object can meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meets {
    /// They have no byte in common.
    Never,
    /// If they have a byte in common, they have all.
    Same,
    /// They may have some bytes in common.
    Partly,
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A pointer: an object, and where in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ptr {
    /// The object.
    pub obj: ObjIx,
    /// Whether it points to an instance of the object that this thread made and
    /// that no pointer in memory, and no other thread, leads to yet.
    pub fresh: bool,
    /// Its offset in the object.
    pub off: Off,
}

/// The number that a value may be if it points into no object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Num {
    /// It is no number.
    #[default]
    None,
    /// This number, zero-extended.
    Exact(u64),
    /// A number that has at most so many bits when read as signed.
    Small(u8),
    /// Any number.
    Any,
}

/// The sizes of small numbers: those of an `int`, and sums of a few.
const INT: u8 = 33;
const SUM: u8 = 48;

/// No object has a numeric address below this.
const FIRST_ADDRESS: u64 = 1 << 20;

impl Num {
    /// What an integer of this width is once it is extended.
    pub fn extended(from: u8) -> Num {
        if from <= 32 { Num::Small(INT) } else { Num::Any }
    }

    fn is_small(n: u64) -> bool {
        n < 1 << 31
    }

    /// A number that is one of the two.
    pub fn join(self, other: Num) -> Num {
        match (self, other) {
            (a, b) if a == b => a,
            (Num::None, a) | (a, Num::None) => a,
            (Num::Any, _) | (_, Num::Any) => Num::Any,
            (Num::Small(a), Num::Small(b)) => Num::Small(a.max(b)),
            (Num::Small(a), Num::Exact(n)) | (Num::Exact(n), Num::Small(a)) if Num::is_small(n) => {
                Num::Small(a)
            }
            (Num::Exact(a), Num::Exact(b)) if Num::is_small(a) && Num::is_small(b) => Num::Small(INT),
            _ => Num::Any,
        }
    }

    /// The sum or difference of small numbers.
    pub fn sum(self, other: Num) -> Num {
        let small =
            |num: Num| matches!(num, Num::Small(INT)) || matches!(num, Num::Exact(n) if Num::is_small(n));
        if small(self) && small(other) { Num::Small(SUM) } else { Num::Any }
    }

    /// Whether it may be the address of an object.
    pub fn may_be_address(self) -> bool {
        match self {
            Num::None => false,
            Num::Exact(n) => n >= FIRST_ADDRESS,
            Num::Small(_) | Num::Any => true,
        }
    }
}

/// Of one object, so many different offsets are told apart.
const OFFSETS: usize = 8;

/// What a register or a piece of memory may hold.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Val {
    /// The pointers that it may be, ascending.
    pub ptrs: SmallVec<[Ptr; 1]>,
    /// The number that it may be.
    pub num: Num,
    /// Whether it may never have been initialised.
    pub undef: bool,
}

impl Val {
    /// Anything but a pointer.
    pub fn any() -> Val {
        Val { num: Num::Any, ..Val::default() }
    }

    /// A number.
    pub fn exact(n: u64) -> Val {
        Val { num: Num::Exact(n), ..Val::default() }
    }

    /// A number that is not known.
    pub fn number(num: Num) -> Val {
        Val { num, ..Val::default() }
    }

    /// What was never initialised.
    pub fn undef() -> Val {
        Val { undef: true, ..Val::default() }
    }

    /// A pointer.
    pub fn pointer(obj: ObjIx, off: Off) -> Val {
        Val { ptrs: smallvec::smallvec![Ptr { obj, fresh: false, off }], ..Val::default() }
    }

    /// Whether nothing is known to get here.
    pub fn is_none(&self) -> bool {
        self.ptrs.is_empty() && self.num == Num::None && !self.undef
    }

    /// The number that it is, if it is one number and nothing else.
    pub fn known(&self) -> Option<u64> {
        match self.num {
            Num::Exact(n) if self.ptrs.is_empty() && !self.undef => Some(n),
            _ => None,
        }
    }

    /// The same where what was not initialised has been chosen.
    pub fn determined(&self) -> Val {
        let num = if self.undef { Num::Any } else { self.num };
        Val { ptrs: self.ptrs.clone(), num, undef: false }
    }

    /// Adds what another value may be; whether that is anything new.
    pub fn join(&mut self, other: &Val) -> bool {
        if self == other {
            return false;
        }
        let before = (self.num, self.undef);
        self.num = self.num.join(other.num);
        self.undef |= other.undef;
        let mut changed = before != (self.num, self.undef);
        for ptr in &other.ptrs {
            changed |= self.add(*ptr);
        }
        changed
    }

    /// Adds a pointer.
    pub fn add(&mut self, ptr: Ptr) -> bool {
        let key = |p: &Ptr| (p.obj, p.fresh);
        let first = self.ptrs.partition_point(|p| key(p) < key(&ptr));
        let last = first + self.ptrs[first..].iter().take_while(|p| key(p) == key(&ptr)).count();
        let same = &self.ptrs[first..last];
        if let Some(at) =
            same.iter().position(|p| p.off.first == ptr.off.first && p.off.stride == ptr.off.stride)
        {
            let known = &mut self.ptrs[first + at];
            let joined = known.off.join(ptr.off);
            return std::mem::replace(&mut known.off, joined) != joined;
        }
        if same.iter().any(|p| p.off.join(ptr.off) == p.off) {
            return false;
        }
        if same.len() >= OFFSETS {
            let off = same.iter().fold(ptr.off, |off, p| off.join(p.off));
            let changed = same.len() != 1 || same[0].off != off;
            self.ptrs.drain(first..last);
            self.ptrs.insert(first, Ptr { off, ..ptr });
            return changed;
        }
        let at = first + same.partition_point(|p| p.off < ptr.off);
        self.ptrs.insert(at, ptr);
        true
    }

    /// The same with pointers changed.
    pub fn map(&self, f: impl Fn(Ptr) -> Ptr) -> Val {
        let mut mapped = Val { ptrs: SmallVec::new(), num: self.num, undef: self.undef };
        self.ptrs.iter().for_each(|ptr| {
            mapped.add(f(*ptr));
        });
        mapped
    }

    /// The same as it is once others can find it.
    pub fn published(&self) -> Val {
        if self.ptrs.iter().any(|ptr| ptr.fresh) {
            self.map(|ptr| Ptr { fresh: false, ..ptr })
        } else {
            self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_meet_where_their_strides_let_them() {
        let field = |first| Off::exact(0).plus_scaled(Num::Small(33), 12, first, 64);
        assert_eq!(field(0).meets(4, field(4), 4), Meets::Never);
        assert_eq!(field(4).meets(4, field(4), 4), Meets::Same);
        assert_eq!(field(0).meets(8, field(4), 4), Meets::Partly);
        assert_eq!(Off::exact(8).meets(4, field(8), 4), Meets::Same);
        assert_eq!(Off::exact(8).meets(4, Off::exact(4), 8), Meets::Partly);
        assert_eq!(Off::exact(12).meets(4, Off::exact(4), 8), Meets::Never);
        assert_eq!(Off::ANY.meets(4, Off::exact(4), 4), Meets::Partly);
    }

    #[test]
    fn a_pointer_that_goes_on_keeps_only_powers_of_two() {
        let mut off = Off::exact(0);
        for _ in 0..20 {
            off = off.join(off.plus(12));
        }
        assert_eq!((off.stride, off.first), (4, 0));
        let unknown = Off::exact(0).plus_scaled(Num::Any, 12, 0, 64);
        assert_eq!(unknown.stride, 4);
    }

    #[test]
    fn joining_ends() {
        let mut val = Val::default();
        for offset in 0..100 {
            val.add(Ptr { obj: 3, fresh: false, off: Off::exact(offset * 8) });
        }
        assert_eq!(val.ptrs.len(), 1);
        assert_eq!(val.ptrs[0].off.stride, 8);
    }
}
