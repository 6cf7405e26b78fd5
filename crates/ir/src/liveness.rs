//! Which registers a position still needs.
//!
//! Two states that differ only in dead registers have the same future, so the
//! canonical form of a state leaves dead registers out.
//!
//! Backward data-flow over basic blocks; the sets within a block are derived
//! from its end in one sweep and kept as lists, because few of a function's
//! many registers are live at any one place.

mod cells;

pub use cells::{Cell, LiveCells};

use crate::blocks::Blocks;
use crate::instr::{Instr, Operand, Reg};
use crate::program::{Function, Pc};

/// Live registers before each instruction of one function.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// The live slots of all instructions, ascending for each.
    slots: Vec<u32>,
    /// Where each instruction's slots lie in `slots`.
    ranges: Vec<(u32, u32)>,
}

impl Liveness {
    /// Computes the live registers of a function.
    pub fn of(function: &Function) -> Liveness {
        let blocks = Blocks::of(function);
        let none = Row::of(function.slots.len());
        let before = |instr: &Instr, row: &mut Row| transfer(function, instr, row);
        let entry_sets = blocks.solve(function, &none, &before);
        let mut live = Liveness { slots: Vec::new(), ranges: vec![(0, 0); function.code.len()] };
        for block in 0..blocks.len() {
            let mut row = blocks.live_out(function, block, &entry_sets, &none);
            for pc in blocks.range(block).rev() {
                before(&function.code[pc], &mut row);
                let start = live.slots.len() as u32;
                live.slots.extend(row.iter());
                live.ranges[pc] = (start, live.slots.len() as u32);
            }
        }
        live
    }

    /// The slots live before the instruction at `pc`, ascending.
    pub fn live_at(&self, pc: Pc) -> impl Iterator<Item = usize> + '_ {
        self.slots_at(pc).iter().map(|slot| *slot as usize)
    }

    /// The same as a slice.
    pub fn slots_at(&self, pc: Pc) -> &[u32] {
        let (start, end) = self.ranges[pc as usize];
        &self.slots[start as usize..end as usize]
    }
}

/// A set of slots, or of cells.
#[derive(Clone, PartialEq, Debug)]
struct Row(Vec<u64>);

impl Row {
    /// None of so many.
    fn of(len: usize) -> Row {
        Row(vec![0; len.div_ceil(64)])
    }

    fn insert(&mut self, slot: usize) {
        self.0[slot / 64] |= 1 << (slot % 64);
    }

    fn contains(&self, slot: usize) -> bool {
        self.0[slot / 64] >> (slot % 64) & 1 == 1
    }

    fn remove(&mut self, slot: usize) {
        self.0[slot / 64] &= !(1 << (slot % 64));
    }

    fn union(&mut self, other: &Row) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(i as u32 * 64 + bit)
            })
        })
    }
}

/// From the set after an instruction to the set before it.
fn transfer(function: &Function, instr: &Instr, row: &mut Row) {
    instr.for_each_def(|reg, _| each_slot(function, reg, |slot| row.remove(slot)));
    instr.for_each_use(|operand, _| {
        if let Operand::Reg(reg) = operand {
            each_slot(function, reg, |slot| row.insert(slot));
        }
    });
}

fn each_slot(function: &Function, reg: Reg, mut f: impl FnMut(usize)) {
    let slot = reg.0 as usize;
    f(slot);
    if function.slots[slot].width > 64 {
        f(slot + 1);
    }
}

impl Blocks {
    /// The blocks in the order in which a depth-first search comes upon them;
    /// unreachable ones last.
    fn discovery_order(&self, function: &Function) -> Vec<usize> {
        let mut order = Vec::new();
        let mut found = vec![false; self.len()];
        for root in 0..self.len() {
            let mut work = vec![root];
            while let Some(block) = work.pop() {
                if !std::mem::replace(&mut found[block], true) {
                    order.push(block);
                    work.extend(self.successors(function, block));
                }
            }
        }
        order
    }

    /// The set before each block, by a worklist from which the blocks come in
    /// reverse order of discovery: mostly successors first, so that few blocks
    /// come again.
    fn solve(&self, function: &Function, none: &Row, before: &dyn Fn(&Instr, &mut Row)) -> Vec<Row> {
        let mut predecessors = vec![Vec::new(); self.len()];
        for block in 0..self.len() {
            for successor in self.successors(function, block) {
                predecessors[successor].push(block);
            }
        }
        let mut sets = vec![none.clone(); self.len()];
        let mut work = self.discovery_order(function);
        let mut queued = vec![true; self.len()];
        while let Some(block) = work.pop() {
            queued[block] = false;
            let mut row = self.live_out(function, block, &sets, none);
            for pc in self.range(block).rev() {
                before(&function.code[pc], &mut row);
            }
            if row != sets[block] {
                sets[block] = row;
                for &predecessor in &predecessors[block] {
                    if !std::mem::replace(&mut queued[predecessor], true) {
                        work.push(predecessor);
                    }
                }
            }
        }
        sets
    }

    fn live_out(&self, function: &Function, block: usize, sets: &[Row], none: &Row) -> Row {
        let mut row = none.clone();
        self.successors(function, block).into_iter().for_each(|s| row.union(&sets[s]));
        row
    }
}

#[cfg(test)]
mod tests;
