//! `check` without `--engine`: who is asked, why, and what comes of it.

mod common;

use common::{LARGE, Scratch, run};
use serde_json::Value;

const NO_INPUTS: &str = "int main(void) { return 0; }\n";

/// Too many values to try them all.
const MANY_VALUES: &str = "#include <assert.h>
#include <threadproof.h>
int main(void) {
  unsigned n = tp_nondet_uint();
  assert((n & n - 1) != 3);
  return 0;
}
";

/// Symbols do not go through floating-point numbers; a range of values does.
const FLOATING: &str = "#include <assert.h>
#include <threadproof.h>
int main(void) {
  int n = tp_nondet_int();
  tp_assume(n >= 0 && n < 100);
  float half = n / 2.0f;
  assert(half * 2 == n);
  return 0;
}
";

fn report(source: &str, options: &[&str]) -> Value {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", source.as_bytes());
    let run = run(&[&["check", "--format", "json"], options, &[&file]].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run:?}"))
}

fn engines(report: &Value) -> Vec<&str> {
    let attempts = report["attempts"].as_array().expect("engines were asked");
    attempts.iter().map(|attempt| attempt["engine"].as_str().expect("a name")).collect()
}

#[test]
fn the_program_decides_who_is_asked_first() {
    for (source, engine, why) in
        [(NO_INPUTS, "explicit", "has no inputs"), (MANY_VALUES, "bounded", "inputs with many values")]
    {
        let report = report(source, &[]);
        assert_eq!((&report["verdict"], &report["engine"]), (&"safe".into(), &engine.into()), "{report}");
        assert_eq!(engines(&report), [engine]);
        assert!(report["attempts"][0]["why"].as_str().expect("a reason").contains(why), "{report}");
    }
}

#[test]
fn who_does_not_know_is_followed_by_the_next() {
    let report = report(FLOATING, &[]);
    assert_eq!((&report["verdict"], &report["engine"]), (&"safe".into(), &"explicit".into()), "{report}");
    assert_eq!(engines(&report), ["bounded", "impact", "explicit"]);
    assert!(
        report["attempts"][0]["answer"].as_str().expect("an answer").contains("floating-point"),
        "{report}"
    );
}

#[test]
fn the_text_says_so_too() {
    let scratch = Scratch::new();
    let run = run(&["check", &scratch.file("a.c", FLOATING.as_bytes())]);
    let lines: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("engine ")).collect();
    let [first, _, last] = lines[..] else { panic!("{run:?}") };
    assert!(
        first.starts_with("engine bounded (the program has inputs with many values): unknown: "),
        "{run:?}"
    );
    assert!(last.starts_with("engine explicit (the one before did not know): "), "{run:?}");
}

#[test]
fn a_named_engine_is_the_only_one() {
    for (source, engine) in [(FLOATING, "bounded"), (MANY_VALUES, "explicit"), (MANY_VALUES, "stateless")] {
        let report = report(source, &["--engine", engine]);
        assert_eq!(report["verdict"], "unknown", "{engine}: {report}");
        assert_eq!(engines(&report), [engine]);
    }
}

#[test]
fn an_order_of_search_names_the_engine() {
    for (search, engine) in [("bfs", "explicit"), ("optimal", "stateless"), ("best-first", "stateless")] {
        let report = report(MANY_VALUES, &["--search", search]);
        assert_eq!(report["verdict"], "unknown", "{search}: {report}");
        assert_eq!(engines(&report), [engine]);
    }
}

#[test]
fn what_one_has_shown_is_not_asked_again() {
    let report = report(MANY_VALUES, &["--property", "assert,livelock"]);
    // Nobody can tell of livelocks in the face of such inputs.
    assert_eq!(report["verdict"], "unknown", "{report}");
    assert_eq!(engines(&report), ["bounded", "explicit"]);
    assert_eq!(report["attempts"][0]["answer"], "no execution violates assert", "{report}");
    let report = self::report(FLOATING, &["--property", "assert,livelock"]);
    assert_eq!((&report["verdict"], &report["engine"]), (&"safe".into(), &"explicit".into()), "{report}");
}

/// A bug that needs one of many threads, and one context switch. No two threads are alike.
const MANY_THREADS: &str = "#include <assert.h>
#include <pthread.h>
#define THREADS 500
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_t threads[THREADS];
int counter;
void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  counter += (long)arg;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, worker, (void *)(i + 1));
  pthread_mutex_lock(&lock);
  assert(counter == 0);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  return 0;
}
";

#[test]
fn a_quick_look_finds_what_one_of_many_threads_does() {
    let report = report(MANY_THREADS, &["--no-analysis"]);
    assert_eq!(report["verdict"], "unsafe", "{report}");
    assert_eq!(engines(&report), ["explicit", "stateless"]);
    assert_eq!(report["attempts"][1]["why"], "a quick look", "{report}");
    assert_eq!(report["attempts"][1]["search"], "scout", "{report}");
}

#[test]
fn a_quick_look_never_says_safe() {
    let report = report(NO_INPUTS, &["--search", "scout"]);
    assert_eq!(report["verdict"], "unknown", "{report}");
}

#[test]
fn engines_run_side_by_side_until_the_time_is_over() {
    let started = std::time::Instant::now();
    let report = report(LARGE, &["--no-analysis", "--timeout", "4"]);
    let seconds = started.elapsed().as_secs_f64();
    assert_eq!(report["verdict"], "unknown", "{report}");
    assert!(seconds < 5.0, "{seconds} s: {report}");
    let mut engines = engines(&report);
    assert_eq!(engines.pop(), Some("explicit"), "the first tells what is known: {report}");
    assert_eq!(report["attempts"][0]["why"], "a quick look", "{report}");
    assert!(engines.contains(&"bounded") && engines.contains(&"impact"), "{report}");
    let covered = report["covered"].as_str().expect("something is covered");
    assert!(covered.contains("(explicit)") && covered.contains("(stateless)"), "{report}");
}

#[test]
fn the_first_engine_leaves_memory_to_the_others() {
    // The quick look takes some 90 MiB, which is less than half of the limit.
    let report = report(LARGE, &["--no-analysis", "--memory-limit", "320M", "--timeout", "10"]);
    assert_eq!(report["verdict"], "unknown", "{report}");
    let attempts = report["attempts"].as_array().expect("engines were asked");
    let is_short =
        |attempt: &&Value| attempt["answer"].as_str().is_some_and(|answer| answer.contains("160 MiB"));
    let short: Vec<&Value> = attempts.iter().filter(is_short).map(|attempt| &attempt["engine"]).collect();
    assert_eq!(short, ["explicit"], "{report}");
}

#[test]
fn a_bound_is_the_last_word() {
    let report = report(LARGE, &["--no-analysis", "--context-bound", "1", "--depth", "50"]);
    assert_eq!(report["verdict"], "unknown", "{report}");
    assert_eq!(engines(&report), ["explicit"]);
}

/// Two threads that take turns with a lock.
const LOCKED: &str = "#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static void *run(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
";

#[test]
fn races_are_excluded_before_any_search() {
    let report = report(LOCKED, &[]);
    assert_eq!(
        (&report["verdict"], engines(&report)),
        (&"safe".into(), vec!["analysis", "analysis", "explicit"])
    );
    assert_eq!(report["attempts"][0]["answer"], "no execution violates race", "{report}");
    assert_eq!(report["attempts"][1]["answer"], "no execution violates assert", "{report}");
    let without = self::report(LOCKED, &["--no-analysis"]);
    assert_eq!((&without["verdict"], engines(&without)), (&"safe".into(), vec!["explicit"]));
}

#[test]
fn a_proof_is_the_answer_where_other_faults_are_taken_not_to_happen() {
    let report = report(LOCKED, &["--property", "race", "--assume-no", "memory,arithmetic,lock-misuse"]);
    assert_eq!((&report["verdict"], engines(&report)), (&"safe".into(), vec!["analysis"]));
    assert_eq!(report["assumptions"].as_array().map(Vec::len), Some(4), "{report}");
    let alone = self::report(LOCKED, &["--property", "race"]);
    assert_eq!((&alone["verdict"], engines(&alone)), (&"safe".into(), vec!["analysis", "explicit"]));
}

#[test]
fn the_table_tells_locks_and_reasons() {
    let scratch = Scratch::new();
    let run = run(&["analyse", &scratch.file("a.c", LOCKED.as_bytes())]);
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.stdout.contains("writes under `m`"), "{run:?}");
    assert!(run.stdout.ends_with("no race: both accesses hold `m`\n\nno two accesses race\n"), "{run:?}");
}
