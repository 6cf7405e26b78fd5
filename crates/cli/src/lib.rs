//! The command line: files, terminal, exit status. Everything that touches the
//! world outside is here (and in the front end, which runs clang).
//!
//! [`main`] parses the arguments, runs the command on a thread of its own
//! (`guard`) and turns what comes of it into text and an exit status.

mod analyse;
pub mod args;
mod certify;
mod check;
pub mod choose;
mod dot;
mod dump;
pub mod engines;
mod exit;
pub mod fall_through;
mod graph;
mod guard;
mod load;
mod proof_dot;
mod replay;
mod save;
mod session;
mod sources;
mod spec;
mod terminal;
mod units;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

pub use check::{configure, replayed, run_engine, simplify};
pub use exit::{Exit, Failure, Output};
pub use load::load;
pub use save::{options, saved_trace};
pub use sources::FileSources;

use args::{Args, Command};
use session::Session;

/// Runs the program with these arguments.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(error) => {
            // Help and version are no errors; what clap calls 2 is 3 here.
            let _ = error.print();
            return if error.use_stderr() { Exit::BadInput.into() } else { ExitCode::SUCCESS };
        }
    };
    let session = Session::new(&args.command);
    let exit = guard::run(session, move |session| match &args.command {
        Command::Check(args) => check::check(args, session),
        Command::Replay(args) => replay::replay(args, session),
        Command::Dump(args) => dump::dump(args),
        Command::Analyse(args) => analyse::analyse(args),
        Command::Certify(args) => certify::certify(args, session),
        Command::Graph(args) => graph::graph(args, session),
    });
    exit.into()
}
