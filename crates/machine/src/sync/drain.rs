//! Which instructions wait until the thread's store buffer is empty.

use ir::operation::{Action, Operation, Patience, Subject};
use ir::{FuncId, Instr, Order, Pc};

use crate::machine::Machine;
use crate::memory::object::Site;
use crate::state::State;
use crate::state::thread::Status;
use crate::sync::blocked::Wanted;
use crate::sync::{Once, SyncObject};
use crate::telling::fault::ThreadId;

impl Machine {
    /// Whether a thread cannot go on before its store buffer is empty. No other
    /// thread keeps it from that: the buffer can always commit a store.
    #[inline]
    pub(crate) fn must_drain(&self, state: &State, thread: ThreadId) -> bool {
        self.has_buffers && !state.thread(thread).own.buffer.is_empty() && self.drains(state, thread)
    }

    /// Whether a thread's next instruction needs an empty store buffer, where there
    /// are buffers.
    pub fn waits_for_buffer(&self, state: &State, thread: ThreadId) -> bool {
        self.has_buffers && self.drains(state, thread)
    }

    /// Whether there is a fence before an instruction that the program does not have.
    pub(crate) fn is_fenced(&self, Site { function, pc }: Site) -> bool {
        self.config().fences.iter().any(|fence| fence.waiting() == (function, pc))
    }

    /// The instructions that made the stores which wait in a thread's buffer, the oldest
    /// store first.
    pub fn waiting_stores<'a>(
        &self,
        state: &'a State,
        thread: ThreadId,
    ) -> impl Iterator<Item = (FuncId, Pc)> + use<'a> {
        state.thread(thread).own.buffer.stores().map(|store| (store.site.function, store.site.pc))
    }

    fn drains(&self, state: &State, thread: ThreadId) -> bool {
        let moving = state.thread(thread);
        if moving.status != Status::Ready {
            return false;
        }
        let frame = moving.frame();
        if self.is_fenced(frame.site()) {
            return true;
        }
        match &self.program().function(frame.function).code[frame.pc as usize] {
            Instr::Fence { order } => *order == Order::SeqCst,
            Instr::Store { access, .. } => access.order == Some(Order::SeqCst),
            Instr::AtomicRmw { .. }
            | Instr::CompareExchange(_)
            | Instr::AtomicBegin { .. }
            | Instr::AtomicEnd { .. }
            | Instr::ThreadExit { .. } => true,
            Instr::Return { .. } => moving.frames.len() == 1,
            Instr::Sync { op, args, .. } => match Operation::of(*op) {
                // Where the initialiser is done, that is only looked at.
                Operation { subject: Subject::Once, action: Action::Take { .. } } => {
                    let at = self.peek_place(state, thread, args[0]);
                    let once = at.and_then(|at| state.memory.get(at.0)?.sync_at(at.1));
                    !matches!(once, Some(SyncObject::Once(Once::Done(_))))
                }
                // One that does not get what it wants need not make anything known.
                Operation { subject, action: Action::Take { shares, patience: Patience::Tries } } => {
                    let at = self.peek_place(state, thread, args[0]);
                    at.is_none_or(|at| self.taken(state, thread, Wanted { at, subject, shares }).is_none())
                }
                operation => is_heavy(operation.action),
            },
            _ => false,
        }
    }
}

/// Whether an operation makes all that its thread did known to others, as POSIX
/// demands of those that synchronise memory.
fn is_heavy(action: Action) -> bool {
    match action {
        // They concern their thread alone, or look at something.
        Action::Myself | Action::Specific { .. } | Action::Look => false,
        Action::Init { .. }
        | Action::Destroy
        | Action::Take { .. }
        | Action::Give
        | Action::Repair
        | Action::Wait { .. }
        | Action::Wake { .. }
        | Action::Arrive
        | Action::Create
        | Action::Join
        | Action::Detach
        | Action::NewKey
        | Action::DropKey => true,
    }
}
