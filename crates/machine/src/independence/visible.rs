//! Which instructions other threads can observe, and which have a choice.
//!
//! An invisible instruction commutes with everything the other threads can do
//! from here on: it touches registers, or memory that no other thread can
//! reach, or no other thread can move meanwhile.
//!
//! So does an access of which it is known that no other thread can make one that
//! conflicts with it while it is about to be made ([`crate::Config::undisturbed`]),
//! as all others may need a lock that the thread holds. Let an execution make it
//! later: what others do in between does not conflict with it, since the thread is
//! about to make it all the time. So it can be moved to the front, and the
//! execution makes the same accesses with the same values, blocks where it
//! blocked, fails where it failed and has no more context switches. What differs
//! are states in between, and the last state if the process ends before the
//! access is made. Properties that are about those (`leak`, `cleanup`,
//! `livelock`, `ltl`) are not looked for in this way.
//!
//! Where formulas of temporal logic are asked, instructions that may change a
//! proposition are visible too (`temporal/`).

use ir::{Instr, Operand, SyncOp};

use crate::machine::{Grain, Machine, NeedsSymbolic};
use crate::memory::object::Life;
use crate::state::State;
use crate::state::thread::{Frame, Status, Thread};
use crate::telling::fault::{ThreadId, Touch};
use crate::telling::property::Property;
use crate::value::{Named, ObjectId, Value};
use ir::operation::{Action, Operation};

impl Machine {
    /// Whether no other thread can move until this one lets it.
    pub(crate) fn is_exclusive(&self, state: &State, thread: ThreadId, grain: Grain) -> bool {
        state.thread(thread).atomic > 0 || self.is_alone(state, thread, grain)
    }

    /// Whether the thread is the only one that can still do anything, as far as
    /// the grain lets it know. If every other thread was joined, this one knows of
    /// all those joins: the thread that joined them was joined in turn, or is this
    /// one.
    pub(crate) fn is_alone(&self, state: &State, thread: ThreadId, grain: Grain) -> bool {
        match grain {
            // The last ones are less likely to be joined than those before them.
            Grain::Causal => {
                state.thread_ids().rev().all(|other| other == thread || state.thread(other).joined)
            }
            Grain::Visible | Grain::Instruction => state.is_alone(),
        }
    }

    /// Whether a run of invisible instructions must stop here: the next one is
    /// visible, or cannot be executed now, or has a choice.
    pub(crate) fn is_visible(&self, state: &State, thread: ThreadId, grain: Grain) -> bool {
        if self.indeterminate(state, thread).is_some() || self.undecided(state, thread).is_some() {
            return true;
        }
        if let Some(temporal) = self.temporal()
            && self.is_watched(&temporal.watch, state, thread)
        {
            return true;
        }
        let frame = state.thread(thread).frame();
        let instr = &self.program().function(frame.function).code[frame.pc as usize];
        if self.has_buffers
            && let Some(visible) = self.is_buffer_visible(state, thread, grain)
        {
            return visible;
        }
        let concurrent = || !self.is_exclusive(state, thread, grain);
        let shared = |operand: Operand| self.may_be_shared(state, self.peek(state, thread, operand));
        let met = |operand: Operand| shared(operand) && !self.is_undisturbed(frame.function, frame.pc);
        match instr {
            Instr::Nondet { .. } => self.choices(state, thread) != Ok(1),
            Instr::EndObject { ptr } | Instr::ScopeBegin { ptr } | Instr::ScopeEnd { ptr } => {
                let object = state.memory.get(self.peek(state, thread, *ptr).object);
                concurrent() && object.is_some_and(|object| object.shared)
            }
            Instr::Load { ptr, .. }
            | Instr::Store { ptr, .. }
            | Instr::AtomicRmw { ptr, .. }
            | Instr::MemSet { dst: ptr, .. } => concurrent() && met(*ptr),
            Instr::ObjectSize { ptr, .. } | Instr::VaStart { list: ptr } => concurrent() && shared(*ptr),
            Instr::Free { ptr, .. } => {
                let object = self.peek(state, thread, *ptr).object;
                // The process may end before, and then the object was not freed.
                let at_end = || self.config().properties.has(Property::Cleanup);
                concurrent() && (shared(*ptr) || at_end() || self.frees_visibly(state, thread, object))
            }
            Instr::Malloc { .. } => concurrent() && self.orders_heap(),
            Instr::CompareExchange(cx) => cx.weak || (concurrent() && met(cx.ptr)),
            Instr::MemCopy { dst, src, .. } => concurrent() && (met(*dst) || met(*src)),
            Instr::Return { .. } | Instr::StackRestore { .. } => {
                let Thread { frames, own, .. } = state.thread(thread);
                let last = frames.len() == 1;
                let destructors = last && self.deletes_keys && !own.specifics.is_empty();
                let unlocks = last && self.makes_robust && matches!(instr, Instr::Return { .. });
                let locals = own.locals.iter().filter(|_| last).map(|(_, id)| id);
                let mut ending = frame.objects.iter().map(|(id, _)| id).chain(locals);
                let shared = |id: &ObjectId| state.memory.get(*id).is_some_and(|object| object.shared);
                // What it had can be given to another thread.
                let tells = self.tells_thread_ids || self.tells_addresses;
                let gives_back = last && tells && state.thread(thread).detached;
                concurrent() && (destructors || unlocks || gives_back || ending.any(shared))
            }
            // Everything on the stack ends.
            Instr::ThreadExit { .. } => concurrent(),
            Instr::Exit { .. } => !self.is_alone(state, thread, grain),
            Instr::AtomicBegin { .. } => concurrent(),
            Instr::Sync { op, .. } => match Operation::of(*op).action {
                Action::Myself => false,
                // A key is created before its number is known.
                Action::Specific { .. } => concurrent() && self.deletes_keys,
                Action::Init { .. }
                | Action::Destroy
                | Action::Take { .. }
                | Action::Give
                | Action::Repair
                | Action::Wait { .. }
                | Action::Wake { .. }
                | Action::Arrive
                | Action::Look
                | Action::Create
                | Action::Join
                | Action::Detach
                | Action::NewKey
                | Action::DropKey => {
                    concurrent()
                        || self.blocked(state, thread).is_some()
                        || self.choices(state, thread) != Ok(1)
                }
            },
            _ => false,
        }
    }

    /// The same for instructions that wait for the store buffer, and for stores that
    /// wait in it: no other thread sees these. One to memory that may cease to be can
    /// come too late.
    fn is_buffer_visible(&self, state: &State, thread: ThreadId, grain: Grain) -> Option<bool> {
        // Whether a step stops at a fence must not depend on when stores are committed.
        if self.must_drain(state, thread) || self.is_fenced(state.thread(thread).frame().site()) {
            return Some(true);
        }
        let Instr::Store { width, ptr, access, .. } = self.next_instruction(state, thread)? else {
            return None;
        };
        let (pointer, len) = (self.peek(state, thread, *ptr), u64::from(*width).div_ceil(8));
        let (object, _) = state.memory.resolve(pointer, len, Touch::Write).ok()?;
        let waits = self.buffers_store(state, thread, grain, object, access.order);
        (waits && self.is_global(object)).then_some(false)
    }

    /// Whether other threads can observe the next instruction of a thread that does not
    /// wait: it must be ordered among what they do. An input that the thread reads is its
    /// own affair.
    pub fn is_observable(&self, state: &State, thread: ThreadId) -> bool {
        let reads_input = |instr: &Instr| matches!(instr, Instr::Nondet { .. });
        let next = self.next_instruction(state, thread);
        next.is_some_and(|instr| !reads_input(instr)) && self.is_visible(state, thread, Grain::Visible)
    }

    /// Whether a step of the grain [`Grain::Visible`] that has come to where a thread stands ends
    /// there.
    pub fn ends_step(&self, state: &State, thread: ThreadId) -> bool {
        state.thread(thread).status != Status::Ready || self.is_visible(state, thread, Grain::Visible)
    }

    /// Whether it is known of an instruction that no other thread can make an
    /// access that conflicts with its own.
    fn is_undisturbed(&self, function: ir::FuncId, pc: ir::Pc) -> bool {
        let known = self.config().undisturbed.as_ref();
        known.is_some_and(|known| known[function.0 as usize][pc as usize])
    }

    /// Whether a thread stands at the same place in two states, with the same
    /// values in its registers.
    pub fn stands_alike(&self, a: &State, b: &State, thread: ThreadId) -> bool {
        let (a, b) = (a.thread(thread), b.thread(thread));
        let same = |a: &Frame, b: &Frame| a.function == b.function && a.pc == b.pc && a.regs == b.regs;
        a.status == b.status && a.frames.same(&b.frames, same)
    }

    /// Whether an access may meet those of others. One to an object that ended
    /// is a fault, whichever thread moves first.
    fn may_be_shared(&self, state: &State, pointer: Value) -> bool {
        match pointer.object.named() {
            Named::Constant(_) => false,
            Named::Slot { .. } => {
                let object = state.memory.get(pointer.object);
                object.is_some_and(|object| object.shared && object.life == Life::Alive)
            }
            // A number may be the address of anything.
            _ => true,
        }
    }

    /// How many data choices the thread's next step has.
    pub fn choices(&self, state: &State, thread: ThreadId) -> Result<u64, NeedsSymbolic> {
        match &state.thread(thread).status {
            Status::Waiting(wait) => return Ok(if wait.timed { 2 } else { 1 }),
            Status::Ready => {}
            _ => return Ok(1),
        }
        if let Some(what) = self.indeterminate(state, thread) {
            return self.indeterminate_choices(state, thread, what);
        }
        if self.undecided(state, thread).is_some() {
            return Ok(2);
        }
        let frame = state.thread(thread).frame();
        match &self.program().function(frame.function).code[frame.pc as usize] {
            Instr::Nondet { width, domain, origin, .. } => {
                self.nondet_count(domain, *width).ok_or_else(|| NeedsSymbolic {
                    at: self.position(state, thread),
                    origin: self.program().name(*origin).to_owned(),
                })
            }
            Instr::CompareExchange(cx) if cx.weak => Ok(2),
            Instr::Sync { op: SyncOp::CondSignal, args, .. } => {
                let waiters = self.peek_place(state, thread, args[0]).map(|at| self.waiters(state, at).len());
                Ok(waiters.unwrap_or(0).max(1) as u64)
            }
            Instr::Sync { op: SyncOp::ThreadCreate, .. } => Ok(self.id_choices(state)),
            _ => Ok(1),
        }
    }

    /// The same where it depends on nothing but the thread itself.
    pub fn own_choices(&self, state: &State, thread: ThreadId) -> Option<u64> {
        let next = self.next_instruction(state, thread);
        let by_others = match next {
            Some(Instr::Sync { op: SyncOp::CondSignal, .. }) => true,
            Some(Instr::Sync { op: SyncOp::ThreadCreate, .. }) => self.tells_thread_ids,
            // What they read may be undefined.
            Some(Instr::Load { .. } | Instr::AtomicRmw { .. } | Instr::CompareExchange(_)) => {
                self.chooses_undefined
            }
            _ => false,
        };
        let by_others = by_others || self.may_be_undecided(state, thread);
        if by_others { None } else { self.choices(state, thread).ok() }
    }
}
