//! Which definitions of a register reach a use, and which uses a definition
//! reaches. A register may have several lives, which have nothing to do with
//! each other.

use crate::instr::{Instr, Operand, Reg};
use crate::program::{Function, Pc};

/// Definitions and uses in one function, found when they are asked for.
pub struct Chains<'a> {
    function: &'a Function,
    successors: Vec<Vec<Pc>>,
    predecessors: Vec<Vec<Pc>>,
}

impl<'a> Chains<'a> {
    /// Those of a function.
    pub fn of(function: &'a Function) -> Chains<'a> {
        let mut successors = vec![Vec::new(); function.code.len()];
        let mut predecessors = vec![Vec::new(); function.code.len()];
        for (pc, instr) in function.code.iter().enumerate() {
            let mut edge = |to: Pc| {
                successors[pc].push(to);
                predecessors[to as usize].push(pc as Pc);
            };
            instr.for_each_target(&mut edge);
            if !instr.is_terminator() {
                edge(pc as Pc + 1);
            }
        }
        Chains { function, successors, predecessors }
    }

    /// The instructions that may have defined a register where an instruction
    /// begins. None if it may have its value from the beginning, like a
    /// parameter.
    pub fn definitions(&self, pc: Pc, reg: Reg) -> Option<Vec<Pc>> {
        let mut reaches_entry = pc == 0;
        let mut found = Vec::new();
        self.walk(&self.predecessors, pc, |at| {
            let defines = defines(&self.function.code[at as usize], reg);
            if defines {
                found.push(at);
            }
            reaches_entry |= at == 0 && !defines;
            !defines
        });
        (!reaches_entry).then_some(found)
    }

    /// The instructions that may use what an instruction gives to a register.
    pub fn uses(&self, pc: Pc, reg: Reg) -> Vec<Pc> {
        let mut found = Vec::new();
        self.walk(&self.successors, pc, |at| {
            let instr = &self.function.code[at as usize];
            if uses(instr, reg) {
                found.push(at);
            }
            !defines(instr, reg)
        });
        found
    }

    /// Visits what can be reached from an instruction along edges, each once, for
    /// as long as `visit` says that it goes on.
    fn walk(&self, edges: &[Vec<Pc>], from: Pc, mut visit: impl FnMut(Pc) -> bool) {
        let mut met = vec![false; edges.len()];
        let mut due = edges[from as usize].clone();
        while let Some(pc) = due.pop() {
            if !std::mem::replace(&mut met[pc as usize], true) && visit(pc) {
                due.extend(&edges[pc as usize]);
            }
        }
    }
}

pub(crate) fn defines(instr: &Instr, reg: Reg) -> bool {
    let mut defines = false;
    instr.for_each_def(|defined, _| defines |= defined == reg);
    defines
}

pub(crate) fn uses(instr: &Instr, reg: Reg) -> bool {
    let mut uses = false;
    instr.for_each_use(|operand, _| uses |= operand == Operand::Reg(reg));
    uses
}
