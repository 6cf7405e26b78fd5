//! The engine `bounded` on a program of the corpus.

use std::time::Duration;

use engine::{Bounds, Budget, Progress, Task, Verdict};
use machine::Machine;

use crate::header::Expect;
use crate::program::Subject;
use crate::verify;

/// What takes longer is left to the other engines, if they can do it.
const TIME_LIMIT: Duration = Duration::from_secs(4);
const ALONE_TIME_LIMIT: Duration = Duration::from_secs(60);

/// The verdict is the expected one. Only where other engines give it too may
/// this one answer that it does not know.
pub fn verdict(subject: &Subject, machine: &Machine, expect: &Expect, alone: bool) -> Option<String> {
    let limit = if alone { ALONE_TIME_LIMIT } else { TIME_LIMIT };
    let budget = Budget::unlimited().with_timeout(Some(limit)).with_memory_limit(Some(6 << 30));
    let bounds = Bounds { depth: subject.args.depth, ..Bounds::default() };
    let task = Task { machine, budget: &budget, bounds, progress: &Progress::default() };
    let outcome = bounded::check(&task, &bounded::Options::default());
    if !alone && matches!(outcome.verdict, Verdict::Unknown { .. }) {
        return None;
    }
    let error = verify::outcome(subject, machine, expect, &outcome).err();
    error.map(|error| format!("bounded: {error}"))
}
