//! The examples have the bugs that they tell of, and what is fixed is safe.

mod common;

use std::path::Path;

use common::{Run, threadproof};

fn check(program: &str) -> Run {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut command = threadproof();
    command.args(["check", "--timeout", "120", &format!("examples/{program}.c")]).current_dir(root);
    command.output().expect("the program starts").into()
}

fn has_bug(program: &str, fault: &str) {
    let broken = check(program);
    assert_eq!(broken.status, Some(1), "{broken:?}");
    assert!(broken.stdout.contains(&format!("error[{fault}]")), "{broken:?}");
    let fixed = check(&format!("{program}-fixed"));
    assert_eq!(fixed.status, Some(0), "{fixed:?}");
    assert!(!fixed.stdout.contains("is never reached"), "{fixed:?}");
}

#[test]
fn the_bank() {
    has_bug("bank", "deadlock");
}

#[test]
fn the_cache() {
    has_bug("cache", "data-race");
}

#[test]
fn the_logger() {
    has_bug("logger", "deadlock");
}

#[test]
fn the_job_queue() {
    has_bug("jobs", "out-of-bounds");
}

#[test]
fn the_lock_free_stack() {
    has_bug("stack", "data-race");
}
