//! Operations on threads and synchronisation objects.

use ir::{Operand, Reg, SyncOp};
use smallvec::SmallVec;

use super::At;
use crate::event::{Action, LockKind};
use crate::interpret::{Flow, Interpreter, set};
use crate::memory::Kind;
use crate::value::{Num, Off, Val};

impl<'p> Interpreter<'p> {
    pub(super) fn sync(
        &mut self,
        at: At<'p>,
        regs: &mut [Val],
        op: SyncOp,
        dst: Option<Reg>,
        args: &[Operand],
    ) -> Flow {
        use SyncOp::*;
        let word = self.program.pointer_width;
        let mut result = Val::any();
        self.hide(at, regs, op, args);
        match op {
            ThreadCreate => {
                let created = self.create(at, regs, args);
                if created.is_empty() {
                    return Flow::End;
                }
                result = Val::exact(0);
            }
            ThreadJoin => {
                self.join(at, regs, args);
                result = Val::exact(0);
            }
            ThreadSelf => {
                let thread = self.nodes[at.node as usize].thread;
                let object = self.memory.object(self.program, Kind::Handle(thread), false);
                result = Val::pointer(object, Off::exact(0));
            }
            KeyCreate => {
                let destructor = self.value(at, regs, args[1], word);
                if !destructor.ptrs.is_empty() {
                    self.give_up("thread-specific values have destructors");
                }
                let targets = self.pointer(at, regs, args[0]);
                self.access(at, &targets, Some(4), true, false);
                self.store(at, regs, &targets, 4, &Val::any());
            }
            KeySet | KeyGet => {
                let thread = self.nodes[at.node as usize].thread;
                let object = self.memory.object(self.program, Kind::Specific(thread), false);
                let place = Val::pointer(object, Off::exact(0));
                if op == KeySet {
                    let val = self.value(at, regs, args[1], word);
                    self.store(at, regs, &place, u64::from(word / 8), &val);
                } else {
                    result = self.load(at, &place, u64::from(word / 8));
                }
            }
            MutexInit | CondInit | RwInit | SpinInit | BarrierInit | SemInit => {
                let targets = self.pointer(at, regs, args[0]);
                let targets = self.in_memory(&targets);
                self.note(at.pc, Action::Renew(targets));
            }
            MutexLock | MutexTryLock | MutexTimedLock | RwReadLock | RwTryReadLock | RwTimedReadLock
            | RwWriteLock | RwTryWriteLock | RwTimedWriteLock | SpinLock | SpinTryLock => {
                self.lock(at, regs, op, args[0]);
            }
            CondWait | CondTimedWait => {
                // It gives the mutex back and takes it again before it goes on.
                let targets = self.pointer(at, regs, args[1]);
                self.use_lock(at, &targets, LockKind::Mutex);
                let targets = self.pointer(at, regs, args[0]);
                self.use_lock(at, &targets, LockKind::Other);
            }
            CondSignal | CondBroadcast | CondDestroy | BarrierWait | BarrierDestroy | SemWait
            | SemTryWait | SemTimedWait | SemPost | SemDestroy | OnceBegin | OnceEnd => {
                let targets = self.pointer(at, regs, args[0]);
                self.use_lock(at, &targets, LockKind::Other);
            }
            MutexUnlock | RwUnlock | SpinUnlock => {
                let targets = self.pointer(at, regs, args[0]);
                let (targets, kind) = (self.in_memory(&targets), lock_kind(op));
                self.note(at.pc, Action::Unlock { targets, kind });
            }
            _ => {}
        }
        if let Some(dst) = dst {
            set(at.function, regs, dst, result);
        }
        Flow::Next
    }

    /// The bytes of a synchronisation object in use read as anything.
    fn hide(&mut self, at: At<'p>, regs: &mut [Val], op: SyncOp, args: &[Operand]) {
        use SyncOp::*;
        let hidden = match op {
            ThreadCreate | ThreadJoin | ThreadDetach | ThreadSelf | KeyCreate | KeyDelete | KeySet
            | KeyGet => 0,
            CondWait | CondTimedWait => 2,
            _ => 1,
        };
        for place in &args[..hidden] {
            let targets = self.pointer(at, regs, *place);
            for ptr in self.in_memory(&targets) {
                self.memory.fill(ptr.obj, ptr.off, 1, Num::Any);
            }
        }
    }

    /// Notes the use of a synchronisation object that leaves the locks that are
    /// held as they are.
    fn use_lock(&mut self, at: At<'p>, targets: &Val, kind: LockKind) {
        let targets = self.in_memory(targets);
        self.note(at.pc, Action::Lock { targets, kind, exclusive: false, attempt: true });
    }

    fn lock(&mut self, at: At<'p>, regs: &mut [Val], op: SyncOp, place: Operand) {
        use SyncOp::*;
        let targets = self.pointer(at, regs, place);
        let (targets, kind) = (self.in_memory(&targets), lock_kind(op));
        let exclusive = !matches!(op, RwReadLock | RwTryReadLock | RwTimedReadLock);
        let attempt = !matches!(op, MutexLock | RwReadLock | RwWriteLock | SpinLock);
        self.note(at.pc, Action::Lock { targets, kind, exclusive, attempt });
    }

    fn create(&mut self, at: At<'p>, regs: &mut [Val], args: &[Operand]) -> SmallVec<[u32; 2]> {
        let word = self.program.pointer_width;
        let start = self.value(at, regs, args[2], word);
        let argument = self.value(at, regs, args[3], word);
        let handle_at = self.pointer(at, regs, args[0]);
        self.access(at, &handle_at, Some(u64::from(word / 8)), true, false);
        self.publish(at, regs, &argument);
        let mut created = SmallVec::new();
        for ptr in &start.ptrs {
            let Kind::Function(id) = self.memory.get(ptr.obj).kind else { continue };
            let thread = self.created(at.node, at.pc, id);
            created.push(thread);
            let not_fresh = argument.ptrs.iter().filter(|ptr| !ptr.fresh);
            self.given_twice.extend(not_fresh.map(|ptr| (thread, ptr.obj)));
            let handle = self.memory.object(self.program, Kind::Handle(thread), false);
            self.store(at, regs, &handle_at, u64::from(word / 8), &Val::pointer(handle, Off::exact(0)));
            let whole = self.program.function(id).params.first().is_none_or(|param| param.width == word);
            let passed = if whole { argument.published() } else { Val::any() };
            if !whole {
                self.memory.pin(&argument);
            }
            let root = self.threads[thread as usize].root;
            self.pass(root, &[passed]);
        }
        self.note(at.pc, Action::Create(created.clone()));
        created
    }

    fn join(&mut self, at: At<'p>, regs: &mut [Val], args: &[Operand]) {
        let word = self.program.pointer_width;
        let handle = self.value(at, regs, args[0], word);
        let named: Vec<u32> = handle
            .ptrs
            .iter()
            .filter_map(|ptr| match self.memory.get(ptr.obj).kind {
                Kind::Handle(thread) => Some(thread),
                _ => None,
            })
            .collect();
        let number = !matches!(handle.num, Num::None | Num::Exact(0));
        let moved = handle.ptrs.iter().any(|ptr| ptr.off.known() != Some(0));
        let joined = match named[..] {
            [thread] if !number && !moved => Some(thread),
            _ => None,
        };
        self.note(at.pc, Action::Join(joined));
        let result_at = self.pointer(at, regs, args[1]);
        if result_at.ptrs.is_empty() {
            return;
        }
        self.access(at, &result_at, Some(u64::from(word / 8)), true, false);
        let all: Vec<u32> = if number || moved { (0..self.threads.len() as u32).collect() } else { named };
        for thread in all {
            let val = self.thread_result(thread, at.node);
            self.store(at, regs, &result_at, u64::from(word / 8), &val);
        }
    }
}

fn lock_kind(op: SyncOp) -> LockKind {
    use SyncOp::*;
    match op {
        SpinLock | SpinTryLock | SpinUnlock => LockKind::Spin,
        MutexLock | MutexTryLock | MutexTimedLock | MutexUnlock => LockKind::Mutex,
        _ => LockKind::RwLock,
    }
}
