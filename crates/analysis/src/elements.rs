//! Elements of an array that are handed to one thread each.
//!
//! Let one instruction create a thread in every round of a loop that counts
//! ([`crate::counting`]), and let the loop be executed once. The counter has
//! another value in every round. So every instance of the thread has an element
//! of its own if its argument is a pointer to the element with the counter as
//! index, or the counter itself, with which it chooses an element of a global
//! array. Accesses of two instances at constant offsets in their elements have no
//! byte in common if the elements are at least as far apart as the bytes that
//! are accessed reach.
//!
//! The thread that creates them may prepare an element in the round in which it
//! hands it over: the instance that it is for is not created yet, and those
//! that are have others.
//!
//! Sums wrap at the width of pointers. A counter of 32 bits times the distance of
//! two elements does not where pointers have 64; where they have 32, the bound
//! of the loop must be a constant that keeps the product small.

use ir::{CastOp, Pc};
use smallvec::SmallVec;

use crate::counting::{Counted, counted};
use crate::flow::Site;
use crate::interpret::Interpreter;
use crate::memory::ThreadIx;
use crate::numbering::Numbering;
use crate::numbering::name::{Address, Atom, Name, NameIx};
use crate::shape::Shape;
use crate::tickets::Counter;

/// What makes sure that elements are different.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// Instances of this thread are handed different ones.
    Thread(ThreadIx),
    /// This counter hands out different indices.
    Counter(Counter),
}

/// An access to an element that a thread has for itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Own {
    /// Why it has.
    pub key: Key,
    /// The array, if the thread chooses the element itself.
    array: Option<NameIx>,
    /// The distance of two elements.
    scale: i64,
    /// Where in the element the access is.
    offset: i64,
    /// Whether another thread makes it, before it creates the instance.
    before: bool,
}

impl Own {
    /// An access at an offset in the element of an array whose index is unlike all
    /// others.
    pub fn new(key: Key, array: NameIx, scale: i64, offset: i64) -> Own {
        Own { key, array: Some(array), scale, offset, before: false }
    }

    /// Whether accesses of different instances, of so many bytes, have none in
    /// common; and if one comes before the creation of an instance, those of all
    /// others.
    pub fn is_apart(&self, len: u64, other: &Own, other_len: u64) -> bool {
        let same = (self.key, self.array, self.scale) == (other.key, other.array, other.scale);
        let scale = i128::from(self.scale.unsigned_abs());
        let ahead = i128::from(self.offset) - i128::from(other.offset);
        let fits = scale + ahead >= i128::from(other_len) && scale - ahead >= i128::from(len);
        same && !(self.before && other.before) && fits
    }
}

/// What a thread is handed.
enum Given {
    /// A pointer to an element: the sum, but for its offset.
    Pointer(Address),
    /// The counter, perhaps extended.
    Number,
}

/// A thread that is handed an element, or the index of one.
struct Handed {
    thread: ThreadIx,
    creator: Site,
    loops: Counted,
    counter: Atom,
    given: Given,
}

/// All threads that are handed elements.
pub struct Elements<'a, 'p> {
    interpreter: &'a Interpreter<'p>,
    numbering: &'a Numbering<'a, 'p>,
    handed: Vec<Handed>,
}

/// The distance of two elements is smaller than this.
const MAX_SCALE: u64 = 1 << 24;

impl<'a, 'p> Elements<'a, 'p> {
    /// Finds the threads that are handed elements.
    pub fn of(
        interpreter: &'a Interpreter<'p>,
        shape: &Shape,
        numbering: &'a Numbering<'a, 'p>,
    ) -> Elements<'a, 'p> {
        let mut elements = Elements { interpreter, numbering, handed: Vec::new() };
        let threads = 1..interpreter.threads.len() as ThreadIx;
        elements.handed = threads.filter_map(|thread| elements.handed_to(shape, thread)).collect();
        elements
    }

    fn handed_to(&self, shape: &Shape, thread: ThreadIx) -> Option<Handed> {
        let Interpreter { threads, nodes, program, .. } = self.interpreter;
        let [creator] = threads[thread as usize].creators[..] else { return None };
        let root = &nodes[threads[thread as usize].root as usize];
        let param = program.function(root.func).params.first()?;
        if !root.callers.is_empty() || param.width != program.pointer_width {
            return None;
        }
        let loops = counted(self.interpreter, shape, creator)?;
        let counter = Atom::Merged(creator.0, loops.head as u32, loops.counter);
        let argument = self.numbering.argument(creator.0, creator.1)?;
        let given = match argument.term {
            Some((index, _)) if self.is_counter(index, counter, loops.width) => Given::Pointer(argument),
            None if argument.alone().is_some_and(|name| self.is_counter(name, counter, loops.width)) => {
                Given::Number
            }
            _ => return None,
        };
        let handed = Handed { thread, creator, loops, counter, given };
        match handed.given {
            Given::Pointer(argument) if !self.is_fixed(&handed, argument.base) => None,
            _ => Some(handed),
        }
    }

    /// Whether a name is an atom, perhaps cut off above its width and extended, so
    /// that different atoms are different numbers, no further apart than 2^33.
    fn is_counter(&self, name: NameIx, atom: Atom, width: u8) -> bool {
        match self.numbering.names.get(name) {
            Name::Atom(other) => other == atom,
            Name::Cast(CastOp::Trunc, _, to, inner) => to >= width && self.is_counter(inner, atom, width),
            Name::Cast(CastOp::SExt | CastOp::ZExt, _, _, inner) => self.is_counter(inner, atom, width),
            _ => false,
        }
    }

    /// Whether a value is the same in every round of a loop.
    fn is_fixed(&self, handed: &Handed, name: NameIx) -> bool {
        let node = handed.creator.0;
        let blocks = self.interpreter.blocks(self.interpreter.nodes[node as usize].func);
        let fixed = |atom: &Atom| match *atom {
            Atom::Defined(own, pc, _) if own == node => !handed.loops.blocks.contains(&blocks.containing(pc)),
            Atom::Merged(own, block, _) if own == node => !handed.loops.blocks.contains(&(block as usize)),
            // What callers have does not change during the call.
            other => self.numbering.is_called_by(node, other.node()),
        };
        self.numbering.names.atoms(name).iter().all(fixed)
    }

    /// The elements that an access is made to.
    pub fn owned(&self, thread: ThreadIx, access: Site) -> SmallVec<[Own; 1]> {
        let Some(address) = self.numbering.address(access.0, access.1) else { return SmallVec::new() };
        let own = |handed: &Handed| {
            if handed.thread == thread {
                self.by_instance(handed, address)
            } else {
                self.by_creator(handed, address).filter(|_| self.comes_before(handed, access))
            }
        };
        self.handed.iter().filter_map(own).collect()
    }

    fn by_instance(&self, handed: &Handed, address: Address) -> Option<Own> {
        let root = self.interpreter.threads[handed.thread as usize].root;
        let passed = Atom::Passed(root, 0);
        let own = Own { key: Key::Thread(handed.thread), array: None, scale: 0, offset: 0, before: false };
        match (&handed.given, address.term) {
            (Given::Pointer(argument), None) => {
                let is_passed = self.numbering.names.get(address.base) == Name::Atom(passed);
                let (_, scale) = argument.term?;
                let own = Own { scale, offset: address.offset, ..own };
                (is_passed && self.is_small(handed, scale)).then_some(own)
            }
            (Given::Number, Some((index, scale))) => {
                let is_array = matches!(self.numbering.names.get(address.base), Name::Global(_));
                let chosen = self.is_counter(index, passed, handed.loops.width);
                let own = Own { array: Some(address.base), scale, offset: address.offset, ..own };
                (is_array && chosen && self.is_small(handed, scale)).then_some(own)
            }
            _ => None,
        }
    }

    fn by_creator(&self, handed: &Handed, address: Address) -> Option<Own> {
        let (index, scale) = address.term?;
        let key = Key::Thread(handed.thread);
        let own = Own { key, array: None, scale, offset: address.offset, before: true };
        let own = match handed.given {
            Given::Pointer(argument) => {
                let same = address.base == argument.base && address.term == argument.term;
                same.then_some(Own { offset: address.offset.wrapping_sub(argument.offset), ..own })
            }
            Given::Number => {
                let is_array = matches!(self.numbering.names.get(address.base), Name::Global(_));
                let chosen = self.is_counter(index, handed.counter, handed.loops.width);
                (is_array && chosen).then_some(Own { array: Some(address.base), ..own })
            }
        };
        own.filter(|_| self.is_small(handed, scale))
    }

    /// Whether the distances of all elements are too small to wrap.
    fn is_small(&self, handed: &Handed, scale: i64) -> bool {
        let scale = scale.unsigned_abs();
        let bounded = handed.loops.rounds.is_some_and(|rounds| rounds < (1 << 31) / scale.max(1));
        let wide = self.interpreter.program.pointer_width == 64 && handed.loops.width <= 32;
        (1..MAX_SCALE).contains(&scale) && (wide || bounded)
    }

    /// Whether an access is made in a round of the loop that creates a thread,
    /// before it is created.
    fn comes_before(&self, handed: &Handed, access: Site) -> bool {
        let (node, pc) = handed.creator;
        self.call_in(node, access).is_some_and(|at| handed.loops.comes_before(self.interpreter, node, at, pc))
    }

    /// The instruction of a node that is executed while another one is.
    fn call_in(&self, node: u32, (mut own, mut pc): Site) -> Option<Pc> {
        while own != node {
            (own, pc) = self.numbering.caller(own)?;
        }
        Some(pc)
    }
}
