//! Values that are the chosen value but for conversions.

use ir::{CastOp, Pred};

use crate::fold;

/// The low `bits` of the chosen value, extended to `width`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct View {
    /// How many of the value's bits are left.
    pub bits: u8,
    /// The width they were extended to.
    pub width: u8,
    /// Whether with the sign; false if not extended at all.
    signed: bool,
}

impl View {
    /// The value itself.
    pub fn whole(width: u8) -> View {
        View { bits: width, width, signed: false }
    }

    /// The view after a conversion; `None` if that is no view.
    pub fn cast(self, op: CastOp, to: u8) -> Option<View> {
        let extended = self.width > self.bits;
        match op {
            CastOp::Trunc if to <= self.bits => Some(View::whole(to)),
            CastOp::Trunc => Some(View { width: to, ..self }),
            CastOp::ZExt | CastOp::SExt if to > 64 => None,
            CastOp::ZExt => (!self.signed).then_some(View { width: to, ..self }),
            // What was extended with zeros has no sign left to extend with.
            CastOp::SExt => Some(View { width: to, signed: self.signed || !extended, ..self }),
            _ => None,
        }
    }

    /// What the view shows of a value.
    pub fn of(self, value: u64) -> u64 {
        let low = value & fold::mask(self.bits);
        if self.signed { fold::signed(low, self.bits) as u64 & fold::mask(self.width) } else { low }
    }
}

/// An interval of values, both ends included, that does not cross from
/// non-negative to negative: there every view of the whole value is monotone,
/// signed and unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Interval {
    pub low: u64,
    pub high: u64,
}

impl Interval {
    /// All values of a width.
    pub fn all(width: u8) -> [Interval; 2] {
        let half = 1 << (width - 1);
        [Interval { low: 0, high: half - 1 }, Interval { low: half, high: fold::mask(width) }]
    }

    pub fn count(self) -> u128 {
        u128::from(self.high - self.low) + 1
    }

    /// The parts between the cuts, where a cut is the first value of a part.
    /// Cuts must ascend; those outside do nothing.
    pub fn split(self, cuts: impl IntoIterator<Item = u64>) -> Vec<Interval> {
        let mut parts = Vec::new();
        let mut low = self.low;
        for cut in cuts {
            if cut > low && cut <= self.high {
                parts.push(Interval { low, high: cut - 1 });
                low = cut;
            }
        }
        parts.push(Interval { low, high: self.high });
        parts
    }

    /// Up to `count` values, from the end nearest to zero.
    pub fn near_zero(self, count: u64, width: u8) -> impl Iterator<Item = u64> {
        let last = count.min(self.high - self.low + 1);
        let negative = fold::signed(self.high, width) < 0;
        (0..last).map(move |i| if negative { self.high - i } else { self.low + i })
    }

    /// The outcome of comparing a view of the whole value with a constant, if
    /// it is the same for all values in the interval.
    pub fn compare(self, pred: Pred, view: View, constant: u64) -> Option<bool> {
        let (low, high) = (view.of(self.low), view.of(self.high));
        let outcome = fold::compare(pred, view.width, low, constant);
        let same = match pred {
            Pred::Eq | Pred::Ne => low == high || constant < low || constant > high,
            _ => outcome == fold::compare(pred, view.width, high, constant),
        };
        same.then_some(outcome)
    }
}

/// Where the outcome of comparing a view of the whole value with a constant
/// can change, within either half of the values.
pub(crate) fn cuts(view: View, constant: u64) -> [u64; 2] {
    let mask = fold::mask(view.bits);
    let cut = constant & mask;
    // Past the largest value there is nothing to cut.
    [cut, cut.saturating_add(1).min(mask)]
}

/// The predicate with its operands exchanged.
pub(crate) fn swapped(pred: Pred) -> Pred {
    match pred {
        Pred::Eq => Pred::Eq,
        Pred::Ne => Pred::Ne,
        Pred::Ult => Pred::Ugt,
        Pred::Ule => Pred::Uge,
        Pred::Ugt => Pred::Ult,
        Pred::Uge => Pred::Ule,
        Pred::Slt => Pred::Sgt,
        Pred::Sle => Pred::Sge,
        Pred::Sgt => Pred::Slt,
        Pred::Sge => Pred::Sle,
    }
}
