//! The solver as users meet it: its questions as files, and what is said if it
//! is not there.

mod common;

use common::{Run, Scratch, run, threadproof};
use logic::Z3;

const INPUTS: &[u8] = b"#include <assert.h>
#include <pthread.h>
#include <threadproof.h>
unsigned table[16], n;
void *fill(void *unused) {
  for (unsigned i = 0; i < n; i++) table[i * 7 % 16] += i;
  return unused;
}
int main(void) {
  pthread_t t;
  n = tp_nondet_uint();
  tp_assume(n <= 4);
  pthread_create(&t, 0, fill, 0);
  pthread_join(t, 0);
  unsigned m = tp_nondet_uint();
  assert(table[5] != 3 || m * m != 49 * n);
  return 0;
}
";

#[test]
fn every_question_is_a_file_with_its_answer() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", INPUTS);
    for strategy in ["lazy", "recording", "widening"] {
        let directory = scratch.path(strategy);
        let options = ["--strategy", strategy, "--dump-smt", &directory, "--format", "json"];
        let run = run(&[&["check", "--engine", "bounded"], &options[..], &[&file]].concat());
        let report: serde_json::Value =
            serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run:?}"));
        assert_ne!(report["verdict"], "unknown", "{run:?}");
        let files = scripts(&directory);
        assert_eq!(report["stats"]["solver_calls"], files.len(), "{strategy}");
        let answers: Vec<&str> = files.iter().map(|text| answered(text)).collect();
        assert!(answers.contains(&"sat"), "{strategy}: {answers:?}");
    }
}

fn scripts(directory: &str) -> Vec<String> {
    let mut paths: Vec<_> = std::fs::read_dir(directory)
        .expect("it was made")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    assert!(paths[0].ends_with("000001.smt2"), "{paths:?}");
    paths.into_iter().map(|path| std::fs::read_to_string(path).expect("a text")).collect()
}

/// The answer in a file, which is also what Z3 says when it reads the file.
fn answered(text: &str) -> &str {
    assert!(text.starts_with("; question "), "{text}");
    let status = text.split_once("(set-info :status ").and_then(|(_, rest)| rest.split_once(')'));
    let status = status.expect("an answer").0;
    let mut z3 = Z3::new().expect("Z3 is there");
    assert_eq!(z3.run_script(text).expect("Z3 can read it").trim(), status, "{text}");
    status
}

#[test]
fn a_directory_that_cannot_be_written_is_said_at_once() {
    let scratch = Scratch::new();
    let (file, taken) = (scratch.file("a.c", INPUTS), scratch.file("taken", b""));
    let run = run(&["check", "--dump-smt", &taken, &file]);
    assert_eq!(run.status, Some(3), "{run:?}");
    assert!(
        run.stdout.is_empty() && run.stderr.contains("cannot write the solver's questions to"),
        "{run:?}"
    );
}

#[test]
fn a_missing_solver_is_said_at_once() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", INPUTS);
    for engine in [&["--engine", "bounded"][..], &[]] {
        let mut command = threadproof();
        command.env("THREADPROOF_Z3", scratch.path("libz3.so")).args(["check", "--solver", "z3"]);
        let run: Run = command.args(engine).arg(&file).output().expect("the program starts").into();
        assert_eq!(run.status, Some(3), "{run:?}");
        assert!(run.stdout.is_empty() && run.stderr.contains("z3 cannot be used"), "{run:?}");
    }
}
