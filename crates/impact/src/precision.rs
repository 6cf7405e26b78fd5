//! Which numbers are data, and which belong to the location.
//!
//! To begin with, only numbers that are not known are data: inputs and what is
//! computed from them. All others are part of the location, so that a step decides
//! by itself what they decide, and pointers, sizes and handles of threads stay
//! known. But a counter of a loop that inputs bound has no end of values. So the
//! locations that are alike but for numbers are compared, and what has more than a
//! few values among them becomes data ([`Precision::learn`]), and so does what is known
//! in one of them and data in another; then the locations are built anew. An input with
//! a few values is a choice at first, so that what it decides is part of the location;
//! if that makes too many locations, it becomes data, too.

use std::collections::BTreeSet;

use machine::{Datum, Footprint, Holder, Machine, State, Thing};
use rustc_hash::{FxHashMap, FxHashSet};

/// What has more values than this, all else being alike, becomes data, unless it is said otherwise.
pub const FEW: usize = 5;

/// The same in a second attempt, and where all loops are unrolled.
const MORE: usize = 16;

/// The holders of data.
#[derive(Clone, Debug)]
pub struct Precision {
    /// A register that has more values than this, all else being alike, becomes data.
    few: usize,
    /// The same for a place in memory.
    few_in_memory: usize,
    data: BTreeSet<Holder>,
    /// The places in memory that were accessed.
    cells: BTreeSet<Holder>,
    /// Whether what is known stays known, so that all loops are unrolled. If something has
    /// too many values for that, it is given up.
    pub unrolls: bool,
    /// Whether inputs are data however few values they have, rather than choices.
    pub all_inputs: bool,
}

impl Default for Precision {
    fn default() -> Precision {
        Precision::up_to(FEW)
    }
}

/// The numbers that were seen in locations that are alike but for them.
#[derive(Default)]
pub struct Seen {
    values: FxHashMap<Vec<u8>, FxHashMap<Datum, Values>>,
}

/// The values of one place.
#[derive(Default)]
struct Values {
    numbers: FxHashSet<u64>,
    /// Whether one was not known.
    unknown: bool,
}

impl Values {
    /// Whether the place had better hold data.
    fn are_many(&self, holder: Holder, precision: &Precision) -> bool {
        let differ = self.unknown && !self.numbers.is_empty();
        self.numbers.len() > precision.few_of(holder) || differ && !precision.unrolls
    }
}

impl Precision {
    /// Nothing is data yet that has no more values than this.
    pub fn up_to(few: usize) -> Precision {
        Precision::unlike(few, few)
    }

    /// The same with other limits for registers and for places in memory.
    pub fn unlike(few: usize, few_in_memory: usize) -> Precision {
        let (data, cells) = Default::default();
        Precision { few, few_in_memory, data, cells, unrolls: false, all_inputs: false }
    }

    /// More values than this are too many for a holder.
    fn few_of(&self, holder: Holder) -> usize {
        match holder {
            Holder::Register { .. } => self.few,
            Holder::Global { .. } | Holder::Made { .. } => self.few_in_memory,
        }
    }

    /// More stays known than usual.
    pub fn finer() -> Precision {
        Precision::up_to(MORE)
    }

    /// Only what is not known is data.
    pub fn unrolling() -> Precision {
        Precision { unrolls: true, ..Precision::up_to(MORE) }
    }

    /// What holds data.
    pub fn holders(&self) -> impl Iterator<Item = Holder> {
        self.data.iter().copied()
    }

    /// The places of a state that hold data.
    pub fn places(&self, machine: &Machine, state: &State) -> Vec<Datum> {
        machine.instances(state, &self.data).into_iter().map(|(_, datum)| datum).collect()
    }

    /// Notes which places in memory a step from a state accesses.
    pub fn note(&mut self, machine: &Machine, state: &State, footprint: &Footprint) {
        for touched in &footprint.touched {
            if let Thing::Memory { place, .. } = touched.thing
                && let Some(holder) = machine.holder(state, place)
                && !self.cells.iter().any(|cell| overlap(*cell, holder))
            {
                self.cells.insert(holder);
            }
        }
    }

    /// Compares a location with others that are alike but for numbers. Yields
    /// whether something has become data by that.
    pub fn learn(&mut self, machine: &Machine, state: &State, seen: &mut Seen) -> bool {
        let mut bare = state.clone();
        let unknown: FxHashSet<Datum> = machine.forget_unknown(&mut bare).into_iter().collect();
        let mut holders = machine.registers(state);
        holders.extend(&self.cells);
        let mut numbers = Vec::new();
        for (holder, datum) in machine.instances(state, &holders) {
            if let Some(number) = machine.known_number(&mut bare, datum) {
                machine.put_number(&mut bare, datum, 0);
                numbers.push((holder, datum, (!unknown.contains(&datum)).then_some(number)));
            }
        }
        let mut form = Vec::new();
        machine.canonical(&bare, &mut form);
        let values = seen.values.entry(form).or_default();
        let mut many = Vec::new();
        for (holder, datum, number) in numbers {
            let known = values.entry(datum).or_default();
            match number {
                Some(number) => _ = known.numbers.insert(number),
                None => known.unknown = true,
            }
            if known.are_many(holder, self) {
                many.push(holder);
            }
        }
        let before = self.data.len();
        self.data.extend(many);
        self.data.len() > before
    }
}

/// Whether two holders in memory have a byte in common.
fn overlap(a: Holder, b: Holder) -> bool {
    let meets = |(offset, len): (u32, u8), (other, other_len): (u32, u8)| {
        u64::from(offset) < u64::from(other) + u64::from(other_len)
            && u64::from(other) < u64::from(offset) + u64::from(len)
    };
    match (a, b) {
        (Holder::Global { id, offset, len }, Holder::Global { id: other, offset: at, len: size }) => {
            id == other && meets((offset, len), (at, size))
        }
        (
            Holder::Made { function, pc, offset, len },
            Holder::Made { function: other, pc: at_pc, offset: at, len: size },
        ) => (function, pc) == (other, at_pc) && meets((offset, len), (at, size)),
        _ => false,
    }
}
