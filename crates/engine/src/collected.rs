//! The faults of a search that goes on past them, each once by its kind and its places.
//!
//! The search runs on a machine with `Config::past_faults`. An execution that leads to a fault
//! which is not known yet is executed once more by a machine that suppresses the known ones, as
//! a search would that began anew for each fault. Whatever that machine tells is collected
//! with it, so that each counterexample replays there.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use machine::{Config, Fault, Grain, Machine, Mover, Suppression};
use trace::Trace;

/// Faults that are collected by one search.
pub struct Collected {
    most: usize,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// What is not told again.
    suppressions: Vec<Arc<Suppression>>,
    /// Faults as the search met them. It may tell another place of a fault than the
    /// execution does, because its states do not hold all that happened.
    met: Vec<Suppression>,
    found: Vec<Counterexample>,
}

/// A fault, with an execution that leads to it.
pub struct Counterexample {
    /// It tells this fault, and none that were found before.
    pub machine: Machine,
    /// The fault.
    pub fault: Fault,
    /// How it comes to that.
    pub trace: Trace,
}

impl Collected {
    /// Nothing, and room for so many faults.
    pub fn up_to(most: usize) -> Collected {
        Collected { most, inner: Mutex::default() }
    }

    /// Whether a fault was collected before.
    pub fn is_known(&self, fault: &Fault) -> bool {
        let inner = self.inner();
        inner.suppressions.iter().any(|known| known.covers(fault))
            || inner.met.iter().any(|known| known.covers(fault))
    }

    /// Whether there is no room for more.
    pub fn is_full(&self) -> bool {
        self.inner().found.len() >= self.most
    }

    /// Collects what an execution shows, in which the search met some faults.
    pub fn collect(&self, machine: &Machine, grain: Grain, met: &[Fault], steps: &[(Mover, u64)]) {
        while !self.is_full() {
            let machine = self.telling(machine);
            let (trace, fault) = trace::execute(&machine, grain, steps.iter().copied());
            let mut inner = self.inner();
            let is_new = |fault: &Fault| !inner.suppressions.iter().any(|known| known.covers(fault));
            let Some(fault) = fault.filter(is_new) else { break };
            inner.suppressions.push(Arc::new(Suppression::exactly(&fault)));
            inner.found.push(Counterexample { machine, fault, trace });
        }
        self.inner().met.extend(met.iter().map(Suppression::exactly));
    }

    /// What was found, in that order.
    pub fn into_found(self) -> Vec<Counterexample> {
        self.inner.into_inner().unwrap_or_else(PoisonError::into_inner).found
    }

    /// Takes out what was found last.
    pub fn take(&self) -> Option<Counterexample> {
        self.inner().found.pop()
    }

    /// What is not to be told any more.
    pub fn suppressions(&self) -> Vec<Arc<Suppression>> {
        self.inner().suppressions.clone()
    }

    /// A machine that tells only what is not known yet.
    fn telling(&self, machine: &Machine) -> Machine {
        let config = machine.config();
        let known = config.suppressions.iter().chain(&self.inner().suppressions).cloned().collect();
        let config = Config { suppressions: known, past_faults: false, ..config.clone() };
        machine.with_config(config)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
