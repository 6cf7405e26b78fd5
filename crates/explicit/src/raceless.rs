//! Programs without data races under a memory model with store buffers: their executions
//! are those under sequential consistency, which have fewer states.
//!
//! Whether a program has data races is found out by the search under sequential
//! consistency itself ([`Machine::under_sequential_consistency`] says why that is
//! enough). If it finds anything, a race or something else, the search with store buffers
//! begins after all, and what is told is what that one finds.
//!
//! [`Machine::under_sequential_consistency`]: machine::Machine::under_sequential_consistency

use engine::{Outcome, Task, Verdict};

use crate::counters::MEMORY_MODEL;
use crate::{Options, Outside, check_with};

/// The answer of a search without store buffers, if that is one for the machine's model.
pub fn check(task: &Task<'_>, options: Options, outside: Outside<'_>) -> Option<Outcome> {
    // With a bound on the depth, steps of buffers count; without states, nothing is shown safe.
    let complete = task.bounds.depth.is_none() && !options.hash_compaction && !options.clocks;
    let alone = outside.checkpoints.is_none() && outside.peers.is_none() && outside.collected.is_none();
    if !options.raceless || !complete || !alone {
        return None;
    }
    let machine = task.machine.under_sequential_consistency()?;
    let task = Task { machine: &machine, ..*task };
    let outcome = check_with(&task, options, outside);
    let why = "no data races and no weak atomics, so that all executions are those under sc";
    matches!(outcome.verdict, Verdict::Holds { .. })
        .then(|| Outcome { stats: outcome.stats.with(MEMORY_MODEL, why), ..outcome })
}
