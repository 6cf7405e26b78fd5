//! Whether all executions of a product are fair (Definition 5): on every cycle each thread
//! moves that can move somewhere on it.

use machine::ThreadId;

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
