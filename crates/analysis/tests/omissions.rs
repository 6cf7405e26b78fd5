//! Each rule of the analysis proves something that is not proven without it, and each condition
//! of a rule keeps a program with a race from being called safe: the programs of
//! `corpus/analysis` are analysed with one of these left out at a time.

use std::path::{Path, PathBuf};

use analysis::omission::Omission;
use analysis::{analyse, analyse_without};
use ir::Program;

const RULES: [&str; 15] = [
    "Apart",
    "Reads",
    "Atomics",
    "OneThread",
    "Confined",
    "Given",
    "Element",
    "Ticket",
    "Fresh",
    "Created",
    "Joined",
    "Section",
    "Lock",
    "LockBeside",
    "LockOfIndex",
];

const CONDITIONS: [Omission; 13] = [
    Omission::OneLock,
    Omission::OneKind,
    Omission::MadeAnewInOrder,
    Omission::NoneRobust,
    Omission::NotBothReaders,
    Omission::SectionsEnd,
    Omission::NoOverlap,
    Omission::UniqueCreator,
    Omission::LeftBehind,
    Omission::HandedOverInOrder,
    Omission::WithinElement,
    Omission::CounterKept,
    Omission::NotShared,
];

/// A program of the corpus, and whether it has a race.
struct Subject {
    name: String,
    program: Program,
    races: bool,
}

fn subjects() -> Vec<Subject> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/analysis");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let programs = paths.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "c"));
    programs.map(subject).collect()
}

fn subject(path: PathBuf) -> Subject {
    let source = std::fs::read_to_string(&path).unwrap();
    let races = source.lines().any(|line| line.starts_with("// expect:") && line.contains("race=unsafe"));
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let program =
        frontend::load(&[path], &frontend::Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    Subject { name, program, races }
}

/// The programs that are proven with one of these and not with the other.
fn told_apart(
    subjects: &[Subject],
    proven: impl Fn(&Program) -> bool,
    unproven: impl Fn(&Program) -> bool,
) -> Vec<&Subject> {
    subjects.iter().filter(|subject| proven(&subject.program) && !unproven(&subject.program)).collect()
}

fn is_proven(program: &Program) -> bool {
    analyse(program).is_ok_and(|found| found.pairs.is_empty())
}

fn is_proven_without(program: &Program, omission: Omission) -> bool {
    analyse_without(program, omission).is_ok_and(|found| found.pairs.is_empty())
}

#[test]
fn each_rule_and_each_condition_is_needed() {
    let subjects = subjects();
    let mut missing = Vec::new();
    for rule in RULES {
        let without = |program: &Program| is_proven_without(program, Omission::Rule(rule));
        if told_apart(&subjects, is_proven, without).is_empty() {
            missing.push(format!("every program is proven without the rule {rule}"));
        }
    }
    for condition in CONDITIONS {
        let without = |program: &Program| is_proven_without(program, condition);
        let wrong = told_apart(&subjects, without, is_proven);
        if !wrong.iter().any(|subject| subject.races) {
            let names: Vec<&str> = wrong.iter().map(|subject| subject.name.as_str()).collect();
            missing.push(format!("no program with a race is proven without {condition:?}, only {names:?}"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
