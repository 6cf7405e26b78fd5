//! Best-first search as users run it, on the unit tests of the benchmarks.

mod common;

use common::{Scratch, run, threadproof};
use serde_json::Value;

fn unit_test(name: &str) -> String {
    format!("{}/../../benchmarks/unit-tests/{name}.c", env!("CARGO_MANIFEST_DIR"))
}

/// Runs `check --engine stateless` with one thread; the JSON of the report.
fn check(name: &str, options: &[&str], flags: &[&str]) -> Value {
    let file = unit_test(name);
    let start = ["check", "--engine", "stateless", "--format", "json", "--property", "assert,deadlock"];
    let args = [&start[..], options, &[&file, "--"], flags].concat();
    let run = run(&args);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn bugs_are_found_with_few_executions() {
    for (name, property) in [("lazy", "assert"), ("barrier-leave", "deadlock"), ("future", "assert")] {
        for options in [&["--search", "best-first"][..], &["--preemption-bound", "2"]] {
            let report = check(name, &[options, &["--threads", "1"]].concat(), &[]);
            assert_eq!(report["verdict"], "unsafe", "{name} {options:?}: {report}");
            assert_eq!(report["property"], property);
            assert!(report["stats"]["executions"].as_u64().unwrap() < 3000, "{report}");
        }
    }
}

#[test]
fn counterexamples_have_no_preemption_that_is_not_needed() {
    let file = unit_test("lazy");
    let options =
        ["check", "--engine", "stateless", "--search", "random", "--seed", "5", "--property", "assert"];
    let run = run(&[&options[..], &[&file]].concat());
    assert!(run.stdout.contains(", 1 preemption\n"), "{run:?}");
}

#[test]
fn the_bound_is_said_and_what_was_covered() {
    let report = check("lazy", &["--preemption-bound", "0"], &["-DFIXED"]);
    assert_eq!(report["verdict"], "unknown", "{report}");
    assert_eq!(report["reason"], "executions with more than 0 preemptions were not followed");
    let covered = report["covered"].as_str().unwrap();
    assert!(covered.starts_with("every execution with at most 0 preemptions was run ("), "{covered}");
}

#[test]
fn a_search_that_is_cut_short_says_what_is_left() {
    for options in [["--executions", "50"], ["--timeout", "1"]] {
        let options = [&["--preemption-bound", "3", "--priority", "pb"][..], &options].concat();
        let report = check("semaphore", &options, &["-DFIXED"]);
        assert_eq!(report["verdict"], "unknown", "{report}");
        let covered = report["covered"].as_str().unwrap();
        assert!(covered.contains("; every execution with at most "), "{covered}");
        assert!(covered.contains("; an estimated "), "{covered}");
    }
}

#[test]
fn an_interrupt_ends_it_with_what_was_covered() {
    let file = unit_test("semaphore");
    for search in ["best-first", "optimal", "dfs"] {
        let args = ["check", "--engine", "stateless", "--search", search, &file, "--", "-DFIXED"];
        let mut command = threadproof();
        let child = command.args(args).stdout(std::process::Stdio::piped()).spawn();
        let child = child.expect("the program starts");
        std::thread::sleep(std::time::Duration::from_secs(3));
        let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
        let run: common::Run = child.wait_with_output().expect("it ends").into();
        assert_eq!(run.status, Some(2), "{search}: {run:?}");
        assert!(run.stdout.contains("unknown: interrupted"), "{search}: {run:?}");
        assert!(run.stdout.contains(" executions are left"), "{search}: {run:?}");
    }
}

#[test]
fn random_searches_are_reproducible_and_pct_says_its_bound() {
    let options = ["--search", "pct", "--bug-depth", "2", "--executions", "20", "--seed", "4"];
    let (first, second) = (check("lazy", &options, &["-DFIXED"]), check("lazy", &options, &["-DFIXED"]));
    assert_eq!(first["stats"]["transitions"], second["stats"]["transitions"]);
    let covered = first["covered"].as_str().unwrap();
    assert!(covered.contains("each meets a bug of depth 2 with a probability of at least "), "{covered}");
}

#[test]
fn a_portfolio_finds_what_its_members_find() {
    for name in ["queens", "semaphore-lost"] {
        let report = check(name, &["--portfolio", "--threads", "2", "--timeout", "60"], &[]);
        assert_eq!(report["verdict"], "unsafe", "{name}: {report}");
    }
}

#[test]
fn unknown_priority_functions_are_refused() {
    let file = unit_test("lazy");
    let run = run(&["check", "--engine", "stateless", "--priority", "fast", &file]);
    assert_eq!(run.status, Some(3), "{run:?}");
    assert!(run.stderr.contains("no priority function fast"), "{run:?}");
}

#[test]
fn priorities_that_name_nothing_are_refused() {
    let file = unit_test("lazy");
    for (priority, message) in [
        ("method=mian", "no function `mian`, which --priority names; it has main, "),
        ("pb,var=nothing", "no global variable `nothing`, which --priority names; it has "),
    ] {
        let run = run(&["check", "--engine", "stateless", "--priority", priority, &file]);
        assert_eq!(run.status, Some(3), "{run:?}");
        assert!(run.stderr.contains(message), "{run:?}");
    }
}

#[test]
fn every_data_choice_is_tried() {
    let scratch = Scratch::new();
    let source = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n  \
                  int n = __VERIFIER_nondet_int();\n  assert(n * 5 != 350000);\n  return 0;\n}\n";
    let file = scratch.file("a.c", source.as_bytes());
    let options = ["--search", "best-first", "--nondet-range=0..79999", "--threads", "1"];
    let run = run(&[&["check", "--engine", "stateless"], &options[..], &[&file]].concat());
    assert_eq!(run.status, Some(1), "{run:?}");
}
