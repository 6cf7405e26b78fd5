//! The page of `--html` in a real browser: it loads, steps, shows the fault.

mod common;

use std::process::Command;

use common::{LOST_UPDATE, Run, Scratch, run};
use serde_json::Value;

/// Two threads that lose an update though they lock, with locals of their own.
const LOCKS: &str = include_str!("html/locks.c");

/// An execution of more than 10,000 steps.
const LONG: &str = "#include <assert.h>
#include <pthread.h>
int x;
void *add(void *unused) {
  for (int i = 0; i < 10000; i++) x++;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  pthread_join(t, 0);
  assert(x == 0);
  return 0;
}
";

struct Page {
    _scratch: Scratch,
    path: String,
    run: Run,
}

/// Checks a program and gives its page, prepared to be walked through.
fn page(source: &str, options: &[&str]) -> Page {
    page_of("a.c", source, options)
}

/// The same for a source file of another name.
fn page_of(name: &str, source: &str, options: &[&str]) -> Page {
    let scratch = Scratch::new();
    let (program, path) = (scratch.file(name, source.as_bytes()), scratch.path("out.html"));
    let run = run(&[&["check", &program, "--html", &path][..], options].concat());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let script = |text: &str| format!("<script>{text}</script>");
    let text = text.replacen("<title>", &format!("{}<title>", script(include_str!("html/errors.js"))), 1);
    let end = text.rfind("</body>").expect("the page has an end");
    let walked = format!("{}{}{}", &text[..end], script(include_str!("html/walk.js")), &text[end..]);
    std::fs::write(&path, walked).expect("it can be written");
    Page { _scratch: scratch, path, run }
}

impl Page {
    /// What the browser shows.
    fn seen(&self, flags: &[&str]) -> Value {
        const USUAL: [&str; 5] =
            ["--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"];
        let profile = Scratch::new();
        let output = Command::new("chromium")
            .args(USUAL)
            .args(flags)
            .arg(format!("--user-data-dir={}", profile.path("profile")))
            .arg(format!("file://{}", self.path))
            .output();
        let output = output.unwrap_or_else(|error| {
            panic!(
                "chromium cannot be run ({error}); `scripts/setup tests` installs it, and this test needs it"
            )
        });
        let dom = String::from_utf8_lossy(&output.stdout);
        let json = dom.rsplit_once("<pre id=\"seen\">").and_then(|(_, rest)| rest.split_once("</pre>"));
        let (json, _) = json.unwrap_or_else(|| {
            panic!("the walk did not end: {dom}\n{}", String::from_utf8_lossy(&output.stderr))
        });
        let json = json.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        let seen: Value = serde_json::from_str(&json).expect("it is JSON");
        assert_eq!(seen["problems"], Value::Array(Vec::new()), "{seen:#}");
        assert_eq!(seen["wide"], false, "the page is wider than its window: {seen:#}");
        seen
    }
}

fn has(value: &Value, part: &str) -> bool {
    value
        .as_array()
        .is_some_and(|all| all.iter().any(|each| each.as_str().unwrap_or_default().contains(part)))
}

#[test]
fn a_person_steps_through_an_execution() {
    let page = page(LOCKS, &["--property", "assert"]);
    assert_eq!(page.run.status, Some(1), "{:?}", page.run);
    let seen = page.seen(&["--window-size=1400,900"]);
    assert_eq!(seen["verdict"], "unsafe");
    assert_eq!(seen["message"], "assertion failed: x == 2");
    assert!(has(&seen["remarks"], "^^^^^^ in main"), "{seen:#}");
    for (moment, number) in [("home", 1), ("forth", 2), ("back", 1), ("clicked", 3)] {
        let position = seen[moment]["position"].as_str().unwrap_or_default();
        assert!(position.starts_with(&format!("step {number} of ")), "{moment}: {seen:#}");
    }
    for moment in ["start", "end"] {
        assert!(has(&seen[moment]["now"], "assertion failed: x == 2"), "{seen:#}");
        assert_eq!(seen[moment]["line"], serde_json::json!(["23"]), "{seen:#}");
        assert_eq!(seen[moment]["visible"], true, "{seen:#}");
        assert!(has(&seen[moment]["shared"], "x1T"), "x is 1 in the end, by a thread: {seen:#}");
    }
    assert!(has(&seen["home"]["threads"], "has not started"), "{seen:#}");
    assert!(seen["bars"].as_u64() > Some(0) && seen["arrows"].as_u64() > Some(0), "{seen:#}");
}

const VECTOR: &str = "#include <cassert>
#include <thread>
#include <vector>
std::vector<int> values;
int main() {
  std::thread filler([] { values.push_back(7); });
  filler.join();
  assert(values[0] == 8);
}
";

#[test]
fn what_a_library_does_for_one_call_is_one_step() {
    let seen = |options: &[&str]| {
        page_of("a.cpp", VECTOR, &[&["--property", "assert"], options].concat())
            .seen(&["--window-size=1400,900"])
    };
    let steps = |seen: &Value| -> u32 {
        let position = seen["end"]["position"].as_str().unwrap_or_default();
        position.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
    };
    let (folded, full) = (seen(&[]), seen(&["--full"]));
    assert!(0 < steps(&folded) && steps(&folded) + 5 < steps(&full), "{folded:#} {full:#}");
    // What the step stands for has happened all the same: the values are those of all steps.
    assert_eq!(folded["end"]["shared"], full["end"]["shared"]);
    assert!(folded["arrows"].as_u64() > Some(0), "{folded:#}");
}

#[test]
fn the_values_of_locals_are_shown() {
    let page = page(LOCKS, &["--property", "assert"]);
    let text = std::fs::read_to_string(&page.path).expect("the page is there");
    assert!(text.contains(r#"["old","0"]"#) && text.contains(r#""function":"add""#));
}

#[test]
fn both_accesses_of_a_race_are_named() {
    let page = page(LOST_UPDATE, &[]);
    let seen = page.seen(&["--window-size=1400,900"]);
    assert_eq!(seen["message"], "data race on x");
    assert_eq!(seen["labels"].as_array().map(Vec::len), Some(2), "{seen:#}");
    assert_eq!(seen["remarks"].as_array().map(Vec::len), Some(2), "{seen:#}");
}

/// Two threads that read many variables and then race, all in one long line.
fn long_line() -> String {
    let names: Vec<String> = (0..60).map(|number| format!("a{number}")).collect();
    format!(
        "#include <pthread.h>\nint {}, shared;\n\
         static void *add(void *p) {{ int sum = {} + shared; shared = sum; return p; }}\n\
         int main(void) {{\n  pthread_t s, t;\n  pthread_create(&s, 0, add, 0);\n  pthread_create(&t, 0, add, 0);\n\
         \x20 pthread_join(s, 0);\n  pthread_join(t, 0);\n  return 0;\n}}\n",
        names.join(", "),
        names.join(" + ")
    )
}

#[test]
fn what_a_fault_is_about_is_in_sight() {
    let seen = page(&long_line(), &["--property", "race"]).seen(&["--window-size=1400,900"]);
    let end = &seen["end"];
    assert_eq!(end["marked"], serde_json::json!(["shared"]), "the word in the long line: {seen:#}");
    assert!(has(&end["accessed"], "shared"), "the variable among many: {seen:#}");
    assert_eq!(end["beyond"], 0, "nothing to scroll to below the last step: {seen:#}");
    assert!(has(&seen["remarks"], "nothing orders the two"), "{seen:#}");
}

#[test]
fn narrow_and_dark_it_works_as_well() {
    let page = page(LOCKS, &["--property", "assert"]);
    let dark = page.seen(&["--window-size=500,900", "--blink-settings=preferredColorScheme=0"]);
    let light = page.seen(&["--window-size=500,900", "--blink-settings=preferredColorScheme=1"]);
    assert_ne!(dark["background"], light["background"]);
    assert!(has(&dark["end"]["now"], "assertion failed"), "{dark:#}");
}

#[test]
fn ten_thousand_steps_are_drawn_as_they_are_looked_at() {
    let page = page(LONG, &["--property", "assert", "--engine", "explicit"]);
    assert_eq!(page.run.status, Some(1), "{:?}", page.run);
    let seen = page.seen(&["--window-size=1400,900"]);
    let position = seen["end"]["position"].as_str().unwrap_or_default();
    let steps: u32 = position.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    assert!(steps > 10_000, "{position}");
    assert!(seen["end"]["drawn"].as_u64() < Some(100), "{seen:#}");
    assert_eq!(seen["end"]["visible"], true, "{seen:#}");
    assert!(seen["milliseconds"].as_f64() < Some(4000.0), "{seen:#}");
}

#[test]
fn what_is_safe_or_unknown_says_why() {
    let safe = page("int main(void) { return 0; }\n", &[]).seen(&[]);
    assert_eq!(safe["verdict"], "safe");
    assert!(has(&safe["details"], "What this rests on"), "{safe:#}");
    let unknown = page("int mystery(int);\nint main(void) {\n  return mystery(1);\n}\n", &[]).seen(&[]);
    assert_eq!(unknown["verdict"], "unknown");
    assert!(has(&unknown["snippets"], "executions are not followed beyond this"), "{unknown:#}");
}

const LOCKSTEP: &str = "extern int __VERIFIER_nondet_int(void);
#include <assert.h>
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, y = 0;
  for (int i = 0; i < n; i++) {
    x++;
    y++;
  }
  assert(x == y);
  if (x != y) y = x;
  return 0;
}
";

#[test]
fn a_proof_shows_its_invariants_and_what_is_never_executed() {
    let seen = page(LOCKSTEP, &["--engine", "impact", "--property", "assert"]).seen(&[]);
    assert_eq!(seen["verdict"], "safe");
    for title in ["Invariants", "What was executed"] {
        assert!(has(&seen["details"], title), "{title}: {seen:#}");
    }
}

#[test]
fn further_faults_are_listed() {
    let seen = page(LOST_UPDATE, &["--keep-going"]).seen(&[]);
    for title in ["Another fault", "Besides"] {
        assert!(has(&seen["details"], title), "{title}: {seen:#}");
    }
}

#[test]
fn nothing_in_the_source_gets_out_of_its_place() {
    let source =
        LOST_UPDATE.replace("int x;", "int x; // </script><script>window.problems.push('out')</script>");
    let seen = page(&source, &[]).seen(&[]);
    assert_eq!(seen["verdict"], "unsafe");
}
