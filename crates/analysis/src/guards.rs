//! Locks that are found from the address of what they protect.
//!
//! There may be many instances of a lock: one in every object of a kind, or an
//! array of them. Two accesses to the same bytes are under the same instance if
//! both threads got the address of the lock from that of the access in the same
//! way:
//!
//! - [`How::Beside`]: both are the same pointer, by name ([`crate::numbering`]),
//!   plus constants. A pointer carries its object, so the lock lies in the object
//!   that is accessed, at a distance that is known.
//! - [`How::Index`]: both lie in global arrays, at an index with the same name.
//!   If two threads access the same bytes, their indices are equal but for
//!   multiples of a large power of two, since sums wrap. So are the addresses of
//!   their locks, and both lie in one object, which is smaller than that.
//!
//! A name says that two registers are equal within one thread. Nothing needs to
//! be known of registers in different threads.

use smallvec::SmallVec;

use crate::event::LockKind;
use crate::flow::{Site, TakenAt};
use crate::interpret::Interpreter;
use crate::memory::Kind;
use crate::numbering::Numbering;
use crate::numbering::name::{Address, Name, NameIx};
use crate::value::{Meets, ObjIx, Off, Ptr};

/// How the address of a lock comes from that of an access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum How {
    /// It lies so many bytes before it, in the same object.
    Beside(i64),
    /// Both lie in arrays, at the same index. The numbers are the scale of the
    /// index and the offset, of the access and of the lock.
    Index([i64; 4]),
}

/// A lock that is held at an access, found from the address of the access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Guard {
    /// How it is found.
    pub how: How,
    /// The object that it lies in.
    pub obj: ObjIx,
    /// Where in the object it may be.
    pub off: Off,
    /// Its kind.
    pub kind: LockKind,
    /// Whether no other thread can hold it at the same time.
    pub exclusive: bool,
}

impl Guard {
    /// Whether this is the same lock as another guard of an access that has a
    /// byte in common, if they are held by two threads, and not both as readers.
    pub fn excludes(&self, other: &Guard, meets: Meets) -> bool {
        let same_way = self.how == other.how && meets == Meets::Same;
        let beside = |guard: &Guard| matches!(guard.how, How::Beside(_));
        let same_place = beside(self)
            && beside(other)
            && self.off.known().is_some()
            && self.off.known() == other.off.known();
        self.obj == other.obj
            && self.kind == other.kind
            && (self.exclusive || other.exclusive)
            && (same_way || same_place)
    }
}

/// Finds guards.
pub struct Guards<'a, 'p> {
    /// What is known of values.
    pub interpreter: &'a Interpreter<'p>,
    /// The names of values.
    pub numbering: &'a Numbering<'a, 'p>,
}

impl Guards<'_, '_> {
    /// The locks among those that were taken that guard an access.
    pub fn of(&self, access: Site, target: Ptr, taken: &[TakenAt<'_>]) -> SmallVec<[Guard; 1]> {
        let Some(address) = self.numbering.address(access.0, access.1) else { return SmallVec::new() };
        let guard = |TakenAt { site, places, kind, exclusive }: &TakenAt<'_>| {
            let lock = self.numbering.address(site.0, site.1)?;
            let how =
                self.beside(address, lock, target.obj).or_else(|| self.index(address, lock, target.obj))?;
            let (obj, off) = match how {
                How::Beside(distance) => (target.obj, target.off.plus(distance.wrapping_neg())),
                How::Index(_) => one_object(places)?,
            };
            Some(Guard { how, obj, off, kind: *kind, exclusive: *exclusive })
        };
        taken.iter().filter_map(guard).collect()
    }

    fn beside(&self, access: Address, lock: Address, obj: ObjIx) -> Option<How> {
        let same = access.base == lock.base && access.term == lock.term;
        // The pointers could be numbers that lead to other objects later, or their
        // object could be another one by then.
        let Interpreter { reused, aliases, memory, .. } = self.interpreter;
        let moves = reused.contains(&obj) || aliases.contains_key(&obj) || memory.pinned.contains(&obj);
        (same && !moves).then(|| How::Beside(access.offset.wrapping_sub(lock.offset)))
    }

    fn index(&self, access: Address, lock: Address, obj: ObjIx) -> Option<How> {
        let ((index, scale), (lock_index, lock_scale)) = (access.term?, lock.term?);
        let Name::Global(locks) = self.numbering.names.get(lock.base) else { return None };
        let same = index == lock_index && !self.interpreter.moves_undefined;
        let fits = self.is_global(access.base, obj) && self.is_determined(scale, lock_scale, locks);
        (same && fits).then_some(How::Index([scale, access.offset, lock_scale, lock.offset]))
    }

    /// Whether indices whose products with one scale are equal have, as products
    /// with another one, the same place in a global variable. Equal products of a
    /// scale with `k` factors of two leave the upper `k` bits of the index open.
    fn is_determined(&self, scale: i64, lock_scale: i64, locks: ir::GlobalId) -> bool {
        let program = self.interpreter.program;
        let (open, shift) = (scale.trailing_zeros(), lock_scale.trailing_zeros());
        let distance = (u32::from(program.pointer_width) + shift).saturating_sub(open);
        let apart = |distance: u32| distance >= 63 || 1u64 << distance >= program.global(locks).size;
        scale != 0 && lock_scale != 0 && (shift >= open || apart(distance))
    }

    fn is_global(&self, base: NameIx, obj: ObjIx) -> bool {
        match (self.numbering.names.get(base), self.interpreter.memory.get(obj).kind) {
            (Name::Global(a), Kind::Global(b)) => a == b,
            _ => false,
        }
    }
}

/// The one object that all pointers point into, and where.
fn one_object(places: &[Ptr]) -> Option<(ObjIx, Off)> {
    let (first, rest) = places.split_first()?;
    let off = rest.iter().fold(first.off, |off, place| off.join(place.off));
    rest.iter().all(|place| place.obj == first.obj).then_some((first.obj, off))
}
