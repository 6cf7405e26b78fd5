//! Programs whose files have flags of their own (`--project`).

mod common;

use common::{Scratch, run, threadproof};

const MAIN: &[u8] =
    b"#include <assert.h>\n#include \"count.h\"\nint main(void) { assert(count() == LIMIT); return 0; }\n";
const COUNT: &[u8] = b"#include \"count.h\"\nint count(void) { return LIMIT; }\n";
const HEADER: &[u8] = b"int count(void);\n";

/// A project with two files, of which the second may have another limit.
fn project(limit: u32) -> Scratch {
    let scratch = Scratch::new();
    for folder in ["include", "src", "build"] {
        std::fs::create_dir(scratch.path(folder)).expect("a folder can be made");
    }
    scratch.file("include/count.h", HEADER);
    scratch.file("src/main.c", MAIN);
    scratch.file("src/count.c", COUNT);
    let build = scratch.path("build");
    let commands = format!(
        r#"[
  {{ "directory": "{build}", "file": "../src/main.c", "command": "cc -I../include -DLIMIT=3 -O2 -o main.o -c ../src/main.c" }},
  {{ "directory": "{build}", "file": "../src/count.c", "arguments": ["cc", "-I", "../include", "-DLIMIT={limit}", "-c", "../src/count.c"] }}
]"#
    );
    scratch.file("build/compile_commands.json", commands.as_bytes());
    scratch
}

#[test]
fn each_file_has_its_own_flags() {
    for (limit, status) in [(3, 0), (4, 1)] {
        let scratch = project(limit);
        let run = run(&["check", "--project", &scratch.path("build")]);
        assert_eq!(run.status, Some(status), "{run:?}");
    }
}

#[test]
fn files_can_be_chosen_and_must_be_listed() {
    let scratch = project(3);
    let (build, main, count) =
        (scratch.path("build"), scratch.path("src/main.c"), scratch.path("src/count.c"));
    let both = run(&["check", "--project", &build, &main, &count]);
    assert_eq!(both.status, Some(0), "{both:?}");
    // Without the other file the function has no body.
    let alone = run(&["check", "--project", &build, &main]);
    assert_eq!(alone.status, Some(2), "{alone:?}");
    let unknown = run(&["check", "--project", &build, &scratch.file("src/other.c", COUNT)]);
    assert!(unknown.status == Some(3) && unknown.stderr.contains("has no compile command"), "{unknown:?}");
}

#[test]
fn a_counterexample_is_replayed_with_the_same_flags() {
    let scratch = project(4);
    let trace = scratch.path("bug.json");
    let mut check = threadproof();
    check.current_dir(scratch.path("")).args(["check", "--project", "build", "--trace", &trace]);
    assert_eq!(check.output().expect("the program starts").status.code(), Some(1));
    let replayed = run(&["replay", &trace]);
    assert_eq!(replayed.status, Some(1), "{replayed:?}");
}

#[test]
fn a_list_that_is_none_is_refused() {
    let scratch = Scratch::new();
    let missing = run(&["check", "--project", &scratch.path("")]);
    assert!(missing.status == Some(3) && missing.stderr.contains("compile_commands.json"), "{missing:?}");
    scratch.file("compile_commands.json", b"{}");
    let broken = run(&["check", "--project", &scratch.path("")]);
    assert!(
        broken.status == Some(3) && broken.stderr.contains("not a list of compile commands"),
        "{broken:?}"
    );
}
