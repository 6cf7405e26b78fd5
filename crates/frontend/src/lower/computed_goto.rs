//! Computed `goto`: labels whose address is taken have numbers for addresses,
//! where no object is, and a jump to such an address is a choice among them.

use ir::{Failure, Instr};

use super::body::{Body, Label};
use super::{Lowering, What};
use crate::llvm::{Block, Value};

/// The addresses of labels: above the page of the null pointer and below
/// every object of the machine.
const FIRST: u64 = 1 << 16;
const END: u64 = 1 << 20;
const DISTANCE: u64 = 16;

impl<'m> Lowering<'m> {
    /// The address of a label.
    pub(super) fn label_address(&mut self, block: Block<'m>) -> What<u64> {
        let next = FIRST + DISTANCE * self.labels.len() as u64;
        let address = *self.labels.entry(block).or_insert(next);
        if address < END { Ok(address) } else { Err("the addresses of so many labels".to_owned()) }
    }
}

impl<'m> Body<'_, 'm> {
    /// Continues at the label with the address.
    pub(super) fn computed_goto(&mut self, value: Value<'m>, from: Block<'m>) -> What<()> {
        let address = self.operand(value, 0)?;
        let mut edges: Vec<(Block<'m>, Label)> = Vec::new();
        let mut cases = Vec::new();
        for block in value.successors() {
            if edges.iter().all(|(known, _)| *known != block) {
                let label = self.switch_edge(block, &mut edges);
                cases.push((self.lowering.label_address(block)?, label));
            }
        }
        let (width, default) = (self.lowering.pointer_width, self.new_label());
        self.emit(Instr::Switch { width, value: address, cases: cases.into(), default });
        self.place(default);
        let message = self.lowering.symbol("goto");
        self.emit(Instr::Fail { kind: Failure::Jump, message });
        self.edges_code(from, edges);
        Ok(())
    }
}
