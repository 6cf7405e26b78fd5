//! What a run does and why, line by line as it happens: on standard error with
//! `--verbose`, and in a file with `--log`.

use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::args::OutputArgs;

/// Where the lines go.
#[derive(Debug)]
pub struct Log {
    verbose: bool,
    file: Option<Mutex<File>>,
    started: Instant,
}

impl Default for Log {
    /// One that says nothing.
    fn default() -> Log {
        Log { verbose: false, file: None, started: Instant::now() }
    }
}

impl Log {
    /// As the options say. A file that cannot be written is no reason to lose
    /// the verdict: the warning says so.
    pub fn new(output: &OutputArgs) -> (Log, Option<String>) {
        let opened = output.log.as_ref().map(|path| File::create(path).map_err(|error| (path, error)));
        let (file, warning) = match opened {
            None => (None, None),
            Some(Ok(file)) => (Some(Mutex::new(file)), None),
            Some(Err((path, error))) => (None, Some(format!("cannot write {}: {error}", path.display()))),
        };
        (Log { verbose: output.verbose, file, started: Instant::now() }, warning)
    }

    /// Writes a line with the time since the start.
    pub fn note(&self, text: &str) {
        if !self.verbose && self.file.is_none() {
            return;
        }
        let line = format!("[{:7.2} s] {text}\n", self.started.elapsed().as_secs_f64());
        if self.verbose {
            let _ = std::io::stderr().write_all(line.as_bytes());
        }
        if let Some(file) = &self.file {
            let _ = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
        }
    }
}
