//! Values of registers: bits, which of them are undefined, and the object that
//! a pointer points into.

/// An object, by slot and generation: a slot is used again after its object
/// ended, a dangling pointer still names the old generation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ObjectId(pub(crate) u32);

/// A value of up to 64 bits. With an object, `bits` is the offset into it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Value {
    /// The bits, zero above the width; the offset, for a pointer.
    pub bits: u64,
    /// The bits that are undefined.
    pub undef: u64,
    /// The object pointed into; [`ObjectId::NONE`] for an integer.
    pub object: ObjectId,
}
