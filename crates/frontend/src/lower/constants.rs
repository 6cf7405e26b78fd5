//! Constants: integers, addresses, and expressions over them.

use bits::wide;
use ir::{FuncId, GlobalId};

use super::{Lowering, What};
use crate::llvm::{Opcode, Type, TypeKind, Value, ValueKind};

/// A scalar constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant {
    /// An integer, the bits of a float, or a pointer that points nowhere.
    Int(u128),
    /// An address in a global.
    Global(GlobalId, i64),
    /// A function's address.
    Function(FuncId),
    /// Nothing in particular.
    Undef,
}

const MAX_DEPTH: u32 = 200;

impl<'m> Lowering<'m> {
    /// A scalar constant's value; `None` if it takes instructions to compute it.
    pub(super) fn constant(&mut self, value: Value<'m>) -> What<Option<Constant>> {
        self.constant_at(value, 0)
    }

    fn constant_at(&mut self, value: Value<'m>, depth: u32) -> What<Option<Constant>> {
        if depth > MAX_DEPTH {
            return Err("a deeply nested constant expression".to_owned());
        }
        let constant = match value.kind() {
            ValueKind::Int => Constant::Int(value.int_bits().ok_or("an integer of more than 128 bits")?),
            ValueKind::Float => {
                self.width(value.ty())?;
                Constant::Int(value.float_bits().ok_or("a float constant of this type")?)
            }
            ValueKind::Null | ValueKind::Zero => Constant::Int(0),
            ValueKind::Undef => Constant::Undef,
            ValueKind::Global if value.is_declaration() && value.is_extern_weak() => Constant::Int(0),
            ValueKind::Global => Constant::Global(self.global_id(value)?, 0),
            ValueKind::Function => self.function_address(value),
            ValueKind::Alias => {
                let target = value.aliasee().ok_or("an alias of nothing")?;
                return self.constant_at(target, depth + 1);
            }
            ValueKind::Expression => return self.expression(value, depth + 1),
            ValueKind::BlockAddress => {
                let block = value.addressed_block().ok_or("the address of no label")?;
                Constant::Int(u128::from(self.label_address(block)?))
            }
            _ => return Err("this kind of constant".to_owned()),
        };
        Ok(Some(constant))
    }

    fn function_address(&mut self, function: Value<'m>) -> Constant {
        if function.is_declaration() && function.is_extern_weak() && !self.is_known(function) {
            return Constant::Int(0);
        }
        Constant::Function(self.function_id(function))
    }

    fn expression(&mut self, value: Value<'m>, depth: u32) -> What<Option<Constant>> {
        let operand = |index| value.operand(index).ok_or("a constant without operands");
        let Some(first) = self.constant_at(operand(0)?, depth)? else { return Ok(None) };
        match value.opcode() {
            Some(Opcode::LLVMGetElementPtr) => match self.constant_offset(value)? {
                Some(offset) => Ok(self.add(first, offset)),
                None => Ok(None),
            },
            Some(Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast) => Ok(Some(first)),
            Some(Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMTrunc) => {
                let (from, to) = (self.width(operand(0)?.ty())?, self.width(value.ty())?);
                Ok(match first {
                    Constant::Int(bits) => Some(Constant::Int(mask(bits, to))),
                    other if from == to => Some(other),
                    _ => None,
                })
            }
            Some(Opcode::LLVMAdd | Opcode::LLVMSub) => {
                let Some(second) = self.constant_at(operand(1)?, depth)? else { return Ok(None) };
                let width = self.width(value.ty())?;
                Ok(self.sum(first, second, value.opcode() == Some(Opcode::LLVMSub), width))
            }
            _ => Ok(None),
        }
    }

    fn add(&self, base: Constant, offset: i64) -> Option<Constant> {
        match base {
            Constant::Int(bits) => {
                Some(Constant::Int(mask(bits.wrapping_add(offset as u128), self.pointer_width)))
            }
            Constant::Global(id, old) => Some(Constant::Global(id, old.checked_add(offset)?)),
            Constant::Function(_) if offset != 0 => None,
            other => Some(other),
        }
    }

    fn sum(&self, first: Constant, second: Constant, minus: bool, width: u8) -> Option<Constant> {
        match (first, second) {
            (Constant::Int(a), Constant::Int(b)) => {
                let sum = if minus { a.wrapping_sub(b) } else { a.wrapping_add(b) };
                Some(Constant::Int(mask(sum, width)))
            }
            (Constant::Global(a, x), Constant::Global(b, y)) if minus && a == b => {
                Some(Constant::Int(mask(i128::from(x - y) as u128, width)))
            }
            (base, Constant::Int(b)) => {
                let offset = signed(b, width) as i64;
                self.add(base, if minus { offset.checked_neg()? } else { offset })
            }
            (Constant::Int(a), base) if !minus => self.add(base, signed(a, width) as i64),
            _ => None,
        }
    }

    /// The offset of an address computation, if all its indices are constant.
    pub(super) fn constant_offset(&self, gep: Value<'m>) -> What<Option<i64>> {
        let parts = self.gep_parts(gep)?;
        Ok(parts.terms.is_empty().then_some(parts.offset))
    }

    /// An address computation as a constant plus scaled indices.
    pub(super) fn gep_parts(&self, gep: Value<'m>) -> What<GepParts<'m>> {
        let mut parts = GepParts { offset: 0, terms: Vec::new() };
        let mut ty = gep.gep_type().ok_or("an address computation without a type")?;
        for i in 1..gep.operand_count() {
            let index = gep.operand(i).ok_or("an address computation without indices")?;
            if !matches!(index.ty().kind(), TypeKind::Int(_)) {
                return Err("an address computation on vectors".to_owned());
            }
            if i == 1 {
                parts.add(index, self.module.alloc_size(ty))?;
            } else {
                ty = self.gep_step(ty, index, &mut parts)?;
            }
        }
        Ok(parts)
    }

    fn gep_step(&self, ty: Type<'m>, index: Value<'m>, parts: &mut GepParts<'m>) -> What<Type<'m>> {
        match ty.kind() {
            TypeKind::Struct(fields) => {
                let field = index.int_bits().ok_or("a field chosen by a variable")? as usize;
                let inner = *fields.get(field).ok_or("a field that does not exist")?;
                let offset = self.module.field_offset(ty, field as u32);
                parts.offset = parts.offset.wrapping_add(offset as i64);
                Ok(inner)
            }
            TypeKind::Array(element, _) | TypeKind::Vector(element, _) => {
                parts.add(index, self.module.alloc_size(element))?;
                Ok(element)
            }
            _ => Err("an address computation into a scalar".to_owned()),
        }
    }
}

/// `offset + sum of index * scale`.
pub struct GepParts<'m> {
    /// The constant part.
    pub offset: i64,
    /// The variable parts.
    pub terms: Vec<(Value<'m>, i64)>,
}

impl<'m> GepParts<'m> {
    fn add(&mut self, index: Value<'m>, size: u64) -> What<()> {
        let size = i64::try_from(size).map_err(|_| "a type of more than 2^63 bytes")?;
        match (index.int_bits(), index.ty().kind()) {
            (Some(bits), TypeKind::Int(width)) => {
                let index = signed(bits, width.min(128) as u8) as i64;
                self.offset = self.offset.wrapping_add(index.wrapping_mul(size));
            }
            _ if size == 0 => {}
            _ => self.terms.push((index, size)),
        }
        Ok(())
    }
}

/// Keeps the low `width` bits.
pub fn mask(bits: u128, width: u8) -> u128 {
    bits & wide::mask(width)
}

/// The bits as a signed number of `width` bits.
pub fn signed(bits: u128, width: u8) -> i128 {
    if width == 0 { bits as i128 } else { wide::signed(bits, width.min(128)) }
}
