//! A complete tree as data that another program can check ([`certify`]).
//!
//! The vertices are those of the whole product, before some were passed over: the check
//! follows single steps.

use std::sync::{Arc, Mutex, PoisonError};

use certify::{Edge, Interleavings, Node, Proof, Reason, Step, Vertex, Writer};
use logic::{SolverKind, Terms};
use machine::ThreadId;
use rustc_hash::FxHashMap;

use crate::product::{self, Product};
use crate::reduce::Kind;
use crate::system::System;
use crate::tree::{self, NodeId, Tree};
use crate::words::Names;

/// Where the engine leaves its proof for the caller, who keeps a clone.
#[derive(Clone, Debug, Default)]
pub struct Keeper(Arc<Mutex<Option<Proof>>>);

impl Keeper {
    /// Keeps a proof, in place of an earlier one.
    pub fn keep(&self, proof: Proof) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(proof);
    }

    /// Hands out the proof that was kept last, once.
    pub fn take(&self) -> Option<Proof> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A complete tree with all that it is about.
pub struct Complete<'a, 'm> {
    /// The solver that it was found with.
    pub solver: SolverKind,
    /// Which interleavings it has.
    pub interleavings: Interleavings,
    /// The locations.
    pub system: &'a System<'m>,
    /// The vertices before any were passed over.
    pub whole: &'a [product::Vertex],
    /// The product that the tree is about.
    pub product: &'a Product,
    /// The tree.
    pub tree: &'a Tree,
    /// The terms.
    pub terms: &'a Terms,
}

impl Complete<'_, '_> {
    /// The proof. None if a label depends on what is no data, which does not happen.
    pub fn proof(&self) -> Option<Proof> {
        let order = self.open_nodes();
        let numbers: FxHashMap<NodeId, u32> = order.iter().copied().zip(0..).collect();
        let mut writer = Writer::default();
        let nodes =
            order.iter().map(|id| self.node(*id, &numbers, &mut writer)).collect::<Option<Vec<Node>>>()?;
        let vertices = self.whole.iter().map(|vertex| self.vertex(vertex, &mut writer));
        let vertices = vertices.collect::<Option<Vec<Vertex>>>()?;
        let (solver, data) = (self.solver.name().to_owned(), self.system.precision.holders().collect());
        let all_inputs = self.system.precision.all_inputs;
        let interleavings = self.interleavings;
        let (sorted, terms) = (self.system.sorts, writer.written);
        Some(Proof { solver, data, all_inputs, interleavings, sorted, terms, vertices, nodes })
    }

    /// The nodes that matter, the root first: not those after one that is covered or
    /// never reached.
    fn open_nodes(&self) -> Vec<NodeId> {
        let mut order: Vec<NodeId> = vec![0];
        let mut next = 0;
        while let Some(id) = order.get(next) {
            next += 1;
            order.extend(self.after(self.tree.node(*id)));
        }
        order
    }

    fn after<'t>(&self, node: &'t tree::Node) -> &'t [NodeId] {
        if node.is_dead || node.covered_by.is_some() { &[] } else { &node.children }
    }

    fn node(&self, id: NodeId, numbers: &FxHashMap<NodeId, u32>, writer: &mut Writer) -> Option<Node> {
        let node = self.tree.node(id);
        let vertex = &self.product.vertices[node.vertex as usize];
        let place = |variable| self.system.place(variable);
        let label = node.label.iter().map(|condition| writer.write(self.terms, *condition, &place));
        let names = Names::at(self.system, self.terms, vertex.location);
        let shown = node.label.iter().filter_map(|condition| names.condition(self.terms, *condition));
        let edges = self
            .after(node)
            .iter()
            .map(|child| Some(Edge { to: *numbers.get(child)?, threads: threads(self.tree.node(*child)) }));
        Some(Node {
            vertex: vertex.number,
            label: label.collect::<Option<Vec<u32>>>()?,
            covered_by: match node.covered_by.filter(|_| !node.is_dead) {
                Some(by) => Some(*numbers.get(&by)?),
                None => None,
            },
            edges: edges.collect::<Option<Vec<Edge>>>()?,
            apart: node.apart.clone(),
            shown: shown.collect(),
        })
    }

    fn vertex(&self, vertex: &product::Vertex, writer: &mut Writer) -> Option<Vertex> {
        let machine = self.system.machine();
        let state = self.system.state(vertex.location);
        let mut steps = Vec::new();
        for thread in &vertex.movers {
            let Some(known) = self.system.known_steps(vertex.location, *thread) else { continue };
            for edge in known.edges.iter() {
                let own = vertex.moves.iter().find(|step| step.edge.is_part_of(edge));
                let step = own.and_then(|step| Some(Step { thread: *thread, to: step.to? }));
                steps.extend(step.filter(|step| !steps.contains(step)));
            }
        }
        let stands = machine.runnable(state).into_iter();
        let place = |variable| self.system.place(variable);
        let condition = vertex.condition.iter().map(|part| writer.write(self.terms, *part, &place));
        Some(Vertex {
            location: certify::name(self.system.location(vertex.location), machine, self.terms),
            movers: vertex.movers.clone(),
            reason: match vertex.kind {
                Kind::All => Reason::All,
                Kind::Necessary => Reason::Necessary,
                Kind::Fair => Reason::Fair,
                Kind::Commuting => Reason::Commuting,
                Kind::Scheduled => Reason::Scheduled,
            },
            condition: condition.collect::<Option<Vec<u32>>>()?,
            steps,
            shown: stands.map(|thread| format!("{} ({thread})", machine.position(state, thread))).collect(),
        })
    }
}

/// The threads that move on the way to a node.
fn threads(node: &tree::Node) -> Vec<ThreadId> {
    let steps = node.parent.iter().flat_map(|(_, step)| &step.edge.steps);
    let mut threads: Vec<ThreadId> = steps.map(|(thread, _)| *thread).collect();
    threads.dedup();
    threads
}
