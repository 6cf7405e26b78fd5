//! Witnesses for other tools: both formats, for violations and proofs.

mod common;
#[path = "witness/schema.rs"]
mod schema;

use common::{LOST_UPDATE, Run, Scratch, run};
use yaml_rust2::{Yaml, YamlLoader};

const INPUT: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 42) reach_error();
  return 0;
}
";

const RACE: &str = "CHECK( init(main()), LTL(G ! data-race) )\n";
const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

/// Checks a program and gives the witness, if there is one.
fn witness(name: &str, source: &str, spec: &str) -> (Run, Option<String>) {
    let scratch = Scratch::new();
    let (program, out) = (scratch.file("a.c", source.as_bytes()), scratch.path(name));
    let spec = scratch.file("a.prp", spec.as_bytes());
    let run = run(&["check", &program, "--spec", &spec, "--witness", &out]);
    (run, std::fs::read_to_string(&out).ok())
}

fn yaml(source: &str, spec: &str) -> Yaml {
    let (run, text) = witness("out.yml", source, spec);
    let text = text.unwrap_or_else(|| panic!("no witness: {run:?}"));
    let mut documents = YamlLoader::load_from_str(&text).expect("it is YAML");
    let document = documents.remove(0);
    schema::check(&document);
    document[0].clone()
}

fn waypoints(segment: &Yaml) -> Vec<&Yaml> {
    segment["segment"].as_vec().expect("there are waypoints").iter().map(|each| &each["waypoint"]).collect()
}

#[test]
fn a_race_ends_with_both_accesses() {
    let entry = yaml(LOST_UPDATE, RACE);
    assert_eq!(entry["entry_type"].as_str(), Some("violation_sequence"));
    let metadata = &entry["metadata"];
    assert_eq!(metadata["format_version"].as_str(), Some("2.2"));
    assert_eq!(metadata["uuid"].as_str().map(str::len), Some(36));
    let task = &metadata["task"];
    assert_eq!(task["specification"].as_str(), Some(RACE.trim()));
    assert_eq!((task["data_model"].as_str(), task["language"].as_str()), (Some("LP64"), Some("C")));
    let file = task["input_files"][0].as_str().expect("it has a name");
    assert_eq!(task["input_file_hashes"][file].as_str().map(str::len), Some(64));
    let segments = entry["content"].as_vec().expect("there are segments");
    let (last, before) = segments.split_last().expect("there is one");
    let creates = waypoints(&before[0])[0];
    assert_eq!((creates["type"].as_str(), creates["thread_id"].as_i64()), (Some("function_enter"), Some(0)));
    assert_eq!(creates["location"]["line"].as_i64(), Some(10));
    let mut targets: Vec<(Option<i64>, Option<i64>)> = waypoints(last)
        .iter()
        .map(|each| (each["thread_id"].as_i64(), each["location"]["line"].as_i64()))
        .collect();
    targets.sort();
    assert_eq!(targets, [(Some(0), Some(11)), (Some(1), Some(5))]);
    assert!(waypoints(last).iter().all(|each| each["type"].as_str() == Some("target")));
    let is_passed = |(thread, line): &(Option<i64>, Option<i64>)| {
        before.iter().flat_map(waypoints).any(|each| {
            let at = (each["thread_id"].as_i64(), each["location"]["line"].as_i64());
            each["type"].as_str() == Some("assumption") && at == (*thread, *line)
        })
    };
    assert!(!targets.iter().any(is_passed), "the statement of a target is not passed before: {before:?}");
}

#[test]
fn inputs_are_told() {
    let entry = yaml(INPUT, REACH);
    assert_eq!(entry["metadata"]["format_version"].as_str(), Some("2.0"));
    let input = waypoints(&entry["content"][0])[0];
    assert_eq!(input["type"].as_str(), Some("function_return"));
    assert_eq!(input["constraint"]["value"].as_str(), Some("\\result == 42"));
    assert_eq!(input["location"]["line"].as_i64(), Some(4));
    let target = waypoints(&entry["content"][1])[0];
    assert_eq!((target["type"].as_str(), target["location"]["line"].as_i64()), (Some("target"), Some(5)));
    assert!(target["thread_id"].is_badvalue());
}

#[test]
fn a_proof_is_a_set_of_invariants() {
    let entry = yaml("int main(void) { return 0; }\n", REACH);
    assert_eq!(entry["entry_type"].as_str(), Some("invariant_set"));
    assert_eq!(entry["content"].as_vec().map(Vec::len), Some(0));
}

/// Loops before there are other threads, beside others, and after them; and names
/// that mean something else in a function.
const LOOPS: &str = "#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, limit = 10, hidden = 3;
static unsigned char phase;
static struct { int used; unsigned bits : 3; int items[2]; } pool;
static void *work(void *arg) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    if (count < limit) count++;
    pool.used = count;
    pool.items[1] = 7;
    pool.bits = 2;
    phase = 1;
    hidden = 4;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  int rounds = 0, hidden = 50;
  while (rounds < 2) rounds++;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  do {
    limit--;
  } while (limit > 5);
  for (int i = 0; i < count; i++)
    hidden--;
  assert(count <= 10 && hidden > 0);
}
";

#[test]
fn a_proof_tells_what_holds_at_loops() {
    let scratch = Scratch::new();
    let (program, out) = (scratch.file("a.c", LOOPS.as_bytes()), scratch.path("out.yml"));
    let run = run(&["check", &program, "--property", "assert", "--witness", &out]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let text = std::fs::read_to_string(&out).expect("there is a witness");
    let mut documents = YamlLoader::load_from_str(&text).expect("it is YAML");
    let document = documents.remove(0);
    schema::check(&document);
    let entries = document[0]["content"].as_vec().expect("there are invariants").clone();
    let told: Vec<(i64, String)> = entries
        .iter()
        .map(|entry| {
            let invariant = &entry["invariant"];
            let value = invariant["value"].as_str().expect("an expression").to_owned();
            (invariant["location"]["line"].as_i64().expect("a line"), value)
        })
        .collect();
    let at = |line: i64| told.iter().find(|(other, _)| *other == line).map(|(_, value)| value.as_str());
    let begun = "limit == 10 && count == 0 && pool.used == 0 && pool.items[1] == 0 && phase == 0";
    assert_eq!(at(23), Some(begun), "before there are other threads");
    let beside = at(8).expect("something is known beside others");
    for part in ["count >= 0 && count <= 10", "limit == 10", "hidden >= 3 && hidden <= 4", "phase <= 1"] {
        assert!(beside.contains(part), "{part} is not in {beside}");
    }
    assert!(at(31).is_some_and(|value| !value.contains("hidden")), "another variable is meant: {told:?}");
    assert_eq!((at(28), at(29), at(30)), (None, None, None), "a loop that ends with its condition: {told:?}");
}

#[test]
fn graphml_is_a_path_to_the_violation() {
    let (run, text) = witness("out.graphml", LOST_UPDATE, RACE);
    let text = text.unwrap_or_else(|| panic!("no witness: {run:?}"));
    let has = |part: &str| assert!(text.contains(part), "{part} is not in {text}");
    has("<data key=\"witness-type\">violation_witness</data>");
    has("<data key=\"createThread\">1</data>");
    has("<data key=\"enterFunction\">add</data>");
    has("<data key=\"violation\">true</data>");
    let count = |part: &str| text.matches(part).count();
    assert_eq!(count("<node "), count("<edge ") + 1);
    assert_eq!((count("<data"), count("<edge ")), (count("</data>"), count("</edge>")));
}

#[test]
fn what_is_unknown_has_no_witness() {
    let (run, text) = witness("out.yml", "int mystery(int);\nint main(void) { return mystery(1); }\n", REACH);
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(text.is_none() && run.stderr.contains("no witness"), "{run:?}");
}
