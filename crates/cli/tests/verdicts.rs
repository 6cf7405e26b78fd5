//! The program as users run it: verdicts, formats, traces, interruption.

mod common;

use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{LARGE, LOST_UPDATE, Run, Scratch, run, threadproof};

const SAFE: &[u8] = b"int main(void) { return 0; }\n";

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

fn without_stats(run: &Run) -> Vec<&str> {
    lines(&run.stdout).into_iter().filter(|line| !line.starts_with("engine ")).collect()
}

#[test]
fn a_safe_program() {
    let scratch = Scratch::new();
    let run = run(&["check", &scratch.file("a.c", SAFE)]);
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.stdout.starts_with("safe: "), "{run:?}");
    assert!(!run.stdout.contains('\x1b'), "colours only on a terminal");
}

#[test]
fn a_property_file_of_the_competition_counts_error_calls_only() {
    let scratch = Scratch::new();
    let spec = scratch.file("reach.prp", b"CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let source = |condition: &str| {
        format!(
            "#include <assert.h>\nextern void reach_error(void);\n\
             int main(int argc, char **argv) {{ int x; int *p = 0; {condition} if (x == 7) *p = 1; return 0; }}\n"
        )
    };
    let asserts = scratch.file("a.c", source("assert(x != 3);").as_bytes());
    let calls = scratch.file("b.c", source("if (x == 3) reach_error();").as_bytes());
    let safe = run(&["check", "--spec", &spec, &asserts]);
    assert_eq!(safe.status, Some(0), "{safe:?}");
    assert!(safe.stdout.contains("no execution violates `memory`"), "{safe:?}");
    let called = run(&["check", "--spec", &spec, &calls]);
    assert_eq!(called.status, Some(1), "{called:?}");
    let alone = run(&["check", "--property", "race", &asserts]);
    assert_eq!(alone.status, Some(2), "{alone:?}");
}

#[test]
fn properties_are_told_apart() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", LOST_UPDATE.as_bytes());
    let spec = scratch.file("race.prp", b"CHECK( init(main()), LTL(G ! data-race) )\n");
    for (options, status, word) in [
        (&["--property", "assert"][..], 1, "assertion failed"),
        (&["--property", "race"], 1, "data race on `x`"),
        (&["--property", "deadlock,memory"], 0, "safe"),
        (&["--spec", &spec], 1, "data race on `x`"),
        (&["--property", "assert", "--reduction", "none"], 1, "assertion failed"),
    ] {
        let args = [&["check"], options, &[&file]].concat();
        let run = run(&args);
        assert_eq!(run.status, Some(status), "{options:?}: {run:?}");
        assert!(run.stdout.contains(word), "{options:?}: {run:?}");
    }
}

#[test]
fn a_saved_trace_replays_to_the_same_report() {
    let scratch = Scratch::new();
    let (file, saved) = (scratch.file("a.c", LOST_UPDATE.as_bytes()), scratch.path("out.json"));
    let checked = run(&["check", "--property", "assert", "--trace", &saved, &file]);
    assert_eq!(checked.status, Some(1), "{checked:?}");
    assert!(checked.stdout.contains(&format!("replay with: threadproof replay {saved}")), "{checked:?}");
    let replayed = run(&["replay", &saved]);
    assert_eq!(replayed.status, Some(1), "{replayed:?}");
    assert_eq!(without_stats(&checked), without_stats(&replayed));
}

#[test]
fn the_printed_command_replays() {
    let scratch = Scratch::new();
    let checked = run(&["check", &scratch.file("a.c", LOST_UPDATE.as_bytes())]);
    let command = checked.stdout.lines().find_map(|line| line.strip_prefix("replay with: threadproof "));
    let words: Vec<&str> = command.expect("a replay command").split(' ').collect();
    let replayed = run(&words);
    assert_eq!(without_stats(&checked), without_stats(&replayed));
}

#[test]
fn a_changed_source_diverges() {
    let scratch = Scratch::new();
    let (file, saved) = (scratch.file("a.c", LOST_UPDATE.as_bytes()), scratch.path("out.json"));
    run(&["check", "--property", "assert", "--trace", &saved, &file]);
    let text = LOST_UPDATE;
    let changes = [text.replace("x == 2", "x <= 2"), text.replacen("x++;", ";", 1)];
    for changed in changes {
        scratch.file("a.c", changed.as_bytes());
        let replayed = run(&["replay", &saved]);
        assert_eq!(replayed.status, Some(2), "{replayed:?}");
        assert!(replayed.stdout.starts_with("diverged at step "), "{replayed:?}");
        assert!(replayed.stdout.contains("changed since the trace was saved"), "{replayed:?}");
    }
    scratch.file("a.c", b"int main(void) { return }\n");
    let replayed = run(&["replay", &saved]);
    assert_eq!(replayed.status, Some(3), "{replayed:?}");
    assert!(replayed.stderr.contains("changed since the trace was saved"), "{replayed:?}");
}

#[test]
fn json_is_one_object() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", LOST_UPDATE.as_bytes());
    let parse =
        |run: &Run| -> serde_json::Value { serde_json::from_str(&run.stdout).expect("one JSON object") };
    let unsafe_ = parse(&run(&["check", "--format", "json", "--property", "race", &file]));
    assert_eq!(unsafe_["verdict"], "unsafe");
    assert_eq!(unsafe_["property"], "race");
    assert_eq!(unsafe_["engine"], "explicit");
    assert_eq!(unsafe_["fault"]["kind"], "data-race");
    assert!([5, 11].contains(&unsafe_["fault"]["line"].as_u64().expect("a line")));
    assert!(unsafe_["fault"]["file"].as_str().expect("a file").ends_with("a.c"));
    assert!(unsafe_["trace"]["steps"].as_array().is_some_and(|steps| !steps.is_empty()));
    assert!(unsafe_["trace"]["interleaving"]["lines"].is_array());
    let safe = parse(&run(&["check", "--format", "json", &scratch.file("b.c", SAFE)]));
    assert_eq!(safe["verdict"], "safe");
    assert!(safe["stats"]["seconds"].is_f64() && safe["stats"]["states"].is_u64());
    let large = scratch.file("large.c", LARGE.as_bytes());
    let options = ["--engine", "explicit", "--format", "json", "--timeout", "1"];
    let unknown = parse(&run(&[&["check"], &options[..], &[&large]].concat()));
    assert_eq!(unknown["verdict"], "unknown");
    assert!(unknown["reason"].as_str().is_some_and(|reason| reason.contains("time limit")));
    assert!(unknown["covered"].as_str().is_some_and(|covered| covered.contains("states")));
}

#[test]
fn a_restricted_verdict_says_so() {
    let scratch = Scratch::new();
    let source = b"#include <threadproof.h>\nint main(void) { int n = tp_nondet_int(); return n * n == 49 ? 1 : 0; }\n";
    let file = scratch.file("a.c", source);
    let without = run(&["check", "--engine", "explicit", &file]);
    assert_eq!(without.status, Some(2), "{without:?}");
    assert!(without.stdout.contains("--nondet-range"), "{without:?}");
    let with = run(&["check", "--nondet-range=-1..8", &file]);
    assert_eq!(with.status, Some(0), "{with:?}");
    assert!(with.stdout.contains("lie between -1 and 8"), "{with:?}");
}

#[test]
fn limits_end_in_unknown() {
    let scratch = Scratch::new();
    let file = scratch.file("large.c", LARGE.as_bytes());
    for (options, word) in [
        (&["--timeout", "1"][..], "time limit"),
        (&["--memory-limit", "150M", "--timeout", "40"], "memory limit"),
        (&["--depth", "20", "--timeout", "40"], "after 20 steps"),
    ] {
        let started = Instant::now();
        let run = run(&[&["check", "--engine", "explicit"], options, &[&file]].concat());
        assert_eq!(run.status, Some(2), "{options:?}: {run:?}");
        assert!(run.stdout.contains(word) && run.stdout.contains("covered: "), "{options:?}: {run:?}");
        assert!(started.elapsed() < Duration::from_secs(39), "{options:?} took too long");
    }
}

#[test]
fn an_interrupt_ends_in_unknown() {
    let scratch = Scratch::new();
    let file = scratch.file("large.c", LARGE.as_bytes());
    let child = threadproof()
        .args(["check", "--engine", "explicit", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let child = child.expect("the program starts");
    std::thread::sleep(Duration::from_secs(2));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let run: Run = child.wait_with_output().expect("the program ends").into();
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.stdout.contains("unknown: interrupted") && run.stdout.contains("covered: "), "{run:?}");
}

#[test]
fn dump_shows_the_program() {
    let scratch = Scratch::new();
    let run = run(&["dump", &scratch.file("a.c", LOST_UPDATE.as_bytes())]);
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.stdout.contains("main") && run.stdout.contains("add"), "{run:?}");
}
