//! The data of objects of unknown size: their sizes, how much of them is initialised,
//! and their contents.

use triomphe::Arc;

use crate::machine::Machine;
use crate::memory::object::Object;
use crate::memory::open::{Elements, Open, Prefix};
use crate::memory::room;
use crate::state::State;
use crate::symbolic::data::Datum;
use crate::symbolic::open::MOST;
use crate::symbolic::symbols::Sym;
use crate::value::{ObjectId, Value};

impl Machine {
    /// How many of the lowest bits of a value should stay known if they are zero, if it
    /// is a pointer into an object of unknown size.
    pub fn offset_zeros(&self, state: &State, value: Value) -> Option<u8> {
        state.memory.get(value.object).and_then(offset_zeros)
    }

    /// Puts symbols in place of the data of open objects. `other` is told the place,
    /// what stands there, and its width: of an array, that of an element.
    pub fn rename_open(&self, state: &mut State, mut other: impl FnMut(Datum, Value, u8) -> Sym) {
        let word = self.program().pointer_width;
        let slots = state.memory.slots.iter().enumerate();
        let open = slots.filter(|(_, object)| object.open.is_some());
        let open = open.map(|(slot, object)| ObjectId::slot(slot, object.generation));
        for object in open.collect::<Vec<_>>() {
            let Open { unit, size, elements, .. } =
                &mut **state.memory.get_mut(object).open.as_mut().expect("an open object");
            // The size of one that was opened because of its indices stays known.
            if size.is_symbolic() {
                *size = unknown(other(Datum::Size { object }, *size, word - *unit));
            }
            let Some(elements) = elements else { continue };
            let array = unknown(elements.contents);
            elements.contents = other(Datum::Contents { object }, array, elements.width());
            if let Some(Prefix { len, width, .. }) = &mut elements.initialised {
                *len = unknown(other(Datum::Initialised { object }, *len, *width));
            }
        }
    }
}

/// How many of the lowest bits of an offset into an object decide whether an access is
/// aligned, if the object is of unknown size.
fn offset_zeros(object: &Object) -> Option<u8> {
    let open = object.open.as_deref()?;
    Some(open.elements.map_or(MOST, |elements| elements.log))
}

/// How many of the lowest bits of an offset should stay known if they are zero, for the objects of a
/// state: they tell which accesses of other widths or places it may meet.
pub(crate) struct OffsetZeros(Vec<(ObjectId, u8)>);

impl OffsetZeros {
    pub fn of(state: &State) -> OffsetZeros {
        let slots = state.memory.slots.iter().enumerate();
        let open = slots.filter_map(|(slot, object)| {
            Some((ObjectId::slot(slot, object.generation), offset_zeros(object)?))
        });
        OffsetZeros(open.collect())
    }

    /// None if it names no object.
    pub fn zeros(&self, id: ObjectId) -> Option<u8> {
        let open = || self.0.iter().find(|(open, _)| *open == id).map(|(_, zeros)| *zeros);
        (id != ObjectId::NONE).then(|| open().unwrap_or(MOST))
    }
}

fn unknown(symbol: Sym) -> Value {
    Value { sym: symbol, ..Value::default() }
}

/// Values of symbols.
pub trait Values {
    /// The number that a symbol stands for.
    fn number(&mut self, symbol: Sym) -> u64;

    /// An element of the array that a symbol stands for.
    fn element(&mut self, array: Sym, index: u64) -> u64;
}

/// Numbers, where there are no arrays.
impl<F: FnMut(Sym) -> u64> Values for F {
    fn number(&mut self, symbol: Sym) -> u64 {
        self(symbol)
    }

    fn element(&mut self, _: Sym, _: u64) -> u64 {
        unreachable!("no arrays")
    }
}

/// Gives an object of unknown size the bytes that it has with these values. Elements
/// that are not known to be initialised are undefined.
pub(crate) fn close(object: &mut Arc<Object>, word: u64, values: &mut impl Values) {
    let Some(open) = &object.open else { return };
    let Open { unit, size, zeroed, elements } = (**open).clone();
    let mut number = |value: Value| if value.is_symbolic() { values.number(value.sym) } else { value.bits };
    let bytes = number(size) << unit;
    let initialised = elements.and_then(|elements| elements.initialised).map(|prefix| number(prefix.len));
    let old = &**object;
    let empty = Object::new(old.origin, bytes, zeroed).aligned(old.align);
    let Object { generation, shared, public, block, made, .. } = *old;
    let mut closed = Object { generation, shared, public, block, made, ..empty };
    if closed.block.room > 0 {
        closed.block.room = room(bytes);
    }
    if let Some(Elements { log, contents, .. }) = elements {
        let last = initialised.unwrap_or(u64::MAX).min(bytes >> log);
        for index in 0..last {
            let element = Value::int(values.element(contents, index));
            closed.write(index << log, 1 << log, word, element);
        }
    }
    *object = Arc::new(closed);
}
