//! From arguments to a program.

use std::path::Path;

use crate::args::{DataModel, InputArgs};
use crate::exit::Failure;

/// Loads the program.
pub fn load(input: &InputArgs) -> Result<ir::Program, Failure> {
    let options = frontend::Options {
        flags: input.flags.clone(),
        data_model: match input.data_model {
            DataModel::Lp64 => frontend::DataModel::Lp64,
            DataModel::Ilp32 => frontend::DataModel::Ilp32,
        },
        nondet_externs: input.havoc.clone(),
        arguments: arguments(input),
    };
    let mut program = frontend::load(&input.files, &options)?;
    shorten(&mut program);
    Ok(program)
}

fn arguments(input: &InputArgs) -> frontend::Arguments {
    match &input.args {
        Some(words) => frontend::Arguments::Fixed(words.split_whitespace().map(str::to_owned).collect()),
        None => frontend::Arguments::Unknown { count: input.max_args, length: input.max_arg_length },
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
