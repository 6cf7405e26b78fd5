//! Heap objects that are lost, or still there, when the process ends.

use crate::fault::{Fault, FaultKind, ThreadId};
use crate::machine::Machine;
use crate::object::{Origin, Site};
use crate::property::Property;
use crate::state::State;

impl Machine {
    /// The heap objects that were not freed at the end of the process: those
    /// that nothing leads to, and, if that was asked for, all of them. The stack
    /// of the thread that ends it no longer counts.
    pub(crate) fn unfreed(&self, state: &State, ending: ThreadId) -> Vec<Fault> {
        let mut end = state.clone();
        let thread = end.thread_mut(ending);
        thread.frames.clear();
        thread.locals.clear();
        thread.specifics.clear();
        self.normalise(&mut end);
        let mut faults = Vec::new();
        let lost = end.rest.lost.iter().copied();
        if self.config().properties.has(Property::Leak) {
            faults.extend(lost.clone().map(|(site, size)| self.leak(state, ending, site, size)));
        }
        if self.config().properties.has(Property::Cleanup) {
            let kept = end.memory.heap_objects().filter_map(|id| end.memory.get(id));
            let kept = kept.filter_map(|object| match object.origin {
                Origin::Heap(site) => Some((site, object.size())),
                _ => None,
            });
            faults.extend(kept.chain(lost).map(|(site, size)| self.not_freed(state, ending, site, size)));
        }
        faults
    }

    fn leak(&self, state: &State, thread: ThreadId, site: Site, size: u64) -> Fault {
        let object = self.origin_name(Origin::Heap(site));
        self.fault_at(
            state,
            thread,
            site,
            FaultKind::Leak { object, size, allocated: self.site_location(site) },
        )
    }

    fn not_freed(&self, state: &State, thread: ThreadId, site: Site, size: u64) -> Fault {
        let object = self.origin_name(Origin::Heap(site));
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
