//! From arguments to a program.

use std::path::Path;

use ir::{Instr, Order};

use crate::args::{DataModel, InputArgs};
use crate::exit::Failure;

/// Loads the program.
pub fn load(input: &InputArgs) -> Result<ir::Program, Failure> {
    let mut program = frontend::load(&input.files, &front_end_options(input))?;
    adapt(&mut program, input);
    Ok(program)
}

/// Loads the program with its module, for native code.
pub fn load_linked(input: &InputArgs) -> Result<frontend::Linked, Failure> {
    let mut linked = frontend::load_linked(&input.files, &front_end_options(input))?;
    adapt(&mut linked.program, input);
    Ok(linked)
}

/// What the front end is asked for.
pub fn front_end_options(input: &InputArgs) -> frontend::Options {
    frontend::Options {
        flags: input.flags.clone(),
        file_flags: input.file_flags.clone(),
        data_model: match input.data_model {
            DataModel::Lp64 => frontend::DataModel::Lp64,
            DataModel::Ilp32 => frontend::DataModel::Ilp32,
        },
        nondet_externs: input.havoc.clone(),
        arguments: arguments(input),
        malloc_may_fail: input.malloc_may_fail,
        create_may_fail: input.create_may_fail,
    }
}

fn adapt(program: &mut ir::Program, input: &InputArgs) {
    shorten(program);
    if input.volatile_atomic {
        make_volatile_atomic(program);
    }
}

fn arguments(input: &InputArgs) -> frontend::Arguments {
    match &input.args {
        Some(words) => frontend::Arguments::Fixed(words.split_whitespace().map(str::to_owned).collect()),
        None => frontend::Arguments::Unknown { count: input.max_args, length: input.max_arg_length },
    }
}

/// Turns volatile accesses that one instruction can make into relaxed atomic
/// ones.
fn make_volatile_atomic(program: &mut ir::Program) {
    let word = program.pointer_width;
    for instr in program.functions.iter_mut().flat_map(|function| &mut function.code) {
        if let Instr::Load { width, access, .. } | Instr::Store { width, access, .. } = instr
            && access.volatile
            && *width <= word
        {
            access.order.get_or_insert(Order::Relaxed);
        }
    }
}

/// Reports name files from where the user stands.
fn shorten(program: &mut ir::Program) {
    let Ok(here) = std::env::current_dir() else { return };
    for file in &mut program.files {
        if let Ok(relative) = Path::new(&file.path).strip_prefix(&here) {
            file.path = relative.display().to_string();
        }
    }
}
