//! Arrays: the contents of objects of unknown size.

use std::sync::Arc;

use logic::{INDEX_WIDTH, Op, Term, Terms};
use machine::{Sym, Value};

use crate::context::Context;

impl Context<'_> {
    /// A number that is at most this: of a choice, the cases that are more are left
    /// out. (The size of `calloc` is the greatest number if the product overflows.)
    pub fn bounded_value(&mut self, value: Value, width: u8, most: u64) -> Value {
        let mut number = self.number(value, width);
        let is_more = |terms: &Terms, term: Term| terms.known(term).min() > most.into();
        loop {
            let node = self.terms.node(number);
            match (node.op, node.args()) {
                (Op::Ite, &[_, yes, no]) if is_more(self.terms, yes) => number = no,
                (Op::Ite, &[_, yes, no]) if is_more(self.terms, no) => number = yes,
                _ => return self.integer(number),
            }
        }
    }

    /// A number without so many of its lowest bits, if these are certainly zero.
    pub fn shifted_value(&mut self, value: Value, width: u8, bits: u8) -> Option<Value> {
        let number = self.number(value, width);
        let low = (1 << bits) - 1;
        if self.terms.known(number).zeros & low != low {
            return None;
        }
        let rest = self.terms.extract(number, bits, width - bits);
        Some(self.integer(rest))
    }

    /// A number with so many zero bits below it.
    pub fn scaled_value(&mut self, value: Value, width: u8, bits: u8) -> Value {
        if bits == 0 {
            return value;
        }
        let (number, low) = (self.number(value, width), self.terms.constant(bits, 0));
        let scaled = self.terms.concat(number, low);
        self.integer(scaled)
    }

    /// The next array on this path that may be anything.
    pub fn new_array(&mut self, width: u8) -> Sym {
        let earlier = self.met.arrays.len() as u32;
        let terms = &mut *self.terms;
        let array = *self
            .variables
            .arrays
            .entry((earlier, width))
            .or_insert_with(|| terms.array(width, format!("contents{earlier}")));
        Arc::make_mut(self.met).arrays.push(array);
        Sym(array.number())
    }

    /// A number as an index of an array.
    pub fn index(&mut self, (value, width): (Value, u8)) -> Term {
        let number = self.number(value, width);
        self.terms.zext(number, INDEX_WIDTH)
    }
}
