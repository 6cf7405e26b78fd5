//! A program and what is expected of it.

use std::path::{Path, PathBuf};

/// The verdict that a suite expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// No execution violates the property.
    Safe,
    /// Some execution does.
    Unsafe,
}

/// What to check: properties by name, or the text of a property file.
#[derive(Clone, Debug)]
pub enum Question {
    /// The argument of `--property`.
    Properties(String),
    /// The content of the file for `--spec`.
    Specification(String),
}

/// One program, one question, one expected verdict.
#[derive(Clone, Debug)]
pub struct Task {
    pub name: String,
    pub files: Vec<PathBuf>,
    pub question: Question,
    /// Further options of `threadproof check`.
    pub options: Vec<String>,
    /// Flags for the compiler.
    pub flags: Vec<String>,
    pub expected: Expected,
}

/// All files below a folder, in a fixed order.
pub fn files_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut work = vec![folder.to_owned()];
    while let Some(folder) = work.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            match path.is_dir() {
                true => work.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A file's text; characters that are none are replaced.
pub fn text(path: &Path) -> anyhow::Result<String> {
    Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
}

/// A path as the name of a task: relative to the suite's folder.
pub fn name(path: &Path, folder: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).display().to_string()
}

/// Whether a file is C or C++ source.
pub fn is_source(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["c", "cc", "cpp", "i"].iter().any(|known| extension == *known)
}
