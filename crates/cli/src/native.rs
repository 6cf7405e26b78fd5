//! `threadproof replay --native`.

use std::process::{Command, Stdio};
use std::sync::Arc;

use engine::Stats;
use frontend::Linked;
use machine::{Config, Fault, Machine};
use native::{Native, Outcome};
use serde_json::json;
use trace::{SavedTrace, Trace};

use crate::args::{Format, InputArgs, ReplayArgs};
use crate::exit::{Exit, Failure, Output};
use crate::load::{front_end_options, load_linked};
use crate::replay::{changed, diverged};
use crate::save::config;
use crate::session::Session;

/// Builds a program that follows a trace.
pub fn follow(
    linked: &Linked,
    input: &InputArgs,
    config: Config,
    trace: &Trace,
    fault: &Fault,
) -> Result<Native, native::Error> {
    let machine = Machine::new(Arc::new(linked.program.clone()), config);
    let plan = native::follow(&machine, trace, fault, &linked.executed)?;
    Native::build(linked, &input.files, &front_end_options(input), plan, fault)
}

/// Forces a saved trace on the native program.
pub fn replay(
    args: &ReplayArgs,
    saved: &SavedTrace,
    input: &InputArgs,
    session: &Session,
) -> Result<Output, Failure> {
    if saved.options.memory_model.has_buffers() {
        let model = saved.options.memory_model;
        return Err(Failure::Input(anyhow::anyhow!(
            "the trace is one of the memory model {model}: when a store leaves its buffer cannot be forced on \
             native programs"
        )));
    }
    let linked = load_linked(input)?;
    let mut relocated = saved.clone();
    relocated.relocate(&linked.program);
    let SavedTrace { trace, fault, .. } = &relocated;
    let native = match follow(&linked, input, config(&saved.options), trace, fault) {
        Err(native::Error::Diverged(divergence)) => {
            return Ok(diverged(&divergence, &changed(saved), session));
        }
        native => native?,
    };
    if args.gdb {
        return debug(&native);
    }
    Ok(told(fault, &native.run()?, session))
}

impl From<native::Error> for Failure {
    fn from(error: native::Error) -> Failure {
        match error {
            native::Error::Frontend(error) => error.into(),
            error => Failure::Input(error.into()),
        }
    }
}

fn told(fault: &Fault, outcome: &Outcome, session: &Session) -> Output {
    let message = report::message(fault);
    let (word, exit, text) = match outcome {
        Outcome::Reproduced(effect) => ("reproduced", Exit::Unsafe, effect.clone()),
        Outcome::WithoutEffect(why) => {
            let text =
                format!("the trace was followed up to the fault, and nothing is to be seen of it: {why}");
            ("without-effect", Exit::Unknown, text)
        }
        Outcome::Departed(departure) => ("departed", Exit::Unknown, departure.to_string()),
    };
    let text = match session.output.format {
        Format::Text | Format::Junit => format!("{message} at {}\nnatively {word}: {text}\n", fault.at),
        Format::Github => {
            report::github_error(&format!("{message} at {}, natively {word}: {text}", fault.at))
        }
        Format::Json => {
            let stats = Stats::after(session.budget.elapsed().as_secs_f64());
            let verdict = if exit == Exit::Unsafe { "unsafe" } else { "unknown" };
            let object = json!({
                "verdict": verdict, "reason": text, "native": word, "fault": fault, "engine": "native",
                "stats": stats,
            });
            format!("{object}\n")
        }
    };
    Output::new(text, exit)
}

/// Runs the program under gdb, with the terminal in the user's hands.
fn debug(native: &Native) -> Result<Output, Failure> {
    let mut gdb = Command::new("gdb");
    // The runtime calls the first function two calls away from the program's own code.
    let commands = ["break tp_before_fault", "break tp_departed", "run", "up 2"];
    gdb.arg("-q").args(commands.iter().flat_map(|command| ["-ex", command]));
    gdb.arg("--args").arg(native.program()).args(native.arguments());
    gdb.stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::inherit());
    match gdb.status() {
        Ok(_) => Ok(Output::new(String::new(), Exit::Unsafe)),
        Err(_) => Err(Failure::Input(anyhow::anyhow!("gdb was not found: install the package gdb"))),
    }
}
