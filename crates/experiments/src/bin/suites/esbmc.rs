//! Regression tests of ESBMC: in each folder a file `test.desc` says in its
//! lines the kind of test, the program, the options, and a pattern that the
//! output must match. Only programs with threads are taken.
//!
//! The options' bounds (`--unwind`, `--context-bound`) are not: a test that
//! succeeds within its bounds may fail beyond them. A test that fails with a
//! bound on loops may fail for the bound alone, so those are left out.

use std::path::Path;

use crate::task::{Expected, Question, Task, files_below, is_source, name, text};

/// The tests that are to pass.
pub fn tasks(folder: &Path) -> anyhow::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for path in files_below(folder)?.iter().filter(|path| path.ends_with("test.desc")) {
        tasks.extend(task(path, folder)?);
    }
    Ok(tasks)
}

fn task(path: &Path, folder: &Path) -> anyhow::Result<Option<Task>> {
    let description = text(path)?;
    let lines: Vec<&str> = description.lines().map(str::trim).collect();
    let [kind, program, options, patterns @ ..] = lines.as_slice() else { return Ok(None) };
    let program = path.with_file_name(program);
    let wanted = matches!(*kind, "CORE" | "THOROUGH") && is_source(&program) && program.exists();
    let Some(expected) = expected(patterns).filter(|_| wanted) else { return Ok(None) };
    if !text(&program)?.contains("pthread") {
        return Ok(None);
    }
    let options: Vec<&str> = options.split_whitespace().collect();
    if says_nothing(&options, expected) {
        return Ok(None);
    }
    Ok(Some(Task {
        name: name(path.parent().unwrap_or(path), folder),
        files: vec![program],
        question: Question::Properties(properties(&options)),
        options: data_model(&options),
        flags: flags(&options),
        expected,
    }))
}

/// What the patterns ask for. One that says what the output must not contain
/// says so before what it must contain, so the last of the words counts.
fn expected(patterns: &[&str]) -> Option<Expected> {
    let verdict = |line: &&str| {
        let safe = line.rfind("VERIFICATION SUCCESSFUL");
        let failed = line.rfind("VERIFICATION FAILED");
        match safe.max(failed)? {
            at if Some(at) == safe => Some(Expected::Safe),
            _ => Some(Expected::Unsafe),
        }
    };
    patterns.iter().find_map(verdict)
}

/// Whether the test is about properties that we do not have, or may fail for
/// its bound on loops.
fn says_nothing(options: &[&str], expected: Expected) -> bool {
    let has = |option: &str| options.iter().any(|given| given.starts_with(option));
    let bounded = has("--unwind") && !has("--no-unwinding-assertions");
    let foreign = has("--atomicity-check") || has("--error-label") || properties(options).is_empty();
    foreign || expected == Expected::Unsafe && bounded
}

/// What the options ask for, and what is asked for unless they say otherwise.
fn properties(options: &[&str]) -> String {
    let has = |option: &str| options.contains(&option);
    let memory = !has("--no-pointer-check") && !has("--no-bounds-check");
    let table = [
        ("assert", !has("--no-assertions")),
        ("memory", memory),
        ("arithmetic", !has("--no-div-by-zero-check")),
        ("race", has("--data-races-check") || has("--data-races-check-only")),
        ("deadlock", has("--deadlock-check")),
        ("lock-misuse", has("--lock-order-check")),
        ("overflow", has("--overflow-check")),
        // Its leaks are objects that are still there at the end, unless only lost ones are asked for.
        ("cleanup", has("--memory-leak-check") && !has("--no-reachable-memory-leak")),
        ("leak", has("--memory-leak-check") && has("--no-reachable-memory-leak")),
    ];
    let names: Vec<&str> = table.iter().filter(|(_, asked)| *asked).map(|(name, _)| *name).collect();
    names.join(",")
}

fn data_model(options: &[&str]) -> Vec<String> {
    let narrow = options.contains(&"--32");
    if narrow { vec!["--data-model".to_owned(), "ilp32".to_owned()] } else { Vec::new() }
}

/// Flags for the compiler, without the quotes that a shell would take away.
fn flags(options: &[&str]) -> Vec<String> {
    let is_flag = |option: &&&str| option.starts_with("-D") || option.starts_with("-I");
    options.iter().filter(is_flag).map(|option| option.replace('\'', "")).collect()
}
