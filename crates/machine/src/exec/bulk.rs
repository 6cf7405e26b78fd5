//! Instructions on many bytes at a time: copies and fills. Where other threads can
//! see them they are made piece by piece, since other threads may come in between.

use ir::Operand;

use crate::exec::{Exec, Stop};
use crate::symbolic::symbols::Symbols;
use crate::telling::fault::{FaultKind, Touch};
use crate::telling::observer::{Observer, Place};
use crate::value::arith::narrow;
use crate::value::{ObjectId, Value};

/// A fill of an object that other threads can see writes so many bytes at a time.
const CHUNK: u64 = 8;

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    pub fn fill(&mut self, dst: Operand, byte: Operand, len: Operand) -> Result<(), Stop> {
        let len = self.defined(len, "the length of a fill")?.bits;
        if len == 0 {
            return self.next();
        }
        let pointer = self.value(dst);
        let (object, offset) = self.resolve(pointer, len, Touch::Write)?;
        let byte = self.value(byte);
        let exclusive =
            self.machine.is_exclusive(self.state, self.thread, self.grain) || !self.is_shared(object);
        let progress = self.state.thread(self.thread).frame().progress;
        let buffered = self.machine.has_buffers && self.is_buffered(object, None);
        let whole = exclusive && !buffered;
        let chunk = if whole { len - progress } else { CHUNK.min(len - progress) };
        let place = Place { object, offset: offset + progress, len: chunk };
        if buffered {
            let word = self.repeated(byte, chunk);
            self.write_at(place, (word, Value::int(0)), None)?;
            return self.progress(progress + chunk, len);
        }
        let old = self.read(object, place.offset, chunk.min(8))?;
        self.make_room(place)?;
        if byte.is_symbolic() {
            self.tell_write(place, old, byte, None);
            self.commit_unknown_fill(place, byte);
        } else {
            let new = Value { bits: byte.bits & 0xff, undef: byte.undef & 0xff, ..byte };
            self.tell_write(place, old, Value::int(splat(byte, chunk).bits), None);
            let word = self.state.memory.word;
            self.state.memory.get_mut(object).fill(place.offset, chunk, word, new);
        }
        self.progress(progress + chunk, len)
    }

    /// A word of so many times this byte.
    fn repeated(&mut self, byte: Value, times: u64) -> Value {
        match byte.is_symbolic() {
            true => (1..times).fold(byte, |word, bytes| self.symbols.join((word, bytes), (byte, 1))),
            false => splat(byte, times),
        }
    }

    /// Fills with a byte that is not known, word by word.
    fn commit_unknown_fill(&mut self, place: Place, byte: Value) {
        let mut at = 0;
        while at < place.len {
            let chunk = CHUNK.min(place.len - at);
            let word = self.repeated(byte, chunk);
            let part = Place { offset: place.offset + at, len: chunk, ..place };
            self.commit(part, (word, Value::int(0)));
            at += chunk;
        }
    }

    /// Notes how far a copy or fill is, and goes on when it is done.
    pub fn progress(&mut self, done: u64, len: u64) -> Result<(), Stop> {
        let frame = self.state.thread_mut(self.thread).frame_mut();
        frame.progress = if done == len { 0 } else { done };
        if done == len { self.next() } else { Ok(()) }
    }

    pub fn copy(&mut self, dst: Operand, src: Operand, len: Operand, may_overlap: bool) -> Result<(), Stop> {
        let len = self.defined(len, "the length of a copy")?.bits;
        if len == 0 {
            return self.next();
        }
        let (to, from) = (self.value(dst), self.value(src));
        let (from, from_offset) = self.resolve(from, len, Touch::Read)?;
        let (to, to_offset) = self.resolve(to, len, Touch::Write)?;
        let overlap = from == to && from_offset.abs_diff(to_offset) < len;
        // Assigning an object to itself is allowed; it reads and writes all the same.
        if overlap && !may_overlap && from_offset != to_offset {
            let object = self.machine.object_name(self.state, to);
            return Err(FaultKind::OverlappingCopy { object }.into());
        }
        let backwards = overlap && from_offset < to_offset;
        let exclusive = self.machine.is_exclusive(self.state, self.thread, self.grain);
        let both_shared = self.is_shared(from) && self.is_shared(to);
        let private = !self.is_shared(from) && !self.is_shared(to);
        let copy = Copy { from: (from, from_offset), to: (to, to_offset), len, backwards };
        if exclusive || private {
            while self.copy_chunk(&copy, false)? < len {}
            return self.next();
        }
        if self.copy_chunk(&copy, both_shared)? == len { self.next() } else { Ok(()) }
    }

    /// Moves one word. Where both ends are visible to others, reading and
    /// writing are two steps. Yields the bytes done, 0 when all are.
    fn copy_chunk(&mut self, copy: &Copy, two_steps: bool) -> Result<u64, Stop> {
        let frame = self.state.thread(self.thread).frame();
        let (done, pending) = (frame.progress, frame.pending);
        let (at, chunk) = copy.chunk(done, self.state.memory.word);
        let value = match pending {
            Some(value) => value,
            None => self.read_bytes((copy.from.0, copy.from.1 + at), chunk)?,
        };
        if two_steps && pending.is_none() {
            self.state.thread_mut(self.thread).frame_mut().pending = Some(value);
            return Ok(done);
        }
        self.write_bytes((copy.to.0, copy.to.1 + at), chunk, value)?;
        let frame = self.state.thread_mut(self.thread).frame_mut();
        frame.pending = None;
        frame.progress = if done + chunk == copy.len { 0 } else { done + chunk };
        Ok(done + chunk)
    }

    /// Reads up to 8 bytes by an access that is not atomic.
    pub fn read_bytes(&mut self, (object, offset): (ObjectId, u64), len: u64) -> Result<Value, Stop> {
        let (value, _) = self.read_at(Place { object, offset, len }, (len * 8) as u8, None)?;
        Ok(value)
    }

    /// Writes up to 8 bytes by an access that is not atomic.
    pub fn write_bytes(
        &mut self,
        (object, offset): (ObjectId, u64),
        len: u64,
        value: Value,
    ) -> Result<(), Stop> {
        self.write_at(Place { object, offset, len }, (value, Value::int(0)), None)
    }
}

/// A number of up to 8 bytes that are all the same.
fn splat(byte: Value, len: u64) -> Value {
    let splat = |bits: u64| ((bits & 0xff) * 0x0101_0101_0101_0101) & narrow::mask((len.min(8) * 8) as u8);
    Value { bits: splat(byte.bits), undef: splat(byte.undef), ..Value::int(0) }
}

/// A copy in progress.
struct Copy {
    from: (ObjectId, u64),
    to: (ObjectId, u64),
    len: u64,
    /// From the end, since the ranges overlap.
    backwards: bool,
}

impl Copy {
    /// The next chunk after `done` bytes: where, and how long. Chunks end at
    /// the source's word boundaries, so that aligned pointers stay whole.
    fn chunk(&self, done: u64, word: u64) -> (u64, u64) {
        let left = self.len - done;
        if self.backwards {
            let end = self.from.1 + left;
            let chunk = ((end - 1) % word + 1).min(left);
            (left - chunk, chunk)
        } else {
            let start = self.from.1 + done;
            (done, (word - start % word).min(left))
        }
    }
}
