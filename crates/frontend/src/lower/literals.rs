//! Where compound literals begin and end.
//!
//! A compound literal lives as long as the block that it stands in, but clang
//! does not mark where that ends. The debug information tells which block an
//! instruction belongs to: the literal's is the one of the instructions that
//! initialise it. Some instructions have a position outside of their block (the
//! jump after a condition), so that the block is taken to be left only where no
//! way leads back into it other than by its first instruction. A literal whose
//! block is entered elsewhere, or begun again without being left (by `goto`:
//! it is then the same object), is left to [`super::bypassed`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::positions::Code;
use crate::llvm::{Block, DebugNode, Module, Opcode, Value};

/// Before which instructions the objects of literals begin and end.
#[derive(Default)]
pub struct Literals<'m> {
    pub begins: FxHashMap<Value<'m>, Vec<Value<'m>>>,
    pub ends: FxHashMap<Value<'m>, Vec<Value<'m>>>,
}

/// Whether it is the memory of a compound literal.
pub fn is_literal(local: &Value<'_>) -> bool {
    local.opcode() == Some(Opcode::LLVMAlloca) && local.name().starts_with(".compoundliteral")
}

/// The compound literals of these blocks, the entry block first, that end
/// before their function does.
pub fn literals<'m>(module: &'m Module<'m>, blocks: &[Block<'m>]) -> Literals<'m> {
    let mut literals = Literals::default();
    let Some(entry) = blocks.first() else { return literals };
    let found: Vec<Value<'m>> = entry.instructions().filter(is_literal).collect();
    if found.is_empty() {
        return literals;
    }
    let code = Code::of(module, blocks);
    for literal in found {
        if let Some(life) = code.life(literal) {
            literals.begins.entry(code.instructions[life.first]).or_default().push(literal);
            for end in life.ends {
                literals.ends.entry(code.instructions[end]).or_default().push(literal);
            }
        }
    }
    literals
}

/// A literal's life: the instruction before which it begins, and those before
/// which it ends.
struct Life {
    first: usize,
    ends: Vec<usize>,
}

impl<'m> Code<'m> {
    /// The block that a literal stands in; `None` if that is its function's.
    pub fn block_of(&self, literal: Value<'m>) -> Option<DebugNode<'m>> {
        self.scopes[*self.users(literal)?.first()?].first()?.enclosing_block()
    }

    fn life(&self, literal: Value<'m>) -> Option<Life> {
        let users = self.users(literal)?;
        let scope = self.block_of(literal)?;
        let inside = self.inside(scope);
        let first = *inside.first()?;
        let alive = self.leading_to(&inside, first);
        let again = self.before[first].iter().any(|i| alive.contains(i));
        if alive.contains(&0) || again || users.iter().any(|user| !alive.contains(user)) {
            return None;
        }
        let left = |i: &usize| !alive.contains(i) && self.before[*i].iter().any(|b| alive.contains(b));
        Some(Life { first, ends: (0..self.instructions.len()).filter(left).collect() })
    }

    /// The instructions from which a way leads to some of these, other than by
    /// the first.
    fn leading_to(&self, these: &[usize], first: usize) -> FxHashSet<usize> {
        let mut found: FxHashSet<usize> = these.iter().copied().collect();
        let mut work = these.to_vec();
        while let Some(instruction) = work.pop() {
            if instruction == first {
                continue;
            }
            work.extend(self.before[instruction].iter().copied().filter(|i| found.insert(*i)));
        }
        found
    }
}
