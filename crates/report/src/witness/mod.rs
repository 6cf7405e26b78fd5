//! Witnesses in the formats of the software verification competition: what
//! other tools need to find the violation again, or to check a proof.
//!
//! [`yaml`] is the format 2: a violation is a sequence of *waypoints*, each of
//! which the execution passes after the one before, whichever thread passes it.
//! A proof is a set of invariants of loops. [`graphml`] is the format 1.0: an
//! automaton, here a path with one edge per line of the interleaving; a proof has
//! no invariants there.

mod graphml;
mod path;
mod yaml;

use ir::Location;

use crate::view::{Answer, View};

/// What a witness says of the task and of how it came about.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program's files, each with its SHA-256.
    pub files: Vec<(String, String)>,
    /// What was to be shown, in the competition's words, if the user gave it.
    pub specification: Option<String>,
    /// Whether pointers have 32 bits.
    pub is_32_bit: bool,
    /// The time of day (ISO 8601).
    pub time: String,
    /// The command line.
    pub command: String,
}

/// What holds whenever a thread comes to a loop's condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// The statement of the loop.
    pub at: Location,
    /// The condition, as a C expression.
    pub value: String,
}

/// A form of witnesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The format 2, in YAML.
    Yaml,
    /// The format 1.0, in GraphML.
    GraphMl,
}

/// The witness of a verdict, with the invariants of a proof; there is none if the
/// verdict is unknown.
pub fn witness(view: &View<'_>, task: &Task, invariants: &[LoopInvariant], form: Form) -> Option<String> {
    if let Answer::Unknown { .. } = view.answer {
        return None;
    }
    let specification = task.specification.clone().unwrap_or_else(|| specification(view));
    Some(match form {
        Form::Yaml => yaml::yaml(view, task, &specification, invariants),
        Form::GraphMl => graphml::graphml(view, task, &specification),
    })
}

/// The property that is violated, or all that hold, in the competition's words.
fn specification(view: &View<'_>) -> String {
    let violated = view.violation().map(|violation| violation.finding.property);
    let names = view.properties.iter().copied().filter(|name| violated.is_none_or(|own| own == *name));
    let lines = names.flat_map(formulas).map(|formula| format!("CHECK( init(main()), LTL(G {formula}) )"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The competition knows some of the properties; the others keep their names.
fn formulas(property: &str) -> Vec<String> {
    let known: &[&str] = match property {
        "assert" => &["! call(reach_error())"],
        "race" => &["! data-race"],
        "memory" => &["valid-free", "valid-deref"],
        "leak" => &["valid-memtrack"],
        "cleanup" => &["valid-memcleanup"],
        "overflow" => &["! overflow"],
        other => return vec![format!("! {other}")],
    };
    known.iter().map(|formula| (*formula).to_owned()).collect()
}
