//! Heap objects that nothing leads to any more.

use rustc_hash::FxHashSet;

use crate::fault::{Fault, FaultKind, ThreadId};
use crate::machine::Machine;
use crate::object::Origin;
use crate::state::State;
use crate::value::{Named, ObjectId};

impl Machine {
    /// The leaks at the end of the process.
    pub(crate) fn leaks(&self, state: &State, thread: ThreadId) -> Vec<Fault> {
        let lost = self.lost_objects(state, thread);
        lost.into_iter().map(|id| self.leak(state, thread, id)).collect()
    }

    fn leak(&self, state: &State, thread: ThreadId, id: ObjectId) -> Fault {
        let object = state.memory.get(id).expect("a lost object is still there");
        let Origin::Heap(site) = object.origin else { unreachable!("only heap objects leak") };
        let allocated = self.site_location(site);
        let kind = FaultKind::Leak { object: self.object_name(state, id), size: object.size(), allocated };
        let mut fault = self.fault(state, thread, kind);
        fault.at = self.site_location(site);
        fault.calls.clear();
        fault
    }

    /// Live heap objects that neither globals nor threads lead to. The stack of
    /// the thread that ends the process no longer counts.
    fn lost_objects(&self, state: &State, ending: ThreadId) -> Vec<ObjectId> {
        let mut work: Vec<ObjectId> = self.globals.clone();
        work.extend(state.memory.pinned.iter().map(|(_, id)| *id));
        for id in state.thread_ids().filter(|id| *id != ending) {
            let thread = state.thread(id);
            if !thread.joined {
                work.push(thread.result.object);
            }
            work.extend(thread.locals.iter().map(|(_, object)| *object));
            work.extend(thread.specifics.iter().map(|(_, value)| value.object));
            for frame in &thread.frames {
                work.extend(frame.regs.iter().map(|value| value.object));
                work.extend(frame.objects.iter().copied());
            }
        }
        let mut reached = FxHashSet::default();
        while let Some(id) = work.pop() {
            if let Some(object) = state.memory.get(id)
                && reached.insert(id)
            {
                work.extend(object.pointers.iter().map(|(_, target)| *target));
            }
        }
        state.memory.heap_objects().filter(|id| !reached.contains(id)).collect()
    }

    /// Whether an id names an object of the state.
    pub(crate) fn is_slot(id: ObjectId) -> bool {
        matches!(id.named(), Named::Slot { .. })
    }
}
