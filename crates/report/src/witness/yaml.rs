//! Witnesses in format 2, in YAML. Texts are written as JSON strings, which are
//! YAML as well.
//!
//! Columns are left out: a waypoint without one is at the leftmost position of
//! its line that suits, while the compiler's positions may lie inside a
//! statement.

use std::fmt::Write;

use ir::Location;

use super::path::{Threads, Waypoint, What, leave_to_targets, targets, waypoints};
use super::{LoopInvariant, Task};
use crate::view::{View, Violation};

/// The witness of a verdict that is known.
pub fn yaml(view: &View<'_>, task: &Task, specification: &str, invariants: &[LoopInvariant]) -> String {
    match view.violation() {
        None => head("invariant_set", "2.0", task, specification) + &invariant_set(invariants),
        Some(violation) => violated(violation, task, specification),
    }
}

fn invariant_set(invariants: &[LoopInvariant]) -> String {
    if invariants.is_empty() {
        return "  content: []\n".to_owned();
    }
    let mut out = "  content:\n".to_owned();
    for LoopInvariant { at, value } in invariants {
        out.push_str("  - invariant:\n      type: loop_invariant\n");
        write_location(&mut out, at, 6);
        let _ = writeln!(out, "      value: {}\n      format: c_expression", quoted(value));
    }
    out
}

fn write_location(out: &mut String, at: &Location, indent: usize) {
    let Location { file, line, function, .. } = at;
    let (file, function) = (quoted(file), quoted(function));
    let _ = writeln!(out, "{:indent$}location:", "");
    for field in [format!("file_name: {file}"), format!("line: {line}"), format!("function: {function}")] {
        let _ = writeln!(out, "{:indent$}  {field}", "");
    }
}

fn violated(violation: &Violation<'_>, task: &Task, specification: &str) -> String {
    let none = Default::default();
    let told = violation.interleaving.unwrap_or(&none);
    let threads = Threads::of(told);
    let concurrent = threads.are_several();
    let version = if concurrent { "2.2" } else { "2.0" };
    // Since format 2.1 expressions with `\result` have a name of their own.
    let result_format = if concurrent { "ext_c_expression" } else { "acsl_expression" };
    let mut out = head("violation_sequence", version, task, specification) + "  content:\n";
    let targets = targets(violation);
    let mut passed = waypoints(told, &threads);
    leave_to_targets(&mut passed, &targets, &threads);
    for waypoint in passed {
        out.push_str("  - segment:\n");
        let (kind, constraint) = match waypoint.what {
            What::Reached => ("assumption", Some(("1".to_owned(), "c_expression"))),
            What::Creates => ("function_enter", None),
            What::Input(value) => ("function_return", Some((format!("\\result == {value}"), result_format))),
        };
        write_waypoint(&mut out, kind, &waypoint, constraint, concurrent);
    }
    out.push_str("  - segment:\n");
    for (at, thread) in targets {
        let waypoint = Waypoint { what: What::Reached, at, thread: threads.number(thread) };
        write_waypoint(&mut out, "target", &waypoint, None, concurrent);
    }
    out
}

fn write_waypoint(
    out: &mut String,
    kind: &str,
    waypoint: &Waypoint<'_>,
    constraint: Option<(String, &str)>,
    concurrent: bool,
) {
    let _ = writeln!(out, "    - waypoint:\n        type: {kind}\n        action: follow");
    if concurrent {
        let _ = writeln!(out, "        thread_id: {}", waypoint.thread);
    }
    if let Some((value, format)) = constraint {
        let _ = writeln!(
            out,
            "        constraint:\n          format: {format}\n          value: {}",
            quoted(&value)
        );
    }
    write_location(out, waypoint.at, 8);
}

/// All but the content.
fn head(entry_type: &str, version: &str, task: &Task, specification: &str) -> String {
    let mut out = format!("- entry_type: {entry_type}\n  metadata:\n    format_version: \"{version}\"\n");
    let seed = format!("{}{}{specification}{:?}", task.time, task.command, task.files);
    let _ = writeln!(out, "    uuid: {}", uuid(&seed));
    let _ = writeln!(out, "    creation_time: {}", quoted(&task.time));
    let _ = writeln!(out, "    producer:\n      name: threadproof");
    let _ = writeln!(out, "      version: {}", quoted(env!("CARGO_PKG_VERSION")));
    let _ = writeln!(out, "      command_line: {}", quoted(&task.command));
    out.push_str("    task:\n      input_files:\n");
    for (file, _) in &task.files {
        let _ = writeln!(out, "      - {}", quoted(file));
    }
    out.push_str("      input_file_hashes:\n");
    for (file, hash) in &task.files {
        let _ = writeln!(out, "        {}: {}", quoted(file), quoted(hash));
    }
    let model = if task.is_32_bit { "ILP32" } else { "LP64" };
    let _ = writeln!(out, "      specification: {}", quoted(specification));
    let _ = writeln!(out, "      data_model: {model}\n      language: C");
    out
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

/// An identifier in the form of a random one (RFC 4122), from the contents.
fn uuid(seed: &str) -> String {
    let hash = trace::content_hash(seed.as_bytes());
    format!("{}-{}-4{}-a{}-{}", &hash[..8], &hash[8..12], &hash[13..16], &hash[17..20], &hash[20..32])
}
