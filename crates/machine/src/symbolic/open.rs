//! Objects of unknown size ([`crate::memory::open`]): how they are made, read and
//! written.
//!
//! An access decides whether it lies inside; if it does not, that is the usual fault.
//! Then it selects an element of the contents, or stores one. All accesses to an
//! object have the width of the first one and lie at multiples of it. Whatever else a
//! program does with such an object ends the execution as unsupported: accesses of
//! other widths, copies and fills, pointers and undefined values stored into it,
//! synchronisation objects in it, its address as a number.
//!
//! # Memory that was never initialised
//!
//! The contents of a new object are an unknown array, while those of a concrete one
//! are undefined. The two are the same where an undefined value is an input that is
//! chosen before it is read ([`crate::exec::indeterminate`]), since that choice is
//! made once for each element; an execution in which it is made does not replay step by
//! step, though ([`Symbols::replays_if`]). Where reading such a value is a fault that is looked for, and
//! where it is only moved about, so that copies are chosen on their own, the element
//! must be initialised. What is known of this is a prefix: a store of the first
//! element that is not known to be initialised makes it one longer. A read beyond the
//! prefix is unsupported.
//!
//! # Races
//!
//! Accesses at unknown offsets cannot be remembered by their bytes. Where races are
//! looked for, writing to an open object is unsupported if the write can race and
//! some other thread was not joined yet. All other accesses are reads, or ordered with
//! everything.

use ir::{Access, BinOp, CompareExchange, Operand, Order, Pred, Reg, RmwOp};

use crate::exec::indeterminate::computes_with;
use crate::exec::{Exec, Stop};
use crate::memory::MAX_OBJECT;
use crate::memory::Unresolved;
use crate::memory::object::Life;
use crate::memory::open::{Elements, Open, Prefix};
use crate::symbolic::symbols::Symbols;
use crate::telling::fault::Touch;
use crate::telling::observer::{Event, Observer, Place};
use crate::telling::property::Property;
use crate::value::arith::narrow;
use crate::value::{ObjectId, Value};

/// Why an open object cannot be used like any other.
pub(crate) const OPEN: &str = "this use of an object of unknown size";
const UNALIGNED: &str = "an access to an object of unknown size that differs from others in its width";
const UNDEFINED: &str = "reading an object of unknown size where it may be uninitialised";
const RACE: &str = "writing to an object of unknown size where races are looked for";

/// Accesses have up to two to the power of this many bytes.
pub(crate) const MOST: u8 = 3;

/// All bytes that an object may have.
pub(crate) const EVERYWHERE: u64 = u64::MAX >> 1;

/// An access to an open object that lies inside.
struct Inside {
    object: ObjectId,
    /// Which element it is, and the width of that number.
    index: (Value, u8),
    elements: Elements,
    place: Place,
}

fn atomic(order: Order) -> Access {
    Access { order: Some(order), volatile: false }
}

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// Makes an object on the heap whose size is not known; false if it is to be like
    /// all others.
    pub fn malloc_open(&mut self, dst: Reg, size: Operand, align: u64, zeroed: bool) -> Result<bool, Stop> {
        let size = self.value(size);
        let is_number = size.undef == 0 && !size.is_pointer();
        if !size.is_symbolic() || !is_number || self.may_be_reused() || align > MAX_OBJECT {
            return Ok(false);
        }
        let width = self.machine.program().pointer_width;
        let greatest = Value::int(self.greatest_object());
        if self.holds(Pred::Ugt, width, size, greatest)? {
            self.set_and_next(dst, Value::int(0))?;
            return Ok(true);
        }
        let size = self.symbols.bounded(size, width, greatest.bits);
        self.symbols.makes_object(size, width);
        let (unit, size) = self.units(size);
        let mut object = self.heap_object(0, zeroed).aligned(align as u32);
        object.open = Some(Box::new(Open { unit, size, zeroed, elements: None }));
        self.put_on_heap(dst, object)?;
        Ok(true)
    }

    /// Whether it may matter that a new object fits into the block of one that was
    /// freed.
    fn may_be_reused(&self) -> bool {
        let freed = || self.state.memory.slots.iter().any(|object| matches!(object.life, Life::Freed(_)));
        self.machine.tells_addresses && freed()
    }

    /// A size in the largest units that it certainly is a multiple of.
    fn units(&mut self, size: Value) -> (u8, Value) {
        let width = self.machine.program().pointer_width;
        let units = (1..=MOST).rev().find_map(|unit| Some((unit, self.symbols.shifted(size, width, unit)?)));
        units.unwrap_or((0, size))
    }

    /// Whether a pointer leads to an object of unknown size that is there.
    #[inline]
    pub fn is_open(&self, pointer: Value) -> bool {
        let object = self.state.memory.get(pointer.object);
        object.is_some_and(|object| object.open.is_some() && object.life == Life::Alive)
    }

    /// A load from an open object.
    pub fn load_open(&mut self, width: u8, dst: Reg, pointer: Value, access: Access) -> Result<(), Stop> {
        let at = self.inside(width, pointer, Touch::Read, access)?;
        let frame = self.state.thread(self.thread).frame();
        let function = self.machine.program().function(frame.function);
        let computes = computes_with(function, frame.pc + 1, dst);
        self.rule_out_undefined(&at, computes)?;
        let value = self.element(&at, width);
        self.tell_read_open(&at, value, access.order);
        self.put_elements(at.object, at.elements);
        self.set_and_next(dst, value)
    }

    /// A store to an open object.
    pub fn store_open(
        &mut self,
        width: u8,
        pointer: Value,
        value: Operand,
        access: Access,
    ) -> Result<(), Stop> {
        let mut at = self.inside(width, pointer, Touch::Write, access)?;
        let new = self.pair(value, width);
        let new = self.replace_element(&mut at, width, new)?;
        self.tell_write_open(&at, Value::int(0), new, access.order);
        self.put_elements(at.object, at.elements);
        self.next()
    }

    /// A read-modify-write of an open object.
    pub fn update_open(
        &mut self,
        (op, width): (RmwOp, u8),
        dst: Reg,
        (pointer, operand): (Value, Value),
        order: Order,
    ) -> Result<(), Stop> {
        let mut at = self.inside(width, pointer, Touch::Write, atomic(order))?;
        self.rule_out_undefined(&at, op != RmwOp::Xchg)?;
        let old = self.element(&at, width);
        let new = self.rmw_result(op, width, old, operand)?;
        let new = self.replace_element(&mut at, width, (new, Value::int(0)))?;
        self.tell_read_open(&at, old, Some(order));
        self.tell_write_open(&at, old, new, Some(order));
        self.put_elements(at.object, at.elements);
        self.set_and_next(dst, old)
    }

    /// A compare-and-exchange of an element of an open object.
    pub fn compare_exchange_open(&mut self, cx: &CompareExchange, pointer: Value) -> Result<(), Stop> {
        let mut at = self.inside(cx.width, pointer, Touch::Write, atomic(cx.success))?;
        self.rule_out_undefined(&at, true)?;
        let old = self.element(&at, cx.width);
        let (expected, new) = (self.pair(cx.expected, cx.width), self.pair(cx.new, cx.width));
        let equal = self.equal(cx.width, (old, Value::int(0)), expected)?;
        let succeeds = equal && !(cx.weak && self.choice == 1);
        if succeeds {
            let new = self.replace_element(&mut at, cx.width, new)?;
            self.tell_read_open(&at, old, Some(cx.success));
            self.tell_write_open(&at, old, new, Some(cx.success));
        } else {
            self.tell_read_open(&at, old, Some(cx.failure));
        }
        self.put_elements(at.object, at.elements);
        self.set(cx.ok, Value::int(u64::from(succeeds)));
        self.set_and_next(cx.old, old)
    }

    /// The value of an element.
    fn element(&mut self, at: &Inside, width: u8) -> Value {
        let value = self.symbols.element(at.elements.contents, at.index);
        let (value, _) = self.resized((value, Value::int(0)), at.elements.width(), width);
        Value { bits: value.bits & narrow::mask(width), ..value }
    }

    /// Gives an element another value, in elements that are not in memory yet. Yields the value
    /// as it is stored.
    fn replace_element(&mut self, at: &mut Inside, width: u8, new: (Value, Value)) -> Result<Value, Stop> {
        if new.0.is_pointer() || new.0.undef & narrow::mask(width) != 0 {
            return Err(Stop::TooHard(OPEN));
        }
        self.rule_out_race()?;
        let (new, _) = self.resized(new, width, at.elements.width());
        if let Some(prefix) = at.elements.initialised {
            at.elements.initialised = Some(self.longer(prefix, at)?);
        }
        at.elements.contents = self.symbols.with_element(at.elements.contents, at.index, new);
        Ok(new)
    }

    fn tell_read_open(&mut self, at: &Inside, value: Value, order: Option<Order>) {
        let shared = self.is_shared(at.object);
        self.event(Event::Read { place: at.place, value, order, shared });
    }

    fn tell_write_open(&mut self, at: &Inside, old: Value, new: Value, order: Option<Order>) {
        let shared = self.is_shared(at.object);
        self.event(Event::Write { place: at.place, old, new, order, shared });
    }

    /// The prefix of initialised elements after a store: one longer, if it was the
    /// first element after it, as long as the number does not wrap.
    fn longer(&mut self, prefix: Prefix, at: &Inside) -> Result<Prefix, Stop> {
        let pair = |value: Value| (value, Value::int(0));
        let (index, index_width) = at.index;
        let Prefix { len, width, .. } = prefix;
        let mut longer = || {
            let end = self.symbols.cast(prefix.extension(), width, index_width, pair(len))?;
            let is_next = self.symbols.compare(Pred::Eq, index_width, pair(index), end)?;
            let most = pair(Value::int(prefix.most()));
            let has_room = self.symbols.compare(Pred::Ne, width, pair(len), most)?;
            let grows = self.symbols.binary(BinOp::And, 1, pair(is_next), pair(has_room))?;
            let more = self.symbols.binary(BinOp::Add, width, pair(len), pair(Value::int(1)))?;
            self.symbols.select(width, grows.0, more, pair(len))
        };
        let longer = longer().map_err(|snag| self.snag(snag))?;
        Ok(Prefix { len: longer.0, ..prefix })
    }

    /// Whether an element is known to be initialised, as a value of 1 bit.
    fn is_initialised(&mut self, prefix: Prefix, at: &Inside) -> Result<Value, Stop> {
        let (index, width) = at.index;
        let len = (prefix.len, Value::int(0));
        let end = self.symbols.cast(prefix.extension(), prefix.width, width, len);
        let known = end.and_then(|end| {
            let index = (index, Value::int(0));
            self.symbols.compare(Pred::Ult, width, index, end)
        });
        known.map_err(|snag| self.snag(snag))
    }

    /// Where an access leads in an open object, or the fault that it is. Decides all
    /// that there is to decide, and changes nothing.
    fn inside(&mut self, width: u8, pointer: Value, touch: Touch, access: Access) -> Result<Inside, Stop> {
        let len = u64::from(width).div_ceil(8);
        let log = len.trailing_zeros() as u8;
        let word = self.state.memory.word;
        let is_ordered = access.order.is_some() && self.looks_for_races();
        if pointer.undef != 0 || !len.is_power_of_two() || len > word || is_ordered {
            return Err(Stop::TooHard(OPEN));
        }
        let open = self.state.memory.get(pointer.object).and_then(|object| object.open.as_deref());
        let open = open.expect("an open object").clone();
        if open.elements.is_some_and(|elements| elements.log != log) {
            return Err(Stop::TooHard(UNALIGNED));
        }
        let width = self.machine.program().pointer_width;
        let offset = pointer.without_object();
        if !self.is_inside(&open, offset, log)? {
            let known = Value { object: pointer.object, ..Value::int(offset.bits) };
            let kind = self.machine.bad_pointer(self.state, known, len, touch, Unresolved::Bad);
            return Err(kind.into());
        }
        let Some(index) = self.symbols.shifted(offset, width, log) else {
            return Err(Stop::TooHard(UNALIGNED));
        };
        let elements = match open.elements {
            Some(elements) => elements,
            None => self.new_elements(&open, log),
        };
        let object = pointer.object;
        let place = match offset.is_symbolic() {
            true => Place { object, offset: 0, len: EVERYWHERE },
            false => Place { object, offset: offset.bits, len },
        };
        Ok(Inside { object, index: (index, width - log), elements, place })
    }

    /// Whether the bytes of an access lie in an open object.
    fn is_inside(&mut self, open: &Open, offset: Value, log: u8) -> Result<bool, Stop> {
        let width = self.machine.program().pointer_width;
        let (units, unit) = (width - open.unit, open.unit);
        // Both are numbers of elements: which of them is less decides.
        if unit >= log
            && let Some(index) = self.symbols.shifted(offset, width, log)
        {
            let size = self.symbols.scaled(open.size, units, unit - log);
            return self.holds(Pred::Ult, width - log, index, size);
        }
        let len = Value::int(1 << log);
        let size = self.symbols.scaled(open.size, units, unit);
        if !self.holds(Pred::Ule, width, len, size)? {
            return Ok(false);
        }
        let zero = Value::int(0);
        let last = self.symbols.binary(BinOp::Sub, width, (size, zero), (len, zero));
        let (last, _) = last.map_err(|snag| self.snag(snag))?;
        self.holds(Pred::Ule, width, offset, last)
    }

    /// The elements of an object that was not accessed yet.
    fn new_elements(&mut self, open: &Open, log: u8) -> Elements {
        let width = 8 << log;
        match open.zeroed {
            true => Elements { log, contents: self.symbols.zeros(width), initialised: None },
            false => {
                let contents = self.symbols.unknown_array(width);
                let units = self.machine.program().pointer_width - open.unit;
                let (width, signed) = self.symbols.extended_from(open.size, units);
                let width = width.min(self.machine.program().pointer_width - log);
                let initialised = Some(Prefix { len: Value::int(0), width, signed });
                Elements { log, contents, initialised }
            }
        }
    }

    fn put_elements(&mut self, id: ObjectId, elements: Elements) {
        let open = self.state.memory.get(id).and_then(|object| object.open.as_deref());
        if open.expect("an open object").elements != Some(elements) {
            let open = self.state.memory.get_mut(id).open.as_mut();
            open.expect("an open object").elements = Some(elements);
        }
    }

    /// Gives up where what is read may be uninitialised and that makes a difference: where reading
    /// it is a fault, or where it is only moved about and not computed with.
    fn rule_out_undefined(&mut self, at: &Inside, computes: bool) -> Result<(), Stop> {
        let Some(prefix) = at.elements.initialised else { return Ok(()) };
        let looked_for = self.machine.config().properties.has(Property::Uninit);
        let moved = self.machine.chooses_undefined && !computes;
        let known = self.is_initialised(prefix, at)?;
        if !looked_for && !moved {
            self.symbols.replays_if(known);
            return Ok(());
        }
        match self.truth(known).map_err(|snag| self.snag(snag))? {
            true => Ok(()),
            false => Err(Stop::TooHard(UNDEFINED)),
        }
    }

    /// Whether races are looked for, by clocks or without.
    pub fn looks_for_races(&self) -> bool {
        self.machine.config().properties.has(Property::Race)
    }

    /// Gives up where a write to an open object could be part of a race.
    pub fn rule_out_race(&self) -> Result<(), Stop> {
        let mut others = self.state.thread_ids().filter(|other| *other != self.thread);
        let can_race = self.looks_for_races() && self.machine.can_race(self.site());
        match can_race && others.any(|other| !self.state.thread(other).joined) {
            true => Err(Stop::TooHard(RACE)),
            false => Ok(()),
        }
    }

    /// Whether a comparison of two numbers holds.
    pub fn holds(&mut self, pred: Pred, width: u8, a: Value, b: Value) -> Result<bool, Stop> {
        let zero = Value::int(0);
        let holds = self.symbols.compare(pred, width, (a, zero), (b, zero));
        holds.and_then(|holds| self.truth(holds)).map_err(|snag| self.snag(snag))
    }

    /// Whether an open object got an address as a number.
    pub fn is_open_pinned(&self) -> bool {
        self.state.memory.addresses.pinned.iter().any(|(_, id)| self.is_open(Value::pointer(*id, 0)))
    }
}
