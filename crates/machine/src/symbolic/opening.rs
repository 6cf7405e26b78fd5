//! Objects of known size that become open ([`crate::memory::open`]) because they are accessed at
//! indices that are not known.
//!
//! An access is then a selection from an array, rather than a choice between all elements
//! ([`crate::symbolic::spread`]), of which more can be proven: that the element at `i` is `k` is an
//! equation, whatever `i` is. Only objects of plain, defined bytes become open: neither pointers
//! nor synchronisation objects nor undefined bytes are lost by it. Their size stays known, so that
//! an access out of bounds is the same fault under the same condition as before, and so that they
//! can be closed again where they are used in a way that open objects are not.

use crate::exec::{Exec, Stop};
use crate::memory::object::{Life, Object, Origin};
use crate::memory::open::{Elements, Open};
use crate::symbolic::symbols::{Sym, Symbols};
use crate::telling::observer::Observer;
use crate::value::{ObjectId, Value};

/// An object with more elements than this that are not zero does not become open.
const MOST_DIFFERENT: usize = 256;

/// An object with more elements than this is not closed again.
const MOST_CLOSED: u64 = 256;

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// Whether an access of so many bytes is one to an open object, or to one that becomes open
    /// by it.
    pub fn becomes_open(&mut self, pointer: Value, len: u64) -> Result<bool, Stop> {
        if self.is_open(pointer) {
            if !self.fits(pointer, len) {
                self.close_again(pointer.object);
            }
            return Ok(self.is_open(pointer));
        }
        if !pointer.is_symbolic() || pointer.undef != 0 || !self.can_open(pointer, len) {
            return Ok(false);
        }
        let (id, log) = (pointer.object, len.trailing_zeros() as u8);
        let Some(contents) = self.contents(id, log)? else { return Ok(false) };
        let object = self.state.memory.get_mut(id);
        let size = Value::int(object.size() >> log);
        let elements = Some(Elements { log, contents, initialised: None });
        object.open = Some(Box::new(Open { unit: log, size, zeroed: true, elements }));
        object.data = Default::default();
        object.undef = None;
        object.unknown.clear();
        Ok(true)
    }

    /// Whether an object can be an array of elements of so many bytes, of which the pointer
    /// certainly leads to one.
    fn can_open(&mut self, pointer: Value, len: u64) -> bool {
        let (id, log) = (pointer.object, len.trailing_zeros() as u8);
        let memory = &self.state.memory;
        let Some(object) = memory.get(id).filter(|object| is_plain(object)) else { return false };
        let is_pinned = memory.addresses.pinned.iter().any(|(_, pinned)| *pinned == id);
        let fits = len.is_power_of_two() && len <= memory.word && object.size().is_multiple_of(len);
        if !fits || is_pinned || object.size() <= len || self.looks_for_races() {
            return false;
        }
        let width = self.machine.program().pointer_width;
        self.symbols.shifted(pointer.without_object(), width, log).is_some()
    }

    /// Whether an access to an open object is certainly one to an element.
    fn fits(&mut self, pointer: Value, len: u64) -> bool {
        let open = self.state.memory.get(pointer.object).and_then(|object| object.open.as_deref());
        let Some(log) = open.and_then(|open| open.elements).map(|elements| elements.log) else { return true };
        let width = self.machine.program().pointer_width;
        len == 1 << log && self.symbols.shifted(pointer.without_object(), width, log).is_some()
    }

    /// Gives an open object its bytes again, if its size is known.
    pub fn close_again(&mut self, id: ObjectId) {
        let open = self.state.memory.get(id).and_then(|object| object.open.as_deref());
        let Some(Open { unit, size, elements: Some(elements), .. }) = open.cloned() else { return };
        if size.is_symbolic() || elements.initialised.is_some() || size.bits > MOST_CLOSED {
            return;
        }
        let (log, word) = (elements.log, self.state.memory.word);
        let width = self.machine.program().pointer_width - log;
        let values: Vec<Value> = (0..size.bits << unit >> log)
            .map(|index| self.symbols.element(elements.contents, (Value::int(index), width)))
            .collect();
        let object = self.state.memory.get_mut(id);
        object.open = None;
        object.data = vec![0; (size.bits << unit) as usize].into();
        for (index, value) in (0..).zip(values) {
            object.write(index << log, 1 << log, word, value);
        }
    }

    /// The elements of an object as an array, if not too many of them differ from zero.
    fn contents(&mut self, id: ObjectId, log: u8) -> Result<Option<Sym>, Stop> {
        let (len, width) = (1 << log, self.machine.program().pointer_width - log);
        let size = self.state.memory.get(id).map_or(0, Object::size);
        let mut contents = self.symbols.zeros(8 << log);
        let mut different = 0;
        for at in (0..size).step_by(len as usize) {
            let element = self.read(id, at, len)?;
            if element.is_symbolic() || element.bits != 0 {
                different += 1;
                contents = self.symbols.with_element(contents, (Value::int(at >> log), width), element);
            }
            if different > MOST_DIFFERENT {
                return Ok(None);
            }
        }
        Ok(Some(contents))
    }
}

/// Whether an object has plain, defined bytes and nothing else, and keeps them as long as it lives.
fn is_plain(object: &Object) -> bool {
    let lasts = matches!(object.origin, Origin::Global(_) | Origin::Heap(..));
    let empty = object.pointers.is_empty() && object.sync.is_empty();
    lasts && empty && object.life == Life::Alive && !object.has_undef(0, object.size())
}
