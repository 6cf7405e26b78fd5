//! Modules that are none: an error, never a crash.

mod common;

use std::process::Command;

use common::try_load;
use fastrand::Rng;
use frontend::{Error, Options};

const SOURCE: &str = "struct s { int a; struct s *next; } g; int f(struct s *p, int n) {
    switch (n) { case 1: return p->a; case 2: return f(p->next, n - 1) + 1; default: return n ? 3 : p->a; } }
    int main(void) { return f(&g, 2); }";

/// The source as a module, in text or bitcode.
fn module(flag: &str) -> Vec<u8> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (source, output) = (directory.path().join("seed.c"), directory.path().join("seed.out"));
    std::fs::write(&source, SOURCE).expect("a file");
    let mut clang = Command::new("clang-19");
    let status = clang.args(["-g", "-emit-llvm", flag, "-o"]).arg(&output).arg(&source).status();
    assert!(status.expect("clang-19 runs").success());
    std::fs::read(output).expect("clang wrote it")
}

fn load(name: &str, bytes: &[u8]) -> Result<ir::Program, Error> {
    try_load(name, bytes, &Options::default())
}

#[test]
fn modules_load() {
    assert!(load("test.bc", &module("-c")).is_ok());
    assert!(load("test.ll", &module("-S")).is_ok());
}

#[test]
fn truncated_bitcode() {
    let whole = module("-c");
    for part in [0, 3, 4, 100, whole.len() / 2, whole.len() - 4] {
        let error = load("test.bc", &whole[..part]).expect_err("the rest is missing");
        assert!(matches!(error, Error::Unreadable { .. } | Error::NoMain), "{error}");
    }
}

#[test]
fn binary_junk() {
    let mut random = Rng::with_seed(7);
    for length in [1, 16, 300] {
        let bytes: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
        for name in ["test.bc", "test.ll"] {
            assert!(load(name, &bytes).is_err());
        }
    }
}

#[test]
fn bitcode_with_changed_bytes() {
    let whole = module("-c");
    let mut random = Rng::with_seed(42);
    for _ in 0..60 {
        let mut bytes = whole.clone();
        for _ in 0..1 + random.usize(..4) {
            let at = random.usize(..bytes.len());
            bytes[at] = random.u8(..);
        }
        // Either way is fine, as long as it returns.
        let _ = load("test.bc", &bytes);
    }
}

#[test]
fn text_with_changed_words() {
    let whole = String::from_utf8(module("-S")).expect("text");
    let words: Vec<&str> = whole.split_inclusive([' ', '\n']).collect();
    let mut random = Rng::with_seed(1234);
    for _ in 0..60 {
        let mut changed = words.clone();
        for _ in 0..1 + random.usize(..2) {
            let (at, from) = (random.usize(..changed.len()), random.usize(..words.len()));
            match random.usize(..3) {
                0 => changed[at] = words[from],
                1 => drop(changed.remove(at)),
                _ => changed.insert(at, words[from]),
            }
        }
        let _ = load("test.ll", changed.concat().as_bytes());
    }
}
