//! Whole reports beside the programs of the corpus: `name.KIND.report.txt` holds
//! a command and what it prints. `BLESS=1` writes them anew. A command that begins
//! with `timeout` is interrupted, as by Ctrl-C.
//!
//! A line that ends in `…` stands for every line that begins like it: how far a
//! search comes within a limit is not always the same.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::threadproof;
use engine::{Cut, Exceeded};
use machine::FaultKind;
use serde::de::DeserializeOwned;

const ANYTHING: char = '…';

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

fn reports() -> Vec<PathBuf> {
    let folders = std::fs::read_dir(corpus()).expect("the corpus is there").flatten();
    let files = folders.filter_map(|folder| std::fs::read_dir(folder.path()).ok()).flatten().flatten();
    let paths = files.map(|file| file.path());
    let mut reports: Vec<PathBuf> =
        paths.filter(|path| path.to_string_lossy().ends_with(".report.txt")).collect();
    reports.sort();
    reports
}

fn printed(command: &str) -> String {
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let own = words.iter().position(|word| *word == "threadproof").expect("it runs threadproof");
    let mut run = match own {
        0 => threadproof(),
        _ => Command::new(words[0]),
    };
    if own > 0 {
        run.args(&words[1..own]).arg(threadproof().get_program());
    }
    let run = run.args(&words[own + 1..]).current_dir(corpus());
    let output = run.output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let varies = |line: &&str| !line.starts_with("replay with: ");
    text.lines().filter(varies).map(|line| format!("{line}\n")).collect()
}

fn fits(expected: &str, found: &str) -> bool {
    match expected.strip_suffix(ANYTHING) {
        Some(start) => found.starts_with(start),
        None => expected == found,
    }
}

/// What was found, with the lines of the expected text that stand for others.
fn blessed(expected: &str, found: &str) -> String {
    let general = |line: &str| expected.lines().find(|each| each.ends_with(ANYTHING) && fits(each, line));
    found.lines().map(|line| format!("{}\n", general(line).unwrap_or(line))).collect()
}

#[test]
fn reports_are_as_expected() {
    let bless = std::env::var_os("BLESS").is_some();
    let reports = reports();
    assert!(reports.len() > 10, "there are reports");
    for path in reports {
        let text = std::fs::read_to_string(&path).expect("the report can be read");
        let (command, expected) = text.split_once('\n').expect("a command and what it prints");
        let found = blessed(expected, &printed(command));
        if bless {
            std::fs::write(&path, format!("{command}\n{found}")).expect("the report can be written");
            continue;
        }
        assert_eq!(found, expected, "{}: {command}", path.display());
    }
}

/// The names of all variants of a type, which it lists where it does not know one.
fn variants<T: DeserializeOwned>(unknown: &str) -> Vec<String> {
    let error = serde_json::from_str::<T>(unknown).err().expect("it is no variant").to_string();
    let listed = error.split("expected one of").nth(1).expect("the variants are listed");
    let names = listed.split('`').skip(1).step_by(2).map(str::to_owned);
    names.collect()
}

/// The `KIND` in the names of the reports in which executions are not followed for a reason.
fn report_of(reason: &str) -> &'static str {
    match reason {
        "NeedsSymbolic" => "inputs",
        "Unsupported" => "unsupported",
        "Fault" => "unasked",
        "Depth" => "depth",
        "ContextSwitches" => "context-bound",
        "Fingerprints" => "fingerprints",
        "Unwinding" => "unwinding",
        "Loop" => "loop",
        "Preemptions" => "preemptions",
        "Executions" => "executions",
        "Waiting" => "waiting",
        "MemoryModel" => "memory-model",
        "Formulas" => "formula",
        "Time" => "time",
        "Memory" => "memory",
        "States" => "states",
        "Cancelled" => "interrupted",
        other => panic!("which report shows the reason {other}?"),
    }
}

#[test]
fn every_kind_of_unknown_has_a_report() {
    let mut reasons = variants::<Cut>("\"?\"");
    reasons.extend(variants::<Exceeded>("\"?\""));
    assert!(reasons.len() > 15, "{reasons:?}");
    // A process has to be killed for one of these, as `processes.rs` does, and a disk has to be full
    // for the other, as in `spill.rs`.
    reasons.retain(|reason| !["Process", "Disk"].contains(&reason.as_str()));
    let names: Vec<String> = reports().iter().map(|path| path.to_string_lossy().into_owned()).collect();
    for kind in reasons.iter().map(|reason| report_of(reason)).chain(["solver"]) {
        let ending = format!(".{kind}.report.txt");
        assert!(names.iter().any(|name| name.ends_with(&ending)), "there is no report {ending}");
    }
}

#[test]
fn every_kind_of_fault_has_an_expected_text() {
    let folders = std::fs::read_dir(corpus()).expect("the corpus is there").flatten();
    let files = folders.filter_map(|folder| std::fs::read_dir(folder.path()).ok()).flatten().flatten();
    let texts =
        files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
    let texts: Vec<String> = texts.filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    let kinds = variants::<FaultKind>("{\"kind\": \"?\"}");
    assert!(kinds.len() > 40, "{kinds:?}");
    for kind in kinds {
        let head = format!("error[{kind}]");
        assert!(texts.iter().any(|text| text.contains(&head)), "there is no expected text with {head}");
    }
}
