//! Suites whose programs say in their names what they are: `account_bad.c`. A
//! program is `sat` if the formula for its fault is.

use std::path::Path;

use crate::task::{Expected, Question, Task, files_below, is_source, name};

/// A task for every program whose name says it.
pub fn tasks(folder: &Path) -> anyhow::Result<Vec<Task>> {
    let tasks = files_below(folder)?.into_iter().filter(|path| is_source(path)).filter_map(|path| {
        let expected = expected(path.file_stem()?.to_str()?)?;
        Some(Task {
            name: name(&path, folder),
            files: vec![path],
            question: Question::Properties("assert,deadlock,memory".to_owned()),
            options: Vec::new(),
            flags: Vec::new(),
            expected,
        })
    });
    Ok(tasks.collect())
}

fn expected(stem: &str) -> Option<Expected> {
    match stem.rsplit(['_', '-']).next()? {
        "bad" | "sat" | "bug" | "unsafe" => Some(Expected::Unsafe),
        "ok" | "unsat" | "good" | "safe" => Some(Expected::Safe),
        _ => None,
    }
}
