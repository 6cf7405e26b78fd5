//! From arguments to a program.

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
    };
    let program = frontend::load(&input.files, &options);
    program.map_err(|error| match error {
        frontend::Error::UnknownExterns(_) => Failure::Input(anyhow::anyhow!(
            "{error}\n  = help: `--havoc NAME` treats a function as one that does nothing and returns anything"
        )),
        error => error.into(),
    })
}
