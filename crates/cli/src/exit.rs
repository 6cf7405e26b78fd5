//! How a command ends.

use std::process::ExitCode;

/// The exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    /// The properties hold (or the command that checks nothing succeeded).
    Safe = 0,
    /// A property is violated.
    Unsafe = 1,
    /// Neither was shown.
    Unknown = 2,
    /// The input or the command line is wrong.
    BadInput = 3,
    /// The tool is wrong.
    Internal = 4,
}

impl Exit {
    /// The status with this number.
    pub fn from_code(code: i32) -> Option<Exit> {
        let all = [Exit::Safe, Exit::Unsafe, Exit::Unknown, Exit::BadInput, Exit::Internal];
        all.into_iter().find(|exit| *exit as i32 == code)
    }

    /// Of several results the worst counts: a violation is worse than not to
    /// know, and no answer at all is worse than both.
    pub fn severity(self) -> u8 {
        match self {
            Exit::Safe => 0,
            Exit::Unknown => 1,
            Exit::Unsafe => 2,
            Exit::BadInput => 3,
            Exit::Internal => 4,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// What a command prints, and its exit status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// The text on standard output.
    pub text: String,
    /// What went wrong beside it, on standard error.
    pub warnings: Vec<String>,
    /// The status.
    pub exit: Exit,
}

impl Output {
    /// An output without warnings.
    pub fn new(text: String, exit: Exit) -> Output {
        Output { text, warnings: Vec::new(), exit }
    }
}

/// Why a command gave no output.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong.
    Input(anyhow::Error),
    /// The tool is wrong.
    Internal(anyhow::Error),
}

impl From<frontend::Error> for Failure {
    fn from(error: frontend::Error) -> Failure {
        match error {
            frontend::Error::Internal(_) => Failure::Internal(error.into()),
            _ => {
                let hint = hint(&error).map(|hint| format!("; {hint}")).unwrap_or_default();
                Failure::Input(anyhow::anyhow!("{error}{hint}"))
            }
        }
    }
}

/// What helps against mistakes that are easily made.
fn hint(error: &frontend::Error) -> Option<&'static str> {
    match error {
        frontend::Error::UnknownKind(path) if path.is_dir() => {
            Some("it is a folder: name its files, or a folder with compile_commands.json by --project")
        }
        frontend::Error::Link(message) if message.contains("'main'") => {
            Some("to check each file as a program of its own, add --each")
        }
        frontend::Error::NoMain => Some("add a file with a main that starts the threads, as a test would"),
        _ => None,
    }
}
