//! One path as it is followed: what is known in each frame.

use std::collections::BTreeMap;

use ir::{FuncId, Instr, Operand, Pc, Reg};

use crate::observe::Fact;
use crate::view::View;

/// What a register is known to hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Known {
    Number(u64),
    View(View),
}

/// A function's registers, as far as known, and its position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Frame {
    pub function: FuncId,
    pub pc: Pc,
    pub regs: BTreeMap<Reg, Known>,
}

impl Frame {
    /// Where the value is in this frame.
    pub fn facts(&self) -> impl Iterator<Item = Fact> + '_ {
        let (function, pc) = (self.function, self.pc);
        self.regs.iter().filter_map(move |(reg, known)| match known {
            Known::View(view) => Some(Fact { function, pc, reg: *reg, view: *view }),
            Known::Number(_) => None,
        })
    }
}

/// A path as it is followed.
#[derive(Clone)]
pub(crate) struct Walk {
    pub frames: Vec<Frame>,
    pub trace: Vec<u32>,
    /// Whether anything depended on the value so far.
    pub depends: bool,
    /// Whether the path passed something that can fault, after it had come to
    /// depend on the value: other values may not show that fault.
    pub may_have_faulted: bool,
}

impl Walk {
    pub fn top(&self) -> &Frame {
        self.frames.last().expect("a path that goes on has a frame")
    }

    pub fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a path that goes on has a frame")
    }

    pub fn known(&self, operand: &Operand) -> Option<Known> {
        match operand {
            Operand::Reg(reg) => self.top().regs.get(reg).copied(),
            Operand::Int(value) => Some(Known::Number(*value)),
            _ => None,
        }
    }

    pub fn uses_view(&self, instr: &Instr) -> bool {
        let mut found = false;
        instr.for_each_use(|operand, _| found |= matches!(self.known(&operand), Some(Known::View(_))));
        found
    }

    pub fn define(&mut self, instr: &Instr, result: Option<Known>) {
        instr.for_each_def(|reg, _| self.set(reg, result));
    }

    pub fn set(&mut self, reg: Reg, result: Option<Known>) {
        match result {
            Some(known) => self.top_mut().regs.insert(reg, known),
            None => self.top_mut().regs.remove(&reg),
        };
    }

    /// The outcome of a comparison of the value.
    pub fn observed(&mut self, outcome: bool) -> Option<Known> {
        self.depends = true;
        self.trace.push(outcome.into());
        Some(Known::Number(outcome.into()))
    }

    pub fn can_fault(&mut self, can: bool) {
        self.may_have_faulted |= can && self.depends;
    }

    pub fn fall_through(&mut self) {
        self.top_mut().pc += 1;
    }

    pub fn go(&mut self, target: Pc) {
        self.trace.push(target);
        self.top_mut().pc = target;
    }

    pub fn at(mut self, target: Pc) -> Walk {
        self.go(target);
        self
    }
}

/// Finds a path that goes round and round: what is known decides what is known
/// next, so once it comes back to the same it never leaves.
#[derive(Default)]
pub(crate) struct Cycle {
    steps: u32,
    /// What was known after a number of steps that is a power of two.
    before: Vec<Frame>,
}

impl Cycle {
    pub fn closes(&mut self, frames: &[Frame]) -> bool {
        self.steps += 1;
        let here = |frames: &[Frame]| frames.last().map(|frame| frame.pc);
        if here(frames) == here(&self.before) && frames == self.before {
            return true;
        }
        if self.steps.is_power_of_two() {
            self.before = frames.to_vec();
        }
        false
    }
}
