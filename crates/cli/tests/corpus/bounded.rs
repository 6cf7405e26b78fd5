//! The engine `bounded` on a program of the corpus.

use std::time::Duration;

use engine::{Bounds, Budget, Progress, Task, Verdict};
use machine::Machine;

use crate::header::{Expect, Header};
use crate::program::Subject;
use crate::verify;

/// What takes longer is left to the other engines, if they can do it.
const TIME_LIMIT: Duration = Duration::from_secs(4);
const ALONE_TIME_LIMIT: Duration = Duration::from_secs(60);

/// Where inputs bound the loops, this engine never comes to an end; what it finds, it finds soon.
const WITHOUT_END_TIME_LIMIT: Duration = Duration::from_secs(1);

/// How much is left to this engine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// No other engine gives the verdict.
    Alone,
    /// Others give it, too.
    BesideOthers,
    /// Others give it, and loops are bounded by inputs.
    WithoutEnd,
}

impl Part {
    /// What a header says of it.
    pub fn of(header: &Header) -> Part {
        match header {
            Header { too_many_inputs: true, .. } => Part::Alone,
            Header { unbounded: true, .. } => Part::WithoutEnd,
            _ => Part::BesideOthers,
        }
    }

    fn limit(self) -> Duration {
        match self {
            Part::Alone => ALONE_TIME_LIMIT,
            Part::BesideOthers => TIME_LIMIT,
            Part::WithoutEnd => WITHOUT_END_TIME_LIMIT,
        }
    }
}

/// The verdict is the expected one. Only where other engines give it too may
/// this one answer that it does not know.
pub fn verdict(subject: &Subject, machine: &Machine, expect: &Expect, part: Part) -> Option<String> {
    let budget = Budget::unlimited().with_timeout(Some(part.limit())).with_memory_limit(Some(6 << 30));
    let bounds = Bounds { depth: subject.args.depth, ..Bounds::default() };
    let task = Task { machine, budget: &budget, bounds, progress: &Progress::default() };
    let outcome = bounded::check(&task, &bounded::Options::default());
    if part != Part::Alone && matches!(outcome.verdict, Verdict::Unknown { .. }) {
        return None;
    }
    let error = verify::outcome(subject, machine, expect, &outcome).err();
    error.map(|error| format!("bounded: {error}"))
}
