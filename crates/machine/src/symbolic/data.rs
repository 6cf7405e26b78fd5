//! The places of a state that can hold data, by name, so that a state can be taken
//! apart into its data and a *location*: all the rest.

use triomphe::Arc;

use crate::exec::Exec;
use crate::machine::{Grain, Machine};
use crate::memory::object::Life;
use crate::state::State;
use crate::state::thread::Thread;
use crate::symbolic::symbols::{Sym, Symbols};
use crate::telling::fault::ThreadId;
use crate::telling::observer::Place;
use crate::value::arith::narrow;
use crate::value::{ObjectId, Value};

/// A place that can hold a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Datum {
    /// Up to 8 bytes of an object.
    Memory {
        /// The object.
        object: ObjectId,
        /// The first byte.
        offset: u32,
        /// How many bytes.
        len: u8,
    },
    /// A slot of the registers of a call. (Registers of more than 64 bits have two.)
    Register {
        /// The thread.
        thread: ThreadId,
        /// How many calls are around this one.
        depth: u32,
        /// The slot.
        slot: u32,
    },
    /// What a copy in progress has read and not yet written.
    Pending {
        /// The thread.
        thread: ThreadId,
        /// How many calls are around the one that copies.
        depth: u32,
    },
    /// What a thread ended with.
    Result {
        /// The thread.
        thread: ThreadId,
    },
    /// A thread's value for a key.
    Specific {
        /// The thread.
        thread: ThreadId,
        /// The key.
        key: u32,
    },
}

impl Machine {
    /// The number at a place and its width, if all of it is defined and no part of
    /// it is a pointer. Only for memory and registers.
    pub fn datum<S: Symbols>(&self, state: &mut State, datum: Datum, symbols: &mut S) -> Option<(Value, u8)> {
        let (value, width) = match datum {
            Datum::Memory { object, offset, len } => {
                let place = Place { object, offset: offset.into(), len: len.into() };
                (self.number_at(state, place, symbols)?, len * 8)
            }
            Datum::Register { thread, depth, slot } => {
                let frame = state.threads.get(thread.0 as usize)?.frames.get(depth as usize)?;
                let value = *frame.regs.get(slot as usize)?;
                (value, self.slot_width(frame.function, slot as usize)?)
            }
            Datum::Pending { .. } | Datum::Result { .. } | Datum::Specific { .. } => return None,
        };
        let is_number = value.undef & narrow::mask(width) == 0 && !value.is_pointer();
        is_number.then_some((value, width))
    }

    fn number_at<S: Symbols>(&self, state: &mut State, place: Place, symbols: &mut S) -> Option<Value> {
        let Place { object, offset, len } = place;
        let word = state.memory.word;
        let found = state.memory.get(object).filter(|found| found.life == Life::Alive)?;
        let has_sync = found.sync.iter().any(|(at, _)| (offset..offset + len).contains(&u64::from(*at)));
        let has_pointer = !found.pointers_in(offset, len, word).is_empty();
        if offset + len > found.size() || has_sync || has_pointer || found.has_undef(offset, len) {
            return None;
        }
        quietly(self, state, symbols, |exec| exec.read(object, offset, len)).ok()
    }

    /// The width of a register's slot: the second one of a wide register has what
    /// the first one has not.
    fn slot_width(&self, function: ir::FuncId, slot: usize) -> Option<u8> {
        let slots = &self.program().function(function).slots;
        match slots.get(slot)?.width {
            0 => slots.get(slot.checked_sub(1)?)?.width.checked_sub(64),
            width => Some(width.min(64)),
        }
    }

    /// Puts a symbol where [`Machine::datum`] found a number.
    pub fn put_datum<S: Symbols>(&self, state: &mut State, datum: Datum, symbol: Sym, symbols: &mut S) {
        let value = Value { sym: symbol, ..Value::default() };
        match datum {
            Datum::Memory { object, offset, len } => {
                let place = Place { object, offset: offset.into(), len: len.into() };
                quietly(self, state, symbols, |exec| {
                    exec.make_room(place).expect("no pointer is cut in two");
                    exec.commit(place, (value, Value::int(0)));
                });
            }
            Datum::Register { thread, depth, slot } => {
                let frame = Arc::make_mut(&mut state.thread_mut(thread).frames[depth as usize]);
                // What lies above its width stays as it is.
                let undef = frame.regs[slot as usize].undef;
                frame.regs[slot as usize] = Value { undef, ..value };
            }
            Datum::Pending { .. } | Datum::Result { .. } | Datum::Specific { .. } => {
                unreachable!("no number was found there")
            }
        }
    }

    /// Puts other symbols in place of all that there are, each with its place. What
    /// is undefined and where pointers lead stays.
    pub fn rename_unknown(&self, state: &mut State, mut other: impl FnMut(Datum, Sym) -> Sym) {
        for thread in state.thread_ids() {
            if has_unknown(state.thread(thread)) {
                rename_in(state.thread_mut(thread), thread, &mut other);
            }
        }
        let slots = state.memory.slots.iter().enumerate();
        let unknown = slots.filter(|(_, object)| !object.unknown.is_empty());
        let unknown = unknown.map(|(slot, object)| ObjectId::slot(slot, object.generation));
        for object in unknown.collect::<Vec<_>>() {
            for cell in &mut state.memory.get_mut(object).unknown {
                cell.sym = other(Datum::Memory { object, offset: cell.at, len: cell.len }, cell.sym);
            }
        }
    }
}

/// Does something to memory that is told to no observer.
fn quietly<S: Symbols, T>(
    machine: &Machine,
    state: &mut State,
    symbols: &mut S,
    act: impl FnOnce(&mut Exec<'_, (), S>) -> T,
) -> T {
    let (thread, grain, faults) = (ThreadId(0), Grain::Instruction, smallvec::SmallVec::new());
    let observer = &mut ();
    act(&mut Exec { machine, state, thread, choice: 0, grain, observer, symbols, faults })
}

fn has_unknown(thread: &Thread) -> bool {
    let own = std::iter::once(&thread.result).chain(thread.specifics.iter().map(|(_, value)| value));
    let frames = thread.frames.iter().flat_map(|frame| frame.regs.iter().chain(&frame.pending));
    own.chain(frames).any(|value| value.is_symbolic())
}

fn rename_in(state: &mut Thread, thread: ThreadId, other: &mut impl FnMut(Datum, Sym) -> Sym) {
    let mut rename = |value: &mut Value, datum: Datum| {
        if value.is_symbolic() {
            value.sym = other(datum, value.sym);
        }
    };
    rename(&mut state.result, Datum::Result { thread });
    for (key, value) in &mut state.specifics {
        rename(value, Datum::Specific { thread, key: *key });
    }
    for (depth, frame) in (0u32..).zip(&mut state.frames) {
        if !frame.regs.iter().chain(&frame.pending).any(|value| value.is_symbolic()) {
            continue;
        }
        let frame = Arc::make_mut(frame);
        for (slot, value) in (0u32..).zip(frame.regs.iter_mut()) {
            rename(value, Datum::Register { thread, depth, slot });
        }
        frame.pending.iter_mut().for_each(|value| rename(value, Datum::Pending { thread, depth }));
    }
}
