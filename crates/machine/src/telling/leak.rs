//! Heap objects that are lost, or still there, when the process ends.
//!
//! While a program runs, an object whose address was made a number counts as
//! reachable, since a number that leads to it may be computed from any other.
//! At the end it is lost unless a pointer leads to it, or a word in memory that
//! still holds a number inside it: an address that went into a hash is no way
//! back.

use rustc_hash::FxHashSet;

use crate::machine::Machine;
use crate::telling::fault::{Fault, FaultKind, ThreadId};

use crate::memory::object::{Object, Origin, Site};
use crate::state::State;
use crate::state::thread::references;
use crate::telling::property::Property;
use crate::value::{ObjectId, Value};

impl Machine {
    /// The heap objects that were not freed at the end of the process: those
    /// that nothing leads to, and, if that was asked for, all of them. The stack
    /// of the thread that ends it no longer counts.
    pub(crate) fn unfreed(&self, state: &State, ending: ThreadId) -> Vec<Fault> {
        let mut end = state.clone();
        let thread = end.thread_mut(ending);
        thread.frames.clear();
        thread.own.locals.clear();
        thread.own.specifics.clear();
        self.normalise(&mut end);
        let mut faults = Vec::new();
        let lost = end.rest.lost.iter().copied();
        if self.config().properties.has(Property::Leak) {
            let leaks = lost.clone().chain(self.lost_numbers(&end));
            faults.extend(leaks.map(|(site, size)| self.leak(state, ending, site, size)));
        }
        if self.config().properties.has(Property::Cleanup) {
            let kept = end.memory.heap_objects().filter_map(|id| end.memory.get(id));
            let kept = kept.filter_map(|object| match object.origin {
                Origin::Heap(site, _) => Some((site, object.size())),
                _ => None,
            });
            faults.extend(kept.chain(lost).map(|(site, size)| self.not_freed(state, ending, site, size)));
        }
        faults
    }

    /// The heap objects of a normal state that only their numbers keep, where
    /// nothing holds those numbers any more: where each was made, and its size.
    fn lost_numbers(&self, state: &State) -> Vec<(Site, u64)> {
        if state.memory.addresses.pinned.is_empty() {
            return Vec::new();
        }
        let kept = self.kept(state);
        let lost = state.memory.heap_objects().filter(|id| !kept.contains(id));
        let note = |object: &Object| (object.origin.site(), object.size());
        lost.filter_map(|id| state.memory.get(id).map(note)).collect()
    }

    /// The objects that pointers and numbers in memory lead to.
    fn kept(&self, state: &State) -> FxHashSet<ObjectId> {
        let mut kept = FxHashSet::default();
        let mut work = self.globals.clone();
        for thread in &state.threads {
            references(thread, |id| work.push(id));
            let values = thread.frames.iter().flat_map(|frame| &frame.regs);
            let values = values.chain(thread.own.values());
            work.extend(values.filter_map(|value| number_target(state, *value)));
        }
        while let Some(id) = work.pop() {
            if kept.insert(id)
                && let Some(object) = state.memory.get(id)
            {
                work.extend(object.pointers.iter().map(|(_, target)| *target));
                work.extend(numbers_in(state, object));
            }
        }
        kept
    }

    fn leak(&self, state: &State, thread: ThreadId, site: Site, size: u64) -> Fault {
        let object = self.lost_name(site);
        self.fault_at(
            state,
            thread,
            site,
            FaultKind::Leak { object, size, allocated: self.site_location(site) },
        )
    }

    fn not_freed(&self, state: &State, thread: ThreadId, site: Site, size: u64) -> Fault {
        let object = self.lost_name(site);
        let allocated = self.site_location(site);
        self.fault_at(state, thread, site, FaultKind::NotFreed { object, size, allocated })
    }

    fn fault_at(&self, state: &State, thread: ThreadId, site: Site, kind: FaultKind) -> Fault {
        let mut fault = self.fault(state, thread, kind);
        fault.at = self.site_location(site);
        fault.calls.clear();
        fault
    }
}

/// The pinned object that a number leads into.
fn number_target(state: &State, value: Value) -> Option<ObjectId> {
    let number = !value.is_pointer() && value.undef == 0;
    state.memory.pointer_at(value.bits).filter(|_| number).map(|pointer| pointer.object)
}

/// The pinned objects that the numbers in an object's words lead into. A word
/// that is not known may be any of them.
fn numbers_in(state: &State, object: &Object) -> Vec<ObjectId> {
    if !object.unknown.is_empty() {
        return state.memory.addresses.pinned.iter().map(|(_, id)| *id).collect();
    }
    let word = state.memory.word;
    let words = (0..object.size() / word).filter_map(|index| object.read(index * word, word, word));
    words.filter_map(|value| number_target(state, value)).collect()
}
