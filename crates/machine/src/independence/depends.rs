//! What a step depends on: the parts of the state, besides its own thread's,
//! that it looks at or changes.
//!
//! Two states that agree in those parts, in the moving thread's part and in
//! its surroundings (see [`crate::independence::local`]) take the same step. It is found out while the step is
//! taken, instruction by instruction, before each is executed: from the
//! operands that it has then. Where it is not obvious the answer is
//! "everything", which promises nothing.

use ir::{Callee, Instr, Operand, SyncOp};
use smallvec::SmallVec;

use crate::machine::{Grain, Machine};
use crate::state::State;
use crate::state::thread::{Status, Thread};
use crate::telling::fault::ThreadId;
use crate::telling::observer::{Event, Observer};
use crate::value::{Named, ObjectId, Value};
use ir::operation::{Needs, Operation, Reach};

/// A part that is not the moving thread's own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Other {
    /// Another thread.
    Thread(u32),
    /// The object in this slot.
    Object(u32),
}

/// What a step depended on.
#[derive(Clone, Default, Debug)]
pub struct Depends {
    /// In the order of meeting: which one is next follows from those before.
    pub others: SmallVec<[Other; 4]>,
    /// That nothing is promised.
    pub everything: bool,
    started: bool,
}

impl Depends {
    /// What tells whether a thread can move ([`Machine::guard`]).
    pub fn of_guard(machine: &Machine, state: &State, thread: ThreadId) -> Depends {
        let mut depends = Depends::default();
        let Thread { status, .. } = state.thread(thread);
        match (status, machine.next_instruction(state, thread)) {
            (Status::Waiting(wait), _) => depends.object(state, wait.mutex.0),
            (Status::Ready, Some(Instr::Sync { op, args, .. })) => match Operation::of(*op).needs() {
                Needs::Object { .. } => depends.pointer(machine, state, thread, args[0]),
                Needs::End => depends.peer(machine, state, thread, args[0]),
                Needs::Nothing => {}
            },
            _ => {}
        }
        depends
    }

    fn add(&mut self, other: Other) {
        if !self.everything && !self.others.contains(&other) {
            self.others.push(other);
        }
    }

    /// Functions and constants are no part of a state.
    fn object(&mut self, state: &State, id: ObjectId) {
        if let Named::Slot { slot, .. } = id.named() {
            match state.memory.get(id) {
                Some(_) => self.add(Other::Object(slot as u32)),
                None => self.everything = true,
            }
        }
    }

    /// The object that a pointer leads to; a number may be an address, which
    /// the surroundings tell.
    fn pointer(&mut self, machine: &Machine, state: &State, thread: ThreadId, operand: Operand) {
        let mut pointer = machine.peek(state, thread, operand);
        if !pointer.is_pointer() {
            pointer = state.memory.pointer_at(pointer.bits).unwrap_or(pointer);
        }
        self.object(state, pointer.object);
    }

    fn peer(&mut self, machine: &Machine, state: &State, thread: ThreadId, handle: Operand) {
        // Which thread has the identifier depends on whose lives are over.
        self.everything |= machine.tells_thread_ids;
        match state.thread_of_handle(machine.peek(state, thread, handle)) {
            Some(peer) if peer != thread => self.add(Other::Thread(peer.0)),
            Some(_) => {}
            // Whether there is such a thread is no part's matter.
            None => self.everything = true,
        }
    }

    /// A pointer that is written shares all that it leads to. Globals are
    /// shared anyway.
    fn written(&mut self, machine: &Machine, value: Value) {
        self.everything |= value.is_pointer() && !machine.is_global(value.object);
    }

    fn instruction(&mut self, machine: &Machine, state: &State, thread: ThreadId, instr: &Instr) {
        self.parts(machine, state, thread, instr);
        // What it compares may stand in one of the parts, so that those come first.
        self.everything |= makes_object(machine, state, thread, instr)
            || machine.compares_objects(state, thread, instr)
            || machine.asks_for_addresses(state, thread, instr);
    }

    fn parts(&mut self, machine: &Machine, state: &State, thread: ThreadId, instr: &Instr) {
        match instr {
            Instr::Load { ptr, .. }
            | Instr::Free { ptr, .. }
            | Instr::ObjectSize { ptr, .. }
            | Instr::EndObject { ptr }
            | Instr::ScopeBegin { ptr }
            | Instr::ScopeEnd { ptr } => self.pointer(machine, state, thread, *ptr),
            Instr::Store { width, ptr, value, .. } | Instr::AtomicRmw { width, ptr, value, .. } => {
                self.pointer(machine, state, thread, *ptr);
                self.written(machine, machine.peek(state, thread, *value));
                self.everything |= *width > 64;
            }
            Instr::CompareExchange(cx) => {
                self.pointer(machine, state, thread, cx.ptr);
                self.written(machine, machine.peek(state, thread, cx.new));
                self.everything |= cx.width > 64;
            }
            Instr::MemSet { dst, .. } => self.pointer(machine, state, thread, *dst),
            Instr::Sync { op, args, .. } => self.sync(machine, state, thread, *op, args),
            Instr::Return { .. } | Instr::ThreadExit { .. } => self.leave(machine, state, thread, instr),
            // On the thread alone, or on the surroundings.
            Instr::Move { .. }
            | Instr::Binary { .. }
            | Instr::Unary { .. }
            | Instr::Overflows { .. }
            | Instr::Compare { .. }
            | Instr::Cast { .. }
            | Instr::Select { .. }
            | Instr::FloatBinary { .. }
            | Instr::FloatUnary { .. }
            | Instr::FloatCompare { .. }
            | Instr::PtrAdd { .. }
            | Instr::Jump { .. }
            | Instr::Branch { .. }
            | Instr::Switch { .. }
            | Instr::Yield
            | Instr::StackSave { .. }
            | Instr::Fence { .. }
            | Instr::Nondet { .. }
            | Instr::Assume { .. }
            | Instr::Initialised { .. }
            | Instr::AtomicBegin { .. }
            | Instr::AtomicEnd { .. }
            | Instr::Call { .. } => {}
            // What is copied may be pointers; most others end the execution.
            Instr::Alloca { .. }
            | Instr::Malloc { .. }
            | Instr::VaStart { .. }
            | Instr::StackRestore { .. }
            | Instr::MemCopy { .. }
            | Instr::Exit { .. }
            | Instr::Fail { .. }
            | Instr::Unreachable
            | Instr::Unsupported { .. } => self.everything = true,
        }
    }

    fn sync(&mut self, machine: &Machine, state: &State, thread: ThreadId, op: SyncOp, args: &[Operand]) {
        match Operation::of(op).reach() {
            // Keys belong to the surroundings.
            Reach::Own => {}
            Reach::Object => self.pointer(machine, state, thread, args[0]),
            Reach::Objects => {
                self.pointer(machine, state, thread, args[0]);
                self.pointer(machine, state, thread, args[1]);
                // Whether others wait with another mutex is looked for among all threads.
                self.everything |= machine.reports_misuse;
            }
            Reach::Peer => self.peer(machine, state, thread, args[0]),
            Reach::PeerAndResult => {
                self.peer(machine, state, thread, args[0]);
                self.pointer(machine, state, thread, args[1]);
                if let Some(peer) = state.thread_of_handle(machine.peek(state, thread, args[0])) {
                    self.written(machine, state.thread(peer).own.result);
                }
            }
            Reach::Anything => self.everything = true,
        }
    }

    /// The objects of the frames that are left end.
    fn leave(&mut self, machine: &Machine, state: &State, thread: ThreadId, instr: &Instr) {
        let Thread { frames, own, .. } = state.thread(thread);
        let (left, result) = match instr {
            Instr::Return { values } if frames.len() > 1 || values.is_empty() => (1, None),
            Instr::Return { values } => (1, Some(values[0].value)),
            Instr::ThreadExit { value } => (frames.len(), Some(*value)),
            _ => (0, None),
        };
        if let Some(value) = result {
            self.written(machine, machine.peek(state, thread, value));
        }
        // Its robust mutexes may lie anywhere.
        self.everything |= machine.makes_robust && left == frames.len();
        let objects = frames.outwards().take(left).flat_map(|frame| &frame.objects).map(|(id, _)| *id);
        let locals = own.locals.iter().filter(|_| left == frames.len()).map(|(_, id)| *id);
        objects.chain(locals).for_each(|id| self.object(state, id));
    }
}

/// Whether an instruction makes an object, which is numbered by how many there
/// are: an allocation, variable arguments, the first use of a thread-local
/// variable.
fn makes_object(machine: &Machine, state: &State, thread: ThreadId, instr: &Instr) -> bool {
    let program = machine.program();
    let has_instance = |id| state.thread(thread).own.locals.iter().any(|(local, _)| *local == id);
    let mut makes = match instr {
        Instr::Alloca { .. } | Instr::Malloc { .. } => true,
        Instr::Call { callee: Callee::Direct(function), .. } => program.function(*function).variadic,
        Instr::Call { callee: Callee::Indirect(target), .. } => {
            match machine.peek(state, thread, *target).object.named() {
                Named::Function(function) => program.function(function).variadic,
                _ => true,
            }
        }
        _ => false,
    };
    instr.for_each_use(|operand, _| {
        makes |= matches!(operand, Operand::Global(id, _) if program.global(id).thread_local && !has_instance(id));
    });
    makes
}

impl Observer for Depends {
    fn event(&mut self, _: ThreadId, _: ir::FuncId, _: ir::Pc, _: Event) {}

    fn before(&mut self, machine: &Machine, state: &State, thread: ThreadId) {
        let first = !std::mem::replace(&mut self.started, true);
        // What a monitor reads may be a matter of any part.
        self.everything |= first && machine.is_monitored(state, thread);
        let Thread { status, .. } = state.thread(thread);
        match (status, machine.next_instruction(state, thread)) {
            (Status::Waiting(wait), _) => self.object(state, wait.mutex.0),
            // A run of invisible instructions stops here without looking
            // further, as the surroundings tell.
            (_, Some(Instr::Sync { .. } | Instr::ThreadExit { .. } | Instr::Exit { .. }))
                if !first && !machine.is_exclusive(state, thread, Grain::Visible) => {}
            (_, Some(instr)) => self.instruction(machine, state, thread, instr),
            (_, None) => self.everything = true,
        }
    }
}
