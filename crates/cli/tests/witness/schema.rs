//! What format 2 demands of a witness: which fields there are, and of what kind.

use yaml_rust2::Yaml;

/// Demands that a document is a witness.
pub fn check(document: &Yaml) {
    let entries = document.as_vec().expect("a witness is a list of entries");
    assert_eq!(entries.len(), 1);
    let entry = &entries[0];
    fields(entry, &["entry_type", "metadata", "content"], &[]);
    let version = metadata(&entry["metadata"]);
    let content = entry["content"].as_vec().expect("the content is a list");
    match text(&entry["entry_type"]) {
        "invariant_set" => content.iter().for_each(invariant),
        "violation_sequence" => violation(content, version),
        other => panic!("there is no entry of type {other}"),
    }
}

/// Demands that a mapping has some fields, and no others but those that it may have.
fn fields(mapping: &Yaml, required: &[&str], optional: &[&str]) {
    let names: Vec<&str> = mapping.as_hash().expect("a mapping").keys().map(text).collect();
    for name in required {
        assert!(names.contains(name), "{name} is missing in {names:?}");
    }
    for name in names {
        assert!(required.contains(&name) || optional.contains(&name), "{name} is not known");
    }
}

fn text(value: &Yaml) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value:?} is no text"))
}

fn one_of(value: &Yaml, allowed: &[&str]) {
    assert!(allowed.contains(&text(value)), "{value:?} is none of {allowed:?}");
}

fn metadata(metadata: &Yaml) -> &str {
    fields(metadata, &["format_version", "uuid", "creation_time", "producer", "task"], &[]);
    one_of(&metadata["format_version"], &["2.0", "2.2"]);
    let groups: Vec<usize> = text(&metadata["uuid"]).split('-').map(str::len).collect();
    assert_eq!(groups, [8, 4, 4, 4, 12]);
    let time = text(&metadata["creation_time"]);
    assert!(time.len() == 20 && time.as_bytes()[10] == b'T' && time.ends_with('Z'), "{time}");
    fields(&metadata["producer"], &["name", "version"], &["configuration", "description", "command_line"]);
    let task = &metadata["task"];
    let of_task = ["input_files", "input_file_hashes", "specification", "data_model", "language"];
    fields(task, &of_task, &[]);
    let files: Vec<&str> = task["input_files"].as_vec().expect("a list").iter().map(text).collect();
    let hashes = task["input_file_hashes"].as_hash().expect("a mapping");
    let named: Vec<&str> = hashes.keys().map(text).collect();
    assert_eq!(files, named);
    let is_hash = |hash: &Yaml| text(hash).len() == 64 && text(hash).chars().all(|c| c.is_ascii_hexdigit());
    assert!(hashes.values().all(is_hash), "{hashes:?}");
    one_of(&task["data_model"], &["ILP32", "LP64"]);
    one_of(&task["language"], &["C"]);
    text(&metadata["format_version"])
}

fn invariant(entry: &Yaml) {
    fields(entry, &["invariant"], &[]);
    let invariant = &entry["invariant"];
    fields(invariant, &["type", "location", "value", "format"], &[]);
    one_of(&invariant["type"], &["loop_invariant", "location_invariant"]);
    one_of(&invariant["format"], &["c_expression"]);
    assert!(!text(&invariant["value"]).is_empty());
    location(&invariant["location"]);
}

fn location(location: &Yaml) {
    fields(location, &["file_name", "line"], &["column", "function"]);
    assert!(location["line"].as_i64().is_some_and(|line| line > 0), "{location:?}");
    text(&location["file_name"]);
}

/// The last segment has the target, the others do not.
fn violation(segments: &[Yaml], version: &str) {
    assert!(!segments.is_empty());
    for (number, segment) in segments.iter().enumerate() {
        fields(segment, &["segment"], &[]);
        let waypoints = segment["segment"].as_vec().expect("a list of waypoints");
        assert!(!waypoints.is_empty());
        let is_last = number + 1 == segments.len();
        waypoints.iter().for_each(|each| waypoint(each, version, is_last));
    }
}

fn waypoint(entry: &Yaml, version: &str, is_last: bool) {
    fields(entry, &["waypoint"], &[]);
    let waypoint = &entry["waypoint"];
    let thread: &[&str] = if version == "2.2" { &["thread_id"] } else { &[] };
    let required = [&["type", "action", "location"], thread].concat();
    fields(waypoint, &required, &["constraint"]);
    one_of(&waypoint["type"], &["assumption", "function_enter", "function_return", "target"]);
    one_of(&waypoint["action"], &["follow"]);
    let kind = text(&waypoint["type"]);
    assert_eq!(kind == "target", is_last, "{waypoint:?}");
    let constraint = &waypoint["constraint"];
    assert_eq!(constraint.is_badvalue(), matches!(kind, "target" | "function_enter"), "{waypoint:?}");
    if !constraint.is_badvalue() {
        fields(constraint, &["value", "format"], &[]);
        let result = if version == "2.0" { "acsl_expression" } else { "ext_c_expression" };
        let format = if kind == "function_return" { result } else { "c_expression" };
        one_of(&constraint["format"], &[format]);
    }
    location(&waypoint["location"]);
}
