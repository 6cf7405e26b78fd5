//! Forces counterexamples on the native program.
//!
//! A fault with an effect of its own (a failed assertion, a deadlock, a crash)
//! must show; where the native run departs from the trace it must say where, and why.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

use ::native::{Outcome, has_effect};
use engine::Verdict;
use machine::{Fault, Grain, Property};
use threadproof::{Failure, follow, load_linked};
use trace::Trace;

use crate::header::Header;
use crate::program::{Subject, properties};

/// What came of how many counterexamples.
static COUNTS: Mutex<BTreeMap<&str, u32>> = Mutex::new(BTreeMap::new());

/// Whether this is asked for instead of the usual tests.
pub fn is_asked() -> bool {
    std::env::var_os("NATIVE").is_some()
}

/// Replays the first counterexample for each property natively.
pub fn all(subject: &Subject, path: &Path, header: &Header) -> Vec<String> {
    let unsafe_ones = header.enumerated().filter(|e| e.verdict == "unsafe");
    let livelock = Property::Livelock.name();
    unsafe_ones
        .filter(|expect| expect.property != livelock)
        .filter_map(|expect| {
            let machine = subject.machine(properties(&expect.property)).ok()?;
            let outcome = subject.search(&machine, Grain::Visible);
            let Verdict::Violated { fault, trace } = outcome.verdict else { return None };
            let config = machine.config().clone();
            let wide = subject.program.pointer_width == 64;
            told(path, wide, &fault, one(subject, config, &fault, &trace))
        })
        .collect()
}

fn one(subject: &Subject, config: machine::Config, fault: &Fault, trace: &Trace) -> Result<Outcome, Failure> {
    let linked = load_linked(&subject.args.input)?;
    Ok(follow(&linked, &subject.args.input, config, trace, fault)?.run()?)
}

/// Counts the outcome. It is an error if there is none.
fn told(path: &Path, wide: bool, fault: &Fault, outcome: Result<Outcome, Failure>) -> Option<String> {
    let effect = has_effect(&fault.kind);
    let (class, text) = match &outcome {
        Ok(Outcome::Reproduced(effect)) => ("reproduced", effect.clone()),
        Ok(Outcome::WithoutEffect(why)) if effect => ("followed, no effect", why.clone()),
        Ok(Outcome::WithoutEffect(why)) => ("followed, the fault has no effect of its own", why.clone()),
        Ok(Outcome::Departed(departure)) => ("departed", departure.to_string()),
        Err(Failure::Input(error) | Failure::Internal(error)) => ("not built", format!("{error:#}")),
    };
    *COUNTS.lock().expect("no test panics here").entry(class).or_default() += 1;
    note(&format!("{class}\t{}\t{}\t{text}\n", path.display(), fault.kind.name()));
    let is_named = !matches!(&outcome, Ok(Outcome::Departed(departure)) if departure.caveats.is_empty());
    // Libraries for 32 bits are not everywhere.
    (!is_named || class == "not built" && wide).then_some(text)
}

fn note(line: &str) {
    let Some(path) = std::env::var_os("NATIVE").filter(|path| path != "1") else { return };
    let file = std::fs::File::options().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the file can be written");
}

/// How many counterexamples reproduce.
pub fn summary() -> String {
    let counts = COUNTS.lock().expect("no test panics here");
    let all: u32 = counts.values().sum();
    let each = counts.iter().map(|(class, count)| format!("  {class}: {count}\n"));
    format!("native replay of {all} counterexamples:\n{}", each.collect::<String>())
}
