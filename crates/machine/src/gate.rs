//! What keeps threads waiting, for searches that reorder steps: which object
//! the next operation of a thread passes, whether it is open, and what an
//! operation that can block needs of it.

use ir::{Instr, Operand, SyncOp};

use crate::fault::ThreadId;
use crate::machine::Machine;
use crate::observer::Place;
use crate::state::State;
use crate::sync::{Once, SyncObject};
use crate::thread::{Status, SyncPlace};

/// A lock, semaphore or `once` as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gate {
    /// Where it lives.
    pub place: Place,
    /// Whether somebody who needs it alone can pass.
    pub open: bool,
    /// Whether somebody who shares it can pass.
    pub open_to_readers: bool,
}

/// What an operation that can block needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// The object, alone: a mutex, spin lock, write lock, `once`, or one of a semaphore.
    Alone(Place),
    /// The object, with other readers.
    Shared(Place),
    /// The end of a thread.
    End(ThreadId),
}

/// How a thread waits on a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// Whether a signal has reached it.
    pub signalled: bool,
    /// Whether it may time out.
    pub timed: bool,
}

impl Machine {
    /// The gate that the thread's next operation passes, opens or closes.
    pub fn gate(&self, state: &State, thread: ThreadId) -> Option<Gate> {
        let at = match &state.thread(thread).status {
            Status::Waiting(wait) => wait.mutex,
            Status::Ready => {
                let (op, args) = self.next_sync(state, thread)?;
                let object = match op {
                    SyncOp::CondWait | SyncOp::CondTimedWait => args[1],
                    _ => *args.first()?,
                };
                self.peek_place(state, thread, object)?
            }
            Status::AtBarrier(_) | Status::Ended => return None,
        };
        let (open, open_to_readers) = self.is_open(state, at)?;
        Some(Gate { place: place(at), open, open_to_readers })
    }

    fn is_open(&self, state: &State, at: SyncPlace) -> Option<(bool, bool)> {
        let both = |open| (open, open);
        Some(match state.memory.get(at.0)?.sync_at(at.1) {
            None => both(true),
            Some(SyncObject::Mutex(mutex) | SyncObject::Spin(mutex)) => both(mutex.owner.is_none()),
            Some(SyncObject::RwLock(lock)) => {
                (lock.writer.is_none() && lock.readers.is_empty(), lock.writer.is_none())
            }
            Some(SyncObject::Semaphore(semaphore)) => both(semaphore.value > 0),
            Some(SyncObject::Once(once)) => both(!matches!(once, Once::Running(_))),
            Some(SyncObject::Cond | SyncObject::Barrier(_) | SyncObject::Destroyed) => return None,
        })
    }

    /// What the thread's next operation needs, if it is one that can block.
    pub fn need(&self, state: &State, thread: ThreadId) -> Option<Need> {
        if let Status::Waiting(wait) = &state.thread(thread).status {
            return Some(Need::Alone(place(wait.mutex)));
        }
        let (op, args) = self.next_sync(state, thread)?;
        let at = || self.peek_place(state, thread, args[0]).map(place);
        match op {
            SyncOp::MutexLock
            | SyncOp::SpinLock
            | SyncOp::RwWriteLock
            | SyncOp::SemWait
            | SyncOp::OnceBegin => at().map(Need::Alone),
            SyncOp::RwReadLock => at().map(Need::Shared),
            SyncOp::ThreadJoin => state.thread_of_handle(self.peek(state, thread, args[0])).map(Need::End),
            _ => None,
        }
    }

    /// How the thread waits on a condition, if it does.
    pub fn waiting(&self, state: &State, thread: ThreadId) -> Option<Waiting> {
        match &state.thread(thread).status {
            Status::Waiting(wait) => Some(Waiting { signalled: wait.signalled, timed: wait.timed }),
            _ => None,
        }
    }

    /// Whether the thread waits at a barrier.
    pub fn is_at_barrier(&self, state: &State, thread: ThreadId) -> bool {
        matches!(state.thread(thread).status, Status::AtBarrier(_))
    }

    /// Whether the thread has not ended.
    pub fn is_alive(&self, state: &State, thread: ThreadId) -> bool {
        state.thread(thread).is_alive()
    }

    /// Whether the thread is in an atomic section.
    pub fn is_in_atomic_section(&self, state: &State, thread: ThreadId) -> bool {
        state.thread(thread).atomic > 0
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
