//! Several searches side by side, of which the first to find a violation wins.
//! Which one that is depends on the program (GAMBIT, sections 5.2 and 7).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use engine::{Budget, Outcome, Progress, Task, Verdict};

use crate::best_first;
use crate::best_first::Settings;
use crate::priority::Kind;

/// How often the budget is looked at.
const POLL: Duration = Duration::from_millis(20);

/// The combinations, in the order in which cores are given to them.
fn combinations(settings: &Settings) -> Vec<Settings> {
    let bound = settings.preemption_bound.or(Some(2));
    let make = |preemption_bound, priority: &[Kind], seed| Settings {
        preemption_bound,
        priority: priority.to_vec(),
        seed,
        ..settings.clone()
    };
    let reduced = settings.preemption_bound;
    let fixed = [
        make(reduced, &Settings::default_priority(reduced), settings.seed),
        make(bound, &[Kind::Pb, Kind::Ss, Kind::Mdpor], settings.seed),
        make(reduced, &[Kind::Rand], settings.seed),
        make(bound, &Settings::default_priority(bound), settings.seed),
    ];
    let random =
        |n: u64| make(if n.is_multiple_of(2) { reduced } else { bound }, &[Kind::Rand], settings.seed + n);
    fixed.into_iter().chain((1..=60).map(random)).collect()
}

/// Runs as many searches as there are threads, one on each.
pub fn portfolio(task: &Task<'_>, settings: &Settings) -> Outcome {
    let count = task.budget.threads();
    let combinations: Vec<Settings> = combinations(settings).into_iter().take(count).collect();
    let cancel = Arc::new(AtomicBool::new(false));
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for (index, settings) in combinations.iter().enumerate() {
            let (send, cancel) = (send.clone(), Arc::clone(&cancel));
            scope.spawn(move || {
                let budget = Budget::unlimited().with_cancel(cancel);
                let own = Progress::default();
                let progress = if index == 0 { task.progress } else { &own };
                let outcome = best_first::check(&Task { budget: &budget, progress, ..*task }, settings);
                // The result is not awaited any more if another one was first.
                let _ = send.send((index, outcome));
            });
        }
        drop(send);
        let outcome = first(task, &receive, count, &cancel);
        cancel.store(true, Ordering::Relaxed);
        outcome
    })
}

/// The first violation or proof; otherwise, when all have ended, what the first
/// combination says.
fn first(
    task: &Task<'_>,
    receive: &mpsc::Receiver<(usize, Outcome)>,
    count: usize,
    cancel: &AtomicBool,
) -> Outcome {
    let mut ended: Vec<(usize, Outcome)> = Vec::new();
    let mut exceeded = None;
    while ended.len() < count {
        match receive.recv_timeout(POLL) {
            Ok((_, outcome)) if !matches!(outcome.verdict, Verdict::Unknown { .. }) => return outcome,
            Ok(other) => ended.push(other),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                exceeded = exceeded.or_else(|| task.budget.exceeded());
                if exceeded.is_some() {
                    cancel.store(true, Ordering::Relaxed);
                }
            }
        }
    }
    ended.sort_by_key(|(index, _)| *index);
    let (_, mut outcome) = ended.into_iter().next().expect("every search answers");
    if let (Some(exceeded), Verdict::Unknown { reason, .. }) = (exceeded, &mut outcome.verdict) {
        *reason = engine::Reason::Exceeded(exceeded);
    }
    outcome
}
