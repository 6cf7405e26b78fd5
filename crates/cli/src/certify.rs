//! `threadproof certify`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use certify::{Certificate, Checked, Rejection, ScheduleCertificate};
use logic::{Limits, SolverError};
use machine::{Machine, Property};
use schedule::{Native, Schedule};

use crate::args::CertifyArgs;
use crate::exit::{Exit, Failure, Output};
use crate::load::{load, load_linked};
use crate::save::{config, input};
use crate::schedule::{assuming, assumptions, proof_of};
use crate::session::Session;

/// Checks a certificate, or that of a schedule.
pub fn certify(args: &CertifyArgs, session: &Session) -> Result<Output, Failure> {
    let (path, files) = args.files.split_last().expect("there are two at least");
    let bytes = read(path)?;
    if is_schedule(&bytes) {
        return certify_schedule(path, &bytes, files, session);
    }
    let certificate = Certificate::parse(&bytes).with_context(|| path.display().to_string());
    let certificate = certificate.map_err(Failure::Input)?;
    let program = load(&input(files.to_vec(), &certificate.options)?)?;
    let machine = Machine::new(Arc::new(program), config(&certificate.options));
    let started = Instant::now();
    let checked = certify::check(&machine, &certificate, limits(session));
    answer("no execution violates", &certificate, checked, started)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    bytes.map_err(Failure::Input)
}

fn is_schedule(bytes: &[u8]) -> bool {
    let value: Option<serde_json::Value> = serde_json::from_slice(bytes).ok();
    value.is_some_and(|value| value.get("sections").is_some())
}

/// Checks the certificate beside a schedule.
pub fn certify_schedule(
    path: &Path,
    bytes: &[u8],
    files: &[PathBuf],
    session: &Session,
) -> Result<Output, Failure> {
    let schedule = Schedule::parse(bytes).with_context(|| path.display().to_string());
    let schedule = schedule.map_err(Failure::Input)?;
    let beside = proof_of(path);
    let proof = ScheduleCertificate::parse(&read(&beside)?).with_context(|| beside.display().to_string());
    let proof = proof.map_err(Failure::Input)?;
    let options = &proof.certificate.options;
    let linked = load_linked(&input(files.to_vec(), options)?)?;
    if native::fingerprint(&linked)? != schedule.program {
        return Ok(Output::new("rejected: it is the schedule of another program\n".to_owned(), Exit::Unsafe));
    }
    let machine = Machine::new(Arc::new(linked.program), config(options));
    let native = Native::new(machine.program(), &linked.executed);
    let started = Instant::now();
    let checked = certify::check_schedule(&machine, &native, &schedule, &proof, limits(session));
    let shown = match schedule.sites.is_empty() {
        true => "the schedule restricts nothing, no accesses race, and no execution violates",
        false => "what the schedule permits is fair, some thread can always move, and no execution violates",
    };
    let mut told = answer(shown, &proof.certificate, checked, started)?;
    if told.exit == Exit::Safe {
        told.text += &assuming(&assumptions(&machine));
    }
    Ok(told)
}

fn limits(session: &Session) -> Limits {
    let deadline = session.budget.remaining().map(|left| Instant::now() + left);
    let interrupt = Some(session.budget.cancel_flag());
    Limits { deadline, interrupt, ..Limits::default() }
}

fn answer(
    shown: &str,
    certificate: &Certificate,
    checked: Result<Result<Checked, Rejection>, SolverError>,
    started: Instant,
) -> Result<Output, Failure> {
    let seconds = started.elapsed().as_secs_f64();
    match checked.map_err(|error| Failure::Input(error.into()))? {
        Ok(checked) => Ok(Output::new(accepted(shown, certificate, checked, seconds), Exit::Safe)),
        Err(rejection) => Ok(Output::new(format!("rejected: {rejection}\n"), Exit::Unsafe)),
    }
}

fn accepted(shown: &str, certificate: &Certificate, checked: Checked, seconds: f64) -> String {
    let names =
        |list: &[Property]| list.iter().map(|property| property.name()).collect::<Vec<_>>().join(", ");
    let Checked { nodes, vertices, paths, questions, solver } = checked;
    let mut text = format!("certified: {shown} {}\n", names(&certificate.options.properties));
    if !certificate.options.assumed.is_empty() {
        text += &format!("assuming that no execution violates {}\n", names(&certificate.options.assumed));
    }
    text + &format!(
        "{nodes} nodes, {vertices} vertices, {paths} paths, {questions} questions to {solver}, {seconds:.2} s\n"
    )
}
