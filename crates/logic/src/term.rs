//! The arena of terms.

use rustc_hash::FxHashMap;

use crate::known::{Known, known};
use bits::wide::mask;

/// A term: an index into its arena. Arguments have smaller indices than the
/// term they are arguments of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(u32);

impl Term {
    const NONE: Term = Term(0);

    /// The number of the term; never 0.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The term with a number that [`Term::number`] gave.
    pub fn from_number(number: u32) -> Term {
        Term(number)
    }

    /// For tables with one entry per term.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term does with its arguments. Division by zero yields all ones, the
/// remainder the dividend; a shift by the width or more shifts everything out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Const,
    Var,
    Not,
    Neg,
    And,
    Xor,
    Add,
    Mul,
    UDiv,
    URem,
    Shl,
    LShr,
    AShr,
    Eq,
    Ult,
    Slt,
    Ite,
    /// The first argument is the upper part.
    Concat,
    /// `width` bits from `low` on.
    Extract,
    SExt,
    /// An array variable.
    Array,
    /// An array with one element everywhere.
    Fill,
    /// The array of the first argument, but at the index of the second the third.
    Store,
    /// The element of an array at an index.
    Select,
}

impl Op {
    /// How many arguments there are.
    pub fn arity(self) -> usize {
        match self {
            Op::Const | Op::Var | Op::Array => 0,
            Op::Not | Op::Neg | Op::Extract | Op::SExt | Op::Fill => 1,
            Op::Ite | Op::Store => 3,
            _ => 2,
        }
    }

    /// Whether the result is an array.
    pub fn makes_array(self) -> bool {
        matches!(self, Op::Array | Op::Fill | Op::Store)
    }

    pub(crate) fn commutes(self) -> bool {
        matches!(self, Op::And | Op::Xor | Op::Add | Op::Mul | Op::Eq)
    }
}

/// A term taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// The operation.
    pub op: Op,
    /// The width of the result; of an array, that of its elements.
    pub width: u8,
    /// The lowest bit of an extraction; 0 otherwise.
    pub low: u8,
    /// The arguments. Of a constant or a variable, the first holds an index.
    args: [Term; 3],
}

impl Node {
    /// The arguments.
    pub fn args(&self) -> &[Term] {
        &self.args[..self.op.arity()]
    }
}

/// All terms of a search.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    known: Vec<Known>,
    numbers: FxHashMap<Node, Term>,
    constants: Vec<u128>,
    constant_numbers: FxHashMap<u128, u32>,
    names: Vec<String>,
    variables: Vec<Term>,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// An empty arena.
    pub fn new() -> Terms {
        let unused = Node { op: Op::Const, width: 0, low: 0, args: [Term::NONE; 3] };
        Terms {
            nodes: vec![unused],
            known: vec![Known::default()],
            numbers: FxHashMap::default(),
            constants: Vec::new(),
            constant_numbers: FxHashMap::default(),
            names: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A term taken apart.
    #[inline]
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// Whether a term is an array.
    pub fn is_array(&self, term: Term) -> bool {
        self.node(term).op.makes_array()
    }

    /// The width of a term; of an array, that of its elements.
    #[inline]
    pub fn width(&self, term: Term) -> u8 {
        self.nodes[term.index()].width
    }

    /// What is known of a term's bits whatever the variables are.
    pub fn known(&self, term: Term) -> Known {
        self.known[term.index()]
    }

    /// The value of a constant.
    #[inline]
    pub fn constant_value(&self, term: Term) -> Option<u128> {
        let node = &self.nodes[term.index()];
        (node.op == Op::Const).then(|| self.constants[node.args[0].index()])
    }

    /// Whether the term is the constant 1 of width 1.
    pub fn is_true(&self, term: Term) -> bool {
        self.width(term) == 1 && self.constant_value(term) == Some(1)
    }

    /// Whether the term is the constant 0 of width 1.
    pub fn is_false(&self, term: Term) -> bool {
        self.width(term) == 1 && self.constant_value(term) == Some(0)
    }

    /// A constant.
    pub fn constant(&mut self, width: u8, bits: u128) -> Term {
        assert!((1..=128).contains(&width), "a width between 1 and 128");
        let bits = bits & mask(width);
        let next = self.constants.len() as u32;
        let number = *self.constant_numbers.entry(bits).or_insert(next);
        if number == next {
            self.constants.push(bits);
        }
        let args = [Term(number), Term::NONE, Term::NONE];
        self.intern(Node { op: Op::Const, width, low: 0, args })
    }

    /// A constant of width 1.
    pub fn boolean(&mut self, value: bool) -> Term {
        self.constant(1, u128::from(value))
    }

    /// A new variable. Its name need not be unique.
    pub fn variable(&mut self, width: u8, name: impl Into<String>) -> Term {
        self.named(Op::Var, width, name.into())
    }

    /// A new array variable with elements of this width. Its name need not be
    /// unique.
    pub fn array(&mut self, width: u8, name: impl Into<String>) -> Term {
        self.named(Op::Array, width, name.into())
    }

    /// A new variable of the same sort and width as another.
    pub fn variable_like(&mut self, variable: Term, name: impl Into<String>) -> Term {
        let Node { op, width, .. } = self.node(variable);
        assert!(matches!(op, Op::Var | Op::Array), "a variable");
        self.named(op, width, name.into())
    }

    fn named(&mut self, op: Op, width: u8, name: String) -> Term {
        assert!((1..=128).contains(&width), "a width between 1 and 128");
        let args = [Term(self.names.len() as u32), Term::NONE, Term::NONE];
        self.names.push(name);
        let term = self.intern(Node { op, width, low: 0, args });
        self.variables.push(term);
        term
    }

    /// All variables, arrays among them, in the order of their making.
    pub fn variables(&self) -> &[Term] {
        &self.variables
    }

    /// The name of a variable.
    pub fn name(&self, variable: Term) -> &str {
        let node = self.node(variable);
        assert!(matches!(node.op, Op::Var | Op::Array), "only variables have names");
        &self.names[node.args[0].index()]
    }

    /// The term as it stands, not rewritten: for comparing with the rewritten one.
    pub fn raw(&mut self, op: Op, width: u8, low: u8, args: &[Term]) -> Term {
        assert_eq!(args.len(), op.arity(), "{op:?}");
        let mut all = [Term::NONE; 3];
        all[..args.len()].copy_from_slice(args);
        self.intern(Node { op, width, low, args: all })
    }

    /// The same, but a constant if all bits are known.
    pub(crate) fn make(&mut self, op: Op, width: u8, args: &[Term]) -> Term {
        self.make_at(op, width, 0, args)
    }

    pub(crate) fn make_at(&mut self, op: Op, width: u8, low: u8, args: &[Term]) -> Term {
        let mut all = [Term::NONE; 3];
        all[..args.len()].copy_from_slice(args);
        let node = Node { op, width, low, args: all };
        if let Some(term) = self.numbers.get(&node) {
            return *term;
        }
        let known = known(self, &node);
        match known.value(width) {
            Some(bits) => self.constant(width, bits),
            None => self.push(node, known),
        }
    }

    fn intern(&mut self, node: Node) -> Term {
        if let Some(term) = self.numbers.get(&node) {
            return *term;
        }
        let known = match node.op {
            Op::Const => Known::exactly(self.constants[node.args[0].index()], node.width),
            _ => known(self, &node),
        };
        self.push(node, known)
    }

    fn push(&mut self, node: Node, known: Known) -> Term {
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        self.nodes.push(node);
        self.known.push(known);
        self.numbers.insert(node, term);
        term
    }
}
