//! Compiles the inputs and links them with each other and with the run-time library.
//!
//! What `inline` means depends on the language standard. Since C99 a function
//! that is only ever declared `inline` has no body that calls could be linked
//! to; as GNU C had it before (`-fgnu89-inline`), it has one, and it is one
//! that is `extern inline` which has none. Sources are compiled by the rules
//! of their standard. Old ones that name no standard then lack bodies: an
//! input is compiled once more by the old rules if that defines a function
//! which the program lacks, and takes none away.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::clang::{self, Inline};
use crate::llvm::{Context, Module};
use crate::{Error, Options, llvm, lower, runtime};

/// The names of functions.
type Names = FxHashSet<String>;

/// An input with its module.
pub struct Unit<'i> {
    path: &'i Path,
    bytes: Vec<u8>,
    /// Functions of the module that give way to other definitions: they are
    /// `inline`, and so every input that includes their header defines them.
    repeated: Names,
}

/// The module of the whole program, and what it is made of.
pub fn link<'c, 'i>(
    context: &'c Context,
    inputs: &'i [PathBuf],
    options: &Options,
) -> Result<(Module<'c>, Vec<Unit<'i>>), Error> {
    let mut units = Vec::new();
    for path in inputs {
        let bytes = clang::compile(path, options, Inline::Standard)?;
        units.push(Unit { path, bytes, repeated: Names::default() });
    }
    let program = join(context, &units)?;
    let missing: Names = program.functions().filter(|f| lower::may_lack_body(*f)).map(|f| f.name()).collect();
    if missing.is_empty() {
        return Ok((program, units));
    }
    let mut changed = false;
    for unit in &mut units {
        changed |= define_missing(context, unit, options, &missing)?;
    }
    let program = if changed { join(context, &units)? } else { program };
    Ok((program, units))
}

/// Links the units and the run-time library.
fn join<'c>(context: &'c Context, units: &[Unit<'_>]) -> Result<Module<'c>, Error> {
    let mut program = join_alone(context, units)?;
    runtime::link(context, &mut program)?;
    Ok(program)
}

/// Links the units without the run-time library.
pub fn join_alone<'c>(context: &'c Context, units: &[Unit<'_>]) -> Result<Module<'c>, Error> {
    let mut program: Option<Module<'c>> = None;
    for unit in units {
        let mut module = read(context, unit.path, &unit.bytes)?;
        module.give_way(&unit.repeated);
        match &mut program {
            None => program = Some(module),
            Some(program) => program.link(module).map_err(Error::Link)?,
        }
    }
    program.ok_or(Error::NoInput)
}

/// Compiles an input by the old rules for `inline`, and keeps that if it
/// defines something missing and everything that was there.
fn define_missing(
    context: &Context,
    unit: &mut Unit<'_>,
    options: &Options,
    missing: &Names,
) -> Result<bool, Error> {
    if !clang::may_define_inline(unit.path, options)? {
        return Ok(false);
    }
    let Ok(bytes) = clang::compile(unit.path, options, Inline::Gnu89) else { return Ok(false) };
    let before = definitions(&read(context, unit.path, &unit.bytes)?);
    let after = definitions(&read(context, unit.path, &bytes)?);
    if after.is_disjoint(missing) || !before.is_subset(&after) {
        return Ok(false);
    }
    unit.bytes = bytes;
    unit.repeated = after.difference(&before).cloned().collect();
    Ok(true)
}

fn definitions(module: &Module<'_>) -> Names {
    module.functions().filter(|f| !f.is_declaration()).map(|f| f.name()).collect()
}

fn read<'c>(context: &'c Context, path: &Path, bytes: &[u8]) -> Result<Module<'c>, Error> {
    let unreadable = |message: String| Error::Unreadable { path: path.to_owned(), message };
    let mut module = context.parse(&path.display().to_string(), bytes).map_err(unreadable)?;
    llvm::take_out_checks(&mut module);
    Ok(module)
}
