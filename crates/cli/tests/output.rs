//! Output that does not get lost: files that cannot be written, errors in
//! forms that programs read.

mod common;

use common::{LOST_UPDATE, Scratch, run};
use serde_json::Value;

const FILES: [&str; 4] = ["--trace", "--sarif", "--html", "--witness"];

#[test]
fn a_file_in_a_folder_that_is_not_there_is_refused_at_once() {
    let scratch = Scratch::new();
    let (program, file) = (scratch.file("a.c", common::LARGE.as_bytes()), scratch.path("nowhere/out"));
    for option in FILES {
        let run = run(&["check", &program, option, &file]);
        assert_eq!(run.status, Some(3), "{run:?}");
        assert!(run.stderr.contains("cannot write to") && run.stderr.contains("nowhere/out"), "{run:?}");
    }
}

#[test]
fn a_full_disk_does_not_lose_the_verdict() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", LOST_UPDATE.as_bytes());
    for option in FILES {
        let run = run(&["check", &program, option, "/dev/full"]);
        assert_eq!(run.status, Some(1), "{run:?}");
        assert!(run.stdout.contains("unsafe: race") && run.stdout.contains("replay with: "), "{run:?}");
        assert!(run.stderr.contains("warning: cannot write"), "{run:?}");
    }
}

#[test]
fn a_file_that_is_refused_or_not_needed_is_not_left_behind() {
    let scratch = Scratch::new();
    let (program, file) = (scratch.file("a.c", b"int main(void) { return 0 }\n"), scratch.path("out.html"));
    assert_eq!(run(&["check", &program, "--html", &file]).status, Some(3));
    assert!(!std::path::Path::new(&file).exists());
}

#[test]
fn a_replay_writes_files_where_it_was_called() {
    let (there, here) = (Scratch::new(), Scratch::new());
    let (program, trace) = (there.file("a.c", LOST_UPDATE.as_bytes()), here.path("a.trace.json"));
    assert_eq!(run(&["check", &program, "--trace", &trace]).status, Some(1));
    let mut replay = common::threadproof();
    replay.current_dir(here.path("")).args([
        "replay",
        "a.trace.json",
        "--html",
        "a.html",
        "--witness",
        "a.yml",
    ]);
    assert_eq!(replay.output().expect("the program starts").status.code(), Some(1));
    for name in ["a.html", "a.yml"] {
        assert!(std::path::Path::new(&here.path(name)).exists(), "{name} is not there");
    }
}

#[test]
fn errors_are_objects_in_json() {
    let scratch = Scratch::new();
    let bad = scratch.file("a.c", b"int main(void) { return 0 }\n");
    let commands: [&[&str]; 4] = [
        &["check", "--format", "json", "nowhere.c"],
        &["check", "--format=json", &bad],
        &["check", "--format", "json", "--no-such-option", &bad],
        &["replay", "--format", "json", "nowhere.json"],
    ];
    for command in commands {
        let run = run(command);
        assert_eq!(run.status, Some(3), "{run:?}");
        let object: Value =
            serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
        assert_eq!((&object["verdict"], &object["status"]), (&"error".into(), &3.into()), "{run:?}");
        assert_eq!(object["error"]["kind"], "input");
        assert!(!object["error"]["message"].as_str().unwrap_or_default().is_empty(), "{run:?}");
        assert!(!run.stderr.is_empty(), "people read it, too: {run:?}");
    }
}

#[test]
fn annotations_for_github() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", LOST_UPDATE.as_bytes());
    let run = run(&["check", "--format", "github", &program]);
    assert_eq!(run.status, Some(1));
    let annotations: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(annotations.len(), 3, "{run:?}");
    assert!(
        annotations[0].starts_with("::error file=")
            && annotations[0].contains(",title=race::data race on `x`")
    );
    assert!(annotations[1].starts_with("::notice file=") && annotations[1].contains("it here"));
    assert!(annotations[2].starts_with("::notice title=threadproof::unsafe: race"));
    assert!(run.stdout.contains("interleaving: "), "people read it, too: {run:?}");
}
