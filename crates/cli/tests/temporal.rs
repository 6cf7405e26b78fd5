//! `check --ltl` as users run it: verdicts, counterexamples that replay, and what is refused.

mod common;

use common::{Run, Scratch, run};

const SERVER: &str = "#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>
atomic_int request;
void *server(void *unused) {
  for (;;)
    if (atomic_exchange(&request, 0))
      tp_label(\"served\");
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, server, 0);
  for (;;)
    atomic_store(&request, 1);
}
";

/// A thread may spin at once, while others have many states.
const EARLY: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, a, b;
void *one(void *unused) { for (;;) atomic_store(&a, (atomic_load(&a) + 1) % 100); }
void *two(void *unused) { for (;;) atomic_store(&b, (atomic_load(&b) + 1) % 100); }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  while (!atomic_load(&flag))
    ;
}
";

fn check(program: &str, options: &[&str]) -> (Scratch, Run) {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", program.as_bytes());
    let run = run(&[&["check"], options, &[&file]].concat());
    (scratch, run)
}

#[test]
fn fairness_decides_which_executions_count() {
    let formulas = ["--ap", "busy=request == 1", "--ltl", "G (busy -> F !busy)", "--ltl", "G F served"];
    for (fairness, status) in [("none", 1), ("weak", 0), ("strong", 0)] {
        let (_, told) = check(SERVER, &[&formulas[..], &["--fairness", fairness]].concat());
        assert_eq!(told.status, Some(status), "{told:?}");
    }
}

#[test]
fn a_cycle_is_marked_and_replays() {
    let scratch = Scratch::new();
    let trace = scratch.file("a.trace.json", b"");
    let file = scratch.file("a.c", SERVER.as_bytes());
    let checked = run(&["check", "--ltl", "F G \"request == 0\"", "--trace", &trace, &file]);
    let again = run(&["replay", &trace]);
    for told in [checked, again] {
        assert_eq!(told.status, Some(1), "{told:?}");
        assert!(told.stdout.contains("a weakly fair execution violates F G"), "{told:?}");
        assert!(told.stdout.contains("from here on again and again"), "{told:?}");
    }
}

#[test]
fn what_goes_round_early_is_found_early() {
    let (_, told) =
        check(EARLY, &["--ltl", "F \"flag == 1\"", "--fairness", "none", "--state-limit", "4000"]);
    assert_eq!(told.status, Some(1), "{told:?}");
}

#[test]
fn mistakes_are_told() {
    let error = |options: &[&str]| {
        let (_, told) = check(SERVER, options);
        assert_eq!(told.status, Some(3), "{told:?}");
        told.stderr
    };
    assert!(error(&["--ltl", "G (p"]).contains("this bracket is not closed"));
    assert!(error(&["--ltl", "G unheard"]).contains("`unheard` is neither a global variable"));
    assert!(error(&["--ltl", "G \"request.count\""]).contains("has no member `count`"));
    assert!(error(&["--ltl", "F T1@server:2"]).contains("is no position"));
    assert!(error(&["--ltl", "F served", "--engine", "bounded"]).contains("use --engine explicit"));
    assert!(error(&["--ltl", "F served", "--memory-model", "tso"]).contains("sequential consistency"));
}
