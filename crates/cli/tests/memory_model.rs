//! `check --memory-model` as users run it: verdicts, traces that replay, engines that
//! do not know the model, and what is refused.

mod common;

use common::{Run, Scratch, run};

/// Store buffering: both threads may load what was before the other one's store.
const STORE_BUFFERING: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int r;
void *other(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  r = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  int mine = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  assert(r == 1 || mine == 1);
  return 0;
}
";

fn check(options: &[&str]) -> (Scratch, Run) {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", STORE_BUFFERING.as_bytes());
    let run = run(&[&["check", "--property", "assert"], options, &[&file]].concat());
    (scratch, run)
}

#[test]
fn a_weaker_model_allows_more() {
    let (_, strong) = check(&[]);
    assert_eq!(strong.status, Some(0), "{strong:?}");
    assert!(strong.stdout.contains("memory is sequentially consistent"), "{strong:?}");
    for engine in ["reference", "explicit", "stateless", "bounded"] {
        for model in ["tso", "pso"] {
            let (_, weak) = check(&["--memory-model", model, "--engine", engine]);
            assert_eq!(weak.status, Some(1), "{weak:?}");
        }
    }
}

#[test]
fn a_trace_of_a_weaker_model_replays_but_not_natively() {
    let scratch = Scratch::new();
    let trace = scratch.file("a.trace.json", b"");
    let file = scratch.file("a.c", STORE_BUFFERING.as_bytes());
    let checked = run(&["check", "--memory-model", "tso", "--trace", &trace, "-p", "assert", &file]);
    let again = run(&["replay", &trace]);
    for told in [checked, again] {
        assert_eq!(told.status, Some(1), "{told:?}");
        assert!(told.stdout.contains("stores 1 to x (relaxed) (in its buffer)"), "{told:?}");
        assert!(told.stdout.contains("x: 0 -> 1 (relaxed) (leaves the buffer)"), "{told:?}");
    }
    let native = run(&["replay", &trace, "--native"]);
    assert_eq!(native.status, Some(3), "{native:?}");
    assert!(native.stderr.contains("cannot be forced"), "{native:?}");
}

#[test]
fn engines_that_do_not_know_the_model_say_so() {
    for options in [["--engine", "impact"], ["--search", "best-first"]] {
        let (_, unknown) = check(&[&["--memory-model", "tso"], &options[..]].concat());
        assert_eq!(unknown.status, Some(2), "{unknown:?}");
        assert!(unknown.stdout.contains("does not know the memory model tso"), "{unknown:?}");
    }
}

#[test]
fn what_is_not_defined_under_the_model_is_refused() {
    for (model, property) in [("pso", "robust-traces"), ("sc", "robust-traces"), ("sc", "robust")] {
        let (_, refused) = check(&["--memory-model", model, "--property", property]);
        assert_eq!(refused.status, Some(3), "{refused:?}");
    }
    let (_, witness) = check(&["--memory-model", "tso", "--witness", "a.yml"]);
    assert_eq!(witness.status, Some(3), "{witness:?}");
}

#[test]
fn the_bound_on_buffers_makes_unknown_what_it_cuts() {
    let (_, cut) = check(&["--memory-model", "tso", "--buffer-bound", "1"]);
    assert_eq!(cut.status, Some(1), "one store is enough for the violation: {cut:?}");
    let scratch = Scratch::new();
    let safe = STORE_BUFFERING.replace("assert(r == 1 || mine == 1);", "");
    let file = scratch.file("a.c", safe.as_bytes());
    let unknown = run(&["check", "--memory-model", "tso", "--buffer-bound", "1", "-p", "assert", &file]);
    assert_eq!(unknown.status, Some(2), "{unknown:?}");
    assert!(unknown.stdout.contains("more than 1 stores wait"), "{unknown:?}");
}

#[test]
fn fences_are_proposed_in_text_and_as_data() {
    let (_, told) = check(&["--memory-model", "tso", "--fences"]);
    assert_eq!(told.status, Some(1), "{told:?}");
    assert!(told.stdout.contains("2 fences make the program safe under tso"), "{told:?}");
    assert!(told.stdout.contains("a fence after this store, or memory_order_seq_cst for it"), "{told:?}");
    let (_, data) = check(&["--memory-model", "tso", "--fences", "--format", "json"]);
    let data: serde_json::Value = serde_json::from_str(&data.stdout).expect("it is JSON");
    assert_eq!(data["fences"]["result"], "enough");
    assert_eq!(data["fences"]["places"].as_array().map(Vec::len), Some(2));
}

#[test]
fn fences_do_not_help_a_program_that_is_unsafe_anyway() {
    let scratch = Scratch::new();
    let wrong = STORE_BUFFERING.replace("r == 1 || mine == 1", "r == 1");
    let file = scratch.file("a.c", wrong.as_bytes());
    let told = run(&["check", "-p", "assert", "--memory-model", "tso", "--fences", &file]);
    assert_eq!(told.status, Some(1), "{told:?}");
    assert!(told.stdout.contains("it is unsafe under sc, too"), "{told:?}");
    let (_, strong) = check(&["--fences"]);
    assert_eq!(strong.status, Some(3), "{strong:?}");
}

#[test]
fn a_program_is_robust_if_it_ends_as_under_sequential_consistency() {
    let scratch = Scratch::new();
    let trace = scratch.file("a.trace.json", b"");
    let free = STORE_BUFFERING
        .replace("assert(r == 1 || mine == 1);", "seen = mine;")
        .replace("int r;", "int r, seen;");
    let file = scratch.file("a.c", free.as_bytes());
    let options = ["check", "-p", "robust", "--memory-model", "tso"];
    let weak = run(&[&options[..], &["--fences", "--trace", &trace, &file]].concat());
    assert_eq!(weak.status, Some(1), "{weak:?}");
    assert!(weak.stdout.contains("ends in a state in which it does not end under sc"), "{weak:?}");
    assert!(weak.stdout.contains("2 fences make the program safe under tso"), "{weak:?}");
    let again = run(&["replay", &trace]);
    assert_eq!(again.status, Some(1), "{again:?}");
    let strong = scratch.file("b.c", free.replace("memory_order_relaxed", "memory_order_seq_cst").as_bytes());
    let robust = run(&[&options[..], &[&strong]].concat());
    assert_eq!(robust.status, Some(0), "{robust:?}");
    for refused in [&["-p", "robust"][..], &["-p", "robust,assert", "--memory-model", "tso"]] {
        let refused = run(&[&["check"], refused, &[&file]].concat());
        assert_eq!(refused.status, Some(3), "{refused:?}");
    }
}

/// A thread raises a flag without a fence, and waits for an answer.
const FLAGS: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int data, flag, answer;
void *other(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  while (!atomic_load_explicit(&answer, memory_order_relaxed)) { }
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  while (!atomic_load_explicit(&flag, memory_order_relaxed)) { }
  atomic_store_explicit(&answer, 1, memory_order_relaxed);
  pthread_join(t, 0);
  return 0;
}
";

/// The status with which a formula is answered, after its counterexample was replayed.
fn formula(options: &[&str], formula: &str) -> Option<i32> {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", FLAGS.as_bytes());
    let trace = scratch.path("a.trace");
    let run = |options: &[&str]| run(options).status;
    let status = run(&[&["check", "--trace", &trace, "--ltl", formula], options, &[&file]].concat());
    if status == Some(1) {
        assert_eq!(run(&["replay", &trace]), Some(1), "{formula} {options:?}");
    }
    status
}

#[test]
fn store_buffers_are_fair() {
    let eventually = "F \"flag == 1\"";
    for model in ["sc", "tso", "pso"] {
        for fairness in ["weak", "strong"] {
            let options = ["--memory-model", model, "--fairness", fairness];
            assert_eq!(formula(&options, eventually), Some(0), "{options:?}");
        }
        let unfair = ["--memory-model", model, "--fairness", "none"];
        assert_eq!(formula(&unfair, eventually), Some(1), "{unfair:?}");
    }
}

#[test]
fn conditions_are_about_committed_stores() {
    let in_order = "G (\"flag == 1\" -> \"data == 1\")";
    for engine in ["explicit", "stateless", "reference"] {
        for (model, status) in [("sc", 0), ("tso", 0), ("pso", 1)] {
            let options = ["--memory-model", model, "--engine", engine];
            assert_eq!(formula(&options, in_order), Some(status), "{options:?}");
        }
    }
}
