//! Bounds for single loops.

mod common;

use common::{Run, Scratch, run};

const LOOPS: &str = "#include <assert.h>
#include <threadproof.h>
unsigned halvings(unsigned n) {
  unsigned times = 0;
  do times++; while (n /= 2);
  return times;
}
int main(void) {
  unsigned k = tp_nondet_uint(), n = tp_nondet_uint(), m = tp_nondet_uint(), sum = 0;
  tp_assume(k < 8 && n < 6 && m < 7);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      sum++;
  assert(sum == n * m && halvings(k) <= 3);
  return 0;
}
";

fn check(options: &[&str]) -> Run {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", LOOPS.as_bytes());
    run(&[&["check", "--engine", "bounded"], options, &[&file]].concat())
}

#[test]
fn loops_have_names_in_the_order_of_the_source() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", LOOPS.as_bytes());
    let run = run(&["dump", "--loops", &file]);
    let mut lines: Vec<&str> = run.stdout.lines().collect();
    lines.sort_unstable();
    let [halvings, outer, inner] = lines[..] else { panic!("{run:?}") };
    for (line, name, number) in
        [(halvings, "halvings.0 ", ":5:"), (outer, "main.0 ", ":11:"), (inner, "main.1 ", ":12:")]
    {
        assert!(line.starts_with(name) && line.contains(number), "{run:?}");
    }
}

#[test]
fn a_bound_holds_for_its_loop_alone() {
    for (options, status) in [
        (&["--unwind", "main.0=5"][..], 0),
        (&["--unwind", "main.0=4"], 2),
        (&["--unwind", "main.1=6"], 0),
        (&["--unwind", "main.1=5"], 2),
        (&["--unwind", "6"], 0),
        (&["--unwind", "5"], 2),
        (&["--unwind", "5", "--unwind", "main.1=6"], 0),
        (&["--unwind", "6", "--unwind", "main.1=2"], 2),
        (&["--unwind", "halvings.0=2", "--unwind", "main.0=5"], 0),
        (&["--unwind", "halvings.0=1"], 2),
    ] {
        let run = check(options);
        assert_eq!(run.status, Some(status), "{options:?}: {run:?}");
    }
}

#[test]
fn the_loop_that_needs_more_is_named() {
    let run = check(&["--unwind", "main.1=2", "--unwind", "9"]);
    assert!(
        run.stdout.contains("a branch of the loop main.1 (") && run.stdout.contains("more than 2 times"),
        "{run:?}"
    );
    assert!(run.stdout.contains("more than 9 times (2 in the loop main.1)"), "{run:?}");
    assert!(check(&["--unwind", "5"]).stdout.contains("the loop main.1 ("));
}

#[test]
fn an_unknown_loop_is_refused() {
    let run = check(&["--unwind", "main.2=8"]);
    assert_eq!(run.status, Some(3), "{run:?}");
    for word in ["main.2", "main.0, main.1", "halvings.0", "dump --loops"] {
        assert!(run.stderr.contains(word), "{run:?}");
    }
    for wrong in ["main.0=0", "main.0=", "much"] {
        assert_eq!(check(&["--unwind", wrong]).status, Some(3), "{wrong}");
    }
}

/// A state is reached on ways that have decided the branch in `look` already, and
/// on one that has not: what follows the last one lies within the bound.
#[test]
fn a_way_with_more_left_is_followed() {
    let source = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
atomic_int told;
int large, limit = 3;
static void look(int value) {
  if (value / 3 > limit) {
    told = 1;
    large = 1;
  }
}
static void *tell(void *unused) { told = 0; return unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, tell, 0);
  int way = __VERIFIER_nondet_int() / 3;
  if (way > limit)
    look(__VERIFIER_nondet_int());
  else if (way > limit - 2)
    told = 0;
  else
    look(__VERIFIER_nondet_int());
  large = told = 0;
  told = 0;
  look(__VERIFIER_nondet_int());
  assert(!large);
  return 0;
}
";
    let scratch = Scratch::new();
    let file = scratch.file("a.c", source.as_bytes());
    let bounds = ["--unwind", "1", "--context-bound", "0", "-p", "assert"];
    let run = run(&[&["check", "--engine", "bounded"], &bounds[..], &[&file]].concat());
    assert_eq!(run.status, Some(1), "{run:?}");
}
