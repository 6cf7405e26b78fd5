//! Tables in files: the same search as in memory, where memory is too small for them.

mod common;

use common::{Scratch, run};
use serde_json::Value;

/// So much memory that the program is loaded, and not all states have room.
const LIMIT: &str = "32M";

fn program() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../benchmarks/context-switches/increments.c").to_owned()
}

fn report(options: &[&str]) -> Value {
    let program = program();
    let mut args = vec!["check", "--engine", "explicit", "--property", "assert", "--format", "json"];
    // Every instruction is a step: 886,880 states.
    args.extend(["--reduction", "none", "--symmetry", "off", "--threads", "1"]);
    args.extend(options);
    args.extend([program.as_str(), "--", "-DTHREADS=2", "-DINCREMENTS=8"]);
    serde_json::from_str(&run(&args).stdout).expect("a JSON report")
}

fn counts(report: &Value) -> [&Value; 4] {
    let stats = &report["stats"];
    [&report["verdict"], &stats["states"], &stats["transitions"], &stats["states_per_layer"]]
}

#[test]
fn a_search_beyond_memory_is_complete_in_files() {
    let scratch = Scratch::new();
    let folder = scratch.path("tables");
    let whole = report(&[]);
    assert_eq!((&whole["verdict"], &whole["stats"]["states"]), (&"safe".into(), &886_880.into()));
    assert_eq!(report(&["--memory-limit", LIMIT])["verdict"], "unknown");
    let spilled = report(&["--memory-limit", LIMIT, "--spill", &folder]);
    assert_eq!(counts(&spilled), counts(&whole));
    // Levels have tables of their own.
    let levels = report(&["--search", "bfs"]);
    assert_eq!(counts(&report(&["--search", "bfs", "--spill", &folder])), counts(&levels));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "files are left");
}

#[test]
fn several_processes_have_files_of_their_own() {
    let scratch = Scratch::new();
    let folder = scratch.path("tables");
    let whole = report(&[]);
    let spread = report(&["--processes", "2", "--spill", &folder]);
    assert_eq!(counts(&spread), counts(&whole));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "files are left");
}

#[test]
fn a_folder_that_cannot_be_used_is_refused() {
    let scratch = Scratch::new();
    let file = scratch.file("no-folder", b"");
    let program = program();
    let said = run(&["check", "--engine", "explicit", "--spill", &file, &program]);
    assert_eq!(said.status, Some(3), "{said:?}");
    assert!(said.stderr.contains("cannot keep tables in the folder"), "{said:?}");
    let said = run(&["check", "--engine", "explicit", "--symmetry", "on", "--spill", "x", &program]);
    assert!(said.stderr.contains("--symmetry on"), "{said:?}");
}

/// A limit on the size of files stands for a disk that is full.
#[test]
fn a_full_disk_ends_the_search_as_unknown() {
    let scratch = Scratch::new();
    let (folder, program) = (scratch.path("tables"), program());
    let check =
        ["check", "--engine", "explicit", "--property", "assert", "--reduction", "none", "--symmetry"];
    let output = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 4096; exec \"$@\"", "sh"])
        .arg(common::threadproof().get_program())
        .args(check)
        .args(["off", "--spill", &folder, &program, "--", "-DTHREADS=2", "-DINCREMENTS=8"])
        .env("XDG_CACHE_HOME", scratch.path("cache"))
        .output()
        .expect("a shell runs");
    let told: common::Run = output.into();
    assert_eq!(told.status, Some(2), "{told:?}");
    assert!(told.stdout.contains("the folder of --spill has no room for the states"), "{told:?}");
    assert_eq!(std::fs::read_dir(&folder).expect("the folder is there").count(), 0, "files are left");
}
