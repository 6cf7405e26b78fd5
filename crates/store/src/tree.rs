//! Lists of numbers as trees of pairs, in which equal subtrees are shared.
//!
//! The left half of a tree is full: it has the largest power of two of the
//! leaves that leaves some for the right half. A list that grows or shrinks at
//! its end thus keeps nearly all of its subtrees, and so does one in which
//! single numbers change. Changing a list, finding one of its numbers, and
//! finding out where two lists differ cost the logarithm of their length for
//! each number that is looked at.

use smallvec::SmallVec;

use crate::pairs::Pairs;

/// Set in the number of a leaf, which stands for itself; an inner node's number
/// is that of a pair.
pub const LEAF: u32 = 1 << 31;

/// The tree of the empty list. No leaf has this number.
pub const EMPTY: u32 = u32::MAX;

/// A list of leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaves {
    /// The number of the root.
    pub root: u32,
    len: usize,
}

impl Leaves {
    /// The empty list.
    pub const NONE: Leaves = Leaves { root: EMPTY, len: 0 };

    /// The list with this root.
    pub fn of(nodes: &Pairs, root: u32) -> Leaves {
        Leaves { root, len: if root == EMPTY { 0 } else { len(nodes, root) } }
    }

    /// How many leaves it has.
    pub fn len(self) -> usize {
        self.len
    }

    /// The two halves of a list; none if it has at most one leaf.
    pub fn halves(self, nodes: &Pairs) -> Option<[Leaves; 2]> {
        (self.len > 1).then(|| self.cut_in_two(nodes))
    }

    fn cut_in_two(self, nodes: &Pairs) -> [Leaves; 2] {
        let (left, right) = nodes.get(self.root);
        let middle = middle(self.len);
        [Leaves { root: left, len: middle }, Leaves { root: right, len: self.len - middle }]
    }

    /// What stands in the place of both halves of a list of another length.
    fn cut(mut self, nodes: &Pairs, len: usize) -> [Leaves; 2] {
        let wanted = middle(len);
        while self.len > 1 && middle(self.len) > wanted {
            [self, _] = self.cut_in_two(nodes);
        }
        if self.len <= wanted { [self, Leaves::NONE] } else { self.cut_in_two(nodes) }
    }

    /// The leaf at a position.
    pub fn get(mut self, nodes: &Pairs, mut index: usize) -> Option<u32> {
        if index >= self.len {
            return None;
        }
        while self.len > 1 {
            let [left, right] = self.cut_in_two(nodes);
            self = match index.checked_sub(left.len) {
                Some(rest) => {
                    index = rest;
                    right
                }
                None => left,
            };
        }
        Some(self.root)
    }

    /// Calls `f` with all leaves in order.
    pub fn each(self, nodes: &Pairs, f: &mut impl FnMut(u32)) {
        match self.len {
            0 => {}
            1 => f(self.root),
            _ => self.cut_in_two(nodes).into_iter().for_each(|half| half.each(nodes, f)),
        }
    }

    /// Calls `f` with the positions and the leaves, ascending, that an older
    /// list does not have there. `first` is the position of the first leaf.
    pub fn differences(self, nodes: &Pairs, old: Leaves, first: usize, f: &mut impl FnMut(usize, u32)) {
        match self.len {
            _ if self == old => {}
            0 => {}
            1 if old.len > 0 && old.get(nodes, 0) == Some(self.root) => {}
            1 => f(first, self.root),
            _ => {
                let [left, right] = self.cut_in_two(nodes);
                let [old_left, old_right] = old.cut(nodes, self.len);
                left.differences(nodes, old_left, first, f);
                right.differences(nodes, old_right, first + left.len, f);
            }
        }
    }

    /// The list of this length that has some leaves at given positions
    /// (ascending) and otherwise those of an older list. `node` makes inner
    /// nodes.
    pub fn put(
        nodes: &Pairs,
        old: Leaves,
        len: usize,
        changes: &[(usize, u32)],
        node: &mut impl FnMut(u32, u32) -> u32,
    ) -> Leaves {
        let root = if len == 0 { EMPTY } else { put(nodes, old, (0, len), changes, node) };
        Leaves { root, len }
    }
}

/// A list of leaves whose root is no pair of its own. The left half has as many
/// as that of a tree has; the right half is empty if there is one leaf at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Halves {
    /// The first leaves.
    pub left: Leaves,
    /// The others.
    pub right: Leaves,
}

impl Halves {
    /// The empty list.
    pub const NONE: Halves = Halves { left: Leaves::NONE, right: Leaves::NONE };

    /// How many leaves it has.
    pub fn len(self) -> usize {
        self.left.len + self.right.len
    }

    /// The leaf at a position.
    pub fn get(self, nodes: &Pairs, index: usize) -> Option<u32> {
        match index.checked_sub(self.left.len) {
            Some(rest) => self.right.get(nodes, rest),
            None => self.left.get(nodes, index),
        }
    }

    /// Calls `f` with all leaves in order.
    pub fn each(self, nodes: &Pairs, f: &mut impl FnMut(u32)) {
        self.left.each(nodes, f);
        self.right.each(nodes, f);
    }

    /// The same as [`Leaves::differences`].
    pub fn differences(self, nodes: &Pairs, old: Halves, f: &mut impl FnMut(usize, u32)) {
        let [left, right] = old.cut(nodes, self.len());
        self.left.differences(nodes, left, 0, f);
        self.right.differences(nodes, right, self.left.len, f);
    }

    /// The same as [`Leaves::put`].
    pub fn put(
        nodes: &Pairs,
        old: Halves,
        len: usize,
        changes: &[(usize, u32)],
        node: &mut impl FnMut(u32, u32) -> u32,
    ) -> Halves {
        if changes.is_empty() && old.len() == len {
            return old;
        }
        let middle = if len < 2 { len } else { middle(len) };
        let [left, right] = if old.len() == len { [old.left, old.right] } else { old.cut(nodes, len) };
        let (first, last) = changes.split_at(changes.partition_point(|(at, _)| *at < middle));
        let mut half = |old, first, len, changes: &[(usize, u32)]| match len {
            0 => Leaves::NONE,
            _ => Leaves { root: put(nodes, old, (first, len), changes, node), len },
        };
        Halves { left: half(left, 0, middle, first), right: half(right, middle, len - middle, last) }
    }

    /// What stands in the place of both halves of a list of another length.
    fn cut(self, nodes: &Pairs, len: usize) -> [Leaves; 2] {
        let wanted = if len < 2 { len } else { middle(len) };
        match self.left.len {
            left if left == wanted => [self.left, self.right],
            left if left > wanted => self.left.cut(nodes, len.max(2)),
            _ => [self.whole(nodes), Leaves::NONE],
        }
    }

    fn whole(self, nodes: &Pairs) -> Leaves {
        match self.right.len {
            0 => self.left,
            _ => Leaves { root: nodes.intern(self.left.root, self.right.root).0, len: self.len() },
        }
    }
}

fn put(
    nodes: &Pairs,
    old: Leaves,
    (first, len): (usize, usize),
    changes: &[(usize, u32)],
    node: &mut impl FnMut(u32, u32) -> u32,
) -> u32 {
    match changes {
        [] if old.len == len => return old.root,
        [(at, leaf)] if old.len == len => return put_one(nodes, old, at - first, *leaf, node),
        _ => {}
    }
    if len == 1 {
        let change = changes.first().map(|(_, leaf)| *leaf);
        return change.or_else(|| old.get(nodes, 0)).expect("every leaf is an old or a new one");
    }
    let middle = middle(len);
    let [old_left, old_right] = old.cut(nodes, len);
    let (left, right) = changes.split_at(changes.partition_point(|(at, _)| *at < first + middle));
    let left = put(nodes, old_left, (first, middle), left, node);
    let right = put(nodes, old_right, (first + middle, len - middle), right, node);
    node(left, right)
}

/// The same tree with another leaf at a position. Most steps change one thread, and one object at
/// most.
fn put_one(
    nodes: &Pairs,
    mut old: Leaves,
    mut at: usize,
    leaf: u32,
    node: &mut impl FnMut(u32, u32) -> u32,
) -> u32 {
    let mut beside: SmallVec<[(u32, bool); 32]> = SmallVec::new();
    while old.len > 1 {
        let [left, right] = old.cut_in_two(nodes);
        let goes_right = at >= left.len;
        if goes_right {
            at -= left.len;
        }
        beside.push(if goes_right { (left.root, true) } else { (right.root, false) });
        old = if goes_right { right } else { left };
    }
    let above = |below, (beside, is_right): (u32, bool)| {
        if is_right { node(beside, below) } else { node(below, beside) }
    };
    beside.iter().rev().copied().fold(leaf, above)
}

/// How many leaves the left half of a tree of at least two has.
fn middle(len: usize) -> usize {
    1 << (len - 1).ilog2()
}

/// How many leaves a tree has. The left halves are full.
fn len(nodes: &Pairs, root: u32) -> usize {
    let (mut all, mut at) = (0, root);
    while at & LEAF == 0 {
        let (left, right) = nodes.get(at);
        let (mut full, mut down) = (1, left);
        while down & LEAF == 0 {
            (full, down) = (full * 2, nodes.get(down).0);
        }
        (all, at) = (all + full, right);
    }
    all + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(nodes: &Pairs, numbers: &[u32]) -> Leaves {
        change(nodes, Leaves::NONE, numbers)
    }

    /// The list of these numbers, made from another one.
    fn change(nodes: &Pairs, old: Leaves, numbers: &[u32]) -> Leaves {
        let before = all(nodes, old);
        let changes = numbers.iter().map(|n| n | LEAF).enumerate();
        let changes: Vec<_> = changes.filter(|(at, leaf)| before.get(*at) != Some(leaf)).collect();
        Leaves::put(nodes, old, numbers.len(), &changes, &mut |left, right| nodes.intern(left, right).0)
    }

    fn all(nodes: &Pairs, list: Leaves) -> Vec<u32> {
        let mut leaves = Vec::new();
        list.each(nodes, &mut |leaf| leaves.push(leaf));
        leaves
    }

    #[test]
    fn a_list_has_one_tree_however_it_came_about() {
        let nodes = Pairs::new();
        for (old, new) in (0..40).flat_map(|old| (0..40).map(move |new| (old, new))) {
            let old_numbers: Vec<u32> = (0..old).collect();
            let new_numbers: Vec<u32> = (0..new).map(|n| if n % 7 == 3 { n + 100 } else { n }).collect();
            let (old, fresh) = (list(&nodes, &old_numbers), list(&nodes, &new_numbers));
            assert_eq!(change(&nodes, old, &new_numbers), fresh);
            assert_eq!(Leaves::of(&nodes, fresh.root), fresh);
            let expected: Vec<u32> = new_numbers.iter().map(|n| n | LEAF).collect();
            assert_eq!(all(&nodes, fresh), expected);
            assert!((0..50).all(|at| fresh.get(&nodes, at) == expected.get(at).copied()));
            let mut different = Vec::new();
            fresh.differences(&nodes, old, 0, &mut |at, leaf| different.push((at, leaf)));
            let before = all(&nodes, old);
            check_halves(&nodes, &before, &expected);
            let changed = expected.iter().copied().enumerate();
            let changed: Vec<_> = changed.filter(|(at, leaf)| before.get(*at) != Some(leaf)).collect();
            assert_eq!(different, changed);
        }
    }

    /// The same lists without roots.
    fn check_halves(nodes: &Pairs, old: &[u32], new: &[u32]) {
        let put = |before: Halves, before_leaves: &[u32], leaves: &[u32]| {
            let changes = leaves.iter().copied().enumerate();
            let changes: Vec<_> = changes.filter(|(at, leaf)| before_leaves.get(*at) != Some(leaf)).collect();
            Halves::put(nodes, before, leaves.len(), &changes, &mut |left, right| nodes.intern(left, right).0)
        };
        let (before, fresh) = (put(Halves::NONE, &[], old), put(Halves::NONE, &[], new));
        assert_eq!(put(before, old, new), fresh);
        let mut leaves = Vec::new();
        fresh.each(nodes, &mut |leaf| leaves.push(leaf));
        assert_eq!(leaves, new);
        assert!((0..new.len() + 2).all(|at| fresh.get(nodes, at) == new.get(at).copied()));
        let mut patched = old.to_vec();
        patched.resize(new.len(), 0);
        fresh.differences(nodes, before, &mut |at, leaf| {
            assert_ne!(patched[at], leaf);
            patched[at] = leaf;
        });
        assert_eq!(patched, new);
    }

    #[test]
    fn a_long_list_that_changes_little_needs_few_new_nodes() {
        let nodes = Pairs::new();
        let mut numbers: Vec<u32> = (0..10_000).collect();
        let long = list(&nodes, &numbers);
        let before = nodes.len();
        numbers[5_000] = 20_000;
        numbers.push(30_000);
        change(&nodes, long, &numbers);
        assert!(nodes.len() - before < 40, "{}", nodes.len() - before);
    }
}
