//! Variable arguments: where a call puts them, and where the code of `va_arg` looks for them.
//!
//! The machine puts all of them into memory (`machine/src/exec/calls.rs`), word after word, and those
//! of more than a word where 16 divides their offset. In native 64-bit programs, where registers
//! take the first ones, the alignment of the others is that of their types; in the machine, what
//! could be in registers has that of a word, since clang hands it over in words if some are left.

use ir::{Access, Arg, Operand};

use super::What;
use super::body::Body;
use super::types::Leaf;
use crate::llvm::{Opcode, Type, TypeKind, Value};

/// The alignment of what is wider than a word, among arguments in memory.
const WIDE: u64 = 16;

impl<'m> Body<'_, 'm> {
    /// Adds a variable argument that does not lie in memory as its parts are numbered; otherwise
    /// says that it is none of these.
    pub(super) fn variable_argument(
        &mut self,
        site: Value<'m>,
        index: u32,
        argument: Value<'m>,
        args: &mut Vec<Arg>,
    ) -> What<bool> {
        let words = self.lowering.pointer_width == 64;
        if let Some(ty) = site.byval_argument(index) {
            let piece = match site.argument_alignment(index) {
                WIDE if words && !self.fits_registers(ty) => WIDE,
                align if align > WIDE && words => {
                    return Err(format!("a variable argument with an alignment of {align}"));
                }
                _ => u64::from(self.lowering.pointer_width / 8),
            };
            return self.spread(argument, ty, piece, args).map(|()| true);
        }
        match argument.ty().kind() {
            // It lies at other addresses there than the machine puts it.
            TypeKind::Extended if !words => {
                Err("a long double as a variable argument of a 32-bit program".to_owned())
            }
            TypeKind::Vector(..) => self.vector(argument, args).map(|()| true),
            TypeKind::Int(128) if words => {
                let whole = self.scalar(argument)?;
                let parts = self.split(whole, 128, &[64, 64]);
                args.extend(parts.into_iter().map(|value| Arg { value, width: 64 }));
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Whether a structure would be in registers if enough of them were left.
    fn fits_registers(&self, ty: Type<'m>) -> bool {
        self.lowering.module.alloc_size(ty) <= WIDE && !has_extended(ty)
    }

    /// A vector lies in one piece, in as many words as registers would take.
    fn vector(&mut self, argument: Value<'m>, args: &mut Vec<Arg>) -> What<()> {
        let widths = self.lowering.widths(argument.ty())?;
        let total: u32 = widths.iter().map(|w| u32::from(*w)).sum();
        if total > 128 {
            return Err(format!("a vector of {total} bits as a variable argument"));
        }
        let halves = if total == 128 && self.lowering.pointer_width == 64 { 2 } else { 1 };
        let (operands, part) = (self.value(argument)?, widths.len() / halves);
        let width = (total as usize / halves) as u8;
        for (operands, widths) in operands.chunks(part).zip(widths.chunks(part)) {
            args.push(Arg { value: self.join(operands, widths, width), width });
        }
        Ok(())
    }

    /// A structure in memory: its pieces of this size, as they lie on the stack.
    fn spread(&mut self, argument: Value<'m>, ty: Type<'m>, piece: u64, args: &mut Vec<Arg>) -> What<()> {
        let ptr = self.scalar(argument)?;
        let size = self.lowering.module.alloc_size(ty);
        for offset in (0..size).step_by(piece as usize) {
            let leaf = Leaf { width: (piece.min(size - offset) * 8) as u8, offset };
            let value = self.load_leaf(ptr, leaf, Access::default(), None);
            let width = (piece * 8) as u8;
            args.push(Arg { value: self.resize(value, leaf.width, width, false), width });
        }
        Ok(())
    }

    /// Where `va_arg` finds on the stack what could be in registers as well, from the instruction
    /// that aligns the place: natively such a value is aligned there, in the machine it is two words.
    pub(super) fn unaligned_place(&mut self, site: Value<'m>) -> What<Option<Operand>> {
        let Some(next) = site.operand(0).filter(|v| v.opcode() == Some(Opcode::LLVMGetElementPtr)) else {
            return Ok(None);
        };
        let rounds = next.operand(1).and_then(Value::int_bits) == Some(u128::from(WIDE) - 1);
        let list = next.operand(0).filter(|place| place.opcode() == Some(Opcode::LLVMLoad));
        let in_list = list.and_then(|place| place.operand(0)).is_some_and(is_overflow_area);
        // The other place is in the area of the registers: the two meet in a phi.
        let meets = site.users().any(|user| user.opcode() == Some(Opcode::LLVMPHI));
        match list {
            Some(place) if rounds && in_list && meets => self.scalar(place).map(Some),
            _ => Ok(None),
        }
    }
}

/// Whether a `long double` is a part of a type: what has one is always in memory.
fn has_extended(ty: Type<'_>) -> bool {
    match ty.kind() {
        TypeKind::Extended => true,
        TypeKind::Struct(fields) => fields.into_iter().any(has_extended),
        TypeKind::Array(element, _) => has_extended(element),
        _ => false,
    }
}

/// Whether this is the address of the field of a `va_list` that leads to the arguments in memory.
fn is_overflow_area(address: Value<'_>) -> bool {
    let (offset, place) = (TypeKind::Int(32), TypeKind::Pointer);
    let of = address.gep_type().map(Type::kind);
    let is_list = matches!(of, Some(TypeKind::Struct(fields))
        if fields.iter().map(|f| f.kind()).eq([offset.clone(), offset, place.clone(), place]));
    is_list && address.operand(2).and_then(Value::int_bits) == Some(2)
}
