//! Locals whose block may be entered by a jump past their declaration.
//!
//! clang does not mark the life of a variable that a `goto` or a `case` may
//! bypass, nor of one that is declared after a label; of one that stands before
//! the first `case` of a `switch` it does not even say where it is declared. Nor can a compound literal
//! begin at the first instruction of a block that is entered elsewhere. Such a
//! local is made when its function is called, and made anew wherever its block
//! has been left: a pointer to what it was before then leads to an object that
//! is no more, and one that became a register holds nothing. Being made anew where the block was not entered does no harm.
//!
//! Which block an instruction belongs to is known by its position in the source.
//! Jumps may have a position outside of the block that they belong to, and so
//! may marks of other variables; a block is taken to be left where anything else
//! outside of it is reached. If a local is used outside of its block (which
//! happens to what is returned), it is not made anew at all.

use rustc_hash::{FxHashMap, FxHashSet};

use super::literals::{Literals, is_literal};
use super::positions::Code;
use super::promote::{is_debug, lifetime};
use super::scopes::is_fixed;
use crate::llvm::{Block, DebugNode, Module, Opcode, Value};

/// Before which instructions which locals are made anew.
pub type Renewals<'m> = FxHashMap<Value<'m>, Vec<Value<'m>>>;

/// The renewals in these blocks, the entry block first.
pub fn renewals<'m>(module: &'m Module<'m>, blocks: &[Block<'m>], literals: &Literals<'m>) -> Renewals<'m> {
    let mut renewals = Renewals::default();
    let variables = unmarked(module, blocks);
    let undeclared = undeclared(module, blocks);
    let bounded: FxHashSet<&Value<'m>> = literals.begins.values().flatten().collect();
    let others = blocks.first().into_iter().flat_map(|entry| entry.instructions());
    let others: Vec<_> = others.filter(|local| is_literal(local) && !bounded.contains(local)).collect();
    if variables.is_empty() && others.is_empty() && undeclared.is_empty() {
        return renewals;
    }
    let code = Code::of(module, blocks);
    let others = others.into_iter().filter_map(|literal| Some((literal, code.block_of(literal)?)));
    let undeclared =
        undeclared.into_iter().filter_map(|local| Some((local, code.switch_around(module, local)?)));
    for (local, scope) in variables.into_iter().chain(others).chain(undeclared) {
        for at in code.left(local, scope) {
            renewals.entry(code.instructions[at]).or_default().push(local);
        }
    }
    renewals
}

/// The variables of blocks whose life is not marked, with those blocks.
fn unmarked<'m>(module: &'m Module<'m>, blocks: &[Block<'m>]) -> Vec<(Value<'m>, DebugNode<'m>)> {
    let entry = blocks.first().copied();
    let instructions = blocks.iter().flat_map(|block| block.instructions());
    let declared = |declaration: Value<'m>| {
        let (local, _) = declaration.declared_variable(module)?;
        Some((local, declaration.scope(module)?.enclosing_block()?))
    };
    let is_unmarked = |local: Value<'m>| local.users().all(|user| lifetime(user).is_none());
    instructions
        .filter(|instruction| is_debug(*instruction))
        .filter_map(declared)
        .filter(|(local, _)| is_fixed(*local, entry) && is_unmarked(*local))
        .collect()
}

/// The locals of which nothing says where they are declared. Names with a dot,
/// and some others, are clang's own.
fn undeclared<'m>(module: &'m Module<'m>, blocks: &[Block<'m>]) -> Vec<Value<'m>> {
    let instructions = || blocks.iter().flat_map(|block| block.instructions());
    let declared: FxHashSet<Value<'m>> = instructions()
        .filter(|instruction| is_debug(*instruction))
        .filter_map(|declaration| Some(declaration.declared_variable(module)?.0))
        .collect();
    let has_switch = instructions().any(|instruction| instruction.opcode() == Some(Opcode::LLVMSwitch));
    let is_own =
        |name: &str| name.is_empty() || name.contains('.') || matches!(name, "retval" | "saved_stack");
    let entry = blocks.first().copied().filter(|_| has_switch);
    let is_undeclared = |local: &Value<'m>| {
        is_fixed(*local, entry)
            && !declared.contains(local)
            && !is_own(&local.name())
            && local.users().all(|user| lifetime(user).is_none())
    };
    entry.into_iter().flat_map(|entry| entry.instructions()).filter(is_undeclared).collect()
}

impl<'m> Code<'m> {
    /// The body of the `switch` in which a local is used: one that stands before
    /// the first `case` is declared where no execution comes along.
    fn switch_around(&self, module: &'m Module<'m>, local: Value<'m>) -> Option<DebugNode<'m>> {
        let users = self.users(local)?;
        let is_inside =
            |scope: DebugNode<'m>, number: &usize| self.scopes[*number].iter().any(|s| s.is_within(scope));
        let mut scope = self.scopes[*users.first()?].first()?.enclosing_block();
        while let Some(block) = scope {
            let outer = block.parent();
            let enters = |number: &usize| {
                let instruction = self.instructions[*number];
                instruction.opcode() == Some(Opcode::LLVMSwitch) && instruction.scope(module) == outer
            };
            let all_inside = users.iter().all(|user| is_inside(block, user));
            if all_inside && (0..self.instructions.len()).any(|number| enters(&number)) {
                return Some(block);
            }
            scope = outer.and_then(DebugNode::enclosing_block);
        }
        None
    }

    /// The instructions outside of a local's block that may be the first after it.
    fn left(&self, local: Value<'m>, scope: DebugNode<'m>) -> Vec<usize> {
        let inside: FxHashSet<usize> = self.inside(scope).into_iter().collect();
        let mut found = Vec::new();
        if !self.users(local).is_some_and(|users| users.iter().all(|user| inside.contains(user))) {
            return found;
        }
        let after = self.after();
        let mut seen = inside.clone();
        let mut work: Vec<usize> = inside.into_iter().collect();
        while let Some(instruction) = work.pop() {
            for next in after[instruction].iter().copied().filter(|next| seen.insert(*next)) {
                match self.may_belong_elsewhere(next) {
                    true => work.push(next),
                    false => found.push(next),
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// What can come after each instruction.
    fn after(&self) -> Vec<Vec<usize>> {
        let mut after = vec![Vec::new(); self.before.len()];
        for (instruction, before) in self.before.iter().enumerate() {
            before.iter().for_each(|earlier| after[*earlier].push(instruction));
        }
        after
    }

    /// Whether an instruction may belong to another block than its position says.
    fn may_belong_elsewhere(&self, number: usize) -> bool {
        use Opcode::*;
        let instruction = self.instructions[number];
        let jumps = matches!(
            instruction.opcode(),
            Some(LLVMBr | LLVMSwitch | LLVMIndirectBr | LLVMUnreachable | LLVMRet)
        );
        jumps || lifetime(instruction).is_some() || self.scopes[number].is_empty()
    }
}
