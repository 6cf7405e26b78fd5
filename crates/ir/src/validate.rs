//! Checks that a program is well formed.
//!
//! The machine and the engines index registers, jump targets and callees
//! without looking again; what they rely on is checked here, once, after
//! lowering. A program that fails is a bug of the front end, not of the user.

mod instr;
#[cfg(test)]
mod tests;

use crate::instr::Reg;
use crate::program::{Function, Global, Program, Symbol, Target};
use crate::span::Span;

/// What is wrong with a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid(pub String);

impl std::fmt::Display for Invalid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "malformed program: {}", self.0)
    }
}

impl std::error::Error for Invalid {}

/// The outcome of one rule.
type Check = Result<(), String>;

/// The widest value, in bits.
const MAX_WIDTH: u8 = 128;

/// Checks that a program is well formed; the first violation is the error.
pub fn validate(program: &Program) -> Result<(), Invalid> {
    header(program).map_err(Invalid)?;
    for (id, global) in program.globals.iter().enumerate() {
        check_global(program, global).map_err(|e| Invalid(format!("global {id}: {e}")))?;
    }
    for (id, function) in program.functions.iter().enumerate() {
        let name = program.symbols.get(function.name.0 as usize).map_or("?", String::as_str);
        check_function(program, function).map_err(|e| Invalid(format!("function {id} ({name}): {e}")))?;
    }
    Ok(())
}

fn header(program: &Program) -> Check {
    ensure(matches!(program.pointer_width, 32 | 64), || {
        format!("pointer width {} is neither 32 nor 64", program.pointer_width)
    })?;
    let entry = program.entry.ok_or("no entry function")?;
    ensure((entry.0 as usize) < program.functions.len(), || format!("entry {} does not exist", entry.0))
}

fn check_global(program: &Program, global: &Global) -> Check {
    check_symbol(program, global.name)?;
    check_span(program, global.span)?;
    ensure(global.init.len() as u64 <= global.size, || {
        format!("{} initial bytes for a size of {}", global.init.len(), global.size)
    })?;
    ensure(global.align.is_power_of_two(), || format!("alignment {} is no power of two", global.align))?;
    check_layout(program, global.layout)?;
    check_relocations(program, global)
}

fn check_relocations(program: &Program, global: &Global) -> Check {
    let mut free_from = 0;
    for relocation in &global.relocations {
        let offset = relocation.offset;
        ensure(offset >= free_from, || {
            format!("relocation at {offset} overlaps or precedes the one before")
        })?;
        free_from = offset.saturating_add(program.pointer_size());
        ensure(free_from <= global.size, || format!("relocation at {offset} is outside the global"))?;
        let exists = match relocation.target {
            Target::Global(id) => (id.0 as usize) < program.globals.len(),
            Target::Function(id) => (id.0 as usize) < program.functions.len(),
        };
        ensure(exists, || {
            format!("relocation at {offset} to {:?}, which does not exist", relocation.target)
        })?;
    }
    Ok(())
}

fn check_function(program: &Program, function: &Function) -> Check {
    check_symbol(program, function.name)?;
    check_span(program, function.span)?;
    check_slots(program, function)?;
    for param in &function.params {
        check_reg(function, param.reg, param.width).map_err(|e| format!("parameter: {e}"))?;
    }
    function.results.iter().try_for_each(|width| check_width(*width))?;
    check_code(program, function)
}

fn check_slots(program: &Program, function: &Function) -> Check {
    let mut after_wide = false;
    for (index, slot) in function.slots.iter().enumerate() {
        if let Some(name) = slot.name {
            check_symbol(program, name)?;
        }
        ensure((slot.width == 0) == after_wide, || {
            format!(
                "slot {index} has width {} {} a wide one",
                slot.width,
                if after_wide { "after" } else { "not after" }
            )
        })?;
        if !after_wide {
            check_width(slot.width)?;
        }
        after_wide = slot.width > 64;
    }
    ensure(!after_wide, || "the last slot is wide and has no second half".to_owned())
}

fn check_code(program: &Program, function: &Function) -> Check {
    ensure(function.code.len() == function.spans.len(), || {
        format!("{} instructions but {} spans", function.code.len(), function.spans.len())
    })?;
    let ordinals = function.origin.ordinals.len();
    ensure(ordinals == 0 || function.code.len() == ordinals, || {
        format!("{} instructions but {ordinals} ordinals", function.code.len())
    })?;
    let last = function.code.last().ok_or("no code")?;
    ensure(last.is_terminator(), || "control falls off the end".to_owned())?;
    function.spans.iter().try_for_each(|span| check_span(program, *span))?;
    for (pc, instr) in function.code.iter().enumerate() {
        instr::check(program, function, instr).map_err(|e| {
            let text = crate::print::instr_text(program, function, instr);
            format!("at {pc}, `{text}`: {e}")
        })?;
    }
    Ok(())
}

/// That a register exists and holds values of this width.
fn check_reg(function: &Function, reg: Reg, width: u8) -> Check {
    let slot = function.slots.get(reg.0 as usize).ok_or_else(|| format!("%{} does not exist", reg.0))?;
    ensure(slot.width != 0, || format!("%{} is the second half of a wide register", reg.0))?;
    ensure(slot.width == width, || format!("%{} has width {}, used as {width}", reg.0, slot.width))
}

fn check_width(width: u8) -> Check {
    ensure((1..=MAX_WIDTH).contains(&width), || format!("width {width} is not in 1..={MAX_WIDTH}"))
}

fn check_symbol(program: &Program, symbol: Symbol) -> Check {
    ensure((symbol.0 as usize) < program.symbols.len(), || format!("symbol {} does not exist", symbol.0))
}

fn check_layout(program: &Program, layout: Option<crate::LayoutId>) -> Check {
    ensure(layout.is_none_or(|id| (id.0 as usize) < program.layouts.all.len()), || {
        "its source type does not exist".to_owned()
    })
}

fn check_span(program: &Program, span: Span) -> Check {
    ensure(!span.is_known() || (span.file.0 as usize) < program.files.len(), || {
        format!("file {} does not exist", span.file.0)
    })
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(message()) }
}
