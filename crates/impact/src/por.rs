//! The reductions of the paper by its names, for comparison with the reduced product: here the
//! product has all interleavings, each step is a node, and the tree leaves steps out.
//!
//! Monotonic reduction is Algorithm 2 (section IV): after a step of a thread, a thread with a lower
//! number does not move if its next step is independent of that step, and could have been taken
//! before it ([`skips`] is `SKIP`). Every execution with a fault has an equivalent one that is
//! *monotonic* (Definition 4.3): as long as there are two independent steps next to each other in
//! the wrong order, they change places, which ends since every change brings the numbers of the
//! threads closer to their order. A fault that comes to lie before other steps is one without
//! them. Deadlocks stay where all steps have been taken.
//!
//! A node that covers another follows all threads that the covered one would have followed
//! (`CLOSE`, section IV.C; see [`crate::search`]), so that every monotonic path has a path in the
//! tree (Lemma 4.7).

use machine::{Grain, ThreadId};
use rustc_hash::FxHashMap;

use crate::product::{Product, VertexId};
use crate::reduce::{Reduction, goes_back};
use crate::system::System;

/// Which interleavings the tree unwinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Por {
    /// All, at every instruction.
    None,
    /// All, at accesses to what threads share: the paper's sPOR.
    Shared,
    /// Of these the ones in which independent steps that follow each other are in the order of
    /// their threads: the paper's dPOR.
    Monotonic,
}

impl Por {
    /// How far a step goes.
    pub fn grain(self) -> Grain {
        if self == Por::None { Grain::Instruction } else { Grain::Visible }
    }
}

/// For a step of a thread from one vertex to another, the threads that do not move after it.
pub type Skips = FxHashMap<(VertexId, ThreadId, VertexId), Vec<ThreadId>>;

/// The threads that do not move after each step of a product with all interleavings (`SKIP`).
pub fn skips(product: &Product, system: &System<'_>, reduction: &Reduction<'_>) -> Skips {
    let mut skips = Skips::default();
    let machine = system.machine();
    for (from, vertex) in (0..).zip(&product.vertices) {
        for step in vertex.moves.iter() {
            // A thread that goes on within a step is not named, and no other thread is put off by it.
            let (Some(to), [(mover, _)]) = (step.to, &step.edge.steps[..]) else { continue };
            let target = &product.vertices[to as usize];
            if goes_back(machine, (system.state(vertex.location), system.state(target.location)), *mover) {
                continue;
            }
            let before = |thread: &&ThreadId| {
                let locations = (vertex.location, target.location);
                *thread < mover
                    && vertex.enabled.contains(thread)
                    && reduction.independent(system, locations, *mover, **thread)
            };
            let skipped: Vec<ThreadId> = target.enabled.iter().filter(before).copied().collect();
            skips.insert((from, *mover, to), skipped);
        }
    }
    skips
}
