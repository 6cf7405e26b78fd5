//! Generated junk for the readers of LLVM modules and of traces: damaged text
//! and bitcode of a real program, and a damaged counterexample of it. Whatever comes of it, it is a verdict or an error message,
//! never a crash. `JUNK_SEEDS=5000 cargo test --test junk` tries longer.

mod common;

use std::process::Command;

use common::{Scratch, run};
use fastrand::Rng;

const SOURCE: &[u8] = b"#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; int value; } *list;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *add(void *arg) {
  struct node *node = malloc(sizeof *node);
  node->value = *(int *)arg;
  pthread_mutex_lock(&lock);
  node->next = list;
  list = node;
  pthread_mutex_unlock(&lock);
  return node;
}
int main(void) {
  int values[2] = {1, 2}, sum = 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, &values[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  for (struct node *n = list; n; n = n->next) sum += n->value;
  assert(sum == 3);
  return 0;
}
";

fn compile(scratch: &Scratch, kind: &str) -> Vec<u8> {
    let (source, output) = (scratch.file("a.c", SOURCE), scratch.path("module"));
    let flags = [kind, "-c", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-o"];
    let clang = Command::new("clang-19").args(flags).args([&output, &source]).status();
    assert!(clang.expect("clang-19 runs").success());
    std::fs::read(output).expect("clang wrote it")
}

/// Exchanges, doubles and drops lines, and words within lines.
fn damage_text(text: &str, random: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.usize(..3) {
        let (a, b) = (random.usize(..lines.len()), random.usize(..lines.len()));
        match random.usize(..5) {
            0 => lines.swap(a, b),
            1 => drop(lines.remove(a)),
            2 => lines.insert(b, lines[a].clone()),
            _ => lines[a] = damage_line(&lines[a], &lines[b], random),
        }
    }
    lines.join("\n")
}

fn damage_line(line: &str, other: &str, random: &mut Rng) -> String {
    const WORDS: [&str; 12] =
        ["i1", "i64", "i128", "i4096", "ptr", "null", "undef", "poison", "0", "-1", "label", "<4 x float>"];
    let mut words: Vec<&str> = line.split(' ').collect();
    let others: Vec<&str> = other.split(' ').collect();
    let at = random.usize(..words.len());
    match random.usize(..3) {
        0 => words[at] = WORDS[random.usize(..WORDS.len())],
        1 => words[at] = others[random.usize(..others.len())],
        _ => drop(words.remove(at)),
    }
    words.join(" ")
}

fn damage_bytes(bytes: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.usize(..8) {
        let at = random.usize(..bytes.len());
        bytes[at] = match random.usize(..3) {
            0 => random.usize(..256) as u8,
            1 => bytes[at] ^ (1 << random.usize(..8)),
            _ => bytes[random.usize(..bytes.len())],
        };
    }
    bytes
}

const CHECK: &[&str] = &["check", "--timeout", "2", "--memory-limit", "1G"];

fn seeds() -> u64 {
    std::env::var("JUNK_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

/// Checks each piece of junk; gives how many were refused.
fn check_all(name: &str, options: &[&str], mut junk: impl FnMut(&mut Rng) -> Vec<u8>) -> u64 {
    let scratch = Scratch::new();
    let mut refused = 0;
    for seed in 1..=seeds() {
        let mut random = Rng::with_seed(seed);
        let bytes = junk(&mut random);
        let file = scratch.file(name, &bytes);
        let run = run(&[options, &[&file]].concat());
        if !matches!(run.status, Some(0..=3)) {
            let kept = std::env::temp_dir().join(format!("junk-{seed}-{name}"));
            std::fs::write(&kept, &bytes).expect("the junk can be kept");
            panic!("seed {seed}, kept in {}: {run:?}", kept.display());
        }
        refused += u64::from(run.status == Some(3));
    }
    refused
}

#[test]
fn damaged_text_modules() {
    let scratch = Scratch::new();
    let text = String::from_utf8(compile(&scratch, "-S")).expect("clang writes UTF-8");
    let refused = check_all("a.ll", CHECK, |random| damage_text(&text, random).into_bytes());
    assert!(refused > 0 && refused < seeds(), "{refused} of {} refused: the junk is of no use", seeds());
}

#[test]
fn damaged_bitcode_modules() {
    let scratch = Scratch::new();
    let bitcode = compile(&scratch, "-fno-discard-value-names");
    let refused = check_all("a.bc", CHECK, |random| damage_bytes(&bitcode, random));
    assert!(refused > 0, "no damaged bitcode was refused");
}

/// Other numbers and other lines in the trace's JSON, which mostly stays JSON.
fn damage_trace(text: &str, random: &mut Rng) -> String {
    const NUMBERS: [&str; 8] = ["0", "1", "2", "7", "-1", "4294967295", "18446744073709551615", "null"];
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.usize(..3) {
        let (a, b) = (random.usize(..lines.len()), random.usize(..lines.len()));
        match lines[a].split_once(": ") {
            Some((key, value)) if value.starts_with(|c: char| c.is_ascii_digit()) => {
                let comma = if value.ends_with(',') { "," } else { "" };
                lines[a] = format!("{key}: {}{comma}", NUMBERS[random.usize(..NUMBERS.len())]);
            }
            _ if random.usize(..4) == 0 => lines.swap(a, b),
            _ => {}
        }
    }
    lines.join("\n")
}

#[test]
fn damaged_traces() {
    let scratch = Scratch::new();
    let faulty = String::from_utf8_lossy(SOURCE).replace("sum == 3", "sum != 3");
    let (source, saved) = (scratch.file("a.c", faulty.as_bytes()), scratch.path("a.json"));
    let found = run(&["check", "--property", "assert", "--trace", &saved, &source]);
    assert_eq!(found.status, Some(1), "{found:?}");
    let text = std::fs::read_to_string(&saved).expect("the trace was saved");
    check_all("junk.json", &["replay"], |random| damage_trace(&text, random).into_bytes());
}
