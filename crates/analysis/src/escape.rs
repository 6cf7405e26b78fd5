//! Which objects more than one thread can get at.
//!
//! An object that a thread makes (on the heap, on its stack, its instance of a
//! thread-local variable) belongs to that thread alone unless a pointer to it
//! gets to where others find it: into a global variable, into an object that
//! others can get at, into the argument or the result of a thread, or as a
//! number to anybody. All else stays within the thread's registers and its own
//! objects, of which every instance of the thread has its own.

use crate::interpret::Interpreter;
use crate::memory::Kind;
use crate::value::{ObjIx, Val};

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
