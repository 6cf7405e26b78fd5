//! Bad input of every kind: the right exit status, and a message that fits one
//! screen and names what is wrong.

mod common;

use common::{Run, Scratch, run};

const SCREEN: usize = 40;

/// Runs `check` on a file with these contents.
fn check(name: &str, contents: &[u8], options: &[&str]) -> Run {
    let scratch = Scratch::new();
    let file = scratch.file(name, contents);
    let mut args = vec!["check"];
    args.extend_from_slice(options);
    args.push(&file);
    run(&args)
}

#[track_caller]
fn assert_bad_input(run: &Run, words: &[&str]) {
    assert_eq!(run.status, Some(3), "{run:?}");
    assert!(run.stdout.is_empty(), "{run:?}");
    assert!(run.stderr.lines().count() <= SCREEN, "longer than a screen: {run:?}");
    for word in words {
        assert!(run.stderr.contains(word), "`{word}` is not in: {}", run.stderr);
    }
}

#[test]
fn options_that_the_engine_ignores() {
    for (engine, option, value) in [
        ("stateless", "--context-bound", "2"),
        ("explicit", "--unwind", "3"),
        ("impact", "--depth", "9"),
        ("impact", "--solver", "z3"),
        ("bounded", "--state-limit", "5"),
        ("reference", "--symmetry", "on"),
        ("impact", "--checkpoint", "kept"),
        ("bounded", "--processes", "2"),
    ] {
        let run = check("a.c", b"int main(void) { return 0; }", &["--engine", engine, option, value]);
        assert_bad_input(&run, &[engine, "ignores", option]);
    }
    let run = check("a.c", b"int main(void) { return 0; }", &["--search", "bfs", "--seed", "3"]);
    assert_bad_input(&run, &["explicit", "ignores", "--seed"]);
}

#[test]
fn options_that_the_engine_keeps() {
    for options in [
        &["--engine", "bounded", "--context-bound", "2"][..],
        &["--engine", "explicit", "--depth", "90", "--state-limit", "900"],
        &["--search", "random", "--seed", "3", "--executions", "2"],
        &["--engine", "stateless", "--symmetry", "off"],
        &["--context-bound", "2", "--unwind", "3", "--seed", "2"],
    ] {
        let run = check("a.c", b"int main(void) { return 0; }", options);
        assert!(matches!(run.status, Some(0 | 2)), "{options:?}: {run:?}");
    }
}

#[test]
fn missing_file() {
    assert_bad_input(&run(&["check", "nowhere/there.c"]), &["nowhere/there.c"]);
}

#[test]
fn unknown_kind_of_file() {
    assert_bad_input(&check("a.txt", b"int main(void) { return 0; }", &[]), &["a.txt"]);
}

#[test]
fn a_directory() {
    let scratch = Scratch::new();
    assert_eq!(run(&["check", &scratch.path("")]).status, Some(3));
}

#[test]
fn syntax_error() {
    assert_bad_input(&check("a.c", b"int main(void) { return 0 }\n", &[]), &["a.c:1", "expected ';'"]);
}

#[test]
fn many_syntax_errors_fit_a_screen() {
    let many = "int f(void) { return x y z; }\n".repeat(300);
    assert_bad_input(&check("a.c", many.as_bytes(), &[]), &["a.c:1"]);
}

#[test]
fn empty_file() {
    assert_bad_input(&check("a.c", b"", &[]), &["main"]);
}

#[test]
fn no_main() {
    assert_bad_input(&check("a.c", b"int f(void) { return 1; }\n", &[]), &["main"]);
}

#[test]
fn unknown_extern() {
    let source = b"int mystery(int);\nint main(void) {\n  return mystery(1) > 0 ? 0 : 1;\n}\n";
    let run = check("a.c", source, &[]);
    assert_eq!(run.status, Some(2), "{run:?}");
    for part in ["a call of mystery, which has no body, is not supported", "a.c:3", "--havoc"] {
        assert!(run.stdout.contains(part), "{run:?}");
    }
    assert_bad_input(&check("a.c", source, &["--havoc", "misery"]), &["misery"]);
    assert_eq!(check("a.c", source, &["--havoc", "mystery"]).status, Some(0));
}

#[test]
fn unsupported_construct() {
    let source = b"int main(void) {\n  unsigned a, d;\n  __asm__ volatile(\"rdpmc\" : \"=a\"(a), \"=d\"(d));\n  return a == d;\n}\n";
    let run = check("a.c", source, &[]);
    assert!(matches!(run.status, Some(2 | 3)), "{run:?}");
    assert!((run.stdout + &run.stderr).contains("a.c:3"));
}

#[test]
fn junk_bitcode() {
    assert_bad_input(&check("a.bc", b"\xde\xad\xbe\xef junk \x00\x01", &[]), &["a.bc"]);
    assert_bad_input(&check("b.bc", b"", &[]), &["main"]);
    assert_bad_input(&check("c.bc", b"BC\xc0\xde\x00\x00\x00\x00\xff\xff\xff\xff", &[]), &["c.bc"]);
}

#[test]
fn junk_assembly() {
    assert_bad_input(&check("a.ll", b"define i32 @main( { ret }\n", &[]), &["a.ll"]);
    assert_bad_input(&check("b.ll", b"\xff\xfe\x00\x00", &[]), &["b.ll"]);
}

#[test]
fn truncated_bitcode() {
    let scratch = Scratch::new();
    let source = scratch.file("a.c", b"#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n");
    let whole = scratch.path("a.bc");
    let clang =
        std::process::Command::new("clang-19").args(["-c", "-emit-llvm", "-o", &whole, &source]).status();
    assert!(clang.expect("clang-19 runs").success());
    let bytes = std::fs::read(&whole).expect("clang wrote it");
    assert_eq!(run(&["check", &whole]).status, Some(0));
    for part in [4, 40, bytes.len() / 2, bytes.len() - 4] {
        assert_bad_input(&check("cut.bc", &bytes[..part], &[]), &["cut.bc"]);
    }
}

#[test]
fn endless_recursion() {
    let source = b"int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n";
    let run = check("a.c", source, &[]);
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(run.stdout.contains("stack overflow"), "{run:?}");
    assert!(run.stdout.lines().count() <= 2 * SCREEN, "{}", run.stdout);
}

#[test]
fn a_program_that_eats_memory() {
    let source = b"#include <stdlib.h>\nint main(void) {\n  char **last = 0;\n  for (;;) {\n    char **p = malloc(1 << 20);\n    *p = (char *)last;\n    last = p;\n  }\n}\n";
    let run = check("a.c", source, &["--memory-limit", "400M", "--timeout", "60"]);
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.stdout.contains("unknown"), "{run:?}");
}

#[test]
fn a_huge_object() {
    let source = b"static char big[1ull << 45];\nint main(void) { return big[5]; }\n";
    let run = check("a.c", source, &["--timeout", "30"]);
    assert!(matches!(run.status, Some(2 | 3)), "{run:?}");
}

#[test]
fn bad_options() {
    let cases: [&[&str]; 10] = [
        &[],
        &["chekc", "a.c"],
        &["check"],
        &["check", "--property", "rain", "a.c"],
        &["check", "--timeout", "soon", "a.c"],
        &["check", "--memory-limit", "much", "a.c"],
        &["check", "--nondet-range=5..1", "a.c"],
        &["check", "--engine", "steam", "a.c"],
        &["check", "--property", "race", "--spec", "a.prp", "a.c"],
        &["replay"],
    ];
    for args in cases {
        assert_bad_input(&run(args), &[]);
    }
}

#[test]
fn bad_property_files() {
    let scratch = Scratch::new();
    let source = scratch.file("a.c", b"int main(void) { return 0; }\n");
    let termination = scratch.file("t.prp", b"CHECK( init(main()), LTL(F end) )\n");
    assert_bad_input(&run(&["check", "--spec", &termination, &source]), &["t.prp", "termination"]);
    assert_bad_input(&run(&["check", "--spec", &scratch.path("none.prp"), &source]), &["none.prp"]);
}

#[test]
fn bad_traces() {
    let scratch = Scratch::new();
    assert_bad_input(&run(&["replay", &scratch.path("none.json")]), &["none.json"]);
    let junk = scratch.file("junk.json", b"{\"format\": 1, \"trace\": [}");
    assert_bad_input(&run(&["replay", &junk]), &["junk.json", "not a trace"]);
    let other = scratch.file("other.json", b"{\"format\": 7}");
    assert_bad_input(&run(&["replay", &other]), &["format 7"]);
}

#[test]
fn help_is_no_error() {
    for args in
        [&["--help"][..], &["check", "--help"], &["replay", "--help"], &["dump", "--help"], &["--version"]]
    {
        let run = run(args);
        assert_eq!(run.status, Some(0), "{run:?}");
        assert!(run.stdout.contains("threadproof"), "{run:?}");
    }
}

/// Mistakes that are easily made, and what helps.
#[test]
fn easy_mistakes_are_told_with_what_helps() {
    let scratch = Scratch::new();
    let [one, other] = ["a.c", "b.c"].map(|name| scratch.file(name, b"int main(void) { return 0; }\n"));
    let library = scratch.file("c.c", b"int f(void) { return 1; }\n");
    let folder = scratch.path("");
    let cases = [
        (vec![one.as_str(), &other], "add --each"),
        (vec![&library], "a main that starts the threads"),
        (vec![&folder], "it is a folder"),
        (vec![&one, "--timeout", "-1"], "`-1` is not a time"),
    ];
    for (args, hint) in cases {
        let run = run(&[&["check"], &args[..]].concat());
        assert!(run.status == Some(3) && run.stderr.contains(hint), "{args:?}: {run:?}");
    }
}
