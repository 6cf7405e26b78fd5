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

/// Starts a thread as the C library does, but without it.
const CLONES: &str = "#define _GNU_SOURCE
#include <sched.h>
#include <unistd.h>
static char stack[65536] __attribute__((aligned(16)));
static int nothing(void *unused) { for (;;) pause(); }
void prepare(int which) {
  int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  if (which) clone(nothing, stack + sizeof stack, flags, 0);
}
";

/// The same by a system call, of which no library knows. The new thread does nothing, for ever.
#[cfg(target_arch = "x86_64")]
const CLONES_BY_HAND: &str = "static char stack[65536] __attribute__((aligned(16)));
void prepare(int which) {
  if (!which) return;
  register long call asm(\"rax\") = 56;
  asm volatile(\"xor %%edx, %%edx; xor %%r10d, %%r10d; xor %%r8d, %%r8d; syscall;\"
               \"test %%rax, %%rax; jnz 2f; 1: mov $34, %%eax; syscall; jmp 1b; 2:\"
               : \"+r\"(call) : \"D\"(0x50f00), \"S\"(stack + sizeof stack)
               : \"rdx\", \"r10\", \"r8\", \"rcx\", \"r11\", \"memory\");
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

#[test]
fn a_thread_that_the_c_library_did_not_start_is_noticed() {
    let at_once = "departs from the schedule at code that was not verified: it starts a thread that \
                   the schedule does not know";
    let at_the_end = "departs from the schedule at the end of the program: a thread runs that the \
                      schedule does not know";
    let ways = [
        (CLONES, at_once),
        #[cfg(target_arch = "x86_64")]
        (CLONES_BY_HAND, at_the_end),
    ];
    for (function, says) in ways {
        let ran = with(function, &[]);
        assert_eq!(ran.status, None, "it aborts: {}", ran.stderr);
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
        let warned = with(function, &["--on-departure", "warn"]);
        assert_eq!(warned.status, Some(0), "{}", warned.stderr);
        assert!(warned.stderr.contains(says), "{}", warned.stderr);
        let free = with(function, &["--on-departure", "free"]);
        assert_eq!((free.status, free.stderr.as_str()), (Some(0), ""));
    }
}

/// The other thread waits for its turn, and main for both of them: nobody can go on.
#[test]
fn a_call_that_never_comes_back_is_noticed_where_others_wait_for_it() {
    let ran = with(BLOCKS, &[]);
    assert_eq!(ran.status, None, "it aborts: {}", ran.stderr);
    assert!(ran.stderr.contains("all threads wait for ever"), "{}", ran.stderr);
}
