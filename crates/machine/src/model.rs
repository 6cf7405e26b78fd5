//! Memory models: when other threads see what a thread stores.
//!
//! Under sequential consistency they see it at once. Under the others a store
//! waits in a buffer of its thread ([`crate::state::buffer`]) until the buffer
//! commits it, which is a step of its own ([`crate::Mover::Buffer`]). The thread
//! itself sees its stores at once, and some instructions wait until its buffer is
//! empty ([`crate::sync::drain`]).
//!
//! Atomic operations are as compilers make them for x86 and, under partial store
//! order, for SPARC: a sequentially consistent store and a read-modify-write wait
//! for an empty buffer and are made at once, a sequentially consistent fence waits
//! for an empty buffer. Loads are plain. A store that releases, or a fence that does, orders
//! stores before it with stores after it, which total store order does by itself.
//!
//! What other threads cannot reach needs no buffer, as long as stores stay in
//! their order: what a thread stored there is in memory before the pointer is with
//! which others reach it. Under partial store order that is not so, since the
//! pointer may be committed first. There, a pointer to memory that others cannot
//! reach yet must be stored by a store that releases; what follows one that does
//! not is not known ([`crate::machine::End::Unsupported`]).

use ir::{FuncId, Pc};
use serde::{Deserialize, Serialize};

/// In which order other threads see the stores of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryModel {
    /// Sequential consistency: at once.
    #[default]
    Sc,
    /// Total store order: in the order of the program, but later than the thread
    /// itself.
    Tso,
    /// Partial store order: the same for stores that overlap, while others may
    /// overtake each other.
    Pso,
}

impl MemoryModel {
    /// All of them.
    pub const ALL: [MemoryModel; 3] = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sc",
            MemoryModel::Tso => "tso",
            MemoryModel::Pso => "pso",
        }
    }

    /// The model of this name.
    pub fn from_name(name: &str) -> Option<MemoryModel> {
        MemoryModel::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Whether stores wait in buffers.
    pub fn has_buffers(self) -> bool {
        self != MemoryModel::Sc
    }
}

impl std::fmt::Display for MemoryModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A place for a fence that the program does not have: a thread that comes there waits
/// until its store buffer is empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fence {
    /// The function that it is put into.
    pub function: FuncId,
    /// The instruction beside which it stands.
    pub pc: Pc,
    /// On which side of that.
    pub side: Side,
}

/// The side of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Side {
    After,
    Before,
}

impl Fence {
    /// The instruction that waits. One after which there is a fence is a store, so that
    /// it goes on at the next one.
    pub fn waiting(self) -> (FuncId, Pc) {
        (self.function, self.pc + Pc::from(self.side == Side::After))
    }
}
