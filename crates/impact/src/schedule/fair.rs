//! Whether all executions of a product are fair (Definition 5): on every cycle each thread
//! moves that can move somewhere on it.

use machine::ThreadId;

use crate::product::VertexId;
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
        let others: Vec<bool> = vertices.iter().map(|vertex| !vertex.movers.contains(&thread)).collect();
        let on_cycles = built.product.on_cycles(&others);
        let waits = |at: &usize| on_cycles[*at] && vertices[*at].enabled.contains(&thread);
        let found: Vec<VertexId> = (0..vertices.len()).filter(waits).map(|at| at as VertexId).collect();
        (!found.is_empty()).then_some(Unfair { thread, vertices: found })
    })
}
