//! Identifiers and stacks of threads, and those that are given out again.
//!
//! A thread has the identifier with its own number, unless it was given that of
//! a thread whose life is over: one that was joined, or that is detached and has
//! ended. A program that kept such an identifier takes the new thread for the
//! old one. Which identifier a thread gets is a choice of the step that creates
//! it, in programs that can tell ([`ir::Program::tells_thread_ids`]). With the
//! identifier the new thread has the stack, so that what was on it and what is
//! on it may be the same place ([`crate::memory::reuse`]).
//!
//! In other programs every thread has an identifier of its own, and may have the
//! stack of any thread whose life was over when it was created. Which one it
//! has is not decided before two addresses are compared.
//!
//! Either way it matters whether a thread is created before or after another
//! one's life is over.

use crate::machine::Machine;
use crate::state::State;
use crate::state::thread::Thread;
use crate::telling::fault::ThreadId;
use crate::value::{ObjectId, Value};

impl Thread {
    /// Whether its identifier may be given to another thread.
    pub fn is_over(&self) -> bool {
        !self.is_alive() && (self.joined || self.detached)
    }
}

impl State {
    /// The thread with whose number a thread's identifier was first given out.
    pub(crate) fn id_of(&self, thread: ThreadId) -> ThreadId {
        let given = self.rest.ids.iter().find(|(holder, _)| *holder == thread);
        given.map_or(thread, |(_, id)| *id)
    }

    /// The identifiers that no thread has any more, ascending.
    pub(crate) fn free_ids(&self) -> Vec<ThreadId> {
        let with = |over: bool| self.thread_ids().filter(move |id| self.thread(*id).is_over() == over);
        let taken: Vec<ThreadId> = with(false).map(|id| self.id_of(id)).collect();
        let mut free: Vec<ThreadId> = with(true).map(|id| self.id_of(id)).collect();
        free.retain(|id| !taken.contains(id));
        free.sort_unstable();
        free.dedup();
        free
    }

    /// Whether two threads may have the same stack, of which the first one's
    /// life was over before the other began.
    pub(crate) fn may_share_stack(&self, old: ThreadId, new: ThreadId) -> bool {
        self.id_of(old) == self.id_of(new) || self.rest.heirs.binary_search(&(new, old)).is_ok()
    }

    /// Whether anything is known of what was on a thread's stack.
    pub(crate) fn leaves_locals(&self, thread: ThreadId) -> bool {
        let blocks = self.memory.slots.iter().map(|object| object.block);
        blocks.into_iter().any(|block| block.ended.is_some() && block.stack == Some(thread))
    }

    /// Notes whose stack a thread that is about to start may get.
    pub(crate) fn note_heir(&mut self, heir: ThreadId) {
        let is_left = |old: &ThreadId| self.thread(*old).is_over() && self.leaves_locals(*old);
        let stacks: Vec<ThreadId> = self.thread_ids().filter(is_left).collect();
        if !stacks.is_empty() {
            self.rest_mut().heirs.extend(stacks.into_iter().map(|old| (heir, old)));
        }
    }

    /// Forgets stacks to which nothing points any more.
    pub(crate) fn forget_heirs(&mut self) {
        if self.rest.heirs.iter().any(|(_, old)| !self.leaves_locals(*old)) {
            let mut heirs = self.rest.heirs.clone();
            heirs.retain(|(_, old)| self.leaves_locals(*old));
            self.rest_mut().heirs = heirs;
        }
    }

    /// The thread that a handle names. Handles count from 1.
    pub(crate) fn thread_of_handle(&self, handle: Value) -> Option<ThreadId> {
        let id = match handle.object.as_thread() {
            Some(id) => (handle.undef == 0 && handle.bits == 0).then_some(id)?,
            None => {
                let index = handle.bits.checked_sub(1).filter(|_| handle.is_plain())?;
                ThreadId(u32::try_from(index).ok()?)
            }
        };
        if self.rest.ids.is_empty() {
            return ((id.0 as usize) < self.threads.len()).then_some(id);
        }
        // If the lives of all that had it are over, it is the last one that is meant.
        let holders = self.thread_ids().filter(|thread| self.id_of(*thread) == id);
        holders.max_by_key(|thread| (!self.thread(*thread).is_over(), *thread))
    }
}

impl Machine {
    /// The handle of a thread, as `pthread_self` yields it.
    pub(crate) fn handle_of(&self, state: &State, thread: ThreadId) -> Value {
        let id = state.id_of(thread);
        match self.tags_handles {
            false => Value::int(u64::from(id.0) + 1),
            true => Value::pointer(ObjectId::thread(id), 0),
        }
    }

    /// Whether it matters to threads that are created later that the life of
    /// this one is over.
    pub(crate) fn gives_back(&self, state: &State, thread: ThreadId) -> bool {
        let stack = || self.tells_addresses && state.leaves_locals(thread);
        state.thread(thread).is_over() && (self.tells_thread_ids || stack())
    }

    /// How many identifiers a thread that is created now may get.
    pub(crate) fn id_choices(&self, state: &State) -> u64 {
        if self.tells_thread_ids { 1 + state.free_ids().len() as u64 } else { 1 }
    }
}
