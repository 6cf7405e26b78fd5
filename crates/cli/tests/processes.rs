//! Searches in several processes: the same answers, counts and counterexamples as in one;
//! processes that do not fit, that are killed, or that reach a limit.
//!
//! With `PROCESSES=1` in the environment all programs of the corpus are searched.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{DEADLOCK, LARGE, LOST_UPDATE, Run, Scratch, run, threadproof};
use serde_json::Value;

/// Programs of many kinds: proofs, faults of all sorts, twins, races that need clocks,
/// threads that wait for others, inputs, store buffers.
const PROGRAMS: [&str; 12] = [
    "classics/bounded-buffer-cond-bug.c",
    "classics/peterson-plain-bug.c",
    "sync/barrier.c",
    "threads/interchangeable.c",
    "classics/bakery.c",
    "atomics/verifier-atomic-wait.c",
    "atomics/two-words-bug.c",
    "memory/use-after-free-threads-bug.c",
    "nondet/coins-bug.c",
    "livelock/spurious-wakeups.c",
    "classics/philosophers-bug.c",
    "cpp/lock-order-bug.cpp",
];

/// All that must not depend on the number of processes.
fn essence(run: &Run) -> (Option<i32>, Value) {
    let mut report: Value = serde_json::from_str(&run.stdout).expect("a JSON report");
    remove(
        &mut report,
        &["seconds", "bytes_per_state", "sent_per_state", "memory", "resident", "replay", "attempts"],
    );
    (run.status, report)
}

fn remove(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !names.contains(&name.as_str()));
            fields.values_mut().for_each(|value| remove(value, names));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| remove(value, names)),
        _ => {}
    }
}

const CHECK: [&str; 5] = ["check", "--engine", "explicit", "--format", "json"];

#[track_caller]
fn same(count: &str, args: &[&str]) {
    let one = run(&[&CHECK[..], args].concat());
    let several = run(&[&CHECK[..], &["--processes", count], args].concat());
    assert_eq!(essence(&several), essence(&one), "{count} processes, {args:?}: {}", several.stderr);
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

#[test]
fn programs_of_the_corpus_are_searched_in_the_same_way() {
    for program in PROGRAMS {
        let path = corpus().join(program);
        assert!(path.exists(), "{program}");
        same("2", &[&path.display().to_string()]);
    }
}

#[test]
fn four_processes_are_like_one() {
    for program in &PROGRAMS[..4] {
        same("4", &[&corpus().join(program).display().to_string()]);
    }
}

#[test]
fn the_whole_corpus_is_searched_in_the_same_way() {
    if std::env::var_os("PROCESSES").is_none() {
        return;
    }
    let mut folders = vec![corpus()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let program = path.extension().is_some_and(|ending| ending == "c" || ending == "cpp");
            match path.is_dir() {
                true => folders.push(path),
                false if program => same("2", &["--state-limit", "1000000", &path.display().to_string()]),
                false => {}
            }
        }
    }
}

#[test]
fn options_of_the_search_are_kept() {
    let scratch = Scratch::new();
    let (update, deadlock) =
        (scratch.file("update.c", LOST_UPDATE.as_bytes()), scratch.file("deadlock.c", DEADLOCK.as_bytes()));
    for options in [
        &["--reduction", "none"][..],
        &["--symmetry", "off", "--threads", "2"],
        &["--race-clocks"],
        &["--context-bound", "1"],
        &["--context-bound", "3", "--depth", "2"],
        &["--thread-start", "free"],
        // One process may do without buffers.
        &["--memory-model", "tso", "--property", "assert", "--reduction", "none"],
    ] {
        same("3", &[options, &[update.as_str()]].concat());
        same("2", &[options, &[deadlock.as_str()]].concat());
    }
}

/// Two commands on two addresses of this machine, by TCP or by files.
fn pair(scratch: &Scratch, addresses: [String; 2], others: [&[&str]; 2]) -> [Run; 2] {
    let hosts = scratch.file("hosts", format!("# two\n{}\n\n{}\n", addresses[0], addresses[1]).as_bytes());
    let start = |index: usize| {
        let mut command = threadproof();
        command.args(["check", "--engine", "explicit", "--hosts", &hosts, "--process", &index.to_string()]);
        command.args(others[index]).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let started = [start(0), start(1)];
    started.map(|child| child.wait_with_output().unwrap().into())
}

fn files(scratch: &Scratch) -> [String; 2] {
    [scratch.path("a"), scratch.path("b")]
}

#[test]
fn hosts_are_found_by_tcp() {
    let scratch = Scratch::new();
    let file = scratch.file("update.c", LOST_UPDATE.as_bytes());
    let ports = [0, 1].map(|_| std::net::TcpListener::bind("127.0.0.1:0").unwrap());
    let addresses = ports.each_ref().map(|port| port.local_addr().unwrap().to_string());
    drop(ports);
    let [first, second] = pair(&scratch, addresses, [&["--format", "json", &file], &[&file]]);
    assert_eq!(essence(&first), essence(&run(&[&CHECK[..], &[&file]].concat())));
    assert_eq!(second.status, Some(0), "{second:?}");
    assert_eq!(second.stdout, "process 1 of 2 has done its part; process 0 reports\n");
}

#[test]
fn processes_that_do_not_fit_are_refused() {
    let scratch = Scratch::new();
    let file = scratch.file("update.c", LOST_UPDATE.as_bytes());
    let other = scratch.file("other.c", DEADLOCK.as_bytes());
    for (second, what) in [(&[other.as_str()][..], "program"), (&["--race-clocks", &file], "set of options")]
    {
        let ends = pair(&scratch, files(&scratch), [&[&file], second]);
        for (end, name) in ends.into_iter().zip(["process 1", "process 0"]) {
            assert_eq!(end.status, Some(3), "{end:?}");
            assert!(end.stderr.contains(name) && end.stderr.contains(&format!("another {what}")), "{end:?}");
        }
        files(&scratch).iter().for_each(|path| std::fs::remove_file(path).unwrap());
    }
}

#[test]
fn what_cannot_be_had_together_is_refused() {
    let scratch = Scratch::new();
    let file = scratch.file("update.c", LOST_UPDATE.as_bytes());
    let folder = scratch.path("kept");
    for (options, words) in [
        (&["--search", "bfs"][..], "--search csdr"),
        (&["--symmetry", "on"], "--symmetry on"),
        (&["--bookkeeping", "inexact"], "--bookkeeping exact"),
        (&["--property", "livelock"], "livelock"),
        (&["--ltl", "G progress"], "--ltl"),
        (&["--keep-going"], "--keep-going"),
        (&["--checkpoint", &folder], "--checkpoint"),
    ] {
        let refused = run(&[&CHECK[..], &["--processes", "2"], options, &[&file]].concat());
        assert_eq!(refused.status, Some(3), "{options:?}: {refused:?}");
        assert!(refused.stderr.contains(words), "{options:?}: {refused:?}");
    }
    let refused = run(&["check", "--processes", "2", &file]);
    assert!(refused.status == Some(3) && refused.stderr.contains("--engine explicit"), "{refused:?}");
}

/// Starts a search that does not end by itself.
fn endless(scratch: &Scratch, options: &[&str]) -> Child {
    let file = scratch.file("large.c", LARGE.as_bytes());
    let mut command = threadproof();
    command.args([&CHECK[..], &["--processes", "3"], options, &[&file]].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The processes that a process has started.
fn children(parent: u32) -> Vec<u32> {
    let listed =
        std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_child = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // After the name of the program, which may have blanks.
        let rest = stat.rsplit(')').next().unwrap_or_default();
        rest.split_whitespace().nth(1).is_some_and(|word| word == parent.to_string())
    };
    listed.filter_map(|name| name.parse().ok()).filter(is_child).collect()
}

/// Whether a process has the thread that exchanges messages, which it gets when all have
/// come together.
fn is_connected(process: u32) -> bool {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task"));
    let names = tasks.into_iter().flatten().filter_map(|task| {
        let task = task.ok()?.path();
        std::fs::read_to_string(task.join("comm")).ok()
    });
    names.into_iter().any(|name| name.trim() == "rounds")
}

/// The other processes of a search that has begun.
fn begun(search: &Child) -> Vec<u32> {
    let started = Instant::now();
    loop {
        let found = children(search.id());
        if found.len() == 2 && found.iter().chain([&search.id()]).all(|process| is_connected(*process)) {
            std::thread::sleep(Duration::from_millis(300));
            return found;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "two other processes are started");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn signal(process: u32, name: &str) {
    let status = Command::new("kill").args([name, &process.to_string()]).status().unwrap();
    assert!(status.success());
}

/// Waits until processes have ended.
#[track_caller]
fn end_within(processes: &[u32], limit: Duration) {
    let started = Instant::now();
    while processes.iter().any(|pid| Path::new(&format!("/proc/{pid}")).exists()) {
        assert!(started.elapsed() < limit, "a process goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_process_that_is_killed_is_named_and_all_end() {
    let scratch = Scratch::new();
    let search = endless(&scratch, &[]);
    let others = begun(&search);
    let killed = Instant::now();
    signal(others[0], "-KILL");
    let end: Run = search.wait_with_output().unwrap().into();
    assert!(killed.elapsed() < Duration::from_secs(10), "{:?}", killed.elapsed());
    assert_eq!(end.status, Some(2), "{end:?}");
    assert!(end.stderr.contains("process 1 (") || end.stderr.contains("process 2 ("), "{end:?}");
    assert!(end.stdout.contains("has ended or cannot be reached"), "{end:?}");
    end_within(&others, Duration::from_secs(10));
}

#[test]
fn the_others_end_if_the_first_one_is_killed() {
    let scratch = Scratch::new();
    let mut search = endless(&scratch, &[]);
    let others = begun(&search);
    search.kill().unwrap();
    search.wait().unwrap();
    end_within(&others, Duration::from_secs(10));
}

#[test]
fn an_interrupt_ends_all() {
    let scratch = Scratch::new();
    for first in [true, false] {
        let search = endless(&scratch, &[]);
        let others = begun(&search);
        signal(if first { search.id() } else { others[1] }, "-INT");
        let end: Run = search.wait_with_output().unwrap().into();
        let report: Value = serde_json::from_str(&end.stdout).unwrap();
        assert_eq!((end.status, report["reason"].as_str()), (Some(2), Some("interrupted")), "{end:?}");
        assert!(report["stats"]["layers"].as_u64() >= Some(1), "{report}");
        end_within(&others, Duration::from_secs(10));
    }
}

#[test]
fn limits_end_all() {
    let scratch = Scratch::new();
    for (options, words) in [
        (&["--timeout", "3s"][..], "time limit"),
        (&["--memory-limit", "40M"], "memory limit of 40 MiB"),
        (&["--state-limit", "3000"], "limit of 3000 states"),
    ] {
        let search = endless(&scratch, options);
        let end: Run = search.wait_with_output().unwrap().into();
        assert_eq!(end.status, Some(2), "{end:?}");
        let report: Value = serde_json::from_str(&end.stdout).unwrap();
        assert!(report["reason"].as_str().unwrap().contains(words), "{report}");
    }
}
