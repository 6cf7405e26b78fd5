//! What a search counts, and what it answers in the end.

use std::io;

use engine::counters::{EXECUTIONS, FINAL_STATES, MAX_DEPTH, TRANSITIONS};
use engine::{
    Counts, Cut, Ending, Evidence, Exceeded, Ledger, Outcome, Progress, Reason, SavedLedger, Stats, Task,
    counted,
};
use machine::Fault;
use serde::{Deserialize, Serialize};
use trace::Trace;

use crate::counters::{BLOCKED, INFEASIBLE, PEAK_TREE_BYTES, RESTORED, SPINNING};

/// What ends a search early.
pub enum Found {
    /// A fault that was asked for, with the execution that leads to it.
    Violation(Box<Fault>, Trace),
    /// A limit.
    Exceeded(Exceeded),
    /// Threads that were taken to be alike are not.
    Unlike,
}

/// What was counted.
#[derive(Default)]
pub struct Tally {
    /// Executions that came to their end.
    pub executions: u64,
    /// Executions given up because every thread that could move was asleep. In a search
    /// that is optimal there are none.
    pub blocked: u64,
    /// Executions in which a thread stood at an assumption that was false.
    pub infeasible: u64,
    /// Executions at whose end a thread spun.
    pub spinning: u64,
    /// Steps taken.
    pub transitions: u64,
    /// The longest execution.
    pub max_depth: u64,
    /// Steps that the search went back to instead of taking them again.
    pub restored: u64,
    /// What was covered, if there is more to say than the counts.
    pub coverage: Option<String>,
    /// The most bytes that the executions to be run have taken.
    pub peak_tree_bytes: Option<u64>,
    /// What was noted.
    pub ledger: Ledger,
}

/// What workers have counted, as data.
#[derive(Serialize, Deserialize)]
pub struct SavedTally {
    executions: u64,
    blocked: u64,
    infeasible: u64,
    spinning: u64,
    transitions: u64,
    max_depth: u64,
    ledger: SavedLedger,
}

impl Tally {
    /// What is needed to go on with it.
    pub fn saved(&self) -> SavedTally {
        let Tally { executions, blocked, infeasible, spinning, transitions, max_depth, .. } = *self;
        let ledger = self.ledger.saved();
        SavedTally { executions, blocked, infeasible, spinning, transitions, max_depth, ledger }
    }

    /// The counts to go on with.
    pub fn resumed(saved: SavedTally) -> io::Result<Tally> {
        let SavedTally { executions, blocked, infeasible, spinning, transitions, max_depth, ledger } = saved;
        let ledger = Ledger::resumed(ledger).map_err(io::Error::other)?;
        let counts =
            Tally { executions, blocked, infeasible, spinning, transitions, max_depth, ..Tally::default() };
        Ok(Tally { ledger, ..counts })
    }

    /// Notes that executions were not followed.
    pub fn cut(&mut self, cut: Cut) {
        self.ledger.cut(cut);
    }

    /// What several workers counted and found. A violation counts more than a
    /// limit.
    pub fn sum(results: impl IntoIterator<Item = (Tally, Option<Found>)>) -> (Tally, Option<Found>) {
        let mut all = (Tally::default(), None);
        for (tally, found) in results {
            all.0.merge(tally);
            if matches!(found, Some(Found::Violation(..))) || all.1.is_none() {
                all.1 = found.or(all.1);
            }
        }
        all
    }

    /// Adds what another worker counted.
    pub fn merge(&mut self, other: Tally) {
        self.executions += other.executions;
        self.blocked += other.blocked;
        self.infeasible += other.infeasible;
        self.spinning += other.spinning;
        self.transitions += other.transitions;
        self.restored += other.restored;
        self.max_depth = self.max_depth.max(other.max_depth);
        self.ledger.merge(other.ledger);
    }

    /// Tells the user how far the search is.
    pub fn report(&self, progress: &Progress, depth: usize) {
        let (states, transitions) = (self.executions, self.transitions);
        progress.set(Counts { states, transitions, depth: depth as u64 });
    }

    /// The engine's answer.
    pub fn outcome(self, task: &Task<'_>, found: Option<Found>) -> Outcome {
        let counts = || {
            let (executions, steps) =
                (counted(self.executions, "execution"), counted(self.transitions, "step"));
            format!("{executions} with {steps}, all of them safe")
        };
        let covered = self.coverage.clone().unwrap_or_else(counts);
        let ending = match found {
            Some(Found::Violation(fault, trace)) => Ending::Violated(fault, trace),
            Some(Found::Exceeded(exceeded)) => Ending::GivenUp(Reason::Exceeded(exceeded)),
            Some(Found::Unlike) => unreachable!("the search begins anew"),
            None => Ending::Exhausted,
        };
        let evidence = Evidence::ExhaustedExecutions { executions: self.executions };
        let stats = Stats::after(task.budget.elapsed().as_secs_f64())
            .with(TRANSITIONS, self.transitions)
            .with_known(FINAL_STATES, self.ledger.final_states())
            .with(MAX_DEPTH, self.max_depth)
            .with(EXECUTIONS, self.executions)
            .with(BLOCKED, self.blocked)
            .with(INFEASIBLE, self.infeasible)
            .with(SPINNING, self.spinning)
            .with_known(RESTORED, (self.restored > 0).then_some(self.restored))
            .with_known(PEAK_TREE_BYTES, self.peak_tree_bytes);
        self.ledger.outcome(task, ending, evidence, covered, stats)
    }
}
