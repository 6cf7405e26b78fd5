//! The calls of a thread. Every step copies the thread that moves, compares it with what it
//! was and hashes it. None of that must cost what the stack is deep: only the innermost
//! calls are listed in the thread itself. Those below them are in blocks that copies share,
//! and each block knows the hash of all calls up to its own.
//!
//! Blocks have the same calls wherever they are: those at depths from a multiple of
//! [`BLOCK`] on. So two stacks that were copied from one another can be compared by looking
//! at the calls above the innermost block that they share ([`Frames::common`]).

use std::hash::{Hash, Hasher};
use std::ops::{Index, IndexMut};
use std::sync::OnceLock;

use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use triomphe::Arc;

use crate::state::thread::Frame;

/// The most calls that are listed in the thread itself.
const MOST: usize = 32;

/// How many of them go below at once, and how many come back.
const BLOCK: usize = MOST / 2;

/// Calls in progress, the innermost one last.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Arc<Frame>>", into = "Vec<Arc<Frame>>")]
pub(crate) struct Frames {
    /// The outer calls, where there are many.
    below: Option<Arc<Block>>,
    /// The inner ones: at least one, unless there is none at all.
    top: SmallVec<[Arc<Frame>; 2]>,
}

/// Calls that follow each other, and those below them.
#[derive(Debug)]
struct Block {
    frames: SmallVec<[Arc<Frame>; BLOCK]>,
    below: Option<Arc<Block>>,
    /// How many calls there are, those below included.
    len: usize,
    /// Their hash, once it was asked for.
    hash: OnceLock<u64>,
    /// The bytes that they take.
    bytes: usize,
}

/// What a copy is made for is to change it.
impl Clone for Block {
    fn clone(&self) -> Block {
        Block::new(self.frames.clone(), self.below.clone())
    }
}

impl Drop for Block {
    /// Deep stacks must not be dropped by recursion.
    fn drop(&mut self) {
        let mut below = self.below.take();
        while let Some(mut block) = below.and_then(|block| Arc::try_unwrap(block).ok()) {
            below = block.below.take();
        }
    }
}

impl Block {
    fn new(frames: SmallVec<[Arc<Frame>; BLOCK]>, below: Option<Arc<Block>>) -> Block {
        let (len, bytes) = below.as_ref().map_or((0, 0), |below| (below.len, below.bytes));
        let own = frames.iter().map(|frame| bytes_of(frame)).sum::<usize>();
        Block { len: len + frames.len(), bytes: bytes + own, frames, below, hash: OnceLock::new() }
    }

    /// The depth of its outermost call.
    fn start(&self) -> usize {
        self.len - self.frames.len()
    }

    fn hash(&self) -> u64 {
        // Not by recursion: the stack may be deep.
        let unknown: Vec<&Block> = blocks(self).take_while(|block| block.hash.get().is_none()).collect();
        for block in unknown.into_iter().rev() {
            let below = block.below.as_ref().and_then(|below| below.hash.get()).copied().unwrap_or_default();
            let hash = block.frames.iter().fold(below, hashed);
            // Another thread may have found it out meanwhile.
            let _ = block.hash.set(hash);
        }
        *self.hash.get().expect("it was found out")
    }
}

/// A block and those below it.
fn blocks(first: &Block) -> impl Iterator<Item = &Block> {
    std::iter::successors(Some(first), |block| block.below.as_deref())
}

/// The hash of some calls and one more.
fn hashed(below: u64, frame: &Arc<Frame>) -> u64 {
    let mut hasher = FxHasher::default();
    (below, frame.function, frame.pc, frame.progress).hash(&mut hasher);
    frame.regs.hash(&mut hasher);
    hasher.finish()
}

fn bytes_of(frame: &Frame) -> usize {
    size_of_val(frame) + size_of_val(&*frame.regs)
}

impl Frames {
    fn outer(&self) -> usize {
        self.below.as_ref().map_or(0, |below| below.len)
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.below.as_deref().into_iter().flat_map(blocks)
    }

    pub fn len(&self) -> usize {
        self.outer() + self.top.len()
    }

    pub fn is_empty(&self) -> bool {
        self.top.is_empty()
    }

    #[inline]
    pub fn last(&self) -> Option<&Arc<Frame>> {
        self.top.last()
    }

    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut Arc<Frame>> {
        self.top.last_mut()
    }

    pub fn first(&self) -> Option<&Arc<Frame>> {
        self.get(0)
    }

    pub fn get(&self, depth: usize) -> Option<&Arc<Frame>> {
        match depth.checked_sub(self.outer()) {
            Some(depth) => self.top.get(depth),
            None => {
                let block = self.blocks().find(|block| block.start() <= depth)?;
                block.frames.get(depth - block.start())
            }
        }
    }

    pub fn push(&mut self, frame: Arc<Frame>) {
        if self.top.len() == MOST {
            let block = Block::new(self.top.drain(..BLOCK).collect(), self.below.take());
            self.below = Some(Arc::new(block));
        }
        self.top.push(frame);
    }

    pub fn pop(&mut self) -> Option<Arc<Frame>> {
        let frame = self.top.pop()?;
        if self.top.is_empty()
            && let Some(block) = self.below.take()
        {
            self.top.extend(block.frames.iter().cloned());
            self.below = block.below.clone();
        }
        Some(frame)
    }

    pub fn clear(&mut self) {
        *self = Frames::default();
    }

    /// All calls, the outermost first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Frame>> {
        self.beyond(0)
    }

    /// All calls, the innermost first.
    pub fn outwards(&self) -> impl Iterator<Item = &Arc<Frame>> {
        self.top.iter().rev().chain(self.blocks().flat_map(|block| block.frames.iter().rev()))
    }

    /// The calls from a depth on at which a block begins.
    pub fn beyond(&self, depth: usize) -> impl Iterator<Item = &Arc<Frame>> {
        let blocks = self.blocks().take_while(|block| block.start() >= depth);
        let mut slices: SmallVec<[&[Arc<Frame>]; 4]> = blocks.map(|block| &*block.frames).collect();
        slices.reverse();
        slices.push(&self.top[depth.saturating_sub(self.outer()).min(self.top.len())..]);
        slices.into_iter().flatten()
    }

    /// A depth up to which two stacks share all calls; more above it may be the same.
    pub fn common(&self, other: &Frames) -> usize {
        let (mut mine, mut theirs) = (self.below.as_ref(), other.below.as_ref());
        loop {
            match (mine, theirs) {
                (Some(a), Some(b)) if Arc::ptr_eq(a, b) => return a.len,
                (Some(a), Some(b)) => {
                    let (a_len, b_len) = (a.len, b.len);
                    if a_len >= b_len {
                        mine = a.below.as_ref();
                    }
                    if b_len >= a_len {
                        theirs = b.below.as_ref();
                    }
                }
                _ => return 0,
            }
        }
    }

    /// Whether two stacks have the same calls, where some are compared by their content.
    pub fn same(&self, other: &Frames, same: impl Fn(&Frame, &Frame) -> bool) -> bool {
        let same = |(a, b): (&Arc<Frame>, &Arc<Frame>)| Arc::ptr_eq(a, b) || same(a, b);
        let common = self.common(other);
        self.len() == other.len() && self.beyond(common).zip(other.beyond(common)).all(same)
    }

    /// A hash of all calls, whatever block they are in.
    pub fn hash(&self) -> u64 {
        let below = self.below.as_ref().map_or(0, |below| below.hash());
        self.top.iter().fold(below, hashed)
    }

    /// The bytes that they take, those that copies share included.
    pub fn bytes(&self) -> usize {
        let below = self.below.as_ref().map_or(0, |below| below.bytes);
        below + self.top.iter().map(|frame| bytes_of(frame)).sum::<usize>()
    }

    /// Calls `f` with every call, the outermost first. Blocks in which it changes nothing
    /// stay shared.
    pub fn each_mut(&mut self, mut f: impl FnMut(&mut Arc<Frame>)) {
        let mut old: Vec<Arc<Block>> = Vec::new();
        while let Some(block) = old.last().map_or(&self.below, |last| &last.below).clone() {
            old.push(block);
        }
        let mut below: Option<Arc<Block>> = None;
        for block in old.into_iter().rev() {
            let mut frames = block.frames.clone();
            frames.iter_mut().for_each(&mut f);
            let kept = frames.iter().zip(&block.frames).all(|(new, old)| Arc::ptr_eq(new, old));
            let same_below = match (&below, &block.below) {
                (Some(new), Some(old)) => Arc::ptr_eq(new, old),
                (new, old) => new.is_none() && old.is_none(),
            };
            let new = if kept && same_below { block } else { Arc::new(Block::new(frames, below)) };
            below = Some(new);
        }
        self.below = below;
        self.top.iter_mut().for_each(f);
    }
}

impl From<Frames> for Vec<Arc<Frame>> {
    fn from(frames: Frames) -> Vec<Arc<Frame>> {
        frames.iter().cloned().collect()
    }
}

impl From<Vec<Arc<Frame>>> for Frames {
    fn from(all: Vec<Arc<Frame>>) -> Frames {
        let mut frames = Frames::default();
        all.into_iter().for_each(|frame| frames.push(frame));
        frames
    }
}

impl Index<usize> for Frames {
    type Output = Arc<Frame>;

    fn index(&self, depth: usize) -> &Arc<Frame> {
        self.get(depth).expect("there is a call at this depth")
    }
}

impl IndexMut<usize> for Frames {
    fn index_mut(&mut self, depth: usize) -> &mut Arc<Frame> {
        let outer = self.outer();
        if let Some(depth) = depth.checked_sub(outer) {
            return &mut self.top[depth];
        }
        let mut block = Arc::make_mut(self.below.as_mut().expect("an outer call is in a block"));
        loop {
            // What it and those above it have found out holds no more.
            block.hash = OnceLock::new();
            let start = block.start();
            match depth.checked_sub(start) {
                Some(depth) => return &mut block.frames[depth],
                None => block = Arc::make_mut(block.below.as_mut().expect("an outer call is in a block")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(pc: usize) -> Arc<Frame> {
        Arc::new(Frame { pc: pc as u32, ..Frame::new(ir::FuncId(0), 0) })
    }

    fn pcs(frames: &Frames) -> Vec<usize> {
        frames.iter().map(|frame| frame.pc as usize).collect()
    }

    #[test]
    fn calls_come_back_in_order() {
        let mut frames = Frames::default();
        for depth in 0..3000 {
            assert_eq!(frames.len(), depth);
            frames.push(frame(depth));
            assert_eq!(frames.last().map(|frame| frame.pc as usize), Some(depth));
        }
        assert_eq!(pcs(&frames), (0..3000).collect::<Vec<_>>());
        assert!(frames.outwards().map(|frame| frame.pc as usize).eq((0..3000).rev()));
        for depth in (0..3000).rev() {
            assert_eq!((frames[depth].pc as usize, frames[0].pc), (depth, 0));
            assert_eq!(frames.pop().map(|frame| frame.pc as usize), Some(depth));
            assert_eq!((frames.len(), frames.is_empty()), (depth, depth == 0));
        }
        assert!(frames.pop().is_none());
    }

    #[test]
    fn a_change_is_not_seen_by_copies() {
        let mut frames = Frames::default();
        (0..200).for_each(|depth| frames.push(frame(depth)));
        let old = frames.clone();
        for depth in [0, 100, 199] {
            frames[depth] = frame(7000);
        }
        frames.pop();
        frames.each_mut(|frame| Arc::make_mut(frame).pc += 1);
        assert_eq!(pcs(&old), (0..200).collect::<Vec<_>>());
        assert_eq!((frames[0].pc, frames[1].pc, frames[100].pc, frames.len()), (7001, 2, 7001, 199));
    }

    /// The same calls, one by one pushed.
    fn afresh(frames: &Frames) -> Frames {
        Vec::from(frames.clone()).into()
    }

    #[test]
    fn stacks_with_the_same_calls_are_the_same_however_they_came_about() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut stacks: Vec<Frames> = vec![Frames::default()];
        let same = |a: &Frame, b: &Frame| a.pc == b.pc;
        for _ in 0..3000 {
            let mut frames = stacks[stacks.len() - 1 - random.usize(..stacks.len().min(20))].clone();
            frames.hash();
            match random.usize(..8) {
                0..5 => (0..random.usize(..9)).for_each(|_| frames.push(frame(random.usize(..2)))),
                5 => (0..random.usize(..40)).for_each(|_| drop(frames.pop())),
                6 if !frames.is_empty() => {
                    let depth = random.usize(..frames.len());
                    Arc::make_mut(&mut frames[depth]).pc ^= 1;
                }
                _ => frames.each_mut(|frame| {
                    if random.usize(..200) == 0 {
                        Arc::make_mut(frame).pc ^= 1;
                    }
                }),
            }
            let fresh = afresh(&frames);
            assert_eq!((frames.hash(), frames.bytes()), (fresh.hash(), fresh.bytes()));
            assert!(frames.same(&fresh, same) && fresh.same(&frames, same));
            let other = &stacks[random.usize(..stacks.len())];
            assert_eq!(frames.same(other, same), pcs(&frames) == pcs(other));
            let common = frames.common(other);
            assert!(frames.iter().zip(other.iter()).take(common).all(|(a, b)| Arc::ptr_eq(a, b)));
            assert!(frames.beyond(common).map(|frame| frame.pc).eq(frames.iter().skip(common).map(|f| f.pc)));
            stacks.push(frames);
        }
        assert!(stacks.iter().any(|frames| frames.len() > 4 * MOST));
    }
}
