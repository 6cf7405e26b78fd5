//! Searches that are killed and go on: the same counts and the same counterexample as
//! if nothing had happened; checkpoints that do not fit are refused.

mod common;

use std::process::Stdio;
use std::time::Duration;

use common::{Scratch, run, threadproof};
use serde_json::Value;

/// How many times a search is killed before it may finish.
const KILLS: u32 = 6;

/// Threads that increment shared counters; `COUNT` says how often, `GOAL` what the sum must not be,
/// and `THREADS` how many they are, if not three.
const COUNTERS: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 3
#endif
atomic_int sum, turns[THREADS];
void *count(void *arg) {
  for (int i = 0; i < COUNT; i++) {
    int old = sum;
    turns[(long)arg]++;
    sum = old + 1;
  }
  return 0;
}
int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&t[i], 0, count, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
  assert(sum != GOAL);
  return 0;
}
";

/// Counts and the counterexample: what must not depend on interruptions.
fn essence(json: &str) -> (Value, Value, Value) {
    let report: Value = serde_json::from_str(json).expect("a JSON report");
    let mut stats = report["stats"].clone();
    let timeless = |name: &str| !["seconds", "bytes_per_state", "memory", "resident"].contains(&name);
    if let Some(stats) = stats.as_object_mut() {
        stats.retain(|name, _| timeless(name));
    }
    (report["verdict"].clone(), stats, report["interleaving"].clone())
}

fn arguments<'a>(search: &'a str, file: &'a str, folder: &'a str, defines: &[&'a str]) -> Vec<&'a str> {
    // With several threads bfs may report another of the shortest counterexamples, and searches on
    // the tree of executions take some steps more often.
    let (engine, threads, every) = match search {
        "csdr" => ("explicit", "2", "0s"),
        "bfs" => ("explicit", "1", "0s"),
        _ => ("stateless", "1", "0.02s"),
    };
    let mut args = vec!["check", "--engine", engine, "--property", "assert", "--format", "json"];
    args.extend(["--threads", threads, "--search", search]);
    args.extend(["--checkpoint", folder, "--every", every, file, "--"]);
    args.extend(defines);
    args
}

/// Runs a search that is killed after a while, as often as said, and yields what the
/// last one says.
fn killed(args: &[&str], folder: &str) -> String {
    let mut pauses = fastrand::Rng::with_seed(7);
    for _ in 0..KILLS {
        let mut command = threadproof();
        command.args(resumed(args, folder)).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(pauses.u64(50..600)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    run(&resumed(args, folder)).stdout
}

/// The arguments of a search that goes on, if there is a checkpoint.
fn resumed<'a>(args: &[&'a str], folder: &'a str) -> Vec<&'a str> {
    let mut args = args.to_vec();
    if std::path::Path::new(folder).join("search.checkpoint").exists() {
        args.splice(1..1, ["--resume", folder]);
    }
    args
}

fn survives(search: &str, defines: &[&str], verdict: &str) {
    let scratch = Scratch::new();
    let (file, folder, other) =
        (scratch.file("counters.c", COUNTERS.as_bytes()), scratch.path("kept"), scratch.path("other"));
    let whole = essence(&run(&arguments(search, &file, &other, defines)).stdout);
    assert_eq!(whole.0, verdict);
    let interrupted = essence(&killed(&arguments(search, &file, &folder, defines), &folder));
    assert_eq!(interrupted, whole);
    // The last checkpoint of a search that ended leads to the same end.
    let again = run(&resumed(&arguments(search, &file, &other, defines), &other)).stdout;
    assert_eq!(essence(&again), whole);
}

#[test]
fn a_proof_survives() {
    survives("csdr", &["-DCOUNT=4", "-DGOAL=0"], "safe");
    survives("bfs", &["-DCOUNT=4", "-DGOAL=0"], "safe");
    survives("optimal", &["-DCOUNT=2", "-DGOAL=0"], "safe");
    survives("dfs", &["-DCOUNT=2", "-DGOAL=0", "-DTHREADS=2"], "safe");
}

/// Any number of workers goes on, and runs what is left of all executions, each once.
#[test]
fn other_workers_go_on() {
    let scratch = Scratch::new();
    let (file, folder) = (scratch.file("counters.c", COUNTERS.as_bytes()), scratch.path("kept"));
    // With checkpoints all threads are followed.
    let same = ["check", "--engine", "stateless", "--symmetry", "off", "--property", "assert"];
    let same = [&same[..], &["--format", "json", "--timeout"]].concat();
    let flags = [file.as_str(), "--", "-DCOUNT=2", "-DGOAL=0"];
    let counted = |args: &[&str]| {
        let report: Value = serde_json::from_str(&run(args).stdout).unwrap();
        (report["verdict"].clone(), report["stats"]["executions"].as_u64().unwrap_or(0))
    };
    let whole = counted(&[&same[..], &["60"], &flags[..]].concat());
    assert_eq!(whole.0, "safe");
    let mut sums = Vec::new();
    for timeout in ["0.3", "60"] {
        for threads in ["3", "1", "2"] {
            let mut args = [&same[..], &[timeout, "--threads", threads]].concat();
            args.extend(["--checkpoint", &folder, "--every", "0.01s"]);
            args.extend(flags);
            sums.push(counted(&resumed(&args, &folder)));
        }
    }
    assert_eq!(sums.last(), Some(&whole), "{sums:?}");
    assert!(sums.iter().all(|(_, executions)| *executions <= whole.1), "{sums:?}");
}

#[test]
fn a_counterexample_survives() {
    survives("csdr", &["-DCOUNT=4", "-DGOAL=2"], "unsafe");
    survives("bfs", &["-DCOUNT=4", "-DGOAL=2"], "unsafe");
    survives("optimal", &["-DCOUNT=2", "-DGOAL=2"], "unsafe");
}

/// A folder with a checkpoint of a search that was not finished.
fn with_checkpoint(scratch: &Scratch) -> (String, String) {
    let (file, folder) = (scratch.file("counters.c", COUNTERS.as_bytes()), scratch.path("kept"));
    let mut args = arguments("csdr", &file, &folder, &["-DCOUNT=4", "-DGOAL=0"]);
    args.splice(1..1, ["--state-limit", "5000"]);
    assert_eq!(run(&args).status, Some(2));
    (file, folder)
}

#[track_caller]
fn refused(args: &[&str], words: &str) {
    let run = run(args);
    let said = run.stdout.clone() + &run.stderr;
    assert_eq!(run.status, Some(3), "{run:?}");
    assert!(said.contains(words), "`{words}` is not in: {said}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let scratch = Scratch::new();
    let (file, folder) = with_checkpoint(&scratch);
    let same = |defines: &[&'static str]| -> Vec<String> {
        resumed(&arguments("csdr", &file, &folder, defines), &folder)
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    let check =
        |args: Vec<String>, words| refused(&args.iter().map(String::as_str).collect::<Vec<_>>(), words);
    check(same(&["-DCOUNT=3", "-DGOAL=0"]), "another program");
    let mut other = same(&["-DCOUNT=4", "-DGOAL=0"]);
    other.splice(1..1, ["--race-clocks".to_owned()]);
    check(other, "other options");
    let path = std::path::Path::new(&folder).join("search.checkpoint");
    let content = std::fs::read(&path).unwrap();
    for damage in [content.len() / 2, content.len() - 1] {
        let mut damaged = content.clone();
        damaged[damage] ^= 1;
        std::fs::write(&path, damaged).unwrap();
        check(same(&["-DCOUNT=4", "-DGOAL=0"]), "damaged");
    }
    std::fs::write(&path, &content[..content.len() / 2]).unwrap();
    check(same(&["-DCOUNT=4", "-DGOAL=0"]), "damaged");
    std::fs::write(&path, b"something else").unwrap();
    check(same(&["-DCOUNT=4", "-DGOAL=0"]), "no checkpoint");
    std::fs::remove_file(&path).unwrap();
    let alone = ["check", "--engine", "explicit", "--resume", &folder, &file, "--", "-DCOUNT=4", "-DGOAL=0"];
    refused(&alone, "there is no checkpoint");
}

#[test]
fn other_searches_write_none() {
    let scratch = Scratch::new();
    let (file, folder) = (scratch.file("counters.c", COUNTERS.as_bytes()), scratch.path("kept"));
    let with = |options: &[&str], words| {
        let args = [&["check", "--checkpoint", folder.as_str(), file.as_str()], options].concat();
        refused(&args, words);
    };
    with(&[], "add --engine explicit");
    with(&["--search", "optimal"], "add --engine explicit");
    with(&["--engine", "stateless", "--search", "random"], "--search optimal or dfs");
    with(&["--engine", "stateless", "--priority", "pb"], "--search optimal or dfs");
    with(&["--engine", "bounded"], "the engine bounded ignores --checkpoint");
    with(&["--engine", "explicit", "--search", "dfs"], "--search csdr");
    with(&["--engine", "explicit", "--symmetry", "on"], "--symmetry on");
}
