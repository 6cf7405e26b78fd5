//! Names of objects that do not depend on the order of independent steps.
//!
//! The machine numbers objects in the order in which all threads make them. Here an object is its maker's n-th; a global is its slot.

use machine::{ObjectId, ThreadId};

/// The names of the objects that live now.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By slot; zero for a global.
    of_slot: Vec<u64>,
    /// How many objects each thread has made.
    made: Vec<u32>,
}

impl Names {
    /// Notes that the thread made the object.
    pub fn made(&mut self, thread: ThreadId, object: ObjectId) {
        let Some(slot) = object.slot_index() else { return };
        let maker = thread.0 as usize;
        if self.made.len() <= maker {
            self.made.resize(maker + 1, 0);
        }
        if self.of_slot.len() <= slot {
            self.of_slot.resize(slot + 1, 0);
        }
        self.made[maker] += 1;
        self.of_slot[slot] = u64::from(thread.0 + 1) << 32 | u64::from(self.made[maker]);
    }

    /// The object's name; `None` for a constant.
    #[inline]
    pub fn name(&self, object: ObjectId) -> Option<u64> {
        let slot = object.slot_index()?;
        match self.of_slot.get(slot) {
            None | Some(0) => Some(slot as u64),
            Some(name) => Some(*name),
        }
    }
}
