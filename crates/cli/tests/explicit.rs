//! The engine `explicit` as users run it: what it covered when a limit ended
//! it, and what it says while it runs.

mod common;

use std::process::Stdio;
use std::time::Duration;

use common::{Run, Scratch, run, threadproof};
use serde_json::Value;

/// Layers that end, too many to visit them all.
const COUNTERS: &[u8] = b"#include <pthread.h>
#include <stdatomic.h>
atomic_int x[4];
void *count(void *arg) {
  for (int i = 0; i < 100; i++) (*(atomic_int *)arg)++;
  return arg;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, count, &x[i]);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
";

/// Unsafe, with as many context switches as the layers count: one when the
/// thread starts, one back to main, one to the thread, one back.
const PING_PONG: &[u8] = b"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *add(void *unused) {
  if (x == 1) x = 2;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  x = 1;
  pthread_join(t, 0);
  assert(x == 1);
  return 0;
}
";

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("no JSON: {run:?}"))
}

/// The number of context switches that are said to be covered.
fn switches_covered(covered: &str) -> u64 {
    let number = covered.split("at most ").nth(1).and_then(|rest| rest.split(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no layers: {covered}"))
}

#[test]
fn a_limit_says_which_layers_were_completed() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", COUNTERS);
    for (limit, word) in [
        (&["--timeout", "4"][..], "time limit"),
        (&["--memory-limit", "60M"], "memory limit"),
        (&["--state-limit", "20000"], "limit of 20000 states"),
        (&["--context-bound", "2"], "more than 2 context switches"),
    ] {
        let args =
            [&["check", "--engine", "explicit", "--property", "assert", "--format", "json"], limit, &[&file]]
                .concat();
        let run = run(&args);
        assert_eq!(run.status, Some(2), "{limit:?}: {run:?}");
        let object = json(&run);
        assert_eq!(object["verdict"], "unknown", "{limit:?}");
        assert!(object["reason"].as_str().is_some_and(|reason| reason.contains(word)), "{object}");
        let stats = &object["stats"];
        let (layers, covered) = (stats["layers"].as_u64(), object["covered"].as_str().unwrap_or_default());
        assert_eq!(layers, Some(switches_covered(covered) + 1), "{object}");
        let per_layer: Vec<u64> =
            stats["states_per_layer"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
        assert!(per_layer.len() as u64 >= layers.unwrap_or(0), "{object}");
        assert!(per_layer.iter().sum::<u64>() <= stats["states"].as_u64().unwrap_or(0), "{object}");
        assert!(stats["memory"].as_u64().is_some_and(|bytes| bytes > 1 << 20), "{object}");
    }
}

#[test]
fn a_bound_finds_what_lies_within_it() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", PING_PONG);
    for (start, bound, status) in
        [("switch", "3", 2), ("switch", "4", 1), ("free", "1", 2), ("free", "2", 1), ("switch", "50", 1)]
    {
        let run = run(&[
            "check",
            "--engine",
            "explicit",
            "--property",
            "assert",
            "--thread-start",
            start,
            "--context-bound",
            bound,
            &file,
        ]);
        assert_eq!(run.status, Some(status), "{start}, {bound}: {run:?}");
        let switches = engine::counted(bound.parse().expect("it is a number"), "context switch");
        let covered = format!("every execution with at most {switches}");
        assert_eq!(run.stdout.contains(&covered), status == 2, "{run:?}");
    }
}

#[test]
fn an_interrupt_says_which_layers_were_completed() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", COUNTERS);
    let mut command = threadproof();
    command.args(["check", "--engine", "explicit", &file]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    std::thread::sleep(Duration::from_secs(4));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let run: Run = child.wait_with_output().expect("the program ends").into();
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.stdout.contains("unknown: interrupted"), "{run:?}");
    switches_covered(&run.stdout);
    assert!(run.stderr.is_empty(), "no progress line without a terminal: {run:?}");
    assert!(run.stdout.contains(" states/s, ") && run.stdout.contains(" MiB"), "{run:?}");
}

/// On a terminal there are two lines that are rewritten and erased at the end: the time and
/// memory, and what the engine has done.
#[test]
fn progress_shows_on_a_terminal() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", COUNTERS);
    let program = env!("CARGO_BIN_EXE_threadproof");
    let command = format!("{program} check --engine explicit --timeout 4 {file}");
    let output = std::process::Command::new("script").args(["-qec", &command, "/dev/null"]).output();
    let run: Run = output.expect("script runs").into();
    assert_eq!(run.status, Some(2), "{run:?}");
    let lines: Vec<&str> = run.stdout.split("\r\x1b[1A\x1b[J").collect();
    assert!(lines.len() > 3, "{run:?}");
    let progress = lines[lines.len() - 2];
    for word in [" states (", "/s), ", "queue ", "layer ", " MiB"] {
        assert!(progress.contains(word), "{word} is not in {progress}");
    }
    assert!(
        lines[lines.len() - 1].starts_with("\x1b[") || lines[lines.len() - 1].starts_with("unknown"),
        "{run:?}"
    );
}

#[test]
fn hash_compaction_is_never_sure_that_a_program_is_safe() {
    let scratch = Scratch::new();
    let explicit = |property: &str, options: &[&str]| {
        let file = scratch.file("a.c", PING_PONG);
        let args = [&["check", "--engine", "explicit", "--format", "json", "--property", property], options];
        run(&[&args.concat()[..], &[&file]].concat())
    };
    let (exact, compact) = (explicit("memory", &[]), explicit("memory", &["--hash-compaction"]));
    assert_eq!((exact.status, compact.status), (Some(0), Some(2)), "{compact:?}");
    let (exact, compact) = (json(&exact), json(&compact));
    assert_eq!(compact["verdict"], "unknown");
    assert!(
        compact["reason"].as_str().is_some_and(|r| r.contains("fingerprints") && r.contains("probability"))
    );
    assert_eq!(exact["stats"]["states"], compact["stats"]["states"]);
    let violated = explicit("assert", &["--hash-compaction"]);
    assert_eq!(violated.status, Some(1), "{violated:?}");
    for (options, word) in [
        (&["--hash-compaction", "--search", "bfs"][..], "depth-first"),
        (&["--context-bound", "3", "--search", "dfs"], "--context-bound"),
    ] {
        let wrong = explicit("assert", options);
        assert_eq!(wrong.status, Some(3), "{wrong:?}");
        assert!(wrong.stderr.contains(word), "{wrong:?}");
    }
}

#[test]
fn symmetry_is_used_where_numbers_do_not_matter() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/threads/");
    let check = |name: &str, symmetry: &str| {
        let file = format!("{corpus}{name}");
        let args = ["check", "--property", "assert", "--format", "json", "--symmetry", symmetry];
        // Hardly anything is left for it where longer steps are known.
        json(&run(&[&args[..], &["--no-analysis", &file]].concat()))
    };
    let (off, on) = (check("interchangeable.c", "off"), check("interchangeable.c", "on"));
    assert_eq!((&off["verdict"], &on["verdict"]), (&"safe".into(), &"safe".into()));
    assert_eq!(on["stats"]["symmetry"], "used");
    let states = |object: &Value| object["stats"]["states"].as_u64().unwrap_or(0);
    assert!(states(&on) * 2 < states(&off), "{} of {} states", states(&on), states(&off));
    let numbers = check("handles-as-numbers-bug.c", "on");
    assert_eq!(numbers["verdict"], "unsafe", "{numbers}");
    assert!(numbers["stats"]["symmetry"].as_str().is_some_and(|s| s.starts_with("not used")), "{numbers}");
}

#[test]
fn locksets_leave_fewer_states_and_the_same_switches() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/");
    let check = |name: &str, reduction: &str| {
        let file = format!("{corpus}{name}");
        let args = ["check", "--engine", "explicit", "--property", "assert", "--format", "json"];
        json(&run(&[&args[..], &["--reduction", reduction, &file]].concat()))
    };
    let states = |object: &Value| object["stats"]["states"].as_u64().unwrap_or(0);
    let (tau, locksets) = (check("classics/lock-queue.c", "tau"), check("classics/lock-queue.c", "locksets"));
    assert_eq!((&tau["verdict"], &locksets["verdict"]), (&"safe".into(), &"safe".into()));
    assert!(states(&locksets) * 3 < states(&tau), "{} of {} states", states(&locksets), states(&tau));
    for name in ["sync/section-read-late-bug.c", "sync/section-tried-late-bug.c"] {
        let (tau, locksets) = (check(name, "tau"), check(name, "locksets"));
        let switches = |object: &Value| object["trace"]["interleaving"]["context_switches"].as_u64();
        assert!(switches(&tau).is_some(), "{tau}");
        assert_eq!(switches(&tau), switches(&locksets), "{name}");
        assert!(states(&locksets) <= states(&tau), "{name}");
    }
}
