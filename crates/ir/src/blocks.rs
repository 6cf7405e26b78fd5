//! The basic blocks of a function.

use crate::program::{Function, Pc};

/// The basic blocks of a function.
pub struct Blocks {
    /// Where each block starts, ascending, and the end of the code.
    starts: Vec<usize>,
    /// Each instruction's block.
    of_pc: Vec<u32>,
}

impl Blocks {
    /// The blocks of a function.
    pub fn of(function: &Function) -> Blocks {
        let mut leader = vec![false; function.code.len()];
        for (pc, instr) in function.code.iter().enumerate() {
            leader[pc] |= pc == 0 || function.code[pc - 1].is_terminator();
            instr.for_each_target(|target| leader[target as usize] = true);
        }
        let mut blocks = Blocks { starts: Vec::new(), of_pc: Vec::new() };
        for (pc, leads) in leader.iter().enumerate() {
            if *leads {
                blocks.starts.push(pc);
            }
            blocks.of_pc.push(blocks.starts.len() as u32 - 1);
        }
        blocks.starts.push(function.code.len());
        blocks
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none: the function has no code.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The block of an instruction.
    pub fn containing(&self, pc: Pc) -> usize {
        self.of_pc[pc as usize] as usize
    }

    /// The positions of a block's instructions.
    pub fn range(&self, block: usize) -> std::ops::Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }

    /// The blocks that may follow a block.
    pub fn successors(&self, function: &Function, block: usize) -> Vec<usize> {
        let last = self.starts[block + 1] - 1;
        let mut successors = Vec::new();
        function.code[last].for_each_target(|pc| successors.push(self.containing(pc)));
        if !function.code[last].is_terminator() && block + 1 < self.len() {
            successors.push(block + 1);
        }
        successors
    }
}
