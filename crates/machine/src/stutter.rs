//! Steps that change nothing, for searches that do not repeat them.

use std::sync::Arc;

use ir::{Instr, SyncOp};

use crate::machine::Machine;
use crate::object::Object;
use crate::race::Clock;
use crate::state::State;
use crate::sync::SyncObject;

impl Machine {
    /// Whether memory and synchronisation objects are the same in two states of
    /// one execution. Who accessed them last makes no difference.
    pub fn same_memory(&self, a: &State, b: &State) -> bool {
        same(a, b, |a, b| same_contents(a, b) && same_sync(a, b))
    }

    /// Whether memory is the same, whatever the synchronisation objects are.
    pub fn same_contents(&self, a: &State, b: &State) -> bool {
        same(a, b, same_contents)
    }

    /// Whether the program can find out that a lock is held without waiting for
    /// it.
    pub fn tries_locks(&self) -> bool {
        use SyncOp::*;
        let tries = |instr: &Instr| {
            matches!(
                instr,
                Instr::Sync {
                    op: MutexTryLock
                        | MutexTimedLock
                        | RwTryReadLock
                        | RwTimedReadLock
                        | RwTryWriteLock
                        | RwTimedWriteLock
                        | SpinTryLock
                        | SemTryWait
                        | SemTimedWait
                        | SemGetValue,
                    ..
                }
            )
        };
        self.program().functions.iter().any(|function| function.code.iter().any(tries))
    }
}

fn same(a: &State, b: &State, same_object: fn(&Object, &Object) -> bool) -> bool {
    a.memory.slots.len() == b.memory.slots.len()
        && a.threads.len() == b.threads.len()
        && a.memory.slots.iter().zip(&b.memory.slots).all(|(a, b)| Arc::ptr_eq(a, b) || same_object(a, b))
}

fn same_contents(a: &Object, b: &Object) -> bool {
    (a.generation, a.life, &a.data, &a.undef, &a.pointers)
        == (b.generation, b.life, &b.data, &b.undef, &b.pointers)
}

fn same_sync(a: &Object, b: &Object) -> bool {
    a.sync.len() == b.sync.len()
        && a.sync.iter().zip(&b.sync).all(|((at, a), (bt, b))| at == bt && timeless(a) == timeless(b))
}

fn timeless(object: &SyncObject) -> SyncObject {
    let mut object = object.clone();
    object.clocks_mut().into_iter().for_each(|clock| *clock = Clock::default());
    object
}
