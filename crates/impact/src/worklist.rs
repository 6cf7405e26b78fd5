//! The nodes that are still to be visited, and in which order.

use std::collections::BTreeSet;

use crate::tree::{NodeId, Tree};

/// In which order nodes are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Visit {
    /// The last one that was found first.
    #[default]
    Dfs,
    /// Those with the fewest steps first.
    Bfs,
    /// Those with the fewest context switches first.
    Csdr,
}

/// Nodes that are still to be visited.
#[derive(Default)]
pub struct WorkList {
    visit: Visit,
    /// All of them, if the last one comes first.
    stack: Vec<NodeId>,
    /// All of them with their costs, otherwise.
    queue: BTreeSet<(u32, NodeId)>,
}

impl WorkList {
    /// An empty one.
    pub fn new(visit: Visit) -> WorkList {
        WorkList { visit, ..WorkList::default() }
    }

    /// Adds nodes; of these the first one will be the first.
    pub fn extend(&mut self, tree: &Tree, nodes: &[NodeId]) {
        match self.visit {
            Visit::Dfs => self.stack.extend(nodes.iter().rev()),
            Visit::Bfs => self.queue.extend(nodes.iter().map(|node| (tree.node(*node).depth, *node))),
            Visit::Csdr => self.queue.extend(nodes.iter().map(|node| (tree.node(*node).switches, *node))),
        }
    }

    /// The next one.
    pub fn pop(&mut self) -> Option<NodeId> {
        self.stack.pop().or_else(|| self.queue.pop_first().map(|(_, node)| node))
    }
}
