//! `threadproof completions` and `threadproof man`: what shells and `man` know of
//! the command line, made from its definition.

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::{Args, ManArgs};
use crate::exit::{Exit, Failure, Output};

const NAME: &str = "threadproof";

/// The script that a shell reads.
pub fn completions(shell: Shell) -> Output {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), NAME, &mut script);
    Output::new(String::from_utf8_lossy(&script).into_owned(), Exit::Safe)
}

/// The page of the program, or of one of its commands.
pub fn man(args: &ManArgs) -> Result<Output, Failure> {
    let mut program = Args::command();
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            found.with_context(|| format!("there is no command {name}")).map_err(Failure::Input)?
        }
    };
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(command).render(&mut page);
    written.context("cannot make the page").map_err(Failure::Internal)?;
    Ok(Output::new(String::from_utf8_lossy(&page).into_owned(), Exit::Safe))
}
