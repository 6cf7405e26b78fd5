//! The one way to memory. Every access that the program makes goes through here,
//! in five stages:
//!
//! 1. The address is *resolved* to a place, or to the fault that the pointer is
//!    ([`Exec::resolve`]).
//! 2. The number is *known*: what stands there is read ([`Exec::look`]), and a place
//!    that will be written over is made ready for it ([`Exec::make_room`]). All
//!    decisions on values that are not known are made up to here. An instruction
//!    that is given up because one of them is open has changed nothing that
//!    matters.
//! 3. The access is *tracked* for races, together with the order that it makes.
//! 4. The observer is *told*.
//! 5. What is written is *committed* ([`Exec::commit`]).
//!
//! The memory model ([`crate::model`]) hooks in here: [`Exec::read_at`] decides what
//! a thread reads, and [`Exec::write_at`] when others see what it wrote.

use ir::{Instr, Order};

use crate::exec::{Exec, Stop};
use crate::machine::End;
use crate::memory::Unresolved;
use crate::symbolic::open::OPEN;
use crate::symbolic::symbols::{Pair, Symbols};
use crate::telling::fault::{FaultKind, Touch};
use crate::telling::observer::{Event, Observer, Place};
use crate::value::arith::narrow;
use crate::value::{Named, ObjectId, Value};

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// Reads a value of this width, which lies in the bytes of the place.
    #[inline]
    pub fn read_at(&mut self, place: Place, width: u8, order: Option<Order>) -> Result<Pair, Stop> {
        let own = self.machine.has_buffers && self.has_own_stores(place);
        let pair = if own { self.look_through(place)? } else { self.look(place)? };
        let (low, high) = self.resized(pair, (place.len * 8) as u8, width);
        let low = Value { bits: low.bits & narrow::mask(width.min(64)), ..low };
        match own {
            // It reads from no other thread.
            true => self.tell_touch(place, low, order),
            false => self.tell_read(place, low, order),
        }
        Ok((low, high))
    }

    /// Writes a value of as many bytes as the place has.
    #[inline]
    pub fn write_at(&mut self, place: Place, new: Pair, order: Option<Order>) -> Result<(), Stop> {
        if self.machine.has_buffers && self.is_buffered(place.object, order) {
            return self.buffer_store(place, new, order);
        }
        let old = self.read(place.object, place.offset, place.len.min(8))?;
        self.make_room(place)?;
        self.tell_write(place, old, new.0, order);
        self.commit(place, new);
        Ok(())
    }

    /// Writes what an atomic operation made of the value that it read there.
    pub fn update_at(&mut self, place: Place, old: Value, new: Pair, order: Order) -> Result<(), Stop> {
        self.make_room(place)?;
        self.acquire(place, order);
        self.track(place, Touch::Write, Some(order));
        self.release(place, order, true);
        let shared = self.is_shared(place.object);
        self.event(Event::Read { place, value: old, order: Some(order), shared });
        self.event(Event::Write { place, old, new: new.0, order: Some(order), shared });
        self.commit(place, new);
        Ok(())
    }

    /// Tracks and tells a read that can no longer be given up.
    #[inline]
    pub fn tell_read(&mut self, place: Place, value: Value, order: Option<Order>) {
        if let Some(order) = order {
            self.acquire(place, order);
        }
        self.tell_touch(place, value, order);
    }

    /// The same without the order that it makes.
    #[inline]
    fn tell_touch(&mut self, place: Place, value: Value, order: Option<Order>) {
        self.track(place, Touch::Read, order);
        if O::LISTENS || self.machine.follows_traces {
            let shared = self.is_shared(place.object);
            self.event(Event::Read { place, value, order, shared });
        }
    }

    /// Tracks and tells a write that can no longer be given up.
    #[inline]
    pub fn tell_write(&mut self, place: Place, old: Value, new: Value, order: Option<Order>) {
        self.track(place, Touch::Write, order);
        match order {
            Some(order) => self.release(place, order, false),
            None => self.forget_releases(place),
        }
        if O::LISTENS || self.machine.follows_traces {
            let shared = self.is_shared(place.object);
            self.event(Event::Write { place, old, new, order, shared });
        }
    }

    /// The bytes that a pointer leads to, or the fault it is.
    pub fn resolve_place(&mut self, pointer: Value, len: u64, touch: Touch) -> Result<Place, Stop> {
        self.resolve(pointer, len, touch).map(|(object, offset)| Place { object, offset, len })
    }

    /// Where a pointer leads, or the fault it is.
    pub fn resolve(&mut self, pointer: Value, len: u64, touch: Touch) -> Result<(ObjectId, u64), Stop> {
        if self.symbols.opens_objects() {
            self.close_again(pointer.object);
        }
        let pointer = if pointer.is_symbolic() { self.pinpoint(pointer, len)? } else { pointer };
        match self.state.memory.resolve(pointer, len, touch) {
            Ok(found) => Ok(found),
            Err(Unresolved::Constant) => self.resolve_constant(pointer, len, touch),
            Err(_) if self.is_open(pointer) => Err(Stop::TooHard(OPEN)),
            Err(unresolved) => {
                Err(self.machine.bad_pointer(self.state, pointer, len, touch, unresolved).into())
            }
        }
    }

    fn resolve_constant(&self, pointer: Value, len: u64, touch: Touch) -> Result<(ObjectId, u64), Stop> {
        if self.machine.is_defined_nowhere(pointer.object) {
            let name = self.machine.object_name(self.state, pointer.object);
            let what = format!("the variable {name}, which is defined nowhere,");
            return Err(Stop::End(End::Unsupported(what)));
        }
        let size = self.state.memory.size_of(pointer.object, &self.machine.constants);
        if pointer.bits.checked_add(len).is_none_or(|end| end > size) {
            let kind = self.machine.bad_pointer(self.state, pointer, len, touch, Unresolved::Bad);
            return Err(kind.into());
        }
        if touch == Touch::Write {
            let object = self.machine.object_name(self.state, pointer.object);
            return Err(FaultKind::WriteToConstant { object }.into());
        }
        Ok((pointer.object, pointer.bits))
    }

    /// What stands at a place of up to 16 bytes.
    #[inline]
    pub fn look(&mut self, place: Place) -> Result<Pair, Stop> {
        let Place { object, offset, len } = place;
        let low = self.read(object, offset, len.min(8))?;
        let low = self.hide_sync(place, low);
        let high = if len > 8 { self.read(object, offset + 8, len - 8)? } else { Value::int(0) };
        Ok((low, high))
    }

    /// Up to 8 bytes as they are, those of synchronisation objects too.
    pub fn read(&mut self, id: ObjectId, offset: u64, len: u64) -> Result<Value, Stop> {
        let word = self.state.memory.word;
        if let Named::Constant(global) = id.named() {
            let constant = self.machine.constants.get(global).read(offset, len, word);
            return Ok(constant.unwrap_or_else(|| self.read_split_constant(global, offset, len)));
        }
        let object = self.state.memory.get(id).expect("resolved");
        match object.read(offset, len, word) {
            Some(value) => Ok(value),
            None => self.read_split(id, offset, len),
        }
    }

    /// Reads a range that has part of a pointer: as numbers.
    fn read_split(&mut self, id: ObjectId, offset: u64, len: u64) -> Result<Value, Stop> {
        self.know_pointers(id, offset, len)?;
        self.check_part()?;
        self.state.memory.numeric_range(id, offset, len, &self.machine.constants);
        let word = self.state.memory.word;
        let whole = self.state.memory.get(id).expect("resolved").read(offset, len, word);
        Ok(whole.unwrap_or_else(|| self.read_pieces(id, offset, len)))
    }

    /// Reuse of addresses is considered in programs that can tell, which are known
    /// by other instructions than loads of a few bytes from within a pointer.
    fn check_part(&self) -> Result<(), Stop> {
        let word = (self.state.memory.word * 8) as u8;
        let is_part = matches!(self.current(), Instr::Load { width, .. } if *width > 8 && *width < word);
        match is_part && !self.machine.tells_addresses {
            true => Err(Stop::TooHard("a part of an address, read as a number,")),
            false => Ok(()),
        }
    }

    /// The same for a constant: in a copy, since constants are not in the state.
    fn read_split_constant(&mut self, global: ir::GlobalId, offset: u64, len: u64) -> Value {
        let word = self.state.memory.word;
        let mut copy = self.machine.constants.get(global).clone();
        for (at, target) in std::mem::take(&mut copy.pointers) {
            let base = self.state.memory.pin(target, &self.machine.constants);
            let value = copy.read(u64::from(at), word, word).expect("no pointers left");
            let bits = value.bits.wrapping_add(base) & narrow::mask((word * 8) as u8);
            copy.write(u64::from(at), word, word, Value::int(bits));
        }
        copy.read(offset, len, word).expect("no pointers left")
    }

    /// Makes a place ready for being written over: what it cuts in two is taken
    /// apart.
    #[inline]
    pub fn make_room(&mut self, place: Place) -> Result<(), Stop> {
        let Place { object: id, offset, len } = place;
        if !self.state.memory.get(id).expect("resolved").unknown.is_empty() {
            self.know_pointers_cut_by(place)?;
            self.split_cells(id, offset, len);
        }
        let memory = &mut self.state.memory;
        if !memory.get(id).expect("resolved").pointers.is_empty() {
            memory.split_pointers(id, offset, len, &self.machine.constants);
        }
        Ok(())
    }

    /// Puts a value of up to 16 bytes into a place that was made ready for it.
    #[inline]
    pub fn commit(&mut self, place: Place, (low, high): Pair) {
        let Place { object, offset, len } = place;
        self.commit_word(object, offset, len.min(8), low);
        if len > 8 {
            self.commit_word(object, offset + 8, len - 8, high);
        }
    }

    #[inline]
    fn commit_word(&mut self, id: ObjectId, offset: u64, len: u64, value: Value) {
        let memory = &mut self.state.memory;
        if value.is_pointer() && memory.get(id).expect("resolved").shared {
            memory.share(value.object);
        }
        let word = memory.word;
        memory.get_mut(id).write(offset, len, word, value);
    }

    /// The pointers that a write to the range leaves a part of.
    fn know_pointers_cut_by(&mut self, place: Place) -> Result<(), Stop> {
        let Place { object: id, offset, len } = place;
        let word = self.state.memory.word;
        let object = self.state.memory.get(id).expect("resolved");
        let cut =
            |(at, _): &&(u32, ObjectId)| u64::from(*at) < offset || u64::from(*at) + word > offset + len;
        let cut: Vec<u64> = object.pointers[object.pointers_in(offset, len, word)]
            .iter()
            .filter(cut)
            .map(|(at, _)| u64::from(*at))
            .collect();
        cut.into_iter().try_for_each(|at| self.know_pointers(id, at, word))
    }

    /// A value that is not known has the width of its register, in memory the
    /// width of its bytes.
    pub fn resized(&mut self, (low, high): (Value, Value), from: u8, to: u8) -> (Value, Value) {
        let mut resize = |value: Value, from: u8, to: u8| {
            if value.is_symbolic() && from != to { self.symbols.resize(value, from, to) } else { value }
        };
        let upper = |width: u8| width.saturating_sub(64);
        (resize(low, from.min(64), to.min(64)), resize(high, upper(from), upper(to)))
    }

    pub fn is_shared(&self, id: ObjectId) -> bool {
        self.state.memory.get(id).is_some_and(|object| object.shared)
    }
}
