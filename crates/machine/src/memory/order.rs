//! Which of two objects has the lower address.
//!
//! No one promises where objects of the heap and of stacks lie. A program that
//! takes locks in the order of their addresses must be right for every order. As
//! with addresses that are given out again ([`crate::memory::reuse`]), nothing is
//! decided before an instruction looks: one that compares the addresses of two
//! objects, or subtracts one from the other. Before that instruction there is a
//! step of its own with two choices, and what it decides stays so. The decided
//! pairs are a strict order: with two pairs, what follows from them is kept as
//! well, so that it is not lost when the object in the middle is no more.
//!
//! Which order is decided first makes no difference: whichever thread looks first, the
//! same orders of all objects are possible. So such a step conflicts with other
//! steps that decide about addresses, and with no others.
//!
//! Global variables lie where the linker puts them, below all else, and in an
//! order that no thread can influence. What a program computes from the numbers
//! of addresses in other ways (buckets of a hash table, the distance of two
//! objects) is computed for one layout, which keeps to the order that was
//! decided; an outcome says so.

use std::cmp::Ordering;
use std::ops::Range;

use ir::{BinOp, Instr, Operand, Pred, Reg};

use crate::exec::Exec;
use crate::machine::Machine;
use crate::memory::{Addresses, Constants, EXHAUSTED, GAP, Memory, room};
use crate::state::State;
use crate::symbolic::symbols::Symbols;
use crate::telling::fault::ThreadId;
use crate::telling::observer::{Event, Observer};
use crate::value::{ObjectId, Value};

/// So many bytes are free between the globals and what is given a number first.
const ROOM_BELOW: u64 = 1 << 16;

/// Two objects of which it is open which one lies lower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unordered {
    first: ObjectId,
    second: ObjectId,
}

/// The objects, if it is open which one lies lower.
pub(crate) fn unordered(state: &State, first: ObjectId, second: ObjectId) -> Option<Unordered> {
    state.memory.addresses.order(first, second).is_none().then_some(Unordered { first, second })
}

impl Machine {
    /// The pointers whose order the next instruction finds out, if their objects
    /// may lie anywhere.
    pub(crate) fn ordered(&self, state: &State, thread: ThreadId, instr: &Instr) -> Option<(Value, Value)> {
        let (lhs, rhs) = ordered_operands(instr)?;
        let (a, b) = (self.peek(state, thread, lhs), self.peek(state, thread, rhs));
        let lies_anywhere = |value: Value| state.memory.lies_anywhere(value.object, &self.constants);
        let asks = a.object != b.object && a.undef | b.undef == 0 && lies_anywhere(a) && lies_anywhere(b);
        asks.then_some((a, b))
    }

    /// Whether the order of two objects is all that the next instruction needs
    /// to know of their addresses: it compares pointers into them.
    pub(crate) fn needs_order_only(&self, state: &State, thread: ThreadId, instr: &Instr) -> bool {
        let within = |pointer: Value| {
            let size = state.memory.extent(pointer.object, &self.constants);
            !pointer.is_symbolic() && pointer.bits < size.max(1)
        };
        let compares = matches!(instr, Instr::Compare { .. });
        compares && self.ordered(state, thread, instr).is_some_and(|(a, b)| within(a) && within(b))
    }
}

/// The operands of a comparison by order or a difference.
fn ordered_operands(instr: &Instr) -> Option<(Operand, Operand)> {
    match *instr {
        Instr::Compare { pred, width, lhs, rhs, .. } if width <= 64 && !is_equality(pred) => Some((lhs, rhs)),
        Instr::Binary { op: BinOp::Sub, width, lhs, rhs, .. } if width <= 64 => Some((lhs, rhs)),
        _ => None,
    }
}

fn is_equality(pred: Pred) -> bool {
    matches!(pred, Pred::Eq | Pred::Ne)
}

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// Decides which of two objects lies lower.
    pub fn decide_order(&mut self, Unordered { first, second }: Unordered) {
        let (low, high) = if self.choice == 0 { (first, second) } else { (second, first) };
        self.event(Event::Ordered { low, high });
        let addresses = triomphe::Arc::make_mut(&mut self.state.memory.addresses);
        addresses.below.push((low, high));
        addresses.close_order();
    }

    /// The result of a comparison that follows from the order of two objects.
    pub fn ordered_result(&mut self, instr: &Instr) -> Option<(Reg, Value)> {
        let Instr::Compare { pred, dst, .. } = *instr else { return None };
        if !self.machine.needs_order_only(self.state, self.thread, instr) {
            return None;
        }
        let (a, b) = self.machine.ordered(self.state, self.thread, instr)?;
        let order = self.state.memory.addresses.order(a.object, b.object)?;
        let lower = matches!(pred, Pred::Ult | Pred::Ule | Pred::Slt | Pred::Sle);
        Some((dst, Value::int(u64::from(lower == (order == Ordering::Less)))))
    }
}

impl Memory {
    /// Whether nothing says where an object lies: it is no global variable, or
    /// one of which each thread has its own.
    fn lies_anywhere(&self, id: ObjectId, constants: &Constants) -> bool {
        let fixed = self.global(id).is_some_and(|global| constants.address(global).is_some());
        id.slot_index().is_some() && self.get(id).is_some() && !fixed
    }

    /// How many bytes belong to an object, also after its end.
    fn extent(&self, id: ObjectId, constants: &Constants) -> u64 {
        self.size_of(id, constants).max(self.get(id).map_or(0, |object| object.block.room))
    }

    /// The free addresses for an object that lies below one with a number.
    pub(super) fn gap_below(&self, id: ObjectId, constants: &Constants) -> Option<Range<u64>> {
        let Addresses { pinned, below, .. } = &*self.addresses;
        let is_above = |object: &ObjectId| below.binary_search(&(id, *object)).is_ok();
        let index = pinned.iter().position(|(_, object)| is_above(object))?;
        let end = pinned[index].0;
        let before = index.checked_sub(1).map(|index| pinned[index]);
        let start = before.map_or(0, |(base, object)| base + room(self.extent(object, constants)));
        Some(start.max(constants.end)..end)
    }

    /// Leaves room between globals and what gets a number first. Says where the
    /// globals end.
    pub fn leave_room(&mut self) -> u64 {
        let addresses = triomphe::Arc::make_mut(&mut self.addresses);
        let end = addresses.next;
        addresses.next += ROOM_BELOW;
        end
    }
}

impl Addresses {
    /// How two objects lie to each other, if that is decided.
    pub fn order(&self, a: ObjectId, b: ObjectId) -> Option<Ordering> {
        let is_below = |a, b| self.below.binary_search(&(a, b)).is_ok();
        let number = |id| self.pinned.iter().position(|(_, object)| *object == id);
        match (number(a), number(b)) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ if is_below(a, b) => Some(Ordering::Less),
            _ if is_below(b, a) => Some(Ordering::Greater),
            _ => None,
        }
    }

    /// An address for an object within a range. If it does not fit, there are
    /// no more addresses ([`Memory::check_addresses`]).
    pub fn take_within(&mut self, range: Range<u64>, size: u64, align: u64) -> u64 {
        let middle = range.start + range.end.saturating_sub(range.start) / 2;
        let highest = range.end.saturating_sub(room(size)).min(middle);
        // An odd multiple, as for others.
        let address = (highest / align).saturating_sub(1) / 2 * 2 * align + align;
        let fits = range.start <= address && address <= highest;
        // It tells that there is one more number.
        self.next = if fits { self.next + GAP } else { EXHAUSTED };
        address
    }

    /// Adds what follows from what is decided, with the numbers that are given.
    pub fn close_order(&mut self) {
        if self.below.is_empty() {
            return;
        }
        let by_number = self.pinned.windows(2).map(|pair| (pair[0].1, pair[1].1));
        let mut pairs: Vec<_> = self.below.iter().copied().chain(by_number).collect();
        let mut known = 0;
        while known < pairs.len() {
            known = pairs.len();
            let follows = |(a, b): (ObjectId, ObjectId)| {
                pairs.iter().filter(move |(c, _)| *c == b).map(move |(_, d)| (a, *d))
            };
            let new: Vec<_> = pairs.iter().flat_map(|pair| follows(*pair)).collect();
            pairs.extend(new);
            pairs.sort_unstable();
            pairs.dedup();
        }
        let has_number = |id: ObjectId| self.pinned.iter().any(|(_, object)| *object == id);
        pairs.retain(|(a, b)| !(has_number(*a) && has_number(*b)));
        self.below = pairs;
    }

    /// Renames the objects in the order. Those that are no more have no place in it.
    pub fn renumber_order(&mut self, number: impl Fn(ObjectId) -> ObjectId) {
        self.below.iter_mut().for_each(|(a, b)| (*a, *b) = (number(*a), number(*b)));
        self.below.retain(|(a, b)| *a != ObjectId::NONE && *b != ObjectId::NONE);
        self.below.sort_unstable();
        self.below.dedup();
        self.close_order();
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::{Greater, Less};

    use super::Addresses;
    use crate::value::ObjectId;

    fn object(slot: usize) -> ObjectId {
        ObjectId::slot(slot, 0)
    }

    fn addresses(below: &[(usize, usize)], pinned: &[(u64, usize)]) -> Addresses {
        let below = below.iter().map(|(a, b)| (object(*a), object(*b))).collect();
        let pinned = pinned.iter().map(|(address, id)| (*address, object(*id))).collect();
        let mut addresses = Addresses { pinned, next: 1 << 20, below };
        addresses.close_order();
        addresses
    }

    #[test]
    fn what_follows_from_two_pairs_is_decided() {
        let addresses = addresses(&[(3, 1), (1, 2)], &[]);
        assert_eq!(addresses.order(object(3), object(2)), Some(Less));
        assert_eq!(addresses.order(object(2), object(3)), Some(Greater));
        assert_eq!(addresses.order(object(2), object(4)), None);
    }

    #[test]
    fn numbers_decide_too() {
        let addresses = addresses(&[(3, 1), (2, 4)], &[(64, 1), (128, 2)]);
        assert_eq!(addresses.order(object(1), object(2)), Some(Less));
        assert_eq!(addresses.order(object(3), object(4)), Some(Less), "by two objects with numbers");
    }

    #[test]
    fn an_object_that_is_no_more_leaves_what_it_decided() {
        let mut addresses = addresses(&[(3, 1), (1, 2)], &[]);
        let number = |id: ObjectId| if id == object(1) { ObjectId::NONE } else { id };
        addresses.renumber_order(number);
        assert_eq!(addresses.order(object(3), object(2)), Some(Less));
        assert_eq!(addresses.order(object(3), object(1)), None);
    }

    #[test]
    fn a_number_within_a_range_is_there_or_there_are_no_more() {
        let mut addresses = addresses(&[], &[]);
        let address = addresses.take_within(1000..2000, 40, 16);
        assert!((1000..=1960).contains(&address) && address % 32 == 16, "{address}");
        assert!(addresses.next < super::EXHAUSTED);
        addresses.take_within(1000..1010, 40, 16);
        assert_eq!(addresses.next, super::EXHAUSTED);
    }
}
