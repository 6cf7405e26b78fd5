//! Fewer slots: registers that are never needed at the same time share one.
//!
//! A frame is part of every state, so its size matters more than usual. Two
//! registers *interfere* if one is written where the other is still needed.
//! First, copies between registers that do not interfere are made one
//! register (`x = t` disappears); then the remaining temporaries share slots
//! of their width, first come, first served. Source variables keep slots of
//! their own, so that reports can name them.

use ir::{Function, Instr, Liveness, Operand, Pc, Reg, Slot};

use super::rename::rename;

/// Functions with more slots than this keep them: the table would be large.
const MAX_SLOTS: usize = 6000;

/// Lets registers share slots. Copies that become no-ops turn into jumps to
/// the next instruction.
pub fn share(function: &mut Function) {
    if function.slots.len() > MAX_SLOTS {
        return;
    }
    let mut registers = Registers::of(function);
    registers.coalesce(function);
    registers.assign(function);
}

struct Registers {
    /// Which class of coalesced registers each belongs to: its first one.
    class: Vec<usize>,
    /// For each class, the registers it interferes with.
    conflicts: Vec<Vec<u64>>,
    /// Whether a source variable is in the class.
    named: Vec<bool>,
}

impl Registers {
    fn of(function: &Function) -> Registers {
        let count = function.slots.len();
        let mut registers = Registers {
            class: (0..count).collect(),
            conflicts: vec![vec![0; count.div_ceil(64)]; count],
            named: function.slots.iter().map(|slot| slot.name.is_some()).collect(),
        };
        let live = Liveness::of(function);
        for (pc, instr) in function.code.iter().enumerate() {
            // What holds after this instruction, wherever it goes on.
            let mut after: Vec<u32> = Vec::new();
            instr.for_each_target(|target| after.extend(live.slots_at(target)));
            if !instr.is_terminator() {
                after.extend(live.slots_at(pc as Pc + 1));
            }
            registers.write(instr, &after);
        }
        let params: Vec<usize> = function.params.iter().map(|p| p.reg.0 as usize).collect();
        for param in &params {
            live.live_at(0).chain(params.iter().copied()).for_each(|other| registers.conflict(*param, other));
        }
        registers
    }

    fn write(&mut self, instr: &Instr, after: &[u32]) {
        let mut written: Vec<usize> = Vec::new();
        instr.for_each_def(|reg, _| written.push(reg.0 as usize));
        // A copy does not make its source and destination conflict.
        let source = match instr {
            Instr::Move { src: Operand::Reg(reg), .. } => Some(reg.0 as usize),
            _ => None,
        };
        for dst in &written {
            for other in after.iter().map(|slot| *slot as usize).chain(written.iter().copied()) {
                if Some(other) != source {
                    self.conflict(*dst, other);
                }
            }
        }
    }

    fn conflict(&mut self, a: usize, b: usize) {
        if a != b {
            self.conflicts[a][b / 64] |= 1 << (b % 64);
            self.conflicts[b][a / 64] |= 1 << (a % 64);
        }
    }

    fn conflicting(&self, a: usize, b: usize) -> bool {
        self.conflicts[a][b / 64] & (1 << (b % 64)) != 0
    }

    fn coalesce(&mut self, function: &Function) {
        for instr in &function.code {
            let Instr::Move { dst, src: Operand::Reg(src), .. } = instr else { continue };
            let (a, b) = (self.class[dst.0 as usize], self.class[src.0 as usize]);
            let same_width = function.slots[a].width == function.slots[b].width;
            if a != b && same_width && !(self.named[a] && self.named[b]) && !self.conflicting(a, b) {
                self.merge(a, b);
            }
        }
    }

    /// Makes two classes one, named after the one with a source variable.
    fn merge(&mut self, a: usize, b: usize) {
        let (keep, gone) = if self.named[b] { (b, a) } else { (a, b) };
        for class in &mut self.class {
            if *class == gone {
                *class = keep;
            }
        }
        let others = std::mem::take(&mut self.conflicts[gone]);
        for (i, word) in others.iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                let other = i * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                self.conflicts[keep][i] |= 1 << (other % 64);
                if let Some(row) = self.conflicts[other].get_mut(keep / 64) {
                    *row |= 1 << (keep % 64);
                }
            }
        }
    }

    /// Gives every class a slot and renames the registers.
    fn assign(&self, function: &mut Function) {
        let used = used_classes(function, &self.class);
        let mut slots: Vec<Slot> = Vec::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut place = vec![0u32; self.class.len()];
        for class in used {
            let Slot { width, .. } = function.slots[class];
            let free = |slot: usize| {
                let occupied = &members[slot];
                slots[slot].width == width
                    && slots[slot].name.is_none()
                    && !occupied.iter().any(|other| self.conflicting(class, *other))
            };
            let slot = if self.named[class] { None } else { (0..slots.len()).find(|s| free(*s)) };
            let slot = slot.unwrap_or_else(|| {
                slots.push(function.slots[class]);
                members.push(Vec::new());
                if width > 64 {
                    slots.push(Slot::SECOND_HALF);
                    members.push(Vec::new());
                    slots.len() - 2
                } else {
                    slots.len() - 1
                }
            });
            members[slot].push(class);
            place[class] = slot as u32;
        }
        let new = |reg: Reg| Reg(place[self.class[reg.0 as usize]]);
        for (pc, instr) in function.code.iter_mut().enumerate() {
            rename(instr, &new);
            if matches!(instr, Instr::Move { dst, src: Operand::Reg(src), .. } if dst == src) {
                *instr = Instr::Jump { target: pc as Pc + 1 };
            }
        }
        function.params.iter_mut().for_each(|param| param.reg = new(param.reg));
        function.slots = slots;
    }
}

/// The classes that the code names, parameters first, then in order of appearance.
fn used_classes(function: &Function, class: &[usize]) -> Vec<usize> {
    let mut seen = vec![false; class.len()];
    let mut used = Vec::new();
    let mut see = |reg: Reg| {
        let class = class[reg.0 as usize];
        if !std::mem::replace(&mut seen[class], true) {
            used.push(class);
        }
    };
    function.params.iter().for_each(|param| see(param.reg));
    for instr in &function.code {
        instr.for_each_def(|reg, _| see(reg));
        instr.for_each_use(|operand, _| {
            if let Operand::Reg(reg) = operand {
                see(reg);
            }
        });
    }
    used
}
