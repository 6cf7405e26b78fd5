//! Addresses that are given out again.
//!
//! When an object has ended, its block of the address space may be given to a
//! later object, and a pointer that still holds the old address then equals the
//! new object's address. Programs that compare such pointers go wrong (ABA), so
//! the machine must consider it. It does so as late as possible: two objects of
//! which one could have the other's old block *may be the same* place, and
//! nothing is decided before an instruction looks, by comparing their addresses
//! or by asking for them as numbers. Before that instruction there is a step of
//! its own with two choices:
//!
//! - They are *apart*: this is remembered, so that they stay apart.
//! - They are the *same* place: every pointer to the old object now points to
//!   the new one. Whatever could not have the old object's place cannot have
//!   the new one's either.
//!
//! Following a pointer to an object that ended is a fault either way, so it
//! decides nothing. What can be the same place:
//!
//! - a heap object and one that was allocated after it was freed,
//! - a variable on a stack and a later one on the same stack: of the same
//!   thread, or of one that may have its stack ([`crate::state::State::may_share_stack`]),
//! - a thread-local variable of a thread and the same one of a thread that may have its stack,
//!   beside which such variables lie,
//!
//! if the new one fits into the old one's block, which is as large as what was
//! first allocated there, rounded up to the alignment of any object. That an
//! allocator joins blocks that are free, is not considered.
//!
//! # Order
//!
//! On the heap, which of two threads comes first decides: one that allocates
//! after the other freed can get that block. So where the program can tell
//! ([`Machine::orders_heap`]), allocating is visible, and so is freeing an
//! object to which some pointer is left. Comparing is not: two objects that are
//! both there cannot become the same place by what others do later, and they
//! become apart or the same only in a step of its own, which is visible.
//!
//! # Time
//!
//! The clock counts the objects that were made. An object may have the block of
//! another if it was born later than that one ended. In a normal state times
//! are ranks among those births that matter: of objects that may have the block
//! of an object that ended and is still pointed to. Without dangling pointers
//! all times are 0.

use ir::{Instr, Operand, Pc, Pred, Reg};
use rustc_hash::FxHashSet;
use triomphe::Arc;

use crate::exec::{Exec, Stop};
use crate::machine::Machine;
use crate::memory::object::{Life, Object, Origin};
use crate::memory::order::{Unordered, unordered};
use crate::state::State;
use crate::state::thread::{Frame, Thread, references};
use crate::symbolic::open::{EVERYWHERE, OPEN};
use crate::symbolic::symbols::{Snag, Symbols};
use crate::telling::fault::{ThreadId, Touch};
use crate::telling::observer::{Event, Observer};
use crate::value::arith::Trouble;
use crate::value::{ObjectId, Value};

/// What an instruction finds out about addresses, which nothing has decided yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Undecided {
    /// Whether two objects are the same place.
    Places(Places),
    /// Which of two objects lies lower ([`crate::memory::order`]).
    Order(Unordered),
}

/// Two objects that may be the same place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Places {
    /// The one that ended before the other was made.
    old: ObjectId,
    new: ObjectId,
}

impl Machine {
    /// What the thread's next instruction finds out about addresses. Whether
    /// objects are the same place comes before their order.
    pub(crate) fn undecided(&self, state: &State, thread: ThreadId) -> Option<Undecided> {
        if !self.tells_addresses {
            return None;
        }
        let instr = self.next_instruction(state, thread)?;
        let compared = self.compared(state, thread, instr);
        let places = compared.into_iter().flatten().find_map(|(a, b)| compared_places(state, a, b));
        let ordered = self.ordered(state, thread, instr);
        let places = places
            .or_else(|| ordered.and_then(|(a, b)| may_be_same(state, a.object, b.object)))
            .or_else(|| self.undecided_address(state, thread, instr));
        let order = || ordered.and_then(|(a, b)| unordered(state, a.object, b.object));
        places.map(Undecided::Places).or_else(|| order().map(Undecided::Order))
    }

    /// Whether two threads can find out which of them came first when one
    /// allocates memory and the other frees some.
    pub(crate) fn orders_heap(&self) -> bool {
        self.tells_addresses && self.frees
    }

    /// Whether the next instruction compares addresses of different objects, so
    /// that what it yields depends on those, too.
    pub(crate) fn compares_objects(&self, state: &State, thread: ThreadId, instr: &Instr) -> bool {
        let distinct = |(a, b): (Value, Value)| a.object != b.object && is_address(a) && is_address(b);
        let equality = || self.compared(state, thread, instr).into_iter().flatten().any(distinct);
        self.tells_addresses && (equality() || self.ordered(state, thread, instr).is_some())
    }

    /// Whether it depends on more than the thread whether its next instruction
    /// finds out about addresses.
    pub(crate) fn may_be_undecided(&self, state: &State, thread: ThreadId) -> bool {
        let next = self.next_instruction(state, thread).filter(|_| self.tells_addresses);
        let numbers = !state.memory.addresses.pinned.is_empty();
        next.is_some_and(|instr| {
            let several = || self.operand_objects(state, thread, instr).len() > 1;
            numbers || matches!(instr, Instr::CompareExchange(_)) || several()
        })
    }

    /// The objects that the operands of an instruction point to.
    fn operand_objects(&self, state: &State, thread: ThreadId, instr: &Instr) -> Vec<ObjectId> {
        let mut objects = Vec::new();
        instr.for_each_use(|operand, _| {
            let value = self.peek(state, thread, operand);
            if is_address(value) && !objects.contains(&value.object) {
                objects.push(value.object);
            }
        });
        objects
    }

    /// The values that an instruction compares for equality.
    fn compared(&self, state: &State, thread: ThreadId, instr: &Instr) -> [Option<(Value, Value)>; 2] {
        match instr {
            Instr::Compare { pred: Pred::Eq | Pred::Ne, width, lhs, rhs, .. } if *width <= 64 => {
                [Some((self.peek(state, thread, *lhs), self.peek(state, thread, *rhs))), None]
            }
            Instr::CompareExchange(cx) => {
                let word = state.memory.word;
                let pointer = self.peek(state, thread, cx.ptr);
                let len = u64::from(cx.width).div_ceil(8);
                let Ok((object, offset)) = state.memory.resolve(pointer, len, Touch::Read) else {
                    return [None, None];
                };
                let half = |at: u64, expected: Value| {
                    let old = (at < len && len.min(8) == word).then(|| state.memory.get(object));
                    old??.read(offset + at, word, word).map(|old| (old, expected))
                };
                let high = match cx.expected {
                    Operand::Reg(reg) if len > 8 => {
                        half(8, self.peek(state, thread, Operand::Reg(Reg(reg.0 + 1))))
                    }
                    _ => None,
                };
                [half(0, self.peek(state, thread, cx.expected)), high]
            }
            _ => [None, None],
        }
    }

    /// Whether the next instruction asks for numbers of objects that have none:
    /// it depends on all that have some what it finds out.
    pub(crate) fn asks_for_addresses(&self, state: &State, thread: ThreadId, instr: &Instr) -> bool {
        self.tells_addresses && !self.asked_addresses(state, thread, instr).is_empty()
    }

    /// An object whose address the next instruction asks for as a number, and
    /// another such or one that has a number already, if they may be the same
    /// place.
    fn undecided_address(&self, state: &State, thread: ThreadId, instr: &Instr) -> Option<Places> {
        let asked = self.asked_addresses(state, thread, instr);
        let known = || state.memory.addresses.pinned.iter().map(|(_, object)| object).chain(&asked);
        let pairs = asked.iter().flat_map(|object| known().map(move |other| (*object, *other)));
        pairs.filter(|(a, b)| a != b).find_map(|(a, b)| may_be_same(state, a, b))
    }

    /// The objects without a number that the next instruction asks one for.
    fn asked_addresses(&self, state: &State, thread: ThreadId, instr: &Instr) -> Vec<ObjectId> {
        let mut asked = match instr {
            Instr::Load { width, ptr, .. } => self.split_pointers(state, thread, *ptr, *width),
            _ if self.needs_order_only(state, thread, instr) => return Vec::new(),
            _ if self.needs_addresses(state.thread(thread).frame(), instr) => {
                self.operand_objects(state, thread, instr)
            }
            _ => return Vec::new(),
        };
        asked.retain(|object| object.slot_index().is_some() && state.memory.address(*object).is_none());
        asked
    }

    /// The objects of the pointers of which a load reads a part.
    fn split_pointers(&self, state: &State, thread: ThreadId, ptr: Operand, width: u8) -> Vec<ObjectId> {
        let (word, len) = (state.memory.word, u64::from(width).div_ceil(8));
        let place = state.memory.resolve(self.peek(state, thread, ptr), len, Touch::Read);
        let object = place.ok().and_then(|(id, offset)| Some((state.memory.get(id)?, offset)));
        match object {
            Some((object, offset)) if len <= 8 && object.read(offset, len, word).is_none() => {
                object.pointers[object.pointers_in(offset, len, word)].iter().map(|(_, id)| *id).collect()
            }
            _ => Vec::new(),
        }
    }

    fn needs_addresses(&self, frame: &Frame, instr: &Instr) -> bool {
        if !self.code[frame.function.0 as usize].local[frame.pc as usize] {
            return false;
        }
        let read = |regs: &[Value], operand| self.constant_or_register(regs, operand);
        let mut points = false;
        instr.for_each_use(|operand, _| points |= read(&frame.regs, operand).is_pointer());
        let evaluated = || self.eval(instr, &mut frame.clone(), read, false);
        points && evaluated() == Err(Snag::Trouble(Trouble::NeedsAddress))
    }

    /// Whether other threads can find out when the thread's next instruction
    /// frees an object: a pointer is left that may turn out to point to what is
    /// allocated later.
    pub(crate) fn frees_visibly(&self, state: &State, thread: ThreadId, object: ObjectId) -> bool {
        let shared = || state.memory.get(object).is_some_and(|object| object.shared);
        self.orders_heap() && (shared() || self.leaves_pointers(state, thread, object))
    }

    /// Whether a pointer to an object that only this thread can reach is left
    /// when the object is freed by the thread's next instruction.
    fn leaves_pointers(&self, state: &State, thread: ThreadId, freed: ObjectId) -> bool {
        let mut work = self.held_after(state.thread(thread));
        let mut met = FxHashSet::default();
        while let Some(id) = work.pop() {
            if id == freed {
                return true;
            }
            if let Some(object) = state.memory.get(id).filter(|object| !object.shared && met.insert(id)) {
                work.extend(object.pointers.iter().map(|(_, target)| *target));
            }
        }
        false
    }

    /// The objects that a thread refers to after its next instruction, which
    /// defines no register.
    fn held_after(&self, thread: &Thread) -> Vec<ObjectId> {
        let mut copy = thread.clone();
        let last = copy.frames.len() - 1;
        let mut index = 0;
        copy.frames.each_mut(|frame| {
            let frame = Arc::make_mut(frame);
            let mut dead = Vec::new();
            frame.pc += Pc::from(index == last);
            self.each_dead_slot(frame, index == last, |slot| dead.push(slot));
            dead.into_iter().for_each(|slot| frame.regs[slot] = Value::UNDEF);
            index += 1;
        });
        let mut held = Vec::new();
        references(&copy, |id| held.push(id));
        held
    }

    /// Replaces the times of blocks by ranks.
    pub(crate) fn rank_blocks(&self, state: &mut State) {
        state.forget_heirs();
        let settled = |object: &Arc<Object>| object.block.born == 0 && object.block.ended.is_none();
        if state.memory.slots.iter().all(settled) {
            return state.memory.set_clock(0);
        }
        let ids = object_ids(state);
        let ended =
            |id: &&ObjectId| state.memory.get(**id).is_some_and(|object| object.block.ended.is_some());
        let tombstones: Vec<ObjectId> = ids.iter().filter(ended).copied().collect();
        let matters = |id: &&ObjectId| tombstones.iter().any(|old| could_succeed(state, *old, **id));
        let born = |id: &ObjectId| state.memory.get(*id).map_or(0, |object| object.block.born);
        let mut births: Vec<u64> = ids.iter().filter(matters).map(born).collect();
        births.sort_unstable();
        let rank = |time: u64| births.partition_point(|birth| *birth <= time) as u64;
        let ranked = |id: &ObjectId| {
            let mut block = state.memory.get(*id).expect("an object of the state").block;
            block.born = if births.binary_search(&block.born).is_ok() { rank(block.born) } else { 0 };
            block.ended = block.ended.map(rank);
            block
        };
        let (blocks, latest): (Vec<_>, _) = (ids.iter().map(ranked).collect(), births.len() as u64);
        for (id, block) in ids.into_iter().zip(blocks) {
            if state.memory.get(id).is_some_and(|object| object.block != block) {
                state.memory.get_mut(id).block = block;
            }
        }
        state.memory.set_clock(latest);
    }
}

fn object_ids(state: &State) -> Vec<ObjectId> {
    let slots = state.memory.slots.iter().enumerate().skip(1);
    slots.map(|(slot, object)| ObjectId::slot(slot, object.generation)).collect()
}

fn is_address(value: Value) -> bool {
    value.object.slot_index().is_some()
}

/// Two compared values, if their objects may be the same place and they are
/// then equal.
fn compared_places(state: &State, a: Value, b: Value) -> Option<Places> {
    let same_offset = a.bits == b.bits || a.is_symbolic() || b.is_symbolic();
    let asks = a.object != b.object && a.undef | b.undef == 0 && same_offset;
    if asks { may_be_same(state, a.object, b.object) } else { None }
}

/// Whether it is open whether two objects are the same place.
fn may_be_same(state: &State, a: ObjectId, b: ObjectId) -> Option<Places> {
    let (old, new) = [(a, b), (b, a)].into_iter().find(|(old, new)| could_succeed(state, *old, *new))?;
    let both_numbers = || state.memory.address(old).is_some() && state.memory.address(new).is_some();
    let is_ordered = || state.memory.addresses.order(old, new).is_some();
    let apart = state.rest.apart.binary_search(&pair(old, new)).is_ok() || both_numbers() || is_ordered();
    (!apart).then_some(Places { old, new })
}

/// Whether the new object was made when the old one's block was to be had, and
/// fits in.
fn could_succeed(state: &State, old: ObjectId, new: ObjectId) -> bool {
    let (Some(before), Some(after)) = (state.memory.get(old), state.memory.get(new)) else { return false };
    let Some(ended) = before.block.ended else { return false };
    after.block.born > ended
        && after.block.room <= before.block.room
        && after.align <= before.align
        && match (before.origin, after.origin) {
            (Origin::Heap(..), Origin::Heap(..)) => true,
            (Origin::Frame { .. }, Origin::Frame { .. }) => may_share_stack(state, before, (new, after)),
            (Origin::Global(old), Origin::Global(later)) => {
                old == later && may_share_stack(state, before, (new, after))
            }
            _ => false,
        }
}

/// Whether a later object may be on the stack on which an object was that ended.
fn may_share_stack(state: &State, before: &Object, (new, after): (ObjectId, &Object)) -> bool {
    let stacks = before.block.stack.zip(stack_of(state, new, after));
    stacks.is_some_and(|(old, new)| state.may_share_stack(old, new))
}

/// The thread on whose stack an object is, or beside it.
fn stack_of(state: &State, id: ObjectId, object: &Object) -> Option<ThreadId> {
    let holds = |thread: &ThreadId| {
        let thread = state.thread(*thread);
        let mut objects = thread.frames.outwards().flat_map(|frame| &frame.objects);
        objects.any(|(object, _)| *object == id) || thread.own.locals.iter().any(|(_, object)| *object == id)
    };
    object.block.stack.or_else(|| state.thread_ids().find(holds))
}

fn pair(a: ObjectId, b: ObjectId) -> (ObjectId, ObjectId) {
    (a.min(b), a.max(b))
}

fn put_apart(state: &mut State, a: ObjectId, b: ObjectId) {
    if let Err(at) = state.rest.apart.binary_search(&pair(a, b)) {
        state.rest_mut().apart.insert(at, pair(a, b));
    }
}

/// Makes the new object the one that all pointers to the old one point to.
fn unite(state: &mut State, Places { old, new }: Places) {
    let cannot = |other: &ObjectId| {
        *other != old
            && may_be_same(state, new, *other).is_some()
            && may_be_same(state, old, *other).is_none()
    };
    let others: Vec<ObjectId> = object_ids(state).into_iter().filter(cannot).collect();
    others.into_iter().for_each(|other| put_apart(state, new, other));
    if state.rest.apart.iter().any(|(a, b)| *a == old || *b == old) {
        state.rest_mut().apart.retain(|(a, b)| *a != old && *b != old);
    }
    let before = state.memory.get(old).expect("it was compared");
    let (room, shared) = (before.block.room, before.shared);
    state.memory.get_mut(new).block.room = room;
    if shared {
        state.memory.share(new);
    }
    redirect(state, |id| if id == old { new } else { id });
}

/// Makes every pointer point to another object.
fn redirect(state: &mut State, to: impl Fn(ObjectId) -> ObjectId) {
    state.threads.each_mut(|thread| Thread::renumber(thread, &to));
    state.memory.slots.each_mut(|object| {
        if object.pointers.iter().any(|(_, target)| to(*target) != *target) {
            let pointers = &mut Arc::make_mut(object).pointers;
            pointers.iter_mut().for_each(|(_, target)| *target = to(*target));
        }
    });
    state.memory.renumber_pinned(to);
}

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// Decides what the next instruction finds out about addresses. The next
    /// step goes on with that instruction.
    pub fn decide_addresses(&mut self, undecided: Undecided) -> Result<(), Stop> {
        match undecided {
            Undecided::Places(places) => self.decide_places(places),
            Undecided::Order(unordered) => {
                self.decide_order(unordered);
                Ok(())
            }
        }
    }

    fn decide_places(&mut self, places: Places) -> Result<(), Stop> {
        let Places { old, new } = places;
        let room = self.state.memory.get(old).map_or(0, |object| object.block.room);
        if room >= EVERYWHERE {
            return Err(Stop::TooHard(OPEN));
        }
        let same = self.choice == 1;
        self.event(Event::Places { old, new, same });
        match same {
            true => unite(self.state, places),
            false => put_apart(self.state, old, new),
        }
        Ok(())
    }

    /// Adds an object to memory.
    pub fn add(&mut self, mut object: Object) -> Result<ObjectId, Stop> {
        self.sweep();
        let takes_part = !matches!(object.origin, Origin::Arguments(_));
        if self.machine.tells_addresses && takes_part {
            // What fits into the block of an object of unknown size is not known.
            let size = if object.open.is_some() { EVERYWHERE } else { object.size() };
            object.block = self.state.memory.new_block(size);
        }
        Ok(self.state.memory.add(object)?)
    }

    /// Ends an object.
    pub fn end(&mut self, id: ObjectId, life: Life) {
        let takes_part = self.state.memory.get(id).is_some_and(|object| object.block.room > 0);
        self.state.memory.end(id, life);
        if takes_part {
            self.state.memory.end_block(id, Some(self.thread).filter(|_| life == Life::OutOfScope));
        }
    }

    /// Now and then, finds out to which of the objects that ended nothing points
    /// any more.
    fn sweep(&mut self) {
        let State { memory, threads, rest, .. } = &mut *self.state;
        // Counting frames is dear where there are many threads.
        let others = || threads.iter().map(|thread| 1 + thread.frames.len()).sum();
        if !memory.is_sweep_due(0) || !memory.is_sweep_due(others()) {
            return;
        }
        let mut referenced = vec![false; memory.slots.len()];
        let mut refer = |id: ObjectId| id.slot_index().into_iter().for_each(|slot| referenced[slot] = true);
        threads.iter().for_each(|thread| references(thread, &mut refer));
        let in_frames =
            threads.iter().flat_map(|thread| thread.frames.iter()).flat_map(|frame| &frame.objects);
        in_frames.for_each(|(id, _)| refer(*id));
        memory.slots.iter().flat_map(|object| &object.pointers).for_each(|(_, id)| refer(*id));
        memory.addresses.pinned.iter().for_each(|(_, id)| refer(*id));
        memory.sweep(|slot| referenced[slot]);
        let is_referenced = |id: ObjectId| id.slot_index().is_some_and(|slot| referenced[slot]);
        let live =
            |id: &ObjectId| is_referenced(*id) || memory.get(*id).is_some_and(|o| o.life == Life::Alive);
        if !rest.apart.iter().all(|(a, b)| live(a) && live(b)) {
            Arc::make_mut(rest).apart.retain(|(a, b)| live(a) && live(b));
        }
    }
}
