//! The functions of the C library that the run-time library has, beside those of the machine's own
//! C library: both are called with the same random arguments, natively, and must do the same. Where
//! the run-time library leaves open what libraries do differently, it does here what glibc does.
//!
//! `tests/c_library/compare.c` makes the arguments and prints what differs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What is compared.
const SOURCES: [&str; 7] = ["ctype", "format", "mathematics", "numbers", "options", "scan", "string"];

#[test]
fn the_run_time_library_does_what_the_c_library_does() {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let compiler = || {
        let mut clang = Command::new("clang-19");
        clang.args(["-O1", "-w", "-fno-builtin", "-D_GNU_SOURCE"]);
        clang
    };
    let mut link = compiler();
    link.arg(root.join("tests/c_library/compare.c"));
    for source in SOURCES {
        let object = out.join(source).with_extension("o");
        let code = root.join("rt").join(source).with_extension("c");
        run(compiler().arg("-c").arg(code).arg("-o").arg(&object));
        // The names must be others than those of the library that they are compared with.
        run(Command::new("objcopy").arg("--prefix-symbols=our_").arg(&object));
        link.arg(object);
    }
    let program = out.join("compare");
    run(link.arg("-lm").arg("-o").arg(&program));
    assert_eq!(run(&mut Command::new(program)), "", "calls that differ");
}

/// Runs a program to its end in good order; what it prints.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("the program can be started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}
