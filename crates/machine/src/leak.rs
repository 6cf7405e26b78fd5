//! Heap objects that nothing leads to when the process ends.

use crate::fault::{Fault, FaultKind, ThreadId};
use crate::machine::Machine;
use crate::object::{Origin, Site};
use crate::state::State;

impl Machine {
    /// The leaks at the end of the process. The stack of the thread that ends
    /// it no longer counts.
    pub(crate) fn leaks(&self, state: &State, ending: ThreadId) -> Vec<Fault> {
        let mut end = state.clone();
        let thread = end.thread_mut(ending);
        thread.frames.clear();
        thread.locals.clear();
        thread.specifics.clear();
        self.normalise(&mut end);
        end.rest.lost.iter().map(|(site, size)| self.leak(state, ending, *site, *size)).collect()
    }

    fn leak(&self, state: &State, thread: ThreadId, site: Site, size: u64) -> Fault {
        let object = self.origin_name(Origin::Heap(site, crate::object::Allocator::Malloc));
        let kind = FaultKind::Leak { object, size, allocated: self.site_location(site) };
        let mut fault = self.fault(state, thread, kind);
        fault.at = self.site_location(site);
        fault.calls.clear();
        fault
    }
}
