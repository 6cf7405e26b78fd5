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

use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use machine::{Machine, Part, State};
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use crate::chunked::Chunked;
use crate::index::{Index, mix};
use crate::pairs::Pairs;

/// The number of a stored state.
pub type StateId = u32;

const LEAF: u32 = 1 << 31;

/// Numbers of a state's parts.
type Leaves = SmallVec<[u32; 32]>;

/// All states seen so far.
pub struct Store {
    word: u64,
    parts: Parts,
    nodes: Pairs,
    roots: Pairs,
}

/// A state taken out of the store, with what is known of its tree: its
/// successors are put in next and share most of it.
pub struct Loaded {
    /// The state.
    pub state: State,
    parts: Vec<Part>,
    leaves: Leaves,
    /// The inner nodes in the order in which [`Store::fold`] makes them.
    nodes: SmallVec<[(u32, u32, u32); 32]>,
}

impl Loaded {
    /// A state that is in no store.
    pub fn unstored(state: State) -> Loaded {
        Loaded { state, parts: Vec::new(), leaves: Leaves::new(), nodes: SmallVec::new() }
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

    /// Puts in a normal state; `near` is one that it shares parts with. Yields
    /// its number and whether it is new.
    pub fn insert(&self, state: &State, near: Option<&Loaded>) -> (StateId, bool) {
        let leaves = self.leaves(state, near);
        let (left, right) = self.root(&leaves, near);
        self.roots.intern(left, right)
    }

    /// The number of a normal state, if it is in the store. (Parts and inner
    /// nodes are put in, which does no harm.)
    pub fn find(&self, state: &State, near: Option<&Loaded>) -> Option<StateId> {
        let leaves = self.leaves(state, near);
        let (left, right) = self.root(&leaves, near);
        self.roots.find(left, right)
    }

    /// Takes out a state.
    pub fn load(&self, id: StateId) -> Loaded {
        let (left, right) = self.roots.get(id);
        let (mut leaves, mut nodes) = (Leaves::new(), SmallVec::new());
        self.unfold(left, &mut leaves, &mut nodes);
        self.unfold(right, &mut leaves, &mut nodes);
        let parts: Vec<Part> = leaves.iter().map(|leaf| self.parts.get(leaf & !LEAF).clone()).collect();
        let state = State::from_parts(parts.iter().cloned(), self.word);
        Loaded { state, parts, leaves, nodes }
    }

    fn leaves(&self, state: &State, near: Option<&Loaded>) -> Leaves {
        let number = |(index, part): (usize, Part)| {
            let same = near.and_then(|near| near.parts.get(index)).is_some_and(|known| *known == part);
            if same { near.expect("there is one").leaves[index] } else { self.parts.intern(part) | LEAF }
        };
        state.parts().enumerate().map(number).collect()
    }

    /// The two halves of the tree over the leaves.
    fn root(&self, leaves: &[u32], near: Option<&Loaded>) -> (u32, u32) {
        let known = near.map_or(&[][..], |near| &near.nodes);
        let (left, right) = leaves.split_at(leaves.len().div_ceil(2));
        let mut next = 0;
        let left = self.fold(left, known, &mut next);
        (left, self.fold(right, known, &mut next))
    }

    /// The tree over some leaves, children before parents, left before right.
    /// The tree nearby has its nodes at the same places, so that most need not
    /// be looked up.
    fn fold(&self, leaves: &[u32], known: &[(u32, u32, u32)], next: &mut usize) -> u32 {
        if let [leaf] = leaves {
            return *leaf;
        }
        let (left, right) = leaves.split_at(leaves.len().div_ceil(2));
        let (left, right) = (self.fold(left, known, next), self.fold(right, known, next));
        let same = known.get(*next).filter(|node| (node.0, node.1) == (left, right));
        *next += 1;
        same.map_or_else(|| self.nodes.intern(left, right).0, |node| node.2)
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
    parts: Chunked<OnceLock<(u64, Part)>, PART_BITS>,
    count: AtomicU32,
    bytes: AtomicU64,
    index: Index,
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
        let capacity = Chunked::<OnceLock<(u64, Part)>, PART_BITS>::CAPACITY as u32;
        self.count.load(Ordering::Relaxed) > capacity - (1 << 16)
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed) + self.index.bytes()
    }

    fn entry(&self, number: u32) -> &(u64, Part) {
        self.parts.get(number).get().expect("a number is given to a part that is there")
    }

    fn get(&self, number: u32) -> &Part {
        &self.entry(number).1
    }

    fn intern(&self, part: Part) -> u32 {
        let hash = mix(BuildHasherDefault::<FxHasher>::default().hash_one(&part));
        let same = |number| {
            let known = self.entry(number);
            known.0 == hash && known.1 == part
        };
        let make = || {
            let number = self.count.fetch_add(1, Ordering::Relaxed);
            self.bytes.fetch_add(part.bytes() as u64 + size_of::<(u64, Part)>() as u64, Ordering::Relaxed);
            let fresh = self.parts.get(number).set((hash, part.clone()));
            debug_assert!(fresh.is_ok());
            number
        };
        self.index.find_or_insert(hash, same, make, |number| self.entry(number).0).0
    }
}
