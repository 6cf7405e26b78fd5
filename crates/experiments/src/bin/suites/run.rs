//! Running one task with the program `threadproof`.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Instant;

use anyhow::Context;
use serde_json::Value;

use crate::task::{Expected, Question, Task};

/// What became of a task.
pub enum Answer {
    Right,
    /// The verdict is the other one; with the line that says what was found.
    Wrong(String),
    Unknown(String),
    Error(String),
}

impl Answer {
    /// One line for the list.
    pub fn line(&self, task: &Task) -> String {
        let (word, why) = match self {
            Answer::Right => ("right", ""),
            Answer::Wrong(why) => ("WRONG", why.as_str()),
            Answer::Unknown(why) => ("unknown", why.as_str()),
            Answer::Error(why) => ("error", why.as_str()),
        };
        format!("{word:8}{} (expected {:?}) {why}", task.name, task.expected).trim_end().to_owned()
    }
}

/// Runs tasks.
pub struct Runner {
    program: PathBuf,
    timeout: f64,
    scratch: PathBuf,
}

impl Runner {
    /// Without a program, the one that was built beside this one.
    pub fn new(program: Option<PathBuf>, timeout: f64) -> anyhow::Result<Runner> {
        let beside = || Ok::<_, std::io::Error>(std::env::current_exe()?.with_file_name("threadproof"));
        let program = program.map_or_else(beside, Ok)?;
        let program = program.canonicalize().with_context(|| {
            format!("{} is not there: build it with cargo build --release", program.display())
        })?;
        let scratch = std::env::temp_dir().join(format!("suites-{}", std::process::id()));
        std::fs::create_dir_all(&scratch)?;
        Ok(Runner { program, timeout, scratch })
    }

    /// Checks a task and compares.
    pub fn run(&self, task: &Task) -> Answer {
        let start = Instant::now();
        match self.output(task) {
            Ok(output) => judge(task, &output, start.elapsed().as_secs_f64()),
            Err(error) => Answer::Error(error.to_string()),
        }
    }

    fn output(&self, task: &Task) -> anyhow::Result<Output> {
        let mut command = Command::new(&self.program);
        command.arg("check").args(&task.files).args(["--format", "json"]);
        command.arg("--timeout").arg(format!("{}s", self.timeout.ceil()));
        // Counterexamples of others' programs are not worth keeping.
        command.arg("--trace").arg("/dev/null").args(&task.options);
        match &task.question {
            Question::Properties(names) => command.arg("--property").arg(names),
            Question::Specification(text) => command.arg("--spec").arg(self.specification(text)?),
        };
        command.arg("--").args(&task.flags);
        Ok(command.output()?)
    }

    /// A file with this text; the same text has the same file.
    fn specification(&self, text: &str) -> anyhow::Result<PathBuf> {
        let name: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        let path = self.scratch.join(format!("{name}.prp"));
        if !path.exists() {
            std::fs::write(&path, text)?;
        }
        Ok(path)
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // Files in the system's folder for such files: nothing is lost if they stay.
        let _ = std::fs::remove_dir_all(&self.scratch);
    }
}

fn judge(task: &Task, output: &Output, seconds: f64) -> Answer {
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let said = |field: &str| report[field].as_str().unwrap_or_default().to_owned();
    match (output.status.code(), task.expected) {
        (Some(0), Expected::Safe) | (Some(1), Expected::Unsafe) => Answer::Right,
        (Some(0), Expected::Unsafe) => Answer::Wrong(format!("safe, {} s", seconds.round())),
        (Some(1), Expected::Safe) => Answer::Wrong(fault(&report)),
        (Some(2), _) => Answer::Unknown(said("reason")),
        _ => Answer::Error(first_line(&output.stderr)),
    }
}

/// What was found, and where.
fn fault(report: &Value) -> String {
    let fault = &report["fault"];
    format!("{} at line {}", fault["message"].as_str().unwrap_or("a fault"), fault["line"])
}

fn first_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.next().unwrap_or("no message").to_owned()
}
