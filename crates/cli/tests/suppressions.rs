//! Faults that are intended (`--suppressions`), and searches that go on after a
//! fault (`--keep-going`).

mod common;

use common::{Run, Scratch, run, threadproof};
use serde_json::Value;

/// Two races, and an assertion that can fail.
const SEVERAL: &str = "#include <assert.h>
#include <pthread.h>
int hits, sum;
void count(void) { hits++; }
void *run(void *unused) {
  count();
  sum = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  count();
  sum = 2;
  pthread_join(t, 0);
  assert(sum == 2);
  return 0;
}
";

fn check(program: &str, options: &[&str]) -> Run {
    run(&[&["check", program], options].concat())
}

#[test]
fn a_suppressed_fault_is_not_told_and_the_verdict_says_so() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", SEVERAL.as_bytes());
    let file =
        scratch.file("known.txt", b"# counting need not be exact\nrace:count\nrace:sum\nassert:a.c:16\n");
    for engine in ["reference", "explicit", "stateless", "bounded"] {
        let run = check(&program, &["--suppressions", &file, "--engine", engine]);
        assert_eq!(run.status, Some(0), "{engine}: {run:?}");
        assert!(run.stdout.contains("race:count, race:sum, assert:a.c:16"), "{engine}: {run:?}");
        assert!(run.stdout.contains("sequentially consistent"), "{engine}: {run:?}");
    }
    let default = check(&program, &["--suppressions", &file]);
    assert_eq!(default.status, Some(0), "{default:?}");
}

#[test]
fn what_is_not_suppressed_is_told() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", SEVERAL.as_bytes());
    let (races, trace) = (scratch.file("known.txt", b"race:*\n"), scratch.path("a.json"));
    let found = check(&program, &["--suppressions", &races, "--trace", &trace]);
    assert!(found.status == Some(1) && found.stdout.contains("unsafe: assert"), "{found:?}");
    // The trace knows what was not to be told on the way.
    let replayed = run(&["replay", &trace]);
    assert!(replayed.status == Some(1) && replayed.stdout.contains("unsafe: assert"), "{replayed:?}");
}

#[test]
fn a_suppression_that_is_not_needed_is_warned_of() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", b"int main(void) { return 0; }\n");
    let file = scratch.file("known.txt", b"deadlock:main\n");
    let run = check(&program, &["--suppressions", &file]);
    assert!(run.status == Some(0) && run.stderr.contains("deadlock:main was not needed"), "{run:?}");
}

#[test]
fn a_line_that_is_no_suppression_is_an_error() {
    let scratch = Scratch::new();
    let (program, file) =
        (scratch.file("a.c", SEVERAL.as_bytes()), scratch.file("known.txt", b"\nnonsense\n"));
    let run = check(&program, &["--suppressions", &file]);
    assert!(run.status == Some(3) && run.stderr.contains("known.txt:2"), "{run:?}");
}

#[test]
fn all_distinct_faults_are_collected() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", SEVERAL.as_bytes());
    for engine in ["explicit", "stateless", "bounded"] {
        let run = check(&program, &["--keep-going", "--engine", engine, "--format", "json"]);
        let object: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run:?}"));
        assert_eq!(
            (run.status, object["property"].as_str()),
            (Some(1), Some("race,assert")),
            "{engine}: {object}"
        );
        let further = object["further"].as_array().expect("there are more");
        assert!(further.len() >= 2, "{engine}: {object}");
        assert!(
            object["rest"].as_str().is_some_and(|rest| rest.starts_with("no other execution")),
            "{object}"
        );
        for fault in further {
            let command: Vec<&str> = fault["replay"].as_str().expect("a command").split(' ').collect();
            let replay = threadproof().args(&command[1..]).output().expect("the program starts");
            assert_eq!(replay.status.code(), Some(1), "{engine}: {command:?}");
        }
    }
}

#[test]
fn the_text_has_every_fault_once() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", SEVERAL.as_bytes());
    let run = check(&program, &["--keep-going"]);
    assert_eq!(run.status, Some(1), "{run:?}");
    assert_eq!(run.stdout.matches("error[assertion]").count(), 1, "{run:?}");
    assert!(
        run.stdout.contains("data race on `hits`") && run.stdout.contains("data race on `sum`"),
        "{run:?}"
    );
    assert!(run.stdout.contains("\nbesides: no other execution violates "), "{run:?}");
}
