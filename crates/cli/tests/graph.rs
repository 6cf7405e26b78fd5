//! The command `graph`: what it writes is DOT and shows what there is.

mod common;

use std::collections::BTreeSet;

use common::{Scratch, run};

const LOST_UPDATE: &[u8] = b"#include <assert.h>
#include <pthread.h>
int x;
void *add(void *unused) {
  x++;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  x++;
  pthread_join(t, 0);
  assert(x == 2 && \"both \\\"count\\\"\");
  return 0;
}
";

const DEADLOCK: &[u8] = b"#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *other(void *unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  return 0;
}
";

/// A statement of a graph: the words before the attributes, and these.
type Statement = (Vec<String>, Vec<(String, String)>);

/// Reads the part of the DOT language that graphs are written in; anything
/// else is an error.
fn parse(text: &str) -> Vec<Statement> {
    let mut tokens = tokens(text).into_iter().peekable();
    let mut expect = |expected: &str| {
        let token = tokens.next();
        assert_eq!(token.as_deref(), Some(expected));
    };
    expect("digraph");
    expect("states");
    expect("{");
    let mut statements = Vec::new();
    loop {
        let mut words = Vec::new();
        let mut attributes = Vec::new();
        loop {
            match tokens.next().expect("a statement ends").as_str() {
                ";" => break,
                "}" => {
                    assert!(words.is_empty() && tokens.next().is_none(), "nothing follows the graph");
                    return statements;
                }
                "[" => loop {
                    let name = tokens.next().expect("an attribute or an end");
                    if name == "]" {
                        break;
                    }
                    assert_eq!(tokens.next().as_deref(), Some("="), "after {name}");
                    attributes.push((name, tokens.next().expect("a value")));
                },
                word => words.push(word.to_owned()),
            }
        }
        statements.push((words, attributes));
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '/' => {
                assert!(rest.starts_with("//"), "{rest}");
                rest = rest.split_once('\n').expect("a comment ends").1.trim_start();
                continue;
            }
            '"' => string_length(rest),
            '-' => {
                assert!(rest.starts_with("->"), "{rest}");
                2
            }
            '{' | '}' | '[' | ']' | '=' | ';' => 1,
            c if c.is_ascii_alphanumeric() => {
                rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())
            }
            _ => panic!("not DOT: {rest}"),
        };
        found.push(rest[..len].to_owned());
        rest = rest[len..].trim_start();
    }
    found
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        assert_ne!(c, '\n', "a string ends on its line");
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    panic!("a string ends: {text}")
}

fn attribute<'a>(statement: &'a Statement, name: &str) -> &'a str {
    statement.1.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
}

fn is_edge(statement: &&Statement) -> bool {
    statement.0.iter().any(|word| word == "->")
}

#[test]
fn states_steps_and_faults() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", LOST_UPDATE);
    let run = run(&["graph", "--property", "assert", &file]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let statements = parse(&run.stdout);
    let nodes: BTreeSet<&str> =
        statements.iter().filter(|s| s.0.len() == 1).map(|s| s.0[0].as_str()).collect();
    let edges: Vec<&Statement> = statements.iter().filter(is_edge).collect();
    for edge in &edges {
        assert!(nodes.contains(edge.0[0].as_str()) && nodes.contains(edge.0[2].as_str()), "{edge:?}");
    }
    let label = |word: &str| edges.iter().filter(|e| attribute(e, "label").contains(word)).count();
    assert!(label("main line 10: creates T1") == 1 && label("T1 line 5: x: 0 -> 1") >= 1, "{}", run.stdout);
    let red: Vec<&&Statement> = edges.iter().filter(|e| attribute(e, "color") == "red").collect();
    assert!(!red.is_empty() && red.iter().all(|e| attribute(e, "label").contains("assertion failed")));
    let initial = statements.iter().find(|s| s.0 == ["s0"]).expect("the initial state");
    assert_eq!(attribute(initial, "fillcolor"), "\"#ffffff\"");
    assert!(run.stdout.contains("layer 3") && run.stdout.contains("exit 0"), "{}", run.stdout);
}

#[test]
fn deadlocks_are_marked() {
    let scratch = Scratch::new();
    let (file, out) = (scratch.file("a.c", DEADLOCK), scratch.path("states.dot"));
    let run = run(&["graph", &file, "-o", &out]);
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.stdout.contains(" states, "), "{run:?}");
    let statements = parse(&std::fs::read_to_string(&out).expect("the graph was written"));
    let marked: Vec<&Statement> = statements.iter().filter(|s| attribute(s, "penwidth") == "3").collect();
    assert_eq!(marked.len(), 1);
    assert!(attribute(marked[0], "label").contains("deadlock"), "{marked:?}");
    let stuck = &marked[0].0[0];
    assert!(!statements.iter().any(|s| is_edge(&s) && s.0[0] == *stuck), "nobody moves in a deadlock");
}

#[test]
fn too_many_states_are_said_and_not_drawn() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", LOST_UPDATE);
    let run = run(&["graph", "--state-limit", "5", &file]);
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.stdout.contains("the limit of 5 states was reached"), "{run:?}");
    assert!(run.stdout.contains("--state-limit") && !run.stdout.contains("digraph"), "{run:?}");
}

#[test]
fn a_place_that_cannot_be_written_is_an_error() {
    let scratch = Scratch::new();
    let run = run(&["graph", &scratch.file("a.c", LOST_UPDATE), "-o", &scratch.path("no/such/place.dot")]);
    assert_eq!(run.status, Some(3), "{run:?}");
    assert!(run.stderr.contains("cannot write"), "{run:?}");
}
