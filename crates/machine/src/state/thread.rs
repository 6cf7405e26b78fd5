//! Threads and their frames.

use ir::{FuncId, GlobalId, Pc};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use triomphe::Arc;

use crate::memory::object::Site;
use crate::race::Clocks;
use crate::state::buffer::Buffer;
use crate::state::frames::Frames;
use crate::state::shared::Shared;
use crate::value::{ObjectId, Value};

/// Where a synchronisation object lives.
pub(crate) type SyncPlace = (ObjectId, u64);

/// What a thread is doing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Status {
    /// About to execute its next instruction.
    Ready,
    /// In `pthread_cond_wait`: it has released the mutex.
    Waiting(CondWait),
    /// In `pthread_barrier_wait`.
    AtBarrier(SyncPlace),
    /// Over.
    Ended,
}

/// A wait on a condition variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct CondWait {
    pub cond: SyncPlace,
    pub mutex: SyncPlace,
    pub timed: bool,
    /// Whether it was signalled; waking before that is spurious.
    pub signalled: bool,
}

/// A thread. Every step copies the one that moves, so what few steps change is
/// shared with the copy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Thread {
    pub frames: Frames,
    pub status: Status,
    pub detached: bool,
    pub joined: bool,
    /// Nested atomic sections.
    pub atomic: u32,
    pub stack_used: u64,
    pub clocks: Shared<Clocks>,
    pub own: Shared<Belongings>,
}

/// What belongs to a thread besides its calls.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Belongings {
    /// What it ended with.
    pub result: Value,
    /// Set once the thread is ending: destructors of thread-specific values run.
    pub ending: Option<Ending>,
    /// Instances of thread-local variables, ascending.
    pub locals: Vec<(GlobalId, ObjectId)>,
    /// Thread-specific values that are not null, ascending by key.
    pub specifics: Vec<(u32, Value)>,
    /// Its stores that memory does not have yet.
    pub buffer: Buffer,
    /// Where it was created; `None` for the first.
    pub created: Option<Site>,
}

/// How far an ending thread's destructors are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ending {
    /// So many rounds over the keys are complete.
    pub rounds: u32,
    /// The key that is looked at next.
    pub key: u32,
}

/// A call in progress.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Frame {
    pub function: FuncId,
    /// The next instruction; of a caller, the call itself.
    pub pc: Pc,
    pub regs: Box<[Value]>,
    /// Objects that end with the frame, and what they take of the stack.
    pub objects: SmallVec<[(ObjectId, u64); 2]>,
    /// The object that holds the variable arguments.
    pub arguments: Option<ObjectId>,
    /// Bytes done of a copy in progress.
    pub progress: u64,
    /// What the copy has read and not yet written.
    pub pending: Option<Value>,
    /// Whether it is a caller's, without anything that is never read again: it
    /// stays so until control returns to it. No part of what makes states equal.
    pub buried: bool,
}

impl Thread {
    /// Calls `f` with all values that carry a symbol.
    pub fn each_symbolic(&mut self, mut f: impl FnMut(&mut Value)) {
        let mut look = |value: &mut Value| {
            if value.is_symbolic() {
                f(value);
            }
        };
        if self.own.values().any(|value| value.is_symbolic()) {
            self.own.values_mut().for_each(&mut look);
        }
        if self.own.buffer.values().any(|value| value.is_symbolic()) {
            self.own.buffer.values_mut().for_each(&mut look);
        }
        let is_symbolic =
            |frame: &Arc<Frame>| frame.regs.iter().chain(&frame.pending).any(|value| value.is_symbolic());
        if self.frames.iter().any(is_symbolic) {
            self.frames.each_mut(|frame| {
                if is_symbolic(frame) {
                    let frame = Arc::make_mut(frame);
                    frame.regs.iter_mut().chain(&mut frame.pending).for_each(&mut look);
                }
            });
        }
    }

    /// Whether one of the objects that it refers to is such.
    pub fn refers_to(&self, is_such: impl Fn(ObjectId) -> bool) -> bool {
        let mut found = false;
        references(self, |id| found |= is_such(id));
        found || self.frames.iter().flat_map(|frame| &frame.objects).any(|(id, _)| is_such(*id))
    }

    /// Gives the objects that a thread refers to other numbers.
    pub fn renumber(this: &mut Arc<Thread>, number: impl Fn(ObjectId) -> ObjectId) {
        if !this.refers_to(|id| number(id) != id) {
            return;
        }
        let thread = Arc::make_mut(this);
        let change = |id: &mut ObjectId| *id = number(*id);
        match &mut thread.status {
            Status::Waiting(wait) => {
                change(&mut wait.cond.0);
                change(&mut wait.mutex.0);
            }
            Status::AtBarrier(at) => change(&mut at.0),
            Status::Ready | Status::Ended => {}
        }
        thread.frames.each_mut(|frame| Frame::renumber(frame, &number));
        let mut same = true;
        thread.own.references(|id| same &= number(id) == id);
        if !same {
            thread.own.references_mut(change);
        }
    }

    pub fn new(created: Option<Site>) -> Thread {
        Thread {
            frames: Frames::default(),
            status: Status::Ready,
            detached: false,
            joined: false,
            atomic: 0,
            stack_used: 0,
            clocks: Shared::default(),
            own: Belongings::new(created).into(),
        }
    }

    /// Whether it has not moved yet. No thread gets back there: nothing jumps to the
    /// first instruction of a function.
    pub fn is_at_beginning(&self) -> bool {
        self.status == Status::Ready && self.frames.len() == 1 && self.frame().pc == 0
    }

    #[inline]
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a thread that moves has a frame")
    }

    #[inline]
    pub fn frame_mut(&mut self) -> &mut Frame {
        let frame = Arc::make_mut(self.frames.last_mut().expect("a thread that moves has a frame"));
        frame.buried = false;
        frame
    }

    pub fn is_alive(&self) -> bool {
        self.status != Status::Ended
    }
}

impl Belongings {
    fn new(created: Option<Site>) -> Belongings {
        let (locals, specifics) = (Vec::new(), Vec::new());
        let buffer = Buffer::default();
        Belongings { result: Value::int(0), ending: None, locals, specifics, buffer, created }
    }

    /// The values that it holds outside of memory.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        std::iter::once(&self.result).chain(self.specifics.iter().map(|(_, value)| value))
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        std::iter::once(&mut self.result).chain(self.specifics.iter_mut().map(|(_, value)| value))
    }

    /// Calls `f` with every object it refers to.
    fn references(&self, mut f: impl FnMut(ObjectId)) {
        self.locals.iter().for_each(|(_, object)| f(*object));
        self.values().for_each(|value| f(value.object));
        self.buffer.references(f);
    }

    fn references_mut(&mut self, mut f: impl FnMut(&mut ObjectId)) {
        self.locals.iter_mut().for_each(|(_, object)| f(object));
        self.values_mut().for_each(|value| f(&mut value.object));
        self.buffer.references_mut(f);
    }
}

impl Frame {
    /// Gives the objects that a frame refers to other numbers.
    fn renumber(this: &mut Arc<Frame>, number: impl Fn(ObjectId) -> ObjectId) {
        let values = this.regs.iter().chain(&this.pending).map(|value| &value.object);
        let objects = this.objects.iter().map(|(id, _)| id);
        let mut ids = values.chain(objects).chain(&this.arguments);
        if ids.all(|id| number(*id) == *id) {
            return;
        }
        let frame = Arc::make_mut(this);
        let values = frame.regs.iter_mut().chain(&mut frame.pending).map(|value| &mut value.object);
        let objects = frame.objects.iter_mut().map(|(id, _)| id);
        let ids = values.chain(objects).chain(&mut frame.arguments);
        ids.for_each(|id| *id = number(*id));
    }

    pub fn new(function: FuncId, slots: usize) -> Frame {
        Frame {
            function,
            pc: 0,
            regs: vec![Value::UNDEF; slots].into(),
            objects: SmallVec::new(),
            arguments: None,
            progress: 0,
            pending: None,
            buried: false,
        }
    }

    pub fn site(&self) -> Site {
        Site { function: self.function, pc: self.pc }
    }
}

/// Calls `f` with every object a thread refers to, in a fixed order.
pub(crate) fn references(thread: &Thread, mut f: impl FnMut(ObjectId)) {
    first_references(thread, &mut f);
    later_references(thread, 0, f);
}

/// Calls `f` with those that come before those of its calls.
pub(crate) fn first_references(thread: &Thread, mut f: impl FnMut(ObjectId)) {
    match &thread.status {
        Status::Waiting(wait) => {
            f(wait.cond.0);
            f(wait.mutex.0);
        }
        Status::AtBarrier(at) => f(at.0),
        Status::Ready | Status::Ended => {}
    }
    f(thread.own.result.object);
}

/// Calls `f` with those of its calls from a depth on at which a block of them begins, and
/// with those that come after them.
pub(crate) fn later_references(thread: &Thread, depth: usize, mut f: impl FnMut(ObjectId)) {
    for frame in thread.frames.beyond(depth) {
        frame.regs.iter().for_each(|value| f(value.object));
        frame.arguments.into_iter().for_each(&mut f);
        frame.pending.into_iter().for_each(|value| f(value.object));
    }
    thread.own.locals.iter().for_each(|(_, object)| f(*object));
    thread.own.specifics.iter().for_each(|(_, value)| f(value.object));
    thread.own.buffer.references(f);
}
