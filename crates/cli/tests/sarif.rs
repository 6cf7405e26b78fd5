//! SARIF files: valid against the official schema, with the interleaving as
//! code flows.

mod common;
#[path = "common/schema.rs"]
mod schema;

use std::path::PathBuf;
use std::process::Command;

use common::{DEADLOCK, LOST_UPDATE, Scratch, run};
use serde_json::Value;

/// Checks a program and gives the status and the file.
fn sarif(name: &str, source: &str, options: &[&str]) -> (Option<i32>, Value) {
    let scratch = Scratch::new();
    let (program, out) = (scratch.file(name, source.as_bytes()), scratch.path("out.sarif"));
    let run = run(&[&["check", &program, "--sarif", &out][..], options].concat());
    let text = std::fs::read_to_string(&out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let file = serde_json::from_str(&text).expect("it is JSON");
    assert_valid(&file);
    (run.status, file)
}

/// The official schema is no part of this repository: a crate that the tests
/// depend on brings it.
fn schema() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // What other platforms need may never have been fetched.
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let options = ["metadata", "--format-version", "1", "--offline", "--filter-platform", &platform];
    let output = Command::new(cargo).args(options).output();
    let metadata: Value = serde_json::from_slice(&output.expect("cargo runs").stdout).expect("it is JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let brings =
        packages.iter().find(|package| package["name"] == "serde-sarif").expect("it is a dependency");
    let manifest = PathBuf::from(brings["manifest_path"].as_str().expect("it has a manifest"));
    manifest.with_file_name("src").join("schema.json")
}

fn assert_valid(file: &Value) {
    let schema = std::fs::read_to_string(schema()).expect("the schema is there");
    schema::assert_valid(file, &serde_json::from_str(&schema).expect("the schema is JSON"));
    serde_json::from_value::<serde_sarif::sarif::Sarif>(file.clone()).expect("others can read it");
}

#[test]
fn a_race_has_both_accesses_and_a_flow_for_each_thread() {
    let (status, file) = sarif("lost update.c", LOST_UPDATE, &[]);
    assert_eq!(status, Some(1));
    let run = &file["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "race");
    let rule = result["ruleIndex"].as_u64().expect("it is a number") as usize;
    assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], "race");
    let line = |location: &Value| location["physicalLocation"]["region"]["startLine"].as_u64();
    let (own, other) = (line(&result["locations"][0]), line(&result["relatedLocations"][0]));
    assert!([(Some(5), Some(11)), (Some(11), Some(5))].contains(&(own, other)), "{result:#}");
    let flows = result["codeFlows"][0]["threadFlows"].as_array().expect("there are flows");
    let threads: Vec<&str> = flows.iter().filter_map(|flow| flow["id"].as_str()).collect();
    assert_eq!(threads, ["main", "T1"]);
    let steps = flows.iter().flat_map(|flow| flow["locations"].as_array().expect("there are steps"));
    let mut order: Vec<u64> = steps.filter_map(|step| step["executionOrder"].as_u64()).collect();
    order.sort();
    assert_eq!(order, (1..=order.len() as u64).collect::<Vec<_>>());
    let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str();
    assert!(uri.is_some_and(|uri| uri.ends_with("lost%20update.c")), "{result:#}");
}

#[test]
fn a_deadlock_has_every_wait() {
    let (status, file) = sarif("a.c", DEADLOCK, &["--property", "deadlock"]);
    assert_eq!(status, Some(1));
    let result = &file["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "deadlock");
    assert_eq!(result["relatedLocations"].as_array().map(Vec::len), Some(1), "{result:#}");
}

#[test]
fn what_is_safe_or_unknown_has_no_results_but_says_so() {
    let safe = "int main(void) { return 0; }\n";
    let unknown = "int mystery(int);\nint main(void) { return mystery(1); }\n";
    for (source, verdict, status) in [(safe, "safe", 0), (unknown, "unknown", 2)] {
        let (found, file) = sarif("a.c", source, &[]);
        assert_eq!(found, Some(status));
        let run = &file["runs"][0];
        assert_eq!(run["results"].as_array().map(Vec::len), Some(0));
        let notifications = &run["invocations"][0]["toolExecutionNotifications"];
        let said = notifications[0]["message"]["text"].as_str().unwrap_or_default();
        assert!(said.starts_with(verdict), "{said}");
        let cuts = notifications.as_array().expect("it is a list").iter();
        let cuts = cuts.filter(|each| each["descriptor"]["id"] == "cut").count();
        assert_eq!(cuts, usize::from(verdict == "unknown"), "{notifications:#}");
    }
}

#[test]
fn columns_count_characters() {
    let source = LOST_UPDATE.replace("  x++;\n  return", "  /* é */ x++;\n  return");
    let (_, file) = sarif("a.c", &source, &[]);
    let text = file.to_string();
    assert!(text.contains(r#""startColumn":12"#) && !text.contains(r#""startColumn":13"#), "{file:#}");
}
