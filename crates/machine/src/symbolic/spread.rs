//! Accesses at an unknown place in a known object, without a case for each
//! place: what is read is a choice between all that stands there, and a write
//! changes every place that may be meant to "the new value if it is this one".
//!
//! This works for places of plain, defined bytes, where an access leaves no
//! trace but the bytes. Where there are pointers, synchronisation objects or
//! undefined bytes, the machine forks over the places ([`Exec::pinpoint`]). So it does
//! where the bytes are not in memory yet: where a store would wait in a buffer, and where
//! stores of the thread to the object do.

use ir::{Access, BinOp, Operand, Pred, Reg};

use crate::exec::{Exec, Stop};
use crate::memory::object::{Life, Object};
use crate::symbolic::symbols::Symbols;
use crate::telling::observer::{Observer, Place};
use crate::value::{Named, ObjectId, Value};

/// Up to so many places are accessed at once.
const MOST_PLACES: usize = 256;

/// Up to so many stretches of plain places are told apart.
const MOST_STRETCHES: usize = 4;

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// The places where an access may be, if it can be made at all of them at once.
    fn places(&mut self, pointer: Value, len: u64, access: Access) -> Result<Option<Vec<u64>>, Stop> {
        let several = self.state.threads.len() > 1 || access.order.is_some();
        if self.machine.track_races && several || pointer.undef != 0 || len > 8 {
            return Ok(None);
        }
        let object = match pointer.object.named() {
            Named::Constant(_) if self.machine.is_defined_nowhere(pointer.object) => return Ok(None),
            Named::Constant(global) => self.machine.constants.get(global),
            Named::Slot { .. } => match self.state.memory.get(pointer.object) {
                Some(object) => object,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let (size, is_alive) = (object.size(), object.life == Life::Alive);
        if !is_alive || !self.leads_inside(pointer, len, size)? {
            return Ok(None);
        }
        match self.symbols.offsets(pointer.without_object(), size - len, MOST_PLACES) {
            Some(places) => self.plain_places(pointer, places, len),
            None => Ok(None),
        }
    }

    /// The places of those where only plain, defined bytes are, if the access is certainly at
    /// one of them. Decides which stretch of such places it is in, if there are several.
    fn plain_places(&mut self, pointer: Value, places: Vec<u64>, len: u64) -> Result<Option<Vec<u64>>, Stop> {
        let word = self.state.memory.word;
        let object = match pointer.object.named() {
            Named::Constant(global) => self.machine.constants.get(global),
            _ => self.state.memory.get(pointer.object).expect("it is alive"),
        };
        let is_plain = |at: &u64| is_plain(object, *at, len, word);
        if places.iter().all(is_plain) {
            return Ok(Some(places));
        }
        let stretches = places.chunk_by(|a, b| is_plain(a) == is_plain(b));
        let plain: Vec<Vec<u64>> =
            stretches.filter(|stretch| is_plain(&stretch[0])).map(<[u64]>::to_vec).collect();
        if plain.len() > MOST_STRETCHES {
            return Ok(None);
        }
        let (width, zero) = (self.machine.program().pointer_width, Value::int(0));
        for stretch in plain {
            let (first, last) = (stretch[0], stretch[stretch.len() - 1]);
            let offset = (pointer.without_object(), zero);
            let from_first = self.arith(BinOp::Sub, width, offset, (Value::int(first), zero));
            let (from_first, _) = from_first.map_err(|snag| self.snag(snag))?;
            if self.holds(Pred::Ule, width, from_first, Value::int(last - first))? {
                return Ok(Some(stretch));
            }
        }
        Ok(None)
    }

    /// A load at a place that is not known; whether it was done.
    pub fn load_anywhere(
        &mut self,
        width: u8,
        dst: Reg,
        pointer: Value,
        access: Access,
    ) -> Result<bool, Stop> {
        let len = u64::from(width).div_ceil(8);
        let waits = self.machine.has_buffers
            && self.state.thread(self.thread).own.buffer.has_store_to(pointer.object);
        if waits {
            return Ok(false);
        }
        let Some(places) = self.places(pointer, len, access)? else { return Ok(false) };
        let mut cases = Vec::with_capacity(places.len());
        for at in &places {
            cases.push((*at, self.read(pointer.object, *at, len)?));
        }
        let value = self.symbols.choose((len * 8) as u8, pointer.without_object(), &cases);
        let (value, _) = self.resized((value, Value::int(0)), (len * 8) as u8, width);
        let place = all_of(pointer.object, &places, len);
        self.tell_read(place, value, access.order);
        self.set_and_next(dst, value)?;
        Ok(true)
    }

    /// A store at a place that is not known; whether it was done.
    pub fn store_anywhere(
        &mut self,
        width: u8,
        pointer: Value,
        value: Operand,
        access: Access,
    ) -> Result<bool, Stop> {
        let len = u64::from(width).div_ceil(8);
        let new = self.pair(value, width);
        let is_constant = matches!(pointer.object.named(), Named::Constant(_));
        let waits = self.is_buffered(pointer.object, access.order);
        if is_constant || waits || new.0.is_pointer() || new.0.undef != 0 {
            return Ok(false);
        }
        let Some(places) = self.places(pointer, len, access)? else { return Ok(false) };
        if places.windows(2).any(|pair| pair[1] - pair[0] < len) {
            return Ok(false);
        }
        let (new, _) = self.resized(new, width, (len * 8) as u8);
        let place = all_of(pointer.object, &places, len);
        let mut changed = Vec::with_capacity(places.len());
        for at in places {
            let old = self.read(pointer.object, at, len)?;
            let cases = [(at, new), (u64::MAX, old)];
            let value = self.symbols.choose((len * 8) as u8, pointer.without_object(), &cases);
            changed.push((Place { object: pointer.object, offset: at, len }, value));
        }
        self.tell_write(place, Value::int(0), new, access.order);
        for (place, value) in changed {
            self.make_room(place)?;
            self.commit(place, (value, Value::int(0)));
        }
        self.next()?;
        Ok(true)
    }
}

/// From the first place to the last.
fn all_of(object: ObjectId, places: &[u64], len: u64) -> Place {
    let (first, last) = (places[0], places[places.len() - 1]);
    Place { object, offset: first, len: last + len - first }
}

/// Whether there are only plain, defined bytes at a place.
fn is_plain(object: &Object, offset: u64, len: u64, word: u64) -> bool {
    let has_sync = object.sync.iter().any(|(at, _)| (offset..offset + len).contains(&u64::from(*at)));
    !has_sync && object.pointers_in(offset, len, word).is_empty() && !object.has_undef(offset, len)
}
