//! States as lists of parts.
//!
//! A part of a normal state (a thread, an object, the rest) is equal to a part
//! of another if the two are interchangeable: what is remembered only for
//! messages does not count. Few distinct parts make many states.

use ir::{FuncId, Pc};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use triomphe::Arc;

use crate::identity::base::{has_times, holes, timed};
use crate::identity::normalise::ranks;
use crate::independence::depends::Other;
use crate::memory::object::{Life, Object, Origin};
use crate::memory::{Addresses, Memory};
use crate::race::knowers::Knowers;
use crate::race::{Record, Shadow};
use crate::state::thread::{Belongings, Frame, Status, Thread};
use crate::state::{Rest, State};
use crate::symbolic::symbols::Sym;
use crate::telling::fault::ThreadId;

/// A part of a normal state. Cheap to clone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part(Kind);

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Kind {
    Addresses(Arc<Addresses>),
    Rest(Arc<Rest>),
    Thread(Arc<Thread>),
    Object(Arc<Object>),
}

/// What a part is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// The addresses of objects as numbers.
    Addresses,
    /// What belongs to no thread and no object.
    Rest,
    /// A thread: whether it is not over, whether in an atomic section, and whether
    /// another one has joined it.
    #[allow(missing_docs)]
    Thread { alive: bool, atomic: bool, joined: bool },
    /// An object: whether it names threads, which hold it or wait at it.
    #[allow(missing_docs)]
    Object { names: bool },
}

impl State {
    /// The parts of a normal state: addresses, the rest, threads, objects.
    pub fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        let first = [Kind::Addresses(self.memory.addresses.clone()), Kind::Rest(self.rest.clone())];
        let threads = self.threads.iter().cloned().map(Kind::Thread);
        let objects = self.memory.slots.iter().skip(1).cloned().map(Kind::Object);
        first.into_iter().chain(threads).chain(objects).map(Part)
    }

    /// How many threads and objects a normal state has.
    pub fn shape(&self) -> (usize, usize) {
        (self.threads.len(), self.memory.slots.len() - 1)
    }

    /// The part of a thread or an object.
    pub fn part(&self, other: Other) -> Part {
        Part(match other {
            Other::Thread(index) => Kind::Thread(Arc::clone(&self.threads[index as usize])),
            Other::Object(slot) => Kind::Object(Arc::clone(&self.memory.slots[slot as usize])),
        })
    }

    /// Calls `f` with the addresses, the rest, and those threads and objects of
    /// a normal state that it does not share with an older one, each with its
    /// number among the threads or among the objects, ascending. Looks at none
    /// that they share.
    pub fn parts_unlike(&self, old: Option<&State>, mut f: impl FnMut(Part, usize)) {
        f(Part(Kind::Addresses(self.memory.addresses.clone())), 0);
        f(Part(Kind::Rest(self.rest.clone())), 0);
        let mut thread = |index| f(self.part(Other::Thread(index as u32)), index);
        if let Some(old) = old {
            old.threads.differences(&self.threads, &mut thread);
        }
        (old.map_or(0, |old| old.threads.len())..self.threads.len()).for_each(thread);
        let slots = &self.memory.slots;
        // The first slot holds no object of the program.
        let mut object = |slot| {
            if slot > 0 {
                f(self.part(Other::Object(slot as u32)), slot - 1)
            }
        };
        if let Some(old) = old {
            old.memory.slots.differences(slots, &mut object);
        }
        (old.map_or(1, |old| old.memory.slots.len())..slots.len()).for_each(object);
    }

    /// The normal state of this shape ([`State::shape`]) that has some other
    /// parts than this one, given as by [`State::parts_unlike`].
    pub fn with_parts(&self, (threads, objects): (usize, usize), parts: Vec<(usize, Part)>) -> State {
        let mut state = self.clone();
        state.threads.truncate(threads);
        state.memory.slots.truncate(objects + 1);
        let mut timed: Vec<u32> =
            self.base.iter().flat_map(|base| base.known.timed.iter().copied()).collect();
        let mut holes: Vec<u32> =
            self.base.iter().flat_map(|base| base.known.holes.iter().copied()).collect();
        let mut changed = Vec::new();
        for (index, part) in parts {
            match part.0 {
                Kind::Addresses(addresses) => state.memory.addresses = addresses,
                Kind::Rest(rest) => state.rest = rest,
                Kind::Thread(thread) => {
                    changed.push(index);
                    state.threads.put(index, thread);
                }
                Kind::Object(object) => {
                    timed.push(index as u32 + 1);
                    holes.extend(object.is_hole().then_some(index as u32 + 1));
                    state.memory.advance_clock(object.block);
                    state.memory.slots.put(index + 1, object);
                }
            }
        }
        timed.retain(|slot| state.memory.slots.get(*slot as usize).is_some_and(|object| has_times(object)));
        timed.sort_unstable();
        timed.dedup();
        holes.retain(|slot| state.memory.slots.get(*slot as usize).is_some_and(|object| object.is_hole()));
        holes.sort_unstable();
        holes.dedup();
        let before = self.base.as_ref().and_then(|base| base.known.knowers.as_ref());
        let knowers = Knowers::after(before, &state, &ranks(&state, &timed, before), &changed);
        state.set_base(timed.into(), holes.into(), knowers);
        state
    }

    /// The normal state with these parts, in the order of [`State::parts`].
    /// `word` is the program's pointer size.
    pub fn from_parts(parts: impl Iterator<Item = Part>, word: u64) -> State {
        let mut memory = Memory::new(word);
        let (mut threads, mut objects) = (Vec::new(), vec![Arc::clone(&memory.slots[0])]);
        let mut rest = Arc::default();
        for part in parts {
            match part.0 {
                Kind::Addresses(addresses) => memory.addresses = addresses,
                Kind::Rest(part) => rest = part,
                Kind::Thread(thread) => threads.push(thread),
                Kind::Object(object) => objects.push(object),
            }
        }
        memory.slots = objects.into_iter().collect();
        memory.set_clock(memory.latest_time());
        let mut state = State { memory, threads: threads.into_iter().collect(), rest, base: None };
        state.set_base(timed(&state), holes(&state), None);
        state
    }
}

impl Part {
    /// What it is of.
    pub fn sort(&self) -> Sort {
        match &self.0 {
            Kind::Addresses(_) => Sort::Addresses,
            Kind::Rest(_) => Sort::Rest,
            Kind::Thread(thread) => {
                Sort::Thread { alive: thread.is_alive(), atomic: thread.atomic > 0, joined: thread.joined }
            }
            Kind::Object(object) => Sort::Object { names: !object.named_threads().is_empty() },
        }
    }

    /// The function and the instruction that a thread executes next; none for one
    /// that waits or has ended, and for what is no thread.
    pub fn next_site(&self) -> Option<(FuncId, Pc)> {
        let Kind::Thread(thread) = &self.0 else { return None };
        let site = || thread.frames.last().map(|frame| (frame.function, frame.pc));
        if thread.status == Status::Ready { site() } else { None }
    }

    /// The thread that has the mutex or spin lock at an offset of an object.
    pub fn lock_owner(&self, offset: u64) -> Option<ThreadId> {
        let Kind::Object(object) = &self.0 else { return None };
        object.sync_at(offset)?.lock_owner()
    }

    /// The threads that an object names.
    pub fn named_threads(&self) -> SmallVec<[ThreadId; 4]> {
        match &self.0 {
            Kind::Object(object) => object.named_threads(),
            _ => SmallVec::new(),
        }
    }

    /// The part with other symbols in place of its own, which are passed in a
    /// fixed order.
    pub fn with_symbols(&self, mut other: impl FnMut(Sym) -> Sym) -> Part {
        let mut part = self.clone();
        match &mut part.0 {
            Kind::Thread(thread) => {
                Arc::make_mut(thread).each_symbolic(|value| value.sym = other(value.sym));
            }
            Kind::Object(object) if !object.unknown.is_empty() => {
                Arc::make_mut(object).unknown.iter_mut().for_each(|cell| cell.sym = other(cell.sym));
            }
            Kind::Object(_) | Kind::Addresses(_) | Kind::Rest(_) => {}
        }
        part
    }

    /// Its symbols, in the same order.
    pub fn symbols(&self) -> Vec<Sym> {
        let mut symbols = Vec::new();
        self.with_symbols(|symbol| {
            symbols.push(symbol);
            symbol
        });
        symbols
    }

    /// About how many bytes it takes, what it shares with others included.
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Kind::Addresses(addresses) => {
                let lists = size_of_val(&*addresses.pinned) + size_of_val(&*addresses.below);
                size_of_val(&**addresses) + lists
            }
            Kind::Rest(rest) => {
                let lists = size_of_val(&*rest.keys) + size_of_val(&*rest.lost) + size_of_val(&*rest.apart);
                let lists = lists + size_of_val(&*rest.ids) + size_of_val(&*rest.heirs);
                size_of_val(&**rest) + lists
            }
            Kind::Thread(thread) => size_of_val(&**thread) + thread.frames.bytes(),
            Kind::Object(object) => {
                let undef = object.undef.as_ref().map_or(0, |undef| undef.len());
                let lists = size_of_val(&*object.pointers)
                    + size_of_val(&*object.unknown)
                    + size_of_val(&*object.sync);
                let cells = size_of_val(&*object.shadow.cells) + size_of_val(&*object.shadow.releases);
                size_of_val(&**object) + object.data.len() + undef + lists + cells
            }
        }
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        match (&self.0, &other.0) {
            (Kind::Addresses(a), Kind::Addresses(b)) => Arc::ptr_eq(a, b) || a == b,
            (Kind::Rest(a), Kind::Rest(b)) => Arc::ptr_eq(a, b) || same_rest(a, b),
            (Kind::Thread(a), Kind::Thread(b)) => Arc::ptr_eq(a, b) || same_thread(a, b),
            (Kind::Object(a), Kind::Object(b)) => Arc::ptr_eq(a, b) || same_object(a, b),
            _ => false,
        }
    }
}

impl Eq for Part {}

impl Hash for Part {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut hasher = FxHasher::default();
        match &self.0 {
            Kind::Addresses(addresses) => addresses.hash(&mut hasher),
            Kind::Rest(rest) => {
                rest.keys.hash(&mut hasher);
                rest.lost.len().hash(&mut hasher);
                rest.apart.hash(&mut hasher);
                rest.ids.hash(&mut hasher);
                rest.heirs.hash(&mut hasher);
                rest.monitor.hash(&mut hasher);
            }
            Kind::Thread(thread) => hash_thread(thread, &mut hasher),
            Kind::Object(object) => hash_object(object, &mut hasher),
        }
        state.write_u64(hasher.finish());
    }
}

fn same_rest(a: &Rest, b: &Rest) -> bool {
    a.keys == b.keys
        && a.section_clock == b.section_clock
        && a.lost.len() == b.lost.len()
        && a.apart == b.apart
        && a.ids == b.ids
        && a.heirs == b.heirs
        && a.monitor == b.monitor
}

fn same_thread(a: &Thread, b: &Thread) -> bool {
    a.status == b.status
        && a.detached == b.detached
        && a.joined == b.joined
        && a.atomic == b.atomic
        && a.stack_used == b.stack_used
        && a.clocks == b.clocks
        && same_own(&a.own, &b.own)
        && a.frames.same(&b.frames, same_frame)
}

/// Where a thread was created is only for messages.
fn same_own(a: &Belongings, b: &Belongings) -> bool {
    std::ptr::eq(a, b)
        || a.result == b.result
            && a.ending == b.ending
            && a.locals == b.locals
            && a.specifics == b.specifics
            && a.buffer == b.buffer
}

fn same_frame(a: &Frame, b: &Frame) -> bool {
    a.function == b.function
        && a.pc == b.pc
        && a.regs == b.regs
        && a.objects == b.objects
        && a.arguments == b.arguments
        && a.progress == b.progress
        && a.pending == b.pending
}

fn hash_thread(thread: &Thread, hasher: &mut FxHasher) {
    std::mem::discriminant(&thread.status).hash(hasher);
    (thread.detached, thread.joined, thread.atomic).hash(hasher);
    thread.frames.hash().hash(hasher);
    thread.clocks.now.hash(hasher);
}

fn same_object(a: &Object, b: &Object) -> bool {
    same_life(a.life, b.life)
        && same_origin(a.origin, b.origin)
        && (a.shared, a.public) == (b.shared, b.public)
        && a.align == b.align
        && a.block == b.block
        && a.data == b.data
        && a.undef == b.undef
        && a.pointers == b.pointers
        && a.unknown == b.unknown
        && a.sync == b.sync
        && same_shadow(&a.shadow, &b.shadow)
        && a.open == b.open
}

fn same_life(a: Life, b: Life) -> bool {
    std::mem::discriminant(&a) == std::mem::discriminant(&b)
}

/// A global is itself; of other objects only how they may be freed counts.
fn same_origin(a: Origin, b: Origin) -> bool {
    match (a, b) {
        (Origin::Global(a), Origin::Global(b)) => a == b,
        (Origin::Global(_), _) | (_, Origin::Global(_)) => false,
        (Origin::Heap(_, a), Origin::Heap(_, b)) => a == b,
        (Origin::Heap(..), _) | (_, Origin::Heap(..)) => false,
        _ => true,
    }
}

fn same_shadow(a: &Shadow, b: &Shadow) -> bool {
    let same_record = |(a, b): (&Record, &Record)| (a.key(), a.epoch) == (b.key(), b.epoch);
    a.releases == b.releases
        && a.cells.len() == b.cells.len()
        && a.cells.iter().zip(&b.cells).all(|(a, b)| {
            (a.start, a.end) == (b.start, b.end)
                && a.records.len() == b.records.len()
                && a.records.iter().zip(&b.records).all(same_record)
        })
}

fn hash_object(object: &Object, hasher: &mut FxHasher) {
    (object.shared, object.block, &object.data, &object.pointers, &object.unknown).hash(hasher);
    object.undef.hash(hasher);
    for cell in &object.shadow.cells {
        for record in &cell.records {
            (cell.start, record.thread, record.epoch).hash(hasher);
        }
    }
    object.sync.len().hash(hasher);
}
