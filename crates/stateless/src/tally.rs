//! What a search counts, and what it answers in the end.

use engine::{Counts, Cut, Evidence, Exceeded, Outcome, Progress, Reason, Stats, Verdict, Warnings};
use machine::{End, Fault, Machine, State, ThreadId};
use rustc_hash::FxHashSet;
use trace::Trace;

/// What ends a search early.
pub enum Found {
    /// A fault that was asked for, with the execution that leads to it.
    Violation(Box<Fault>, Trace),
    /// A limit.
    Exceeded(Exceeded),
}

/// What was counted.
#[derive(Default)]
pub struct Tally {
    /// Executions that came to their end.
    pub executions: u64,
    /// Executions given up because whoever could move was asleep. In a search
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
    cuts: Vec<Cut>,
    warnings: Warnings,
    final_states: FxHashSet<Box<[u8]>>,
    buffer: Vec<u8>,
}

impl Tally {
    /// Notes that executions were not followed.
    pub fn cut(&mut self, cut: Cut) {
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
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
    fn merge(&mut self, other: Tally) {
        self.executions += other.executions;
        self.blocked += other.blocked;
        self.infeasible += other.infeasible;
        self.spinning += other.spinning;
        self.transitions += other.transitions;
        self.restored += other.restored;
        self.max_depth = self.max_depth.max(other.max_depth);
        other.cuts.into_iter().for_each(|cut| self.cut(cut));
        self.warnings.merge(other.warnings);
        self.final_states.extend(other.final_states);
    }

    /// Notes a fault that nobody asked about.
    pub fn warn(&mut self, fault: Fault) {
        self.warnings.add(fault);
    }

    /// Notes how an execution ended, in the step of a thread from a state.
    pub fn end(&mut self, machine: &Machine, from: &State, thread: ThreadId, state: &State, end: End) {
        match end {
            End::Exited(_) => {
                self.buffer.clear();
                machine.canonical_globals(state, &mut self.buffer);
                if !self.final_states.contains(self.buffer.as_slice()) {
                    self.final_states.insert(self.buffer.as_slice().into());
                }
            }
            End::Unsupported(what) => {
                let at = machine.position(from, thread);
                self.cut(Cut::Unsupported { what, at });
            }
            End::Aborted | End::Fault | End::Infeasible => {}
        }
    }

    /// Tells whoever watches how far the search is.
    pub fn report(&self, progress: &Progress, depth: usize) {
        let (states, transitions) = (self.executions, self.transitions);
        progress.set(Counts { states, transitions, depth: depth as u64 });
    }

    /// The engine's answer.
    pub fn outcome(self, machine: &Machine, found: Option<Found>, seconds: f64) -> Outcome {
        let counts =
            || format!("{} executions with {} steps, all of them safe", self.executions, self.transitions);
        let covered = self.coverage.clone().unwrap_or_else(counts);
        let verdict = match found {
            Some(Found::Violation(fault, trace)) => Verdict::Violated { fault, trace },
            Some(Found::Exceeded(exceeded)) => {
                Verdict::Unknown { reason: Reason::Exceeded(exceeded), covered }
            }
            None if self.cuts.is_empty() => {
                Verdict::Holds { evidence: Evidence::ExhaustedExecutions { executions: self.executions } }
            }
            None => Verdict::Unknown { reason: Reason::Cut(self.cuts), covered },
        };
        let stats = Stats {
            seconds,
            transitions: Some(self.transitions),
            final_states: Some(self.final_states.len() as u64),
            max_depth: Some(self.max_depth),
            executions: Some(self.executions),
            blocked: Some(self.blocked),
            infeasible: Some(self.infeasible),
            spinning: Some(self.spinning),
            restored: (self.restored > 0).then_some(self.restored),
            peak_tree_bytes: self.peak_tree_bytes,
            ..Stats::default()
        };
        Outcome::new(machine, verdict, stats, self.warnings.into_vec())
    }
}
