//! Lists whose copies share all that they have in common.
//!
//! A [`List`] is a tree of leaves of [`WIDTH`] items, and a tail with the items
//! after the last full leaf (the persistent vector of Bagwell and Hickey). The
//! first leaf stands beside the tree: it has the first threads and the globals,
//! which most steps change. A copy costs three reference counts, and changing an
//! item copies the nodes on the way to it: one leaf for the first and the last
//! items whatever the length, for others the cost grows with its logarithm. A
//! list of up to [`WIDTH`] items is its tail, which is one slice.
//!
//! Two lists that were copied from one another can be compared by looking only
//! at the nodes that they do not share ([`List::differences`]).

use std::ops::{Index, IndexMut};

use triomphe::Arc;
/// How many items a leaf has, and how many children an inner node.
const WIDTH: usize = 32;

/// A list of shared items.
#[derive(Debug)]
pub(crate) struct List<T> {
    /// The first leaf, unless that is the tail.
    head: Option<Leaf<T>>,
    /// The full leaves after it.
    tree: Option<Node<T>>,
    /// How many levels of inner nodes the tree has.
    height: u32,
    /// What comes after them: at least one item, unless the list is empty, and
    /// no more than a leaf has.
    tail: Leaf<T>,
    len: usize,
}

type Leaf<T> = Arc<[Arc<T>]>;

#[derive(Debug)]
enum Node<T> {
    Leaf(Leaf<T>),
    Inner(Arc<[Node<T>]>),
}

// Items need not be cloned for this.
impl<T> Clone for List<T> {
    fn clone(&self) -> List<T> {
        let (head, tree, tail) = (self.head.clone(), self.tree.clone(), Arc::clone(&self.tail));
        List { head, tree, height: self.height, tail, len: self.len }
    }
}

impl<T> Clone for Node<T> {
    fn clone(&self) -> Node<T> {
        match self {
            Node::Leaf(items) => Node::Leaf(Arc::clone(items)),
            Node::Inner(children) => Node::Inner(Arc::clone(children)),
        }
    }
}

impl<T> Default for List<T> {
    fn default() -> List<T> {
        List { head: None, tree: None, height: 0, tail: Leaf::from_iter([]), len: 0 }
    }
}

impl<T> List<T> {
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The position of the tail's first item.
    #[inline]
    fn tail_start(&self) -> usize {
        self.len - self.tail.len()
    }

    #[inline]
    pub fn get(&self, index: usize) -> Option<&Arc<T>> {
        match index.checked_sub(self.tail_start()) {
            Some(index) => self.tail.get(index),
            None => match &self.head {
                Some(head) if index < WIDTH => Some(&head[index]),
                _ => Some(self.in_tree(index - WIDTH)),
            },
        }
    }

    /// The item at a position of the tree.
    fn in_tree(&self, index: usize) -> &Arc<T> {
        let mut node = self.tree.as_ref().expect("what is in no other leaf is in the tree");
        let mut height = self.height;
        loop {
            match node {
                Node::Leaf(items) => return &items[index % WIDTH],
                Node::Inner(children) => node = &children[child(index, height)],
            }
            height -= 1;
        }
    }

    pub fn push(&mut self, item: Arc<T>) {
        if self.tail.len() == WIDTH {
            let leaf = std::mem::replace(&mut self.tail, Leaf::from_iter([item]));
            self.add_leaf(leaf);
        } else {
            self.tail = self.tail.iter().cloned().chain([item]).collect();
        }
        self.len += 1;
    }

    /// Puts an item at a position, which may be the one after the last.
    pub fn put(&mut self, index: usize, item: Arc<T>) {
        match index == self.len {
            true => self.push(item),
            false => self[index] = item,
        }
    }

    /// Puts a full leaf after the others. The tail is not counted here: `len` is
    /// the number of items in the head, the tree and this leaf.
    fn add_leaf(&mut self, leaf: Leaf<T>) {
        if self.head.is_none() {
            self.head = Some(leaf);
            return;
        }
        let Some(tree) = self.tree.take() else {
            self.tree = Some(Node::Leaf(leaf));
            return;
        };
        let first = self.len - 2 * WIDTH;
        if first == WIDTH << (self.height * WIDTH.ilog2()) {
            // The tree is full: it becomes the first child of a new one.
            let new = spine(leaf, self.height);
            self.tree = Some(Node::Inner([tree, new].into_iter().collect()));
            self.height += 1;
        } else {
            self.tree = Some(tree.with_leaf(leaf, first, self.height));
        }
    }

    /// Drops all items from a position on.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        // The last item is always in the tail, so that a list of given length
        // has one shape.
        let start = if len == 0 { 0 } else { (len - 1) / WIDTH * WIDTH };
        let tail = (start..len).map(|index| Arc::clone(&self[index])).collect();
        if start < self.tail_start() {
            self.truncate_tree(start.saturating_sub(WIDTH));
            self.head.take_if(|_| start == 0);
        }
        (self.tail, self.len) = (tail, len);
    }

    /// Drops the leaves of the tree after so many items.
    fn truncate_tree(&mut self, items: usize) {
        self.tree = self.tree.take().filter(|_| items > 0).map(|tree| tree.truncated(items, self.height));
        while let Some(Node::Inner(children)) = &self.tree
            && children.len() == 1
        {
            self.tree = Some(children[0].clone());
            self.height -= 1;
        }
        if self.tree.is_none() {
            self.height = 0;
        }
    }

    /// The full leaves before the tail.
    fn leaves(&self) -> impl Iterator<Item = &Leaf<T>> {
        let mut pending: Vec<&Node<T>> = self.tree.iter().collect();
        let in_tree = std::iter::from_fn(move || {
            loop {
                match pending.pop()? {
                    Node::Leaf(items) => return Some(items),
                    Node::Inner(children) => pending.extend(children.iter().rev()),
                }
            }
        });
        self.head.iter().chain(in_tree)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<T>> {
        self.leaves().chain([&self.tail]).flat_map(|leaf| leaf.iter())
    }

    /// Calls `f` with every item.
    pub fn each_mut(&mut self, mut f: impl FnMut(&mut Arc<T>)) {
        (0..self.len).for_each(|index| f(&mut self[index]));
    }

    /// Calls `f` with the positions at which two lists do not share an item,
    /// ascending, as far as the shorter one goes. Looks at no node that they
    /// share.
    pub fn differences(&self, other: &List<T>, mut f: impl FnMut(usize)) {
        let shorter = self.len.min(other.len);
        let has = |list: &List<T>| (list.head.is_some(), list.tree.is_some(), list.height);
        if has(self) == has(other) {
            if let (Some(mine), Some(theirs)) = (&self.head, &other.head)
                && !Arc::ptr_eq(mine, theirs)
            {
                self.compare(other, 0..WIDTH, &mut f);
            }
            if let (Some(mine), Some(theirs)) = (&self.tree, &other.tree) {
                mine.differences(theirs, WIDTH, self.height, &mut f);
            }
            // Where one has a leaf in its tree, the other may have its tail.
            let from = self.tail_start().min(other.tail_start());
            if from == self.tail_start() && from == other.tail_start() && Arc::ptr_eq(&self.tail, &other.tail)
            {
                return;
            }
            self.compare(other, from..shorter, &mut f);
        } else {
            self.compare(other, 0..shorter, &mut f);
        }
    }

    fn compare(&self, other: &List<T>, range: std::ops::Range<usize>, f: &mut impl FnMut(usize)) {
        range.filter(|index| !Arc::ptr_eq(&self[*index], &other[*index])).for_each(f);
    }
}

/// The items of a node, for changing them: copies, if other lists have them, too.
#[inline]
fn own<T: Clone>(items: &mut Arc<[T]>) -> &mut [T] {
    if !items.is_unique() {
        *items = items.iter().cloned().collect();
    }
    Arc::get_mut(items).expect("no other list has them")
}

/// Which child of a node at this height leads to an item.
#[inline]
fn child(index: usize, height: u32) -> usize {
    index >> (height * WIDTH.ilog2()) & (WIDTH - 1)
}

/// A tree of one leaf.
fn spine<T>(leaf: Leaf<T>, height: u32) -> Node<T> {
    match height {
        0 => Node::Leaf(leaf),
        _ => Node::Inner(Arc::from_iter([spine(leaf, height - 1)])),
    }
}

impl<T> Node<T> {
    /// The same with another leaf after the last; there is room for it.
    fn with_leaf(self, leaf: Leaf<T>, first: usize, height: u32) -> Node<T> {
        let Node::Inner(children) = self else { unreachable!("a leaf has no room for another") };
        let at = child(first, height);
        let kept = children.iter().take(at).cloned();
        let last = match children.get(at) {
            Some(last) => last.clone().with_leaf(leaf, first, height - 1),
            None => spine(leaf, height - 1),
        };
        Node::Inner(kept.chain([last]).collect())
    }

    /// The same without the leaves after so many items: at least one is left.
    fn truncated(&self, items: usize, height: u32) -> Node<T> {
        let Node::Inner(children) = self else { return self.clone() };
        let last = child(items - 1, height);
        let kept = children.iter().take(last).cloned();
        let each = WIDTH << ((height - 1) * WIDTH.ilog2());
        let cut = children[last].truncated(items - last * each, height - 1);
        Node::Inner(kept.chain([cut]).collect())
    }

    /// The same for the common leaves of two trees of one height, whose first
    /// item has this position.
    fn differences(&self, other: &Node<T>, first: usize, height: u32, f: &mut impl FnMut(usize)) {
        match (self, other) {
            (Node::Leaf(mine), Node::Leaf(theirs)) if !Arc::ptr_eq(mine, theirs) => {
                let differ = |(_, (a, b)): &(usize, (&Arc<T>, &Arc<T>))| !Arc::ptr_eq(a, b);
                let items = mine.iter().zip(theirs.iter()).enumerate();
                items.filter(differ).for_each(|(at, _)| f(first + at));
            }
            (Node::Inner(mine), Node::Inner(theirs)) if !Arc::ptr_eq(mine, theirs) => {
                for (at, (mine, theirs)) in mine.iter().zip(theirs.iter()).enumerate() {
                    mine.differences(theirs, first + (at << (height * WIDTH.ilog2())), height - 1, f);
                }
            }
            _ => {}
        }
    }

    fn in_tree_mut(&mut self, index: usize, height: u32) -> &mut Arc<T> {
        match self {
            Node::Leaf(items) => &mut own(items)[index % WIDTH],
            Node::Inner(children) => own(children)[child(index, height)].in_tree_mut(index, height - 1),
        }
    }
}

impl<T> Index<usize> for List<T> {
    type Output = Arc<T>;

    #[inline]
    fn index(&self, index: usize) -> &Arc<T> {
        self.get(index).expect("the list has an item there")
    }
}

impl<T> IndexMut<usize> for List<T> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut Arc<T> {
        let start = self.tail_start();
        match index.checked_sub(start) {
            Some(index) => &mut own(&mut self.tail)[index],
            None => match &mut self.head {
                Some(head) if index < WIDTH => &mut own(head)[index],
                _ => self.tree.as_mut().expect("a tree").in_tree_mut(index - WIDTH, self.height),
            },
        }
    }
}

impl<T> FromIterator<Arc<T>> for List<T> {
    fn from_iter<I: IntoIterator<Item = Arc<T>>>(items: I) -> List<T> {
        let mut list = List::default();
        let mut items = items.into_iter().peekable();
        while items.peek().is_some() {
            let next = items.by_ref().take(WIDTH).collect();
            let leaf = std::mem::replace(&mut list.tail, next);
            if list.len > 0 {
                list.add_leaf(leaf);
            }
            list.len += list.tail.len();
        }
        list
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a Arc<T>;
    type IntoIter = Box<dyn Iterator<Item = &'a Arc<T>> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths at which a list's shape changes, and their neighbours.
    const LENGTHS: [usize; 18] =
        [0, 1, 31, 32, 33, 63, 64, 65, 96, 97, 1023, 1024, 1056, 1057, 1088, 1089, 2048, 33_000];

    fn list(len: usize) -> List<usize> {
        (0..len).map(Arc::new).collect()
    }

    fn differences(a: &List<usize>, b: &List<usize>) -> Vec<usize> {
        let mut positions = Vec::new();
        a.differences(b, |index| positions.push(index));
        positions
    }

    #[test]
    fn a_list_has_what_was_put_in() {
        for len in LENGTHS {
            let mut pushed = List::default();
            (0..len).for_each(|item| pushed.push(Arc::new(item)));
            for list in [list(len), pushed] {
                assert_eq!(list.len(), len);
                assert!(list.iter().map(|item| **item).eq(0..len));
                assert!((0..len).all(|index| *list[index] == index));
                assert!(list.get(len).is_none());
            }
        }
    }

    #[test]
    fn a_change_is_not_seen_by_copies() {
        for len in LENGTHS.into_iter().filter(|len| *len > 0) {
            let old = list(len);
            for index in [0, len / 2, len - 1] {
                let mut new = old.clone();
                new[index] = Arc::new(7_000_000);
                assert_eq!((*old[index], *new[index]), (index, 7_000_000));
                assert_eq!(differences(&old, &new), [index]);
            }
        }
    }

    #[test]
    fn lists_of_different_lengths_are_compared_as_far_as_they_go() {
        for len in LENGTHS {
            let old = list(len);
            let mut new = old.clone();
            (0..70).for_each(|item| new.push(Arc::new(item)));
            assert_eq!(differences(&old, &new), []);
            assert_eq!(differences(&new, &old), []);
        }
    }

    #[test]
    fn what_is_dropped_can_be_put_in_again() {
        for len in LENGTHS {
            for keep in LENGTHS.into_iter().filter(|keep| *keep <= len) {
                let old = list(len);
                let mut new = old.clone();
                new.truncate(keep);
                assert!(new.iter().map(|item| **item).eq(0..keep));
                assert_eq!(differences(&old, &new), []);
                (keep..len).for_each(|item| new.push(Arc::new(item)));
                assert!(new.iter().map(|item| **item).eq(0..len));
                assert_eq!(differences(&old, &new), (keep..len).collect::<Vec<_>>());
            }
        }
    }
}
