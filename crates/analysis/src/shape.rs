//! What happens at most once.
//!
//! A node is executed at most once if one call leads to it, that call is in no
//! cycle of its function, and its own node is executed at most once. The first
//! node of a thread is, if the thread is *unique*: one instruction creates it,
//! and that is executed at most once. An object is unique if what allocates it
//! is executed at most once, and a global variable is.
//!
//! A recursive call leads back to a node that has a caller already, so a node
//! that is executed again by recursion has two callers.

use std::rc::Rc;

use ir::{Blocks, Pc};

use crate::interpret::{Interpreter, Node};
use crate::memory::{Kind, NodeIx, ThreadIx};
use crate::value::ObjIx;

/// What happens at most once.
pub struct Shape {
    once: Vec<bool>,
    unique: Vec<bool>,
    cycles: Vec<Cycles>,
}

impl Shape {
    /// Computes it from a finished interpretation.
    pub fn of(interpreter: &Interpreter<'_>) -> Shape {
        let cycles: Vec<Cycles> =
            interpreter.nodes.iter().map(|node| Cycles::of(node, interpreter.blocks(node.func))).collect();
        let mut shape = Shape { once: Vec::new(), unique: vec![false; interpreter.threads.len()], cycles };
        for (ix, node) in interpreter.nodes.iter().enumerate() {
            let thread = &interpreter.threads[node.thread as usize];
            let is_root = thread.root as usize == ix;
            if is_root {
                shape.unique[node.thread as usize] = match thread.creators[..] {
                    [] => true,
                    [creator] => shape.happens_once(creator),
                    _ => false,
                };
            }
            let once = match (is_root, &node.callers[..]) {
                (true, []) => shape.unique[node.thread as usize],
                (false, [caller]) => shape.happens_once(*caller),
                _ => false,
            };
            shape.once.push(once);
        }
        shape
    }

    /// Whether a node is executed at most once.
    pub fn is_executed_once(&self, node: NodeIx) -> bool {
        self.once[node as usize]
    }

    /// Whether an instruction of a node is executed at most once.
    pub fn happens_once(&self, (node, pc): (NodeIx, Pc)) -> bool {
        self.once[node as usize] && !self.in_cycle(node, pc)
    }

    /// Whether an instruction may be executed again in the same call.
    pub fn in_cycle(&self, node: NodeIx, pc: Pc) -> bool {
        self.cycles[node as usize].contains(pc)
    }

    /// Whether there is at most one instance of a thread.
    pub fn is_unique(&self, thread: ThreadIx) -> bool {
        self.unique[thread as usize]
    }

    /// Whether there is at most one instance of an object.
    pub fn is_single(&self, interpreter: &Interpreter<'_>, obj: ObjIx) -> bool {
        match interpreter.memory.get(obj).kind {
            Kind::Global(_) => true,
            Kind::Local(_, thread) | Kind::Specific(thread) => self.is_unique(thread),
            Kind::Heap(node, pc) | Kind::Frame(node, pc) | Kind::Arguments(node, pc) => {
                self.happens_once((node, pc))
            }
            Kind::Function(_) | Kind::Handle(_) => false,
        }
    }
}

/// The blocks of a node that lie on a cycle.
struct Cycles {
    blocks: Rc<Blocks>,
    on_cycle: Vec<bool>,
}

impl Cycles {
    fn of(node: &Node, blocks: Rc<Blocks>) -> Cycles {
        let count = node.blocks.len();
        let mut on_cycle = vec![false; count];
        let all: Vec<usize> = (0..count).collect();
        for component in components(node, &all) {
            let again = component.len() > 1 || {
                let only = component[0];
                node.blocks[only].next.contains(&(only as u32))
            };
            component.into_iter().for_each(|block| on_cycle[block] = again);
        }
        Cycles { blocks, on_cycle }
    }

    fn contains(&self, pc: Pc) -> bool {
        self.on_cycle[self.blocks.containing(pc)]
    }
}

/// The strongly connected components of some of a node's blocks (Tarjan's
/// algorithm, without recursion).
pub(crate) fn components(node: &Node, of: &[usize]) -> Vec<Vec<usize>> {
    let count = node.blocks.len();
    let mut within = vec![false; count];
    of.iter().for_each(|block| within[*block] = true);
    let (mut index, mut low) = (vec![usize::MAX; count], vec![0; count]);
    let (mut stack, mut on_stack) = (Vec::new(), vec![false; count]);
    let mut found = Vec::new();
    let mut next_index = 0;
    for root in of.iter().copied() {
        if index[root] != usize::MAX {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some((block, edge)) = work.pop() {
            if edge == 0 {
                (index[block], low[block]) = (next_index, next_index);
                next_index += 1;
                stack.push(block);
                on_stack[block] = true;
            }
            if let Some(next) = node.blocks[block].next.get(edge) {
                let next = *next as usize;
                work.push((block, edge + 1));
                if within[next] && index[next] == usize::MAX {
                    work.push((next, 0));
                } else if within[next] && on_stack[next] {
                    low[block] = low[block].min(index[next]);
                }
                continue;
            }
            if low[block] == index[block] {
                let start = stack.iter().position(|other| *other == block).unwrap_or(0);
                let component = stack.split_off(start);
                component.iter().for_each(|block| on_stack[*block] = false);
                found.push(component);
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[block]);
            }
        }
    }
    found
}
