//! `threadproof build` and `threadproof run`.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use anyhow::Context;
use certify::ScheduleCertificate;
use native::OnDeparture;
use schedule::Schedule;

use crate::args::{self, BuildArgs, EnforcedArgs, InputArgs, RunArgs};
use crate::exit::{Exit, Failure, Output};
use crate::load::{front_end_options, load_linked};
use crate::schedule::proof_of;

/// Builds a program that is held to a schedule.
pub fn build(args: &BuildArgs) -> Result<Output, Failure> {
    enforced(&args.enforced, &args.flags, &args.output)?;
    Ok(Output::new(String::new(), Exit::Safe))
}

/// The same, and runs it. The process ends as the program does.
pub fn run(args: &RunArgs) -> Result<Output, Failure> {
    let failed = |error: std::io::Error, what: &str| {
        Failure::Input(anyhow::Error::new(error).context(what.to_owned()))
    };
    let directory =
        tempfile::tempdir().map_err(|error| failed(error, "cannot make a temporary directory"))?;
    let program = directory.path().join("program");
    enforced(&args.enforced, &args.flags, &program)?;
    let status = Command::new(&program).args(&args.arguments).status();
    let status = status.map_err(|error| failed(error, "the program cannot be started"))?;
    drop(directory);
    let signalled = || 128 + status.signal().unwrap_or(0);
    std::process::exit(status.code().unwrap_or_else(signalled))
}

fn enforced(args: &EnforcedArgs, flags: &[String], output: &Path) -> Result<(), Failure> {
    let schedule = read(&args.schedule).map_err(Failure::Input)?;
    let input = input(args, flags);
    let linked = load_linked(&input)?;
    let on_departure = match args.on_departure {
        args::OnDeparture::Abort => OnDeparture::Abort,
        args::OnDeparture::Warn => OnDeparture::Warn,
        args::OnDeparture::Free => OnDeparture::Free,
    };
    native::enforce(&linked, &input.files, &front_end_options(&input), &schedule, on_departure, output)?;
    Ok(())
}

/// Reads a schedule. If there is a proof beside it, it must be one of this very schedule.
fn read(path: &Path) -> anyhow::Result<Schedule> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let schedule = Schedule::parse(&bytes).with_context(|| path.display().to_string())?;
    let beside = proof_of(path);
    if let Ok(bytes) = std::fs::read(&beside) {
        let proof = ScheduleCertificate::parse(&bytes).with_context(|| beside.display().to_string())?;
        let names = (path.display(), beside.display());
        anyhow::ensure!(proof.is_for(&schedule), "{} was changed: {} is not its proof", names.0, names.1);
    }
    Ok(schedule)
}

fn input(args: &EnforcedArgs, flags: &[String]) -> InputArgs {
    InputArgs {
        files: args.files.clone(),
        data_model: args.data_model,
        havoc: args.havoc.clone(),
        args: None,
        max_args: 0,
        max_arg_length: 0,
        volatile_atomic: false,
        malloc_may_fail: false,
        create_may_fail: false,
        flags: flags.to_vec(),
        file_flags: Vec::new(),
        project: None,
    }
}
