//! What each instruction does to abstract values.
//!
//! # Objects that no other thread knows yet
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

mod calls;
mod memory;
mod sync;

use ir::{Instr, Operand, Pc, Reg};
use smallvec::{SmallVec, smallvec};

use crate::eval::{self, Computed};
use crate::event::Action;
use crate::interpret::{Flow, Interpreter, set};
use crate::memory::{Kind, NodeIx};
use crate::value::{Off, Ptr, Val};

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
            Instr::ObjectSize { dst, .. } => {
                self.note(pc, Action::Other);
                set(function, regs, *dst, Val::any());
            }
            Instr::Alloca { dst, .. } => {
                let val = self.allocate(regs, Kind::Frame(node, pc), false);
                set(function, regs, *dst, val);
            }
            Instr::Malloc { dst, zeroed, .. } => {
                self.note(pc, Action::Other);
                let mut val = self.allocate(regs, Kind::Heap(node, pc), *zeroed);
                // One that is too large is null.
                val.join(&Val::exact(0));
                set(function, regs, *dst, val);
            }
            Instr::Load { .. }
            | Instr::Store { .. }
            | Instr::AtomicRmw { .. }
            | Instr::CompareExchange(_)
            | Instr::MemCopy { .. }
            | Instr::MemSet { .. } => return self.memory_instruction(at, instr, regs),
            Instr::VaStart { .. }
            | Instr::Free { .. }
            | Instr::ScopeBegin { .. }
            | Instr::ScopeEnd { .. } => {
                self.note(pc, Action::Other);
                return self.memory_instruction(at, instr, regs);
            }
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
            Instr::Sync { op, dst, args } => {
                self.note(pc, Action::Other);
                return self.sync(at, regs, *op, *dst, args);
            }
            Instr::AtomicBegin { orders } => self.note(pc, Action::Begin { orders: *orders }),
            Instr::AtomicEnd { orders } => self.note(pc, Action::End { orders: *orders }),
            Instr::Unsupported { .. } => {
                self.unsupported.get_or_insert((self.nodes[node as usize].func, pc));
                return Flow::End;
            }
            Instr::Fail { .. } => {
                self.note(pc, Action::Other);
                return Flow::End;
            }
            Instr::Unreachable | Instr::Exit { .. } => return Flow::End,
            Instr::EndObject { .. } | Instr::StackRestore { .. } => self.note(pc, Action::Other),
            Instr::Fence { .. } | Instr::Initialised { .. } | Instr::Yield => {}
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
            Operand::Undef => {
                self.moves_undefined = true;
                Val::any()
            }
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
    fn allocate(&mut self, regs: &mut [Val], kind: Kind, zeroed: bool) -> Val {
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

    /// Notes an access that may be to a variable that is defined nowhere, which the machine
    /// cannot make.
    fn look_for_undefined(&mut self, at: At<'p>, targets: &Val) {
        let is_undefined = |ptr: &Ptr| match self.memory.get(ptr.obj).kind {
            Kind::Global(id) => self.program.global(id).undefined,
            _ => false,
        };
        if targets.ptrs.iter().any(is_undefined) {
            self.unsupported.get_or_insert((self.nodes[at.node as usize].func, at.pc));
        }
    }

    /// Those of the pointers that lead to memory.
    fn in_memory(&self, val: &Val) -> SmallVec<[Ptr; 2]> {
        val.ptrs.iter().filter(|ptr| self.memory.get(ptr.obj).kind.is_memory()).copied().collect()
    }
}

fn unfresh(regs: &mut [Val], obj: u32) {
    for reg in regs {
        if reg.ptrs.iter().any(|ptr| ptr.fresh && ptr.obj == obj) {
            *reg = reg.map(|ptr| Ptr { fresh: ptr.fresh && ptr.obj != obj, ..ptr });
        }
    }
}
