//! The value analysis of inputs: what values a nondeterministic choice has to range
//! over.
//!
//! [`narrow_nondets`] finds, for every nondeterministic value of unbounded
//! domain, a small set of values that shows every behaviour, where there is
//! one. Three steps:
//!
//! 1. `explore` follows the code after the choice, for intervals of the
//!    value at once and splitting them where a comparison tells their values
//!    apart, up to the first effect that can be seen from outside. Intervals that an
//!    assumption rules out by then are dropped.
//! 2. `observe` looks at what happens to the value from there on. If it is
//!    only ever compared with constants (or taken modulo a small one), those
//!    comparisons are all that the program can observe of it.
//! 3. `classes` takes from each remaining interval one representative for
//!    each combination of observations, or every value if the program observes
//!    the value itself and the interval is small.
//!
//! Why dropping is sound: between the choice and the assumption the thread did
//! nothing that another thread, or a property, could see, so the execution that
//! is dropped is one in which the thread had not moved yet. Why one
//! representative is enough: two executions that differ in the value alone, and
//! agree on all observations of it, take the same steps. What ends the program
//! (`abort`, a failed assertion, an endless loop) is an observation as well:
//! such values keep a representative.

mod classes;
mod explore;
pub mod fold;
mod observe;
mod view;
mod walk;

#[cfg(test)]
mod tests;

use ir::{Domain, FuncId, Instr, Pc, Program};

/// Narrows the domains of all nondeterministic values where what follows
/// bounds them, or distinguishes only a few classes of values.
pub fn narrow_nondets(program: &mut Program) {
    let context = observe::Context::of(program);
    for (function, pc) in unbounded(program) {
        let domain = classes::small_domain(program, &context, function, pc);
        let instr = &mut program.functions[function.0 as usize].code[pc as usize];
        if let (Some(found), Instr::Nondet { domain, .. }) = (domain, instr) {
            *domain = found;
        }
    }
}

/// The choices worth narrowing: a bit is a two-way choice already.
fn unbounded(program: &Program) -> Vec<(FuncId, Pc)> {
    let mut found = Vec::new();
    for (id, function) in program.functions.iter().enumerate() {
        for (pc, instr) in function.code.iter().enumerate() {
            if matches!(instr, Instr::Nondet { width: 2..=64, domain: Domain::Full, .. }) {
                found.push((FuncId(id as u32), pc as Pc));
            }
        }
    }
    found
}
