//! The places of a state that can hold data, by name, so that a state can be taken
//! apart into its data and a *location*: all the rest.

use std::collections::BTreeSet;

use ir::{FuncId, GlobalId, Pc, Reg};
use serde::{Deserialize, Serialize};
use triomphe::Arc;

use crate::exec::Exec;
use crate::machine::{Grain, Machine};
use crate::memory::object::{Life, Object, Origin, Site};
use crate::state::State;
use crate::state::thread::{Frame, Thread};
use crate::symbolic::open_data::OffsetZeros;
use crate::symbolic::symbols::{Concrete, Sym, Symbols};
use crate::telling::fault::ThreadId;
use crate::telling::observer::Place;
use crate::value::arith::narrow;
use crate::value::{ObjectId, Value};

/// A place that can hold a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// The size of an object of unknown size, in units of its own.
    Size {
        /// The object.
        object: ObjectId,
    },
    /// How many elements of an object of unknown size are initialised, from the
    /// first one on.
    Initialised {
        /// The object.
        object: ObjectId,
    },
    /// The contents of an object of unknown size: an array.
    Contents {
        /// The object.
        object: ObjectId,
    },
}

impl Datum {
    /// Whether an array stands at the place, rather than a number.
    pub fn is_array(self) -> bool {
        matches!(self, Datum::Contents { .. })
    }
}

/// Something in the program that holds numbers: all the places that are its
/// instances in a state hold data, or none of them does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holder {
    /// A register of a function, in all calls.
    Register {
        /// The function.
        function: FuncId,
        /// The slot.
        slot: u32,
    },
    /// Bytes of a global variable.
    Global {
        /// The variable.
        id: GlobalId,
        /// The first byte.
        offset: u32,
        /// How many bytes.
        len: u8,
    },
    /// Bytes of the objects that an instruction makes.
    Made {
        /// The instruction's function.
        function: FuncId,
        /// Its position there.
        pc: Pc,
        /// The first byte.
        offset: u32,
        /// How many bytes.
        len: u8,
    },
}

impl Machine {
    /// What a place in memory is an instance of, if it has at most 8 bytes.
    pub fn holder(&self, state: &State, place: Place) -> Option<Holder> {
        let object = state.memory.get(place.object)?;
        let (offset, len) = (u32::try_from(place.offset).ok()?, u8::try_from(place.len).ok()?);
        let of_site = |Site { function, pc }| Holder::Made { function, pc, offset, len };
        match object.origin {
            _ if !(1..=8).contains(&len) => None,
            Origin::Global(id) => Some(Holder::Global { id, offset, len }),
            Origin::Frame { site, .. } | Origin::Heap(site, _) => Some(of_site(site)),
            Origin::Arguments(_) => None,
        }
    }

    /// The places of a state that are instances of these, in order. A handle that a thread is about
    /// to join is none of them: whether the thread can move rests on it.
    pub fn instances(&self, state: &State, holders: &BTreeSet<Holder>) -> Vec<(Holder, Datum)> {
        let mut found = Vec::new();
        for thread in state.thread_ids() {
            let top = state.thread(thread).frames.len().wrapping_sub(1) as u32;
            let awaited = self.awaited_handle(state, thread).map(|Reg(slot)| (top, slot));
            for (depth, frame) in (0..).zip(state.thread(thread).frames.iter()) {
                let function = frame.function;
                let of_function =
                    Holder::Register { function, slot: 0 }..=Holder::Register { function, slot: u32::MAX };
                for holder in holders.range(of_function) {
                    let Holder::Register { slot, .. } = *holder else { continue };
                    if awaited != Some((depth, slot)) {
                        found.push((*holder, Datum::Register { thread, depth, slot }));
                    }
                }
            }
        }
        for (slot, object) in state.memory.slots.iter().enumerate() {
            let id = ObjectId::slot(slot, object.generation);
            let (least, most) = bounds_of(object.origin);
            for holder in holders.range(least..=most) {
                if let Holder::Global { offset, len, .. } | Holder::Made { offset, len, .. } = *holder {
                    found.push((*holder, Datum::Memory { object: id, offset, len }));
                }
            }
        }
        found
    }

    /// All registers of all calls of a state.
    pub fn registers(&self, state: &State) -> BTreeSet<Holder> {
        let frames = state.thread_ids().flat_map(|thread| state.thread(thread).frames.iter());
        let slots = frames.flat_map(|frame| {
            (0..frame.regs.len() as u32).map(|slot| Holder::Register { function: frame.function, slot })
        });
        slots.collect()
    }

    /// The number at a place, if it is known.
    pub fn known_number(&self, state: &mut State, datum: Datum) -> Option<u64> {
        if let Datum::Memory { object, offset, len } = datum {
            let (first, end) = (u64::from(offset), u64::from(offset) + u64::from(len));
            let object = state.memory.get(object)?;
            if object.unknown.iter().any(|cell| cell.start() < end && first < cell.end()) {
                return None;
            }
        }
        let (value, width) = self.datum(state, datum, &mut Concrete)?;
        (!value.is_symbolic()).then_some(value.bits & narrow::mask(width))
    }

    /// Puts another number where [`Machine::known_number`] found one.
    pub fn put_number(&self, state: &mut State, datum: Datum, number: u64) {
        self.put(state, datum, Value::int(number), &mut Concrete);
    }

    /// Puts numbers in place of those that are not known, where `known` tells them after all.
    pub fn put_known(&self, state: &mut State, mut known: impl FnMut(Datum, Sym) -> Option<u64>) {
        let mut settled = Vec::new();
        self.rename_unknown(state, |datum, symbol, _| {
            settled.extend(known(datum, symbol).map(|number| (datum, number)));
            symbol
        });
        settled.retain(|(datum, _)| !leads_somewhere(state, *datum));
        settled.into_iter().for_each(|(datum, number)| self.put_number(state, datum, number));
    }

    /// Puts zeros in place of all numbers that are not known, and yields their places.
    pub fn forget_unknown(&self, state: &mut State) -> Vec<Datum> {
        let mut places = Vec::new();
        self.rename_unknown(state, |datum, _, _| {
            places.push(datum);
            Sym::NONE
        });
        for slot in 0..state.memory.slots.len() {
            let object = &state.memory.slots[slot];
            if !object.unknown.is_empty() {
                let id = ObjectId::slot(slot, object.generation);
                state.memory.get_mut(id).unknown.clear();
            }
        }
        places
    }

    /// The number at a place and its width, if all of it is defined and no part of
    /// it is a pointer. Only for memory and registers. In a register, a pointer into
    /// an object of unknown size is a number, too: its offset.
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
            _ => return None,
        };
        let is_number = !value.is_pointer() || self.offset_zeros(state, value).is_some();
        (is_number && value.undef & narrow::mask(width) == 0).then_some((value, width))
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
        self.put(state, datum, Value { sym: symbol, ..Value::default() }, symbols);
    }

    fn put<S: Symbols>(&self, state: &mut State, datum: Datum, value: Value, symbols: &mut S) {
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
                // What lies above its width stays as it is, and where a pointer leads.
                let Value { undef, object, .. } = frame.regs[slot as usize];
                frame.regs[slot as usize] = Value { undef, object, ..value };
            }
            _ => unreachable!("no number was found there"),
        }
    }

    /// Puts other symbols in place of all that there are, each with its place. What
    /// is undefined and where pointers lead stays. Of an offset into an object,
    /// `other` is also told how many of its lowest bits should stay known if they are
    /// zero.
    pub fn rename_unknown(&self, state: &mut State, mut other: impl FnMut(Datum, Sym, Option<u8>) -> Sym) {
        let offsets = OffsetZeros::of(state);
        for thread in state.thread_ids() {
            if has_unknown(state.thread(thread)) {
                let mut other = |datum, value: Value| other(datum, value.sym, offsets.zeros(value.object));
                rename_in(state.thread_mut(thread), thread, &mut other);
            }
        }
        let slots = state.memory.slots.iter().enumerate();
        let unknown = slots.filter(|(_, object)| !object.unknown.is_empty());
        let unknown = unknown.map(|(slot, object)| ObjectId::slot(slot, object.generation));
        for object in unknown.collect::<Vec<_>>() {
            let Object { unknown, pointers, .. } = state.memory.get_mut(object);
            for cell in unknown {
                let target = pointers.iter().find(|(at, _)| *at == cell.at).map(|(_, target)| *target);
                let zeros = target.and_then(|target| offsets.zeros(target));
                cell.sym = other(Datum::Memory { object, offset: cell.at, len: cell.len }, cell.sym, zeros);
            }
        }
    }
}

/// Whether what is at a place is a pointer, or part of one.
fn leads_somewhere(state: &State, datum: Datum) -> bool {
    match datum {
        Datum::Memory { object, offset, len } => {
            let word = state.memory.word;
            let found = state.memory.get(object);
            found.is_some_and(|found| !found.pointers_in(offset.into(), len.into(), word).is_empty())
        }
        Datum::Register { thread, depth, slot } => {
            state.thread(thread).frames[depth as usize].regs[slot as usize].is_pointer()
        }
        _ => true,
    }
}

/// The first and the last thing that objects of this origin can be instances of.
fn bounds_of(origin: Origin) -> (Holder, Holder) {
    match origin {
        Origin::Global(id) => {
            let at = |offset, len| Holder::Global { id, offset, len };
            (at(0, 0), at(u32::MAX, u8::MAX))
        }
        Origin::Frame { site, .. } | Origin::Heap(site, _) | Origin::Arguments(site) => {
            let at = |offset, len| Holder::Made { function: site.function, pc: site.pc, offset, len };
            (at(0, 0), at(u32::MAX, u8::MAX))
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
    let (thread, grain, faults) = (ThreadId(0), Grain::Instruction, Vec::new());
    let observer = &mut ();
    act(&mut Exec { machine, state, thread, choice: 0, grain, observer, symbols, faults })
}

fn has_unknown(thread: &Thread) -> bool {
    let frames = thread.frames.iter().flat_map(|frame| frame.regs.iter().chain(&frame.pending));
    thread.own.values().chain(frames).any(|value| value.is_symbolic())
}

fn rename_in(state: &mut Thread, thread: ThreadId, other: &mut impl FnMut(Datum, Value) -> Sym) {
    let mut rename = |value: &mut Value, datum: Datum| {
        if value.is_symbolic() {
            value.sym = other(datum, *value);
        }
    };
    if state.own.values().any(|value| value.is_symbolic()) {
        rename(&mut state.own.result, Datum::Result { thread });
        for (key, value) in &mut state.own.specifics {
            rename(value, Datum::Specific { thread, key: *key });
        }
    }
    let is_symbolic =
        |frame: &Arc<Frame>| frame.regs.iter().chain(&frame.pending).any(|value| value.is_symbolic());
    let depths = state.frames.iter().enumerate().filter(|(_, frame)| is_symbolic(frame));
    let depths: Vec<usize> = depths.map(|(depth, _)| depth).collect();
    for depth in depths {
        let frame = Arc::make_mut(&mut state.frames[depth]);
        let depth = depth as u32;
        for (slot, value) in (0u32..).zip(frame.regs.iter_mut()) {
            rename(value, Datum::Register { thread, depth, slot });
        }
        frame.pending.iter_mut().for_each(|value| rename(value, Datum::Pending { thread, depth }));
    }
}
