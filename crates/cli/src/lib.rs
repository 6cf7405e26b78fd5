//! The command line: files, terminal, exit status. Everything that touches the
//! world outside is here (and in the front end, which runs clang).
//!
//! [`main`] parses the arguments, runs the command on a thread of its own
//! (`guard`) and turns what comes of it into text and an exit status.

mod analyse;
pub mod args;
pub mod board;
mod certify;
mod check;
mod checkpoint;
pub mod choose;
mod doctor;
mod dot;
mod dump;
mod each;
mod enforce;
pub mod engines;
mod exit;
pub mod fall_through;
pub mod fences;
mod files;
mod graph;
mod guard;
mod ignored;
mod keep_going;
mod load;
pub mod log;
mod loop_invariants;
mod manual;
mod native;
mod portfolio;
mod processes;
mod project;
mod proof_dot;
mod replay;
pub mod robust;
mod save;
mod schedule;
mod schedule_dot;
mod session;
mod settings;
mod sources;
mod spec;
mod spill;
mod suppressions;
mod terminal;
mod turns;
mod units;
mod witness;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::ValueEnum;

pub use check::{configure, replayed, run_engine, simplify};
pub use exit::{Exit, Failure, Output};
pub use load::{front_end_options, load, load_linked};
pub use native::follow;
pub use save::{options, saved_trace};
pub use sources::FileSources;

use args::{Command, Format};
use session::Session;
use settings::Problem;

/// Runs the program with these arguments.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = args.into_iter().collect();
    let args = match settings::parse(&words) {
        Ok(args) => args,
        Err(Problem::Usage(error)) => return unusable(&words, &error),
        Err(Problem::Settings(error)) => return guard::bad_input(wanted_format(&words), &error).into(),
    };
    let mut command = args.command;
    if let Err(error) = command.input().map_or(Ok(()), project::resolve) {
        return guard::bad_input(wanted_format(&words), &error).into();
    }
    let command = match command {
        Command::Check(args) => Command::Check(Box::new(args.narrowed().divided())),
        command => command,
    };
    let session = Session::new(&command);
    let exit = guard::run(session, move |session| match &command {
        _ if session.output.format == Format::Junit && !command.is_batch() => Err(Failure::Input(
            anyhow::anyhow!("--format junit tells of several programs: use it with check --each"),
        )),
        Command::Check(args) if args.is_batch() => each::each(args, &words, session),
        Command::Check(args) => check::check(args, session),
        Command::Replay(args) => replay::replay(args, session),
        Command::Dump(args) => dump::dump(args),
        Command::Analyse(args) => analyse::analyse(args),
        Command::Schedule(args) => schedule::schedule(args, session),
        Command::Build(args) => enforce::build(args, session),
        Command::Run(args) => enforce::run(args, session),
        Command::Certify(args) => certify::certify(args, session),
        Command::Graph(args) => graph::graph(args, session),
        Command::Doctor => Ok(doctor::doctor()),
        Command::Completions { shell } => Ok(manual::completions(*shell)),
        Command::Man(args) => manual::man(args),
    });
    exit.into()
}

/// Ends after arguments that cannot be understood, or that ask for help.
fn unusable(words: &[OsString], error: &clap::Error) -> ExitCode {
    // Help and version are no errors; what clap calls 2 is 3 here.
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    guard::print_failure(wanted_format(words), "input", error.to_string().trim_end(), Exit::BadInput);
    Exit::BadInput.into()
}

/// The format that is asked for, as far as it can be seen.
fn wanted_format(words: &[OsString]) -> Format {
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    let apart = words.windows(2).filter(|pair| pair[0] == "--format").map(|pair| pair[1]);
    let joined = words.iter().filter_map(|word| word.strip_prefix("--format="));
    let mut named = apart.chain(joined).filter_map(|name| Format::from_str(name, false).ok());
    named.next().unwrap_or(Format::Text)
}
