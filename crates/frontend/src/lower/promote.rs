//! Which locals become registers.
//!
//! LLVM's own promotion would fold reads of uninitialised variables into
//! arbitrary values, so this one is ours. A scalar local whose address is only
//! ever used to load or store all of it, not volatile, becomes one mutable
//! register. Two refinements keep the code short, and neither touches memory
//! that another thread could see:
//!
//! - *direct loads*: a load whose value is only used in its block, before the
//!   variable is written again, is the register itself;
//! - *retargeting*: a value whose only use is the store that follows it is
//!   computed straight into the variable's register. A parameter that is only
//!   stored to its local copy arrives in that copy's register.

use ir::{LayoutId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lowering;
use crate::llvm::{Block, DebugNode, Opcode, TypeKind, Value, ValueKind};

/// A promoted local.
#[derive(Clone, Copy)]
pub struct Promoted {
    /// Its width in bits.
    pub width: u8,
    /// Its name in the source.
    pub name: Option<Symbol>,
    /// Its type.
    pub layout: Option<LayoutId>,
}

/// The decisions for one function.
#[derive(Default)]
pub struct Promotion<'m> {
    /// The promoted allocas, in order of appearance.
    pub locals: Vec<(Value<'m>, Promoted)>,
    /// Loads that are the variable's register itself.
    pub direct: FxHashSet<Value<'m>>,
    /// Values computed straight into a variable: the alloca of that variable.
    pub retarget: FxHashMap<Value<'m>, Value<'m>>,
    /// Stores that are done by what computes their value.
    pub folded: FxHashSet<Value<'m>>,
    /// The variables that allocas hold, promoted or not.
    pub variables: FxHashMap<Value<'m>, DebugNode<'m>>,
}

/// Where everything is, and where each promoted local is written.
struct Positions<'m> {
    at: FxHashMap<Value<'m>, usize>,
    writes: FxHashMap<(Value<'m>, Block<'m>), Vec<usize>>,
}

/// Decides for the function made of these blocks, the entry block first.
pub fn promote<'m>(lowering: &mut Lowering<'m>, function: Value<'m>, blocks: &[Block<'m>]) -> Promotion<'m> {
    let mut promotion = Promotion::default();
    let mut positions = Positions { at: FxHashMap::default(), writes: FxHashMap::default() };
    for block in blocks {
        for (position, instruction) in block.instructions().enumerate() {
            positions.at.insert(instruction, position);
            if is_debug(instruction)
                && let Some((address, variable)) = instruction.declared_variable(lowering.module)
            {
                promotion.variables.insert(address, variable);
            }
        }
    }
    let Some(entry) = blocks.first() else { return promotion };
    let mut promoted = FxHashSet::default();
    for alloca in entry.instructions().filter(|i| i.opcode() == Some(Opcode::LLVMAlloca)) {
        if let Some(width) = promotable(lowering, alloca) {
            let variable = promotion.variables.get(&alloca).copied();
            let name = variable.and_then(|v| lowering.variable_name(v)).map(|n| lowering.symbol(&n));
            let layout = variable.and_then(|v| lowering.variable_layout(v));
            promotion.locals.push((alloca, Promoted { width, name, layout }));
            promoted.insert(alloca);
        }
    }
    for block in blocks {
        note_writes(*block, &promoted, &mut positions);
    }
    for block in blocks {
        refine(lowering, *block, &promoted, &positions, &mut promotion);
    }
    for parameter in function.params() {
        arrive(parameter, *entry, &promoted, &positions, &mut promotion);
    }
    promotion
}

/// Whether the instruction is a call of `llvm.dbg.*`.
pub fn is_debug(instruction: Value<'_>) -> bool {
    instruction.opcode() == Some(Opcode::LLVMCall)
        && instruction.callee().is_some_and(|c| c.name().starts_with("llvm.dbg."))
}

/// What `llvm.lifetime.*` says of which address.
pub fn lifetime<'m>(instruction: Value<'m>) -> Option<(bool, Value<'m>)> {
    if instruction.opcode() != Some(Opcode::LLVMCall) {
        return None;
    }
    let name = instruction.callee()?.name();
    let begins = name.starts_with("llvm.lifetime.start");
    if begins || name.starts_with("llvm.lifetime.end") {
        Some((begins, instruction.operand(1)?))
    } else {
        None
    }
}

/// Whether a local is used by nothing but the marks of its scope.
pub fn is_only_marked(local: Value<'_>) -> bool {
    local.opcode() == Some(Opcode::LLVMAlloca) && local.users().all(|user| lifetime(user).is_some())
}

fn promotable<'m>(lowering: &Lowering<'m>, alloca: Value<'m>) -> Option<u8> {
    let ty = alloca.allocated_type()?;
    use TypeKind::*;
    let scalar = matches!(ty.kind(), Int(_) | Half | Float | Double | Extended | Pointer);
    if !scalar || alloca.operand(0)?.int_bits() != Some(1) {
        return None;
    }
    let fits = |user: Value<'m>| match user.opcode() {
        Some(Opcode::LLVMLoad) => !user.is_volatile() && is_plain(user) && user.ty() == ty,
        Some(Opcode::LLVMStore) => {
            let value = user.operand(0);
            !user.is_volatile()
                && is_plain(user)
                && user.operand(1) == Some(alloca)
                && value.is_some_and(|v| v != alloca && v.ty() == ty)
        }
        _ => lifetime(user).is_some(),
    };
    if alloca.users().all(fits) { lowering.width(ty).ok() } else { None }
}

fn is_plain(access: Value<'_>) -> bool {
    access.ordering() == Some(crate::llvm::Ordering::LLVMAtomicOrderingNotAtomic)
}

/// The promoted local that an instruction writes.
fn written<'m>(instruction: Value<'m>, promoted: &FxHashSet<Value<'m>>) -> Option<Value<'m>> {
    let address = match instruction.opcode() {
        Some(Opcode::LLVMStore) => instruction.operand(1)?,
        _ => lifetime(instruction).filter(|(begins, _)| *begins)?.1,
    };
    promoted.contains(&address).then_some(address)
}

fn note_writes<'m>(block: Block<'m>, promoted: &FxHashSet<Value<'m>>, positions: &mut Positions<'m>) {
    for (position, instruction) in block.instructions().enumerate() {
        if let Some(local) = written(instruction, promoted) {
            positions.writes.entry((local, block)).or_default().push(position);
        }
    }
}

fn refine<'m>(
    lowering: &Lowering<'m>,
    block: Block<'m>,
    promoted: &FxHashSet<Value<'m>>,
    positions: &Positions<'m>,
    promotion: &mut Promotion<'m>,
) {
    let mut previous: Option<Value<'m>> = None;
    for instruction in block.instructions().filter(|i| !is_debug(*i)) {
        if instruction.opcode() == Some(Opcode::LLVMLoad) {
            let local = instruction.operand(0).filter(|a| promoted.contains(a));
            if local.is_some_and(|local| is_direct(lowering, instruction, local, block, positions)) {
                promotion.direct.insert(instruction);
            }
        }
        let stores = instruction.opcode() == Some(Opcode::LLVMStore);
        if let (true, Some(local), Some(value)) = (stores, written(instruction, promoted), previous)
            && instruction.operand(0) == Some(value)
            && can_retarget(value, promoted)
        {
            promotion.retarget.insert(value, local);
            promotion.folded.insert(instruction);
        }
        previous = Some(instruction);
    }
}

/// Whether a value may be computed into the register of the variable it is stored to.
fn can_retarget<'m>(value: Value<'m>, promoted: &FxHashSet<Value<'m>>) -> bool {
    if value.users().count() != 1 {
        return false;
    }
    match value.opcode() {
        Some(Opcode::LLVMLoad) => value.operand(0).is_some_and(|a| !promoted.contains(&a)),
        Some(Opcode::LLVMPHI | Opcode::LLVMAlloca | Opcode::LLVMInvoke) | None => false,
        Some(_) => true,
    }
}

fn is_direct<'m>(
    lowering: &Lowering<'m>,
    load: Value<'m>,
    local: Value<'m>,
    block: Block<'m>,
    positions: &Positions<'m>,
) -> bool {
    let position = positions.at.get(&load).copied().unwrap_or(usize::MAX);
    let writes = positions.writes.get(&(local, block));
    let next = writes.and_then(|w| w.iter().find(|p| **p > position)).copied();
    let mut pending = vec![load];
    let mut budget = 100;
    while let Some(value) = pending.pop() {
        for user in value.users() {
            budget -= 1;
            if budget == 0 || !used_in_time(value, user, block, next, positions) {
                return false;
            }
            if is_same_value(lowering, user) {
                pending.push(user);
            }
        }
    }
    true
}

fn used_in_time<'m>(
    value: Value<'m>,
    user: Value<'m>,
    block: Block<'m>,
    next: Option<usize>,
    positions: &Positions<'m>,
) -> bool {
    if user.opcode() == Some(Opcode::LLVMPHI) {
        // The copy happens at the end of the block it comes from.
        let from_here = user.incoming().into_iter().all(|(v, from)| v != value || from == block);
        return from_here && next.is_none();
    }
    if keeps_operand(user) {
        return false;
    }
    let at = positions.at.get(&user).copied();
    user.block() == Some(block) && at.is_some_and(|at| next.is_none_or(|next| at <= next))
}

/// Whether the result of an instruction is made of the operand itself, so that
/// it must not change as long as the result is used.
fn keeps_operand(user: Value<'_>) -> bool {
    match user.opcode() {
        Some(Opcode::LLVMInsertValue | Opcode::LLVMInsertElement | Opcode::LLVMShuffleVector) => true,
        Some(Opcode::LLVMBitCast) => matches!(user.ty().kind(), TypeKind::Vector(..)),
        _ => false,
    }
}

/// Whether an instruction only gives another type to the value it is made from.
pub fn is_same_value<'m>(lowering: &Lowering<'m>, value: Value<'m>) -> bool {
    let Some(operand) = value.operand(0) else { return false };
    match value.opcode() {
        Some(Opcode::LLVMGetElementPtr) => matches!(lowering.constant_offset(value), Ok(Some(0))),
        Some(
            Opcode::LLVMBitCast | Opcode::LLVMIntToPtr | Opcode::LLVMPtrToInt | Opcode::LLVMAddrSpaceCast,
        ) => match (lowering.scalar_width(operand.ty()), lowering.scalar_width(value.ty())) {
            (Ok(Some(from)), Ok(Some(to))) => from == to,
            _ => false,
        },
        _ => false,
    }
}

/// A parameter that is only stored to its local copy arrives there.
fn arrive<'m>(
    parameter: Value<'m>,
    entry: Block<'m>,
    promoted: &FxHashSet<Value<'m>>,
    positions: &Positions<'m>,
    promotion: &mut Promotion<'m>,
) {
    let mut users = parameter.users();
    let (Some(store), None) = (users.next(), users.next()) else { return };
    if parameter.kind() != ValueKind::Argument || store.opcode() != Some(Opcode::LLVMStore) {
        return;
    }
    let Some(local) = written(store, promoted) else { return };
    let first = positions.writes.get(&(local, entry)).and_then(|w| w.first());
    let at = positions.at.get(&store);
    let read_before = || {
        let read = |u: Value<'m>| u.opcode() == Some(Opcode::LLVMLoad) && u.block() == Some(entry);
        local.users().any(|u| read(u) && positions.at.get(&u) < at)
    };
    if store.block() == Some(entry) && first == at && at.is_some() && !read_before() {
        promotion.retarget.insert(parameter, local);
        promotion.folded.insert(store);
    }
}
