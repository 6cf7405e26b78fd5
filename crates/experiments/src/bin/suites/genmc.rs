//! Tests of GenMC: programs in folders named `variants`, below `correct` or
//! `wrong`. A file `args.sc.mo.in` beside the folder holds the compiler's
//! flags, a line for each run.
//!
//! What is wrong under a weaker memory model only is safe here.

use std::path::Path;

use crate::task::{Expected, Question, Task, files_below, is_source, name, text};

/// A task for every program and line of arguments.
pub fn tasks(folder: &Path) -> anyhow::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for path in files_below(folder)? {
        let in_variants = path.parent().is_some_and(|parent| parent.ends_with("variants"));
        if is_source(&path) && in_variants {
            tasks.extend(variants(&path, folder)?);
        }
    }
    Ok(tasks)
}

fn variants(path: &Path, folder: &Path) -> anyhow::Result<Vec<Task>> {
    let wrong = path.components().any(|part| part.as_os_str() == "wrong");
    let expected = if wrong { Expected::Unsafe } else { Expected::Safe };
    let test = path.ancestors().nth(2).unwrap_or(path);
    let arguments = test.join("args.sc.mo.in");
    let arguments = if arguments.exists() { text(&arguments)? } else { "\n".to_owned() };
    let task = |line: &str| Task {
        name: format!("{} {}", name(path, folder), line.trim()).trim_end().to_owned(),
        files: vec![path.to_owned()],
        question: Question::Properties("assert,memory,race,lock-misuse,uninit".to_owned()),
        options: Vec::new(),
        flags: line.split_whitespace().filter(|word| *word != "|").map(str::to_owned).collect(),
        expected,
    };
    Ok(arguments.lines().map(task).collect())
}
