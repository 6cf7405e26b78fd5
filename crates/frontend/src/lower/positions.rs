//! Where in the source the instructions of a function stand: which block each
//! belongs to, and what can come before it.

use rustc_hash::FxHashMap;

use super::promote::{is_debug, lifetime};
use crate::llvm::{Block, DebugNode, Module, Opcode, Value};

/// The instructions of a function, by number.
pub struct Code<'m> {
    pub instructions: Vec<Value<'m>>,
    pub numbers: FxHashMap<Value<'m>, usize>,
    /// What can come before each.
    pub before: Vec<Vec<usize>>,
    /// The innermost blocks of the source that it belongs to: by its position,
    /// and by the variables that it uses.
    pub scopes: Vec<Vec<DebugNode<'m>>>,
}

impl<'m> Code<'m> {
    pub fn of(module: &'m Module<'m>, blocks: &[Block<'m>]) -> Code<'m> {
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

    /// The instructions that belong to a block of the source, ascending.
    pub fn inside(&self, scope: DebugNode<'m>) -> Vec<usize> {
        let is_inside = |i: &usize| self.scopes[*i].iter().any(|s| s.is_within(scope));
        (0..self.instructions.len()).filter(is_inside).collect()
    }

    /// The instructions that use a local, ascending; `None` if something else does.
    pub fn users(&self, local: Value<'m>) -> Option<Vec<usize>> {
        let number = |user| self.numbers.get(&user).copied();
        let mut users: Vec<usize> = local.users().map(number).collect::<Option<_>>()?;
        users.sort_unstable();
        Some(users)
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
