//! The loops of a program, by name: `main.0` is the first one in `main`, in the
//! order of the source.
//!
//! A loop has a head, to which an edge leads back from inside: one that closes
//! a cycle in a depth-first search of the blocks. To its body belongs whatever
//! leads to such an edge without passing the head. Two edges to one head make
//! one loop. Jumps into the middle of a loop may make it two.

use std::ops::Range;

use crate::blocks::Blocks;
use crate::program::{FuncId, Function, Pc, Program};
use crate::span::Location;

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The function that it is in.
    pub function: FuncId,
    /// Its name: that of the function and its number there.
    pub name: String,
    /// Where it begins.
    pub at: Location,
    /// Its first instruction, to which it comes back.
    pub head: Pc,
    /// The positions of its instructions, inner loops included.
    body: Vec<Range<usize>>,
}

impl Loop {
    /// Whether an instruction of the function belongs to the loop.
    pub fn contains(&self, pc: Pc) -> bool {
        self.body.iter().any(|range| range.contains(&(pc as usize)))
    }

    fn size(&self) -> usize {
        self.body.iter().map(ExactSizeIterator::len).sum()
    }
}

impl Program {
    /// The loops of all functions that are in the user's source.
    pub fn loops(&self) -> Vec<Loop> {
        let functions = self.functions.iter().zip(0..).filter(|(function, _)| !function.library);
        functions.flat_map(|(function, id)| self.loops_of(function, FuncId(id))).collect()
    }

    fn loops_of(&self, function: &Function, id: FuncId) -> Vec<Loop> {
        let blocks = Blocks::of(function);
        let mut loops: Vec<(Location, Pc, Vec<Range<usize>>)> = heads(function, &blocks)
            .into_iter()
            .map(|(head, tails)| {
                let body = body(function, &blocks, head, tails);
                let at = blocks.range(head).map(|pc| function.spans[pc]).find(|span| span.is_known());
                let at = self.location(id, at.unwrap_or(function.span));
                let first = blocks.range(head).start as Pc;
                (at, first, body.into_iter().map(|block| blocks.range(block)).collect())
            })
            .collect();
        loops.sort_by_key(|(at, ..)| (at.line, at.column));
        let name = |number: usize| format!("{}.{number}", self.name(function.name));
        let numbered = loops.into_iter().enumerate();
        numbered
            .map(|(number, (at, head, body))| Loop { function: id, name: name(number), at, head, body })
            .collect()
    }
}

/// The innermost of these loops that an instruction belongs to.
pub fn innermost(loops: &[Loop], function: FuncId, pc: Pc) -> Option<&Loop> {
    let around = loops.iter().filter(|l| l.function == function && l.contains(pc));
    around.min_by_key(|l| l.size())
}

/// The heads of loops, each with the blocks from which an edge leads back.
fn heads(function: &Function, blocks: &Blocks) -> Vec<(usize, Vec<usize>)> {
    let mut tails = vec![Vec::new(); blocks.len()];
    let (mut found, mut open) = (vec![false; blocks.len()], vec![false; blocks.len()]);
    // A block with those of its successors that are still to be looked at.
    let mut work: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut next = (!blocks.is_empty()).then_some(0);
    loop {
        if let Some(block) = next.take() {
            (found[block], open[block]) = (true, true);
            work.push((block, blocks.successors(function, block)));
        }
        let Some((block, rest)) = work.last_mut() else { break };
        match rest.pop() {
            None => {
                open[*block] = false;
                work.pop();
            }
            Some(successor) if open[successor] => tails[successor].push(*block),
            Some(successor) => next = (!found[successor]).then_some(successor),
        }
    }
    tails.into_iter().enumerate().filter(|(_, tails)| !tails.is_empty()).collect()
}

/// The blocks from which control comes to the tails without passing the head.
fn body(function: &Function, blocks: &Blocks, head: usize, mut work: Vec<usize>) -> Vec<usize> {
    let mut predecessors = vec![Vec::new(); blocks.len()];
    for block in 0..blocks.len() {
        blocks.successors(function, block).into_iter().for_each(|next| predecessors[next].push(block));
    }
    let mut body = vec![head];
    while let Some(block) = work.pop() {
        if !body.contains(&block) {
            body.push(block);
            work.extend(&predecessors[block]);
        }
    }
    body.sort_unstable();
    body
}
