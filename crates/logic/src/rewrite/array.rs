//! Arrays: what is stored into one is found where it is selected.
//!
//! A select is pushed through all stores down to an array variable while it is
//! built, so that solvers see selects of array variables and nothing else of
//! arrays. Indices have [`INDEX_WIDTH`] bits.

use crate::term::{Op, Term, Terms};

/// The width of indices.
pub const INDEX_WIDTH: u8 = 64;

impl Terms {
    /// The array that has this element everywhere.
    pub fn fill(&mut self, element: Term) -> Term {
        let width = self.width(element);
        self.make(Op::Fill, width, &[element])
    }

    /// The array with another element at an index.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        let width = self.width(array);
        debug_assert!(self.is_array(array) && self.width(index) == INDEX_WIDTH, "an array and an index");
        debug_assert_eq!(width, self.width(element), "an element");
        let node = self.node(array);
        if let [inner, at, _] = *node.args()
            && at == index
        {
            return self.store(inner, index, element);
        }
        // What stands there already.
        let there = self.node(element);
        if *node.args() == [element] || there.op == Op::Select && *there.args() == [array, index] {
            return array;
        }
        self.make(Op::Store, width, &[array, index, element])
    }

    /// The element of an array at an index.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        debug_assert!(self.is_array(array) && self.width(index) == INDEX_WIDTH, "an array and an index");
        let mut stored = Vec::new();
        let mut rest = array;
        let mut element = loop {
            let node = self.node(rest);
            match (node.op, node.args()) {
                (Op::Store, &[inner, at, element]) => {
                    let here = self.eq(at, index);
                    match self.constant_value(here) {
                        Some(1) => break element,
                        Some(_) => {}
                        None => stored.push((here, element)),
                    }
                    rest = inner;
                }
                (Op::Fill, &[element]) => break element,
                _ => break self.make(Op::Select, node.width, &[rest, index]),
            }
        };
        for (here, other) in stored.into_iter().rev() {
            element = self.ite(here, other, element);
        }
        element
    }
}
