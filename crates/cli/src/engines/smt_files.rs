//! The option `--dump-smt`: the solver's questions as files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use logic::Question;

/// The files written so far, by all engines of a run.
#[derive(Debug)]
pub struct Written(Mutex<Result<u64, String>>);

impl Default for Written {
    fn default() -> Written {
        Written(Mutex::new(Ok(0)))
    }
}

impl Written {
    /// Says so if a file could not be written.
    pub fn check(&self) -> anyhow::Result<()> {
        let written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        written.as_ref().map(|_| ()).map_err(|error| anyhow::anyhow!(error.clone()))
    }
}

/// Makes the directory, and sees whether files can be written there.
pub fn prepare(directory: &Path) -> anyhow::Result<()> {
    let made = std::fs::create_dir_all(directory).and_then(|()| tempfile::tempfile_in(directory));
    made.map(|_| ())
        .with_context(|| format!("cannot write the solver's questions to {}", directory.display()))
}

/// Writes questions, each to a file of its own, until one cannot be written.
pub fn writer(directory: PathBuf, written: Arc<Written>) -> impl FnMut(&Question<'_>) {
    move |question| {
        let mut written = written.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(number) = &mut *written else { return };
        *number += 1;
        let path = directory.join(format!("{number:06}.smt2"));
        let text = format!("; question {number}: {}", question.script().trim_start_matches("; "));
        if let Err(error) = std::fs::write(&path, text) {
            *written = Err(format!("cannot write {}: {error}", path.display()));
        }
    }
}
