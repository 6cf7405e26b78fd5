//! The files that a report is written to, besides standard output.
//!
//! That a file cannot be written is said before the search where it can be
//! known. If it only turns out afterwards, it is a warning: the verdict is not
//! lost with the file.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use anyhow::Context;
use report::{LoopInvariant, Run, View, WitnessTask};

use crate::args::OutputArgs;
use crate::sources::FileSources;
use crate::witness;

/// What a witness says of the task, and of loops.
pub type Witnessed<'a> = (&'a WitnessTask, &'a [LoopInvariant]);

/// The same files, wherever the working directory goes.
pub fn from_here(output: OutputArgs) -> OutputArgs {
    let from_here = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    OutputArgs {
        sarif: output.sarif.map(from_here),
        html: output.html.map(from_here),
        witness: output.witness.map(from_here),
        log: output.log.map(from_here),
        ..output
    }
}

/// Fails if one of the files cannot be written.
pub fn can_be_written(output: &OutputArgs) -> anyhow::Result<()> {
    [&output.sarif, &output.html, &output.witness]
        .into_iter()
        .flatten()
        .try_for_each(|path| is_writable(path))
}

/// Opens the file for writing without changing it; one that was not there is
/// not there afterwards.
pub fn is_writable(path: &Path) -> anyhow::Result<()> {
    // Pipes and devices are not opened twice.
    if path.exists() && !path.is_file() && !path.is_dir() {
        return Ok(());
    }
    let is_new = fs::symlink_metadata(path).is_err();
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.with_context(|| format!("cannot write to {}", path.display()))?;
    if is_new {
        let _ = fs::remove_file(path);
    }
    Ok(())
}

/// Writes the files that were asked for; what cannot be written is said.
pub fn write(view: &View<'_>, output: &OutputArgs, task: Option<Witnessed<'_>>) -> Vec<String> {
    let run = run();
    let sarif = output.sarif.as_ref().map(|path| (path, report::sarif(view, &run, &FileSources)));
    let html = output.html.as_ref().map(|path| (path, report::html(view, &FileSources, output.full)));
    let files = [sarif, html].into_iter().flatten().map(|(path, contents)| write_file(path, &contents));
    let witness = output.witness.as_ref().map(|path| write_witness(path, view, task));
    files.chain(witness).filter_map(Result::err).collect()
}

fn write_witness(path: &Path, view: &View<'_>, task: Option<Witnessed<'_>>) -> Result<(), String> {
    let form = witness::form(path);
    let contents = task.and_then(|(task, invariants)| report::witness(view, task, invariants, form));
    let contents = contents.ok_or_else(|| format!("no witness of the verdict {}", view.verdict()))?;
    write_file(path, &contents)
}

/// Writes a file; why it cannot be written is said.
pub fn write_file(path: &Path, contents: &str) -> Result<(), String> {
    fs::write(path, contents).map_err(|error| format!("cannot write to {}: {error}", path.display()))
}

/// Where and how this program runs.
pub fn run() -> Run {
    Run {
        directory: std::env::current_dir().unwrap_or_default().display().to_string(),
        arguments: std::env::args().skip(1).collect(),
    }
}
