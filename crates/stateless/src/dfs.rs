//! Every execution, one after the other: the baseline that reductions are
//! measured against.

use engine::{Outcome, Task};
use machine::ThreadId;
use smallvec::SmallVec;

use crate::explorer::{Each, Explorer, Next};
use crate::tally::Found;

/// What is still to be tried after so many steps.
struct Node {
    threads: SmallVec<[ThreadId; 8]>,
    thread: ThreadId,
    choices: std::ops::Range<u64>,
}

/// Runs every execution.
pub fn check<'a>(task: &'a Task<'a>, each: Option<Each<'a>>) -> Outcome {
    let mut explorer = Explorer::stopping_spins(task, each);
    let found = explore(&mut explorer).err();
    explorer.outcome(found)
}

fn explore(explorer: &mut Explorer<'_>) -> Result<(), Found> {
    let mut path = vec![enter(explorer, ThreadId(0))];
    while let Some(node) = path.last_mut() {
        let Some((thread, choice)) = next(explorer, node) else {
            path.pop();
            explorer.run.back_to(path.len().saturating_sub(1));
            continue;
        };
        match explorer.step(thread, choice)? {
            Next::State if explorer.run.enabled().is_empty() => explorer.count_execution(false),
            Next::State if explorer.is_too_long() => {}
            Next::State => {
                let node = enter(explorer, thread);
                path.push(node);
                continue;
            }
            Next::End(end) => explorer.count_ended(&end),
        }
        explorer.run.back_to(path.len() - 1);
    }
    Ok(())
}

/// The thread that moved last goes on first, so that executions switch late.
fn enter(explorer: &mut Explorer<'_>, last: ThreadId) -> Node {
    let mut threads = explorer.run.enabled();
    threads.reverse();
    if let Some(index) = threads.iter().position(|thread| *thread == last) {
        let last = threads.remove(index);
        threads.push(last);
    }
    Node { threads, thread: last, choices: 0..0 }
}

fn next(explorer: &mut Explorer<'_>, node: &mut Node) -> Option<(ThreadId, u64)> {
    loop {
        if let Some(choice) = node.choices.next() {
            return Some((node.thread, choice));
        }
        node.thread = node.threads.pop()?;
        node.choices = 0..explorer.choices(node.thread);
    }
}
