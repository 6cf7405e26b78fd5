//! Which registers a position still needs.
//!
//! Two states that differ only in dead registers have the same future, so the
//! canonical form of a state leaves dead registers out.

use crate::instr::{Operand, Reg};
use crate::program::{Function, Pc};

/// Live registers before each instruction of one function.
#[derive(Clone, Debug)]
pub struct Liveness {
    words: usize,
    sets: Vec<u64>,
}

impl Liveness {
    /// Backward data-flow over the flat code until nothing changes.
    pub fn of(function: &Function) -> Liveness {
        let words = function.slots.len().div_ceil(64).max(1);
        let mut live = Liveness { words, sets: vec![0; words * function.code.len()] };
        let mut row = vec![0u64; words];
        loop {
            let mut changed = false;
            for pc in (0..function.code.len()).rev() {
                live.transfer(function, pc, &mut row);
                let old = &mut live.sets[pc * words..(pc + 1) * words];
                if old != row.as_slice() {
                    old.copy_from_slice(&row);
                    changed = true;
                }
            }
            if !changed {
                return live;
            }
        }
    }

    fn transfer(&self, function: &Function, pc: usize, row: &mut [u64]) {
        row.fill(0);
        let instr = &function.code[pc];
        instr.for_each_target(|target| self.join(target as usize, row));
        if !instr.is_terminator() && pc + 1 < function.code.len() {
            self.join(pc + 1, row);
        }
        instr.for_each_def(|reg, _| each_slot(function, reg, |s| row[s / 64] &= !(1 << (s % 64))));
        instr.for_each_use(|operand, _| {
            if let Operand::Reg(reg) = operand {
                each_slot(function, reg, |s| row[s / 64] |= 1 << (s % 64));
            }
        });
    }

    fn join(&self, pc: usize, row: &mut [u64]) {
        for (word, other) in row.iter_mut().zip(self.row(pc)) {
            *word |= other;
        }
    }

    fn row(&self, pc: usize) -> &[u64] {
        &self.sets[pc * self.words..(pc + 1) * self.words]
    }

    /// The slots live before the instruction at `pc`, ascending.
    pub fn live_at(&self, pc: Pc) -> impl Iterator<Item = usize> + '_ {
        self.row(pc as usize).iter().enumerate().flat_map(|(i, word)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(i * 64 + bit)
            })
        })
    }
}

fn each_slot(function: &Function, reg: Reg, mut f: impl FnMut(usize)) {
    let slot = reg.0 as usize;
    f(slot);
    if function.slots[slot].width > 64 {
        f(slot + 1);
    }
}
