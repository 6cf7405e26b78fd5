//! Locks that are merely tried, and held where that succeeded.
//!
//! An attempt yields 0 if it has taken the lock, and another number if not. So
//! where the next instruction compares its result with 0 and the one after
//! branches on that, the lock is held on one of the two edges.

use ir::operation::{Action as Deed, Operation, Patience};
use ir::{Instr, Operand, Pred};

use crate::event::Action;
use crate::flow::Lock;
use crate::interpret::{Interpreter, Node};
use crate::memory::NodeIx;

/// An edge of a node's blocks after which a lock is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The node.
    pub node: NodeIx,
    /// The block in which the lock is tried.
    pub from: u32,
    /// The block that follows if it could be had.
    pub to: u32,
    /// The lock.
    pub lock: Lock,
    /// Whether no other thread can hold it at the same time.
    pub exclusive: bool,
}

/// The edges after which a lock is held.
pub fn taken(interpreter: &Interpreter<'_>) -> Vec<Taken> {
    let mut found = Vec::new();
    for (ix, node) in interpreter.nodes.iter().enumerate() {
        found.extend(
            (0..node.blocks.len()).filter_map(|block| attempt(interpreter, ix as NodeIx, node, block)),
        );
    }
    found
}

/// The attempt at the end of a block.
fn attempt(interpreter: &Interpreter<'_>, ix: NodeIx, node: &Node, from: usize) -> Option<Taken> {
    let function = interpreter.program.function(node.func);
    let blocks = interpreter.blocks(node.func);
    let range = blocks.range(from);
    let [.., Instr::Sync { op, dst: Some(result), .. }, compare, Instr::Branch { cond, yes, no }] =
        &function.code[range.clone()]
    else {
        return None;
    };
    let Instr::Compare { pred, dst, lhs, rhs: Operand::Int(0), .. } = compare else { return None };
    let Deed::Take { patience: Patience::Tries | Patience::Timed, .. } = Operation::of(*op).action else {
        return None;
    };
    let success = match pred {
        Pred::Eq => *yes,
        Pred::Ne => *no,
        _ => return None,
    };
    let compared = *lhs == Operand::Reg(*result) && *cond == Operand::Reg(*dst) && yes != no;
    let event =
        node.blocks[from].events.last().filter(|event| compared && event.pc as usize == range.end - 3)?;
    let Action::Lock { targets, kind, exclusive, .. } = &event.action else { return None };
    let [ptr] = targets[..] else { return None };
    let lock = Lock { obj: ptr.obj, off: ptr.off.known()?, kind: *kind };
    let to = blocks.containing(success) as u32;
    Some(Taken { node: ix, from: from as u32, to, lock, exclusive: *exclusive })
}
