//! Counterexamples forced on the native program. `NATIVE=1 cargo test --test
//! corpus` does it for the whole corpus; here is a sample.

mod common;

use common::{LOST_UPDATE, Run, Scratch, run};

/// Programs of the corpus, the property that they violate, and what must be
/// seen of it.
const SAMPLE: [(&str, &str, &str); 15] = [
    ("sync/cond-signal-bug.c", "assert", "SIGABRT"),
    ("sync/sem-timedwait-bug.c", "assert", "SIGABRT"),
    ("sync/wait-signal-lost-between-bug.c", "deadlock", "waits at"),
    ("sync/rwlock-bug.c", "assert", "SIGABRT"),
    ("sync/barrier-bug.c", "assert", "SIGABRT"),
    ("sync/tls-variable-bug.c", "assert", "SIGABRT"),
    ("sync/once-left-by-exit-bug.c", "assert", "SIGABRT"),
    ("sync/main-pthread-exit-bug.c", "assert", "SIGABRT"),
    ("faults-sync/spin-relock-bug.c", "deadlock", "waits at"),
    ("memory/double-free-bug.c", "memory", "double-free"),
    ("memory/use-after-free-bug.c", "memory", "heap-use-after-free"),
    ("memory/bad-function-pointer-bug.c", "memory", "SEGV"),
    ("inputs/size-by-input-bug.c", "memory", "heap-buffer-overflow"),
    ("control/atexit-bug.c", "assert", "SIGABRT"),
    ("cpp/condition-variable-bug.cpp", "assert", "SIGABRT"),
];

fn corpus(name: &str) -> String {
    format!("{}/../../corpus/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Finds a counterexample and replays it natively.
fn forced(scratch: &Scratch, program: &str, property: &str, options: &[&str]) -> Run {
    let trace = found(scratch, program, property, &[]);
    run(&[&["replay", &trace, "--native"], options].concat())
}

/// Finds a counterexample.
fn found(scratch: &Scratch, program: &str, property: &str, options: &[&str]) -> String {
    let trace = scratch.path("bug.json");
    let found = run(&[&["check", program, "--property", property, "--trace", &trace], options].concat());
    assert_eq!(found.status, Some(1), "{program}: {}{}", found.stdout, found.stderr);
    trace
}

#[test]
fn faults_with_an_effect_reproduce() {
    let scratch = Scratch::new();
    for (name, property, seen) in SAMPLE {
        let forced = forced(&scratch, &corpus(name), property, &[]);
        assert_eq!(forced.status, Some(1), "{name}: {}{}", forced.stdout, forced.stderr);
        assert!(forced.stdout.contains("natively reproduced"), "{name}: {}", forced.stdout);
        assert!(forced.stdout.contains(seen), "{name}: {}", forced.stdout);
    }
}

/// Programs of the corpus that are checked with an option, and the property that they violate.
const WITH_OPTIONS: [(&str, &str, &[&str]); 4] = [
    ("memory/malloc-may-fail-bug.c", "memory", &["--malloc-may-fail"]),
    ("cpp/nothrow-new-bug.cpp", "memory", &["--malloc-may-fail"]),
    ("environment/creation-fails-bug.c", "assert", &["--create-may-fail"]),
    ("lowering/undefined-havoc-bug.cpp", "assert", &["--havoc=sensor::*", "--nondet-range=0..3"]),
];

#[test]
fn what_fails_in_a_trace_fails_natively() {
    let scratch = Scratch::new();
    for (name, property, options) in WITH_OPTIONS {
        let trace = found(&scratch, &corpus(name), property, options);
        let forced = run(&["replay", &trace, "--native"]);
        assert!(forced.stdout.contains("natively reproduced"), "{name}: {}{}", forced.stdout, forced.stderr);
    }
}

/// Each of these calls is executed three times, and fails in the last round only.
const FAILS_LAST: &str = "#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
static int run(void *unused) { return unused != 0; }
int main(void) {
  for (int i = 0; i < 3; i++) {
    CALL
    if (failed) assert(i != 2);
  }
  return 0;
}
";

#[test]
fn the_execution_of_a_call_fails_that_fails_in_the_trace() {
    let calls = [
        "char *p = malloc(4); int failed = !p; free(p);",
        "char *p = i ? realloc(0, 4) : 0; int failed = i && !p; free(p);",
        "char *p = strdup(\"a\"); int failed = !p; free(p);",
        "void *p = 0; int failed = posix_memalign(&p, 16, 4); free(p);",
        "thrd_t t; int failed = thrd_create(&t, run, 0) != thrd_success; if (!failed) thrd_join(t, 0);",
    ];
    let scratch = Scratch::new();
    for call in calls {
        let program = scratch.file("last.c", FAILS_LAST.replace("CALL", call).as_bytes());
        let trace = found(&scratch, &program, "assert", &["--malloc-may-fail", "--create-may-fail"]);
        let forced = run(&["replay", &trace, "--native"]);
        assert!(forced.stdout.contains("natively reproduced"), "{call}: {}{}", forced.stdout, forced.stderr);
    }
}

#[test]
fn a_race_is_followed_and_has_no_effect() {
    let scratch = Scratch::new();
    let program = scratch.file("lost.c", LOST_UPDATE.as_bytes());
    let forced = forced(&scratch, &program, "race", &[]);
    assert_eq!(forced.status, Some(2), "{}{}", forced.stdout, forced.stderr);
    assert!(forced.stdout.contains("natively without-effect"), "{}", forced.stdout);
}

#[test]
fn inputs_and_arguments_are_given() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "inputs.c",
        b"#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(int argc, char **argv) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x == 7 && y == -3 && argc == 2 && argv[1][0] == 'q') assert(getchar() != 65);
  return 0;
}
",
    );
    let forced = forced(&scratch, &program, "assert", &["--format", "json"]);
    assert_eq!(forced.status, Some(1), "{}{}", forced.stdout, forced.stderr);
    assert!(forced.stdout.contains(r#""native":"reproduced""#), "{}", forced.stdout);
}

/// The machine chooses no value that nothing uses.
#[test]
fn an_input_that_nothing_uses_is_not_taken() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "unused.c",
        b"#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  __VERIFIER_nondet_int();
  int x = __VERIFIER_nondet_int();
  __VERIFIER_nondet_int();
  assert(x != 5);
  return 0;
}
",
    );
    let forced = forced(&scratch, &program, "assert", &[]);
    assert!(forced.stdout.contains("natively reproduced"), "{}{}", forced.stdout, forced.stderr);
}

#[test]
fn a_departure_says_where() {
    let scratch = Scratch::new();
    // What stands in a variable that was never initialised is not the trace's to say.
    let program = scratch.file(
        "garbage.c",
        b"#include <assert.h>
int main(void) {
  int garbage;
  if (garbage == 123456789) assert(0);
  return 0;
}
",
    );
    let forced = forced(&scratch, &program, "assert", &[]);
    assert_eq!(forced.status, Some(2), "{}{}", forced.stdout, forced.stderr);
    assert!(forced.stdout.contains("natively departed: main came to the end of main"), "{}", forced.stdout);
    assert!(forced.stdout.contains("never initialised"), "{}", forced.stdout);
}

/// Programs of the corpus that do otherwise natively, the property that they violate, and the reason.
const OTHERWISE: [(&str, &str, &str); 3] = [
    ("threads/handles-as-numbers-bug.c", "assert", "looks at the identifiers of its threads"),
    ("threads/order-of-stacks-bug.c", "assert", "chooses where objects lie in memory"),
    ("cpp/own-operators-bug.cpp", "memory", "the address sanitizer stopped it: attempting free"),
];

#[test]
fn a_departure_says_why() {
    let scratch = Scratch::new();
    for (name, property, why) in OTHERWISE {
        let forced = forced(&scratch, &corpus(name), property, &[]);
        assert_eq!(forced.status, Some(2), "{name}: {}{}", forced.stdout, forced.stderr);
        assert!(forced.stdout.contains("natively departed"), "{name}: {}", forced.stdout);
        assert!(forced.stdout.contains(why), "{name}: {}", forced.stdout);
    }
}

#[test]
fn the_debugger_stops_before_the_fault() {
    let scratch = Scratch::new();
    let program = scratch.file("lost.c", LOST_UPDATE.as_bytes());
    let forced = forced(&scratch, &program, "assert", &["--gdb"]);
    if forced.stderr.contains("install the package gdb") {
        assert_eq!(forced.status, Some(3));
        return;
    }
    assert!(forced.stdout.contains("assert(x == 2)"), "{}{}", forced.stdout, forced.stderr);
}
