//! Steps that change nothing, for searches that do not repeat them.

use std::sync::Arc;

use crate::machine::Machine;
use crate::object::Object;
use crate::race::Clock;
use crate::state::State;
use crate::sync::SyncObject;

impl Machine {
    /// Whether memory and synchronisation objects are the same in two states of
    /// one execution. Who accessed them last makes no difference.
    pub fn same_memory(&self, a: &State, b: &State) -> bool {
        let slots = || a.memory.slots.iter().zip(&b.memory.slots);
        a.memory.slots.len() == b.memory.slots.len()
            && a.threads.len() == b.threads.len()
            && slots().all(|(a, b)| Arc::ptr_eq(a, b) || same_object(a, b))
    }
}

fn same_object(a: &Object, b: &Object) -> bool {
    (a.generation, a.life, &a.data, &a.undef, &a.pointers)
        == (b.generation, b.life, &b.data, &b.undef, &b.pointers)
        && a.sync.len() == b.sync.len()
        && a.sync.iter().zip(&b.sync).all(|((at, a), (bt, b))| at == bt && timeless(a) == timeless(b))
}

fn timeless(object: &SyncObject) -> SyncObject {
    let mut object = object.clone();
    object.clocks_mut().into_iter().for_each(|clock| *clock = Clock::default());
    object
}
