//! What a branch that is taken tells of the values that decided it.
//!
//! A value that was never initialised is chosen for the register that is looked
//! at, and for memory where it is loaded to be computed with; copies are chosen on
//! their own. So only the operands of a comparison are refined, and the variable
//! that one was loaded from for that comparison.

use ir::{CastOp, Instr, Operand, Pred, Reg};

use super::interval::{self, Interval};
use super::transfer::value;
use super::walk::{At, Env, Walk};
use crate::event::Action;

impl<'p> Walk<'_, 'p> {
    /// A condition is what it is said to be; `None` if it cannot.
    pub(super) fn assume(&self, at: At<'p>, env: &mut Env, cond: Operand, holds: bool) -> Option<()> {
        let is = Interval::exact(u64::from(holds), 1);
        value(env, cond, 1).meet(is)?;
        self.narrow(at, env, cond, 1, is)
    }

    /// A value that was computed by a comparison lies in an interval.
    pub(super) fn narrow(
        &self,
        at: At<'p>,
        env: &mut Env,
        operand: Operand,
        width: u8,
        to: Interval,
    ) -> Option<()> {
        value(env, operand, width).meet(to)?;
        let Operand::Reg(mut reg) = operand else { return Some(()) };
        let (mut before, zero) = (at.pc as usize, Interval::exact(0, 1));
        let (mut is_zero, mut is_not_zero) = (to == zero, to.meet(zero).is_none());
        // A comparison's result may be extended, and compared with 0 in turn.
        while let Some(pc) = self.definition(at, reg, before) {
            match at.function.code[pc] {
                Instr::Cast { op: CastOp::ZExt | CastOp::SExt, src: Operand::Reg(src), .. } => reg = src,
                Instr::Compare {
                    pred: pred @ (Pred::Eq | Pred::Ne),
                    lhs: Operand::Reg(lhs),
                    rhs: Operand::Int(0),
                    ..
                } if (is_zero || is_not_zero) && self.is_extended_comparison(at, lhs, pc) => {
                    if pred == Pred::Eq {
                        (is_zero, is_not_zero) = (is_not_zero, is_zero);
                    }
                    reg = lhs;
                }
                Instr::Compare { pred, width, lhs, rhs, .. } if is_zero || is_not_zero => {
                    let pred = if is_zero { interval::negated(pred) } else { pred };
                    return self.compared(at, env, pc, pred, width, (lhs, rhs));
                }
                _ => return Some(()),
            }
            before = pc;
        }
        Some(())
    }

    /// Whether a register is the result of a comparison, made wider.
    fn is_extended_comparison(&self, at: At<'p>, reg: Reg, before: usize) -> bool {
        let Some(pc) = self.definition(at, reg, before) else { return false };
        let Instr::Cast { op: CastOp::ZExt, from: 1, src: Operand::Reg(src), .. } = at.function.code[pc]
        else {
            return false;
        };
        let compared = self.definition(at, src, pc);
        compared.is_some_and(|pc| matches!(at.function.code[pc], Instr::Compare { .. }))
    }

    /// A comparison at some place of this block holds.
    fn compared(
        &self,
        at: At<'p>,
        env: &mut Env,
        pc: usize,
        pred: Pred,
        width: u8,
        (lhs, rhs): (Operand, Operand),
    ) -> Option<()> {
        if width > 64 {
            return Some(());
        }
        let unchanged = |operand: Operand| match operand {
            Operand::Reg(reg) => self.definition(at, reg, at.pc as usize).is_none_or(|defined| defined < pc),
            _ => true,
        };
        if !unchanged(lhs) || !unchanged(rhs) {
            return Some(());
        }
        let (a, b) = (value(env, lhs, width), value(env, rhs, width));
        let left = interval::refined(pred, a, b)?;
        let right = interval::refined(interval::exchanged(pred), b, a)?;
        for (operand, to) in [(lhs, left), (rhs, right)] {
            if let Operand::Reg(reg) = operand {
                env.regs[reg.0 as usize] = to;
                self.loaded(at, env, reg, pc, to);
            }
        }
        Some(())
    }

    /// A register that was loaded for a comparison tells of the variable, if
    /// nothing has happened to that since.
    fn loaded(&self, at: At<'p>, env: &mut Env, reg: Reg, before: usize, to: Interval) {
        let Some(pc) = self.definition(at, reg, before) else { return };
        let Instr::Load { width, .. } = at.function.code[pc] else { return };
        let block = self.interpreter.blocks(self.interpreter.nodes[at.node as usize].func).containing(at.pc);
        let events = &self.interpreter.nodes[at.node as usize].blocks[block].events;
        let reads = |action: &Action| matches!(action, Action::Access(access) if !access.write);
        let mut since = events.iter().filter(|event| event.pc as usize >= pc && event.pc < at.pc);
        if !since.clone().all(|event| reads(&event.action)) {
            return;
        }
        let Some(Action::Access(access)) = since.next().map(|event| &event.action) else { return };
        let ([ptr], Some(len)) = (&access.targets[..], access.len) else { return };
        let cells = self.cells.of(ptr.obj).iter().copied();
        let Some(cell) = { cells }.find(|cell| self.cells.all[*cell].is_exactly(ptr, len)) else { return };
        if self.cells.all[cell].width() == width
            && let Some(known) = &mut env.cells[cell]
        {
            known.is = known.is.meet(to).unwrap_or(known.is);
        }
    }

    /// Where a register was last defined in this block before some place.
    fn definition(&self, at: At<'p>, reg: Reg, before: usize) -> Option<usize> {
        let defines = |pc: &usize| {
            let mut defines = false;
            at.function.code[*pc].for_each_def(|def, _| defines |= def == reg);
            defines
        };
        (at.start..before).rev().find(defines)
    }
}
