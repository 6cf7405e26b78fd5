//! Follows the code after a choice, for an interval of the chosen value.
//!
//! A register holds a known number (the same for the whole interval), a view
//! of the value, or something unknown. Comparisons of a view with a number are
//! decided for the whole interval, or ask for it to be split. Branches on
//! something unknown are followed both ways. A path is followed until an
//! assumption ends it, the program ends, or it comes to something that may not
//! be passed: an effect that can be seen from outside, or a use of the value that is
//! no comparison. It is always sound to stop earlier, which is what the limits
//! do.

use std::collections::BTreeMap;

use ir::*;

use crate::fold;
use crate::observe::Fact;
use crate::view::{Interval, View, cuts, swapped};
use crate::walk::{Cycle, Frame, Known, Walk};

/// Paths followed for one interval.
const MAX_PATHS: usize = 64;
/// Instructions followed on one path.
const MAX_STEPS: u32 = 1000;
/// Calls followed into each other.
const MAX_DEPTH: usize = 8;

/// Where a path led.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum End {
    /// To an assumption that does not hold, and no thread could notice.
    Dropped,
    /// Here; no frames if the program or thread ended, or loops for ever.
    Stopped(Vec<Frame>),
}

/// A path. Two intervals with the same paths are in states that differ in the
/// value alone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Path {
    /// The targets of the branches it took, and the outcomes of all comparisons
    /// of the value: something unknown may have been computed from them.
    trace: Vec<u32>,
    pub end: End,
}

impl Path {
    /// Where the value is when the path stops.
    pub fn facts(&self) -> Vec<Fact> {
        let End::Stopped(frames) = &self.end else { return Vec::new() };
        frames.iter().flat_map(Frame::facts).collect()
    }
}

/// What following the code led to.
pub(crate) enum Explored {
    /// These paths.
    Paths(Vec<Path>),
    /// The interval must be split at these values.
    Split(Vec<u64>),
}

/// Follows the code after the choice at `pc` for the values in `interval`, for
/// as many instructions as `fuel` says. Without `may_split`, a comparison that
/// tells values in it apart ends a path.
pub(crate) fn explore(
    program: &Program,
    (function, pc): (FuncId, Pc),
    interval: Interval,
    may_split: bool,
    fuel: &mut u32,
) -> Explored {
    let Instr::Nondet { width, dst, .. } = &program.function(function).code[pc as usize] else {
        return Explored::Paths(Vec::new());
    };
    let regs = BTreeMap::from([(*dst, Known::View(View::whole(*width)))]);
    let frames = vec![Frame { function, pc: pc + 1, regs }];
    let start = Walk { frames, trace: Vec::new(), depends: false, may_have_faulted: false };
    let explorer = Explorer { program, width: *width, interval, may_split };
    explorer.all_paths(start, fuel)
}

/// What comes after an instruction.
enum Next {
    /// The next instruction.
    Step,
    /// Any of these.
    Fork(Vec<Pc>),
    /// Nothing: the path stops before the instruction.
    Stop,
    /// Nothing: the program or thread ended.
    Ended,
    /// Nothing: an assumption does not hold.
    Drop,
    /// The interval must be split.
    Split(Vec<u64>),
}

struct Explorer<'a> {
    program: &'a Program,
    width: u8,
    interval: Interval,
    may_split: bool,
}

impl Explorer<'_> {
    fn all_paths(&self, start: Walk, fuel: &mut u32) -> Explored {
        let mut paths = Vec::new();
        let mut work = vec![start];
        while let Some(mut walk) = work.pop() {
            let limit = fuel.saturating_sub(MAX_STEPS);
            let mut cycle = Cycle::default();
            let end = loop {
                let next = if *fuel > limit { self.step(&mut walk) } else { Next::Stop };
                *fuel = fuel.saturating_sub(1);
                match next {
                    Next::Step if cycle.closes(&walk.frames) => break Some(End::Stopped(Vec::new())),
                    Next::Step => {}
                    Next::Fork(targets) if paths.len() + work.len() + targets.len() <= MAX_PATHS => {
                        work.extend(targets.into_iter().map(|pc| walk.clone().at(pc)));
                        break None;
                    }
                    Next::Stop | Next::Fork(_) => break Some(End::Stopped(std::mem::take(&mut walk.frames))),
                    Next::Drop if !walk.may_have_faulted => break Some(End::Dropped),
                    Next::Drop | Next::Ended => break Some(End::Stopped(Vec::new())),
                    Next::Split(cuts) => return Explored::Split(cuts),
                }
            };
            paths.extend(end.map(|end| Path { trace: walk.trace, end }));
        }
        Explored::Paths(paths)
    }

    fn step(&self, walk: &mut Walk) -> Next {
        let frame = walk.top();
        let instr = &self.program.function(frame.function).code[frame.pc as usize];
        match instr {
            Instr::Jump { target } => walk.go(*target),
            Instr::Branch { cond, yes, no } => return self.branch(walk, cond, *yes, *no),
            Instr::Switch { value, cases, default, .. } => {
                return self.switch(walk, value, cases, *default);
            }
            Instr::Assume { cond } => return self.assume(walk, cond),
            // What was chosen is initialised.
            Instr::Initialised { .. } if walk.uses_view(instr) => walk.fall_through(),
            Instr::Call { callee: Callee::Direct(callee), args, .. } => {
                return self.call(walk, *callee, args);
            }
            Instr::Return { values } => return self.ret(walk, values),
            Instr::Fail { .. }
            | Instr::Exit { .. }
            | Instr::ThreadExit { .. }
            | Instr::Unreachable
            | Instr::Unsupported { .. } => {
                return if walk.uses_view(instr) { Next::Stop } else { Next::Ended };
            }
            _ => match self.compute(walk, instr) {
                Ok(result) => {
                    walk.define(instr, result);
                    walk.fall_through();
                }
                Err(next) => return next,
            },
        }
        Next::Step
    }

    /// The result of an instruction that only computes something for its own
    /// thread, as far as known.
    fn compute(&self, walk: &mut Walk, instr: &Instr) -> Result<Option<Known>, Next> {
        match instr {
            Instr::Move { src, .. } => Ok(walk.known(src)),
            Instr::Compare { pred, width, lhs, rhs, .. } => match (walk.known(lhs), walk.known(rhs)) {
                (Some(Known::Number(l)), Some(Known::Number(r))) => {
                    Ok(Some(Known::Number(fold::compare(*pred, *width, l, r).into())))
                }
                (Some(Known::View(view)), Some(Known::Number(constant))) => {
                    Ok(walk.observed(self.compare(*pred, view, constant)?))
                }
                (Some(Known::Number(constant)), Some(Known::View(view))) => {
                    Ok(walk.observed(self.compare(swapped(*pred), view, constant)?))
                }
                _ => unknown_unless_viewed(walk, instr),
            },
            Instr::Cast { op, from, to, src, .. } => {
                walk.can_fault(op.can_fail());
                match walk.known(src) {
                    Some(Known::Number(number)) => Ok(fold::cast(*op, *from, *to, number).map(Known::Number)),
                    Some(Known::View(view)) => {
                        view.cast(*op, *to).map(|v| Some(Known::View(v))).ok_or(Next::Stop)
                    }
                    None => Ok(None),
                }
            }
            Instr::Select { cond, yes, no, .. } => match walk.known(cond) {
                Some(Known::Number(bit)) => Ok(walk.known(if bit != 0 { yes } else { no })),
                _ => unknown_unless_viewed(walk, instr),
            },
            Instr::Binary { .. } => binary(walk, instr),
            Instr::Unary { .. }
            | Instr::Overflows { .. }
            | Instr::FloatBinary { .. }
            | Instr::FloatUnary { .. }
            | Instr::FloatCompare { .. }
            | Instr::PtrAdd { .. }
            | Instr::StackSave { .. }
            | Instr::Nondet { .. } => unknown_unless_viewed(walk, instr),
            Instr::Alloca { .. } | Instr::ScopeBegin { .. } => {
                // The stack may be exhausted.
                walk.can_fault(true);
                unknown_unless_viewed(walk, instr)
            }
            _ => Err(Next::Stop),
        }
    }

    fn assume(&self, walk: &mut Walk, cond: &Operand) -> Next {
        let known = walk.known(cond);
        match known {
            Some(Known::Number(0)) => return Next::Drop,
            Some(Known::View(_)) => return Next::Stop,
            Some(Known::Number(_)) => {}
            // It may be uninitialised.
            None => walk.can_fault(true),
        }
        walk.fall_through();
        Next::Step
    }

    fn branch(&self, walk: &mut Walk, cond: &Operand, yes: Pc, no: Pc) -> Next {
        match walk.known(cond) {
            Some(Known::Number(bit)) => walk.go(if bit != 0 { yes } else { no }),
            Some(Known::View(_)) => return Next::Stop,
            None => {
                walk.can_fault(true);
                return Next::Fork(vec![yes, no]);
            }
        }
        Next::Step
    }

    fn switch(&self, walk: &mut Walk, value: &Operand, cases: &[(u64, Pc)], default: Pc) -> Next {
        match walk.known(value) {
            Some(Known::Number(number)) => {
                let case = cases.iter().find(|(case, _)| *case == number);
                walk.go(case.map_or(default, |(_, pc)| *pc));
            }
            Some(Known::View(view)) => match self.case(view, cases) {
                Ok(target) => {
                    walk.depends = true;
                    walk.go(target.unwrap_or(default));
                }
                Err(next) => return next,
            },
            None => {
                walk.can_fault(true);
                let mut targets: Vec<Pc> = cases.iter().map(|(_, pc)| *pc).chain([default]).collect();
                targets.sort_unstable();
                targets.dedup();
                return Next::Fork(targets);
            }
        }
        Next::Step
    }

    /// The case that all values in the interval go to, if it is not the default.
    fn case(&self, view: View, cases: &[(u64, Pc)]) -> Result<Option<Pc>, Next> {
        for (case, pc) in cases {
            if self.compare(Pred::Eq, view, *case)? {
                return Ok(Some(*pc));
            }
        }
        Ok(None)
    }

    /// The outcome for all values in the interval, or what to do without.
    fn compare(&self, pred: Pred, view: View, constant: u64) -> Result<bool, Next> {
        if view.bits < self.width && self.interval.low != self.interval.high {
            return Err(Next::Stop);
        }
        self.interval.compare(pred, view, constant).ok_or_else(|| {
            if self.may_split { Next::Split(cuts(view, constant).to_vec()) } else { Next::Stop }
        })
    }

    fn call(&self, walk: &mut Walk, callee: FuncId, args: &[Arg]) -> Next {
        let function = self.program.function(callee);
        if function.variadic || walk.frames.len() >= MAX_DEPTH {
            return Next::Stop;
        }
        walk.can_fault(true);
        let mut regs = BTreeMap::new();
        for (param, arg) in function.params.iter().zip(args) {
            regs.extend(walk.known(&arg.value).map(|known| (param.reg, known)));
        }
        walk.top_mut().pc += 1;
        walk.frames.push(Frame { function: callee, pc: 0, regs });
        Next::Step
    }

    fn ret(&self, walk: &mut Walk, values: &[Arg]) -> Next {
        if walk.frames.len() == 1 {
            return Next::Stop;
        }
        let results: Vec<Option<Known>> = values.iter().map(|value| walk.known(&value.value)).collect();
        walk.frames.pop();
        let caller = walk.top();
        let call = &self.program.function(caller.function).code[caller.pc as usize - 1];
        if let Instr::Call { dsts, .. } = call {
            dsts.iter().zip(results).for_each(|(dst, result)| walk.set(*dst, result));
        }
        Next::Step
    }
}

/// Nothing is known of the result; the value itself may not enter into it.
fn unknown_unless_viewed(walk: &Walk, instr: &Instr) -> Result<Option<Known>, Next> {
    if walk.uses_view(instr) { Err(Next::Stop) } else { Ok(None) }
}

fn binary(walk: &mut Walk, instr: &Instr) -> Result<Option<Known>, Next> {
    let Instr::Binary { op, width, no_signed_wrap, lhs, rhs, .. } = instr else { return Err(Next::Stop) };
    unknown_unless_viewed(walk, instr)?;
    let folded = match (walk.known(lhs), walk.known(rhs)) {
        (Some(Known::Number(l)), Some(Known::Number(r))) if !no_signed_wrap => {
            fold::binary(*op, *width, l, r).map(Known::Number)
        }
        _ => None,
    };
    let harmless = matches!(op, BinOp::And | BinOp::Or | BinOp::Xor);
    walk.can_fault(folded.is_none() && !harmless);
    Ok(folded)
}
