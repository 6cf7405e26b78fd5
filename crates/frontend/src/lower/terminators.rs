//! Ends of blocks, and the copies that phi nodes stand for.
//!
//! All phis of a block take their values at once, on the edge into it. Where
//! a block has one successor the copies stand before the jump; otherwise the
//! edge gets code of its own, so that the other edges do not see them.

use ir::{Arg, Callee, FuncId, Instr, Operand, Pred, Reg};

use super::What;
use super::body::{Body, Label};
use crate::llvm::{Block, Opcode, Value};

/// One of the copies that happen at once on an edge.
struct Copy {
    width: u8,
    dst: Reg,
    src: Operand,
}

impl<'m> Body<'_, 'm> {
    pub(super) fn terminator(&mut self, value: Value<'m>) -> What<()> {
        if self.dead {
            return Ok(());
        }
        let block = value.block().ok_or("an instruction outside a block")?;
        let next = value.successors();
        match value.opcode() {
            Some(Opcode::LLVMRet) => self.ret(value),
            Some(Opcode::LLVMUnreachable) => {
                self.emit(Instr::Unreachable);
                Ok(())
            }
            Some(Opcode::LLVMBr) if next.len() == 2 => {
                let cond = self.operand(value, 0)?;
                self.branch(block, cond, next[0], next[1]);
                Ok(())
            }
            Some(Opcode::LLVMBr | Opcode::LLVMInvoke) if !next.is_empty() => {
                self.go(block, next[0]);
                Ok(())
            }
            Some(Opcode::LLVMSwitch) => self.switch(value, block),
            Some(Opcode::LLVMResume) => Err("C++ exception".to_owned()),
            Some(Opcode::LLVMIndirectBr) => self.computed_goto(value, block),
            Some(Opcode::LLVMCallBr) => Err("asm goto".to_owned()),
            _ => Err("this way to end a block".to_owned()),
        }
    }

    fn ret(&mut self, value: Value<'m>) -> What<()> {
        let mut values = Vec::new();
        if let Some(result) = value.operand(0) {
            let widths = self.lowering.widths(result.ty())?;
            let operands = self.value(result)?;
            values.extend(operands.into_iter().zip(widths).map(|(value, width)| Arg { value, width }));
        }
        if self.function.atomic {
            self.emit(Instr::AtomicEnd { orders: true });
        }
        self.emit(Instr::Return { values: values.into() });
        Ok(())
    }

    /// Continues at a block.
    fn go(&mut self, from: Block<'m>, to: Block<'m>) {
        let before = self.function.code.len();
        match self.copies(from, to) {
            Ok(()) => self.emit(Instr::Jump { target: self.block_labels[&to] }),
            Err(what) => {
                self.take_back(before);
                self.unsupported(&what);
            }
        }
    }

    fn branch(&mut self, from: Block<'m>, cond: Operand, yes: Block<'m>, no: Block<'m>) {
        if yes == no {
            return self.go(from, yes);
        }
        let (yes_label, no_label) = (self.edge(yes), self.edge(no));
        self.emit(Instr::Branch { cond, yes: yes_label, no: no_label });
        self.edge_code(from, yes, yes_label);
        self.edge_code(from, no, no_label);
    }

    fn switch(&mut self, value: Value<'m>, from: Block<'m>) -> What<()> {
        let selector = value.operand(0).ok_or("a switch over nothing")?;
        let width = self.lowering.width(selector.ty())?;
        let operand = self.scalar(selector)?;
        let mut edges: Vec<(Block<'m>, Label)> = Vec::new();
        let mut cases = Vec::new();
        let blocks = value.successors();
        let default = *blocks.first().ok_or("a switch without a default")?;
        let default_label = self.switch_edge(default, &mut edges);
        for (i, block) in blocks.iter().enumerate().skip(1) {
            // Operands: the selector, the default, then value and block of each case.
            let case = value.operand(2 * i as u32).and_then(|v| v.int_bits()).ok_or("a switch case")?;
            cases.push((case, self.switch_edge(*block, &mut edges)));
        }
        if width <= 64 {
            let cases = cases.into_iter().map(|(v, label)| (v as u64, label)).collect();
            self.emit(Instr::Switch { width, value: operand, cases, default: default_label });
        } else {
            self.wide_switch(operand, width, cases, default_label);
        }
        self.edges_code(from, edges);
        Ok(())
    }

    /// The code of all edges out of a block.
    pub(super) fn edges_code(&mut self, from: Block<'m>, edges: Vec<(Block<'m>, Label)>) {
        for (block, label) in edges {
            self.edge_code(from, block, label);
        }
    }

    fn wide_switch(&mut self, value: Operand, width: u8, cases: Vec<(u128, Label)>, default: Label) {
        for (case, yes) in cases {
            let rhs = self.int(case, width);
            let dst = self.temp(1);
            self.emit(Instr::Compare { pred: Pred::Eq, width, dst, lhs: value, rhs });
            let no = self.new_label();
            self.emit(Instr::Branch { cond: Operand::Reg(dst), yes, no });
            self.place(no);
        }
        self.emit(Instr::Jump { target: default });
    }

    pub(super) fn switch_edge(&mut self, block: Block<'m>, edges: &mut Vec<(Block<'m>, Label)>) -> Label {
        if let Some((_, label)) = edges.iter().find(|(b, _)| *b == block) {
            return *label;
        }
        let label = self.edge(block);
        edges.push((block, label));
        label
    }

    /// The label of an edge into a block: the block's own, if nothing is copied.
    fn edge(&mut self, to: Block<'m>) -> Label {
        let has_phi = to.instructions().next().is_some_and(|i| i.opcode() == Some(Opcode::LLVMPHI));
        if has_phi { self.new_label() } else { self.block_labels[&to] }
    }

    fn edge_code(&mut self, from: Block<'m>, to: Block<'m>, label: Label) {
        if label != self.block_labels[&to] {
            self.place(label);
            self.go(from, to);
        }
    }

    /// The copies on an edge, one after the other with the effect of all at once.
    fn copies(&mut self, from: Block<'m>, to: Block<'m>) -> What<()> {
        let mut pending = Vec::new();
        for phi in to.instructions().take_while(|i| i.opcode() == Some(Opcode::LLVMPHI)) {
            let source = phi.incoming().into_iter().find(|(_, block)| *block == from);
            let (source, _) = source.ok_or("a phi without a value for an edge")?;
            let widths = self.lowering.widths(phi.ty())?;
            let (dsts, srcs) = (self.value(phi)?, self.value(source)?);
            for ((dst, src), width) in dsts.into_iter().zip(srcs).zip(widths) {
                let Operand::Reg(dst) = dst else { continue };
                if src != Operand::Reg(dst) {
                    pending.push(Copy { width, dst, src });
                }
            }
        }
        self.sequence(pending);
        Ok(())
    }

    fn sequence(&mut self, mut pending: Vec<Copy>) {
        while !pending.is_empty() {
            let free = pending.iter().position(|copy| {
                let mut others = pending.iter().filter(|other| other.dst != copy.dst);
                !others.any(|other| other.src == Operand::Reg(copy.dst))
            });
            if let Some(index) = free {
                let Copy { width, dst, src } = pending.swap_remove(index);
                self.emit(Instr::Move { width, dst, src });
                continue;
            }
            // Only cycles are left: save the first one's old value.
            let (width, old) = (pending[0].width, pending[0].dst);
            let saved = self.temp(width);
            self.emit(Instr::Move { width, dst: saved, src: Operand::Reg(old) });
            for copy in pending.iter_mut().filter(|c| c.src == Operand::Reg(old)) {
                copy.src = Operand::Reg(saved);
            }
        }
    }

    /// A call whose arguments fit.
    pub(super) fn emit_call(&mut self, callee: FuncId, args: Vec<Arg>, dsts: Vec<Reg>) {
        self.emit(Instr::Call { callee: Callee::Direct(callee), args: args.into(), dsts: dsts.into() });
    }
}
