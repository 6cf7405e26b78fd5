//! The source files that a report quotes.

use std::fs;

use report::Sources;

/// Source files on disk. What cannot be read is not quoted.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSources;

impl Sources for FileSources {
    fn text(&self, path: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&fs::read(path).ok()?).into_owned())
    }
}
