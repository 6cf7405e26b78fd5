//! Whether a program can find out that two threads have the same identifier.

use crate::operation::{Action, Operation};
use crate::{Function, Instr, Operand, Program, Reg, SyncOp};

impl Program {
    /// Whether the identifier that a thread has of itself may be compared with
    /// others, so that it matters that identifiers are given out again. This
    /// costs nothing to overestimate but speed.
    pub fn tells_thread_ids(&self) -> bool {
        self.functions.iter().any(tells)
    }
}

/// Whether a function does more with the identifier of its thread than to name
/// the thread that is to be detached or joined.
fn tells(function: &Function) -> bool {
    let mut ids = Vec::new();
    let new = |ids: &[Reg]| {
        let mut made = function.code.iter().filter_map(|instr| made(instr, ids));
        made.find(|id| !ids.contains(id))
    };
    while let Some(id) = new(&ids) {
        ids.push(id);
    }
    function.code.iter().any(|instr| !names_only(instr) && uses(instr, &ids))
}

/// The register that an instruction gives an identifier to.
fn made(instr: &Instr, ids: &[Reg]) -> Option<Reg> {
    match instr {
        Instr::Sync { op: SyncOp::ThreadSelf, dst, .. } => *dst,
        Instr::Move { dst, .. } if uses(instr, ids) => Some(*dst),
        _ => None,
    }
}

fn names_only(instr: &Instr) -> bool {
    match instr {
        Instr::Move { .. } => true,
        Instr::Sync { op, .. } => matches!(Operation::of(*op).action, Action::Detach | Action::Join),
        _ => false,
    }
}

fn uses(instr: &Instr, ids: &[Reg]) -> bool {
    let mut uses = false;
    instr.for_each_use(|operand, _| uses |= matches!(operand, Operand::Reg(reg) if ids.contains(&reg)));
    uses
}
