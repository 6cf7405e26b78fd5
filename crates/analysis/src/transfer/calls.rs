//! Calls.

use ir::{Callee, Reg};
use smallvec::SmallVec;

use super::At;
use crate::event::Action;
use crate::interpret::{Flow, Interpreter, set};
use crate::memory::{Kind, NodeIx};
use crate::value::{Off, Ptr, Val};

impl<'p> Interpreter<'p> {
    pub(super) fn call(
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
}
