//! The thread program that every engine works on.
//!
//! A [`Program`] is a set of functions over bit-vector registers, an explicit
//! object memory, and threading as instructions. It knows nothing of LLVM: the
//! front end lowers to it, the machine executes it, and the symbolic engines
//! give it meaning over terms.
//!
//! Conventions that hold everywhere:
//!
//! - A register is a *slot* in its frame, mutable (not SSA), holding a
//!   bit-vector of up to 64 bits. A value of 65 to 128 bits occupies two
//!   consecutive slots, low half first, and is named by the first.
//! - Widths are in bits, sizes and offsets in bytes, memory is little-endian.
//! - A pointer is a value of the program's pointer width that carries the
//!   object it points into; integers obtained from pointers carry it too.
//! - Code is one flat array per function; jump targets are indices into it.

mod blocks;
mod chains;
mod domain;
mod instr;
mod layout;
mod liveness;
mod loops;
pub mod operation;
mod print;
mod program;
mod site;
mod span;
pub mod testing;
mod thread_ids;
mod validate;
mod wildcard;

pub use bits::{ArithOp, BinOp, Pred, UnOp};
pub use blocks::Blocks;
pub use chains::Chains;
pub use domain::Domain;
pub use instr::*;
pub use layout::{Field, Layout, LayoutId, LayoutKind, Layouts};
pub use liveness::{Cell, LiveCells, Liveness};
pub use loops::{Loop, innermost};
pub use print::Listing;
pub use program::*;
pub use site::{Origin, Site};
pub use span::{FileId, Location, SourceFile, Span};
pub use validate::{Invalid, validate};
pub use wildcard::matches_wildcard;
