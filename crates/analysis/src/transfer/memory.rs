//! Instructions on memory.

use ir::{BinOp, Instr, Operand, Reg, RmwOp};
use smallvec::SmallVec;

use super::At;
use crate::eval;
use crate::event::{Access, Action};
use crate::interpret::{Flow, Interpreter, set};
use crate::memory::Kind;
use crate::value::{Num, Off, Ptr, Val};

impl<'p> Interpreter<'p> {
    pub(super) fn access(&mut self, at: At<'p>, targets: &Val, len: Option<u64>, write: bool, atomic: bool) {
        self.look_for_undefined(at, targets);
        if self.recording.is_some() {
            let targets = self.in_memory(targets);
            self.note(at.pc, Action::Access(Access { targets, len, write, atomic }));
        }
    }

    pub(super) fn load(&mut self, at: At<'p>, targets: &Val, len: u64) -> Val {
        let mut val = Val::default();
        for ptr in self.in_memory(targets) {
            val.join(&self.memory.load(self.program, ptr.obj, ptr.off, len, at.node));
        }
        val
    }

    /// The machine reads and writes at most eight bytes at a time.
    fn load_wide(&mut self, at: At<'p>, targets: &Val, len: u64) -> Val {
        if len <= 8 {
            return self.load(at, targets, len);
        }
        let mut val = self.load(at, targets, 8);
        let upper = targets.map(|ptr| Ptr { off: ptr.off.plus(8), ..ptr });
        val.join(&self.load(at, &upper, len - 8));
        val
    }

    pub(super) fn store(&mut self, at: At<'p>, regs: &mut [Val], targets: &Val, len: u64, val: &Val) {
        self.publish(at, regs, val);
        for ptr in self.in_memory(targets) {
            self.memory.store(ptr.obj, ptr.off, len.min(8), val);
            if len > 8 {
                self.memory.store(ptr.obj, ptr.off.plus(8), len - 8, val);
            }
        }
    }

    /// Whether an atomic operation has the size of a pointer: such are ordered
    /// by those at the same place, and the parts of wider ones have other places.
    fn is_whole(&self, len: u64) -> bool {
        len <= self.program.pointer_size()
    }

    /// Notes pointers that are handed over without an order.
    fn hand_over(&mut self, val: &Val, ordered: bool) {
        if !ordered {
            self.unordered.extend(val.ptrs.iter().map(|ptr| ptr.obj));
        }
    }

    pub(super) fn memory_instruction(&mut self, at: At<'p>, instr: &Instr, regs: &mut [Val]) -> Flow {
        let word = self.program.pointer_width;
        match instr {
            Instr::Load { width, dst, ptr, access } => {
                let targets = self.pointer(at, regs, *ptr);
                let len = u64::from(*width).div_ceil(8);
                self.access(at, &targets, Some(len), false, access.order.is_some());
                let mut val = self.load_wide(at, &targets, len);
                let moves = |instr: &Instr| matches!(instr, Instr::Store { .. } | Instr::Sync { .. });
                let stays = |instr: &Instr| matches!(instr, Instr::Sync { .. });
                self.moves_undefined |= val.undef
                    && !computes_with(at.function, at.pc + 1, *dst)
                    && !self.is_only_used_by(at, *dst, stays);
                if val.undef && !self.is_only_used_by(at, *dst, moves) {
                    // The machine may choose a value then and write it back.
                    self.store(at, regs, &targets, len, &Val::any());
                    val = val.determined();
                }
                self.hand_over(&val, access.order.is_none_or(|order| order.acquires() && self.is_whole(len)));
                if let Num::Exact(n) = val.num {
                    val.num = Num::Exact(n & domains::fold::mask(*width));
                }
                set(at.function, regs, *dst, val);
            }
            Instr::Store { width, ptr, value, access } => {
                let targets = self.pointer(at, regs, *ptr);
                let len = u64::from(*width).div_ceil(8);
                self.access(at, &targets, Some(len), true, access.order.is_some());
                let val = self.value(at, regs, *value, *width);
                self.hand_over(&val, access.order.is_none_or(|order| order.releases() && self.is_whole(len)));
                self.store(at, regs, &targets, len, &val);
            }
            Instr::AtomicRmw { op, width, dst, ptr, value, order } => {
                let targets = self.pointer(at, regs, *ptr);
                let len = u64::from(*width).div_ceil(8);
                self.access(at, &targets, Some(len), true, true);
                let old = self.load_wide(at, &targets, len);
                self.moves_undefined |= old.undef && *op == RmwOp::Xchg;
                let operand = self.value(at, regs, *value, *width);
                let new = self.modified(at, regs, *op, *width, &old, &operand);
                let ordered = order.acquires() && order.releases() && self.is_whole(len);
                self.hand_over(&old, ordered);
                self.hand_over(&new, ordered);
                self.store(at, regs, &targets, len, &new);
                set(at.function, regs, *dst, old);
            }
            Instr::CompareExchange(cx) => {
                let targets = self.pointer(at, regs, cx.ptr);
                let len = u64::from(cx.width).div_ceil(8);
                self.access(at, &targets, Some(len), true, true);
                let mut old = self.load_wide(at, &targets, len);
                if old.undef {
                    self.store(at, regs, &targets, len, &Val::any());
                    old = old.determined();
                }
                let expected = self.value(at, regs, cx.expected, cx.width);
                let new = self.value(at, regs, cx.new, cx.width);
                self.compared_for_equality(&old, &expected);
                let pins = eval::compare(ir::Pred::Eq, cx.width.min(64), &old, &expected).pins;
                self.publish(at, regs, &pins);
                self.memory.pin(&pins);
                let acquires = cx.success.acquires() && cx.failure.acquires() && self.is_whole(len);
                self.hand_over(&old, acquires);
                self.hand_over(&new, cx.success.releases() && acquires);
                self.store(at, regs, &targets, len, &new);
                set(at.function, regs, cx.ok, Val::any());
                set(at.function, regs, cx.old, old);
            }
            Instr::MemCopy { dst, src, len, .. } => {
                let (to, from) = (self.pointer(at, regs, *dst), self.pointer(at, regs, *src));
                let len = self.value(at, regs, *len, word);
                self.copy(at, &to, &from, len.known());
            }
            Instr::MemSet { dst, byte, len } => {
                let to = self.pointer(at, regs, *dst);
                let (byte, len) = (self.value(at, regs, *byte, 8), self.value(at, regs, *len, word).known());
                self.access(at, &to, len, true, false);
                let num = if byte.known() == Some(0) { Num::Exact(0) } else { Num::Any };
                for ptr in self.in_memory(&to) {
                    self.memory.fill(ptr.obj, ptr.off, len.unwrap_or(u64::MAX >> 2), num);
                }
            }
            Instr::VaStart { list } => {
                let list = self.pointer(at, regs, *list);
                self.start_arguments(at, regs, &list);
            }
            Instr::Free { ptr, heir, .. } => {
                let targets = self.pointer(at, regs, *ptr);
                let heap: SmallVec<[Ptr; 1]> = targets
                    .ptrs
                    .iter()
                    .filter(|p| matches!(self.memory.get(p.obj).kind, Kind::Heap(..)))
                    .copied()
                    .collect();
                let heap = Val { ptrs: heap, ..Val::default() }.map(|ptr| Ptr { off: Off::ANY, ..ptr });
                self.access(at, &heap, None, true, false);
                self.freed.extend(heap.ptrs.iter().map(|ptr| ptr.obj));
                let heir = self.value(at, regs, *heir, word);
                self.compared_for_equality(&targets, &heir);
            }
            Instr::ScopeBegin { ptr } | Instr::ScopeEnd { ptr } => {
                let targets = self.pointer(at, regs, *ptr);
                let whole = targets.map(|ptr| Ptr { off: Off::ANY, ..ptr });
                let whole = self.in_memory(&whole);
                self.note(at.pc, Action::Renew(whole));
            }
            _ => {}
        }
        Flow::Next
    }

    fn modified(
        &mut self,
        at: At<'p>,
        regs: &mut [Val],
        op: RmwOp,
        width: u8,
        old: &Val,
        operand: &Val,
    ) -> Val {
        let op = match op {
            RmwOp::Xchg => return operand.clone(),
            RmwOp::Add => ir::BinOp::Add,
            RmwOp::Sub => ir::BinOp::Sub,
            RmwOp::And => ir::BinOp::And,
            RmwOp::Or => ir::BinOp::Or,
            RmwOp::Xor => ir::BinOp::Xor,
            RmwOp::UMin | RmwOp::UMax | RmwOp::SMin | RmwOp::SMax => ir::BinOp::Mul,
            RmwOp::Nand | RmwOp::FloatAdd | RmwOp::FloatSub => ir::BinOp::Mul,
        };
        let computed = eval::binary(op, width.min(64), old, operand);
        self.publish(at, regs, &computed.pins);
        self.memory.pin(&computed.pins);
        if op == ir::BinOp::Mul { Val::any() } else { computed.val }
    }

    fn copy(&mut self, at: At<'p>, to: &Val, from: &Val, len: Option<u64>) {
        self.access(at, from, len, false, false);
        self.access(at, to, len, true, false);
        self.moves_undefined |= self.in_memory(from).iter().any(|ptr| self.memory.may_be_undefined(ptr.obj));
        for target in self.in_memory(to) {
            for source in self.in_memory(from) {
                let (source, target) = ((source.obj, source.off), (target.obj, target.off));
                self.memory.copy(self.program, source, target, len, at.node);
            }
        }
    }

    /// Fills a `va_list` as the machine does.
    fn start_arguments(&mut self, at: At<'p>, regs: &mut [Val], list: &Val) {
        let mut arguments = Val::exact(0);
        let callers = self.nodes[at.node as usize].callers.clone();
        for (caller, pc) in callers {
            let object = self.memory.object(self.program, Kind::Arguments(caller, pc), false);
            arguments.join(&Val::pointer(object, Off::exact(0)));
        }
        let len = if self.program.pointer_width == 64 { 24 } else { 4 };
        self.access(at, list, Some(len), true, false);
        if self.program.pointer_width == 64 {
            let plus = |by: i64| list.map(|ptr| Ptr { off: ptr.off.plus(by), ..ptr });
            self.store(at, regs, &plus(0), 4, &Val::exact(48));
            self.store(at, regs, &plus(4), 4, &Val::exact(176));
            self.store(at, regs, &plus(8), 8, &arguments);
            self.store(at, regs, &plus(16), 8, &Val::exact(0));
        } else {
            self.store(at, regs, list, 4, &arguments);
        }
    }

    /// Whether only such instructions use a register that is defined here, before
    /// it is overwritten.
    fn is_only_used_by(&mut self, at: At<'p>, reg: Reg, such: impl Fn(&Instr) -> bool) -> bool {
        for instr in &at.function.code[at.pc as usize + 1..] {
            let mut used = false;
            instr.for_each_use(|operand, _| used |= operand == Operand::Reg(reg));
            if used && !such(instr) {
                return false;
            }
            let mut overwritten = false;
            instr.for_each_def(|def, _| overwritten |= def == reg);
            if overwritten {
                return true;
            }
            if instr.is_terminator() {
                let live = self.liveness(self.nodes[at.node as usize].func);
                let mut needed = false;
                instr.for_each_target(|pc| needed |= live.slots_at(pc).contains(&reg.0));
                return !needed;
            }
        }
        true
    }
}

/// Whether the machine certainly chooses a value for what a register was loaded
/// with, if that was never initialised: the block computes with it, itself or
/// extended or cut off.
fn computes_with(function: &ir::Function, from: ir::Pc, reg: Reg) -> bool {
    for (at, instr) in function.code.iter().enumerate().skip(from as usize) {
        let is = |operand: Operand| operand == Operand::Reg(reg);
        let computes = match *instr {
            Instr::Binary { op: BinOp::And | BinOp::Or | BinOp::Xor, .. } => false,
            Instr::Binary { op: BinOp::Shl | BinOp::LShr | BinOp::AShr, rhs, .. } => is(rhs),
            Instr::Binary { lhs, rhs, .. } | Instr::Compare { lhs, rhs, .. } => is(lhs) || is(rhs),
            Instr::PtrAdd { index, .. } => is(index),
            Instr::Switch { value, .. } => is(value),
            Instr::Cast { dst, src, .. } => is(src) && computes_with(function, at as ir::Pc + 1, dst),
            _ => false,
        };
        if computes {
            return true;
        }
        let mut overwritten = false;
        instr.for_each_def(|def, _| overwritten |= def == reg);
        if overwritten || instr.is_terminator() {
            return false;
        }
    }
    false
}
