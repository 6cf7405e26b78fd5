//! Faults that were not asked about.

use std::collections::HashMap;

use ir::Location;
use machine::Fault;
use serde::{Deserialize, Serialize};

/// A fault of a kind that was not asked for. What follows it is undefined, so
/// its execution was not followed further.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Warning {
    /// The fault as it was first seen.
    pub fault: Fault,
    /// How often it was seen.
    pub count: u64,
}

/// Collects warnings, one for each kind and place.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    index: HashMap<(&'static str, Location), usize>,
    all: Vec<Warning>,
    of_worker: bool,
}

impl Warnings {
    /// Those of one of several workers: which fault stands for those of its kind
    /// and place, and the order of them, do not depend on which worker comes first.
    pub fn of_worker() -> Warnings {
        Warnings { of_worker: true, ..Warnings::default() }
    }

    /// Adds one.
    pub fn add(&mut self, fault: Fault) {
        self.note(Warning { fault, count: 1 });
    }

    /// Adds those of another collection.
    pub fn merge(&mut self, other: Warnings) {
        other.all.into_iter().for_each(|warning| self.note(warning));
    }

    /// Adds one that was seen so many times.
    pub fn note(&mut self, new: Warning) {
        let key = (new.fault.kind.name(), new.fault.at.clone());
        let index = *self.index.entry(key).or_insert(self.all.len());
        let Some(known) = self.all.get_mut(index) else { return self.all.push(new) };
        known.count += new.count;
        if self.of_worker
            && known.fault != new.fault
            && format!("{:?}", new.fault) < format!("{:?}", known.fault)
        {
            known.fault = new.fault;
        }
    }

    /// The warnings in the order in which they were first seen; those of
    /// workers by place and kind.
    pub fn into_vec(mut self) -> Vec<Warning> {
        if self.of_worker {
            self.all.sort_by_cached_key(|warning| (warning.fault.at.to_string(), warning.fault.kind.name()));
        }
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::{FaultKind, ThreadId};

    fn fault(kind: FaultKind, line: u32, thread: u32) -> Fault {
        let at = Location { file: "a.c".into(), line, column: 1, function: "f".into() };
        Fault { kind, thread: ThreadId(thread), at, calls: vec![] }
    }

    #[test]
    fn one_warning_for_each_kind_and_place() {
        let mut warnings = Warnings::default();
        warnings.add(fault(FaultKind::DivisionByZero, 1, 0));
        warnings.add(fault(FaultKind::DivisionByZero, 2, 0));
        warnings.add(fault(FaultKind::JoinSelf, 1, 0));
        warnings.add(fault(FaultKind::DivisionByZero, 1, 0));
        let counts: Vec<u64> = warnings.into_vec().iter().map(|w| w.count).collect();
        assert_eq!(counts, [2, 1, 1]);
    }

    #[test]
    fn workers_may_come_in_any_order() {
        let faults = [(2, 1), (1, 2), (1, 1)].map(|(line, thread)| fault(FaultKind::JoinSelf, line, thread));
        let collect = |order: [usize; 3]| {
            let mut all = Warnings::of_worker();
            for index in order {
                let mut one = Warnings::of_worker();
                one.add(faults[index].clone());
                all.merge(one);
            }
            all.into_vec()
        };
        assert_eq!(collect([0, 1, 2]), collect([2, 1, 0]));
    }
}
