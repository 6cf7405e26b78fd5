//! What functions that were not verified do, and the schedule does not know.

mod common;

use std::process::Command;

use common::{Run, Scratch, run};

/// Two threads call a function without a body, each before it adds.
const PROGRAM: &str = "#include <pthread.h>
#include <stdlib.h>
int count;
void prepare(int);
void *add(void *which) {
  prepare(which != 0);
  count++;
  return 0;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, i ? &count : 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return count != 2;
}
";

/// Does what the schedule takes for granted.
const HARMLESS: &str = "void prepare(int which) { (void)which; }\n";

/// Starts a thread that never comes to an event.
const STARTS_A_THREAD: &str = "#include <pthread.h>
#include <unistd.h>
static void *nothing(void *unused) { return unused; }
void prepare(int which) {
  pthread_t thread;
  if (which && pthread_create(&thread, 0, nothing, 0) == 0) pthread_join(thread, 0);
}
";

/// Never comes back in one of the threads.
const BLOCKS: &str = "#include <unistd.h>
void prepare(int which) {
  while (which == 0) pause();
}
";

/// Runs the program under its schedule, linked with such a function.
fn with(function: &str, options: &[&str]) -> Run {
    let scratch = Scratch::new();
    let source = scratch.file("prog.c", PROGRAM.as_bytes());
    let schedule = scratch.path("prog.schedule.json");
    let found = run(&["schedule", &source, "--havoc", "prepare", "--until", "first", "-o", &schedule]);
    assert_eq!(found.status, Some(0), "{}{}", found.stdout, found.stderr);
    let (body, object) = (scratch.file("prepare.c", function.as_bytes()), scratch.path("prepare.o"));
    let clang = Command::new("clang-19").args(["-c", &body, "-o", &object]).status();
    assert!(clang.expect("clang-19 runs").success());
    let (program, link) = (scratch.path("prog"), format!("-Wl,{object}"));
    let build = ["build", &source, "--havoc", "prepare", "--schedule", &schedule, "-o", &program];
    let built = run(&[&build, options, &["--", &link]].concat());
    assert_eq!(built.status, Some(0), "{}", built.stderr);
    Command::new(program).output().expect("the program starts").into()
}

#[test]
fn a_function_that_does_what_was_expected_departs_from_nothing() {
    let ran = with(HARMLESS, &[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_thread_that_was_not_expected_is_noticed_though_it_never_comes_to_an_event() {
    let ran = with(STARTS_A_THREAD, &[]);
    assert_eq!(ran.status, None, "it aborts: {}", ran.stderr);
    let says = "thread 3 departs from the schedule at its beginning: the schedule does not know the thread";
    assert!(ran.stderr.contains(says), "{}", ran.stderr);
    let warned = with(STARTS_A_THREAD, &["--on-departure", "warn"]);
    assert_eq!(warned.status, Some(0), "{}", warned.stderr);
    assert!(warned.stderr.contains(says), "{}", warned.stderr);
}

/// The other thread waits for its turn, and main for both of them: nobody can go on.
#[test]
fn a_call_that_never_comes_back_is_noticed_where_others_wait_for_it() {
    let ran = with(BLOCKS, &[]);
    assert_eq!(ran.status, None, "it aborts: {}", ran.stderr);
    assert!(ran.stderr.contains("all threads wait for ever"), "{}", ran.stderr);
}
