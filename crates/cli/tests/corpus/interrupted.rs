//! Searches that are interrupted end as if nothing had happened.

use std::io::{self, Cursor, Read, Write};
use std::sync::Mutex;

use engine::counters::{FINAL_STATES, STATES, TRANSITIONS};
use engine::{Bounds, Budget, Checkpoints, Outcome, Progress, Task, Verdict};
use explicit::{Options, Outside};
use machine::Machine;
use trace::Trace;

use crate::explicit::first;
use crate::program::{Subject, TIME_LIMIT};

/// A checkpoint after every bucket takes long in larger searches.
const MOST_STATES: u64 = 2000;

/// The last checkpoint, and the one to go on from.
#[derive(Default)]
struct Kept {
    last: Mutex<Option<Vec<u8>>>,
    resumed: Mutex<Option<Vec<u8>>>,
}

impl Checkpoints for Kept {
    fn is_due(&self) -> bool {
        true
    }

    fn save(&self, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let mut bytes = Vec::new();
        content(&mut bytes).unwrap();
        *self.last.lock().unwrap() = Some(bytes);
    }

    fn resume(&self) -> Option<Box<dyn Read>> {
        let bytes = self.resumed.lock().unwrap().take()?;
        Some(Box::new(Cursor::new(bytes)))
    }
}

/// What must not depend on the interruption.
fn essence(outcome: &Outcome) -> (Option<&Trace>, bool, [Option<u64>; 3]) {
    let trace = match &outcome.verdict {
        Verdict::Violated { trace, .. } => Some(trace),
        _ => None,
    };
    let counts = [STATES, TRANSITIONS, FINAL_STATES].map(|counter| outcome.stats.count(counter));
    (trace, matches!(outcome.verdict, Verdict::Holds { .. }), counts)
}

/// A search that is interrupted when half of the states were found, by one thread, and
/// goes on with two.
pub fn difference(subject: &Subject, machine: &Machine) -> Option<String> {
    let whole = first(subject, machine);
    let states = whole.stats.count(STATES).filter(|states| *states <= MOST_STATES)?;
    let kept = Kept::default();
    search(subject, machine, &kept, 1, Some(states / 2));
    let last = kept.last.lock().unwrap().take()?;
    let kept = Kept { resumed: Mutex::new(Some(last)), ..Kept::default() };
    let resumed = search(subject, machine, &kept, 2, None);
    let (found, expected) = (essence(&resumed), essence(&whole));
    (found != expected).then(|| format!("explicit, interrupted: {found:?} instead of {expected:?}"))
}

fn search(subject: &Subject, machine: &Machine, kept: &Kept, threads: usize, most: Option<u64>) -> Outcome {
    let budget = Budget::unlimited().with_timeout(Some(TIME_LIMIT)).with_state_limit(most);
    let (budget, progress) = (budget.with_threads(threads), Progress::default());
    let bounds = Bounds { depth: subject.args.depth, ..Bounds::default() };
    let task = Task { machine, budget: &budget, bounds, progress: &progress };
    let outside = Outside { checkpoints: Some(kept), ..Outside::default() };
    explicit::check_with(&task, Options::default(), outside)
}
