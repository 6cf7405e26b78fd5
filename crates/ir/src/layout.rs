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
    /// a scalar variable; of a union the first field that fits is taken.
    pub fn path(&self, id: LayoutId, offset: u64, name: &dyn Fn(Symbol) -> String) -> (String, LayoutId) {
        self.path_to(id, offset, 1, name)
    }

    /// The same to the smallest part that has all of `len` bytes. What is only some of the fields or
    /// elements of such a part is written by the first and the last one: `.name[8..15]`,
    /// `.tag..len`.
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
                    let of_all = at(offset).find(|field| covers(field, last));
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
