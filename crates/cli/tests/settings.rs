//! Options from `threadproof.toml`.

mod common;

use common::{LOST_UPDATE, Run, Scratch, run};

const SETTINGS: &str = r#"
property = ["assert"]
engine = "explicit"
coverage = true
flags = ["-DFAILS=0"]

[files."fail*.c"]
flags = ["-DFAILS=1"]
"#;

const PROGRAM: &[u8] = b"#include <assert.h>\nint main(void) { assert(!FAILS); return 0; }\n";

/// A folder with these settings.
fn folder(settings: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.file("threadproof.toml", settings.as_bytes());
    scratch
}

fn check(scratch: &Scratch, name: &str, source: &[u8], options: &[&str]) -> Run {
    let program = scratch.file(name, source);
    run(&[&["check", &program], options].concat())
}

#[test]
fn options_stand_for_those_of_the_command_line() {
    let run = check(&folder(SETTINGS), "a.c", PROGRAM, &[]);
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.stdout.starts_with("safe: no execution violates assert; "), "{run:?}");
    assert!(run.stdout.contains("\ncoverage: "), "{run:?}");
}

#[test]
fn some_files_have_their_own() {
    let run = check(&folder(SETTINGS), "fails.c", PROGRAM, &[]);
    assert_eq!(run.status, Some(1), "{run:?}");
}

#[test]
fn the_command_line_counts_more() {
    let run = check(&folder(SETTINGS), "a.c", LOST_UPDATE.as_bytes(), &["--property", "race"]);
    assert!(run.status == Some(1) && run.stdout.contains("unsafe: race"), "{run:?}");
    let flags = check(&folder(SETTINGS), "a.c", PROGRAM, &["--", "-UFAILS", "-DFAILS=1"]);
    assert_eq!(flags.status, Some(1), "{flags:?}");
}

#[test]
fn each_program_has_its_own() {
    let scratch = folder(SETTINGS);
    let (safe, fails) = (scratch.file("a.c", PROGRAM), scratch.file("fails.c", PROGRAM));
    let run = run(&["check", "--each", &safe, &fails]);
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(run.stdout.ends_with("\n2 programs: 1 safe, 1 unsafe\n"), "{run:?}");
}

#[test]
fn a_project_without_files_has_those_of_its_first_one() {
    let scratch = folder(SETTINGS);
    let program = scratch.file("fails.c", PROGRAM);
    let commands =
        format!(r#"[{{"directory": "/", "file": "{program}", "arguments": ["cc", "-c", "{program}"]}}]"#);
    scratch.file("compile_commands.json", commands.as_bytes());
    let run = run(&["check", "--project", &scratch.path("")]);
    assert!(run.status == Some(1) && run.stdout.contains("unsafe: assert"), "{run:?}");
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let broken = [
        ("colour = 3\n", "--colour"),
        ("timeout = {}\n", "timeout"),
        ("x = = 1\n", "threadproof.toml"),
        ("[files.\"other*.c\"]\nkeepgoing = true\n", "--keepgoing"),
    ];
    for (settings, named) in broken {
        let run = check(&folder(settings), "a.c", PROGRAM, &["--format", "json"]);
        assert_eq!(run.status, Some(3), "{run:?}");
        assert!(run.stderr.contains("threadproof.toml") && run.stderr.contains(named), "{run:?}");
        assert!(run.stdout.contains("\"kind\":\"input\""), "{run:?}");
    }
}
