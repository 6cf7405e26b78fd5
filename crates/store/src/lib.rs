//! States in little memory: every distinct part of a state is kept once, and a
//! state is a tree of the numbers of its parts ([`Store`]). Two states are equal
//! exactly if their trees are ([`Tree`]). Putting in a state and taking one out
//! costs what it differs by from one that is at hand.

mod chunked;
mod index;
mod marks;
mod pairs;
pub mod snapshot;
mod spill;
mod store;
mod tree;
pub mod wire;

pub use chunked::Chunked;
pub use marks::Marks;
pub use spill::{Slab, Spill};
pub use store::{Loaded, Sight, StateId, Store, Tree};
