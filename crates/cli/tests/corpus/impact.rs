//! The engine `impact` on a program of the corpus.

use std::time::Duration;

use engine::{Bounds, Budget, Engine, Progress, Task, Verdict};
use impact::Impact;
use machine::{Machine, Property};

use crate::header::Expect;
use crate::program::Subject;
use crate::verify;

/// What takes longer is left to the other engines, if they can do it.
const TIME_LIMIT: Duration = Duration::from_millis(700);
const ALONE_TIME_LIMIT: Duration = Duration::from_secs(60);

/// The verdict is the expected one. Only where other engines give it too may
/// this one answer that it does not know.
pub fn verdict(subject: &Subject, machine: &Machine, expect: &Expect, alone: bool) -> Option<String> {
    let engine = Impact::default();
    let decides =
        Property::from_name(&expect.property).is_some_and(|property| engine.decides().has(property));
    if !decides || subject.args.depth.is_some() {
        return None;
    }
    let limit = if alone { ALONE_TIME_LIMIT } else { TIME_LIMIT };
    let budget = Budget::unlimited().with_timeout(Some(limit)).with_memory_limit(Some(6 << 30));
    let (bounds, progress) = (Bounds::default(), Progress::default());
    let outcome = engine.check(&Task { machine, budget: &budget, bounds, progress: &progress });
    if !alone && matches!(outcome.verdict, Verdict::Unknown { .. }) {
        return None;
    }
    let error = verify::outcome(subject, machine, expect, &outcome).err();
    error.map(|error| format!("impact: {error}"))
}

/// The verdicts of this engine alone.
pub fn all(subject: &Subject, expects: &[Expect], unbounded: bool) -> Vec<String> {
    let verdict = |expect: &Expect| {
        let machine = subject.machine(crate::program::properties(&expect.property)).ok()?;
        verdict(subject, &machine, expect, unbounded)
    };
    expects.iter().filter_map(verdict).collect()
}
