//! Whether all executions of a product are fair (Definition 5): on every cycle each thread
//! moves that can move somewhere on it.

use std::collections::BTreeSet;

use certify::Piece;
use machine::ThreadId;
use rustc_hash::FxHashSet;

use crate::product::{Move, Product, Vertex, VertexId};
use crate::schedule::build::Built;

/// A thread, and the vertices of cycles on which it can move and does not.
pub struct Unfair {
    /// The thread.
    pub thread: ThreadId,
    /// The vertices at which it can.
    pub vertices: Vec<VertexId>,
}

/// The first thread that is put off for ever, if there is one.
pub fn unfair(built: &Built) -> Option<Unfair> {
    let vertices = &built.product.vertices;
    let threads = vertices.iter().flat_map(|vertex| &vertex.enabled).max()?.0;
    (0..=threads).map(ThreadId).find_map(|thread| {
        let on_cycles = without(built, thread).on_cycles(&vec![true; vertices.len()]);
        let waits = |at: &usize| on_cycles[*at] && vertices[*at].enabled.contains(&thread);
        let found: Vec<VertexId> = (0..vertices.len()).filter(waits).map(|at| at as VertexId).collect();
        (!found.is_empty()).then_some(Unfair { thread, vertices: found })
    })
}

/// The product without the steps of a thread.
fn without(built: &Built, thread: ThreadId) -> Product {
    let by_others = |step: &&Move| step.edge.steps.first().is_none_or(|(mover, _)| *mover != thread);
    let vertices = built.product.vertices.iter().map(|vertex| Vertex {
        moves: vertex.moves.iter().filter(by_others).cloned().collect(),
        facts: Vec::new(),
        enabled: Vec::new(),
        movers: Vec::new(),
        ..vertex.clone()
    });
    let mut product = Product::default();
    product.vertices = vertices.collect();
    product
}

/// The pieces of executions: the steps of a product that was contracted.
pub fn pieces(product: &Product, built: &Built) -> Vec<Piece> {
    let kept: FxHashSet<VertexId> = product.vertices.iter().map(|vertex| vertex.number).collect();
    let mut pieces = Vec::new();
    for vertex in &product.vertices {
        let enabled = enabled_after(vertex.number, &kept, built);
        let ways = vertex.moves.iter().filter_map(|step| Some((&step.edge, step.to?)));
        for (edge, to) in ways {
            pieces.push(Piece {
                from: vertex.number,
                to: product.vertices[to as usize].number,
                conditions: [&vertex.facts[..], &edge.guard].concat(),
                values: edge.assignments.iter().copied().collect(),
                movers: edge.steps.iter().map(|(thread, _)| *thread).collect(),
                enabled: enabled.clone(),
            });
        }
    }
    pieces
}

/// The threads that can move at a vertex, or at one that was passed over after it.
fn enabled_after(start: VertexId, kept: &FxHashSet<VertexId>, built: &Built) -> BTreeSet<ThreadId> {
    let (mut enabled, mut seen, mut work) = (BTreeSet::new(), FxHashSet::default(), vec![start]);
    while let Some(at) = work.pop() {
        let vertex = &built.product.vertices[at as usize];
        enabled.extend(&vertex.enabled);
        let next = vertex.moves.iter().filter_map(|step| step.to);
        work.extend(next.filter(|to| !kept.contains(to) && seen.insert(*to)));
    }
    enabled
}
