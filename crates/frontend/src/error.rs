//! What can be wrong with an input.

use std::path::PathBuf;

use thiserror::Error;

/// Why a program could not be loaded.
#[derive(Debug, Error)]
pub enum Error {
    /// No input file was given.
    #[error("no input files")]
    NoInput,
    /// An input cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// An input's kind is not known.
    #[error("{}: unknown kind of file (expected .c, .i, .cpp, .cc, .cxx, .ll or .bc)", .0.display())]
    UnknownKind(PathBuf),
    /// A temporary file cannot be written.
    #[error("cannot write a temporary file: {0}")]
    Temporary(std::io::Error),
    /// There is no clang.
    #[error("neither clang-19 nor clang was found: install the package clang-19")]
    NoClang,
    /// Clang rejected the source.
    #[error("{} does not compile:\n{diagnostics}", path.display())]
    Compile {
        /// The file.
        path: PathBuf,
        /// What clang printed.
        diagnostics: String,
    },
    /// LLVM rejected a module.
    #[error("{} is not a valid LLVM module: {message}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What LLVM said.
        message: String,
    },
    /// The modules do not fit together.
    #[error("the inputs cannot be linked: {0}")]
    Link(String),
    /// The program has no `main`.
    #[error("the program has no function main")]
    NoMain,
    /// Functions that are called but have no body.
    #[error("{}", list_externs(.0))]
    UnknownExterns(Vec<UnknownExtern>),
    /// Something the front end cannot lower.
    #[error("{location}: {what} is not supported")]
    Unsupported {
        /// Names the construct.
        what: String,
        /// `file:line:column`, or the function's name.
        location: String,
    },
    /// The front end made an ill-formed program.
    #[error("internal error: the front end made an ill-formed program: {0}")]
    Internal(String),
}

/// A function that is called, or a variable that is used, but defined nowhere.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnknownExtern {
    /// Its name.
    pub name: String,
    /// Where it is first used.
    pub location: String,
}

fn list_externs(externs: &[UnknownExtern]) -> String {
    const SHOWN: usize = 20;
    let mut text = String::from("used, but defined nowhere:");
    for unknown in externs.iter().take(SHOWN) {
        text.push_str(&format!("\n  {} (at {})", unknown.name, unknown.location));
    }
    if externs.len() > SHOWN {
        text.push_str(&format!("\n  ... and {} more", externs.len() - SHOWN));
    }
    text
}
