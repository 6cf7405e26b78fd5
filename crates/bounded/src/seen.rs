//! The nodes that were extended.

use machine::{Part, ThreadId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symbolic::State;

/// Who was active, after how many context switches.
type Visits = SmallVec<[(ThreadId, u64); 2]>;

/// Nodes by state and conditions. A node need not be extended if one with the
/// same state and conditions was, that has at least as many context switches
/// left: from there everything that it leads to was reached.
#[derive(Default)]
pub struct Seen {
    parts: FxHashMap<Part, u32>,
    nodes: FxHashMap<Box<[u32]>, Visits>,
}

impl Seen {
    /// How many different states there are, by state and conditions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds a node; `false` if it need not be extended. The machine's state is
    /// normal.
    pub fn insert(&mut self, state: &State, active: ThreadId, switches: u64) -> bool {
        let visits = self.nodes.entry(key(&mut self.parts, state)).or_default();
        // With one switch more, a node can go on as any other thread.
        let covers = |(thread, before): &(ThreadId, u64)| before + u64::from(*thread != active) <= switches;
        if visits.iter().any(covers) {
            return false;
        }
        visits.retain(|(thread, _)| *thread != active);
        visits.push((active, switches));
        true
    }
}

/// The numbers of a state's parts and of its conditions. The order in which
/// conditions came about does not matter, nor how many inputs were read: the
/// conditions and the state name all that still count.
fn key(parts: &mut FxHashMap<Part, u32>, state: &State) -> Box<[u32]> {
    let mut key = Vec::new();
    for part in state.machine.parts() {
        let next = parts.len() as u32;
        key.push(*parts.entry(part).or_insert(next));
    }
    // No part has this number.
    key.push(u32::MAX);
    let first = key.len();
    key.extend(state.path.conditions().iter().map(|condition| condition.number()));
    key[first..].sort();
    key.into()
}
