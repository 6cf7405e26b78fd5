//! Where in the source something comes from.

use serde::{Deserialize, Serialize};

/// Index into [`crate::Program::files`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FileId(pub u32);

/// A source position; line 0 means that the debug information does not say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// Whether code of a library's function stands there, which was inlined where it is called.
    pub inlined: bool,
}

impl Span {
    /// Whether the position is known.
    pub fn is_known(self) -> bool {
        self.line != 0
    }
}

/// A source file named by the debug information. The text is read by the
/// command line where a report wants to quote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// The path as the compiler was given it, absolute where it is relative to
    /// the compilation directory.
    pub path: String,
}

/// A position with its file's name, for messages and JSON.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Location {
    /// The file's path.
    pub file: String,
    /// The line, from 1 (0 if unknown).
    pub line: u32,
    /// The column, from 1 (0 if unknown).
    pub column: u32,
    /// The function the position is in.
    pub function: String,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.line, self.column) {
            (0, _) => write!(f, "{}", self.function),
            (line, 0) => write!(f, "{}:{line}", self.file),
            (line, column) => write!(f, "{}:{line}:{column}", self.file),
        }
    }
}
