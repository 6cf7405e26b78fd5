//! The calls of a thread. Every step copies the thread that moves, so a copy must
//! not cost what the stack is deep: only the innermost calls are listed in the
//! thread itself, and those below them are shared with its copies.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use triomphe::Arc;

use crate::state::list::List;
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
    below: Option<Arc<List<Frame>>>,
    /// The inner ones: at least one, unless there is none at all.
    top: SmallVec<[Arc<Frame>; 2]>,
}

impl Frames {
    fn outer(&self) -> usize {
        self.below.as_ref().map_or(0, |below| below.len())
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
            None => self.below.as_ref()?.get(depth),
        }
    }

    pub fn push(&mut self, frame: Arc<Frame>) {
        if self.top.len() == MOST {
            let below = Arc::make_mut(self.below.get_or_insert_default());
            self.top.drain(..BLOCK).for_each(|frame| below.push(frame));
        }
        self.top.push(frame);
    }

    pub fn pop(&mut self) -> Option<Arc<Frame>> {
        let frame = self.top.pop()?;
        if self.top.is_empty()
            && let Some(below) = &mut self.below
        {
            // Blocks go below whole, so that they come back whole.
            let start = below.len() - BLOCK;
            self.top.extend((start..below.len()).map(|depth| Arc::clone(&below[depth])));
            match start {
                0 => self.below = None,
                _ => Arc::make_mut(below).truncate(start),
            }
        }
        Some(frame)
    }

    pub fn clear(&mut self) {
        *self = Frames::default();
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Frame>> {
        let below = self.below.iter().flat_map(|below| (0..below.len()).map(|depth| &below[depth]));
        below.chain(&self.top)
    }

    /// Calls `f` with every call, the outermost first.
    pub fn each_mut(&mut self, mut f: impl FnMut(&mut Arc<Frame>)) {
        if let Some(below) = &mut self.below {
            Arc::make_mut(below).each_mut(&mut f);
        }
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
        match (&mut self.below, depth.checked_sub(outer)) {
            (Some(below), None) => &mut Arc::make_mut(below)[depth],
            (_, inner) => &mut self.top[inner.unwrap_or(depth)],
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
}
