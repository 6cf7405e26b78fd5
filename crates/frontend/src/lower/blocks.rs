//! The blocks of a function: in which order they are lowered, and how their
//! instructions are numbered.

use rustc_hash::{FxHashMap, FxHashSet};

use super::promote::is_debug;
use crate::llvm::{Block, Opcode, Value};

/// The instructions of a block that have an ordinal.
pub fn counted<'m>(block: Block<'m>) -> impl Iterator<Item = Value<'m>> {
    block.instructions().filter(|instruction| !is_debug(*instruction))
}

/// The ordinal of each block's first instruction, see [`ir::Site`].
pub fn block_ordinals(function: Value<'_>) -> FxHashMap<Block<'_>, u32> {
    let (mut ordinals, mut next) = (FxHashMap::default(), 1);
    for block in function.blocks() {
        ordinals.insert(block, next);
        next += counted(block).count() as u32;
    }
    ordinals
}

/// The blocks that can be reached without an exception, each before those it dominates.
pub fn reachable(function: Value<'_>) -> Vec<Block<'_>> {
    let Some(entry) = function.blocks().into_iter().next() else { return Vec::new() };
    let mut seen = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack = vec![(entry, successors(entry))];
    seen.insert(entry);
    while let Some((block, pending)) = stack.last_mut() {
        match pending.pop() {
            Some(next) if seen.insert(next) => stack.push((next, successors(next))),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Where a block goes on to, in the order that puts the first one next.
fn successors(block: Block<'_>) -> Vec<Block<'_>> {
    let Some(terminator) = block.terminator() else { return Vec::new() };
    let mut next = terminator.successors();
    if terminator.opcode() == Some(Opcode::LLVMInvoke) {
        next.truncate(1);
    }
    next
}
