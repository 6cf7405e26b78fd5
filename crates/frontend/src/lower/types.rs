//! Widths and offsets. A value of aggregate type is the list of its leaves:
//! the scalars it is made of, each in a register of its own.

use super::{Lowering, What};
use crate::llvm::{Type, TypeKind};

/// More leaves than this in one value means an array by value: not from C.
const MAX_LEAVES: usize = 1024;

/// A scalar inside a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Width in bits.
    pub width: u8,
    /// Where it is when the value is in memory, in bytes.
    pub offset: u64,
}

impl<'m> Lowering<'m> {
    /// The width of a scalar type.
    pub(super) fn width(&self, ty: Type<'m>) -> What<u8> {
        match self.scalar_width(ty)? {
            Some(width) => Ok(width),
            None => Err("an aggregate where a scalar is needed".to_owned()),
        }
    }

    /// The width, if the type is scalar.
    pub(super) fn scalar_width(&self, ty: Type<'m>) -> What<Option<u8>> {
        match ty.kind() {
            TypeKind::Int(width) if width <= 128 => Ok(Some(width as u8)),
            TypeKind::Int(width) => Err(format!("an integer of {width} bits")),
            TypeKind::Float => Ok(Some(32)),
            TypeKind::Double => Ok(Some(64)),
            TypeKind::Half => Ok(Some(16)),
            TypeKind::Extended => Ok(Some(80)),
            TypeKind::Pointer => Ok(Some(self.pointer_width)),
            TypeKind::Other(name) => Err(format!("the type {name}")),
            _ => Ok(None),
        }
    }

    /// The leaves of a type; none for `void`.
    pub(super) fn leaves(&self, ty: Type<'m>) -> What<Vec<Leaf>> {
        let mut leaves = Vec::new();
        self.add_leaves(ty, 0, &mut leaves)?;
        Ok(leaves)
    }

    fn add_leaves(&self, ty: Type<'m>, offset: u64, leaves: &mut Vec<Leaf>) -> What<()> {
        if leaves.len() > MAX_LEAVES {
            return Err("a large aggregate as a value".to_owned());
        }
        if let Some(width) = self.scalar_width(ty)? {
            leaves.push(Leaf { width, offset });
            return Ok(());
        }
        match ty.kind() {
            TypeKind::Struct(fields) => {
                for (i, field) in fields.into_iter().enumerate() {
                    self.add_leaves(field, offset + self.module.field_offset(ty, i as u32), leaves)?;
                }
            }
            TypeKind::Array(element, count) => {
                let size = self.module.alloc_size(element);
                self.add_repeated(element, count, size, offset, leaves)?;
            }
            TypeKind::Vector(element, count) => {
                let bits = self.width(element)?;
                if bits % 8 != 0 && count > 1 {
                    // Elements smaller than a byte are packed in memory; as values they are fine.
                    self.add_repeated(element, count, 0, offset, leaves)?;
                } else {
                    self.add_repeated(element, count, u64::from(bits / 8), offset, leaves)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add_repeated(
        &self,
        element: Type<'m>,
        count: u64,
        size: u64,
        offset: u64,
        leaves: &mut Vec<Leaf>,
    ) -> What<()> {
        if count > MAX_LEAVES as u64 {
            return Err("a large aggregate as a value".to_owned());
        }
        for i in 0..count {
            self.add_leaves(element, offset + i * size, leaves)?;
        }
        Ok(())
    }

    /// The widths of a type's leaves.
    pub(super) fn widths(&self, ty: Type<'m>) -> What<Vec<u8>> {
        Ok(self.leaves(ty)?.into_iter().map(|leaf| leaf.width).collect())
    }

    /// Which leaves of `ty` the member with these indices has: the first, and how many.
    pub(super) fn member(&self, ty: Type<'m>, indices: &[u32]) -> What<(usize, usize)> {
        let mut first = 0;
        let mut ty = ty;
        for index in indices {
            let (before, member) = self.step_into(ty, *index)?;
            first += before;
            ty = member;
        }
        Ok((first, self.leaves(ty)?.len()))
    }

    fn step_into(&self, ty: Type<'m>, index: u32) -> What<(usize, Type<'m>)> {
        match ty.kind() {
            TypeKind::Struct(fields) if (index as usize) < fields.len() => {
                let mut before = 0;
                for field in &fields[..index as usize] {
                    before += self.leaves(*field)?.len();
                }
                Ok((before, fields[index as usize]))
            }
            TypeKind::Array(element, _) | TypeKind::Vector(element, _) => {
                Ok((self.leaves(element)?.len() * index as usize, element))
            }
            _ => Err("a member of something that has none".to_owned()),
        }
    }
}
