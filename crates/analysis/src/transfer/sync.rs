//! Operations on threads and synchronisation objects.

use ir::operation::{Action, Operation, Patience, Subject};
use ir::{Operand, Reg, SyncOp};
use smallvec::SmallVec;

use super::At;
use crate::event::{self, LockKind};
use crate::interpret::{Flow, Interpreter, set};
use crate::memory::Kind;
use crate::value::{Num, Off, Ptr, Val};

impl<'p> Interpreter<'p> {
    pub(super) fn sync(
        &mut self,
        at: At<'p>,
        regs: &mut [Val],
        op: SyncOp,
        dst: Option<Reg>,
        args: &[Operand],
    ) -> Flow {
        let operation = Operation::of(op);
        let kind = lock_kind(operation.subject);
        let mut result = Val::any();
        self.hide(at, regs, operation, args);
        match operation.action {
            Action::Create => {
                let created = self.create(at, regs, args);
                if created.is_empty() {
                    return Flow::End;
                }
                result = Val::exact(0);
            }
            Action::Join => {
                self.join(at, regs, args);
                result = Val::exact(0);
            }
            Action::Myself => {
                let thread = self.nodes[at.node as usize].thread;
                let object = self.memory.object(self.program, Kind::Handle(thread), false);
                result = Val::pointer(object, Off::exact(0));
            }
            Action::NewKey => self.new_key(at, regs, args),
            Action::Specific { set } => result = self.specific(at, regs, set, args),
            Action::Init { .. } => {
                let targets = self.places(at, regs, args[0]);
                self.note(at.pc, event::Action::Renew(targets));
            }
            Action::Take { shares, patience } if kind != LockKind::Other => {
                let targets = self.places(at, regs, args[0]);
                let (exclusive, attempt) = (!shares, patience != Patience::Waits);
                self.note(at.pc, event::Action::Lock { targets, kind, exclusive, attempt });
            }
            Action::Give if kind != LockKind::Other => {
                let targets = self.places(at, regs, args[0]);
                self.note(at.pc, event::Action::Unlock { targets, kind });
            }
            // A wait gives its mutex back and takes it again before it goes on.
            Action::Wait { .. } => {
                self.use_lock(at, regs, args[1], LockKind::Mutex);
                self.use_lock(at, regs, args[0], kind);
            }
            // A lock that was destroyed is not taken again before it is made anew.
            Action::Destroy if kind != LockKind::Other => {}
            Action::Take { .. } | Action::Give | Action::Destroy | Action::Wake { .. } | Action::Arrive => {
                self.use_lock(at, regs, args[0], kind);
            }
            Action::Detach | Action::DropKey | Action::Repair | Action::Look => {}
        }
        if let Some(dst) = dst {
            set(at.function, regs, dst, result);
        }
        Flow::Next
    }

    /// The bytes of a synchronisation object in use read as anything.
    fn hide(&mut self, at: At<'p>, regs: &mut [Val], operation: Operation, args: &[Operand]) {
        for (place, _) in operation.objects(args) {
            for ptr in self.places(at, regs, place) {
                self.memory.fill(ptr.obj, ptr.off, 1, Num::Any);
            }
        }
    }

    /// The places in memory that an operand may point to.
    fn places(&mut self, at: At<'p>, regs: &mut [Val], place: Operand) -> SmallVec<[Ptr; 2]> {
        let targets = self.pointer(at, regs, place);
        self.look_for_undefined(at, &targets);
        self.in_memory(&targets)
    }

    /// Notes the use of a synchronisation object that leaves the locks that are
    /// held as they are.
    fn use_lock(&mut self, at: At<'p>, regs: &mut [Val], place: Operand, kind: LockKind) {
        let targets = self.places(at, regs, place);
        self.note(at.pc, event::Action::Lock { targets, kind, exclusive: false, attempt: true });
    }

    fn new_key(&mut self, at: At<'p>, regs: &mut [Val], args: &[Operand]) {
        let destructor = self.value(at, regs, args[1], self.program.pointer_width);
        if !destructor.ptrs.is_empty() {
            self.give_up("thread-specific values have destructors");
        }
        let targets = self.pointer(at, regs, args[0]);
        self.access(at, &targets, Some(4), true, false);
        self.store(at, regs, &targets, 4, &Val::any());
    }

    /// Sets the value of a thread for all keys, or yields it.
    fn specific(&mut self, at: At<'p>, regs: &mut [Val], set: bool, args: &[Operand]) -> Val {
        let (thread, width) = (self.nodes[at.node as usize].thread, self.program.pointer_width);
        let object = self.memory.object(self.program, Kind::Specific(thread), false);
        let place = Val::pointer(object, Off::exact(0));
        if !set {
            return self.load(at, &place, u64::from(width / 8));
        }
        let val = self.value(at, regs, args[1], width);
        self.store(at, regs, &place, u64::from(width / 8), &val);
        Val::any()
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
        self.note(at.pc, event::Action::Create(created.clone()));
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
        self.note(at.pc, event::Action::Join(joined));
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

fn lock_kind(subject: Subject) -> LockKind {
    match subject {
        Subject::Mutex => LockKind::Mutex,
        Subject::Spin => LockKind::Spin,
        Subject::RwLock => LockKind::RwLock,
        Subject::Cond
        | Subject::Barrier
        | Subject::Semaphore
        | Subject::Once
        | Subject::Thread
        | Subject::Key => LockKind::Other,
    }
}
