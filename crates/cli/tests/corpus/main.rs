//! Runs every program in `corpus/` and names what differs from its header.
//!
//! Each program is loaded once, through the real front end, and checked in
//! this process. The format of the headers is described in `corpus/README.md`.
//!
//! `STATELESS=1 cargo test --test corpus` runs the stateless engine alone, `IMPACT=1` the
//! engine `impact`, `HEADS=1` compares the invariants of loops alone. `NATIVE=1` forces every counterexample on the native program, and prints
//! how many of them reproduce (`NATIVE=FILE` writes what came of each to a file). `ENFORCE=1` holds
//! native programs to random executions of programs without faults.
//!
//! A file `name.expected.txt` beside a program holds the expected text of its
//! first violation; `BLESS=1 cargo test --test corpus` writes those that exist
//! anew (make an empty one to have it filled).

mod analysed;
mod bounded;
mod default;
mod enforced;
mod explicit;
mod fences;
mod header;
mod heads;
mod impact;
mod interrupted;
mod native;
mod program;
mod stateless;
mod temporal;
mod verify;
mod weak;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use header::Header;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    // Paths in reports are then relative to the corpus, wherever it lies.
    std::env::set_current_dir(&corpus).expect("the corpus is there");
    let trials = trials(Path::new("."));
    let conclusion = libtest_mimic::run(&arguments, trials);
    let summaries = [(native::is_asked(), native::summary()), (enforced::is_asked(), enforced::summary())];
    let asked = summaries.into_iter().find(|(asked, _)| *asked);
    println!("{}", asked.map_or_else(stateless::summary, |(_, summary)| summary));
    conclusion.exit_code()
}

fn trials(root: &Path) -> Vec<Trial> {
    let files = sources(root);
    let headers: Vec<(PathBuf, String, Result<Header, String>)> = files
        .into_iter()
        .map(|path| {
            let path = path.strip_prefix(".").unwrap_or(&path).to_owned();
            let text =
                std::fs::read(&path).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
            let header = Header::parse(&text);
            (path, text, header)
        })
        .collect();
    // Files that others are linked with are no programs of their own.
    let companions: Vec<PathBuf> = headers
        .iter()
        .filter_map(|(path, _, header)| Some((path, header.as_ref().ok()?)))
        .flat_map(|(path, header)| header.with.iter().map(|with| path.with_file_name(with)))
        .collect();
    headers
        .into_iter()
        .filter(|(path, _, _)| !companions.contains(path))
        .map(|(path, text, header)| {
            let name = path.display().to_string();
            Trial::test(name, move || run(&path, &text, header).map_err(Failed::from))
        })
        .collect()
}

fn run(path: &Path, text: &str, header: Result<Header, String>) -> Result<(), String> {
    let header = header.map_err(|error| format!("header: {error}"))?;
    let differences = program::run(path, text, &header);
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// Every source file below a directory, in order.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(directory).expect("a readable directory");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| ["c", "i", "cpp", "cc", "ll"].iter().any(|x| e == *x)) {
            found.push(path);
        }
    }
    found
}
