//! The bookkeeping of a search: where executions were cut, what was met that
//! was not asked about, in which states the program ended; and the answer that
//! follows from it.

use ir::Location;
use machine::{End, Fault, Machine, State};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use trace::Trace;

use crate::outcome::{Cut, Evidence, Outcome, Reason, Verdict};
use crate::stats::Stats;
use crate::task::Task;
use crate::warnings::{Warning, Warnings};

/// How a search ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// Nothing is left to explore, or to explore within the bounds.
    Exhausted,
    /// With a fault that was asked for, and the execution that leads to it.
    Violated(Box<Fault>, Trace),
    /// Before everything was explored.
    GivenUp(Reason),
}

/// What a search, or one worker of it, has noted.
#[derive(Clone, Debug)]
pub struct Ledger {
    cuts: Vec<Cut>,
    warnings: Warnings,
    /// Distinct contents of the global memory at the program's end; none if
    /// these cannot be counted.
    final_states: Option<FxHashSet<Box<[u8]>>>,
    /// The final state that was encoded last.
    last: Option<State>,
    buffer: Vec<u8>,
    sorted: bool,
}

/// What an interrupted search has noted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedLedger {
    /// Cuts and warnings as JSON: compact encodings have no room for faults, which
    /// say in a field of which kind they are.
    noted: String,
    final_states: Option<Vec<Box<[u8]>>>,
}

impl Default for Ledger {
    fn default() -> Ledger {
        Ledger {
            cuts: Vec::new(),
            warnings: Warnings::default(),
            final_states: Some(FxHashSet::default()),
            last: None,
            buffer: Vec::new(),
            sorted: false,
        }
    }
}

impl Ledger {
    /// One of several workers that note the same in different orders: the
    /// answer does not depend on which of them comes first.
    pub fn of_worker() -> Ledger {
        Ledger { warnings: Warnings::of_worker(), sorted: true, ..Ledger::default() }
    }

    /// What is needed to go on with it.
    pub fn saved(&self) -> SavedLedger {
        let noted = (&self.cuts, self.warnings.clone().into_vec());
        let noted = serde_json::to_string(&noted).expect("cuts and warnings have JSON");
        let final_states = self.final_states.as_ref().map(|states| states.iter().cloned().collect());
        SavedLedger { noted, final_states }
    }

    /// One of several workers, which goes on with what was noted before.
    pub fn resumed(saved: SavedLedger) -> Result<Ledger, serde_json::Error> {
        let (cuts, noted): (Vec<Cut>, Vec<Warning>) = serde_json::from_str(&saved.noted)?;
        let mut warnings = Warnings::of_worker();
        noted.into_iter().for_each(|warning| warnings.note(warning));
        let final_states = saved.final_states.map(|states| states.into_iter().collect());
        Ok(Ledger { cuts, warnings, final_states, ..Ledger::of_worker() })
    }

    /// Notes that executions were not followed.
    pub fn cut(&mut self, cut: Cut) {
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
    }

    /// Where executions were not followed.
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// The same when the search is over.
    pub fn into_cuts(self) -> Vec<Cut> {
        self.cuts
    }

    /// Whether executions were not followed.
    pub fn is_cut(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// Notes a fault that was not asked about.
    pub fn warn(&mut self, fault: Fault) {
        self.warnings.add(fault);
    }

    /// The first fault of a step that was asked for; those before it are noted.
    pub fn asked(&mut self, machine: &Machine, faults: impl IntoIterator<Item = Fault>) -> Option<Fault> {
        for fault in faults {
            if machine.asks(&fault.kind) {
                return Some(fault);
            }
            self.warn(fault);
        }
        None
    }

    /// Notes how an execution ended: in which state, by a step from where.
    pub fn end(&mut self, machine: &Machine, state: &State, end: End, from: impl FnOnce() -> Location) {
        match end {
            End::Exited(_) => self.final_state(machine, state),
            End::Unsupported(what) => self.cut(Cut::Unsupported { what, at: from() }),
            End::Aborted | End::Fault | End::Infeasible => {}
        }
    }

    fn final_state(&mut self, machine: &Machine, state: &State) {
        let Some(known) = &mut self.final_states else { return };
        // Encoding a state takes as long as it is large.
        if self.last.as_ref().is_some_and(|last| machine.same_globals(last, state)) {
            return;
        }
        self.last = Some(state.clone());
        self.buffer.clear();
        machine.canonical_globals(state, &mut self.buffer);
        if !known.contains(self.buffer.as_slice()) {
            known.insert(self.buffer.as_slice().into());
        }
    }

    /// Says that final states cannot be counted, for instance because they
    /// depend on inputs.
    pub fn forget_final_states(&mut self) {
        self.final_states = None;
    }

    /// How many final states there are, if they can be counted.
    pub fn final_states(&self) -> Option<u64> {
        self.final_states.as_ref().map(|states| states.len() as u64)
    }

    /// Adds what another worker noted.
    pub fn merge(&mut self, other: Ledger) {
        other.cuts.into_iter().for_each(|cut| self.cut(cut));
        self.warnings.merge(other.warnings);
        match (&mut self.final_states, other.final_states) {
            (Some(mine), Some(others)) => mine.extend(others),
            _ => self.final_states = None,
        }
    }

    /// The engine's answer. The evidence counts only if everything was explored
    /// and nothing was cut; what was covered, only if not.
    pub fn outcome(
        mut self,
        task: &Task<'_>,
        ending: Ending,
        evidence: Evidence,
        covered: String,
        stats: Stats,
    ) -> Outcome {
        if self.sorted {
            self.cuts.sort_by_cached_key(ToString::to_string);
        }
        let verdict = match ending {
            Ending::Violated(fault, trace) => Verdict::Violated { fault, trace },
            Ending::GivenUp(reason) => Verdict::Unknown { reason, covered },
            Ending::Exhausted if self.cuts.is_empty() => Verdict::Holds { evidence },
            Ending::Exhausted => Verdict::Unknown { reason: Reason::Cut(self.cuts), covered },
        };
        Outcome::new(task.machine, verdict, stats, self.warnings.into_vec())
    }
}
