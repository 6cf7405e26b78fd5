//! `threadproof certify`.

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use certify::{Certificate, Checked};
use logic::Limits;
use machine::{Machine, Property};

use crate::args::CertifyArgs;
use crate::exit::{Exit, Failure, Output};
use crate::load::load;
use crate::save::{config, input};
use crate::session::Session;

/// Checks a certificate.
pub fn certify(args: &CertifyArgs, session: &Session) -> Result<Output, Failure> {
    let (path, files) = args.files.split_last().expect("there are two at least");
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let certificate =
        bytes.and_then(|bytes| Certificate::parse(&bytes).with_context(|| path.display().to_string()));
    let certificate = certificate.map_err(Failure::Input)?;
    let program = load(&input(files.to_vec(), &certificate.options)?)?;
    let machine = Machine::new(Arc::new(program), config(&certificate.options));
    let started = Instant::now();
    let deadline = session.budget.remaining().map(|left| started + left);
    let interrupt = Some(session.budget.cancel_flag());
    let limits = Limits { deadline, interrupt, ..Limits::default() };
    let checked = certify::check(&machine, &certificate, limits);
    let seconds = started.elapsed().as_secs_f64();
    match checked.map_err(|error| Failure::Input(error.into()))? {
        Ok(checked) => Ok(Output::new(accepted(&certificate, checked, seconds), Exit::Safe)),
        Err(rejection) => Ok(Output::new(format!("rejected: {rejection}\n"), Exit::Unsafe)),
    }
}

fn accepted(certificate: &Certificate, checked: Checked, seconds: f64) -> String {
    let names =
        |list: &[Property]| list.iter().map(|property| property.name()).collect::<Vec<_>>().join(", ");
    let Checked { nodes, vertices, paths, questions, solver } = checked;
    let mut text = format!("certified: no execution violates {}\n", names(&certificate.options.properties));
    if !certificate.options.assumed.is_empty() {
        text += &format!("assuming that no execution violates {}\n", names(&certificate.options.assumed));
    }
    text + &format!(
        "{nodes} nodes, {vertices} vertices, {paths} paths, {questions} questions to {solver}, {seconds:.2} s\n"
    )
}
