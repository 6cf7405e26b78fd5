//! Source types of variables, so that a report can say `queue.items[2]`
//! instead of an offset.

use crate::program::Symbol;
use serde::{Deserialize, Serialize};

/// Index into [`Layouts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LayoutId(pub u32);

/// All the source types a program's variables have.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    /// The types, referred to by [`LayoutId`].
    pub all: Vec<Layout>,
}

/// A source type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The type's size in bytes.
    pub size: u64,
    /// What it is made of.
    pub kind: LayoutKind,
}

/// What a source type is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LayoutKind {
    /// An integer, enumeration or character.
    Int {
        /// Whether it is signed.
        signed: bool,
    },
    /// `bool`.
    Bool,
    /// `float` or `double`.
    Float,
    /// A pointer, to data or function, or a reference.
    Pointer {
        /// The type of what it leads to, where that is known and is data.
        target: Option<LayoutId>,
        /// Whether it is a reference, which is written like what it leads to.
        reference: bool,
    },
    /// An array.
    Array {
        /// The element type.
        element: LayoutId,
        /// How many elements.
        count: u64,
    },
    /// A structure, class or union.
    Record {
        /// The fields in order; those of a union overlap.
        fields: Vec<Field>,
        /// The type's name, if it has one.
        name: Option<Symbol>,
    },
    /// A type the debug information does not describe further.
    Opaque,
}

/// One field of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The field's name.
    pub name: Symbol,
    /// Where it starts, in bits: bit-fields need not start at a byte.
    pub bit_offset: u64,
    /// How many bits it has.
    pub bit_size: u64,
    /// Its type.
    pub layout: LayoutId,
}

impl Layouts {
    /// The type with this id.
    pub fn get(&self, id: LayoutId) -> &Layout {
        &self.all[id.0 as usize]
    }

    /// Adds a type.
    pub fn add(&mut self, layout: Layout) -> LayoutId {
        self.all.push(layout);
        LayoutId(self.all.len() as u32 - 1)
    }

    /// The source path from a variable of type `id` to the scalar at `offset`,
    /// such as `.items[2].next`, and that scalar's type. The path is empty for
    /// a scalar variable; of a union the first field is taken.
    pub fn path(&self, id: LayoutId, offset: u64, name: &dyn Fn(Symbol) -> String) -> (String, LayoutId) {
        self.path_to(id, offset, 0, name)
    }

    /// The same to the smallest part that has all of `len` bytes. What is only some of the fields or
    /// elements of such a part is written by the first and the last one: `.name[8..15]`,
    /// `.tag..len`. Of a union the first field is taken in which these bytes are a part of their
    /// own, or else the first that has them. A `len` of 0 says that it is not known.
    pub fn path_to(
        &self,
        id: LayoutId,
        offset: u64,
        len: u64,
        name: &dyn Fn(Symbol) -> String,
    ) -> (String, LayoutId) {
        let mut path = String::new();
        let (mut id, mut offset) = (id, offset);
        loop {
            let last = offset + len.max(1) - 1;
            let whole = offset == 0 && last + 1 >= self.get(id).size;
            match &self.get(id).kind {
                LayoutKind::Array { element, .. } => {
                    let size = self.get(*element).size.max(1);
                    let (first, last) = (offset / size, last / size);
                    if first != last {
                        path.push_str(&if whole { String::new() } else { format!("[{first}..{last}]") });
                        break;
                    }
                    path.push_str(&format!("[{first}]"));
                    (id, offset) = (*element, offset % size);
                }
                LayoutKind::Record { fields, .. } => {
                    let at = |byte| {
                        let here = move |field: &&Field| covers(field, byte) && !self.is_empty(field.layout);
                        fields.iter().filter(here)
                    };
                    let all = || at(offset).filter(|field| covers(field, last));
                    let is_part = |field: &&Field| {
                        self.has_part(field.layout, offset - field.bit_offset / 8, len, MAX_NESTING)
                    };
                    let of_all = all().find(is_part).or_else(|| all().next());
                    let (field, until) = match (of_all, at(offset).next(), at(last).next()) {
                        (None, Some(_), _) if whole => break,
                        (Some(field), ..) | (None, Some(field), None) => (field, None),
                        (None, Some(field), Some(until)) => (field, Some(until)),
                        (None, None, _) => {
                            path.push_str(if self.is_empty(id) { "" } else { PADDING });
                            break;
                        }
                    };
                    let field_name = name(field.name);
                    if !field_name.is_empty() {
                        path.push('.');
                        path.push_str(&field_name);
                    }
                    if let Some(until) = until {
                        path.push_str("..");
                        path.push_str(&name(until.name));
                        break;
                    }
                    (id, offset) = (field.layout, offset - field.bit_offset / 8);
                }
                _ => break,
            }
        }
        (path, id)
    }
}

impl Layouts {
    /// Whether these bytes are the whole type, or a whole field or element within it that nests no
    /// deeper than this.
    fn has_part(&self, id: LayoutId, offset: u64, len: u64, depth: u32) -> bool {
        let Layout { size, kind } = self.get(id);
        if offset == 0 && len == *size {
            return true;
        }
        if depth == 0 || len == 0 {
            return false;
        }
        match kind {
            LayoutKind::Array { element, .. } => {
                let size = self.get(*element).size.max(1);
                self.has_part(*element, offset % size, len, depth - 1)
            }
            LayoutKind::Record { fields, .. } => fields.iter().any(|field| {
                let here = covers(field, offset) && covers(field, offset + len - 1);
                here && self.has_part(field.layout, offset - field.bit_offset / 8, len, depth - 1)
            }),
            _ => false,
        }
    }

    /// Whether a type is a class without data, such as a base class that only
    /// has functions: its byte belongs to something else.
    fn is_empty(&self, id: LayoutId) -> bool {
        self.is_empty_within(id, MAX_NESTING)
    }

    /// The same for types that nest no deeper than this.
    fn is_empty_within(&self, id: LayoutId, depth: u32) -> bool {
        let LayoutKind::Record { fields, .. } = &self.get(id).kind else { return false };
        depth > 0 && fields.iter().all(|field| self.is_empty_within(field.layout, depth - 1))
    }
}

/// Classes that nest deeper are not looked into: only broken input has them.
const MAX_NESTING: u32 = 16;

/// How bytes between fields are called.
const PADDING: &str = " (padding)";

fn covers(field: &Field, offset: u64) -> bool {
    let bit = offset * 8;
    let first = field.bit_offset / 8 * 8;
    bit >= first && bit < field.bit_offset + field.bit_size
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `union { int i; float f; struct { short lo, hi; } half; char bytes[4]; }`
    fn union(layouts: &mut Layouts) -> LayoutId {
        let mut add = |size, kind| layouts.add(Layout { size, kind });
        let field =
            |name, bit_offset, bit_size, layout| Field { name: Symbol(name), bit_offset, bit_size, layout };
        let (word, short, byte) =
            (add(4, LayoutKind::Opaque), add(2, LayoutKind::Opaque), add(1, LayoutKind::Opaque));
        let halves = vec![field(3, 0, 16, short), field(4, 16, 16, short)];
        let half = add(4, LayoutKind::Record { fields: halves, name: None });
        let bytes = add(4, LayoutKind::Array { element: byte, count: 4 });
        let fields =
            vec![field(0, 0, 32, word), field(1, 0, 32, word), field(2, 0, 32, half), field(5, 0, 32, bytes)];
        add(4, LayoutKind::Record { fields, name: None })
    }

    #[test]
    fn of_a_union_the_field_is_taken_that_the_access_is_to() {
        let mut layouts = Layouts::default();
        let id = union(&mut layouts);
        let name = |symbol: Symbol| ["i", "f", "half", "lo", "hi", "bytes"][symbol.0 as usize].to_owned();
        let path = |offset, len| layouts.path_to(id, offset, len, &name).0;
        assert_eq!(path(0, 4), ".i");
        assert_eq!(path(2, 2), ".half.hi");
        assert_eq!(path(3, 1), ".bytes[3]");
        assert_eq!(path(1, 2), ".i", "no part is these bytes");
        assert_eq!(layouts.path(id, 2, &name).0, ".i", "what is accessed is not known");
    }
}
