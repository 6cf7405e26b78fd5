//! Programs that go on for ever without a context switch: their violations are
//! found all the same.

mod common;

use common::{Scratch, run};

/// Threads are started for ever.
const THREADS: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int inside;
void *enter(void *arg) {
  assert(inside++ == 0);
  inside--;
  return arg;
}
int main(void) {
  pthread_t t;
  for (;;) pthread_create(&t, 0, enter, 0);
}
";

/// A counter rises for ever.
const COUNTER: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_ulong count;
void *look(void *arg) {
  assert(count < 3);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, look, 0);
  for (;;) count++;
}
";

fn status(source: &str, timeout: &str, options: &[&str]) -> Option<i32> {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", source.as_bytes());
    run(&[&["check", "--property", "assert", "--timeout", timeout], options, &[&file]].concat()).status
}

#[test]
fn violations_are_found() {
    for source in [THREADS, COUNTER] {
        assert_eq!(status(source, "60", &["--engine", "bounded"]), Some(1), "{source}");
        let unreduced = ["--engine", "bounded", "--reduction", "none"];
        assert_eq!(status(source, "60", &unreduced), Some(1), "{source}");
        assert_eq!(status(source, "60", &[]), Some(1), "{source}");
    }
}

#[test]
fn what_goes_on_for_ever_is_not_safe_within_a_bound() {
    assert_eq!(status(COUNTER, "2", &["--engine", "bounded", "--context-bound", "0"]), Some(2));
}
