//! Joins of values that end: bounds that move on and on are moved to thresholds.

use std::collections::BTreeSet;
use std::rc::Rc;

use ir::{Instr, Operand, Program};

use super::cells::Cells;
use super::interval::Interval;
use super::walk::{Value, Values};

/// After so many changes bounds are moved on to thresholds, and after so many
/// more to infinity.
const PATIENCE: u32 = 4;
const LAST_PATIENCE: u32 = 60;

/// How values are joined: plainly, or with bounds moved on to thresholds.
pub(super) struct Widening(Option<Rc<[i64]>>);

impl Widening {
    /// How values are joined that have changed so often.
    pub fn after(changes: u32, thresholds: &Rc<[i64]>) -> Widening {
        match changes {
            0..PATIENCE => Widening(None),
            PATIENCE..LAST_PATIENCE => Widening(Some(Rc::clone(thresholds))),
            _ => Widening(Some(Rc::new([]))),
        }
    }

    /// Joins a value; whether that is anything new.
    pub fn join(&self, known: &mut Option<Interval>, new: Interval, width: u8) -> bool {
        let before = *known;
        *known = Some(match (before, &self.0) {
            (None, _) => new,
            (Some(old), None) => old.join(new),
            (Some(old), Some(thresholds)) => old.widen(new, width, thresholds),
        });
        *known != before
    }

    pub fn join_all(
        &self,
        known: &mut Option<Vec<Interval>>,
        new: Vec<Interval>,
        width: impl Fn(usize) -> u8,
    ) -> bool {
        let Some(known) = known else {
            *known = Some(new);
            return true;
        };
        let mut changed = false;
        for (at, (known, new)) in known.iter_mut().zip(new).enumerate() {
            let mut joined = Some(*known);
            changed |= self.join(&mut joined, new, width(at));
            *known = joined.unwrap_or(new);
        }
        changed
    }

    /// Both are known at one point, so that the same variables are stable.
    pub fn join_cells(&self, known: &mut Option<Values>, new: Values, cells: &Cells<'_, '_>) -> bool {
        let Some(known) = known else {
            *known = Some(new);
            return true;
        };
        let mut changed = false;
        for ((known, new), cell) in known.iter_mut().zip(new).zip(&cells.all) {
            debug_assert_eq!(known.is_some(), new.is_some());
            if let (Some(known), Some(new)) = (known, new) {
                let before = *known;
                let mut is = Some(known.is);
                self.join(&mut is, new.is, cell.width());
                *known = Value { is: is.unwrap_or(new.is), own: known.own || new.own };
                changed |= *known != before;
            }
        }
        changed
    }
}

/// Numbers at which bounds stop for a while: those that the program compares
/// with or stores, and their neighbours.
pub(super) fn thresholds(program: &Program) -> Rc<[i64]> {
    let mut found = BTreeSet::from([-1, 0, 1]);
    for instr in program.functions.iter().flat_map(|function| &function.code) {
        let (width, operands) = match instr {
            Instr::Compare { width, lhs, rhs, .. } => (*width, [*lhs, *rhs]),
            Instr::Store { width, value, .. } => (*width, [*value, *value]),
            _ => continue,
        };
        for operand in operands {
            if let Operand::Int(n) = operand {
                let n = domains::fold::signed(n, width);
                found.extend([n.saturating_sub(1), n, n.saturating_add(1)]);
            }
        }
    }
    found.into_iter().collect()
}
