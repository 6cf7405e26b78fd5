//! States on the way to another process.
//!
//! Each process has a store of its own, whose numbers mean nothing elsewhere. A state is
//! sent as the two numbers of its tree in the sender's store. What these numbers mean (a
//! part, or a pair of numbers) is sent once to each receiver, before its first use; the
//! receiver puts it into its own store and remembers under which number it is there. So
//! a state takes about as many bytes on the way as it does in memory.
//!
//! Which process a state belongs to is decided by a hash of its content, which is the
//! same in every process.

use std::io::{Error, ErrorKind, Result};
use std::sync::atomic::Ordering;

use machine::Part;

use crate::index::mix;
use crate::store::{HEAD, JOINED, Store, Tree};
use crate::tree::{EMPTY, LEAF};

/// What is defined.
const PART: u8 = 0;
const PAIR_OF_PARTS: u8 = 1;
const NODE: u8 = 2;
/// A state, and above this a number that the caller gives to it.
const STATE: u8 = 3;

/// A set of numbers that are given one after the other.
#[derive(Default)]
struct Bits(Vec<u64>);

impl Bits {
    /// Puts in a number. Yields whether it is new.
    fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }
}

/// What one other process has been told, and what is to be sent to it next.
#[derive(Default)]
pub struct Outgoing {
    parts: Bits,
    heads: Bits,
    nodes: Bits,
    bytes: Vec<u8>,
}

impl Outgoing {
    /// Adds a state, with a small number that the receiver gets with it.
    pub fn state(&mut self, store: &Store, tree: Tree, beside: u32) {
        self.define(store, tree.left);
        self.define(store, tree.right);
        self.number(u64::from(beside) << 2 | u64::from(STATE));
        self.words(&[tree.left, tree.right]);
    }

    /// What is to be sent.
    pub fn take(&mut self) -> Vec<u8> {
        let capacity = self.bytes.len();
        std::mem::replace(&mut self.bytes, Vec::with_capacity(capacity))
    }

    /// The bytes that it takes to know what the other process knows.
    pub fn bytes(&self) -> u64 {
        8 * (self.parts.0.len() + self.heads.0.len() + self.nodes.0.len()) as u64
    }

    /// Says what a number means, if that was not said before.
    fn define(&mut self, store: &Store, number: u32) {
        match Meaning::of(number) {
            Meaning::Nothing => {}
            Meaning::Part(part) => {
                if self.parts.insert(part) {
                    let bytes = postcard::to_stdvec(store.parts.get(part)).expect("a part has bytes");
                    self.number(u64::from(PART));
                    self.words(&[part, bytes.len() as u32]);
                    self.bytes.extend(bytes);
                }
            }
            Meaning::Head(head) => {
                if self.heads.insert(head) {
                    self.pair(store, PAIR_OF_PARTS, head, store.heads.get(head));
                }
            }
            Meaning::Node(node) => {
                if self.nodes.insert(node) {
                    self.pair(store, NODE, node, store.nodes.get(node));
                }
            }
        }
    }

    fn pair(&mut self, store: &Store, kind: u8, number: u32, (left, right): (u32, u32)) {
        self.define(store, left);
        self.define(store, right);
        self.number(u64::from(kind));
        self.words(&[number, left, right]);
    }

    fn words(&mut self, words: &[u32]) {
        words.iter().for_each(|word| self.bytes.extend(word.to_le_bytes()));
    }

    /// Writes a number in as few bytes as it needs (LEB128).
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}

/// What a number in a tree stands for.
enum Meaning {
    Nothing,
    Part(u32),
    /// A pair of addresses and rest.
    Head(u32),
    Node(u32),
}

impl Meaning {
    fn of(number: u32) -> Meaning {
        match number {
            EMPTY => Meaning::Nothing,
            _ if number & HEAD == HEAD => Meaning::Head(number & !HEAD),
            _ if number & LEAF == LEAF => Meaning::Part(number & !LEAF),
            _ => Meaning::Node(number & !JOINED),
        }
    }
}

/// The numbers in this store of what has another number elsewhere.
#[derive(Default)]
struct Numbers(Vec<u32>);

impl Numbers {
    const UNKNOWN: u32 = u32::MAX;

    fn set(&mut self, theirs: u32, ours: u32) {
        let at = theirs as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, Numbers::UNKNOWN);
        }
        self.0[at] = ours;
    }

    fn get(&self, theirs: u32) -> Result<u32> {
        let ours = self.0.get(theirs as usize).copied().filter(|ours| *ours != Numbers::UNKNOWN);
        ours.ok_or_else(|| Error::new(ErrorKind::InvalidData, "a number was not said before its use"))
    }
}

/// What one other process has told.
#[derive(Default)]
pub struct Incoming {
    parts: Numbers,
    heads: Numbers,
    nodes: Numbers,
}

impl Incoming {
    /// Reads what [`Outgoing`] wrote, and yields each state with the number beside it.
    pub fn read(&mut self, store: &Store, bytes: &[u8], mut state: impl FnMut(Tree, u32)) -> Result<()> {
        let mut input = Input(bytes);
        while !input.0.is_empty() {
            let first = input.number()?;
            match first as u8 & 3 {
                PART => self.part(store, &mut input)?,
                PAIR_OF_PARTS => {
                    let [number, left, right] = input.words()?;
                    let (left, right) = (self.ours(left)?, self.ours(right)?);
                    self.heads.set(number, store.heads.intern(left, right).0);
                }
                NODE => {
                    let [number, left, right] = input.words()?;
                    let (left, right) = (self.ours(left)?, self.ours(right)?);
                    self.nodes.set(number, store.nodes.intern(left, right).0);
                }
                _ => {
                    let [left, right] = input.words()?;
                    let tree = Tree { left: self.ours(left)?, right: self.ours(right)? };
                    state(tree, (first >> 2) as u32);
                }
            }
        }
        Ok(())
    }

    fn part(&mut self, store: &Store, input: &mut Input<'_>) -> Result<()> {
        let [number, len] = input.words()?;
        let damaged = |error| Error::new(ErrorKind::InvalidData, error);
        let part: Part = postcard::from_bytes(input.bytes(len as usize)?).map_err(damaged)?;
        self.parts.set(number, store.parts.intern(part));
        Ok(())
    }

    /// The number here of what has this number there.
    fn ours(&self, theirs: u32) -> Result<u32> {
        Ok(match Meaning::of(theirs) {
            Meaning::Nothing => EMPTY,
            Meaning::Part(part) => self.parts.get(part)? | LEAF,
            Meaning::Head(head) => self.heads.get(head)? | HEAD,
            Meaning::Node(node) => self.nodes.get(node)? | theirs & JOINED,
        })
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        4 * (self.parts.0.len() + self.heads.0.len() + self.nodes.0.len()) as u64
    }
}

/// Bytes that are not read yet.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(ErrorKind::UnexpectedEof)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn words<const N: usize>(&mut self) -> Result<[u32; N]> {
        let bytes = self.bytes(4 * N)?;
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[4 * at + byte]));
        Ok(std::array::from_fn(word))
    }

    fn number(&mut self) -> Result<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.bytes(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
            shift += 7;
        }
    }
}

impl Store {
    /// A hash of the content of a state, which does not depend on numbers.
    pub fn content_hash(&self, tree: Tree) -> u64 {
        joined(self.hash_of(tree.left), self.hash_of(tree.right))
    }

    /// The hash of what a number means. That of an inner node is kept once it was asked for.
    fn hash_of(&self, number: u32) -> u64 {
        match Meaning::of(number) {
            Meaning::Nothing => 1,
            Meaning::Part(part) => self.parts.hash(part),
            Meaning::Head(head) => self.hash_of_pair(self.heads.get(head)),
            Meaning::Node(node) => {
                let kept = self.hashes.get(node);
                match kept.load(Ordering::Relaxed) {
                    0 => {
                        let hash = self.hash_of_pair(self.nodes.get(node));
                        kept.store(hash, Ordering::Relaxed);
                        hash
                    }
                    hash => hash,
                }
            }
        }
    }

    /// The bytes that hashes of contents take.
    pub fn hash_bytes(&self) -> u64 {
        u64::from(self.nodes.len()) * 8
    }

    fn hash_of_pair(&self, (left, right): (u32, u32)) -> u64 {
        joined(self.hash_of(left), self.hash_of(right))
    }
}

/// The hash of a pair, never 0.
fn joined(left: u64, right: u64) -> u64 {
    mix(left.rotate_left(21).wrapping_add(right.wrapping_mul(0x9e37_79b9_7f4a_7c15))) | 1
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::store::Sight;
    use ir::{Operand, testing};
    use machine::{Config, Grain, Machine};

    /// The states of a program of one thread.
    fn states(machine: &Machine) -> Vec<machine::State> {
        let mut state = machine.initial();
        machine.normalise(&mut state);
        let mut states = vec![state.clone()];
        while let Some(thread) = machine.runnable(&state).into_iter().next_back() {
            let step = machine.step(&mut state, thread, 0, Grain::Instruction, &mut ());
            if step.end.is_some() || !step.faults.is_empty() {
                break;
            }
            machine.normalise(&mut state);
            states.push(state.clone());
        }
        states
    }

    fn program() -> Machine {
        let mut program = testing::program();
        let main = testing::add_function(&mut program, "main", &[], &[]);
        let names = ["a", "b", "c", "d", "e"];
        let globals: Vec<_> = names.iter().map(|name| testing::add_global(&mut program, name, 4)).collect();
        let place = |index: usize| Operand::Global(globals[index % globals.len()], 0);
        let store = |index: usize| testing::store(32, place(index), testing::int32(index as i32));
        let code = (1..12).map(store).chain([testing::ret(&[])]).collect();
        testing::set_code(&mut program, main, &[], code);
        Machine::new(Arc::new(program), Config::default())
    }

    #[test]
    fn a_state_is_the_same_elsewhere() {
        let machine = program();
        let (here, there) = (Store::new(&machine), Store::new(&machine));
        let (mut sight, mut far) = (Sight::new(), Sight::new());
        let states = states(&machine);
        assert!(states.len() > 5, "{}", states.len());
        // What is there already has other numbers.
        for state in states.iter().rev() {
            there.tree(&mut far, state, None);
        }
        let (mut outgoing, mut incoming) = (Outgoing::default(), Incoming::default());
        for (beside, state) in states.iter().enumerate() {
            outgoing.state(&here, here.tree(&mut sight, state, None), beside as u32);
        }
        let mut come = Vec::new();
        incoming.read(&there, &outgoing.take(), |tree, beside| come.push((tree, beside))).unwrap();
        assert_eq!(come.len(), states.len());
        for (state, (tree, beside)) in states.iter().zip(come) {
            assert_eq!(tree, there.tree(&mut far, state, None), "{beside}");
            assert_eq!(there.content_hash(tree), here.content_hash(here.tree(&mut sight, state, None)));
        }
    }

    #[test]
    fn what_is_known_is_not_sent_again() {
        let machine = program();
        let store = Store::new(&machine);
        let tree = store.tree(&mut Sight::new(), &states(&machine)[0], None);
        let mut outgoing = Outgoing::default();
        outgoing.state(&store, tree, 3);
        assert!(outgoing.take().len() > 9);
        outgoing.state(&store, tree, 3);
        let again = outgoing.take();
        assert_eq!(again.len(), 9);
        let foreign = Incoming::default().read(&store, &again, |_, _| {});
        assert!(foreign.is_err(), "a number means nothing before it was defined");
        assert!(Incoming::default().read(&store, &again[..5], |_, _| {}).is_err());
    }
}
