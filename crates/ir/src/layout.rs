//! Source types of variables, so that a report can say `queue.items[2]`
//! instead of an offset.

use crate::program::Symbol;

/// Index into [`Layouts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    /// A pointer, to data or function.
    Pointer,
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
        let mut path = String::new();
        let (mut id, mut offset) = (id, offset);
        loop {
            match &self.get(id).kind {
                LayoutKind::Array { element, .. } => {
                    let size = self.get(*element).size.max(1);
                    path.push_str(&format!("[{}]", offset / size));
                    (id, offset) = (*element, offset % size);
                }
                LayoutKind::Record { fields, .. } => {
                    let Some(field) = fields.iter().find(|f| covers(f, offset)) else { break };
                    let field_name = name(field.name);
                    if !field_name.is_empty() {
                        path.push('.');
                        path.push_str(&field_name);
                    }
                    (id, offset) = (field.layout, offset - field.bit_offset / 8);
                }
                _ => break,
            }
        }
        (path, id)
    }
}

fn covers(field: &Field, offset: u64) -> bool {
    let bit = offset * 8;
    let first = field.bit_offset / 8 * 8;
    bit >= first && bit < field.bit_offset + field.bit_size
}
