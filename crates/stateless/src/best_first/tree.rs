//! The execution tree (GAMBIT, section 3.2): executions that are still to be
//! run, each as what it does differently from another.
//!
//! An execution is its parent's up to one step, takes another thread or data
//! choice there, and behaves by default after it. An execution that was not run
//! yet is one [`Delta`] in its parent's list and one [`Open`] in the fringe: 20
//! bytes. One that was run is a node; it goes when nothing below it is left to
//! be run, and takes its list with it. Until then the list also says what was
//! run already, so that nothing is added twice.

use machine::ThreadId;

/// A departure from the default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Delta {
    /// At which step; the highest bits say whether it was taken and how much it
    /// was asked for.
    step: u32,
    thread: u32,
    choice: u32,
}

const TAKEN: u32 = 1 << 31;
const ASKED: u32 = 3 << 29;
const STEP: u32 = !(TAKEN | ASKED);

impl Delta {
    /// Takes this thread and data choice at a step; `None` if a number is too
    /// large to be kept.
    pub fn new(step: usize, thread: ThreadId, choice: u64) -> Option<Delta> {
        let step = u32::try_from(step).ok().filter(|step| step & !STEP == 0)?;
        Some(Delta { step, thread: thread.0, choice: choice.try_into().ok()? })
    }

    /// At which step.
    pub fn step(self) -> usize {
        (self.step & STEP) as usize
    }

    /// The thread that moves.
    pub fn thread(self) -> ThreadId {
        ThreadId(self.thread)
    }

    /// The data choice it takes.
    pub fn choice(self) -> u64 {
        u64::from(self.choice)
    }

    /// As three numbers.
    pub fn to_words(self) -> [u32; 3] {
        [self.step & STEP, self.thread, self.choice]
    }

    /// From three numbers.
    pub fn from_words([step, thread, choice]: [u32; 3]) -> Delta {
        Delta { step, thread, choice }
    }

    fn is_taken(self) -> bool {
        self.step & TAKEN != 0
    }

    fn same(self, other: Delta) -> bool {
        (self.step(), self.thread, self.choice) == (other.step(), other.thread, other.choice)
    }
}

/// An execution that was run.
pub type NodeId = u32;

/// An execution to be run: an element of a node's list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Open {
    /// The node.
    pub node: NodeId,
    /// Which of its list.
    pub index: u32,
}

/// An execution that was run, or is being run.
struct ExecutionNode {
    parent: Option<NodeId>,
    delta: Option<Delta>,
    /// Of the list, how many are to be run or have something below them to run;
    /// and one more while it is being run itself.
    alive: u32,
    list: Vec<Delta>,
}

impl ExecutionNode {
    /// The share of what is below that was run: itself, and those of its list
    /// that have nothing left.
    fn share_done(&self) -> f64 {
        let all = self.list.len() as u32 + 1;
        f64::from(all.saturating_sub(self.alive)) / f64::from(all)
    }
}

/// The tree.
#[derive(Default)]
pub struct Tree {
    nodes: Vec<ExecutionNode>,
    free: Vec<NodeId>,
    lists: usize,
}

impl Tree {
    /// Begins to run the default execution.
    pub fn root(&mut self) -> NodeId {
        self.add(ExecutionNode { parent: None, delta: None, alive: 1, list: Vec::new() })
    }

    /// Begins to run an execution; `None` if that was done already.
    pub fn take(&mut self, open: Open) -> Option<NodeId> {
        let node = self.nodes.get_mut(open.node as usize).filter(|node| node.alive > 0)?;
        let delta = node.list.get_mut(open.index as usize).filter(|delta| !delta.is_taken())?;
        delta.step |= TAKEN;
        let delta = Some(*delta);
        Some(self.add(ExecutionNode { parent: Some(open.node), delta, alive: 1, list: Vec::new() }))
    }

    fn add(&mut self, node: ExecutionNode) -> NodeId {
        match self.free.pop() {
            Some(id) => {
                self.nodes[id as usize] = node;
                id
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as NodeId - 1
            }
        }
    }

    /// The departures from the default on the way to an execution.
    pub fn path(&self, node: NodeId) -> Vec<(NodeId, Delta)> {
        let mut path: Vec<(NodeId, Delta)> =
            self.ancestors(node).filter_map(|id| Some((id, self.nodes[id as usize].delta?))).collect();
        path.reverse();
        path
    }

    /// Forgets an execution to be run; yields its path, unless it was run.
    pub fn remove(&mut self, open: Open) -> Option<Vec<Delta>> {
        let node = self.take(open)?;
        let path =
            self.path(node).into_iter().map(|(_, delta)| Delta::from_words(delta.to_words())).collect();
        self.finish(node);
        Some(path)
    }

    /// Remembers an execution to be run, by its path.
    pub fn restore(&mut self, path: &[Delta]) -> Option<Open> {
        let (last, before) = path.split_last()?;
        let mut node = self.add(ExecutionNode { parent: None, delta: None, alive: 0, list: Vec::new() });
        for delta in before {
            self.nodes[node as usize].alive += 1;
            node = self.add(ExecutionNode {
                parent: Some(node),
                delta: Some(*delta),
                alive: 0,
                list: Vec::new(),
            });
        }
        Some(self.extend(node, *last, false).0)
    }

    /// The execution at the root.
    pub fn root_of(&self, node: NodeId) -> NodeId {
        self.ancestors(node).last().unwrap_or(node)
    }

    fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |id| self.nodes[*id as usize].parent)
    }

    /// Adds an execution to be run, unless the node has it. It is in the list
    /// at the index that is returned either way.
    pub fn extend(&mut self, node: NodeId, delta: Delta, known: bool) -> (Open, bool) {
        let list = &mut self.nodes[node as usize].list;
        let found = if known { list.iter().position(|other| other.same(delta)) } else { None };
        if let Some(index) = found {
            return (Open { node, index: index as u32 }, false);
        }
        list.push(delta);
        let index = list.len() as u32 - 1;
        self.nodes[node as usize].alive += 1;
        self.lists += 1;
        (Open { node, index }, true)
    }

    /// Whether the node has this execution in its list.
    pub fn has(&self, node: NodeId, delta: Delta) -> bool {
        self.nodes[node as usize].list.iter().any(|other| other.same(delta))
    }

    /// Notes how much an execution is asked for (0 to 3). Whether it is still to
    /// be run and was not asked for that much before.
    pub fn ask(&mut self, open: Open, much: u32) -> bool {
        let delta = &mut self.nodes[open.node as usize].list[open.index as usize];
        let more = much << 29 > delta.step & ASKED;
        if more {
            delta.step = delta.step & !ASKED | much << 29;
        }
        more && !delta.is_taken()
    }

    /// An execution was run, and all that it led to was added.
    pub fn finish(&mut self, node: NodeId) {
        let mut next = Some(node);
        while let Some(id) = next {
            let node = &mut self.nodes[id as usize];
            node.alive -= 1;
            if node.alive > 0 {
                break;
            }
            self.lists -= node.list.len();
            node.list = Vec::new();
            next = node.parent;
            self.free.push(id);
        }
    }

    /// The part of all executions that was run, if all that is below a node is
    /// shared equally by it and what is in its list (Knuth's estimate of the
    /// size of a tree, for all that is known of it).
    pub fn done(&self) -> f64 {
        if self.is_empty() {
            return 1.0;
        }
        let mut masses = vec![None; self.nodes.len()];
        let live = (0..self.nodes.len()).filter(|id| self.nodes[*id].alive > 0);
        live.map(|id| self.mass(id, &mut masses) * self.nodes[id].share_done()).sum()
    }

    /// The part of all executions that is below a node.
    fn mass(&self, id: usize, masses: &mut [Option<f64>]) -> f64 {
        let mut above = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at.filter(|id| masses[*id].is_none()) {
            above.push(id);
            at = self.nodes[id].parent.map(|parent| parent as usize);
        }
        for id in above.into_iter().rev() {
            let parent = self.nodes[id].parent.map(|parent| parent as usize);
            let share = |parent: usize| {
                masses[parent].expect("parents come first") / (self.nodes[parent].list.len() + 1) as f64
            };
            masses[id] = Some(parent.map_or(1.0, share));
        }
        masses[id].expect("it was set")
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let nodes = self.nodes.len() - self.free.len();
        (nodes * size_of::<ExecutionNode>() + self.lists * size_of::<Delta>()) as u64
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delta(step: usize) -> Delta {
        Delta::new(step, ThreadId(1), 0).unwrap()
    }

    #[test]
    fn an_execution_to_be_run_takes_20_bytes() {
        assert_eq!(size_of::<Delta>() + size_of::<Open>(), 20);
    }

    #[test]
    fn nodes_go_when_nothing_below_them_is_left() {
        let mut tree = Tree::default();
        let root = tree.root();
        let (first, _) = tree.extend(root, delta(3), false);
        let (second, _) = tree.extend(root, delta(5), false);
        tree.finish(root);
        let child = tree.take(first).unwrap();
        let (grandchild, _) = tree.extend(child, delta(7), false);
        tree.finish(child);
        assert_eq!(tree.path(child), [(child, Delta { step: 3 | TAKEN, ..delta(3) })]);
        let last = tree.take(grandchild).unwrap();
        tree.finish(last);
        assert!(!tree.is_empty(), "{} bytes", tree.bytes());
        let last = tree.take(second).unwrap();
        tree.finish(last);
        assert!(tree.is_empty());
        assert_eq!(tree.bytes(), 0);
    }

    #[test]
    fn nothing_is_run_twice() {
        let mut tree = Tree::default();
        let root = tree.root();
        let (open, new) = tree.extend(root, delta(3), true);
        assert!(new);
        assert_eq!(tree.extend(root, delta(3), true), (open, false));
        assert!(tree.take(open).is_some());
        assert_eq!(tree.extend(root, delta(3), true), (open, false));
        assert!(tree.take(open).is_none());
    }

    #[test]
    fn what_was_forgotten_can_be_remembered() {
        let mut tree = Tree::default();
        let root = tree.root();
        let (open, _) = tree.extend(root, delta(3), false);
        tree.finish(root);
        let child = tree.take(open).unwrap();
        let (open, _) = tree.extend(child, delta(5), false);
        tree.finish(child);
        let path = tree.remove(open).unwrap();
        assert_eq!(path, [delta(3), delta(5)]);
        assert!(tree.is_empty());
        let open = tree.restore(&path).unwrap();
        let node = tree.take(open).unwrap();
        let restored: Vec<(usize, ThreadId)> =
            tree.path(node).iter().map(|(_, delta)| (delta.step(), delta.thread())).collect();
        assert_eq!(restored, [(3, ThreadId(1)), (5, ThreadId(1))]);
        tree.finish(node);
        assert!(tree.is_empty());
    }

    #[test]
    fn the_part_that_was_run_is_known() {
        let mut tree = Tree::default();
        let root = tree.root();
        let opens: Vec<Open> = (0..3).map(|step| tree.extend(root, delta(step), false).0).collect();
        tree.finish(root);
        assert_eq!(tree.done(), 0.25);
        let node = tree.take(opens[0]).unwrap();
        let (below, _) = tree.extend(node, delta(5), false);
        tree.finish(node);
        assert_eq!(tree.done(), 0.375);
        let node = tree.take(below).unwrap();
        tree.finish(node);
        assert_eq!(tree.done(), 0.5);
        for open in &opens[1..] {
            let node = tree.take(*open).unwrap();
            tree.finish(node);
        }
        assert_eq!(tree.done(), 1.0);
    }
}
