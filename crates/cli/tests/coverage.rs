//! What a safe verdict says about code that is never executed.

mod common;

use common::{LOST_UPDATE, Run, Scratch, run};
use serde_json::Value;

/// The program that the guide shows, in which no thread ever buys.
const SHOP: &str = "#include <assert.h>
#include <pthread.h>

int stock = 3, sold, logged;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *logger(void *unused) {
    logged = sold;
    return unused;
}
void *sell(void *unused) {
    pthread_mutex_lock(&lock);
    if (stock > 0)
        stock--;
    pthread_mutex_unlock(&lock);
    return unused;
}
static void audit(void) {
    pthread_t log;
    if (sold > 0) {
        pthread_create(&log, 0, logger, 0);
        pthread_join(log, 0);
        assert(logged == sold);
    }
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, sell, 0);
    sell(0);
    pthread_join(a, 0);
    audit();
    assert(stock >= 0);
    return 0;
}
";

const ALL_EXECUTED: &str = "#include <assert.h>
#include <pthread.h>
int x;
void *set(void *unused) {
    x = 1;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    pthread_join(t, 0);
    for (int i = 0; i < 2; i++)
        assert(x == 1);
    return 0;
}
";

fn gaps(run: &Run) -> Vec<String> {
    run.stdout.lines().filter(|line| line.starts_with("  - ")).map(|line| line[4..].to_owned()).collect()
}

#[test]
fn what_is_never_executed_is_told_by_every_engine_that_executes() {
    let scratch = Scratch::new();
    let program = scratch.file("shop.c", SHOP.as_bytes());
    let expected = [
        format!("thread function `logger` ({program}:6) is never started"),
        format!("assertion at {program}:22:9 is never reached"),
        format!("5 of 21 lines: {program}:7-8, 20-22"),
        format!("condition at {program}:12:9 is never false"),
        format!("condition at {program}:19:9 is never true"),
    ];
    for engine in ["reference", "explicit", "stateless", "bounded"] {
        let run = run(&["check", "--engine", engine, &program]);
        assert_eq!(run.status, Some(0), "{run:?}");
        let told: Vec<String> = gaps(&run);
        let joined = told.join("\n").replace("\n    ", " ");
        for gap in &expected {
            assert!(joined.contains(gap.as_str()), "{engine} does not tell: {gap}\n{joined}");
        }
    }
}

#[test]
fn nothing_is_told_if_all_is_executed_unless_asked_for() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", ALL_EXECUTED.as_bytes());
    let silent = run(&["check", &program]);
    assert!(silent.status == Some(0), "{silent:?}");
    assert!(!silent.stdout.contains("never executed"), "{silent:?}");
    let asked = run(&["check", "--coverage", &program]);
    assert!(asked.stdout.contains("coverage: every line (9)"), "{asked:?}");
    assert!(asked.stdout.contains("every assertion (1), every thread function (1) is executed"), "{asked:?}");
}

#[test]
fn proofs_without_executions_say_so() {
    let scratch = Scratch::new();
    let program = scratch.file("a.c", ALL_EXECUTED.as_bytes());
    let unexecuted =
        ["check", "--property", "race", "--assume-no", "memory,arithmetic,lock-misuse", &program];
    let run = run(&unexecuted);
    assert!(run.stdout.contains("coverage is not known: no execution was looked at"), "{run:?}");
}

#[test]
fn invariants_may_count_too_much_as_executed_but_never_too_little() {
    let scratch = Scratch::new();
    let program = scratch.file("shop.c", SHOP.as_bytes());
    let run = run(&["check", "--engine", "impact", "--property", "assert", "--format", "json", &program]);
    let object: Value = serde_json::from_str(&run.stdout).expect("an object");
    assert_eq!((run.status, &object["coverage"]["exact"]), (Some(0), &Value::Bool(false)), "{run:?}");
    let lines = object["coverage"]["lines"]["missing"].as_array().expect("a list");
    let executed = |line: &Value| ![7, 8, 20, 21, 22].contains(&line["line"].as_u64().unwrap_or(0));
    assert!(!lines.iter().any(executed), "{lines:?}");
}

#[test]
fn json_lists_what_is_missing() {
    let scratch = Scratch::new();
    let program = scratch.file("shop.c", SHOP.as_bytes());
    let run = run(&["check", "--format", "json", &program]);
    let object: Value = serde_json::from_str(&run.stdout).expect("an object");
    let coverage = &object["coverage"];
    assert_eq!(coverage["assertions"]["total"], 2, "{coverage}");
    assert_eq!(coverage["assertions"]["missing"][0]["line"], 22, "{coverage}");
    assert_eq!(coverage["threads"]["missing"][0]["function"], "logger", "{coverage}");
    assert_eq!(coverage["branches"]["missing"][0]["holds"], false, "{coverage}");
}

#[test]
fn lcov_files_are_written_for_proofs_only() {
    let scratch = Scratch::new();
    let (program, file) = (scratch.file("shop.c", SHOP.as_bytes()), scratch.path("shop.info"));
    assert_eq!(run(&["check", "--lcov", &file, &program]).status, Some(0));
    let written = std::fs::read_to_string(&file).expect("the file is there");
    let source = format!("SF:{program}\n");
    for line in [source.as_str(), "FNDA:0,logger\n", "FNDA:1,sell\n", "DA:13,1\n", "DA:21,0\n", "LH:16\n"] {
        assert!(written.contains(line), "{line} is not in\n{written}");
    }
    let (program, file) = (scratch.file("a.c", LOST_UPDATE.as_bytes()), scratch.path("a.info"));
    let unsafe_run = run(&["check", "--lcov", &file, &program]);
    assert!(unsafe_run.status == Some(1) && !std::path::Path::new(&file).exists(), "{unsafe_run:?}");
    assert!(unsafe_run.stderr.contains("no coverage is known"), "{unsafe_run:?}");
}

#[test]
fn an_unknown_verdict_tells_on_demand_what_was_not_executed_so_far() {
    let scratch = Scratch::new();
    let program = scratch.file("shop.c", SHOP.as_bytes());
    let unfinished = ["check", "--engine", "explicit", "--depth", "2", &program];
    assert!(!run(&unfinished).stdout.contains("not executed"));
    let asked = run(&[&unfinished[..], &["--coverage"]].concat());
    assert!(asked.status == Some(2) && asked.stdout.contains("not executed so far"), "{asked:?}");
}
