//! Tests of GenMC: programs in folders named `variants`, below `correct` or
//! `wrong`. A file `args.sc.mo.in` beside the folder holds a line for each run:
//! GenMC's options, a bar, the compiler's flags. Options for all runs are in
//! `genmc.rc11.mo.in`. `-check-liveness` asks whether loops end,
//! `-disable-race-detection` does not ask for races.
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
    let options = test.join("genmc.rc11.mo.in");
    let options = if options.exists() { text(&options)? } else { String::new() };
    let task = |line: &str| {
        let (own, flags) = line.split_once('|').unwrap_or(("", line));
        Task {
            name: format!("{} {}", name(path, folder), line.trim()).trim_end().to_owned(),
            files: vec![path.to_owned()],
            question: Question::Properties(properties(&format!("{options} {own}"))),
            options: Vec::new(),
            flags: flags.split_whitespace().map(str::to_owned).collect(),
            expected,
        }
    };
    Ok(arguments.lines().map(task).collect())
}

/// What a test with these options of GenMC asks.
fn properties(options: &str) -> String {
    let mut properties = "assert,memory,lock-misuse,uninit".to_owned();
    if !options.contains("-disable-race-detection") {
        properties.push_str(",race");
    }
    if options.contains("-check-liveness") {
        properties.push_str(",livelock");
    }
    properties
}
