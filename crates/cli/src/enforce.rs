//! `threadproof build` and `threadproof run`.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use certify::ScheduleCertificate;
use clap::Parser;
use machine::{Properties, Property};
use native::OnDeparture;
use schedule::Schedule;

use crate::args::{self, Args, BuildArgs, EnforcedArgs, InputArgs, RunArgs};
use crate::certify::certify_schedule;
use crate::exit::{Exit, Failure, Output};
use crate::load::{front_end_options, load_linked};
use crate::schedule::{default_output, default_properties, proof_of, schedule};
use crate::session::Session;

/// Builds a program that is held to a schedule.
pub fn build(args: &BuildArgs, session: &Session) -> Result<Output, Failure> {
    Ok(match enforced(&args.enforced, (&args.flags, &[]), &args.output, session)? {
        Enforced::Not(told) => told,
        Enforced::Built { warnings } => Output { warnings, ..Output::new(String::new(), Exit::Safe) },
    })
}

/// What came of building a program.
enum Enforced {
    /// There is no schedule: what is told about that.
    Not(Output),
    /// It was built; what should be known about its schedule.
    Built { warnings: Vec<String> },
}

/// The same, and runs it. The process ends as the program does.
pub fn run(args: &RunArgs, session: &Session) -> Result<Output, Failure> {
    let failed = |error: std::io::Error, what: &str| {
        Failure::Input(anyhow::Error::new(error).context(what.to_owned()))
    };
    let directory =
        tempfile::tempdir().map_err(|error| failed(error, "cannot make a temporary directory"))?;
    let program = directory.path().join("program");
    match enforced(&args.enforced, (&args.flags, &args.arguments), &program, session)? {
        Enforced::Not(told) => return Ok(told),
        Enforced::Built { warnings } => warnings.iter().for_each(|warning| eprintln!("{warning}")),
    }
    let status = Command::new(&program).args(&args.arguments).status();
    let status = status.map_err(|error| failed(error, "the program cannot be started"))?;
    drop(directory);
    let signalled = || 128 + status.signal().unwrap_or(0);
    std::process::exit(status.code().unwrap_or_else(signalled))
}

/// Builds a program, with compiler flags, that is to be given these arguments. If no schedule is
/// named and none is there, one is looked for.
fn enforced(
    args: &EnforcedArgs,
    (flags, arguments): (&[String], &[String]),
    output: &Path,
    session: &Session,
) -> Result<Enforced, Failure> {
    let input = input(args, flags);
    let path = args.schedule.clone().unwrap_or_else(|| default_output(&args.files));
    if args.schedule.is_none() && !path.exists() {
        let found = find(&input, arguments, session)?;
        if found.exit != Exit::Safe {
            return Ok(Enforced::Not(found));
        }
    }
    let schedule = read(&path).map_err(Failure::Input)?;
    let linked = load_linked(&input)?;
    let mut warnings = Vec::new();
    if native::fingerprint(&linked)? == schedule.program && !args.trust {
        warnings.extend(certified(&path, &args.files, session)?);
    }
    let on_departure = match args.on_departure {
        args::OnDeparture::Abort => OnDeparture::Abort,
        args::OnDeparture::Warn => OnDeparture::Warn,
        args::OnDeparture::Free => OnDeparture::Free,
    };
    native::enforce(&linked, &input.files, &front_end_options(&input), &schedule, on_departure, output)?;
    Ok(Enforced::Built { warnings })
}

/// Looks for a first schedule of a program that is given these arguments, and writes it to the
/// file where it is looked for.
fn find(input: &InputArgs, arguments: &[String], session: &Session) -> Result<Output, Failure> {
    let words = ["threadproof", "schedule", "--until", "first", "PROGRAM"];
    let Ok(Args { command: args::Command::Schedule(mut args), .. }) = Args::try_parse_from(words) else {
        unreachable!("these are arguments of `schedule`");
    };
    let are_words = |word: &String| !word.is_empty() && !word.contains(char::is_whitespace);
    if !arguments.is_empty() && arguments.iter().all(are_words) {
        args.input.args = Some(arguments.join(" "));
    }
    let InputArgs { files, data_model, havoc, flags, .. } = input.clone();
    args.input = InputArgs { files, data_model, havoc, flags, ..args.input };
    schedule(&args, session)
}

/// Refuses a schedule whose proof does not show what it must, or that has none. Yields a warning if
/// the proof shows less than `threadproof schedule` asks for where nothing is said.
fn certified(path: &Path, files: &[PathBuf], session: &Session) -> Result<Option<String>, Failure> {
    let proof = proof_of(path);
    if !proof.exists() {
        let (path, proof) = (path.display(), proof.display());
        let none = anyhow::anyhow!(
            "{path} has no proof beside it ({proof}): nothing shows that it is safe; with --trust it is taken as it is"
        );
        return Err(Failure::Input(none));
    }
    let told = certify_schedule(path, &std::fs::read(path).unwrap_or_default(), files, session)?;
    let refused = || Failure::Input(anyhow::anyhow!("{}: {}", path.display(), told.text.trim_end()));
    if told.exit == Exit::Safe { Ok(not_shown(path)) } else { Err(refused()) }
}

/// What the proof beside a schedule says nothing about, though it could.
fn not_shown(path: &Path) -> Option<String> {
    let proof = ScheduleCertificate::parse(&std::fs::read(proof_of(path)).ok()?).ok()?;
    let shown: Properties = proof.certificate.options.properties.iter().copied().collect();
    let missing = default_properties().without(shown);
    let names: Vec<&str> = missing.iter().map(Property::name).collect();
    let (path, list) = (path.display(), names.join(", "));
    (!names.is_empty()).then(|| format!("warning: the proof of {path} does not show: {list}"))
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
