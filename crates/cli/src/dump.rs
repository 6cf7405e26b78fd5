//! `threadproof dump`.

use crate::args::DumpArgs;
use crate::exit::{Exit, Failure, Output};
use crate::load::load;

/// Shows the program.
pub fn dump(args: &DumpArgs) -> Result<Output, Failure> {
    let program = load(&args.input)?;
    Ok(Output { text: program.to_string(), exit: Exit::Safe })
}
