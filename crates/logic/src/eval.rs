//! What terms mean: their value under an assignment of the variables.

use rustc_hash::FxHashMap;

use crate::array::ArrayValue;
use crate::term::{Node, Op, Term, Terms};
use bits::wide::{self, mask, signed};
use bits::{BinOp, Pred};

/// Values of variables.
pub trait Assignment {
    /// The value of a variable; bits above its width do not matter.
    fn value_of(&self, variable: Term) -> u128;

    /// The value of an array variable, whose elements have its width; all zeros if
    /// nothing else is said.
    fn array_of(&self, _variable: Term) -> &ArrayValue {
        ArrayValue::zeros()
    }
}

impl<F: Fn(Term) -> u128> Assignment for F {
    fn value_of(&self, variable: Term) -> u128 {
        self(variable)
    }
}

/// The result of an operation on values of these widths.
pub(crate) fn apply(op: Op, width: u8, low: u8, args: &[(u128, u8)]) -> u128 {
    let bits = |index: usize| args[index].0;
    let number = |index: usize| signed(args[index].0, args[index].1);
    let binary = |op| wide::binary(op, width, bits(0), bits(1));
    let compare = |pred| u128::from(wide::compare(pred, args[0].1, bits(0), bits(1)));
    let result = match op {
        Op::Const | Op::Var => unreachable!("no operation"),
        Op::Array | Op::Fill | Op::Store | Op::Select => unreachable!("no operation on numbers"),
        Op::Not => !bits(0),
        Op::Neg => bits(0).wrapping_neg(),
        Op::And => bits(0) & bits(1),
        Op::Xor => bits(0) ^ bits(1),
        Op::Add => bits(0).wrapping_add(bits(1)),
        Op::Mul => bits(0).wrapping_mul(bits(1)),
        // What has no result in a program has one here, as in SMT-LIB.
        Op::UDiv => binary(BinOp::UDiv).unwrap_or(u128::MAX),
        Op::URem => binary(BinOp::URem).unwrap_or(bits(0)),
        Op::Shl => binary(BinOp::Shl).unwrap_or(0),
        Op::LShr => binary(BinOp::LShr).unwrap_or(0),
        Op::AShr => binary(BinOp::AShr).unwrap_or((number(0) >> 127) as u128),
        Op::Eq => compare(Pred::Eq),
        Op::Ult => compare(Pred::Ult),
        Op::Slt => compare(Pred::Slt),
        Op::Ite => bits(if bits(0) == 1 { 1 } else { 2 }),
        Op::Concat => bits(0) << args[1].1 | bits(1),
        Op::Extract => bits(0) >> low,
        Op::SExt => number(0) as u128,
    };
    result & mask(width)
}

/// Values of terms under one assignment, each computed once.
pub struct Evaluation<'a, A> {
    terms: &'a Terms,
    assignment: A,
    values: FxHashMap<Term, u128>,
}

impl<'a, A: Assignment> Evaluation<'a, A> {
    /// An evaluation under this assignment.
    pub fn new(terms: &'a Terms, assignment: A) -> Evaluation<'a, A> {
        Evaluation { terms, assignment, values: FxHashMap::default() }
    }

    /// Goes on with values that an evaluation under the same assignment found.
    pub fn resume(terms: &'a Terms, assignment: A, values: FxHashMap<Term, u128>) -> Evaluation<'a, A> {
        Evaluation { terms, assignment, values }
    }

    /// The values found.
    pub fn into_values(self) -> FxHashMap<Term, u128> {
        self.values
    }

    /// The value of a term.
    pub fn value(&mut self, term: Term) -> u128 {
        let mut work = vec![term];
        while let Some(&top) = work.last() {
            if self.known(top).is_some() {
                work.pop();
                continue;
            }
            let node = self.terms.node(top);
            let before = work.len();
            work.extend(node.args().iter().filter(|arg| self.known(**arg).is_none()));
            if work.len() == before {
                let value = self.compute(top, &node);
                self.values.insert(top, value);
                work.pop();
            }
        }
        self.known(term).expect("just computed")
    }

    /// Whether a term of width 1 is true.
    pub fn holds(&mut self, term: Term) -> bool {
        self.value(term) == 1
    }

    fn known(&self, term: Term) -> Option<u128> {
        self.terms.constant_value(term).or_else(|| self.values.get(&term).copied())
    }

    /// The value of an array term.
    pub fn array(&mut self, array: Term) -> ArrayValue {
        self.value(array);
        let mut stores = Vec::new();
        let mut rest = array;
        let mut value = loop {
            let node = self.terms.node(rest);
            match (node.op, node.args()) {
                (Op::Store, &[inner, index, element]) => {
                    stores.push((index, element));
                    rest = inner;
                }
                (Op::Fill, &[element]) => break ArrayValue::filled(self.computed(element)),
                _ => break self.assignment.array_of(rest).clone(),
            }
        };
        for (index, element) in stores.into_iter().rev() {
            value.set(self.computed(index) as u64, self.computed(element));
        }
        value
    }

    /// The element of an array whose parts have been computed.
    fn element(&self, mut array: Term, index: u64) -> u128 {
        loop {
            let node = self.terms.node(array);
            match (node.op, node.args()) {
                (Op::Store, &[_, at, element]) if self.computed(at) as u64 == index => {
                    return self.computed(element);
                }
                (Op::Store, &[inner, ..]) => array = inner,
                (Op::Fill, &[element]) => return self.computed(element),
                _ => return self.assignment.array_of(array).get(index),
            }
        }
    }

    fn computed(&self, term: Term) -> u128 {
        self.known(term).expect("arguments first")
    }

    fn compute(&self, term: Term, node: &Node) -> u128 {
        match node.op {
            Op::Var => return self.assignment.value_of(term) & mask(node.width),
            Op::Select => return self.element(node.args()[0], self.computed(node.args()[1]) as u64),
            // Its elements are found where they are selected.
            op if op.makes_array() => return 0,
            _ => {}
        }
        let mut args = [(0, 0); 3];
        for (slot, arg) in args.iter_mut().zip(node.args()) {
            *slot = (self.computed(*arg), self.terms.width(*arg));
        }
        apply(node.op, node.width, node.low, &args[..node.args().len()])
    }
}
