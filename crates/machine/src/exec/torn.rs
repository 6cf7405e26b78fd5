//! Plain accesses that are wider than a word. Where other threads can see
//! them they are two steps, since other threads may come in between: a
//! compiler makes two instructions of each. Atomic accesses are one step,
//! whatever their width.

use ir::{Access, Operand, Reg};

use crate::exec::eval::write_wide;
use crate::exec::{Exec, Stop};
use crate::symbolic::symbols::Symbols;
use crate::telling::fault::Touch;
use crate::telling::observer::{Observer, Place};
use crate::value::arith::narrow;
use crate::value::{ObjectId, Value};

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// Whether an access may have to be two steps.
    pub fn is_wide(&self, len: u64, access: Access) -> bool {
        access.order.is_none() && len > self.state.memory.word
    }

    /// The bytes of the first step.
    fn first_half(&self, len: u64) -> u64 {
        if len > 8 { 8 } else { self.state.memory.word }
    }

    /// Whether other threads can come in between, or could when it began.
    fn tears(&self, id: ObjectId) -> bool {
        let begun = self.state.thread(self.thread).frame().progress > 0;
        begun || self.is_shared(id) && !self.machine.is_exclusive(self.state, self.thread, self.grain)
    }

    /// One of the two steps of a load; whether it had to be two.
    pub fn load_torn(&mut self, width: u8, dst: Reg, pointer: Value) -> Result<bool, Stop> {
        let len = u64::from(width).div_ceil(8);
        let (id, offset) = self.resolve(pointer, len, Touch::Read)?;
        if !self.tears(id) {
            return Ok(false);
        }
        let first = self.first_half(len);
        let Some(low) = self.state.thread(self.thread).frame().pending else {
            let low = self.read_bytes((id, offset), first)?;
            let frame = self.state.thread_mut(self.thread).frame_mut();
            (frame.pending, frame.progress) = (Some(low), first);
            return Ok(true);
        };
        let high = self.read_bytes((id, offset + first), len - first)?;
        let pair = if first == 8 { (low, high) } else { (self.halves(low, high)?, Value::int(0)) };
        let (low, high) = self.resized(pair, (len * 8) as u8, width);
        let frame = self.state.thread_mut(self.thread).frame_mut();
        (frame.pending, frame.progress) = (None, 0);
        match width > 64 {
            true => write_wide(&mut frame.regs, dst, (low, high)),
            false => self.set(dst, Value { bits: low.bits & narrow::mask(width), ..low }),
        }
        self.next().map(|()| true)
    }

    /// Two numbers of four bytes as one of eight.
    fn halves(&mut self, low: Value, high: Value) -> Result<Value, Stop> {
        let low = self.as_number(low).map_err(|snag| self.snag(snag))?;
        let high = self.as_number(high).map_err(|snag| self.snag(snag))?;
        if low.is_symbolic() || high.is_symbolic() {
            return Ok(self.symbols.join((low, 4), (high, 4)));
        }
        let join = |low: u64, high: u64| low | high << 32;
        Ok(Value { bits: join(low.bits, high.bits), undef: join(low.undef, high.undef), ..Value::int(0) })
    }

    /// One of the two steps of a store; whether it had to be two.
    pub fn store_torn(&mut self, width: u8, pointer: Value, value: Operand) -> Result<bool, Stop> {
        let len = u64::from(width).div_ceil(8);
        let (object, offset) = self.resolve(pointer, len, Touch::Write)?;
        if !self.tears(object) {
            return Ok(false);
        }
        let value = self.pair(value, width);
        let value = self.resized(value, width, (len * 8) as u8);
        let first = self.first_half(len);
        let begun = self.state.thread(self.thread).frame().progress > 0;
        let place = match begun {
            false => Place { object, offset: 0, len: first },
            true => Place { object, offset: first, len: len - first },
        };
        let part = self.half(value, place);
        self.write_bytes((object, offset + place.offset), place.len, part)?;
        self.progress(place.offset + place.len, len).map(|()| true)
    }

    /// The half of a value that is to be written.
    fn half(&mut self, (low, high): (Value, Value), place: Place) -> Value {
        match place {
            Place { offset: 8, .. } => high,
            Place { len: 8, .. } => low,
            _ if low.is_symbolic() => self.symbols.slice(low, place.offset, place.len),
            _ => {
                let cut = |bits: u64| bits >> (place.offset * 8) & narrow::mask((place.len * 8) as u8);
                Value { bits: cut(low.bits), undef: cut(low.undef), ..low }
            }
        }
    }
}
