//! Trees as data, so that a search can go on in another process.
//!
//! Nodes are told apart by numbers. Written are those on the paths of jobs and what
//! guided branches lead to; no search comes to others again.

use std::sync::Arc;

use machine::Mover;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{Branch, Branches, Sleep, WakeupNode};
use crate::wakeup::Planned;

/// The nodes of a tree, each at its number.
#[derive(Default, Serialize, Deserialize)]
pub struct SavedTree(Vec<SavedNode>);

#[derive(Serialize, Deserialize)]
struct SavedNode {
    sleep: Sleep,
    stuck: SmallVec<[Mover; 2]>,
    all: Vec<SavedBranch>,
    stepped: bool,
    entered: bool,
    closed: bool,
    coming: usize,
}

#[derive(Serialize, Deserialize)]
struct SavedBranch {
    step: Planned,
    open: bool,
    dead: bool,
    inside: usize,
    /// The number of the next node.
    guided: Option<usize>,
}

/// Nodes that have numbers.
#[derive(Default)]
struct Numbered {
    nodes: Vec<Arc<WakeupNode>>,
    numbers: FxHashMap<*const WakeupNode, usize>,
}

impl Numbered {
    fn number(&mut self, node: &Arc<WakeupNode>) -> usize {
        *self.numbers.entry(Arc::as_ptr(node)).or_insert_with(|| {
            self.nodes.push(Arc::clone(node));
            self.nodes.len() - 1
        })
    }
}

impl SavedTree {
    /// The tree below some paths, and the numbers of the nodes on them. No worker is on the tree.
    pub fn new<'a>(paths: impl Iterator<Item = &'a [Arc<WakeupNode>]>) -> (SavedTree, Vec<Vec<usize>>) {
        let mut numbered = Numbered::default();
        let paths = paths.map(|path| path.iter().map(|node| numbered.number(node)).collect()).collect();
        let mut saved = Vec::new();
        while let Some(node) = numbered.nodes.get(saved.len()).cloned() {
            saved.push(SavedNode::new(&node.lock(), &mut numbered));
        }
        (SavedTree(saved), paths)
    }

    /// The nodes, each at its number; none if a number is one of no node.
    pub fn nodes(self) -> Option<Vec<Arc<WakeupNode>>> {
        let nodes: Vec<Arc<WakeupNode>> = self.0.iter().map(|_| Arc::default()).collect();
        for (node, saved) in nodes.iter().zip(self.0) {
            *node.lock() = saved.resumed(&nodes)?;
        }
        Some(nodes)
    }
}

impl SavedNode {
    fn new(branches: &Branches, numbered: &mut Numbered) -> SavedNode {
        let Branches { ref sleep, ref stuck, ref all, stepped, entered, closed, coming } = *branches;
        let all = all.iter().map(|branch| SavedBranch::new(branch, numbered)).collect();
        SavedNode { sleep: sleep.clone(), stuck: stuck.clone(), all, stepped, entered, closed, coming }
    }

    fn resumed(self, nodes: &[Arc<WakeupNode>]) -> Option<Branches> {
        let SavedNode { sleep, stuck, all, stepped, entered, closed, coming } = self;
        let all = all.into_iter().map(|branch| branch.resumed(nodes)).collect::<Option<_>>()?;
        Some(Branches { sleep, stuck, all, stepped, entered, closed, coming })
    }
}

impl SavedBranch {
    fn new(branch: &Branch, numbered: &mut Numbered) -> SavedBranch {
        let Branch { ref step, open, dead, inside, ref guided } = *branch;
        let guided = guided.as_ref().map(|node| numbered.number(node));
        SavedBranch { step: step.clone(), open, dead, inside, guided }
    }

    fn resumed(self, nodes: &[Arc<WakeupNode>]) -> Option<Branch> {
        let SavedBranch { step, open, dead, inside, guided } = self;
        let guided = guided.map(|number| nodes.get(number).cloned());
        let guided = if let Some(node) = guided { Some(node?) } else { None };
        Some(Branch { step, open, dead, inside, guided })
    }
}
