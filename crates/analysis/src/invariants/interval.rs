//! Intervals of numbers, read as signed.

use bits::narrow;
use ir::{BinOp, CastOp, Pred};

/// The numbers from `lo` to `hi`, which a value may be when it is read as signed.
/// What is no number (a pointer, what was never initialised) is in the interval
/// of all numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The least.
    pub lo: i64,
    /// The greatest.
    pub hi: i64,
}

impl Interval {
    /// One number, given by its bits.
    pub fn exact(value: u64, width: u8) -> Interval {
        Interval::only(domains::fold::signed(value, width))
    }

    fn only(n: i64) -> Interval {
        Interval { lo: n, hi: n }
    }

    /// All numbers of a width; of more than 64 bits, nothing is known. Instructions
    /// say a width of 0 where it is that of a pointer.
    pub fn all(width: u8) -> Interval {
        let width = if width == 0 { 64 } else { width.min(64) };
        let half = 1i128 << (width - 1);
        Interval { lo: (-half) as i64, hi: (half - 1) as i64 }
    }

    /// These numbers, or all of the width if they do not fit.
    fn fitting(lo: i128, hi: i128, width: u8) -> Interval {
        let all = Interval::all(width);
        let fits = lo >= i128::from(all.lo) && hi <= i128::from(all.hi);
        if fits { Interval { lo: lo as i64, hi: hi as i64 } } else { all }
    }

    /// The only number.
    pub fn known(self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// The least interval with both.
    pub fn join(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// What is in both.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Interval { lo, hi })
    }

    /// The join with a bound that moves, moved on to the next of some
    /// thresholds, so that it moves finitely often.
    pub fn widen(self, other: Interval, width: u8, thresholds: &[i64]) -> Interval {
        let (joined, all) = (self.join(other), Interval::all(width));
        let below = thresholds.iter().rev().find(|n| **n <= joined.lo && **n >= all.lo);
        let above = thresholds.iter().find(|n| **n >= joined.hi && **n <= all.hi);
        let lo = if joined.lo < self.lo { below.map_or(all.lo, |n| *n) } else { self.lo };
        let hi = if joined.hi > self.hi { above.map_or(all.hi, |n| *n) } else { self.hi };
        Interval { lo, hi }
    }

    fn is_natural(self) -> bool {
        self.lo >= 0
    }
}

/// An operation with two operands.
pub fn binary(op: BinOp, width: u8, a: Interval, b: Interval) -> Interval {
    if width > 64 {
        return Interval::all(64);
    }
    if let (Some(a), Some(b)) = (a.known(), b.known()) {
        let bits = |n: i64| n as u64 & narrow::mask(width);
        let result = narrow::binary(op, width, bits(a), bits(b));
        return result.map_or(Interval::all(width), |n| Interval::exact(n, width));
    }
    let corners = |f: fn(i128, i128) -> i128| {
        let (a, b) = ([a.lo.into(), a.hi.into()], [b.lo.into(), b.hi.into()]);
        let all = a.iter().flat_map(|a| b.iter().map(|b| f(*a, *b)));
        let (lo, hi) = all.fold((i128::MAX, i128::MIN), |(lo, hi), n| (lo.min(n), hi.max(n)));
        Interval::fitting(lo, hi, width)
    };
    match op {
        BinOp::Add => corners(|a, b| a + b),
        BinOp::Sub => corners(|a, b| a - b),
        BinOp::Mul => corners(|a, b| a * b),
        BinOp::And if a.is_natural() && b.is_natural() => Interval { lo: 0, hi: a.hi.min(b.hi) },
        BinOp::And if a.is_natural() => Interval { lo: 0, hi: a.hi },
        BinOp::And if b.is_natural() => Interval { lo: 0, hi: b.hi },
        BinOp::Or | BinOp::Xor if a.is_natural() && b.is_natural() => {
            let bits = 64 - (a.hi | b.hi).leading_zeros();
            Interval { lo: 0, hi: ((1i128 << bits) - 1) as i64 }
        }
        BinOp::SRem | BinOp::URem if b.known().is_some_and(|n| n > 0) => remainder(op, width, a, b.lo),
        BinOp::SDiv | BinOp::UDiv if a.is_natural() && b.lo > 0 => {
            Interval { lo: a.lo / b.hi, hi: a.hi / b.lo }
        }
        BinOp::SMin => Interval { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) },
        BinOp::SMax => Interval { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) },
        _ => Interval::all(width),
    }
}

fn remainder(op: BinOp, width: u8, a: Interval, by: i64) -> Interval {
    match op {
        _ if a.is_natural() => Interval { lo: 0, hi: a.hi.min(by - 1) },
        BinOp::URem => Interval { lo: 0, hi: by - 1 },
        BinOp::SRem => Interval { lo: a.lo.max(1 - by), hi: a.hi.clamp(0, by - 1) },
        _ => Interval::all(width),
    }
}

/// A conversion.
pub fn cast(op: CastOp, from: u8, to: u8, a: Interval) -> Interval {
    if from > 64 || to > 64 {
        return Interval::all(to);
    }
    match op {
        CastOp::SExt => a,
        CastOp::ZExt if a.is_natural() || from == to => a,
        CastOp::ZExt => {
            let size = 1i128 << from;
            let moved = |n: i64| i128::from(n) + size;
            if a.hi < 0 {
                Interval::fitting(moved(a.lo), moved(a.hi), to)
            } else {
                Interval::fitting(0, size - 1, to)
            }
        }
        CastOp::Trunc => match a.known() {
            Some(n) => Interval::exact(n as u64 & narrow::mask(to), to),
            None => Interval::fitting(a.lo.into(), a.hi.into(), to),
        },
        _ => Interval::all(to),
    }
}

/// Whether a comparison holds, if that is known.
pub fn compare(pred: Pred, a: Interval, b: Interval) -> Option<bool> {
    let not = |known: Option<bool>| known.map(|holds| !holds);
    match pred {
        Pred::Eq if a.known().is_some() && a == b => Some(true),
        Pred::Eq if a.meet(b).is_none() => Some(false),
        Pred::Eq => None,
        Pred::Ne => not(compare(Pred::Eq, a, b)),
        Pred::Slt if a.hi < b.lo => Some(true),
        Pred::Slt if a.lo >= b.hi => Some(false),
        Pred::Slt => None,
        Pred::Sle => not(compare(Pred::Slt, b, a)),
        Pred::Sgt => compare(Pred::Slt, b, a),
        Pred::Sge => compare(Pred::Sle, b, a),
        Pred::Ult | Pred::Ule | Pred::Ugt | Pred::Uge => unsigned(pred, a, b),
    }
}

/// As unsigned numbers, negative ones are greater than all others.
fn unsigned(pred: Pred, a: Interval, b: Interval) -> Option<bool> {
    let same_sign = a.is_natural() && b.is_natural() || a.hi < 0 && b.hi < 0;
    let signed = match pred {
        Pred::Ult => Pred::Slt,
        Pred::Ule => Pred::Sle,
        Pred::Ugt => Pred::Sgt,
        _ => Pred::Sge,
    };
    if same_sign {
        return compare(signed, a, b);
    }
    let less = matches!(pred, Pred::Ult | Pred::Ule);
    match (a, b) {
        (a, b) if a.is_natural() && b.hi < 0 => Some(less),
        (a, b) if a.hi < 0 && b.is_natural() => Some(!less),
        _ => None,
    }
}

/// The comparison that holds if one does not.
pub fn negated(pred: Pred) -> Pred {
    match pred {
        Pred::Eq => Pred::Ne,
        Pred::Ne => Pred::Eq,
        Pred::Slt => Pred::Sge,
        Pred::Sle => Pred::Sgt,
        Pred::Sgt => Pred::Sle,
        Pred::Sge => Pred::Slt,
        Pred::Ult => Pred::Uge,
        Pred::Ule => Pred::Ugt,
        Pred::Ugt => Pred::Ule,
        Pred::Uge => Pred::Ult,
    }
}

/// The comparison with its operands exchanged.
pub fn exchanged(pred: Pred) -> Pred {
    match pred {
        Pred::Eq | Pred::Ne => pred,
        Pred::Slt => Pred::Sgt,
        Pred::Sle => Pred::Sge,
        Pred::Sgt => Pred::Slt,
        Pred::Sge => Pred::Sle,
        Pred::Ult => Pred::Ugt,
        Pred::Ule => Pred::Uge,
        Pred::Ugt => Pred::Ult,
        Pred::Uge => Pred::Ule,
    }
}

/// What the left operand of a comparison may be where it holds.
pub fn refined(pred: Pred, a: Interval, b: Interval) -> Option<Interval> {
    match pred {
        Pred::Eq => a.meet(b),
        Pred::Ne => match b.known() {
            Some(n) if a.lo == n && a.hi == n => None,
            Some(n) if a.lo == n => Some(Interval { lo: n + 1, ..a }),
            Some(n) if a.hi == n => Some(Interval { hi: n - 1, ..a }),
            _ => Some(a),
        },
        Pred::Slt => b.hi.checked_sub(1).and_then(|hi| a.meet(Interval { lo: i64::MIN, hi })),
        Pred::Sle => a.meet(Interval { lo: i64::MIN, hi: b.hi }),
        Pred::Sgt => b.lo.checked_add(1).and_then(|lo| a.meet(Interval { lo, hi: i64::MAX })),
        Pred::Sge => a.meet(Interval { lo: b.lo, hi: i64::MAX }),
        // What is below a number that is not negative is not negative either.
        Pred::Ult if b.is_natural() => {
            b.hi.checked_sub(1).filter(|hi| *hi >= 0).and_then(|hi| a.meet(Interval { lo: 0, hi }))
        }
        Pred::Ule if b.is_natural() => a.meet(Interval { lo: 0, hi: b.hi }),
        Pred::Ugt if a.is_natural() && b.is_natural() => refined(Pred::Sgt, a, b),
        Pred::Uge if a.is_natural() && b.is_natural() => refined(Pred::Sge, a, b),
        _ => Some(a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u8 = 4;

    fn all_intervals() -> impl Iterator<Item = Interval> {
        (-8..8).flat_map(|lo| (lo..8).map(move |hi| Interval { lo, hi }))
    }

    fn members(of: Interval) -> impl Iterator<Item = u64> {
        (of.lo..=of.hi).map(|n| n as u64 & narrow::mask(WIDTH))
    }

    fn has(interval: Interval, bits: u64, width: u8) -> bool {
        let n = narrow::signed(bits, width);
        interval.lo <= n && n <= interval.hi
    }

    #[test]
    fn operations_cover_all_results() {
        use BinOp::*;
        for op in
            [Add, Sub, Mul, And, Or, Xor, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, UMin, UMax, SMin, SMax]
        {
            for (a, b) in all_intervals().flat_map(|a| all_intervals().map(move |b| (a, b))) {
                let result = binary(op, WIDTH, a, b);
                for (x, y) in members(a).flat_map(|x| members(b).map(move |y| (x, y))) {
                    let Ok(exact) = narrow::binary(op, WIDTH, x, y) else { continue };
                    assert!(has(result, exact, WIDTH), "{op:?} {a:?} {b:?}: {x} {y} {result:?}");
                }
            }
        }
    }

    #[test]
    fn conversions_cover_all_results() {
        for a in all_intervals() {
            for bits in members(a) {
                assert!(has(cast(CastOp::ZExt, WIDTH, 8, a), bits, 8), "{a:?}");
                let extended = narrow::signed(bits, WIDTH) as u64 & narrow::mask(8);
                assert!(has(cast(CastOp::SExt, WIDTH, 8, a), extended, 8), "{a:?}");
                assert!(has(cast(CastOp::Trunc, WIDTH, 2, a), bits & 3, 2), "{a:?}");
            }
        }
    }

    #[test]
    fn comparisons_and_what_they_leave_are_right() {
        use Pred::*;
        for pred in [Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge] {
            for (a, b) in all_intervals().flat_map(|a| all_intervals().map(move |b| (a, b))) {
                let (known, left) = (compare(pred, a, b), refined(pred, a, b));
                for (x, y) in members(a).flat_map(|x| members(b).map(move |y| (x, y))) {
                    let holds = narrow::compare(pred, WIDTH, x, y);
                    assert!(known.is_none_or(|known| known == holds), "{pred:?} {a:?} {b:?}: {x} {y}");
                    assert!(
                        !holds || left.is_some_and(|left| has(left, x, WIDTH)),
                        "{pred:?} {a:?} {b:?}: {x} {y}"
                    );
                    assert_eq!(holds, narrow::compare(exchanged(pred), WIDTH, y, x));
                    assert_eq!(holds, !narrow::compare(negated(pred), WIDTH, x, y));
                }
            }
        }
    }
}
