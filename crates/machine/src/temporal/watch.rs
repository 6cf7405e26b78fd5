//! The instructions that may change a proposition.

use ir::{Callee, FuncId, GlobalId, Instr, Operand, Pc, Program, SyncOp};

use super::Proposition;
use crate::machine::Machine;
use crate::state::State;
use crate::telling::fault::ThreadId;
use crate::value::{Named, ObjectId};

/// What has to be visible, because propositions depend on it.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    /// The global variables that conditions look at.
    globals: Vec<GlobalId>,
    /// For each function, the instructions that may change a proposition by where they
    /// lead.
    sites: Vec<Box<[bool]>>,
}

impl Watch {
    pub fn new(propositions: &[Proposition], program: &Program) -> Watch {
        let globals = propositions.iter().flat_map(Proposition::globals).collect();
        let none = |function: &ir::Function| vec![false; function.code.len()].into_boxed_slice();
        let sites = program.functions.iter().map(none).collect();
        let mut watch = Watch { globals, sites };
        watch.ends(program);
        for proposition in propositions {
            match proposition {
                Proposition::Called(calls) => watch.calls(calls, program),
                Proposition::At { function, pcs, .. } => watch.boundary(*function, pcs, program),
                Proposition::Condition(_) | Proposition::Terminated => {}
            }
        }
        watch
    }

    /// Whether an instruction may change a proposition by where it leads.
    #[inline]
    pub fn has(&self, function: FuncId, pc: Pc) -> bool {
        self.sites[function.0 as usize][pc as usize]
    }

    /// Where a thread or the process may end, each in a step of its own.
    fn ends(&mut self, program: &Program) {
        self.mark(program, |_, _, instr| matches!(instr, Instr::ThreadExit { .. } | Instr::Exit { .. }));
    }

    /// Calls of a function, and all that it does.
    fn calls(&mut self, calls: &[(FuncId, Pc)], program: &Program) {
        for (function, pc) in calls {
            self.sites[function.0 as usize][*pc as usize] = true;
            let instr = &program.function(*function).code[*pc as usize];
            if let Instr::Call { callee: Callee::Direct(callee), .. } = instr {
                self.sites[callee.0 as usize].fill(true);
            }
        }
    }

    /// What leads into or out of some instructions of a function: those that do by
    /// themselves, calls, returns, and the creation of threads.
    fn boundary(&mut self, function: FuncId, pcs: &[Pc], program: &Program) {
        self.mark(program, |id, pc, instr| {
            let inside = |pc: Pc| pcs.contains(&pc);
            let mut crosses = !instr.is_terminator() && inside(pc) != inside(pc + 1);
            instr.for_each_target(|target| crosses |= inside(pc) != inside(target));
            let enters = match instr {
                Instr::Call { callee: Callee::Direct(callee), .. } => *callee == function,
                Instr::Call { .. } | Instr::Sync { op: SyncOp::ThreadCreate, .. } => true,
                _ => false,
            };
            enters || id == function && (crosses || matches!(instr, Instr::Return { .. }))
        });
    }

    fn mark(&mut self, program: &Program, wanted: impl Fn(FuncId, Pc, &Instr) -> bool) {
        for (function, id) in program.functions.iter().zip(0..) {
            for (instr, pc) in function.code.iter().zip(0..) {
                self.sites[id as usize][pc as usize] |= wanted(FuncId(id), pc, instr);
            }
        }
    }
}

impl Machine {
    /// Whether the thread's next instruction may change a proposition.
    pub(crate) fn is_watched(&self, watch: &Watch, state: &State, thread: ThreadId) -> bool {
        let frame = state.thread(thread).frame();
        if watch.has(frame.function, frame.pc) {
            return true;
        }
        let instr = &self.program().function(frame.function).code[frame.pc as usize];
        let written = |operand: Operand| self.may_be_watched(watch, self.peek(state, thread, operand).object);
        match instr {
            // The last return of a thread ends it, and others lead the caller on.
            Instr::Return { .. } => {
                let mut callers = state.thread(thread).frames.outwards().skip(1);
                callers.next().is_none_or(|caller| watch.has(caller.function, caller.pc))
            }
            Instr::Store { ptr, .. }
            | Instr::AtomicRmw { ptr, .. }
            | Instr::MemSet { dst: ptr, .. }
            | Instr::MemCopy { dst: ptr, .. }
            | Instr::VaStart { list: ptr } => written(*ptr),
            Instr::CompareExchange(cx) => written(cx.ptr),
            Instr::Sync { args, .. } => args.iter().any(|arg| written(*arg)),
            _ => false,
        }
    }

    /// Whether an object may be one that conditions look at. A number may be the address of
    /// anything.
    pub(crate) fn may_be_watched(&self, watch: &Watch, object: ObjectId) -> bool {
        match object.named() {
            Named::Slot { .. } => watch.globals.iter().any(|global| self.global(*global) == object),
            Named::Constant(_) | Named::Function(_) => false,
            _ => !watch.globals.is_empty(),
        }
    }
}
