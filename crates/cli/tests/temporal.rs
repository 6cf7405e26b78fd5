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

/// Many states in each batch, and an execution that violates a formula far from the first one.
const MANY: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int a, b, c, stop;
static void count(atomic_int *n) {
  while (atomic_load(n) < 12)
    atomic_fetch_add(n, 1);
}
void *one(void *unused) { count(&a); return 0; }
void *two(void *unused) { count(&b); while (!atomic_load(&stop)) ; return 0; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  count(&c);
  pthread_join(t[0], 0);
#ifdef STOP
  atomic_store(&stop, 1);
#endif
  pthread_join(t[1], 0);
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

/// Engines that do not look for cycles decide safety formulas alone, and say so.
#[test]
fn safety_formulas_are_decided_by_other_engines() {
    for (engine, safety) in
        [("explicit", 1), ("stateless", 1), ("reference", 1), ("bounded", 1), ("impact", 2)]
    {
        let (_, told) = check(SERVER, &["--ltl", "G \"request == 0\"", "--engine", engine]);
        assert_eq!(told.status, Some(safety), "{told:?}");
        let (_, told) = check(SERVER, &["--ltl", "F served", "--engine", engine]);
        let decides = engine == "explicit";
        assert_eq!(told.status, Some(if decides { 0 } else { 2 }), "{told:?}");
        assert_eq!(told.stdout.contains("does not decide such formulas"), !decides, "{told:?}");
    }
}

/// What is violated by the initial state, and what by the last one.
#[test]
fn the_first_and_the_last_state_count() {
    let program = "int x, y; int main(void) { x = 1; y = 1; return 0; }";
    let verdict = |formula: &str| check(program, &["--ltl", formula]).1.status;
    assert_eq!(verdict("\"x == 0\""), Some(0));
    assert_eq!(verdict("\"x == 1\""), Some(1));
    assert_eq!(verdict("G (terminated -> \"y == 1\")"), Some(0));
    assert_eq!(verdict("G (terminated -> \"y == 0\")"), Some(1));
    assert_eq!(verdict("G (\"x == 1\" -> \"y == 1\")"), Some(1));
}

/// Verdict, counterexample, states and transitions are the same for any number of threads.
#[test]
fn the_number_of_threads_makes_no_difference() {
    let stops = format!("#define STOP\n{MANY}");
    for (search, program, status) in
        [("csdr", &*stops, 0), ("bfs", &*stops, 0), ("csdr", MANY, 1), ("bfs", MANY, 1)]
    {
        let one = counted(program, search, "1");
        assert_eq!(one.0, Some(status), "{one:?}");
        assert!(one.1.iter().any(|line| line.contains("states")), "{one:?}");
        (0..3).for_each(|_| assert_eq!(counted(program, search, "2"), one));
    }
}

/// What is told, without the file of the trace and the time, which comes after the counts.
fn counted(program: &str, search: &str, threads: &str) -> (Option<i32>, Vec<String>) {
    let options = ["--ltl", "F terminated", "--fairness", "strong"];
    let (_, told) = check(program, &[&options[..], &["--search", search, "--threads", threads]].concat());
    let is_same = |line: &&str| !line.starts_with("replay with") && !line.contains("-->");
    let counts = |line: &str| line.split_once(" transitions").map_or(line, |(counts, _)| counts).to_owned();
    (told.status, told.stdout.lines().filter(is_same).map(counts).collect())
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
}
