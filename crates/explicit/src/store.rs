//! The state store: every distinct part of a state (a thread, an object) is
//! kept once, and a state is the list of its parts' numbers, kept as a tree of
//! pairs in which equal subtrees are shared (tree compression after Laarman,
//! van de Pol and Weber; collapse compression in Spin is the flat case).
//!
//! A step changes few parts, so of a new state nearly all subtrees are known:
//! it costs the eight bytes of its root, its slot in the index, and on average
//! a fraction of an inner node.
//!
//! A number with [`LEAF`] set is a part's, one without an inner node's; the
//! tree thus tells itself where it ends. Numbers are given in the order of
//! arrival: with several threads they differ from run to run, and nothing that
//! leaves the engine may depend on them.

use std::cell::OnceCell;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use machine::{Machine, Other, Part, Sort, State};
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use crate::chunked::Chunked;
use crate::effects::{Effect, Surroundings};
use crate::index::{Index, View, mix};
use crate::pairs::Pairs;

/// The number of a stored state.
pub type StateId = u32;

const LEAF: u32 = 1 << 31;

/// Threads come after the addresses and the rest.
const FIRST_THREAD: usize = 2;

/// Numbers of a state's parts.
type Leaves = SmallVec<[u32; 32]>;

/// All states seen so far.
pub struct Store {
    word: u64,
    parts: Parts,
    nodes: Pairs,
    roots: Pairs,
}

/// A state taken out of the store as the numbers of its parts, with what is
/// known of its tree: its successors are put in next and share most of it.
pub struct Loaded {
    leaves: Leaves,
    /// The inner nodes in the order in which [`Store::fold`] makes them.
    nodes: SmallVec<[(u32, u32, u32); 32]>,
    threads: usize,
    /// Made when it is asked for.
    state: OnceCell<State>,
}

impl Loaded {
    /// How many threads there are, ended ones included.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The number of a thread's or an object's part.
    #[inline]
    pub fn part(&self, other: Other) -> Option<u32> {
        self.leaves.get(self.position(other)).copied()
    }

    /// Where a part stands in the order of [`State::parts`].
    #[inline]
    fn position(&self, other: Other) -> usize {
        match other {
            Other::Thread(index) => FIRST_THREAD + index as usize,
            Other::Object(slot) => FIRST_THREAD + self.threads + slot as usize - 1,
        }
    }
}

/// The tree of a state that may not be in the store yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    left: u32,
    right: u32,
}

/// What a worker has seen of the store: it finds that without locks.
pub struct Sight {
    nodes: View,
    roots: View,
    /// Inner nodes that were met lately, by their hash.
    recent: Box<[(u32, u32, u32)]>,
}

/// How many inner nodes are at hand.
const RECENT: usize = 1 << 13;

impl Sight {
    /// Nothing was seen yet.
    pub fn new() -> Sight {
        // There are not so many parts that one had this number.
        let none = (u32::MAX, u32::MAX, 0);
        Sight { nodes: View::new(), roots: View::new(), recent: vec![none; RECENT].into() }
    }
}

impl Loaded {
    /// A state that is in no store.
    pub fn unstored(state: State) -> Loaded {
        let threads = state.thread_ids().count();
        Loaded { leaves: Leaves::new(), nodes: SmallVec::new(), threads, state: OnceCell::from(state) }
    }
}

impl Store {
    /// An empty store for the states of a machine.
    pub fn new(machine: &Machine) -> Store {
        let word = machine.program().pointer_size();
        Store { word, parts: Parts::new(), nodes: Pairs::new(), roots: Pairs::new() }
    }

    /// How many states there are.
    pub fn len(&self) -> u32 {
        self.roots.len()
    }

    /// Whether there is hardly any room left, whatever memory there is.
    pub fn is_full(&self) -> bool {
        let most = Pairs::CAPACITY as u32 - (1 << 20);
        self.roots.len() > most || self.nodes.len() > most || self.parts.is_full()
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.roots.bytes() + self.nodes.bytes() + self.parts.bytes()
    }

    /// The tree of a normal state; `near` is one that it shares parts with.
    pub fn tree(&self, sight: &mut Sight, state: &State, near: Option<&Loaded>) -> Tree {
        self.root(sight, &self.leaves(state, near), near)
    }

    /// The tree of a state in which some parts are changed.
    pub fn changed(&self, sight: &mut Sight, from: &Loaded, changes: &[(Other, u32)]) -> Tree {
        let mut leaves = from.leaves.clone();
        for (other, number) in changes {
            leaves[from.position(*other)] = *number;
        }
        self.root(sight, &leaves, Some(from))
    }

    /// Puts in a state. Yields its number and whether it is new.
    pub fn insert(&self, sight: &mut Sight, tree: Tree) -> (StateId, bool) {
        let known = self.roots.peek(&mut sight.roots, tree.left, tree.right);
        known.map_or_else(|| self.roots.intern(tree.left, tree.right), |id| (id, false))
    }

    /// Looks at where states will be put in: the processor then waits for all
    /// those places at once and not, later, for one after the other.
    pub fn approach(&self, sight: &mut Sight, trees: impl Iterator<Item = Tree>) {
        let touch = |tree: Tree| self.roots.touch(&mut sight.roots, tree.left, tree.right);
        std::hint::black_box(trees.map(touch).fold(0, |a, b| a ^ b));
    }

    /// The number of a state, if it is in the store.
    pub fn find(&self, tree: Tree) -> Option<StateId> {
        self.roots.find(tree.left, tree.right)
    }

    /// Takes out a state.
    pub fn load(&self, id: StateId) -> Loaded {
        let (left, right) = self.roots.get(id);
        let (mut leaves, mut nodes) = (Leaves::new(), SmallVec::new());
        self.unfold(left, &mut leaves, &mut nodes);
        self.unfold(right, &mut leaves, &mut nodes);
        let is_thread = |leaf: &&u32| matches!(self.sort(**leaf), Sort::Thread { .. });
        let threads = leaves[FIRST_THREAD..].iter().take_while(is_thread).count();
        Loaded { leaves, nodes, threads, state: OnceCell::new() }
    }

    /// The state itself.
    pub fn state<'a>(&self, loaded: &'a Loaded) -> &'a State {
        let parts = || loaded.leaves.iter().map(|leaf| self.parts.get(leaf & !LEAF).clone());
        loaded.state.get_or_init(|| State::from_parts(parts(), self.word))
    }

    /// What matters of a state besides single parts.
    pub fn surroundings(&self, loaded: &Loaded) -> Surroundings {
        let (mut alive, mut in_section) = (0, None);
        for (index, leaf) in loaded.leaves[FIRST_THREAD..][..loaded.threads].iter().enumerate() {
            if let Sort::Thread { alive: true, atomic } = self.sort(*leaf) {
                alive += 1;
                in_section = in_section.or(atomic.then_some(index as u32));
            }
        }
        let [addresses, rest] = [loaded.leaves[0], loaded.leaves[1]];
        Surroundings { addresses, rest, alone: alive <= 1, atomic: in_section }
    }

    /// What changed from one state to another of the same shape, among the
    /// given parts.
    pub fn changes(&self, from: &Loaded, to: &State, among: impl Iterator<Item = Other>) -> Effect {
        let leaves = self.leaves(to, Some(from));
        let number = |other| (other, leaves[from.position(other)]);
        among.map(number).filter(|(other, number)| from.part(*other) != Some(*number)).collect()
    }

    fn sort(&self, leaf: u32) -> Sort {
        self.parts.entry(leaf & !LEAF).sort
    }

    fn leaves(&self, state: &State, near: Option<&Loaded>) -> Leaves {
        let number = |(index, part): (usize, Part)| {
            let leaf = near.and_then(|near| near.leaves.get(index)).copied();
            leaf.filter(|leaf| *self.parts.get(leaf & !LEAF) == part)
                .unwrap_or_else(|| self.parts.intern(part) | LEAF)
        };
        state.parts().enumerate().map(number).collect()
    }

    /// The two halves of the tree over the leaves.
    fn root(&self, sight: &mut Sight, leaves: &[u32], near: Option<&Loaded>) -> Tree {
        let known = near.map_or(&[][..], |near| &near.nodes);
        let (left, right) = leaves.split_at(leaves.len().div_ceil(2));
        let mut next = 0;
        let left = self.fold(sight, left, known, &mut next);
        Tree { left, right: self.fold(sight, right, known, &mut next) }
    }

    /// The tree over some leaves, children before parents, left before right.
    /// The tree nearby has its nodes at the same places, so that most need not
    /// be looked up.
    fn fold(&self, sight: &mut Sight, leaves: &[u32], known: &[(u32, u32, u32)], next: &mut usize) -> u32 {
        if let [leaf] = leaves {
            return *leaf;
        }
        let (left, right) = leaves.split_at(leaves.len().div_ceil(2));
        let left = self.fold(sight, left, known, next);
        let right = self.fold(sight, right, known, next);
        let same = known.get(*next).filter(|node| (node.0, node.1) == (left, right));
        *next += 1;
        same.map_or_else(|| self.node(sight, left, right), |node| node.2)
    }

    /// The number of an inner node.
    fn node(&self, sight: &mut Sight, left: u32, right: u32) -> u32 {
        let hash = (left ^ right.rotate_left(16)).wrapping_mul(0x9e37_79b1) >> 19;
        let recent = &mut sight.recent[hash as usize];
        if (recent.0, recent.1) != (left, right) {
            let known = self.nodes.peek(&mut sight.nodes, left, right);
            *recent = (left, right, known.unwrap_or_else(|| self.nodes.intern(left, right).0));
        }
        recent.2
    }

    fn unfold(&self, number: u32, leaves: &mut Leaves, nodes: &mut SmallVec<[(u32, u32, u32); 32]>) {
        if number & LEAF != 0 {
            leaves.push(number);
            return;
        }
        let (left, right) = self.nodes.get(number);
        self.unfold(left, leaves, nodes);
        self.unfold(right, leaves, nodes);
        nodes.push((left, right, number));
    }
}

const PART_BITS: usize = 10;

/// The distinct parts, numbered.
struct Parts {
    parts: Chunked<OnceLock<Entry>, PART_BITS>,
    count: AtomicU32,
    bytes: AtomicU64,
    index: Index,
}

struct Entry {
    hash: u64,
    part: Part,
    sort: Sort,
}

impl Parts {
    fn new() -> Parts {
        Parts {
            parts: Chunked::new(),
            count: AtomicU32::new(0),
            bytes: AtomicU64::new(0),
            index: Index::new(),
        }
    }

    fn is_full(&self) -> bool {
        let capacity = Chunked::<OnceLock<Entry>, PART_BITS>::CAPACITY as u32;
        self.count.load(Ordering::Relaxed) > capacity - (1 << 16)
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed) + self.index.bytes()
    }

    fn entry(&self, number: u32) -> &Entry {
        self.parts.get(number).get().expect("a number is given to a part that is there")
    }

    fn get(&self, number: u32) -> &Part {
        &self.entry(number).part
    }

    fn intern(&self, part: Part) -> u32 {
        let hash = mix(BuildHasherDefault::<FxHasher>::default().hash_one(&part));
        let same = |number| {
            let known = self.entry(number);
            known.hash == hash && known.part == part
        };
        let make = || {
            let number = self.count.fetch_add(1, Ordering::Relaxed);
            self.bytes.fetch_add(part.bytes() as u64 + size_of::<Entry>() as u64, Ordering::Relaxed);
            let fresh = self.parts.get(number).set(Entry { hash, sort: part.sort(), part: part.clone() });
            debug_assert!(fresh.is_ok());
            number
        };
        self.index.insert(hash, same, make, |number| self.entry(number).hash).0
    }
}
