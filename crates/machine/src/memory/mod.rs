//! The objects of a state, and the addresses of those whose address was asked
//! for as a number.

pub(crate) mod address_use;
pub(crate) mod object;
pub(crate) mod open;
pub(crate) mod order;
pub(crate) mod reuse;

use serde::{Deserialize, Serialize};
use triomphe::Arc;

use crate::memory::object::{Block, Life, Object, Origin, Site};
use crate::state::list::List;
use crate::state::thread::SyncPlace;
use crate::telling::fault::{FaultKind, ThreadId, Touch};
use crate::value::arith::narrow;
use crate::value::{ALIGNMENT, Named, ObjectId, Value};

/// Addresses below are null dereferences, as operating systems arrange it.
const NULL_PAGE: u64 = 4096;

/// So many bytes are left free after an object with a number, so that another
/// one can be put there.
const GAP: u64 = 256;

/// Numbers from here on mean that there are no more.
const EXHAUSTED: u64 = 1 << 62;

/// So many objects may have ended before it is found out which of their slots
/// are free.
const TOMBSTONES: usize = 16;

/// All objects.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub slots: List<Object>,
    /// Slots of objects that ended, to which something may still point.
    ended: Vec<u32>,
    /// Slots of objects that ended and to which nothing points.
    free: Vec<u32>,
    /// How many objects may have ended before the next sweep.
    patience: usize,
    /// How many objects have been made.
    clock: u64,
    /// How many heap objects the execution has made.
    pub heap_objects_made: u32,
    pub addresses: Arc<Addresses>,
    /// Pointer size in bytes.
    pub word: u64,
}

/// What is known of the addresses of objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Addresses {
    /// Pinned objects by ascending address.
    pub pinned: Vec<(u64, ObjectId)>,
    /// The address that the next one gets.
    pub next: u64,
    /// Pairs of objects of which the first lies lower ([`order`]). Ascending.
    pub below: Vec<(ObjectId, ObjectId)>,
}

impl Addresses {
    /// An address for an object of this size and alignment.
    pub fn take(&mut self, size: u64, align: u64) -> u64 {
        // An odd multiple: a program must not find more alignment than was promised.
        let address = self.next.next_multiple_of(2 * align) + align;
        self.next = address + (size + ALIGNMENT).next_multiple_of(ALIGNMENT) + GAP;
        address
    }
}

/// What is the same in every state, so that the machine holds it.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    /// The constant globals.
    pub objects: Vec<Option<Object>>,
    /// The numeric address that a global has once it is asked for; none for a
    /// thread-local one. Were it given when it is asked for, it would depend on
    /// the order in which threads ask, and so would what they compute from it.
    pub addresses: Vec<Option<u64>>,
    /// All these are lower.
    pub end: u64,
}

impl Constants {
    pub fn get(&self, id: ir::GlobalId) -> &Object {
        self.objects[id.0 as usize].as_ref().expect("a constant global")
    }

    fn address(&self, id: ir::GlobalId) -> Option<u64> {
        self.addresses.get(id.0 as usize).copied().flatten()
    }
}

/// Why an object cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooManyObjects;

/// The room that an object takes in the address space.
pub(crate) fn room(size: u64) -> u64 {
    size.max(1).next_multiple_of(ALIGNMENT)
}

/// Objects larger than this are not made.
pub const MAX_OBJECT: u64 = 1 << 31;

impl Memory {
    pub fn new(word: u64) -> Memory {
        // Slot 0 of generation 0 would be no object at all.
        let mut placeholder = Object::new(Origin::Global(ir::GlobalId(0)), 0, true);
        placeholder.life = Life::OutOfScope;
        Memory {
            slots: std::iter::once(Arc::new(placeholder)).collect(),
            ended: Vec::new(),
            free: Vec::new(),
            patience: TOMBSTONES,
            clock: 0,
            heap_objects_made: 0,
            addresses: Arc::new(Addresses { pinned: Vec::new(), next: 1 << 20, below: Vec::new() }),
            word,
        }
    }

    /// Adds an object, in a free slot if there is one.
    pub fn add(&mut self, mut object: Object) -> Result<ObjectId, TooManyObjects> {
        if object.size() > MAX_OBJECT {
            return Err(TooManyObjects);
        }
        if let Some(slot) = self.free.pop() {
            object.generation = self.slots[slot as usize].generation + 1;
            let id = ObjectId::slot(slot as usize, object.generation);
            self.slots[slot as usize] = Arc::new(object);
            return Ok(id);
        }
        let slot = self.slots.len();
        if slot > ObjectId::MAX_SLOT {
            return Err(TooManyObjects);
        }
        self.slots.push(Arc::new(object));
        Ok(ObjectId::slot(slot, 0))
    }

    /// Ends an object.
    pub fn end(&mut self, id: ObjectId, life: Life) {
        let Named::Slot { slot, .. } = id.named() else { return };
        let tombstone = self.slots[slot].tombstone(life);
        self.slots[slot] = Arc::new(tombstone);
        self.ended.push(slot as u32);
    }

    /// Whether such a thread has the synchronisation object at a place, or waits at it.
    pub(crate) fn names_any(&self, at: SyncPlace, is_such: impl Fn(ThreadId) -> bool) -> bool {
        let sync = self.get(at.0).and_then(|object| object.sync_at(at.1));
        sync.is_some_and(|sync| sync.named_threads().into_iter().any(is_such))
    }

    /// Gives out a block of the address space.
    pub fn new_block(&mut self, size: u64) -> Block {
        self.clock += 1;
        Block { born: self.clock, room: room(size), ..Block::default() }
    }

    /// Takes back the block of an object that ended.
    pub fn end_block(&mut self, id: ObjectId, stack: Option<ThreadId>) {
        let clock = self.clock;
        let block = &mut self.get_mut(id).block;
        (block.ended, block.stack) = (Some(clock), stack);
    }

    /// Lets an object have the block of one that ended just now, as if it had
    /// been made afterwards and that block had room enough.
    pub fn inherit(&mut self, ended: ObjectId, heir: ObjectId) {
        let Some(room) = self.get(heir).map(|object| object.block.room).filter(|room| *room > 0) else {
            return;
        };
        self.clock += 1;
        self.get_mut(heir).block.born = self.clock;
        let block = &mut self.get_mut(ended).block;
        block.room = block.room.max(room);
    }

    /// Sets the clock to a time at which a block is there.
    pub fn advance_clock(&mut self, block: Block) {
        self.clock = self.clock.max(block.born).max(block.ended.unwrap_or(0));
    }

    /// Sets the clock to the latest time of all blocks.
    pub fn set_clock(&mut self, latest: u64) {
        self.clock = latest;
    }

    /// The latest time of all blocks.
    pub fn latest_time(&self) -> u64 {
        let latest = |object: &Arc<Object>| object.block.born.max(object.block.ended.unwrap_or(0));
        self.slots.iter().map(latest).max().unwrap_or(0)
    }

    /// Whether so many objects have ended that a sweep pays. `others` is what
    /// it has to look at besides objects.
    pub fn is_sweep_due(&self, others: usize) -> bool {
        self.ended.len() > self.patience + others + self.slots.len() / 2
    }

    /// Frees the slots of objects that ended and to which nothing points, as
    /// `is_referenced` tells. A slot whose generations are used up is not used
    /// again.
    pub fn sweep(&mut self, is_referenced: impl Fn(usize) -> bool) {
        let referenced;
        (referenced, self.free) = std::mem::take(&mut self.ended)
            .into_iter()
            .chain(std::mem::take(&mut self.free))
            .filter(|slot| self.slots[*slot as usize].generation < ObjectId::MAX_GENERATION)
            .partition(|slot| is_referenced(*slot as usize));
        self.ended = referenced;
        self.patience = TOMBSTONES + self.ended.len();
    }

    /// The object in the slot, if it still is the same one.
    #[inline]
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        match id.named() {
            Named::Slot { slot, generation } => {
                let object = &**self.slots.get(slot)?;
                (object.generation == generation).then_some(object)
            }
            _ => None,
        }
    }

    /// The same, for changing it. The caller knows that it is there.
    #[inline]
    pub fn get_mut(&mut self, id: ObjectId) -> &mut Object {
        match id.named() {
            Named::Slot { slot, .. } => Arc::make_mut(&mut self.slots[slot]),
            _ => unreachable!("only objects in slots are changed"),
        }
    }

    /// The size of an object; 0 for a function or one that is no more.
    pub fn size_of(&self, id: ObjectId, constants: &Constants) -> u64 {
        match id.named() {
            Named::Constant(global) => constants.get(global).size(),
            _ => self.get(id).map_or(0, Object::size),
        }
    }

    /// What the address of an object is a multiple of: a power of two.
    pub fn align_of(&self, id: ObjectId, constants: &Constants) -> u64 {
        match id.named() {
            Named::Constant(global) => u64::from(constants.get(global).align),
            _ => self.get(id).map_or(ALIGNMENT, |object| u64::from(object.align)),
        }
    }

    /// The numeric address of an object, if it has one.
    pub fn address(&self, id: ObjectId) -> Option<u64> {
        self.addresses.pinned.iter().find(|(_, object)| *object == id).map(|(address, _)| *address)
    }

    /// Gives an object a numeric address. From then on any thread may guess it,
    /// so it counts as shared, and its number is part of the state.
    pub fn pin(&mut self, id: ObjectId, constants: &Constants) -> u64 {
        if let Some(address) = self.address(id) {
            return address;
        }
        let (size, align) = (self.size_of(id, constants), self.align_of(id, constants));
        let fixed = self.global(id).and_then(|global| constants.address(global));
        let gap = self.gap_below(id, constants);
        let addresses = Arc::make_mut(&mut self.addresses);
        let address = fixed.unwrap_or_else(|| match gap {
            None => addresses.take(size, align),
            Some(gap) => addresses.take_within(gap, size, align),
        });
        let index = addresses.pinned.partition_point(|(base, _)| *base < address);
        addresses.pinned.insert(index, (address, id));
        addresses.close_order();
        self.share(id);
        address
    }

    /// The numeric addresses given so far must be fewer than pointers have.
    #[inline]
    pub fn check_addresses(&self) -> Result<(), TooManyObjects> {
        let end = if self.word >= 8 { EXHAUSTED } else { 1 << (8 * self.word) };
        let fits = self.addresses.next < end;
        if fits { Ok(()) } else { Err(TooManyObjects) }
    }

    /// The global that an object is, or an instance of.
    fn global(&self, id: ObjectId) -> Option<ir::GlobalId> {
        match id.named() {
            Named::Constant(global) => Some(global),
            _ => match self.get(id)?.origin {
                Origin::Global(global) => Some(global),
                _ => None,
            },
        }
    }

    /// The pointer that a number is, if it is the address of a pinned object.
    pub fn pointer_at(&self, address: u64) -> Option<Value> {
        let Addresses { pinned, next, .. } = &*self.addresses;
        let index = pinned.partition_point(|(base, _)| *base <= address).checked_sub(1)?;
        let (base, object) = pinned[index];
        let next = pinned.get(index + 1).map_or(*next, |(base, _)| *base);
        (address < next).then(|| Value::pointer(object, address - base))
    }

    /// Marks an object and all that it leads to as reachable by other threads.
    pub fn share(&mut self, id: ObjectId) {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let Some(object) = self.get(id) else { continue };
            if object.shared {
                continue;
            }
            work.extend(object.pointers.iter().map(|(_, target)| *target));
            self.get_mut(id).shared = true;
        }
    }

    /// Turns pointers of which the range has only a part into numbers.
    pub fn split_pointers(&mut self, id: ObjectId, offset: u64, len: u64, constants: &Constants) {
        let word = self.word;
        let Some(object) = self.get(id) else { return };
        let meets = &object.pointers[object.pointers_in(offset, len, word)];
        let partly = |at: u64| at < offset || at + word > offset + len || len < word;
        let split: Vec<_> = meets.iter().filter(|(at, _)| partly(u64::from(*at))).copied().collect();
        for (at, target) in split {
            self.numeric_pointer(id, u64::from(at), target, constants);
        }
    }

    /// Turns every pointer word in the range into a number.
    pub fn numeric_range(&mut self, id: ObjectId, offset: u64, len: u64, constants: &Constants) {
        let Some(object) = self.get(id) else { return };
        let meets = object.pointers[object.pointers_in(offset, len, self.word)].to_vec();
        for (at, target) in meets {
            self.numeric_pointer(id, u64::from(at), target, constants);
        }
    }

    fn numeric_pointer(&mut self, id: ObjectId, at: u64, target: ObjectId, constants: &Constants) {
        let base = self.pin(target, constants);
        let word = self.word;
        let object = self.get_mut(id);
        let value = object.read(at, word, word).expect("a whole pointer word");
        let bits = value.bits.wrapping_add(base) & narrow::mask((word * 8) as u8);
        object.write(at, word, word, Value::int(bits));
    }

    /// Where a pointer points, if `len` bytes may be touched there.
    #[inline]
    pub fn resolve(&self, pointer: Value, len: u64, touch: Touch) -> Result<(ObjectId, u64), Unresolved> {
        if let Some(object) = self.get(pointer.object)
            && pointer.undef == 0
            && !pointer.is_symbolic()
            && object.life == Life::Alive
            && pointer.bits.checked_add(len).is_some_and(|end| end <= object.size())
        {
            return Ok((pointer.object, pointer.bits));
        }
        self.resolve_slowly(pointer, len, touch)
    }

    fn resolve_slowly(&self, pointer: Value, len: u64, touch: Touch) -> Result<(ObjectId, u64), Unresolved> {
        if pointer.undef != 0 {
            return Err(Unresolved::Undefined);
        }
        if pointer.is_symbolic() {
            // The execution of an instruction makes the bits known first.
            return Err(Unresolved::Bad);
        }
        if !pointer.is_pointer() {
            return match self.pointer_at(pointer.bits) {
                Some(pointer) => self.resolve(pointer, len, touch),
                None if pointer.bits < NULL_PAGE => Err(FaultKind::NullDereference { touch }.into()),
                None => Err(FaultKind::WildPointer { touch, address: pointer.bits }.into()),
            };
        }
        match pointer.object.named() {
            Named::Constant(_) => Err(Unresolved::Constant),
            Named::Function(_) => Err(FaultKind::WildPointer { touch, address: pointer.bits }.into()),
            // Handles are small numbers.
            Named::Thread(_) => Err(FaultKind::NullDereference { touch }.into()),
            _ => Err(Unresolved::Bad),
        }
    }

    /// Makes the slots of ended objects theirs for good: some pointer still
    /// names them.
    pub fn forget_free(&mut self) {
        self.ended.clear();
        self.free.clear();
    }

    /// Renames the objects whose addresses are known.
    pub fn renumber_pinned(&mut self, number: impl Fn(ObjectId) -> ObjectId) {
        let changes = |id: &ObjectId| number(*id) != *id;
        let Addresses { pinned, below, .. } = &*self.addresses;
        if pinned.iter().any(|(_, id)| changes(id)) || below.iter().any(|(a, b)| changes(a) || changes(b)) {
            let addresses = Arc::make_mut(&mut self.addresses);
            addresses.pinned.iter_mut().for_each(|(_, id)| *id = number(*id));
            addresses.renumber_order(number);
        }
    }

    /// The heap objects that were not freed.
    pub fn heap_objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let live = |object: &Object| object.life == Life::Alive && matches!(object.origin, Origin::Heap(..));
        let slots = self.slots.iter().enumerate().filter(move |(_, object)| live(object));
        slots.map(|(slot, object)| ObjectId::slot(slot, object.generation))
    }

    /// Where a freed object was freed, as far as is still known.
    pub fn freed_at(&self, id: ObjectId) -> Option<Site> {
        match self.get(id)?.life {
            Life::Freed(site) => Some(site),
            _ => None,
        }
    }
}

/// Why a pointer does not lead to bytes that may be touched.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Unresolved {
    /// The pointer is not initialised.
    Undefined,
    /// It leads to a constant: the machine holds those.
    Constant,
    /// Out of bounds, or to an object that ended.
    Bad,
    /// Something else.
    Fault(Box<FaultKind>),
}

impl From<FaultKind> for Unresolved {
    fn from(kind: FaultKind) -> Unresolved {
        Unresolved::Fault(Box::new(kind))
    }
}

#[cfg(test)]
mod tests {
    use triomphe::Arc;

    use super::Memory;

    #[test]
    fn there_are_no_more_addresses_than_pointers_have() {
        for (word, fits) in [(4, false), (8, true)] {
            let mut memory = Memory::new(word);
            let take = |memory: &mut Memory| Arc::make_mut(&mut memory.addresses).take(3 << 30, 16);
            take(&mut memory);
            assert!(memory.check_addresses().is_ok());
            take(&mut memory);
            assert_eq!(memory.check_addresses().is_ok(), fits);
        }
    }
}
