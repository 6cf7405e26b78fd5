//! What keeps threads waiting, for searches that reorder steps: what the next
//! operation of a thread needs, and in which states it would get it.

use ir::{Instr, Operand, Reg, SyncOp};

use crate::machine::Machine;
use crate::state::State;
use crate::state::thread::{Status, SyncPlace};
use crate::sync::{Once, SyncObject};
use crate::telling::fault::ThreadId;
use crate::telling::observer::Place;
use ir::operation::{Action, Needs, Operation};

/// What an operation that can block needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Need {
    /// The object, alone: a mutex, spin lock, write lock, `once`, or one of a semaphore.
    Alone(Place),
    /// The object, with other readers.
    Shared(Place),
    /// The end of a thread.
    End(ThreadId),
    /// That no other thread is in an atomic section.
    Section,
}

/// How a thread waits on a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// Whether a signal has reached it.
    pub signalled: bool,
    /// Whether it may time out.
    pub timed: bool,
    /// The condition.
    pub cond: Place,
}

impl Machine {
    /// Whether a thread that needs this would not be kept waiting.
    pub fn is_open(&self, state: &State, thread: ThreadId, need: Need) -> bool {
        let (place, shares) = match need {
            Need::End(peer) => {
                return state.threads.get(peer.0 as usize).is_some_and(|peer| !peer.is_alive());
            }
            Need::Section => return !state.alive().any(|t| t != thread && state.thread(t).atomic > 0),
            Need::Alone(place) => (place, false),
            Need::Shared(place) => (place, true),
        };
        let Some(object) = state.memory.get(place.object) else { return false };
        match object.sync_at(place.offset) {
            Some(SyncObject::Mutex(mutex)) => self.may_take(mutex, thread),
            Some(SyncObject::Spin(spin)) => spin.owner.is_none_or(|owner| !self.must_wait(owner, thread)),
            Some(SyncObject::RwLock(lock)) => self.rwlock_keepers(lock, thread, shares).is_empty(),
            Some(SyncObject::Semaphore(semaphore)) => semaphore.value > 0,
            Some(SyncObject::Once(once)) => !matches!(once, Once::Running(_)),
            None | Some(SyncObject::Cond | SyncObject::Barrier(_) | SyncObject::Destroyed) => true,
        }
    }

    /// Whether one of some threads that need an object might not be kept waiting. Those that
    /// do not have it already are all told the same as the first.
    pub fn is_open_to_any(
        &self,
        state: &State,
        need: Need,
        first: ThreadId,
        is_one: impl Fn(ThreadId) -> bool,
    ) -> bool {
        let (Need::Alone(place) | Need::Shared(place)) = need else { return true };
        state.memory.names_any((place.object, place.offset), is_one) || self.is_open(state, first, need)
    }

    /// What the thread's next operation needs, if it is one that can block.
    pub fn need(&self, state: &State, thread: ThreadId) -> Option<Need> {
        if let Status::Waiting(wait) = &state.thread(thread).status {
            return Some(Need::Alone(place(wait.mutex)));
        }
        if let Instr::AtomicBegin { .. } = self.next_instruction(state, thread)? {
            return Some(Need::Section);
        }
        let (op, args) = self.next_sync(state, thread)?;
        let at = || self.peek_place(state, thread, args[0]).map(place);
        match Operation::of(op).needs() {
            Needs::Object { shares: false } => at().map(Need::Alone),
            Needs::Object { shares: true } => at().map(Need::Shared),
            Needs::End => state.thread_of_handle(self.peek(state, thread, args[0])).map(Need::End),
            Needs::Nothing => None,
        }
    }

    /// The register that names the thread whose end the next operation of a thread needs.
    pub(crate) fn awaited_handle(&self, state: &State, thread: ThreadId) -> Option<Reg> {
        let (op, args) = self.next_sync(state, thread)?;
        match (Operation::of(op).needs(), args.first()) {
            (Needs::End, Some(Operand::Reg(handle))) => Some(*handle),
            _ => None,
        }
    }

    /// How the thread waits on a condition, if it does.
    pub fn waiting(&self, state: &State, thread: ThreadId) -> Option<Waiting> {
        match &state.thread(thread).status {
            Status::Waiting(wait) => {
                Some(Waiting { signalled: wait.signalled, timed: wait.timed, cond: place(wait.cond) })
            }
            _ => None,
        }
    }

    /// The mutex of the wait that the thread is in or about to begin.
    pub fn mutex_of_wait(&self, state: &State, thread: ThreadId) -> Option<Place> {
        if let Status::Waiting(wait) = &state.thread(thread).status {
            return Some(place(wait.mutex));
        }
        let (op, args) = self.next_sync(state, thread)?;
        let waits = matches!(Operation::of(op).action, Action::Wait { .. });
        if waits { self.peek_place(state, thread, args[1]).map(place) } else { None }
    }

    /// How often the thread holds the mutex at a place.
    pub fn mutex_depth(&self, state: &State, thread: ThreadId, mutex: Place) -> u32 {
        let object = state.memory.get(mutex.object).and_then(|object| object.sync_at(mutex.offset));
        object.map_or(0, |lock| lock.holds(thread))
    }

    /// Whether the thread waits at a barrier.
    pub fn is_at_barrier(&self, state: &State, thread: ThreadId) -> bool {
        matches!(state.thread(thread).status, Status::AtBarrier(_))
    }

    /// Whether the thread has not ended.
    pub fn is_alive(&self, state: &State, thread: ThreadId) -> bool {
        state.thread(thread).is_alive()
    }

    /// Whether some thread is in an atomic section.
    pub fn has_section(&self, state: &State) -> bool {
        self.has_sections && state.alive().any(|thread| state.thread(thread).atomic > 0)
    }

    /// The thread that keeps the others from moving, by being in an atomic section.
    pub fn keeper(&self, state: &State) -> Option<ThreadId> {
        let keeps = |thread: &ThreadId| {
            let inside = state.thread(*thread).atomic > 0 && state.thread(*thread).status == Status::Ready;
            inside && self.blocked(state, *thread).is_none()
        };
        if self.has_sections { state.alive().find(keeps) } else { None }
    }

    /// The instruction that the thread executes next; none if it waits or has ended.
    pub fn next_instruction(&self, state: &State, thread: ThreadId) -> Option<&Instr> {
        let thread = state.thread(thread);
        if thread.status != Status::Ready {
            return None;
        }
        let frame = thread.frame();
        Some(&self.program().function(frame.function).code[frame.pc as usize])
    }

    fn next_sync(&self, state: &State, thread: ThreadId) -> Option<(SyncOp, &[Operand])> {
        match self.next_instruction(state, thread)? {
            Instr::Sync { op, args, .. } => Some((*op, args)),
            _ => None,
        }
    }
}

fn place((object, offset): SyncPlace) -> Place {
    Place { object, offset, len: 1 }
}
