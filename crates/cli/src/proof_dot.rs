//! Proofs in the language of Graphviz.

use std::fmt::Write;

use certify::{Node, Proof, Reason};

use crate::dot::quoted;

/// The most nodes of a drawing, and the most conditions of each that are shown.
const MOST_NODES: usize = 500;
const MOST_CONDITIONS: usize = 6;

/// The tree as a `digraph`: covers are dashed, what is never reached is grey.
pub fn dot(proof: &Proof) -> anyhow::Result<String> {
    let nodes = proof.nodes.len();
    anyhow::ensure!(nodes <= MOST_NODES, "the tree has {nodes} nodes, too many for a drawing");
    let mut out = String::from("digraph proof {\n");
    out.push_str("  node [shape=box style=filled fillcolor=white fontname=\"Helvetica\" fontsize=10];\n");
    out.push_str("  edge [fontname=\"Helvetica\" fontsize=9];\n");
    for (number, node) in proof.nodes.iter().enumerate() {
        let label = quoted(&label(proof, number, node));
        let fill = if is_dead(proof, node) { " fillcolor=lightgrey" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  n{number} [label={label}{fill}];");
        for edge in &node.edges {
            let threads: Vec<String> = edge.threads.iter().map(|thread| thread.to_string()).collect();
            let _ = writeln!(out, "  n{number} -> n{} [label={}];", edge.to, quoted(&threads.join(" ")));
        }
        if let Some(by) = node.covered_by {
            let _ = writeln!(out, "  n{number} -> n{by} [style=dashed constraint=false];");
        }
    }
    out.push_str("}\n");
    Ok(out)
}

fn label(proof: &Proof, number: usize, node: &Node) -> String {
    let vertex = &proof.vertices[node.vertex as usize];
    let mut lines = vec![number.to_string()];
    lines.extend(vertex.shown.iter().cloned());
    if vertex.reason != Reason::All {
        let movers: Vec<String> = vertex.movers.iter().map(|thread| thread.to_string()).collect();
        lines.push(format!("only {} moves", movers.join(", ")));
    }
    lines.extend(node.shown.iter().take(MOST_CONDITIONS).cloned());
    let more = node.label.len().saturating_sub(node.shown.len().min(MOST_CONDITIONS));
    lines.extend((more > 0).then(|| format!("... {more} more")));
    lines.join("\n")
}

/// Whether a label is false.
fn is_dead(proof: &Proof, node: &Node) -> bool {
    let is_false = |number: &u32| {
        let term = &proof.terms[*number as usize];
        term.op == "const" && term.value.as_deref() == Some("0")
    };
    node.label.iter().any(is_false)
}
