//! Faults that are intended (`--suppressions`), and searches that go on after a
//! fault (`--keep-going`).

mod common;

use common::{Run, Scratch, run, threadproof};
use serde_json::Value;

/// Two races, and an assertion that can fail.
const SEVERAL: &str = "#include <assert.h>
#include <pthread.h>
int hits, sum;
void count(void) { hits++; }
void *run(void *unused) {
  count();
  sum = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  count();
  sum = 2;
  pthread_join(t, 0);
  assert(sum == 2);
  return 0;
}
";

fn check(program: &str, options: &[&str]) -> Run {
    run(&[&["check", program], options].concat())
}

#[test]
fn a_suppressed_fault_is_not_told_and_the_verdict_says_so() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", SEVERAL.as_bytes());
    let file =
        scratch.file("known.txt", b"# counting need not be exact\nrace:count\nrace:sum\nassert:a.c:16\n");
    for engine in ["reference", "explicit", "stateless", "bounded"] {
        let run = check(&program, &["--suppressions", &file, "--engine", engine]);
        assert_eq!(run.status, Some(0), "{engine}: {run:?}");
        assert!(run.stdout.contains("race:count, race:sum, assert:a.c:16"), "{engine}: {run:?}");
        assert!(run.stdout.contains("sequentially consistent"), "{engine}: {run:?}");
    }
    let default = check(&program, &["--suppressions", &file]);
    assert_eq!(default.status, Some(0), "{default:?}");
}

#[test]
fn what_is_not_suppressed_is_told() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", SEVERAL.as_bytes());
    let (races, trace) = (scratch.file("known.txt", b"race:*\n"), scratch.path("a.json"));
    let found = check(&program, &["--suppressions", &races, "--trace", &trace]);
    assert!(found.status == Some(1) && found.stdout.contains("unsafe: assert"), "{found:?}");
    // The trace knows what was not to be told on the way.
    let replayed = run(&["replay", &trace]);
    assert!(replayed.status == Some(1) && replayed.stdout.contains("unsafe: assert"), "{replayed:?}");
}

#[test]
fn a_suppression_that_is_not_needed_is_warned_of() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", b"int main(void) { return 0; }\n");
    let file = scratch.file("known.txt", b"deadlock:main\n");
    let run = check(&program, &["--suppressions", &file]);
    assert!(run.status == Some(0) && run.stderr.contains("deadlock:main was not needed"), "{run:?}");
}

#[test]
fn a_line_that_is_no_suppression_is_an_error() {
    let scratch = Scratch::new();
    let (program, file) =
        (scratch.file("a.c", SEVERAL.as_bytes()), scratch.file("known.txt", b"\nnonsense\n"));
    let run = check(&program, &["--suppressions", &file]);
    assert!(run.status == Some(3) && run.stderr.contains("known.txt:2"), "{run:?}");
}

#[test]
fn all_distinct_faults_are_collected() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", SEVERAL.as_bytes());
    for engine in ["explicit", "stateless", "bounded"] {
        let run = check(&program, &["--keep-going", "--engine", engine, "--format", "json"]);
        let object: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run:?}"));
        assert_eq!(
            (run.status, object["property"].as_str()),
            (Some(1), Some("race,assert")),
            "{engine}: {object}"
        );
        let further = object["further"].as_array().expect("there are more");
        assert!(further.len() >= 2, "{engine}: {object}");
        assert!(
            object["rest"].as_str().is_some_and(|rest| rest.starts_with("no other execution")),
            "{object}"
        );
        for fault in further {
            let command: Vec<&str> = fault["replay"].as_str().expect("a command").split(' ').collect();
            let replay = threadproof().args(&command[1..]).output().expect("the program starts");
            assert_eq!(replay.status.code(), Some(1), "{engine}: {command:?}");
        }
    }
}

#[test]
fn the_text_has_every_fault_once() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", SEVERAL.as_bytes());
    let run = check(&program, &["--keep-going"]);
    assert_eq!(run.status, Some(1), "{run:?}");
    assert_eq!(run.stdout.matches("error[assertion]").count(), 1, "{run:?}");
    assert!(
        run.stdout.contains("data race on `hits`") && run.stdout.contains("data race on `sum`"),
        "{run:?}"
    );
    assert!(run.stdout.contains("\nbesides: no other execution violates "), "{run:?}");
}

/// The suppression of exactly one fault, as JSON tells of it.
fn exactly(fault: &Value) -> String {
    let place = |at: &Value| {
        let [file, line, column] = ["file", "line", "column"].map(|key| at[key].to_string());
        format!("{}:{line}:{column}", file.trim_matches('"'))
    };
    let details = &fault["details"];
    let waits = details["waits"].as_array().into_iter().flatten().map(|wait| &wait["at"]);
    let accesses = ["first", "second"].iter().map(|key| &details[*key]["at"]).filter(|at| at.is_object());
    let mut places = vec![place(fault)];
    for other in accesses.chain(waits).map(place) {
        if !places.contains(&other) {
            places.push(other);
        }
    }
    format!("{}:{}", fault["kind"].as_str().expect("a kind"), places.join(" & "))
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run:?}"))
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

/// The faults that are found if each is suppressed and the search begins anew.
fn one_by_one(scratch: &Scratch, program: &str, options: &[&str]) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    loop {
        let file = scratch.file("known.txt", (known.join("\n") + "\n").as_bytes());
        let run = check(program, &[options, &["--format", "json", "--suppressions", &file]].concat());
        match run.status {
            Some(0) => return sorted(known),
            Some(1) => known.push(exactly(&json(&run)["fault"])),
            _ => panic!("{program} without {known:?}: {run:?}"),
        }
        assert!(known.len() < 20, "{program}: {known:?}");
    }
}

/// Ending and other faults, on the way to each other or not; one that is shown only if another
/// thread moves just before a fault.
const BESIDE: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
int racy;
void *run(void *unused) {
  if (atomic_load(&flag) == 1) assert(0 && \"after the store\");
  racy++;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  atomic_store(&flag, 1);
  if (racy == 0) assert(0 && \"just after the store\");
  pthread_join(t, 0);
  assert(racy == 0);
  return 0;
}
";

#[test]
fn one_search_finds_what_searches_one_by_one_find() {
    let scratch = Scratch::new();
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/");
    let names = ["classics/dekker-bug.c", "classics/mcs-lock-bug.c", "classics/readers-writers-bug.c"];
    let names = names.into_iter().chain(["sync/lock-never-given-back-bug.c", "sync/rwlock-bug.c"]);
    let mut programs: Vec<String> = names.map(|name| format!("{corpus}{name}")).collect();
    programs.push(scratch.file("a.c", SEVERAL.as_bytes()));
    programs.push(scratch.file("b.c", BESIDE.as_bytes()));
    for program in &programs {
        for search in ["csdr", "bfs", "dfs"] {
            let options = ["--engine", "explicit", "--search", search];
            let run = check(program, &[&options[..], &["--keep-going", "--format", "json"]].concat());
            let object = json(&run);
            let further = object["further"].as_array().into_iter().flatten().map(|each| &each["fault"]);
            let found: Vec<String> = [&object["fault"]].into_iter().chain(further).map(exactly).collect();
            assert!(found.len() > 1, "{program} {search}: {found:?}");
            assert_eq!(sorted(found), one_by_one(&scratch, program, &options), "{program} {search}");
        }
    }
}

#[test]
fn what_is_left_is_collected_in_one_search() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", SEVERAL.as_bytes());
    let run = check(&program, &["--keep-going", "--engine", "explicit", "--verbose"]);
    assert_eq!(run.stderr.matches("explicit begins").count(), 2, "{run:?}");
}

/// States do not tell apart which of two accesses was the last one: the race that a state tells
/// may be another one than that of the execution, and suppressed.
#[test]
fn a_race_that_turns_out_to_be_suppressed_is_passed_over() {
    let scratch = Scratch::new();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/sync/poll-recursive-spin-bug.c");
    let line = "data-race:poll-recursive-spin-bug.c:29:11 & poll-recursive-spin-bug.c:14:11\n";
    let file = scratch.file("known.txt", line.as_bytes());
    let run = check(program, &["--engine", "explicit", "--suppressions", &file]);
    assert_eq!(run.status, Some(1), "{run:?}");
}

/// The last write hides the first one from an access that can come only after both.
const TWO_WRITES: &str = "#include <pthread.h>
#include <stdatomic.h>
int hits;
atomic_int on;
void *run(void *unused) {
  hits = 1;
  hits = 2;
  atomic_store_explicit(&on, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  if (atomic_load_explicit(&on, memory_order_relaxed)) hits = 3;
  pthread_join(t, 0);
  return 0;
}
";

/// Two ways lead to states that differ in nothing but the place of a write.
const TWO_WAYS: &str = "#include <pthread.h>
#include <stdatomic.h>
int hits, way;
atomic_int on;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *choose(void *unused) {
  pthread_mutex_lock(&lock);
  way = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}
void *run(void *unused) {
  pthread_mutex_lock(&lock);
  int which = way;
  way = 0;
  pthread_mutex_unlock(&lock);
  if (which)
    hits = 1;
  else
    hits = 1;
  atomic_store_explicit(&on, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, choose, 0);
  pthread_join(u, 0);
  pthread_mutex_lock(&lock);
  way = 0;
  pthread_mutex_unlock(&lock);
  if (atomic_load_explicit(&on, memory_order_relaxed)) hits = 3;
  pthread_join(t, 0);
  return 0;
}
";

#[test]
fn a_suppressed_race_hides_no_other_of_the_same_bytes() {
    let scratch = Scratch::new();
    for (name, program, line) in [("a.c", TWO_WRITES, 7), ("b.c", TWO_WAYS, 18), ("b.c", TWO_WAYS, 20)] {
        let program = scratch.file(name, program.as_bytes());
        let file = scratch.file("known.txt", format!("race:{name}:{line}\n").as_bytes());
        for engine in ["reference", "explicit", "stateless", "bounded"] {
            let run = check(&program, &["--suppressions", &file, "--engine", engine]);
            assert!(
                run.status == Some(1) && run.stdout.contains("unsafe: race"),
                "{name}, {line}, {engine}: {run:?}"
            );
        }
    }
}
