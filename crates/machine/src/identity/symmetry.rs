//! Thread symmetry: states that differ only by the numbers of threads have the
//! same future.
//!
//! A renaming is applied to the whole state: the order of threads, the owners
//! of locks, clocks, remembered accesses, and handles. For that handles must be
//! told from numbers, which a machine made [with tagged
//! handles](Machine::with_tagged_handles) does. A program that computes with a
//! handle, compares it with a number or makes one from a number depends on how
//! threads are numbered; that is noticed ([`Machine::uses_thread_numbers`]),
//! and the search that renames must then give up.
//!
//! `main` keeps its number: the process ends with it.
//!
//! [`Machine::sort_threads`] chooses the representative: threads are sorted by
//! what they look like from their own point of view, then by where their
//! handles are. Where two are the same in both they keep their order, so that
//! some states that could be merged are not.
//! Then the joins that `main` is about to do are sorted ([`crate::identity::joins`]).

use ir::{Instr, SyncOp};
use triomphe::Arc;

use crate::identity::canonical::Encoder;
use crate::machine::Machine;
use crate::memory::object::Object;
use crate::state::State;
use crate::state::thread::{Frame, Status};
use crate::symbolic::symbols::{Concrete, Symbols};
use crate::sync::{Mutex, Once, SyncObject};
use crate::telling::fault::{ThreadId, Touch};
use crate::value::ObjectId;

/// New numbers for threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renaming(Vec<ThreadId>);

impl Renaming {
    /// The new numbers of all threads; `main` keeps its own.
    pub fn new(numbers: Vec<ThreadId>) -> Renaming {
        assert!(numbers.first().is_none_or(|main| main.0 == 0), "main keeps its number");
        Renaming(numbers)
    }

    /// Every thread keeps its number.
    pub fn identity(threads: usize) -> Renaming {
        Renaming((0..threads as u32).map(ThreadId).collect())
    }

    /// The new number of a thread; of one that is not there yet, its own.
    #[inline]
    pub fn new_number(&self, thread: ThreadId) -> ThreadId {
        self.0.get(thread.0 as usize).copied().unwrap_or(thread)
    }

    /// The thread that gets this number.
    pub fn old_number(&self, thread: ThreadId) -> ThreadId {
        let index = self.0.iter().position(|new| *new == thread);
        index.map_or(thread, |index| ThreadId(index as u32))
    }

    /// First this one, then another.
    pub fn then(&self, other: &Renaming) -> Renaming {
        let threads = self.0.len().max(other.0.len()) as u32;
        Renaming((0..threads).map(|t| other.new_number(self.new_number(ThreadId(t)))).collect())
    }

    fn is_identity(&self) -> bool {
        self.0.iter().enumerate().all(|(index, new)| new.0 as usize == index)
    }
}

impl Machine {
    /// Whether what happens depends on the numbers of threads.
    pub fn uses_thread_numbers(&self, state: &State) -> bool {
        let numbered =
            || state.memory.addresses.pinned.iter().any(|(_, object)| object.as_thread().is_some());
        self.tells_thread_ids || numbered()
    }

    /// Notes that a thread was named by its number.
    pub(crate) fn note_number(&self, state: &mut State, thread: ThreadId) {
        if self.tags_handles {
            state.memory.pin(ObjectId::thread(thread), &self.constants);
        }
    }

    /// The thread that a signal wakes with this choice.
    pub fn woken(&self, state: &State, thread: ThreadId, choice: u64) -> Option<ThreadId> {
        if state.thread(thread).status != Status::Ready {
            return None;
        }
        let frame = state.thread(thread).frame();
        match &self.program().function(frame.function).code[frame.pc as usize] {
            Instr::Sync { op: SyncOp::CondSignal, args, .. } => {
                let cond = self.peek_place(state, thread, args[0])?;
                self.waiters(state, cond).get(choice as usize).copied()
            }
            _ => None,
        }
    }

    /// Brings a normal state into the form in which threads are sorted; says
    /// how they were renamed. The state is normal again afterwards.
    pub fn sort_threads(&self, state: &mut State) -> Renaming {
        let renaming = self.sorting(state);
        self.sort_threads_by(state, &renaming, &mut Concrete);
        renaming
    }

    /// The same for a state of which some numbers are not known. They have no bearing on the order,
    /// so that states which differ in them alone are sorted alike.
    pub fn sort_threads_with<S: Symbols>(&self, state: &mut State, symbols: &mut S) {
        let mut bare = state.clone();
        self.forget_unknown(&mut bare);
        self.sort_threads_by(state, &self.sorting(&bare), symbols);
    }

    /// The new numbers that threads get when they are sorted.
    fn sorting(&self, state: &State) -> Renaming {
        let threads = state.threads.len();
        let mut renaming = Renaming::identity(threads);
        if threads <= 2 {
            return renaming;
        }
        let handles = handles(state);
        let place = |t: usize| handles.iter().position(|handle| handle.0 as usize == t);
        let mut order: Vec<_> = (1..threads).map(|t| (self.look(state, t), place(t), t)).collect();
        order.sort();
        for (new, (_, _, old)) in order.into_iter().enumerate() {
            renaming.0[old] = ThreadId(new as u32 + 1);
        }
        renaming
    }

    /// Renames the threads, and sorts the joins that `main` is about to do.
    fn sort_threads_by<S: Symbols>(&self, state: &mut State, renaming: &Renaming, symbols: &mut S) {
        if state.threads.len() <= 2 {
            return;
        }
        self.rename_threads(state, renaming);
        let order = self.joins_ahead(state, symbols);
        // Those that still run come first: main then waits for all of them.
        let mut sorted = order.clone();
        sorted.sort_by_key(|thread| (!state.thread(*thread).is_alive(), *thread));
        if order != sorted {
            let new = |thread| order.iter().position(|t| *t == thread).map_or(thread, |index| sorted[index]);
            rename_handles(state, new);
        }
    }

    /// Renames the threads of a normal state, which stays normal.
    pub fn rename_threads(&self, state: &mut State, renaming: &Renaming) {
        if !renaming.is_identity() {
            rename(state, renaming);
            self.normalise(state);
        }
    }

    /// What a thread looks like from its own point of view: all that it can
    /// reach but globals, what it holds of these, and what is remembered of its
    /// accesses. Ended ones come first.
    fn look(&self, state: &State, thread: usize) -> Vec<u8> {
        let id = ThreadId(thread as u32);
        let mut out = Vec::new();
        let mut encoder = Encoder::new(self, state, &mut out).seen_by(id);
        encoder.byte(u8::from(state.threads[thread].is_alive()));
        encoder.number_globals();
        let globals = encoder.met();
        encoder.thread(&state.threads[thread]);
        encoder.objects_from(globals);
        for (slot, object) in state.memory.slots.iter().enumerate() {
            for (at, sync) in object.sync.iter().filter(|(_, sync)| holds(sync, id)) {
                encoder.number(slot as u64);
                encoder.number(u64::from(*at));
                encoder.byte(u8::from(matches!(sync, SyncObject::RwLock(lock) if lock.writer.is_some())));
            }
            for cell in &object.shadow.cells {
                for record in cell.records.iter().filter(|record| record.thread == id) {
                    encoder.number(slot as u64);
                    encoder.number(cell.start);
                    encoder.byte(
                        u8::from(record.mode.touch == Touch::Write) << 1 | u8::from(record.mode.atomic),
                    );
                    encoder.number(u64::from(record.epoch));
                }
            }
        }
        out
    }
}

/// Whether a thread holds a synchronisation object or waits at it.
pub(crate) fn holds(sync: &SyncObject, thread: ThreadId) -> bool {
    sync.named_threads().contains(&thread)
}

/// Gives threads new numbers, everywhere in the state.
fn rename(state: &mut State, renaming: &Renaming) {
    rename_handles(state, |thread| renaming.new_number(thread));
    let mut threads = state.threads.clone();
    for (index, thread) in state.threads.iter().enumerate() {
        threads[renaming.0[index].0 as usize] = Arc::clone(thread);
    }
    state.threads = threads;
    let new = |thread| renaming.new_number(thread);
    state.threads.each_mut(|thread| {
        if !thread.clocks.is_empty() {
            let clocks = &mut *Arc::make_mut(thread).clocks;
            for clock in [&mut clocks.now, &mut clocks.release_fence, &mut clocks.pending] {
                *clock = clock.renamed(new);
            }
        }
    });
    state.memory.slots.each_mut(|object| {
        if !object.sync.is_empty() || !object.shadow.is_empty() || object.block.stack.is_some() {
            let object = Arc::make_mut(object);
            object.block.stack = object.block.stack.map(new);
            object.sync.iter_mut().for_each(|(_, sync)| rename_sync(sync, renaming));
            object.shadow.rename(new);
        }
    });
    if !state.rest.heirs.is_empty() {
        let heirs = &mut state.rest_mut().heirs;
        heirs.iter_mut().for_each(|(heir, old)| (*heir, *old) = (new(*heir), new(*old)));
        heirs.sort_unstable();
    }
    if !state.rest.section_clock.is_empty() {
        let clock = state.rest.section_clock.renamed(new);
        state.rest_mut().section_clock = clock;
    }
}

fn rename_sync(sync: &mut SyncObject, renaming: &Renaming) {
    let new = |thread: &mut ThreadId| *thread = renaming.new_number(*thread);
    for clock in sync.clocks_mut() {
        *clock = clock.renamed(|thread| renaming.new_number(thread));
    }
    match sync {
        SyncObject::Mutex(Mutex { owner, .. }) | SyncObject::Spin(Mutex { owner, .. }) => {
            owner.iter_mut().for_each(new);
        }
        SyncObject::RwLock(lock) => {
            lock.writer.iter_mut().chain(&mut lock.readers).for_each(new);
            lock.readers.sort();
        }
        SyncObject::Barrier(barrier) => {
            barrier.waiting.iter_mut().for_each(new);
            barrier.waiting.sort();
        }
        SyncObject::Once(Once::Running(holder)) => new(holder),
        SyncObject::Once(Once::Done(_) | Once::TakenBack(_))
        | SyncObject::Cond
        | SyncObject::Semaphore(_)
        | SyncObject::Destroyed => {}
    }
}

/// The threads in the order in which their handles stand in memory and in
/// what threads hold. `main` and what it reaches come first.
fn handles(state: &State) -> Vec<ThreadId> {
    let in_objects = state.memory.slots.iter().flat_map(|o| o.pointers.iter().map(|(_, target)| *target));
    let in_frame = |frame: &Arc<Frame>| -> Vec<ObjectId> {
        frame.regs.iter().chain(&frame.pending).map(|value| value.object).collect()
    };
    let in_threads = state.threads.iter().flat_map(|thread| thread.frames.iter().flat_map(in_frame));
    in_objects.chain(in_threads).filter_map(ObjectId::as_thread).collect()
}

/// Makes every handle that of another thread.
fn rename_handles(state: &mut State, new: impl Fn(ThreadId) -> ThreadId) {
    let renamed = |id: ObjectId| id.as_thread().map(|thread| ObjectId::thread(new(thread)));
    let changes = |id: ObjectId| renamed(id).is_some_and(|renamed| renamed != id);
    let change = |id: &mut ObjectId| *id = renamed(*id).unwrap_or(*id);
    state.threads.each_mut(|thread| {
        let own = thread.own.values().any(|value| changes(value.object));
        let in_frame = |frame: &Frame| frame.regs.iter().chain(&frame.pending).any(|v| changes(v.object));
        if own || thread.frames.iter().any(|frame| in_frame(frame)) {
            let thread = Arc::make_mut(thread);
            if own {
                thread.own.values_mut().for_each(|value| change(&mut value.object));
            }
            thread.frames.each_mut(|frame| {
                if in_frame(frame) {
                    let frame = Arc::make_mut(frame);
                    frame.regs.iter_mut().chain(&mut frame.pending).for_each(|v| change(&mut v.object));
                }
            });
        }
    });
    state.memory.slots.each_mut(|object| {
        if object.pointers.iter().any(|(_, target)| changes(*target)) {
            let object: &mut Object = Arc::make_mut(object);
            object.pointers.iter_mut().for_each(|(_, target)| change(target));
        }
    });
}
