//! Which objects more than one thread can get at.
//!
//! An object that a thread makes (on the heap, on its stack, its instance of a
//! thread-local variable) belongs to that thread alone unless a pointer to it
//! gets to where others find it: into a global variable, into an object that
//! others can get at, into the argument or the result of a thread, or as a
//! number anywhere. All else stays within the thread's registers and its own
//! objects, of which every instance of the thread has its own.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::interpret::Interpreter;
use crate::memory::{Kind, ThreadIx};
use crate::value::{ObjIx, Val};

/// The objects of which every instance of a thread is given one of its own, as
/// its argument: it was fresh when the thread was created, which it is no more
/// afterwards, so that no other instance is given the same. No pointer to it is
/// anywhere but in the registers of its maker and of the thread, and in memory
/// that only this thread can get at; in particular no thread gets it from
/// another one, nor as a number.
pub fn given_to_each(interpreter: &Interpreter<'_>, shared: &[bool]) -> FxHashMap<ObjIx, ThreadIx> {
    let mut given: FxHashMap<ObjIx, ThreadIx> = FxHashMap::default();
    let mut not: FxHashSet<ObjIx> = interpreter.memory.pinned.iter().copied().collect();
    not.extend(&interpreter.reused);
    for (ix, thread) in interpreter.threads.iter().enumerate().skip(1) {
        let root = &interpreter.nodes[thread.root as usize];
        for ptr in root.params.iter().flat_map(|val| &val.ptrs) {
            let twice = interpreter.given_twice.contains(&(ix as ThreadIx, ptr.obj));
            if twice || !root.callers.is_empty() || given.insert(ptr.obj, ix as ThreadIx).is_some() {
                not.insert(ptr.obj);
            }
        }
        not.extend(thread.result().ptrs.iter().map(|ptr| ptr.obj));
    }
    for (ix, object) in interpreter.memory.objects.iter().enumerate() {
        let owner = owner(interpreter, object.kind).filter(|_| !shared[ix]);
        for ptr in object.cells.iter().flat_map(|cell| &cell.val.ptrs).chain(&object.smear.ptrs) {
            if owner.is_none() || owner != given.get(&ptr.obj).copied() {
                not.insert(ptr.obj);
            }
        }
    }
    given.retain(|obj, _| !not.contains(obj));
    given
}

/// The thread that makes an object.
fn owner(interpreter: &Interpreter<'_>, kind: Kind) -> Option<ThreadIx> {
    match kind {
        Kind::Local(_, thread) | Kind::Specific(thread) => Some(thread),
        Kind::Heap(node, _) | Kind::Frame(node, _) | Kind::Arguments(node, _) => {
            Some(interpreter.nodes[node as usize].thread)
        }
        Kind::Global(_) | Kind::Function(_) | Kind::Handle(_) => None,
    }
}

/// For every object, whether others can get at it.
pub fn shared(interpreter: &Interpreter<'_>) -> Vec<bool> {
    let memory = &interpreter.memory;
    let mut shared = vec![false; memory.objects.len()];
    let mut work: Vec<ObjIx> = memory.pinned.clone();
    let add = |work: &mut Vec<ObjIx>, val: &Val| work.extend(val.ptrs.iter().map(|ptr| ptr.obj));
    for (ix, object) in memory.objects.iter().enumerate() {
        if matches!(object.kind, Kind::Global(_)) {
            work.push(ix as ObjIx);
        }
    }
    for thread in &interpreter.threads {
        let root = &interpreter.nodes[thread.root as usize];
        root.params.iter().for_each(|val| add(&mut work, val));
        add(&mut work, thread.result());
    }
    while let Some(obj) = work.pop() {
        if std::mem::replace(&mut shared[obj as usize], true) {
            continue;
        }
        let object = memory.get(obj);
        object.cells.iter().for_each(|cell| add(&mut work, &cell.val));
        add(&mut work, &object.smear);
        work.extend(interpreter.aliases.get(&obj).into_iter().flatten());
    }
    shared
}
