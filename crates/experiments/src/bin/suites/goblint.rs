//! Regression tests of Goblint: comments in the source say on which lines a
//! race is (`RACE!`; `RACE` if the analysis only believes so) or is not
//! (`NORACE`).
//!
//! A program without a `RACE` of any kind and with some `NORACE` is taken for
//! safe, one with `RACE!` for unsafe. The others say nothing about executions.

use std::path::Path;

use crate::task::{Expected, Question, Task, files_below, is_source, name, text};

/// A task for every program with marks.
pub fn tasks(folder: &Path) -> anyhow::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for path in files_below(folder)?.into_iter().filter(|path| is_source(path)) {
        let source = text(&path)?;
        let Some(expected) = expected(&source).filter(|_| !has_other_meaning(&source)) else { continue };
        tasks.push(Task {
            name: name(&path, folder),
            files: vec![path],
            question: Question::Specification("CHECK( init(main()), LTL(G ! data-race) )\n".to_owned()),
            options: Vec::new(),
            flags: Vec::new(),
            expected,
        });
    }
    Ok(tasks)
}

/// Whether the first line sets options that change what the program means: every
/// function is a thread, locks fail, frees do not race.
fn has_other_meaning(source: &str) -> bool {
    let first = source.lines().next().unwrap_or_default();
    first.contains("SKIP")
        || ["allfuns", "sem.lock.fail", "race.free", "race.volatile"]
            .iter()
            .any(|option| first.contains(option))
}

fn expected(source: &str) -> Option<Expected> {
    let marks = || source.lines().filter_map(|line| line.split_once("//")).map(|(_, mark)| mark.trim_start());
    if marks().any(|mark| mark.starts_with("RACE!")) {
        Some(Expected::Unsafe)
    } else if marks().any(|mark| mark.starts_with("RACE")) {
        None
    } else {
        marks().any(|mark| mark.starts_with("NORACE")).then_some(Expected::Safe)
    }
}
