//! What a proof names.

use machine::ThreadId;
use rustc_hash::FxHashMap;

use crate::data::are_apart;
use crate::graph::VertexId;
use crate::proof::{Proof, Reason, Vertex};

/// Shows that numbers in a proof name what there is, and that its data are apart.
pub(super) fn shape(proof: &Proof) -> Result<(), String> {
    let (vertices, nodes) = (proof.vertices.len() as u32, proof.nodes.len() as u32);
    if !are_apart(&proof.data) {
        return Err("what holds data is not apart".to_owned());
    }
    for (number, vertex) in proof.vertices.iter().enumerate() {
        if vertex.steps.iter().any(|step| step.to >= vertices) {
            return Err(format!("a step from vertex {number} leads nowhere"));
        }
    }
    for (number, node) in proof.nodes.iter().enumerate() {
        let mut after = node.edges.iter().map(|edge| edge.to).chain(node.covered_by);
        if node.vertex >= vertices || after.any(|to| to >= nodes) {
            return Err(format!("node {number} leads nowhere"));
        }
    }
    let commutes = proof.vertices.iter().any(|vertex| vertex.reason == Reason::Commuting);
    if proof.sorted && (commutes || !proof.interleavings.is_reduced()) {
        return Err("threads are sorted where they are to be followed".to_owned());
    }
    match proof.nodes.first() {
        Some(root) if root.vertex == 0 => Ok(()),
        _ => Err("there is no root where the program starts".to_owned()),
    }
}

/// Where each vertex's steps lead, by thread and the name of the location.
pub(super) fn targets(proof: &Proof) -> Vec<FxHashMap<(ThreadId, &str), VertexId>> {
    let name = |to: u32| proof.vertices[to as usize].location.as_str();
    let of =
        |vertex: &Vertex| vertex.steps.iter().map(|step| ((step.thread, name(step.to)), step.to)).collect();
    proof.vertices.iter().map(of).collect()
}
