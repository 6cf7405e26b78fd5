//! Global variables and their initial memory.

use ir::{Global, GlobalId, Relocation, Span, Target};

use super::constants::Constant;
use super::{Lowering, What};
use crate::demangle;
use crate::llvm::{Type, TypeKind, Value, ValueKind};

/// Larger globals are refused: the machine would have to hold them.
const MAX_SIZE: u64 = 1 << 30;
/// A variable that is defined nowhere is taken to have at least so many bytes: pointers to
/// parts of it differ from those to others.
const UNDEFINED_SIZE: u64 = 512;

impl<'m> Lowering<'m> {
    /// The global's id; its value is read later if this is the first reference.
    pub(super) fn global_id(&mut self, global: Value<'m>) -> What<GlobalId> {
        if let Some(id) = self.globals.get(&global) {
            return Ok(*id);
        }
        if let Some(why) = self.refused.get(&global) {
            return Err(why.clone());
        }
        let name = global.name();
        let mut size = global.value_type().map_or(0, |ty| self.module.alloc_size(ty));
        if global.is_declaration() {
            if global.is_thread_local() {
                return Err(format!("the variable {}, which is defined nowhere,", demangle::shown(&name)));
            }
            size = size.max(UNDEFINED_SIZE);
        }
        let id = self.new_global(global, &name, size);
        self.globals.insert(global, id);
        self.new_globals.push_back((global, id));
        Ok(id)
    }

    fn new_global(&mut self, global: Value<'m>, name: &str, size: u64) -> GlobalId {
        let variable = global.global_variable(self.module);
        let source_name =
            variable.and_then(|v| self.variable_name(v)).unwrap_or_else(|| demangle::shown(name));
        let undefined = global.is_declaration();
        let ty = global.value_type();
        let natural = ty.map_or(1, |ty| self.module.align(ty));
        let entry = Global {
            name: self.symbol(&source_name),
            size,
            align: global.explicit_align().max(natural).max(1),
            init: Vec::new(),
            relocations: Vec::new(),
            constant: undefined || global.is_constant(),
            undefined,
            thread_local: global.is_thread_local(),
            layout: variable.and_then(|v| self.variable_layout(v)),
            span: variable.map_or(Span::default(), |v| self.span_of_node(v)),
        };
        self.program.globals.push(entry);
        GlobalId(self.program.globals.len() as u32 - 1)
    }

    /// Fills in a global's initial bytes, or refuses the global.
    pub(super) fn initialise(&mut self, global: Value<'m>, id: GlobalId) {
        let entry = self.program.global(id);
        let (size, name) = (entry.size, self.program.name(entry.name).to_owned());
        match self.image(global, size) {
            Ok(image) => {
                let entry = &mut self.program.globals[id.0 as usize];
                entry.init = image.bytes;
                entry.relocations = image.relocations;
            }
            Err(what) => {
                self.refused.insert(global, format!("the variable {name} ({what})"));
            }
        }
    }

    fn image(&mut self, global: Value<'m>, size: u64) -> What<Image> {
        if size > MAX_SIZE {
            return Err(format!("{size} bytes, more than 1 GiB"));
        }
        let mut image = Image { bytes: Vec::new(), relocations: Vec::new() };
        if let Some(value) = global.initializer() {
            self.write(value, 0, &mut image, 0)?;
        }
        image.relocations.sort_by_key(|r: &Relocation| r.offset);
        Ok(image)
    }

    fn write(&mut self, value: Value<'m>, offset: u64, image: &mut Image, depth: u32) -> What<()> {
        if depth > 200 {
            return Err("a deeply nested initialiser".to_owned());
        }
        match value.kind() {
            ValueKind::Zero | ValueKind::Undef | ValueKind::Null => Ok(()),
            ValueKind::Aggregate => self.write_aggregate(value, offset, image, depth),
            _ => self.write_scalar(value, offset, image),
        }
    }

    fn write_aggregate(&mut self, value: Value<'m>, offset: u64, image: &mut Image, depth: u32) -> What<()> {
        if let Some(bytes) = value.string_bytes() {
            image.put(offset, &bytes);
            return Ok(());
        }
        let ty = value.ty();
        for index in 0..element_count(ty) {
            let Some(element) = value.element(index as u32) else { break };
            let at = match ty.kind() {
                TypeKind::Struct(_) => self.module.field_offset(ty, index as u32),
                _ => index * self.module.alloc_size(element.ty()),
            };
            self.write(element, offset + at, image, depth + 1)?;
        }
        Ok(())
    }

    fn write_scalar(&mut self, value: Value<'m>, offset: u64, image: &mut Image) -> What<()> {
        let ty = value.ty();
        let size = self.module.store_size(ty) as usize;
        self.width(ty)?;
        let constant = self.constant(value)?.ok_or("this constant expression as an initialiser")?;
        let (target, addend) = match constant {
            Constant::Undef => return Ok(()),
            Constant::Int(bits) => {
                image.put(offset, &bits.to_le_bytes()[..size.min(16)]);
                return Ok(());
            }
            Constant::Global(id, addend) => (Target::Global(id), addend),
            Constant::Function(id) => (Target::Function(id), 0),
        };
        if size as u64 != self.program.pointer_size() {
            return Err("part of an address as an initialiser".to_owned());
        }
        image.relocations.push(Relocation { offset, target, addend });
        Ok(())
    }
}

fn element_count(ty: Type<'_>) -> u64 {
    match ty.kind() {
        TypeKind::Struct(fields) => fields.len() as u64,
        TypeKind::Array(_, count) | TypeKind::Vector(_, count) => count,
        _ => 0,
    }
}

/// The initial memory of a global.
struct Image {
    /// The bytes up to the last that is not zero.
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
}

impl Image {
    fn put(&mut self, offset: u64, bytes: &[u8]) {
        let Some(last) = bytes.iter().rposition(|b| *b != 0) else { return };
        let start = offset as usize;
        let end = start + last + 1;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[start..end].copy_from_slice(&bytes[..=last]);
    }
}
