//! What each instruction does to abstract values.
//!
//! # Objects that nobody else knows yet
//!
//! A pointer to a new object is *fresh* ([`Ptr::fresh`]) while it is only in
//! registers: no other thread can have it. Storing it anywhere, or giving it to
//! another thread, publishes the object, and then no register holds a fresh
//! pointer to it any more: those of the function are changed here, and those of
//! its callers lose their freshness after the call, if what they passed on was
//! published there ([`crate::interpret::Node`] remembers it). An
//! access through a fresh pointer happens before every access of another
//! thread, because that thread got its pointer from memory or with its start:
//! plain stores and loads that hand a pointer over are ordered as long as there
//! was no race yet (the first race of an execution is what counts), and atomic
//! ones are if they release and acquire. Objects that are handed over by weaker
//! operations are noted ([`Interpreter::unordered`]).

use ir::{Callee, Instr, Operand, Pc, Reg, RmwOp, SyncOp};
use smallvec::{SmallVec, smallvec};

use crate::eval::{self, Computed};
use crate::event::{Access, Action, LockKind};
use crate::interpret::{Flow, Interpreter, set};
use crate::memory::{Kind, NodeIx};
use crate::value::{Num, Off, Ptr, Val};

/// What is needed of an instruction's place.
#[derive(Clone, Copy)]
struct At<'p> {
    node: NodeIx,
    pc: Pc,
    function: &'p ir::Function,
}

impl<'p> Interpreter<'p> {
    pub(crate) fn instruction(&mut self, node: NodeIx, pc: Pc, instr: &Instr, regs: &mut [Val]) -> Flow {
        let program = self.program;
        let function = program.function(self.nodes[node as usize].func);
        let at = At { node, pc, function };
        match instr {
            Instr::Move { dst, src, width } => {
                let val = self.value(at, regs, *src, *width);
                set(function, regs, *dst, val);
            }
            Instr::Select { dst, cond, yes, no, width } => {
                self.select(at, regs, *dst, *cond, (*yes, *no), *width)
            }
            Instr::Binary { op, width, dst, lhs, rhs, .. } => {
                let (a, b) = (self.value(at, regs, *lhs, *width), self.value(at, regs, *rhs, *width));
                let computed = match *width > 64 {
                    true => eval::numeric(&[&a, &b]),
                    false => eval::binary(*op, *width, &a, &b),
                };
                self.computed(at, regs, *dst, computed);
            }
            Instr::Compare { pred, width, dst, lhs, rhs } => {
                let (a, b) = (self.value(at, regs, *lhs, *width), self.value(at, regs, *rhs, *width));
                self.compared_for_equality(&a, &b);
                let computed = match *width > 64 {
                    true => eval::numeric(&[&a, &b]),
                    false => eval::compare(*pred, *width, &a, &b),
                };
                self.computed(at, regs, *dst, computed);
            }
            Instr::Cast { op, from, to, dst, src } => {
                let a = self.value(at, regs, *src, *from);
                let computed = match *from > 64 || *to > 64 {
                    true => eval::numeric(&[&a]),
                    false => eval::cast(*op, *from, *to, &a),
                };
                self.computed(at, regs, *dst, computed);
            }
            Instr::PtrAdd { dst, base, index, scale, offset } => {
                let width = program.pointer_width;
                let (base, index) = (self.value(at, regs, *base, width), self.value(at, regs, *index, width));
                let computed = eval::pointer_add(&base, &index, *scale, *offset, width);
                self.computed(at, regs, *dst, computed);
            }
            Instr::Unary { width, dst, src, .. } | Instr::FloatUnary { width, dst, src, .. } => {
                let a = self.value(at, regs, *src, *width);
                self.computed(at, regs, *dst, eval::numeric(&[&a]));
            }
            Instr::Overflows { width, dst, lhs, rhs, .. }
            | Instr::FloatBinary { width, dst, lhs, rhs, .. }
            | Instr::FloatCompare { width, dst, lhs, rhs, .. } => {
                let (a, b) = (self.value(at, regs, *lhs, *width), self.value(at, regs, *rhs, *width));
                self.computed(at, regs, *dst, eval::numeric(&[&a, &b]));
            }
            Instr::Nondet { width, dst, domain, .. } => {
                let known = domain.count(*width) == Some(1) && *width <= 64;
                let val = if known { Val::exact(domain.value(0, *width)) } else { Val::any() };
                set(function, regs, *dst, val);
            }
            Instr::StackSave { dst } => set(function, regs, *dst, Val::any()),
            Instr::ObjectSize { dst, .. } => set(function, regs, *dst, Val::any()),
            Instr::Alloca { dst, .. } => {
                let val = self.allocate(at, regs, Kind::Frame(node, pc), false);
                set(function, regs, *dst, val);
            }
            Instr::Malloc { dst, zeroed, .. } => {
                let mut val = self.allocate(at, regs, Kind::Heap(node, pc), *zeroed);
                // One that is too large is null.
                val.join(&Val::exact(0));
                set(function, regs, *dst, val);
            }
            Instr::Load { .. }
            | Instr::Store { .. }
            | Instr::AtomicRmw { .. }
            | Instr::CompareExchange(_)
            | Instr::MemCopy { .. }
            | Instr::MemSet { .. }
            | Instr::VaStart { .. }
            | Instr::Free { .. }
            | Instr::ScopeBegin { .. }
            | Instr::ScopeEnd { .. } => return self.memory_instruction(at, instr, regs),
            Instr::Call { callee, args, dsts } => return self.call(at, regs, callee, args, dsts),
            Instr::Return { values } => {
                let values: Vec<Val> =
                    values.iter().map(|arg| self.value(at, regs, arg.value, arg.width)).collect();
                self.note(pc, Action::Return);
                if self.threads[self.nodes[node as usize].thread as usize].root == node {
                    let val = values.first().cloned().unwrap_or_default();
                    self.publish(at, regs, &val);
                    self.end_thread(self.nodes[node as usize].thread, &val);
                }
                self.return_values(node, &values);
                return Flow::End;
            }
            Instr::ThreadExit { value } => {
                let val = self.value(at, regs, *value, program.pointer_width);
                self.publish(at, regs, &val);
                self.end_thread(self.nodes[node as usize].thread, &val);
                self.note(pc, Action::ThreadExit);
                return Flow::End;
            }
            Instr::Jump { target } => return Flow::Jump(smallvec![*target]),
            Instr::Branch { cond, yes, no } => {
                let cond = self.value(at, regs, *cond, 1);
                return Flow::Jump(match cond.known() {
                    Some(bit) => smallvec![if bit & 1 == 1 { *yes } else { *no }],
                    None if cond.is_none() => smallvec![],
                    None => smallvec![*yes, *no],
                });
            }
            Instr::Switch { width, value, cases, default } => {
                let value = self.value(at, regs, *value, *width);
                self.memory.pin(&value);
                return Flow::Jump(match value.known() {
                    Some(n) => {
                        smallvec![cases.iter().find(|(case, _)| *case == n).map_or(*default, |(_, pc)| *pc)]
                    }
                    None if value.is_none() => smallvec![],
                    None => cases.iter().map(|(_, pc)| *pc).chain([*default]).collect(),
                });
            }
            Instr::Assume { cond } => {
                let cond = self.value(at, regs, *cond, 1);
                if cond.known().is_some_and(|bit| bit & 1 == 0) {
                    return Flow::End;
                }
            }
            Instr::Sync { op, dst, args } => return self.sync(at, regs, *op, *dst, args),
            Instr::AtomicBegin { orders } => self.note(pc, Action::Begin { orders: *orders }),
            Instr::AtomicEnd { orders } => self.note(pc, Action::End { orders: *orders }),
            Instr::Unsupported { .. } => {
                self.unsupported.get_or_insert((self.nodes[node as usize].func, pc));
                return Flow::End;
            }
            Instr::Unreachable | Instr::Fail { .. } | Instr::Exit { .. } => return Flow::End,
            Instr::EndObject { .. }
            | Instr::StackRestore { .. }
            | Instr::Fence { .. }
            | Instr::Initialised { .. }
            | Instr::Yield => {}
        }
        Flow::Next
    }

    fn value(&mut self, at: At<'p>, regs: &[Val], operand: Operand, width: u8) -> Val {
        match operand {
            Operand::Reg(reg) => {
                let mut val = regs[reg.0 as usize].clone();
                if width > 64 {
                    val.join(&regs[reg.0 as usize + 1]);
                }
                val
            }
            Operand::Int(n) => Val::exact(n),
            Operand::WideInt(_) => Val::any(),
            Operand::Global(id, offset) => self.global(at.node, id, i64::from(offset)),
            Operand::Function(id) => {
                let object = self.memory.object(self.program, Kind::Function(id), false);
                Val::pointer(object, Off::exact(0))
            }
            Operand::Undef => Val::any(),
        }
    }

    fn pointer(&mut self, at: At<'p>, regs: &[Val], operand: Operand) -> Val {
        let val = self.value(at, regs, operand, self.program.pointer_width);
        self.targets(at.node, &val)
    }

    fn computed(&mut self, at: At<'p>, regs: &mut [Val], dst: Reg, computed: Computed) {
        if !computed.pins.ptrs.is_empty() {
            self.publish(at, regs, &computed.pins);
            self.memory.pin(&computed.pins);
        }
        set(at.function, regs, dst, computed.val);
    }

    fn select(
        &mut self,
        at: At<'p>,
        regs: &mut [Val],
        dst: Reg,
        cond: Operand,
        sides: (Operand, Operand),
        width: u8,
    ) {
        let cond = self.value(at, regs, cond, 1).known();
        let (yes, no) = (self.value(at, regs, sides.0, width), self.value(at, regs, sides.1, width));
        let val = match cond {
            Some(bit) if bit & 1 == 1 => yes,
            Some(_) => no,
            None => {
                let mut both = yes;
                both.join(&no);
                both
            }
        };
        set(at.function, regs, dst, val);
    }

    /// Other threads may now find what a value points to.
    fn publish(&mut self, at: At<'p>, regs: &mut [Val], val: &Val) {
        for ptr in val.ptrs.iter().filter(|ptr| ptr.fresh) {
            unfresh(regs, ptr.obj);
            self.publishes(at.node, ptr.obj);
        }
    }

    /// A new object; older ones of the same place are not told apart any more.
    fn allocate(&mut self, _: At<'p>, regs: &mut [Val], kind: Kind, zeroed: bool) -> Val {
        let obj = self.memory.object(self.program, kind, zeroed);
        unfresh(regs, obj);
        Val { ptrs: smallvec![Ptr { obj, fresh: true, off: Off::exact(0) }], ..Val::default() }
    }

    fn compared_for_equality(&mut self, a: &Val, b: &Val) {
        let (a, b) = (self.with_aliases(a.clone()), self.with_aliases(b.clone()));
        for a in &a.ptrs {
            for b in &b.ptrs {
                self.compared.insert((a.obj, b.obj));
            }
        }
    }

    fn access(&mut self, at: At<'p>, targets: &Val, len: Option<u64>, write: bool, atomic: bool) {
        if self.recording.is_some() {
            let targets = self.in_memory(targets);
            self.note(at.pc, Action::Access(Access { targets, len, write, atomic }));
        }
    }

    /// Those of the pointers that lead to memory.
    fn in_memory(&self, val: &Val) -> SmallVec<[Ptr; 2]> {
        val.ptrs.iter().filter(|ptr| self.memory.get(ptr.obj).kind.is_memory()).copied().collect()
    }

    fn load(&mut self, at: At<'p>, targets: &Val, len: u64) -> Val {
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

    fn store(&mut self, at: At<'p>, regs: &mut [Val], targets: &Val, len: u64, val: &Val) {
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

    fn memory_instruction(&mut self, at: At<'p>, instr: &Instr, regs: &mut [Val]) -> Flow {
        let word = self.program.pointer_width;
        match instr {
            Instr::Load { width, dst, ptr, access } => {
                let targets = self.pointer(at, regs, *ptr);
                let len = u64::from(*width).div_ceil(8);
                self.access(at, &targets, Some(len), false, access.order.is_some());
                let mut val = self.load_wide(at, &targets, len);
                if val.undef && !self.only_moves(at, *dst) {
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

    fn call(
        &mut self,
        at: At<'p>,
        regs: &mut [Val],
        callee: &Callee,
        args: &[ir::Arg],
        dsts: &[Reg],
    ) -> Flow {
        let functions = match callee {
            Callee::Direct(function) => vec![*function],
            Callee::Indirect(target) => {
                let targets = self.pointer(at, regs, *target);
                self.functions(&targets, args, dsts, at)
            }
        };
        let values: Vec<Val> = args.iter().map(|arg| self.value(at, regs, arg.value, arg.width)).collect();
        let mut results: Option<Vec<Val>> = None;
        let mut nodes: SmallVec<[NodeIx; 2]> = SmallVec::new();
        for function in functions {
            let node = self.callee(at.node, at.pc, function);
            nodes.push(node);
            let named = self.program.function(function).params.len();
            if self.program.function(function).variadic {
                self.pass_variable(at, regs, args, &values, named);
            }
            self.pass(node, &values);
            if let Some(new) = self.results(node) {
                let known = results.get_or_insert_with(|| vec![Val::default(); new.len()]);
                known.iter_mut().zip(new).for_each(|(known, new)| {
                    known.join(new);
                });
            }
        }
        self.note(at.pc, Action::Call(nodes.clone()));
        self.publish_passed(at, regs, &values, &nodes);
        let Some(results) = results else { return Flow::End };
        for (dst, result) in dsts.iter().zip(results) {
            set(at.function, regs, *dst, result);
        }
        Flow::Next
    }

    /// Publishes what was passed to functions that publish it.
    fn publish_passed(&mut self, at: At<'p>, regs: &mut [Val], values: &[Val], callees: &[NodeIx]) {
        for value in values.iter().filter(|value| value.ptrs.iter().any(|ptr| ptr.fresh)) {
            let is_published = |ptr: &&Ptr| {
                callees.iter().any(|callee| self.nodes[*callee as usize].published.contains(&ptr.obj))
            };
            let published = value.ptrs.iter().filter(is_published).copied().collect();
            self.publish(at, regs, &Val { ptrs: published, ..Val::default() });
        }
    }

    /// The functions that a pointer may lead to and that fit the call.
    fn functions(&mut self, targets: &Val, args: &[ir::Arg], dsts: &[Reg], at: At<'p>) -> Vec<ir::FuncId> {
        let mut found = Vec::new();
        for ptr in &targets.ptrs {
            let Kind::Function(id) = self.memory.get(ptr.obj).kind else { continue };
            let function = self.program.function(id);
            let params = &function.params;
            let fits = params.len() == args.len() || function.variadic && params.len() <= args.len();
            let same = params.iter().zip(args).all(|(param, arg)| param.width == arg.width);
            let results = dsts.iter().map(|dst| at.function.slots[dst.0 as usize].width);
            let same_results = dsts.is_empty() || results.eq(function.results.iter().copied());
            if fits && same && same_results && !found.contains(&id) {
                found.push(id);
            }
        }
        found
    }

    /// Puts the variable arguments of a call into memory.
    fn pass_variable(
        &mut self,
        at: At<'p>,
        regs: &mut [Val],
        args: &[ir::Arg],
        values: &[Val],
        named: usize,
    ) {
        let object = self.memory.object(self.program, Kind::Arguments(at.node, at.pc), false);
        let word = self.program.pointer_size();
        let mut offset = 0;
        for (arg, value) in args.iter().zip(values).skip(named) {
            let bytes = u64::from(arg.width).div_ceil(8);
            offset = u64::next_multiple_of(offset, if arg.width > 64 { 16 } else { word });
            let to = Val::pointer(object, Off::exact(offset as i64));
            self.store(at, regs, &to, bytes, value);
            offset += bytes.next_multiple_of(word);
        }
    }

    fn sync(&mut self, at: At<'p>, regs: &mut [Val], op: SyncOp, dst: Option<Reg>, args: &[Operand]) -> Flow {
        use SyncOp::*;
        let word = self.program.pointer_width;
        let mut result = Val::any();
        self.hide(at, regs, op, args);
        match op {
            ThreadCreate => {
                let created = self.create(at, regs, args);
                if created.is_empty() {
                    return Flow::End;
                }
                result = Val::exact(0);
            }
            ThreadJoin => {
                self.join(at, regs, args);
                result = Val::exact(0);
            }
            ThreadSelf => {
                let thread = self.nodes[at.node as usize].thread;
                let object = self.memory.object(self.program, Kind::Handle(thread), false);
                result = Val::pointer(object, Off::exact(0));
            }
            KeyCreate => {
                let destructor = self.value(at, regs, args[1], word);
                if !destructor.ptrs.is_empty() {
                    self.give_up("thread-specific values have destructors");
                }
                let targets = self.pointer(at, regs, args[0]);
                self.access(at, &targets, Some(4), true, false);
                self.store(at, regs, &targets, 4, &Val::any());
            }
            KeySet | KeyGet => {
                let thread = self.nodes[at.node as usize].thread;
                let object = self.memory.object(self.program, Kind::Specific(thread), false);
                let place = Val::pointer(object, Off::exact(0));
                if op == KeySet {
                    let val = self.value(at, regs, args[1], word);
                    self.store(at, regs, &place, u64::from(word / 8), &val);
                } else {
                    result = self.load(at, &place, u64::from(word / 8));
                }
            }
            MutexInit | CondInit | RwInit | SpinInit | BarrierInit | SemInit => {
                let targets = self.pointer(at, regs, args[0]);
                let targets = self.in_memory(&targets);
                self.note(at.pc, Action::Renew(targets));
            }
            MutexLock | MutexTryLock | MutexTimedLock | RwReadLock | RwTryReadLock | RwTimedReadLock
            | RwWriteLock | RwTryWriteLock | RwTimedWriteLock | SpinLock | SpinTryLock => {
                self.lock(at, regs, op, args[0]);
            }
            CondWait | CondTimedWait => {
                // It gives the mutex back and takes it again before it goes on.
                let targets = self.pointer(at, regs, args[1]);
                self.use_lock(at, &targets, LockKind::Mutex);
                let targets = self.pointer(at, regs, args[0]);
                self.use_lock(at, &targets, LockKind::Other);
            }
            CondSignal | CondBroadcast | CondDestroy | BarrierWait | BarrierDestroy | SemWait
            | SemTryWait | SemTimedWait | SemPost | SemDestroy | OnceBegin | OnceEnd => {
                let targets = self.pointer(at, regs, args[0]);
                self.use_lock(at, &targets, LockKind::Other);
            }
            MutexUnlock | RwUnlock | SpinUnlock => {
                let targets = self.pointer(at, regs, args[0]);
                let (targets, kind) = (self.in_memory(&targets), lock_kind(op));
                self.note(at.pc, Action::Unlock { targets, kind });
            }
            _ => {}
        }
        if let Some(dst) = dst {
            set(at.function, regs, dst, result);
        }
        Flow::Next
    }

    /// The bytes of a synchronisation object in use read as anything.
    fn hide(&mut self, at: At<'p>, regs: &mut [Val], op: SyncOp, args: &[Operand]) {
        use SyncOp::*;
        let hidden = match op {
            ThreadCreate | ThreadJoin | ThreadDetach | ThreadSelf | KeyCreate | KeyDelete | KeySet
            | KeyGet => 0,
            CondWait | CondTimedWait => 2,
            _ => 1,
        };
        for place in &args[..hidden] {
            let targets = self.pointer(at, regs, *place);
            for ptr in self.in_memory(&targets) {
                self.memory.fill(ptr.obj, ptr.off, 1, Num::Any);
            }
        }
    }

    /// Notes the use of a synchronisation object that leaves the locks that are
    /// held as they are.
    fn use_lock(&mut self, at: At<'p>, targets: &Val, kind: LockKind) {
        let targets = self.in_memory(targets);
        self.note(at.pc, Action::Lock { targets, kind, exclusive: false, attempt: true });
    }

    fn lock(&mut self, at: At<'p>, regs: &mut [Val], op: SyncOp, place: Operand) {
        use SyncOp::*;
        let targets = self.pointer(at, regs, place);
        let (targets, kind) = (self.in_memory(&targets), lock_kind(op));
        let exclusive = !matches!(op, RwReadLock | RwTryReadLock | RwTimedReadLock);
        let attempt = !matches!(op, MutexLock | RwReadLock | RwWriteLock | SpinLock);
        self.note(at.pc, Action::Lock { targets, kind, exclusive, attempt });
    }

    /// Whether a register that is defined here is only stored, or given to an
    /// operation on threads, before it is overwritten.
    fn only_moves(&mut self, at: At<'p>, reg: Reg) -> bool {
        for instr in &at.function.code[at.pc as usize + 1..] {
            let mut used = false;
            instr.for_each_use(|operand, _| used |= operand == Operand::Reg(reg));
            if used && !matches!(instr, Instr::Store { .. } | Instr::Sync { .. }) {
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

    fn create(&mut self, at: At<'p>, regs: &mut [Val], args: &[Operand]) -> SmallVec<[u32; 2]> {
        let word = self.program.pointer_width;
        let start = self.value(at, regs, args[2], word);
        let argument = self.value(at, regs, args[3], word);
        let handle_at = self.pointer(at, regs, args[0]);
        self.access(at, &handle_at, Some(u64::from(word / 8)), true, false);
        self.publish(at, regs, &argument);
        let mut created = SmallVec::new();
        for ptr in &start.ptrs {
            let Kind::Function(id) = self.memory.get(ptr.obj).kind else { continue };
            let thread = self.created(at.node, at.pc, id);
            created.push(thread);
            let not_fresh = argument.ptrs.iter().filter(|ptr| !ptr.fresh);
            self.given_twice.extend(not_fresh.map(|ptr| (thread, ptr.obj)));
            let handle = self.memory.object(self.program, Kind::Handle(thread), false);
            self.store(at, regs, &handle_at, u64::from(word / 8), &Val::pointer(handle, Off::exact(0)));
            let whole = self.program.function(id).params.first().is_none_or(|param| param.width == word);
            let passed = if whole { argument.published() } else { Val::any() };
            if !whole {
                self.memory.pin(&argument);
            }
            let root = self.threads[thread as usize].root;
            self.pass(root, &[passed]);
        }
        self.note(at.pc, Action::Create(created.clone()));
        created
    }

    fn join(&mut self, at: At<'p>, regs: &mut [Val], args: &[Operand]) {
        let word = self.program.pointer_width;
        let handle = self.value(at, regs, args[0], word);
        let named: Vec<u32> = handle
            .ptrs
            .iter()
            .filter_map(|ptr| match self.memory.get(ptr.obj).kind {
                Kind::Handle(thread) => Some(thread),
                _ => None,
            })
            .collect();
        let number = !matches!(handle.num, Num::None | Num::Exact(0));
        let moved = handle.ptrs.iter().any(|ptr| ptr.off.known() != Some(0));
        let joined = match named[..] {
            [thread] if !number && !moved => Some(thread),
            _ => None,
        };
        self.note(at.pc, Action::Join(joined));
        let result_at = self.pointer(at, regs, args[1]);
        if result_at.ptrs.is_empty() {
            return;
        }
        self.access(at, &result_at, Some(u64::from(word / 8)), true, false);
        let all: Vec<u32> = if number || moved { (0..self.threads.len() as u32).collect() } else { named };
        for thread in all {
            let val = self.thread_result(thread, at.node);
            self.store(at, regs, &result_at, u64::from(word / 8), &val);
        }
    }
}

fn lock_kind(op: SyncOp) -> LockKind {
    use SyncOp::*;
    match op {
        SpinLock | SpinTryLock | SpinUnlock => LockKind::Spin,
        MutexLock | MutexTryLock | MutexTimedLock | MutexUnlock => LockKind::Mutex,
        _ => LockKind::RwLock,
    }
}

fn unfresh(regs: &mut [Val], obj: u32) {
    for reg in regs {
        if reg.ptrs.iter().any(|ptr| ptr.fresh && ptr.obj == obj) {
            *reg = reg.map(|ptr| Ptr { fresh: ptr.fresh && ptr.obj != obj, ..ptr });
        }
    }
}
