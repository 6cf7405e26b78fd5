//! What each instruction does to values.

use ir::operation::{Action as Deed, Operation};
use ir::{Domain, Instr, Operand, Reg, RmwOp};

use super::cells::Guard;
use super::interval::{self, Interval};
use super::walk::{At, Env, Exit, Going, Value, Walk};
use crate::event::{Access, Action, Event};
use crate::flow::{Lock, Section};
use crate::memory::ThreadIx;
use crate::value::{Meets, Off, Ptr};

impl<'p> Walk<'_, 'p> {
    /// Interprets an instruction, given its events and what holds before each of
    /// them and afterwards.
    pub fn instruction(&mut self, at: At<'p>, events: &[Event], points: &[u32], env: &mut Env) -> Going {
        match at.function.code[at.pc as usize] {
            Instr::Jump { target } => return Going::Jump(vec![(target, env.clone())]),
            Instr::Branch { cond, yes, no } => {
                let sides = [(yes, true), (no, false)];
                let taken = sides.into_iter().filter_map(|(pc, side)| {
                    let mut env = env.clone();
                    self.assume(at, &mut env, cond, side).map(|()| (pc, env))
                });
                return Going::Jump(taken.collect());
            }
            Instr::Switch { width, value, ref cases, default } => {
                return Going::Jump(self.switch(env, width, value, cases, default));
            }
            Instr::Assume { cond } => {
                if self.assume(at, env, cond, true).is_none() {
                    return Going::End;
                }
            }
            Instr::Fail { kind, .. } => {
                self.fail(at, kind);
                return Going::End;
            }
            Instr::Return { ref values } => {
                let results = values.iter().map(|arg| value(env, arg.value, arg.width)).collect();
                if self.interpreter.threads[at.thread as usize].root == at.node {
                    self.end_of_thread(at, env);
                }
                let params = self.params_at_exit(at, env);
                self.leave(at, Exit { results, params, cells: env.cells.clone() });
                return Going::End;
            }
            Instr::ThreadExit { .. } => {
                self.end_of_thread(at, env);
                return Going::End;
            }
            Instr::Unreachable | Instr::Exit { .. } | Instr::Unsupported { .. } => return Going::End,
            Instr::Call { ref args, ref dsts, .. } => return self.call(at, events, points, args, dsts, env),
            ref instr => self.compute(at, instr, events, env),
        }
        match self.pass(at, events, points, env) {
            Some(()) => Going::On,
            None => Going::End,
        }
    }

    /// What the events of an instruction do to what is stable.
    fn pass(&mut self, at: At<'p>, events: &[Event], points: &[u32], env: &mut Env) -> Option<()> {
        let sync = matches!(at.function.code[at.pc as usize], Instr::Sync { .. });
        if sync {
            // A thread that blocks in an atomic section lets others run.
            self.release(at, env, |guard| *guard == Guard::Section);
        }
        for (index, event) in events.iter().enumerate() {
            match &event.action {
                Action::Unlock { targets, .. } | Action::Renew(targets) => {
                    self.give_back(at, env, targets, 1)
                }
                Action::Access(Access { targets, len, write: true, .. }) => {
                    self.give_back(at, env, targets, len.unwrap_or(u64::MAX >> 2));
                }
                Action::End { .. } => self.release(at, env, |guard| *guard == Guard::Section),
                Action::Lock { targets, .. } if waits(at) => self.give_back(at, env, targets, 1),
                Action::Create(threads) => self.create(at, threads, &points[index..], env),
                _ => {}
            }
            self.arrive(at.node, at.thread, *points.get(index + 1)?, &mut env.cells)?;
        }
        let last = *points.get(events.len())?;
        if waits(at) || sync && self.held(last).in_section() {
            self.find_again(at, events, last, env)?;
        }
        Some(())
    }

    /// The values where a lock that may be at one of these places is given back.
    fn give_back(&mut self, at: At<'p>, env: &Env, targets: &[Ptr], len: u64) {
        let is = |lock: &Lock| {
            let place = Off::exact(lock.off);
            targets.iter().any(|ptr| ptr.obj == lock.obj && ptr.off.meets(len, place, 1) != Meets::Never)
        };
        self.release(at, env, |guard| matches!(guard, Guard::Lock(lock) if is(lock)));
    }

    fn release(&mut self, at: At<'p>, env: &Env, of: impl Fn(&Guard) -> bool) {
        for (cell, value) in env.cells.iter().enumerate() {
            if let Some(value) = value {
                self.publish(at.thread, cell, *value, &of);
            }
        }
    }

    /// What a thread leaves behind when it ends.
    fn end_of_thread(&mut self, at: At<'p>, env: &Env) {
        self.release(at, env, |_| true);
        for (cell, value) in env.cells.iter().enumerate() {
            if let Some(value) = value {
                self.leave_behind(at.thread, cell, *value);
            }
        }
    }

    /// What others may have changed while a thread waited without a lock, or
    /// blocked in an atomic section.
    fn find_again(&mut self, at: At<'p>, events: &[Event], point: u32, env: &mut Env) -> Option<()> {
        let mut without = self.held(point).clone();
        if waits(at) {
            let given = |lock: &Lock| {
                let is = |ptr: &Ptr| ptr.obj == lock.obj && ptr.off.known().is_none_or(|off| off == lock.off);
                events.iter().any(|event| match &event.action {
                    Action::Lock { targets, .. } => targets.iter().any(is),
                    _ => false,
                })
            };
            without.locks.retain(|(lock, _)| !given(lock));
        }
        without.section = Section::Unknown;
        let stable = self.cells.stable(at.thread, &without);
        for (cell, (known, _)) in
            env.cells.iter_mut().zip(stable.cells).enumerate().filter(|(_, (_, stable))| !stable)
        {
            if let Some(value) = known.take() {
                self.publish(at.thread, cell, value, |_| true);
            }
        }
        self.arrive(at.node, at.thread, point, &mut env.cells)
    }

    /// A thread is created: from now on there may be others, and they may take
    /// what is not held.
    fn create(&mut self, at: At<'p>, threads: &[ThreadIx], points: &[u32], env: &mut Env) {
        let held = self.held(points[0]).clone();
        self.release(at, env, |guard| match guard {
            Guard::Finished | Guard::Before(_) => true,
            Guard::After(_) => false,
            Guard::Lock(lock) => !held.locks.iter().any(|(other, _)| other == lock),
            Guard::Section => !held.in_section(),
        });
        let Instr::Sync { args, .. } = &at.function.code[at.pc as usize] else { return };
        let argument = value(env, args[3], self.program.pointer_width);
        for thread in threads {
            let root = self.interpreter.threads[*thread as usize].root;
            self.start(root, argument);
        }
        if let Some(next) = points.get(1) {
            self.hand_over(at, threads, *next, env);
        }
    }

    /// The variables that only a new thread writes from now on are no longer
    /// known here; what they were before it has begun says nothing of what they
    /// are when it has ended.
    fn hand_over(&mut self, at: At<'p>, threads: &[ThreadIx], point: u32, env: &mut Env) {
        let stable = self.stable(at.thread, point);
        for (cell, known) in env.cells.iter_mut().enumerate() {
            let is_new = |guard: &Guard| matches!(guard, Guard::After(writer) if threads.contains(writer));
            if !stable.cells[cell] && self.cells.all[cell].guards.iter().any(is_new) {
                *known = None;
            }
        }
    }

    fn call(
        &mut self,
        at: At<'p>,
        events: &[Event],
        points: &[u32],
        args: &[ir::Arg],
        dsts: &[Reg],
        env: &mut Env,
    ) -> Going {
        let callees = events.iter().find_map(|event| match &event.action {
            Action::Call(callees) => Some(callees.clone()),
            _ => None,
        });
        let values: Vec<Interval> = args.iter().map(|arg| value(env, arg.value, arg.width)).collect();
        let mut after: Option<Env> = None;
        let Some(point) = points.get(events.len()).copied() else {
            // It never returns, but what it does counts.
            callees.into_iter().flatten().for_each(|callee| self.enter(callee, &values, env.cells.clone()));
            return Going::End;
        };
        for callee in callees.into_iter().flatten() {
            self.enter(callee, &values, env.cells.clone());
            let Some(exit) = self.states[callee as usize].exit.clone() else { continue };
            // What the function has done to variables is known already.
            let mut returned = Env { regs: env.regs.clone(), cells: vec![None; env.cells.len()] };
            let mut args = args.iter().zip(&exit.params);
            if args.any(|(arg, param)| self.narrow(at, &mut returned, arg.value, arg.width, *param).is_none())
            {
                continue;
            }
            returned.cells = exit.cells;
            if self.arrive(at.node, at.thread, point, &mut returned.cells).is_none() {
                continue;
            }
            for (dst, result) in dsts.iter().zip(&exit.results) {
                set(at, &mut returned, *dst, *result);
            }
            after = Some(match after {
                None => returned,
                Some(known) => joined(known, &returned),
            });
        }
        let Some(after) = after else { return Going::End };
        *env = after;
        Going::On
    }

    fn switch(
        &mut self,
        env: &Env,
        width: u8,
        operand: Operand,
        cases: &[(u64, u32)],
        default: u32,
    ) -> Vec<(u32, Env)> {
        let known = value(env, operand, width);
        let mut next: Vec<(u32, Env)> = Vec::new();
        for (case, pc) in cases {
            let case = Interval::exact(*case, width);
            if known.meet(case).is_some() {
                let mut env = env.clone();
                if let Operand::Reg(reg) = operand {
                    env.regs[reg.0 as usize] = case;
                }
                next.push((*pc, env));
            }
        }
        let listed = known
            .known()
            .is_some_and(|n| cases.iter().any(|(case, _)| Interval::exact(*case, width).lo == n));
        if !listed {
            next.push((default, env.clone()));
        }
        next
    }

    fn compute(&mut self, at: At<'p>, instr: &Instr, events: &[Event], env: &mut Env) {
        match instr {
            Instr::Move { dst, src, width } => set(at, env, *dst, value(env, *src, *width)),
            Instr::Select { dst, cond, yes, no, width } => {
                let (yes, no) = (value(env, *yes, *width), value(env, *no, *width));
                let result = match value(env, *cond, 1).known() {
                    Some(0) => no,
                    Some(_) => yes,
                    None => yes.join(no),
                };
                set(at, env, *dst, result);
            }
            Instr::Binary { op, width, dst, lhs, rhs, .. } => {
                let result =
                    interval::binary(*op, *width, value(env, *lhs, *width), value(env, *rhs, *width));
                set(at, env, *dst, result);
            }
            Instr::Compare { pred, width, dst, lhs, rhs } => {
                let (lhs, rhs) = (value(env, *lhs, *width), value(env, *rhs, *width));
                let known = interval::compare(*pred, lhs, rhs).filter(|_| *width <= 64);
                let result = known.map_or(Interval::all(1), |holds| Interval::exact(u64::from(holds), 1));
                set(at, env, *dst, result);
            }
            Instr::Cast { op, from, to, dst, src } => {
                let result = interval::cast(*op, *from, *to, value(env, *src, *from));
                set(at, env, *dst, result);
            }
            Instr::Nondet { width, dst, domain, .. } => {
                let result = match domain {
                    Domain::Range { first, count } if *count > 0 => range(*first, *count, *width),
                    _ => Interval::all(*width),
                };
                set(at, env, *dst, result);
            }
            Instr::Load { width, dst, .. } => {
                let result = self.read(at, events, env, *width);
                let place = self.place(at);
                let known = self.found.loads.entry(place).or_insert(result);
                *known = known.join(result);
                set(at, env, *dst, result);
            }
            Instr::Store { width, value: operand, .. } => {
                let stored = value(env, *operand, *width);
                self.write(events, env, Some((stored, *width)), false);
            }
            Instr::AtomicRmw { op, width, dst, value: operand, .. } => {
                let (old, operand) = (self.read(at, events, env, *width), value(env, *operand, *width));
                let new = modified(*op, *width, old, operand);
                self.write(events, env, Some((new, *width)), false);
                set(at, env, *dst, old);
            }
            Instr::CompareExchange(cx) => {
                let (old, new) = (self.read(at, events, env, cx.width), value(env, cx.new, cx.width));
                self.write(events, env, Some((new, cx.width)), true);
                set(at, env, cx.old, old);
                set(at, env, cx.ok, Interval::all(1));
            }
            Instr::Sync { op, dst, .. } => {
                self.write(events, env, None, true);
                let zero = matches!(Operation::of(*op).action, Deed::Create | Deed::Join);
                if let Some(dst) = dst {
                    let width = at.function.slots[dst.0 as usize].width;
                    set(at, env, *dst, if zero { Interval::exact(0, width) } else { Interval::all(width) });
                }
            }
            _ => {
                self.write(events, env, None, true);
                instr.for_each_def(|dst, width| set(at, env, dst, Interval::all(width)));
            }
        }
    }

    /// What the access of an instruction reads.
    fn read(&mut self, at: At<'p>, events: &[Event], env: &Env, width: u8) -> Interval {
        let mut found: Option<Interval> = None;
        for event in events {
            let Action::Access(access) = &event.action else { continue };
            let Some(len) = access.len else { return Interval::all(width) };
            for ptr in &access.targets {
                let cells = self.cells.of(ptr.obj).iter().copied();
                let cell = { cells }.find(|cell| self.cells.all[*cell].is_exactly(ptr, len));
                let Some(cell) = cell.filter(|cell| self.cells.all[*cell].width() == width) else {
                    return Interval::all(width);
                };
                let value = env.cells[cell].map_or_else(|| self.any(at.node, cell), |value| value.is);
                found = Some(found.map_or(value, |known| known.join(value)));
            }
        }
        found.unwrap_or(Interval::all(width))
    }

    /// The accesses of an instruction write a value, or anything. If `perhaps`,
    /// they may write nothing.
    fn write(&mut self, events: &[Event], env: &mut Env, value: Option<(Interval, u8)>, perhaps: bool) {
        for event in events {
            let Action::Access(Access { targets, len, write: true, .. }) = &event.action else { continue };
            let len = len.unwrap_or(u64::MAX >> 2);
            for ptr in targets {
                for cell in self.cells.of(ptr.obj).to_vec() {
                    let certain = targets.len() == 1 && !perhaps;
                    self.write_cell(cell, ptr, len, env, value, certain);
                }
            }
        }
    }

    fn write_cell(
        &mut self,
        index: usize,
        ptr: &Ptr,
        len: u64,
        env: &mut Env,
        value: Option<(Interval, u8)>,
        certain: bool,
    ) {
        let cell = &self.cells.all[index];
        let (meets, width) = (cell.meets(ptr, len), cell.width());
        if meets == Meets::Never {
            return;
        }
        let certain = certain && cell.is_exactly(ptr, len);
        let new = match value {
            Some((value, of)) if meets == Meets::Same && of == width => value,
            _ => Interval::all(width),
        };
        if let Some(known) = &mut env.cells[index] {
            *known = Value { is: if certain { new } else { known.is.join(new) }, own: true };
        }
        self.written(index, new);
    }

    /// What the parameters are known to be where a function returns, if their
    /// registers are never overwritten.
    fn params_at_exit(&self, at: At<'p>, env: &Env) -> Vec<Interval> {
        let overwritten = |reg: Reg| {
            at.function.code.iter().any(|instr| {
                let mut defines = false;
                instr.for_each_def(|def, _| defines |= def == reg);
                defines
            })
        };
        let of = |param: &ir::Param| match overwritten(param.reg) {
            true => Interval::all(param.width),
            false => env.regs[param.reg.0 as usize],
        };
        at.function.params.iter().map(of).collect()
    }
}

/// Whether an instruction waits on a condition, without its mutex.
fn waits(at: At<'_>) -> bool {
    let instr = &at.function.code[at.pc as usize];
    matches!(instr, Instr::Sync { op, .. } if matches!(Operation::of(*op).action, Deed::Wait { .. }))
}

fn joined(mut known: Env, new: &Env) -> Env {
    known.regs.iter_mut().zip(&new.regs).for_each(|(known, new)| *known = known.join(*new));
    for (known, new) in known.cells.iter_mut().zip(&new.cells) {
        let join = |(a, b): (Value, Value)| Value { is: a.is.join(b.is), own: a.own || b.own };
        *known = known.zip(*new).map(join);
    }
    known
}

fn range(first: u64, count: u64, width: u8) -> Interval {
    let lo = Interval::exact(first, width).lo;
    let hi = i128::from(lo) + i128::from(count - 1);
    let all = Interval::all(width);
    if hi <= i128::from(all.hi) { Interval { lo, hi: hi as i64 } } else { all }
}

fn modified(op: RmwOp, width: u8, old: Interval, operand: Interval) -> Interval {
    let op = match op {
        RmwOp::Xchg => return operand,
        RmwOp::Add => ir::BinOp::Add,
        RmwOp::Sub => ir::BinOp::Sub,
        RmwOp::And => ir::BinOp::And,
        RmwOp::Or => ir::BinOp::Or,
        RmwOp::Xor => ir::BinOp::Xor,
        RmwOp::SMin => ir::BinOp::SMin,
        RmwOp::SMax => ir::BinOp::SMax,
        RmwOp::UMin | RmwOp::UMax | RmwOp::Nand | RmwOp::FloatAdd | RmwOp::FloatSub => {
            return Interval::all(width);
        }
    };
    interval::binary(op, width, old, operand)
}

/// What an operand may be.
pub(super) fn value(env: &Env, operand: Operand, width: u8) -> Interval {
    match operand {
        Operand::Reg(reg) if width <= 64 => env.regs[reg.0 as usize],
        Operand::Int(n) => Interval::exact(n, width),
        _ => Interval::all(width),
    }
}

fn set(at: At<'_>, env: &mut Env, reg: Reg, value: Interval) {
    let slot = reg.0 as usize;
    if at.function.slots[slot].width > 64 {
        env.regs[slot] = Interval::all(64);
        env.regs[slot + 1] = Interval::all(64);
    } else {
        env.regs[slot] = value;
    }
}
