//! The abstract reachability tree (Definition 3.1): the product unwound, each node
//! with a label, and the cover relation between them.
//!
//! It is at all times well-labelled (Definition 3.2): a label follows from that of
//! the parent and the step between them, and that of a covered node implies that of
//! the one which covers it.

use std::collections::BTreeSet;

use logic::Term;
use machine::ThreadId;
use rustc_hash::FxHashMap;

use crate::product::{Move, VertexId};

/// The number of a node; older nodes have lower ones.
pub type NodeId = u32;

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its vertex.
    pub vertex: VertexId,
    /// The node before, and the step from there.
    pub parent: Option<(NodeId, Move)>,
    /// The conjuncts of its label.
    pub label: BTreeSet<Term>,
    /// How many steps lead to it.
    pub depth: u32,
    /// How many of them are of another thread than the one before.
    pub switches: u32,
    /// The thread that moved last.
    last: Option<ThreadId>,
    /// The nodes after it.
    pub children: Vec<NodeId>,
    /// Whether its steps were followed.
    pub is_expanded: bool,
    /// The threads that it follows because a node which it covers would have (section IV.C).
    pub extra: Vec<ThreadId>,
    /// The threads that it does not follow by itself, once that was found out.
    pub skipped: Option<Vec<ThreadId>>,
    /// Those of them that are left out because of what its parent's label says (section IV.D).
    pub apart: Vec<ThreadId>,
    /// Whether its label is false: it is never reached.
    pub is_dead: bool,
    /// The node that covers it.
    pub covered_by: Option<NodeId>,
    /// The nodes that it covers.
    covers: Vec<NodeId>,
}

/// The tree.
#[derive(Default)]
pub struct Tree {
    nodes: Vec<Node>,
    at: FxHashMap<VertexId, Vec<NodeId>>,
}

impl Tree {
    /// A new node.
    pub fn add(&mut self, vertex: VertexId, parent: Option<(NodeId, Move)>, label: BTreeSet<Term>) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let (mut depth, mut switches, mut last) = (0, 0, None);
        if let Some((parent, step)) = &parent {
            let parent = &mut self.nodes[*parent as usize];
            parent.children.push(id);
            (depth, switches, last) = (parent.depth + 1, parent.switches, parent.last);
            for (thread, _) in &step.edge.steps {
                switches += u32::from(last.is_some_and(|last| last != *thread));
                last = Some(*thread);
            }
        }
        self.nodes.push(Node {
            vertex,
            parent,
            label,
            depth,
            switches,
            last,
            children: Vec::new(),
            is_expanded: false,
            extra: Vec::new(),
            skipped: None,
            apart: Vec::new(),
            is_dead: false,
            covered_by: None,
            covers: Vec::new(),
        });
        self.at.entry(vertex).or_default().push(id);
        id
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// A node that changes.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// The conjuncts of a node's label.
    pub fn label(&self, id: NodeId) -> Vec<Term> {
        self.nodes[id as usize].label.iter().copied().collect()
    }

    /// A node and those before it, the root last.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let before = |id: &NodeId| self.node(*id).parent.as_ref().map(|(parent, _)| *parent);
        std::iter::successors(Some(id), before).collect()
    }

    /// Whether nothing needs to be explored from a node: it, or one before it, is
    /// covered or never reached.
    pub fn is_closed(&self, id: NodeId) -> bool {
        let closed = |id: NodeId| self.node(id).is_dead || self.node(id).covered_by.is_some();
        self.path(id).into_iter().any(closed)
    }

    /// The older nodes that may cover a node, the youngest first.
    pub fn candidates(&self, id: NodeId) -> Vec<NodeId> {
        let same = &self.at[&self.node(id).vertex];
        let older =
            same.iter().copied().take_while(|other| *other < id).filter(|other| !self.is_closed(*other));
        let mut older: Vec<NodeId> = older.collect();
        older.reverse();
        older
    }

    /// The last node that two nodes have in common on their paths.
    pub fn common(&self, a: NodeId, b: NodeId) -> NodeId {
        let of_a = self.path(a);
        self.path(b).into_iter().find(|node| of_a.contains(node)).expect("they have the root in common")
    }

    /// Covers a node. Yields the nodes that are not covered any more, since what
    /// covered them is now covered itself.
    pub fn cover(&mut self, id: NodeId, by: NodeId) -> Vec<NodeId> {
        self.node_mut(id).covered_by = Some(by);
        self.node_mut(by).covers.push(id);
        self.free(id)
    }

    /// Notes that a node is never reached. Yields the nodes that are not covered any more,
    /// since nothing is explored any further from what covered them.
    pub fn kill(&mut self, id: NodeId) -> Vec<NodeId> {
        self.node_mut(id).is_dead = true;
        self.free(id)
    }

    /// Ends the covers by a node and those below it.
    fn free(&mut self, id: NodeId) -> Vec<NodeId> {
        let mut below = vec![id];
        let mut freed = Vec::new();
        while let Some(next) = below.pop() {
            below.extend(&self.node(next).children);
            let covered = std::mem::take(&mut self.node_mut(next).covers);
            covered.iter().for_each(|node| self.node_mut(*node).covered_by = None);
            freed.extend(covered);
        }
        freed
    }

    /// The nodes that a node covers.
    pub fn covered(&self, id: NodeId) -> Vec<NodeId> {
        self.node(id).covers.clone()
    }

    /// Ends the cover of a node.
    pub fn uncover(&mut self, id: NodeId) {
        if let Some(by) = self.node_mut(id).covered_by.take() {
            self.node_mut(by).covers.retain(|node| *node != id);
        }
    }

    /// The nodes from a node on that were not expanded yet.
    pub fn open_below(&self, id: NodeId) -> Vec<NodeId> {
        let (mut work, mut open) = (vec![id], Vec::new());
        while let Some(next) = work.pop() {
            let node = self.node(next);
            if !node.is_expanded {
                open.push(next);
            }
            work.extend(&node.children);
        }
        open
    }

    /// How many nodes are covered.
    pub fn covers(&self) -> usize {
        self.nodes.iter().filter(|node| node.covered_by.is_some()).count()
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::system::{Edge, Target};

    fn step(to: VertexId) -> Move {
        let (steps, guard, assignments, inputs, replayable) = Default::default();
        let edge = Edge { steps, guard, assignments, inputs, replayable, target: Target::Location(to) };
        Move { edge: Rc::new(edge), to: Some(to) }
    }

    #[test]
    fn what_is_below_a_node_that_is_never_reached_covers_nothing() {
        let mut tree = Tree::default();
        let root = tree.add(0, None, BTreeSet::new());
        let dead = tree.add(1, Some((root, step(1))), BTreeSet::new());
        let below = tree.add(2, Some((dead, step(2))), BTreeSet::new());
        let other = tree.add(2, Some((root, step(2))), BTreeSet::new());
        assert!(tree.cover(other, below).is_empty());
        assert_eq!(tree.kill(dead), [other]);
        assert!(!tree.is_closed(other) && tree.is_closed(below));
    }
}
