//! The state store: every distinct part of a state (a thread, an object) is
//! kept once, and a state is the list of its parts' numbers, kept as a tree of
//! pairs in which equal subtrees are shared (tree compression after Laarman,
//! van de Pol and Weber; collapse compression in Spin is the flat case).
//!
//! A step changes few parts, so of a new state nearly all subtrees are known:
//! it costs the eight bytes of its root, its slot in the index, and on average
//! a fraction of an inner node.
//!
//! A state is two lists ([`crate::tree`]): the threads, before which stands what
//! belongs to none of them, and the objects. Its root is a pair of the two halves
//! of the list of threads, of which one is joined with the objects. Were it the
//! pair of both lists, nearly every state would need a new node for its threads.
//! Taking out a state, and putting in one
//! that a step led to, cost what it differs by from a state that is at hand, and
//! not all that there is.
//!
//! Numbers are given in the order of arrival: with several threads they differ
//! from run to run, and nothing that leaves the engine may depend on them.

use std::cell::OnceCell;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use machine::{Machine, Other, Part, Sort, State};
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use crate::chunked::Chunked;
use crate::index::{Index, View, mix};
use crate::pairs::Pairs;
use crate::spill::Spill;
use crate::tree::{Halves, LEAF, Leaves};

/// The number of a stored state.
pub type StateId = u32;

/// Numbers of some parts.
type Numbers = SmallVec<[u32; 32]>;

/// Set in the number of a pair of addresses and rest, where it stands among
/// those of parts. There are fewer parts.
pub(crate) const HEAD: u32 = LEAF | 1 << 30;

/// Set in the number of an inner node that joins threads with the objects. There
/// are fewer nodes.
pub(crate) const JOINED: u32 = 1 << 30;

/// A state with more objects than this is not taken apart to the last.
const MANY_OBJECTS: usize = 64;

/// A state with more threads than this is made from another one.
const MANY_THREADS: usize = 64;

/// All states seen so far.
pub struct Store {
    word: u64,
    pub(crate) parts: Parts,
    pub(crate) nodes: Pairs,
    pub(crate) roots: Pairs,
    /// Addresses and rests.
    pub(crate) heads: Pairs,
    /// Hashes of the content of inner nodes, 0 where they were not asked for.
    pub(crate) hashes: Chunked<AtomicU64, 16>,
    /// The large state that was asked for last: the next one is made from it.
    last: Mutex<Option<(Lists, State)>>,
}

/// New numbers by position.
type Changes = SmallVec<[(usize, u32); 8]>;

/// The parts of a state, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Lists {
    addresses: u32,
    rest: u32,
    /// After the number of the addresses and the rest, which change seldom.
    threads: Halves,
    objects: Leaves,
    /// The tree of all this.
    tree: Tree,
}

impl Lists {
    const NONE: Lists = Lists {
        addresses: 0,
        rest: 0,
        threads: Halves::NONE,
        objects: Leaves::NONE,
        tree: Tree { left: 0, right: 0 },
    };

    /// Whether the objects are joined with the left half of the threads. It is
    /// the half that has fewer threads of which one moves now and then: what
    /// comes first in the list and the first thread do so seldom.
    fn joins_left(threads: Halves) -> bool {
        threads.right.len() + 2 > threads.left.len()
    }
}

/// A state taken out of the store, with what is known of its tree: its
/// successors are put in next and share most of it.
pub struct Loaded {
    lists: Lists,
    /// How many threads there are, ended ones included.
    thread_count: usize,
    /// The numbers of the threads, after what stands before them in their list, unless
    /// there are many.
    threads: Numbers,
    /// The numbers of the objects, unless there are many.
    objects: Numbers,
    /// Made when it is asked for, which is seldom: without it there is less to move about.
    state: OnceCell<Box<State>>,
}

impl Loaded {
    /// How many threads there are, ended ones included.
    pub fn threads(&self) -> usize {
        self.thread_count
    }

    /// The numbers of the objects' parts; none if there are too many of them.
    pub fn object_numbers(&self) -> Option<&[u32]> {
        (self.objects.len() == self.lists.objects.len()).then_some(&self.objects)
    }

    /// The numbers of the parts that belong to no thread and no object: the
    /// addresses and the rest.
    pub fn other_numbers(&self) -> (u32, u32) {
        (self.lists.addresses, self.lists.rest)
    }
}

/// The tree of a state that may not be in the store yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tree {
    pub(crate) left: u32,
    pub(crate) right: u32,
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

impl Default for Sight {
    fn default() -> Sight {
        Sight::new()
    }
}

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
        let (thread_count, _) = state.shape();
        let state = OnceCell::from(Box::new(state));
        Loaded { lists: Lists::NONE, thread_count, threads: Numbers::new(), objects: Numbers::new(), state }
    }
}

impl Store {
    /// An empty store for the states of a machine.
    pub fn new(machine: &Machine) -> Store {
        let word = machine.program().pointer_size();
        Store {
            word,
            parts: Parts::new(),
            nodes: Pairs::new(),
            roots: Pairs::new(),
            heads: Pairs::new(),
            hashes: Chunked::new(),
            last: Mutex::new(None),
        }
    }

    /// The same, empty, with its tables in files, if there are any. Parts stay in memory.
    pub fn spilled(self, spill: Option<&Arc<Spill>>) -> Store {
        Store {
            nodes: self.nodes.spilled(spill),
            roots: self.roots.spilled(spill),
            heads: self.heads.spilled(spill),
            hashes: self.hashes.spilled(spill),
            ..self
        }
    }

    /// How many states there are.
    pub fn states(&self) -> u32 {
        self.roots.len()
    }

    /// Whether there is hardly any room left, whatever memory there is.
    pub fn is_full(&self) -> bool {
        let most = Pairs::CAPACITY as u32 - (1 << 20);
        self.roots.len() > most || self.nodes.len() > most || self.parts.is_full()
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.roots.bytes() + self.nodes.bytes() + self.heads.bytes() + self.parts.bytes()
    }

    /// The tree of a normal state; `near` is one that it shares parts with.
    pub fn tree(&self, sight: &mut Sight, state: &State, near: Option<&Loaded>) -> Tree {
        // One that is in no store has no numbers.
        let near = near.filter(|near| near.lists != Lists::NONE);
        let near = near.and_then(|near| Some((near, &**near.state.get()?)));
        let lists = near.map(|(near, _)| near.lists);
        let old = |other| self.part(near?.0, other);
        let (mut threads, mut objects) = (Changes::new(), Changes::new());
        let (mut addresses, mut rest) = (0, 0);
        state.parts_unlike(near.map(|(_, state)| state), |part, index| match part.sort() {
            Sort::Addresses => addresses = self.number(part, lists.map(|lists| lists.addresses)),
            Sort::Rest => rest = self.number(part, lists.map(|lists| lists.rest)),
            Sort::Thread { .. } => {
                threads.push((index + 1, self.number(part, old(Other::Thread(index as u32)))))
            }
            Sort::Object { .. } => {
                objects.push((index, self.number(part, old(Other::Object(index as u32 + 1)))))
            }
        });
        if lists.is_none_or(|old| (old.addresses, old.rest) != (addresses, rest)) {
            threads.insert(0, (0, self.heads.intern(addresses, rest).0 | HEAD));
        }
        let (thread_count, object_count) = state.shape();
        let shape = (thread_count + 1, object_count);
        self.put(sight, lists.unwrap_or(Lists::NONE), shape, &threads, &objects)
    }

    /// The tree of a state in which some parts are changed.
    pub fn changed(&self, sight: &mut Sight, from: &Loaded, changes: &[(Other, u32)]) -> Tree {
        let (mut threads, mut objects) = (Changes::new(), Changes::new());
        for (other, number) in changes {
            match *other {
                Other::Thread(index) => threads.push((index as usize + 1, *number)),
                Other::Object(slot) => objects.push((slot as usize - 1, *number)),
            }
        }
        threads.sort_unstable();
        objects.sort_unstable();
        let shape = (from.lists.threads.len(), from.lists.objects.len());
        self.put(sight, from.lists, shape, &threads, &objects)
    }

    /// The tree of lists of these lengths with some changes.
    fn put(
        &self,
        sight: &mut Sight,
        old: Lists,
        (thread_count, object_count): (usize, usize),
        threads: &[(usize, u32)],
        objects: &[(usize, u32)],
    ) -> Tree {
        let mut node = |left, right| self.node(sight, left, right);
        let threads = Halves::put(&self.nodes, old.threads, thread_count, threads, &mut node);
        let objects = Leaves::put(&self.nodes, old.objects, object_count, objects, &mut node);
        let (left, right) = (threads.left.root, threads.right.root);
        let joined_left = Lists::joins_left(threads);
        let same_shape = joined_left == Lists::joins_left(old.threads) && objects == old.objects;
        match joined_left {
            true if same_shape && threads.left == old.threads.left => Tree { left: old.tree.left, right },
            false if same_shape && threads.right == old.threads.right => Tree { left, right: old.tree.right },
            true => Tree { left: node(left, objects.root) | JOINED, right },
            false => Tree { left, right: node(right, objects.root) | JOINED },
        }
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

    /// The tree of a state.
    pub fn tree_of(&self, id: StateId) -> Tree {
        let (left, right) = self.roots.get(id);
        Tree { left, right }
    }

    /// Takes out a state.
    pub fn load(&self, id: StateId) -> Loaded {
        self.unpack(self.tree_of(id))
    }

    /// The state with a tree.
    pub fn unpack(&self, tree: Tree) -> Loaded {
        let lists = self.lists(tree);
        let thread_count = lists.threads.len() - 1;
        let few_threads = if thread_count > MANY_THREADS { Halves::NONE } else { lists.threads };
        let few_objects = if lists.objects.len() > MANY_OBJECTS { Leaves::NONE } else { lists.objects };
        let (threads, objects) = (Numbers::new(), Numbers::new());
        let mut loaded = Loaded { lists, thread_count, threads, objects, state: OnceCell::new() };
        few_threads.each(&self.nodes, &mut |leaf| loaded.threads.push(leaf));
        few_objects.each(&self.nodes, &mut |leaf| loaded.objects.push(leaf));
        loaded
    }

    fn lists(&self, tree: Tree) -> Lists {
        let apart = |number: u32| self.nodes.get(number & !JOINED);
        let (left, (right, objects)) = match tree.left & (LEAF | JOINED) == JOINED {
            true => {
                let (left, objects) = apart(tree.left);
                (left, (tree.right, objects))
            }
            false => (tree.left, apart(tree.right)),
        };
        let leaves = |root| Leaves::of(&self.nodes, root);
        let threads = Halves { left: leaves(left), right: leaves(right) };
        let head = threads.left.get(&self.nodes, 0).expect("there are addresses");
        let (addresses, rest) = self.heads.get(head & !HEAD);
        Lists { addresses, rest, threads, objects: leaves(objects), tree }
    }

    /// The lists of threads and objects of a state. Before the threads stands
    /// something else, which [`Store::get`] has no part for.
    pub(crate) fn lists_of(&self, tree: Tree) -> (Halves, Leaves) {
        let Lists { threads, objects, .. } = self.lists(tree);
        (threads, objects)
    }

    pub(crate) fn nodes(&self) -> &Pairs {
        &self.nodes
    }

    /// The part with a number.
    pub fn get(&self, leaf: u32) -> &Part {
        self.part_of(leaf).expect("the number of a part")
    }

    /// The part with a number, if it is one's.
    pub(crate) fn part_of(&self, leaf: u32) -> Option<&Part> {
        (leaf & HEAD != HEAD).then(|| self.parts.get(leaf & !LEAF))
    }

    /// The number of a thread's or an object's part.
    #[inline]
    pub fn part(&self, loaded: &Loaded, other: Other) -> Option<u32> {
        match other {
            Other::Thread(index) if loaded.threads.is_empty() => {
                loaded.lists.threads.get(&self.nodes, index as usize + 1)
            }
            Other::Thread(index) => loaded.threads.get(index as usize + 1).copied(),
            Other::Object(slot) if loaded.objects.is_empty() => {
                loaded.lists.objects.get(&self.nodes, slot as usize - 1)
            }
            Other::Object(slot) => loaded.objects.get(slot as usize - 1).copied(),
        }
    }

    /// The state itself.
    pub fn state<'a>(&self, loaded: &'a Loaded) -> &'a State {
        let large = loaded.objects.is_empty() || loaded.threads.is_empty();
        let make = || if large { self.large_state(loaded) } else { self.small_state(loaded) };
        loaded.state.get_or_init(|| Box::new(make()))
    }

    fn small_state(&self, loaded: &Loaded) -> State {
        let Lists { addresses, rest, .. } = loaded.lists;
        let leaves = [addresses, rest].into_iter().chain(loaded.threads[1..].iter().copied());
        let parts =
            leaves.chain(loaded.objects.iter().copied()).map(|leaf| self.parts.get(leaf & !LEAF).clone());
        State::from_parts(parts, self.word)
    }

    /// A state that is made from the last one, where they differ.
    fn large_state(&self, loaded: &Loaded) -> State {
        let lists = loaded.lists;
        // What was there stays there if this thread does not get through.
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (old, before) =
            last.unwrap_or_else(|| (Lists::NONE, State::from_parts(std::iter::empty(), self.word)));
        let mut parts = Vec::new();
        let part = |leaf: u32| self.parts.get(leaf & !LEAF).clone();
        parts.extend([(0, part(lists.addresses)), (0, part(lists.rest))]);
        lists.threads.differences(&self.nodes, old.threads, &mut |at, leaf| {
            if at > 0 {
                parts.push((at - 1, part(leaf)));
            }
        });
        let objects = &mut |at, leaf| parts.push((at, part(leaf)));
        lists.objects.differences(&self.nodes, old.objects, 0, objects);
        let state = before.with_parts((lists.threads.len() - 1, lists.objects.len()), parts);
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((lists, state.clone()));
        state
    }

    /// What the part with a number is of.
    pub fn sort(&self, leaf: u32) -> Sort {
        self.parts.entry(leaf & !LEAF).sort
    }

    /// The number of a part that is perhaps the same as one with a number.
    pub fn number(&self, part: Part, near: Option<u32>) -> u32 {
        near.filter(|leaf| *self.parts.get(leaf & !LEAF) == part).unwrap_or_else(|| self.intern(part))
    }

    fn intern(&self, part: Part) -> u32 {
        self.parts.intern(part) | LEAF
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
}

const PART_BITS: usize = 10;

/// The distinct parts, numbered.
pub(crate) struct Parts {
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

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
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

    pub fn get(&self, number: u32) -> &Part {
        &self.entry(number).part
    }

    /// A hash of a part's content.
    pub fn hash(&self, number: u32) -> u64 {
        self.entry(number).hash
    }

    pub fn intern(&self, part: Part) -> u32 {
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
