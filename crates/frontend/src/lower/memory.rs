//! Stack objects, loads, stores and address computations.

use ir::{Access, BinOp, Instr, Operand, Reg, VarId};

use super::What;
use super::atomics::order;
use super::body::{Body, Operands};
use super::promote::is_only_marked;
use super::types::Leaf;
use crate::llvm::{Opcode, Value};

impl<'m> Body<'_, 'm> {
    pub(super) fn memory(&mut self, value: Value<'m>) -> What<()> {
        match value.opcode() {
            Some(Opcode::LLVMAlloca) => self.alloca(value),
            Some(Opcode::LLVMLoad) => self.load(value),
            Some(Opcode::LLVMStore) => self.store(value),
            _ => self.address(value),
        }
    }

    /// The source variable that an address holds.
    pub(super) fn variable(&mut self, address: Value<'m>) -> Option<VarId> {
        let node = *self.promotion.variables.get(&address)?;
        let name = self.lowering.variable_name(node)?;
        let name = self.lowering.symbol(&name);
        Some(VarId { name, layout: self.lowering.variable_layout(node) })
    }

    fn alloca(&mut self, value: Value<'m>) -> What<()> {
        if self.locals.contains_key(&value) || is_only_marked(value) {
            return Ok(());
        }
        if self.scoped.contains(&value) {
            self.dst(value, self.lowering.pointer_width);
            return Ok(());
        }
        let size = self.alloca_size(value)?;
        let dst = self.dst(value, self.lowering.pointer_width);
        self.make_object(value, dst, size);
        Ok(())
    }

    /// The object of a local, made anew wherever its scope begins.
    pub(super) fn begin_scope(&mut self, local: Value<'m>) -> What<()> {
        let size = self.alloca_size(local)?;
        if let Operand::Reg(dst) = self.scalar(local)? {
            self.make_object(local, dst, size);
        }
        Ok(())
    }

    fn make_object(&mut self, local: Value<'m>, dst: Reg, size: Operand) {
        let (align, var) = (local.explicit_align().max(1), self.variable(local));
        self.emit(Instr::Alloca { dst, size, align, var });
    }

    fn alloca_size(&mut self, value: Value<'m>) -> What<Operand> {
        let ty = value.allocated_type().ok_or("a local without a type")?;
        let unit = self.lowering.module.alloc_size(ty);
        let count = value.operand(0).ok_or("a local without a count")?;
        Ok(match count.int_bits() {
            Some(count) => Operand::Int((count as u64).checked_mul(unit).ok_or("a local of this size")?),
            None => {
                let from = self.lowering.width(count.ty())?;
                let count = self.scalar(count)?;
                let count = self.pointer_wide(count, from, false);
                match unit {
                    1 => count,
                    _ => self.saturating_product(count, Operand::Int(unit))?,
                }
            }
        })
    }

    /// A number of pointer width times a constant.
    pub(super) fn times(&mut self, value: Operand, factor: u64) -> Operand {
        if factor == 1 {
            return value;
        }
        let width = self.lowering.pointer_width;
        let dst = self.temp(width);
        self.binary(BinOp::Mul, width, dst, value, Operand::Int(factor));
        Operand::Reg(dst)
    }

    fn load(&mut self, value: Value<'m>) -> What<()> {
        let address = value.operand(0).ok_or("a load from nowhere")?;
        if let Some(local) = self.locals.get(&address).copied() {
            let operand = Operand::Reg(local);
            let operands = Operands::from_elem(operand, 1);
            let direct = self.promotion.direct.contains(&value);
            return if direct { self.define(value, operands) } else { self.copy(value, operands) };
        }
        let access = self.access(value);
        let ptr = self.scalar(address)?;
        let leaves = self.lowering.leaves(value.ty())?;
        if let [leaf] = leaves.as_slice() {
            let dst = if leaf.width % 8 == 0 { Some(self.dst(value, leaf.width)) } else { None };
            let loaded = self.load_leaf(ptr, *leaf, access, dst);
            return self.define(value, Operands::from_elem(loaded, 1));
        }
        let mut results = Operands::new();
        for leaf in leaves {
            results.push(self.load_leaf(ptr, leaf, access, None));
        }
        self.define(value, results)
    }

    pub(super) fn load_leaf(
        &mut self,
        ptr: Operand,
        leaf: Leaf,
        access: Access,
        dst: Option<ir::Reg>,
    ) -> Operand {
        let ptr = self.offset(ptr, leaf.offset as i64);
        // A width that is not whole bytes is stored zero-extended.
        let width = leaf.width.div_ceil(8) * 8;
        let dst = dst.unwrap_or_else(|| self.temp(width));
        self.emit(Instr::Load { width, dst, ptr, access });
        self.resize(Operand::Reg(dst), width, leaf.width, false)
    }

    fn store(&mut self, value: Value<'m>) -> What<()> {
        let source = value.operand(0).ok_or("a store of nothing")?;
        let address = value.operand(1).ok_or("a store to nowhere")?;
        let operands = self.value(source)?;
        if let Some(dst) = self.locals.get(&address).copied() {
            let width = self.lowering.width(source.ty())?;
            let src = operands.first().copied().ok_or("a store of nothing")?;
            if src != Operand::Reg(dst) {
                self.emit(Instr::Move { width, dst, src });
            }
            return Ok(());
        }
        let access = self.access(value);
        let ptr = self.scalar(address)?;
        for (operand, leaf) in operands.into_iter().zip(self.lowering.leaves(source.ty())?) {
            self.store_leaf(ptr, leaf, operand, access);
        }
        Ok(())
    }

    pub(super) fn store_leaf(&mut self, ptr: Operand, leaf: Leaf, value: Operand, access: Access) {
        let ptr = self.offset(ptr, leaf.offset as i64);
        let width = leaf.width.div_ceil(8) * 8;
        let value = self.resize(value, leaf.width, width, false);
        self.emit(Instr::Store { width, ptr, value, access });
    }

    fn access(&self, value: Value<'m>) -> Access {
        Access { order: value.ordering().and_then(order), volatile: value.is_volatile() }
    }

    /// An address moved by a constant.
    pub(super) fn offset(&mut self, ptr: Operand, offset: i64) -> Operand {
        if offset == 0 {
            return ptr;
        }
        if let Operand::Global(id, old) = ptr
            && let Ok(offset) = i32::try_from(i64::from(old).wrapping_add(offset))
        {
            return Operand::Global(id, offset);
        }
        let dst = self.temp(self.lowering.pointer_width);
        self.emit(Instr::PtrAdd { dst, base: ptr, index: Operand::Int(0), scale: 1, offset });
        Operand::Reg(dst)
    }

    fn address(&mut self, value: Value<'m>) -> What<()> {
        let parts = self.lowering.gep_parts(value)?;
        let width = self.lowering.pointer_width;
        let mut base = self.operand(value, 0)?;
        let mut offset = parts.offset;
        let Some(((last, last_scale), before)) = parts.terms.split_last() else {
            if let Operand::Global(id, old) = base
                && let Ok(offset) = i32::try_from(i64::from(old).wrapping_add(offset))
            {
                return self.define(value, Operands::from_elem(Operand::Global(id, offset), 1));
            }
            let dst = self.dst(value, width);
            self.emit(Instr::PtrAdd { dst, base, index: Operand::Int(0), scale: 1, offset });
            return Ok(());
        };
        // The offset goes with the first index, as in `&table[0].field[i]`.
        for (index, scale) in before {
            let index = self.index(*index)?;
            let dst = self.temp(width);
            self.emit(Instr::PtrAdd { dst, base, index, scale: *scale, offset });
            (base, offset) = (Operand::Reg(dst), 0);
        }
        let index = self.index(*last)?;
        let dst = self.dst(value, width);
        self.emit(Instr::PtrAdd { dst, base, index, scale: *last_scale, offset });
        Ok(())
    }

    fn index(&mut self, index: Value<'m>) -> What<Operand> {
        let from = self.lowering.width(index.ty())?;
        let operand = self.scalar(index)?;
        Ok(self.pointer_wide(operand, from, true))
    }
}
