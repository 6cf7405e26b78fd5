//! `threadproof replay`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use engine::{Outcome, Stats, Verdict};
use machine::Machine;
use report::Report;
use serde_json::json;
use trace::{Divergence, SavedTrace};

use crate::args::{Format, ReplayArgs};
use crate::check::temporal;
use crate::exit::{Exit, Failure, Output};
use crate::files;
use crate::load::load;
use crate::native;
use crate::robust;
use crate::save::{config, file_hash, input, replay_command};
use crate::session::Session;
use crate::witness;

/// Executes a saved trace again and reports as `check` did, or says where it
/// diverged.
pub fn replay(args: &ReplayArgs, session: &Session) -> Result<Output, Failure> {
    files::can_be_written(&session.output).map_err(Failure::Input)?;
    let saved = read(&args.trace).map_err(Failure::Input)?;
    let command = replay_command(&args.trace);
    // Relative paths, of inputs and in flags, mean what they meant then. On a
    // machine without that directory they are tried from here.
    let _ = std::env::set_current_dir(&saved.directory);
    let changed = changed(&saved);
    let files = saved.inputs.iter().map(PathBuf::from).collect();
    let input = input(files, &saved.options)?;
    if args.native {
        return native::replay(args, &saved, &input, session).map_err(|failure| explain(failure, &changed));
    }
    if session.output.witness.is_some() {
        session.task.get_or_init(|| witness::task(&input.files, input.data_model, None));
    }
    let program = load(&input).map_err(|failure| explain(failure, &changed))?;
    let mut config = config(&saved.options);
    let temporal = temporal(saved.options.temporal.clone(), &program);
    config.temporal = temporal.map_err(|error| explain(Failure::Input(error), &changed))?;
    let mut relocated = saved.clone();
    let moved = relocated.relocate(&program);
    let program = Arc::new(program);
    robust::prepare(&program, &mut config, session).map_err(|_| {
        Failure::Input(anyhow::anyhow!("the final states under sequential consistency are not known"))
    })?;
    let machine = Machine::new(program, config);
    // Where the trace does not fit, its positions are told as they were saved.
    let replayed = report::record(&machine, &relocated.trace, &relocated.fault)
        .or_else(|_| report::record(&machine, &saved.trace, &saved.fault));
    let (interleaving, replayed) = match replayed {
        Ok(replayed) => replayed,
        Err(divergence) => return Ok(diverged(&divergence, &changed, session)),
    };
    let stats = Stats::after(session.budget.elapsed().as_secs_f64());
    let verdict = Verdict::Violated { fault: Box::new(replayed.fault), trace: relocated.trace };
    let outcome = Outcome { verdict, stats, warnings: Vec::new(), assumptions: Vec::new() };
    Ok(session.render(&Report {
        engine: &saved.engine,
        attempts: &[],
        properties: machine.config().properties,
        outcome: &outcome,
        interleaving: Some(&interleaving),
        replay: Some(&command),
        moved: &moved,
        further: &[],
        rest: None,
        repair: None,
        hints: &[],
        coverage: None,
    }))
}

fn read(path: &Path) -> anyhow::Result<SavedTrace> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    SavedTrace::parse(&bytes).with_context(|| path.display().to_string())
}

/// The source files that are not what they were.
pub fn changed(saved: &SavedTrace) -> Vec<String> {
    let differs = |source: &&trace::SourceHash| file_hash(&source.path).as_ref() != Some(&source.hash);
    saved.sources.iter().filter(differs).map(|source| source.path.clone()).collect()
}

fn explain(failure: Failure, changed: &[String]) -> Failure {
    match failure {
        Failure::Input(error) if !changed.is_empty() => Failure::Input(error.context(changed_text(changed))),
        failure => failure,
    }
}

/// The output for a trace that does not replay.
pub fn diverged(divergence: &Divergence, changed: &[String], session: &Session) -> Output {
    let mut reason = format!("diverged at {divergence}");
    if !changed.is_empty() {
        reason.push_str(&format!("; {}", changed_text(changed)));
    }
    let text = match session.output.format {
        Format::Text | Format::Junit => format!("{reason}\n"),
        Format::Github => report::github_error(&reason),
        Format::Json => {
            let stats = Stats::after(session.budget.elapsed().as_secs_f64());
            let object =
                json!({ "verdict": "unknown", "reason": reason, "engine": "replay", "stats": stats });
            format!("{object}\n")
        }
    };
    Output::new(text, Exit::Unknown)
}

fn changed_text(changed: &[String]) -> String {
    format!("changed since the trace was saved: {}", changed.join(", "))
}
