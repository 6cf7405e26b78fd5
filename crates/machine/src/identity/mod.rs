//! When two states are the same: normal forms, canonical bytes, parts,
//! renamings of threads, and what makes no difference.

pub(crate) mod base;
pub(crate) mod canonical;
mod counts;
pub(crate) mod handles;
pub(crate) mod joins;
pub(crate) mod normalise;
pub(crate) mod part;
pub(crate) mod printed;
mod public;
mod reach;
pub(crate) mod returned;
pub(crate) mod stutter;
pub(crate) mod symmetry;
pub(crate) mod turns;
pub(crate) mod twins;
