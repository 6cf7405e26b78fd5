//! `threadproof dump`.

use ir::Program;

use crate::args::DumpArgs;
use crate::exit::{Exit, Failure, Output};
use crate::load::load;

/// Shows the program, or its loops.
pub fn dump(args: &DumpArgs) -> Result<Output, Failure> {
    let program = load(&args.input)?;
    let text = if args.loops { loops(&program) } else { program.to_string() };
    Ok(Output::new(text, Exit::Safe))
}

fn loops(program: &Program) -> String {
    let loops = program.loops();
    let width = loops.iter().map(|each| each.name.len()).max().unwrap_or(0);
    loops.iter().map(|each| format!("{:width$}  {}\n", each.name, each.at)).collect()
}
