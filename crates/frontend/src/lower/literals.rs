//! Where compound literals begin and end.
//!
//! A compound literal lives as long as the block that it stands in, but clang
//! does not mark where that ends. The debug information tells which block an
//! instruction belongs to: the literal's is the one of the instructions that
//! initialise it. Some instructions have a position outside of their block (the
//! jump after a condition), so that the block is taken to be left only where no
//! way leads back into it other than by its first instruction. A literal whose
//! block is entered elsewhere, or begun again without being left (by `goto`:
//! it is then the same object), lives until its function returns.

use rustc_hash::{FxHashMap, FxHashSet};

use super::promote::{is_debug, lifetime};
use crate::llvm::{Block, DebugNode, Module, Opcode, Value};

/// Before which instructions the objects of literals begin and end.
#[derive(Default)]
pub struct Literals<'m> {
    pub begins: FxHashMap<Value<'m>, Vec<Value<'m>>>,
    pub ends: FxHashMap<Value<'m>, Vec<Value<'m>>>,
}

/// The compound literals of these blocks, the entry block first, that end
/// before their function does.
pub fn literals<'m>(module: &'m Module<'m>, blocks: &[Block<'m>]) -> Literals<'m> {
    let mut literals = Literals::default();
    let Some(entry) = blocks.first() else { return literals };
    let is_literal = |local: &Value<'m>| {
        local.opcode() == Some(Opcode::LLVMAlloca) && local.name().starts_with(".compoundliteral")
    };
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

/// The instructions of a function, by number.
struct Code<'m> {
    instructions: Vec<Value<'m>>,
    numbers: FxHashMap<Value<'m>, usize>,
    /// What can come before each.
    before: Vec<Vec<usize>>,
    /// The innermost blocks of the source that it belongs to: by its position,
    /// and by the variables that it uses.
    scopes: Vec<Vec<DebugNode<'m>>>,
}

/// A literal's life: the instruction before which it begins, and those before
/// which it ends.
struct Life {
    first: usize,
    ends: Vec<usize>,
}

impl<'m> Code<'m> {
    fn of(module: &'m Module<'m>, blocks: &[Block<'m>]) -> Code<'m> {
        let counts = |i: &Value<'m>| !is_debug(*i) && i.opcode() != Some(Opcode::LLVMPHI);
        let of_block = |block: &Block<'m>| block.instructions().filter(counts).collect::<Vec<_>>();
        let instructions: Vec<Value<'m>> = blocks.iter().flat_map(of_block).collect();
        let numbers: FxHashMap<_, _> = instructions.iter().copied().zip(0..).collect();
        let mut before = vec![Vec::new(); instructions.len()];
        for block in blocks {
            let inner = of_block(block);
            for pair in inner.windows(2) {
                before[numbers[&pair[1]]].push(numbers[&pair[0]]);
            }
            let (Some(last), Some(terminator)) = (inner.last(), block.terminator()) else { continue };
            for next in terminator.successors() {
                if let Some(first) = next.instructions().find(counts).and_then(|i| numbers.get(&i)) {
                    before[*first].push(numbers[last]);
                }
            }
        }
        let scopes = scopes(module, &instructions);
        Code { instructions, numbers, before, scopes }
    }

    fn life(&self, literal: Value<'m>) -> Option<Life> {
        let mut users: Vec<usize> =
            literal.users().map(|user| self.numbers.get(&user).copied()).collect::<Option<_>>()?;
        users.sort_unstable();
        let scope = self.scopes[*users.first()?].first()?.enclosing_block()?;
        let inside: Vec<usize> = (0..self.instructions.len())
            .filter(|i| self.scopes[*i].iter().any(|s| s.is_within(scope)))
            .collect();
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

/// The scopes of instructions. What is done to a variable at the end of its
/// block has a position outside of it.
fn scopes<'m>(module: &'m Module<'m>, instructions: &[Value<'m>]) -> Vec<Vec<DebugNode<'m>>> {
    let begun = instructions
        .iter()
        .filter_map(|i| lifetime(*i).filter(|(begins, _)| *begins).map(|(_, local)| (local, *i)));
    let declared: FxHashMap<Value<'m>, DebugNode<'m>> =
        begun.filter_map(|(local, begin)| Some((local, begin.scope(module)?))).collect();
    let of = |instruction: &Value<'m>| {
        let operands = (0..instruction.operand_count()).filter_map(|index| instruction.operand(index));
        let variables = operands.filter_map(|operand| declared.get(&operand).copied());
        instruction.scope(module).into_iter().chain(variables).collect()
    };
    instructions.iter().map(of).collect()
}
