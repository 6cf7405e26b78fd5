//! Times that only seed a generator of random numbers.
//!
//! A generator gives any number whatever its seed, so such a time need not be
//! an input: `srand(time(NULL))` stands in many programs that have no other.

use crate::llvm::{Opcode, Value, ValueKind};

/// Values are followed through so many variables.
const MAX_DEPTH: u32 = 4;

/// Whether the call asks for the time, and nothing but generators looks at it.
pub fn is_time_for_seed(site: Value<'_>, name: &str) -> bool {
    let stored = |to: Option<&Value<'_>>| to.is_none_or(|to| to.kind() != ValueKind::Null);
    name == "time" && !stored(site.arguments().first()) && !is_observed(site, MAX_DEPTH)
}

fn is_observed(value: Value<'_>, depth: u32) -> bool {
    let seeds = |callee: Value<'_>| matches!(callee.name().as_str(), "srand" | "srandom" | "srand48");
    depth == 0
        || value.users().any(|user| match user.opcode() {
            Some(Opcode::LLVMTrunc | Opcode::LLVMZExt | Opcode::LLVMSExt) => is_observed(user, depth),
            Some(Opcode::LLVMCall) => !user.callee().is_some_and(seeds),
            Some(Opcode::LLVMStore) if user.operand(0) == Some(value) => {
                user.operand(1).is_none_or(|variable| is_read(variable, user, depth - 1))
            }
            _ => true,
        })
}

/// Whether something looks at what is stored in a variable.
fn is_read<'m>(variable: Value<'m>, store: Value<'m>, depth: u32) -> bool {
    let marks_scope = |user: Value<'m>| user.callee().is_some_and(|c| c.name().starts_with("llvm.lifetime."));
    let looks = |user: Value<'m>| match user.opcode() {
        Some(Opcode::LLVMLoad) => is_observed(user, depth),
        Some(Opcode::LLVMCall) => !marks_scope(user),
        _ => user != store,
    };
    variable.opcode() != Some(Opcode::LLVMAlloca) || variable.users().any(looks)
}
