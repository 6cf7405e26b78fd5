//! Saved traces after the source was changed: they follow their sites, and are
//! refused where the program is another.

mod common;

use common::{DEADLOCK, LOST_UPDATE, Run, Scratch, run};

const LIVELOCK: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int go;
void *run(void *unused) {
  while (!go) {
  }
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
";

/// Checks the source, writes another in its place, and replays.
fn replay_after(property: &str, source: &str, change: impl Fn(&str) -> String) -> Run {
    replay_as("text", property, source, change)
}

fn replay_as(format: &str, property: &str, source: &str, change: impl Fn(&str) -> String) -> Run {
    let scratch = Scratch::new();
    let (file, saved) = (scratch.file("a.c", source.as_bytes()), scratch.path("out.json"));
    let checked = run(&["check", "--property", property, "--trace", &saved, &file]);
    assert_eq!(checked.status, Some(1), "{checked:?}");
    scratch.file("a.c", change(source).as_bytes());
    run(&["replay", "--format", format, &saved])
}

/// A comment after every line: above the functions and inside them.
fn with_comments(source: &str) -> String {
    source.replace('\n', "\n// a comment\n")
}

#[test]
fn a_trace_survives_comments_and_says_what_moved() {
    for (property, source) in
        [("assert", LOST_UPDATE), ("race", LOST_UPDATE), ("deadlock", DEADLOCK), ("livelock", LIVELOCK)]
    {
        let replayed = replay_after(property, source, with_comments);
        assert_eq!(replayed.status, Some(1), "{replayed:?}");
        assert!(replayed.stdout.contains(&format!("unsafe: {property}")), "{replayed:?}");
        assert!(replayed.stdout.contains("the trace still fits"), "{replayed:?}");
    }
}

#[test]
fn the_report_has_the_new_lines() {
    let above = |source: &str| source.replace("int x;", "\n\n// the counter\nint x;");
    let replayed = replay_after("assert", LOST_UPDATE, above);
    assert!(replayed.stdout.contains("a.c:5:4 is now "), "{replayed:?}");
    assert!(replayed.stdout.contains("a.c:8:4\n"), "{replayed:?}");
    assert!(replayed.stdout.contains("16 |   assert(x == 2);"), "{replayed:?}");
}

#[test]
fn json_has_what_moved() {
    let above = |source: &str| format!("\n{source}");
    let replayed = replay_as("json", "assert", LOST_UPDATE, above);
    let object: serde_json::Value = serde_json::from_str(&replayed.stdout).expect("one JSON object");
    let moved = object["trace"]["moved"].as_array().expect("a list of what moved");
    assert!(!moved.is_empty());
    for each in moved {
        assert_eq!(each["from"]["line"].as_u64().map(|line| line + 1), each["to"]["line"].as_u64());
    }
    let same = replay_as("json", "assert", LOST_UPDATE, str::to_owned);
    let object: serde_json::Value = serde_json::from_str(&same.stdout).expect("one JSON object");
    assert!(object["trace"].get("moved").is_none(), "{same:?}");
}

#[test]
fn changes_that_the_trace_does_not_meet_do_no_harm() {
    let other = |source: &str| source.replace("int x;", "int x;\nint unused(int a) { return a / 2; }\n");
    let replayed = replay_after("assert", LOST_UPDATE, other);
    assert_eq!(replayed.status, Some(1), "{replayed:?}");
}

#[test]
fn another_program_is_refused() {
    let changes = [
        ("x == 2", "x <= 2"),
        ("  x++;\n  return", "  return"),
        ("  x++;\n  return", "  x = x * 2;\n  x++;\n  return"),
        ("add", "increase"),
        ("  pthread_join(t, 0);\n", "  x--;\n  pthread_join(t, 0);\n  x++;\n"),
    ];
    for (from, to) in changes {
        let replayed = replay_after("assert", LOST_UPDATE, |source| source.replace(from, to));
        assert_eq!(replayed.status, Some(2), "{from} -> {to}: {replayed:?}");
        assert!(replayed.stdout.starts_with("diverged at step "), "{replayed:?}");
        assert!(replayed.stdout.contains(" should "), "{replayed:?}");
        assert!(!replayed.stdout.contains("still fits"), "{replayed:?}");
        assert!(replayed.stdout.contains("changed since the trace was saved"), "{replayed:?}");
    }
}

#[test]
fn a_refusal_names_the_positions_of_then() {
    let replayed = replay_after("assert", LOST_UPDATE, |source| {
        source.replace("  x++;\n  return", "  // twice\n  x++;\n  x++;\n  return")
    });
    let expected = "a.c:13:3, but nothing is wrong; changed since the trace was saved: ";
    assert!(replayed.stdout.contains(expected), "{replayed:?}");
}

#[test]
fn a_trace_of_an_older_format_is_refused() {
    let scratch = Scratch::new();
    let (file, saved) = (scratch.file("a.c", LOST_UPDATE.as_bytes()), scratch.path("out.json"));
    run(&["check", "--trace", &saved, &file]);
    let text = std::fs::read_to_string(&saved).expect("the saved trace");
    scratch.file("out.json", text.replace("\"format\": 2", "\"format\": 1").as_bytes());
    let replayed = run(&["replay", &saved]);
    assert_eq!(replayed.status, Some(3), "{replayed:?}");
    assert!(replayed.stderr.contains("format 1"), "{replayed:?}");
    assert!(replayed.stderr.contains("check the program again"), "{replayed:?}");
}
