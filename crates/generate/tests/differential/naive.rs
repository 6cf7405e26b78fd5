//! Plain enumeration of all states.

use std::collections::{BTreeSet, HashSet};

use machine::{End, Grain, Machine, State, Step};

/// What a program can do.
#[derive(PartialEq, Eq, Default)]
pub struct Summary {
    /// The contents of the global variables when the program exits.
    pub final_states: BTreeSet<Vec<u8>>,
    /// The faults that end an execution, with their place.
    pub faults: BTreeSet<String>,
    /// The properties that these violate.
    pub violated: BTreeSet<&'static str>,
    /// Other ends: an exit status, an abort, something unsupported.
    pub ends: BTreeSet<String>,
}

/// Visits all states; `None` if there are more than `limit`.
pub fn enumerate(machine: &Machine, grain: Grain, limit: usize) -> Option<(Summary, usize)> {
    let mut summary = Summary::default();
    let mut seen = HashSet::new();
    let mut work = vec![machine.initial()];
    while let Some(mut state) = work.pop() {
        machine.normalise(&mut state);
        let mut form = Vec::new();
        machine.canonical(&state, &mut form);
        if !seen.insert(form) {
            continue;
        }
        if seen.len() > limit {
            return None;
        }
        summary.look(machine, &state);
        for mover in machine.movers(&state) {
            let Ok(choices) = machine.choices_of(&state, mover) else {
                summary.ends.insert("needs a symbolic engine".to_owned());
                continue;
            };
            for choice in 0..choices {
                let mut next = state.clone();
                let step = machine.step(&mut next, mover, choice, grain, &mut ());
                summary.faults(&step);
                match step.end {
                    None => work.push(next),
                    Some(end) => summary.end(machine, &next, &end),
                }
            }
        }
    }
    Some((summary, seen.len()))
}

impl Summary {
    /// Adds what there is to see of a state.
    pub fn look(&mut self, machine: &Machine, state: &State) {
        if machine.deadlock(state).is_some() {
            self.violated.insert("deadlock");
        }
    }

    /// Adds what went wrong in a step.
    pub fn faults(&mut self, step: &Step) {
        for fault in &step.faults {
            self.faults.insert(format!("{} at {}", fault.kind.name(), fault.at));
            self.violated.insert(fault.kind.property().name());
        }
    }

    /// Adds how an execution ended.
    pub fn end(&mut self, machine: &Machine, state: &State, end: &End) {
        match end {
            End::Exited(_) => {
                let mut form = Vec::new();
                machine.canonical_globals(state, &mut form);
                self.final_states.insert(form);
                self.ends.insert(format!("{end:?}"));
            }
            End::Aborted | End::Unsupported(_) => {
                self.ends.insert(format!("{end:?}"));
            }
            End::Fault | End::Infeasible => {}
        }
    }
}
