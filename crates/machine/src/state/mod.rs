//! States.

pub(crate) mod buffer;
pub(crate) mod frames;
pub(crate) mod later;
pub(crate) mod list;
pub(crate) mod shared;
pub(crate) mod thread;
mod thread_ids;

use ir::FuncId;
use serde::{Deserialize, Serialize};
use triomphe::Arc;

use crate::identity::base::Base;
use crate::memory::Memory;
use crate::memory::object::Site;
use crate::race::Clock;
use crate::state::list::List;
use crate::state::thread::Thread;
use crate::telling::fault::ThreadId;
use crate::value::{ObjectId, Value};

/// A configuration of the program: memory, threads, synchronisation objects.
/// Its parts are shared between states, and so are the lists of them: cloning
/// costs the same for every state, and a step copies only what it changes.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) memory: Memory,
    pub(crate) threads: List<Thread>,
    pub(crate) rest: Arc<Rest>,
    /// What it was when it was last normal.
    pub(crate) base: Option<Arc<Base>>,
}

/// What belongs to no thread and no object.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Rest {
    /// Keys of thread-specific values, by number; `None` once deleted.
    pub keys: Vec<Option<Destructor>>,
    /// What the last atomic section published.
    pub section_clock: Clock,
    /// Heap objects that nothing leads to any more, where leaks are looked for:
    /// where each was made, and its size.
    pub lost: Vec<(Site, u64)>,
    /// Pairs of objects that turned out to have different addresses, though one
    /// could have got the other's ([`crate::memory::reuse`]). Ascending.
    pub apart: Vec<(ObjectId, ObjectId)>,
    /// Threads that were given the identifier of another, ascending, and whose
    /// number that is.
    pub ids: Vec<(ThreadId, ThreadId)>,
    /// Threads that may have the stack of another, whose life was over before,
    /// as far as something still points to what was on it. Ascending.
    pub heirs: Vec<(ThreadId, ThreadId)>,
    /// The states of automata that safety formulas are decided with (`temporal/monitor.rs`).
    pub monitor: u64,
}

/// A key's destructor: a function or nothing.
pub(crate) type Destructor = Option<FuncId>;

impl State {
    #[inline]
    pub(crate) fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.0 as usize]
    }

    #[inline]
    pub(crate) fn thread_mut(&mut self, id: ThreadId) -> &mut Thread {
        Arc::make_mut(&mut self.threads[id.0 as usize])
    }

    pub(crate) fn rest_mut(&mut self) -> &mut Rest {
        Arc::make_mut(&mut self.rest)
    }

    /// The registers of a thread's innermost call; none if it ended.
    pub fn registers(&self, thread: ThreadId) -> &[Value] {
        self.thread(thread).frames.last().map_or(&[], |frame| &frame.regs)
    }

    /// All threads there ever were, ended ones included.
    pub fn thread_ids(&self) -> impl ExactSizeIterator<Item = ThreadId> + DoubleEndedIterator + use<> {
        (0..self.threads.len()).map(|index| ThreadId(index as u32))
    }

    /// The threads that have not ended.
    pub fn alive(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.thread_ids().filter(|id| self.thread(*id).is_alive())
    }

    /// The threads that no other has joined, ended or not.
    pub fn unjoined(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.thread_ids().filter(|id| !self.thread(*id).joined)
    }

    /// Whether only one thread can still do anything.
    pub(crate) fn is_alone(&self) -> bool {
        // The last ones are more likely to be alive than those before them.
        self.thread_ids().rev().filter(|thread| self.thread(*thread).is_alive()).nth(1).is_none()
    }
}
