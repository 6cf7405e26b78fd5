//! What native programs could do although nothing is proven about it: under their schedules they
//! do not, or say so.

mod common;

use std::process::{Command, Stdio};

use certify::ScheduleCertificate;
use common::{Run, Scratch, run};
use schedule::Schedule;

/// Two threads add to a number ten times, by a function that others must not interrupt.
fn adding(function: &str, call: &str) -> String {
    format!(
        "#include <assert.h>
#include <pthread.h>
#include <unistd.h>
void tp_atomic_begin(void), tp_atomic_end(void);
int x;
{function}
void *run(void *unused) {{
  for (int i = 0; i < 10; i++) {{ {call} }}
  return unused;
}}
int main(void) {{
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(x == 20);
  return 0;
}}
"
    )
}

/// Leaves much time for others to come in between.
const ADD: &str = "int before = x; usleep(1000); x = before + 1;";

/// A program with its schedule.
struct Subject {
    scratch: Scratch,
    source: String,
    options: Vec<&'static str>,
}

impl Subject {
    fn new(text: &str, options: &[&'static str]) -> Subject {
        let scratch = Scratch::new();
        let source = scratch.file("prog.c", text.as_bytes());
        let subject = Subject { scratch, source, options: options.to_vec() };
        let file = subject.file();
        let words = ["schedule", &subject.source, "--until", "first", "-o", &file];
        let found = run(&[&words, options].concat());
        assert_eq!(found.status, Some(0), "{text}{}{}", found.stdout, found.stderr);
        subject
    }

    fn file(&self) -> String {
        self.scratch.path("prog.schedule.json")
    }

    fn proof(&self) -> String {
        self.scratch.path("prog.schedule.proof.json")
    }

    fn build(&self) -> Run {
        let (file, program) = (self.file(), self.scratch.path("prog"));
        run(&["build", &self.source, "--schedule", &file, "-o", &program])
    }

    /// Runs the program in a shell, after another command.
    fn run_after(&self, before: &str, input: &str) -> Run {
        let built = self.build();
        assert_eq!(built.status, Some(0), "{:?}: {}", self.options, built.stderr);
        let (input, program) = (self.scratch.file("input", input.as_bytes()), self.scratch.path("prog"));
        let input = std::fs::File::open(input).expect("the input is there");
        let shell =
            Command::new("sh").args(["-c", &format!("{before} exec {program}")]).stdin(input).output();
        shell.expect("the shell starts").into()
    }

    fn certify(&self) -> Run {
        run(&["certify", &self.source, &self.file()])
    }

    /// Replaces schedule and proof by others.
    fn forge(&self, change: impl Fn(&mut Schedule, &mut ScheduleCertificate)) {
        let bytes = |path: &str| std::fs::read(path).expect("it was written");
        let mut schedule = Schedule::parse(&bytes(&self.file())).expect("it is a schedule");
        let mut proof = ScheduleCertificate::parse(&bytes(&self.proof())).expect("it is a proof");
        change(&mut schedule, &mut proof);
        let certificate = proof.certificate;
        let forged = ScheduleCertificate::new(&schedule, proof.finer, certificate);
        std::fs::write(self.file(), schedule.to_json()).expect("the file can be written");
        std::fs::write(self.proof(), forged.to_json()).expect("the file can be written");
    }
}

#[test]
fn atomic_functions_are_not_interrupted() {
    let begun = format!(
        "void __VERIFIER_atomic_begin(void) {{}} void __VERIFIER_atomic_end(void) {{}}
         void add(void) {{ __VERIFIER_atomic_begin(); {ADD} __VERIFIER_atomic_end(); }}"
    );
    let nested = format!("void __VERIFIER_atomic_add(void) {{ tp_atomic_begin(); tp_atomic_end(); {ADD} }}");
    let recursive = format!(
        "void __VERIFIER_atomic_add(int deep) {{
           if (deep) {{ x--; __VERIFIER_atomic_add(0); }}
           {ADD}
         }}"
    );
    let endless = format!(
        "__attribute__((noreturn)) void __VERIFIER_atomic_add(void) {{
           x += 9;
           {ADD}
           pthread_exit(0);
         }}"
    );
    let programs = [
        adding(&begun, "add();"),
        adding(&nested, "__VERIFIER_atomic_add();"),
        adding(&recursive, "__VERIFIER_atomic_add(1);"),
        adding(&endless, "__VERIFIER_atomic_add();"),
    ];
    for text in programs {
        let ran = Subject::new(&text, &[]).run_after("", "");
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{text}");
    }
}

/// Creates a thread and allocates memory.
const NEEDS_MUCH: &str = "#include <pthread.h>
#include <stdlib.h>
int x;
void *run(void *unused) { x = 1; return unused; }
int main(void) {
  pthread_t thread;
  int failed = pthread_create(&thread, 0, run, 0);
  if (!failed) pthread_join(thread, 0);
  char *memory = malloc(600000);
  if (memory) memory[0] = 1;
  int seen = x;
  free(memory);
  return !seen || !memory;
}
";

#[test]
fn what_the_system_refuses_is_a_departure() {
    let subject = Subject::new(NEEDS_MUCH, &[]);
    let ran = subject.run_after("", "");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    // The stack of a thread has 8 MB.
    let no_thread = subject.run_after("ulimit -v 9000;", "");
    assert_eq!(no_thread.status, None, "it aborts: {}", no_thread.stderr);
    assert!(no_thread.stderr.contains("a thread cannot be created"), "{}", no_thread.stderr);
}

#[test]
fn too_little_memory_is_a_departure_unless_the_proof_is_about_it() {
    let text = NEEDS_MUCH.replace("malloc(600000)", "malloc(1000000)").replace(
        "int main(void) {",
        "#include <sys/resource.h>
void leave_little(void);
int main(void) {
  leave_little();",
    );
    let text = text.replace("int failed = pthread_create(&thread, 0, run, 0);", "int failed = 1;");
    let limit = "#include <sys/resource.h>
void leave_little(void) {
  struct rlimit none = {1, 1};
  setrlimit(RLIMIT_AS, &none);
}";
    let ran = |options: &[&'static str]| {
        let subject = Subject::new(&text.replace("!seen || !memory", "0"), options);
        let object = subject.scratch.path("limit.o");
        let body = subject.scratch.file("limit.c", limit.as_bytes());
        let clang = Command::new("clang-19").args(["-c", &body, "-o", &object]).status();
        assert!(clang.expect("clang-19 runs").success());
        let (program, link) = (subject.scratch.path("prog"), format!("-Wl,{object}"));
        let file = subject.file();
        let words = ["build", &subject.source, "--havoc", "leave_little", "--schedule", &file];
        let built = run(&[&words[..], &["-o", &program, "--", &link]].concat());
        assert_eq!(built.status, Some(0), "{}", built.stderr);
        let ran: Run = Command::new(program).stdin(Stdio::null()).output().expect("it starts").into();
        ran
    };
    let departed = ran(&["--havoc", "leave_little"]);
    assert_eq!(departed.status, None, "it aborts: {}", departed.stderr);
    assert!(departed.stderr.contains("there is no memory left"), "{}", departed.stderr);
    let proven = ran(&["--havoc", "leave_little", "--malloc-may-fail"]);
    assert_eq!((proven.status, proven.stderr.as_str()), (Some(0), ""));
}

/// Reads a line.
const READS: &str = "#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *line = 0;
  size_t size = 0;
  long length = getline(&line, &size, stdin);
  assert(length < 4);
  free(line);
  return 0;
}
";

#[test]
fn a_line_that_is_longer_than_proven_is_a_departure() {
    let subject = Subject::new(READS, &[]);
    let certified = subject.certify();
    let limit = "lines that getline reads have at most 3 characters";
    assert!(certified.stdout.contains(limit), "{}", certified.stdout);
    let short = subject.run_after("", "ab\n");
    assert_eq!((short.status, short.stderr.as_str()), (Some(0), ""));
    let long = subject.run_after("", "a long line\n");
    assert_eq!(long.status, None, "it aborts: {}", long.stderr);
    assert!(long.stderr.contains("a line is longer than in the proof"), "{}", long.stderr);
}

/// What a thread does in the end depends on an input, and the function of the thread is over then.
const DESTRUCTOR: &str = "#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
pthread_key_t key;
int x, y;
void gone(void *value) {
  if (value != &x) x = 1;
  else y = 1;
}
void *run(void *unused) {
  pthread_setspecific(key, __VERIFIER_nondet_int() > 0 ? &x : &y);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_key_create(&key, gone);
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  assert(x + y == 1);
  return 0;
}
";

#[test]
fn a_thread_ends_after_its_destructors() {
    let subject = Subject::new(DESTRUCTOR, &[]);
    for seed in 0..6 {
        let ran = subject.run_after(&format!("THREADPROOF_SEED={seed}"), "");
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "seed {seed}");
    }
}

#[test]
fn a_schedule_without_a_proof_is_refused() {
    let subject = Subject::new(NEEDS_MUCH, &[]);
    std::fs::remove_file(subject.proof()).expect("it was there");
    let built = subject.build();
    assert_eq!(built.status, Some(3), "{}", built.stderr);
    assert!(built.stderr.contains("has no proof beside it"), "{}", built.stderr);
    let (file, program) = (subject.file(), subject.scratch.path("prog"));
    let trusted = run(&["build", &subject.source, "--schedule", &file, "--trust", "-o", &program]);
    assert_eq!(trusted.status, Some(0), "{}", trusted.stderr);
}

/// Fails for one input.
const INPUT: &str = "#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int x;
void *run(void *unused) { x++; return unused; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  assert(x == 1);
  return __VERIFIER_nondet_int() == 77;
}
";

/// A proof with other options, whose hash fits.
fn with_options(proof: &mut ScheduleCertificate, change: impl Fn(&mut trace::Options)) {
    let own = &mut proof.certificate;
    let mut options = own.options.clone();
    change(&mut options);
    let hash = trace::content_hash(&serde_json::to_vec(&options).expect("only string keys"));
    (own.options, own.options_hash) = (options, hash);
}

#[test]
fn proofs_about_some_inputs_only_are_rejected() {
    type Change = fn(&mut trace::Options);
    let changes: [(&str, Change); 4] = [
        ("some inputs only", |options| options.nondet_range = Some((0, 3))),
        ("for granted", |options| options.assumed = vec![machine::Property::Memory]),
        ("some assertions only", |options| options.error_calls_only = true),
        ("larger stacks", |options| options.stack_limit *= 2),
    ];
    for (why, change) in changes {
        let subject = Subject::new(INPUT, &[]);
        subject.forge(|_, proof| with_options(proof, change));
        let certified = subject.certify();
        assert_eq!(certified.status, Some(1), "{why}: {}{}", certified.stdout, certified.stderr);
        assert!(certified.stdout.contains(why), "{why}: {}", certified.stdout);
        assert_eq!(subject.build().status, Some(3), "{why}");
    }
}

#[test]
fn failures_that_the_proof_excludes_are_not_expected() {
    let subject = Subject::new(INPUT, &[]);
    subject.forge(|schedule, _| schedule.may_fail = vec![schedule::Failure::Creation]);
    let certified = subject.certify();
    assert_eq!(certified.status, Some(1), "{}{}", certified.stdout, certified.stderr);
    assert!(certified.stdout.contains("other failures"), "{}", certified.stdout);
}

#[test]
fn an_instruction_is_listed_once() {
    let subject = Subject::new(INPUT, &[]);
    subject.forge(|schedule, _| schedule.sites.push(schedule.sites[0].clone()));
    let built = subject.build();
    assert_eq!(built.status, Some(3), "{}", built.stderr);
    assert!(built.stderr.contains("listed twice"), "{}", built.stderr);
}

#[test]
fn a_proof_that_shows_less_than_usual_is_told() {
    let subject = Subject::new(INPUT, &["--property", "deadlock"]);
    let built = subject.build();
    assert_eq!(built.status, Some(0), "{}", built.stderr);
    assert!(built.stderr.contains("does not show: assert, memory"), "{}", built.stderr);
}

/// Assumes in an atomic section what no order of events makes hold.
const NEVER: &str = "extern void tp_assume(int);
void tp_atomic_begin(void), tp_atomic_end(void);
int x;
int main(void) {
  tp_atomic_begin();
  tp_assume(x == 1);
  tp_atomic_end();
  return 0;
}
";

#[test]
fn an_assumption_that_no_schedule_makes_hold_is_named() {
    let scratch = Scratch::new();
    let (source, file) = (scratch.file("prog.c", NEVER.as_bytes()), scratch.path("prog.schedule.json"));
    let found = run(&["schedule", &source, "--until", "first", "-o", &file]);
    assert_eq!(found.status, Some(1), "{}{}", found.stdout, found.stderr);
    assert!(
        found.stdout.contains("prog.c:6:3 a thread has to wait for ever, or assumes"),
        "{}",
        found.stdout
    );
}
