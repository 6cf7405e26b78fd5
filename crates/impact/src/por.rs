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
//! Steps that the static analysis takes for dependent are independent where they access other
//! places (section IV.D, [`crate::apart`]): other elements of an array, because of what the label of
//! the node says from which the first of them leads, or other objects, because of where pointers
//! point at its location. Such steps change places in the states that the label allows, and an
//! execution is at a node only in such states, whichever way it came there.
//!
//! A node that covers another follows all threads that the covered one would have followed
//! (`CLOSE`, section IV.C; see [`crate::search`]), so that every monotonic path has a path in the
//! tree (Lemma 4.7).

use certify::Interleavings;
use logic::Term;
use machine::{Grain, ThreadId};
use rustc_hash::FxHashMap;

use crate::commuting::Commuting;
use crate::product::{Product, VertexId};
use crate::prover::NoAnswer;
use crate::reduce::goes_back;

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

    /// What a proof says of the interleavings that it has.
    pub fn interleavings(self) -> Interleavings {
        match self {
            Por::None => Interleavings::Instructions,
            Por::Shared => Interleavings::Reduced,
            Por::Monotonic => Interleavings::Monotonic,
        }
    }
}

/// A thread that does not move after a step of another one.
pub struct Skip {
    /// The thread.
    pub thread: ThreadId,
    /// What must hold before that step for both to be independent; none if they always are.
    pub condition: Option<Vec<Term>>,
}

/// For a step of a thread from one vertex to another, the threads that do not move after it.
pub type Skips = FxHashMap<(VertexId, ThreadId, VertexId), Vec<Skip>>;

/// The threads that do not move after each step of a product with all interleavings (`SKIP`).
pub fn skips(product: &Product, commuting: &mut Commuting<'_, '_>) -> Result<Skips, NoAnswer> {
    let mut skips = Skips::default();
    for (from, vertex) in (0..).zip(&product.vertices) {
        for step in vertex.moves.iter() {
            // A thread that goes on within a step is not named, and no other thread is put off by it.
            let (Some(to), [(mover, _)]) = (step.to, &step.edge.steps[..]) else { continue };
            if skips.contains_key(&(from, *mover, to)) {
                continue;
            }
            let target = &product.vertices[to as usize];
            let (system, locations) = (&*commuting.system, (vertex.location, target.location));
            let states = (system.state(locations.0), system.state(locations.1));
            // A thread that has ended is in no loop.
            let has_ended = system.machine().stands(states.1, *mover).is_empty();
            if !has_ended && goes_back(system.machine(), states, *mover) {
                continue;
            }
            let mut found = Vec::new();
            let before = |thread: &&ThreadId| *thread < mover && vertex.enabled.contains(thread);
            for thread in target.enabled.iter().filter(before) {
                let condition = if commuting.are_independent(locations, *mover, *thread) {
                    Some(None)
                } else {
                    commuting.apart(locations, *mover, *thread)?.map(Some)
                };
                found.extend(condition.map(|condition| Skip { thread: *thread, condition }));
            }
            skips.insert((from, *mover, to), found);
        }
    }
    Ok(skips)
}
