//! Which locals are a new object each time their scope begins.
//!
//! clang marks where the scope of a local begins and ends. A local whose
//! address is never used outside of those marks has no object before its scope
//! begins, so that the object can be made there: a pointer from an earlier
//! round of a loop then leads to an object that is no more. In modules that
//! were optimised elsewhere an address may be computed before the scope begins;
//! such a local is one object for the whole call, which its scope makes usable.

use rustc_hash::{FxHashMap, FxHashSet};

use super::promote::lifetime;
use crate::llvm::{Block, Opcode, Value};

/// What happens first to a local in a block.
#[derive(Clone, Copy, PartialEq)]
enum First {
    Begin,
    Use,
}

/// The blocks by number, each with its successors.
struct Graph<'m> {
    next: Vec<Vec<usize>>,
    first: FxHashMap<(Value<'m>, usize), First>,
}

/// The locals of these blocks, the entry block first, that are made where their
/// scope begins.
pub fn scoped<'m>(blocks: &[Block<'m>]) -> FxHashSet<Value<'m>> {
    let marked: FxHashSet<Value<'m>> = blocks
        .iter()
        .flat_map(|block| block.instructions())
        .filter_map(|instruction| lifetime(instruction).filter(|(begins, _)| *begins))
        .map(|(_, local)| local)
        .filter(|local| is_fixed(*local, blocks.first().copied()))
        .collect();
    if marked.is_empty() {
        return marked;
    }
    let graph = Graph::of(blocks, &marked);
    marked.into_iter().filter(|local| !graph.is_used_before_it_begins(*local)).collect()
}

/// Whether it is made once, with a size that is known.
pub fn is_fixed<'m>(local: Value<'m>, entry: Option<Block<'m>>) -> bool {
    local.opcode() == Some(Opcode::LLVMAlloca)
        && local.block() == entry
        && local.operand(0).is_some_and(|count| count.int_bits().is_some())
}

impl<'m> Graph<'m> {
    fn of(blocks: &[Block<'m>], marked: &FxHashSet<Value<'m>>) -> Graph<'m> {
        let numbers: FxHashMap<Block<'m>, usize> = blocks.iter().copied().zip(0..).collect();
        let mut graph = Graph { next: Vec::new(), first: FxHashMap::default() };
        for (number, block) in blocks.iter().enumerate() {
            for instruction in block.instructions() {
                graph.note(number, instruction, marked);
            }
            let next = block.terminator().map(|terminator| terminator.successors()).unwrap_or_default();
            graph.next.push(next.iter().filter_map(|block| numbers.get(block).copied()).collect());
        }
        graph
    }

    fn note(&mut self, block: usize, instruction: Value<'m>, marked: &FxHashSet<Value<'m>>) {
        match lifetime(instruction) {
            Some((true, local)) => {
                self.first.entry((local, block)).or_insert(First::Begin);
            }
            Some(_) => {}
            None => (0..instruction.operand_count())
                .filter_map(|index| instruction.operand(index))
                .filter(|operand| marked.contains(operand))
                .for_each(|local| {
                    self.first.entry((local, block)).or_insert(First::Use);
                }),
        }
    }

    fn is_used_before_it_begins(&self, local: Value<'m>) -> bool {
        let mut seen = vec![false; self.next.len()];
        let mut work = vec![0];
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut seen[block], true) {
                continue;
            }
            match self.first.get(&(local, block)) {
                Some(First::Use) => return true,
                Some(First::Begin) => {}
                None => work.extend(&self.next[block]),
            }
        }
        false
    }
}
