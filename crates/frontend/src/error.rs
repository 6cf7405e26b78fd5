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
    #[error("cannot read {}: {source}", path.display())]
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
    #[error("{} does not compile:\n{diagnostics}{}", path.display(), header_help(diagnostics))]
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
    /// A pattern of functions to be taken as harmless matches none.
    #[error("--havoc {0}: the program calls no function with this name that has no body and is not known")]
    HavocNothing(String),
    /// The program as a whole is of a kind that cannot be lowered.
    #[error("{location}: {what} is not supported")]
    Unsupported {
        /// Names the construct.
        what: String,
        /// Where: a function, or the program.
        location: String,
    },
    /// The front end made an ill-formed program.
    #[error("internal error: the front end made an ill-formed program: {0}")]
    Internal(String),
}

/// What to do if a header is missing, which is the most frequent reason why a single file of a
/// project does not compile.
fn header_help(diagnostics: &str) -> &'static str {
    match diagnostics.contains("file not found") {
        true => "\nhelp: flags for the compiler stand behind `--`, as in `-- -Iinclude`",
        false => "",
    }
}
