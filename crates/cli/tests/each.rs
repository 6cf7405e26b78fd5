//! Several programs at once.

mod common;

use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{LOST_UPDATE, Scratch, run};
use serde_json::Value;

const SAFE: &[u8] = b"int main(void) { return 0; }\n";
const UNKNOWN: &[u8] = b"int mystery(int);\nint main(void) { return mystery(1); }\n";
const BAD: &[u8] = b"int main(void) { return 0 }\n";

/// Programs of these contents, and `check --each` with options before them.
fn each(scratch: &Scratch, contents: &[&[u8]], options: &[&str]) -> common::Run {
    let named = contents.iter().enumerate().map(|(index, text)| scratch.file(&format!("{index}.c"), text));
    let files: Vec<String> = named.collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    run(&[&["check", "--each"], options, &files[..]].concat())
}

#[test]
fn a_table_and_the_worst_status() {
    let scratch = Scratch::new();
    let run = each(&scratch, &[SAFE, LOST_UPDATE.as_bytes(), UNKNOWN], &[]);
    assert_eq!(run.status, Some(1), "{run:?}");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("safe ") && lines[0].ends_with("0.c"), "{run:?}");
    assert!(lines[1].starts_with("unsafe ") && lines[1].contains("data race on `x` at "), "{run:?}");
    assert!(lines[2].starts_with("unknown ") && lines[2].contains("mystery"), "{run:?}");
    assert_eq!(lines[4], "3 programs: 1 safe, 1 unsafe, 1 unknown", "{run:?}");
}

#[test]
fn one_bad_program_costs_no_other_its_result() {
    let scratch = Scratch::new();
    let run = each(&scratch, &[BAD, SAFE], &["--format", "json"]);
    assert_eq!(run.status, Some(3), "{run:?}");
    let list: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let verdicts: Vec<&Value> =
        list.as_array().expect("it is a list").iter().map(|each| &each["verdict"]).collect();
    assert_eq!(verdicts, ["error", "safe"], "{run:?}");
    assert!(list[1]["program"].as_str().unwrap_or_default().ends_with("1.c"), "{run:?}");
}

#[test]
fn a_program_that_does_not_compile_is_told_by_its_first_error() {
    let scratch = Scratch::new();
    let run = each(&scratch, &[BAD], &[]);
    assert!(run.status == Some(3) && run.stdout.contains("error: expected ';'"), "{run:?}");
}

#[test]
fn wrong_settings_are_told_for_each_program() {
    let scratch = Scratch::new();
    scratch.file("threadproof.toml", b"no-such-option = true\n");
    let run = each(&scratch, &[SAFE], &[]);
    assert!(run.status == Some(3) && run.stdout.contains("no-such-option"), "{run:?}");
}

#[test]
fn statuses_without_violations() {
    let scratch = Scratch::new();
    assert_eq!(each(&scratch, &[SAFE, SAFE], &[]).status, Some(0));
    assert_eq!(each(&scratch, &[SAFE, UNKNOWN], &["--timeout", "1m"]).status, Some(2));
}

#[test]
fn limits_hold_for_each() {
    let scratch = Scratch::new();
    let large = common::LARGE.as_bytes();
    let run = each(&scratch, &[large, SAFE], &["--timeout", "1s", "--engine", "explicit"]);
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.stdout.contains("1 safe, 1 unknown"), "{run:?}");
}

#[test]
fn junit_for_build_servers() {
    let scratch = Scratch::new();
    let run = each(&scratch, &[SAFE, LOST_UPDATE.as_bytes()], &["--format", "junit"]);
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(run.stdout.contains("tests=\"2\" failures=\"1\" errors=\"0\""), "{run:?}");
    assert!(run.stdout.contains("<failure message=\"data race on `x`\""), "{run:?}");
    let alone = common::run(&["check", "--format", "junit", &scratch.path("0.c")]);
    assert_eq!(alone.status, Some(3), "{alone:?}");
}

#[test]
fn annotations_of_all() {
    let scratch = Scratch::new();
    let run = each(&scratch, &[SAFE, LOST_UPDATE.as_bytes()], &["--format", "github"]);
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(run.stdout.contains("::error file=") && run.stdout.contains("::safe: "), "{run:?}");
}

#[test]
fn files_go_to_folders() {
    let scratch = Scratch::new();
    let (pages, traces) = (scratch.path("pages/new"), scratch.path("traces"));
    let contents = [SAFE, LOST_UPDATE.as_bytes()];
    let run = each(&scratch, &contents, &["--html", &pages, "--trace", &traces]);
    assert_eq!(run.status, Some(1), "{run:?}");
    for name in ["pages/new/001-0.c.html", "pages/new/002-1.c.html", "traces/002-1.c.trace.json"] {
        assert!(std::path::Path::new(&scratch.path(name)).exists(), "{name} is not there: {run:?}");
    }
    let file = scratch.file("taken", b"");
    assert_eq!(each(&scratch, &contents, &["--sarif", &file]).status, Some(3));
}

/// Ctrl-C that reaches only the program itself, not the processes it started.
#[test]
fn an_interrupt_ends_all() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", common::LARGE.as_bytes());
    let mut command = common::threadproof();
    command.args(["check", "--each", "--engine", "explicit", &program, &program]).stdout(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    std::thread::sleep(Duration::from_secs(2));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    let started = Instant::now();
    let run = common::Run::from(child.wait_with_output().expect("it ends"));
    assert!(started.elapsed() < Duration::from_secs(3), "{run:?}");
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.stdout.contains("2 programs: 2 unknown"), "{run:?}");
}
