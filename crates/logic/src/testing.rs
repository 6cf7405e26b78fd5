//! Random terms, for tests.

use fastrand::Rng;

use crate::{INDEX_WIDTH, Op, Term, Terms};

/// Random numbers that their seed determines.
pub struct Random(Rng);

impl Random {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Random {
        Random(Rng::with_seed(seed))
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below the bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.u64(..bound)
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// Any bits; small numbers, and those near the ends of the range, often.
    pub fn bits(&mut self, width: u8) -> u128 {
        let any = u128::from(self.number()) << 64 | u128::from(self.number());
        let small = u128::from(self.below(4));
        match self.below(5) {
            0 => small,
            1 => small.wrapping_neg(),
            2 => (1u128 << (width - 1)).wrapping_add(small).wrapping_sub(2),
            3 => 1 << self.below(width.into()),
            _ => any,
        }
    }
}

/// The operations with two arguments of one width.
pub const BINARY: [Op; 12] = [
    Op::And,
    Op::Xor,
    Op::Add,
    Op::Mul,
    Op::UDiv,
    Op::URem,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::Eq,
    Op::Ult,
    Op::Slt,
];

/// Builds an operation by its constructor.
pub fn build(terms: &mut Terms, op: Op, width: u8, low: u8, args: &[Term]) -> Term {
    match (op, args) {
        (Op::Not, &[a]) => terms.not(a),
        (Op::Neg, &[a]) => terms.neg(a),
        (Op::And, &[a, b]) => terms.and(a, b),
        (Op::Xor, &[a, b]) => terms.xor(a, b),
        (Op::Add, &[a, b]) => terms.add(a, b),
        (Op::Mul, &[a, b]) => terms.mul(a, b),
        (Op::UDiv, &[a, b]) => terms.udiv(a, b),
        (Op::URem, &[a, b]) => terms.urem(a, b),
        (Op::Shl, &[a, b]) => terms.shl(a, b),
        (Op::LShr, &[a, b]) => terms.lshr(a, b),
        (Op::AShr, &[a, b]) => terms.ashr(a, b),
        (Op::Eq, &[a, b]) => terms.eq(a, b),
        (Op::Ult, &[a, b]) => terms.ult(a, b),
        (Op::Slt, &[a, b]) => terms.slt(a, b),
        (Op::Ite, &[c, a, b]) => terms.ite(c, a, b),
        (Op::Concat, &[a, b]) => terms.concat(a, b),
        (Op::Extract, &[a]) => terms.extract(a, low, width),
        (Op::SExt, &[a]) => terms.sext(a, width),
        (Op::Fill, &[a]) => terms.fill(a),
        (Op::Store, &[a, b, c]) => terms.store(a, b, c),
        (Op::Select, &[a, b]) => terms.select(a, b),
        _ => panic!("{op:?} with {} arguments", args.len()),
    }
}

/// A pool of terms that grows by random operations on its members.
pub struct Pool {
    /// The members.
    pub members: Vec<Term>,
    /// Arrays, if terms are to have any.
    pub arrays: Vec<Term>,
    widths: Vec<u8>,
}

impl Pool {
    /// Two variables of each of the widths, and of width 1.
    pub fn new(terms: &mut Terms, widths: &[u8]) -> Pool {
        let mut pool = Pool { members: Vec::new(), arrays: Vec::new(), widths: widths.to_vec() };
        for width in widths.iter().chain([&1]) {
            for name in ["x", "y"] {
                pool.members.push(terms.variable(*width, format!("{name}{width}")));
            }
        }
        pool
    }

    /// The same, and two array variables with elements of each of the widths.
    pub fn with_arrays(terms: &mut Terms, widths: &[u8]) -> Pool {
        let mut pool = Pool::new(terms, widths);
        for width in widths {
            pool.arrays.extend(["a", "b"].map(|name| terms.array(*width, format!("{name}{width}"))));
        }
        pool
    }

    /// An index: a member of any width, extended.
    fn index(&self, terms: &mut Terms, random: &mut Random) -> Term {
        let width = random.pick(&self.widths).min(INDEX_WIDTH);
        let member = self.of_width(terms, random, width);
        terms.zext(member, INDEX_WIDTH)
    }

    /// A random operation on arrays with its arguments.
    fn array_operation(&self, terms: &mut Terms, random: &mut Random, op: Op) -> (Op, u8, u8, Vec<Term>) {
        let array = random.pick(&self.arrays);
        let width = terms.width(array);
        let element = self.of_width(terms, random, width);
        let args = match op {
            Op::Fill => vec![element],
            Op::Store => vec![array, self.index(terms, random), element],
            _ => vec![array, self.index(terms, random)],
        };
        (op, width, 0, args)
    }

    /// A member of this width: a constant, or an old or a young term.
    pub fn of_width(&self, terms: &mut Terms, random: &mut Random, width: u8) -> Term {
        let fitting: Vec<Term> =
            self.members.iter().copied().filter(|term| terms.width(*term) == width).collect();
        if fitting.is_empty() || random.below(4) == 0 {
            let bits = random.bits(width);
            return terms.constant(width, bits);
        }
        let recent = fitting.len().saturating_sub(4);
        if random.below(2) == 0 { random.pick(&fitting) } else { random.pick(&fitting[recent..]) }
    }

    /// A random operation with its arguments, not yet built: operation, width
    /// of the result, lowest bit, arguments.
    pub fn operation(&self, terms: &mut Terms, random: &mut Random) -> (Op, u8, u8, Vec<Term>) {
        if !self.arrays.is_empty() && random.below(3) == 0 {
            return self.array_operation(terms, random, Op::Select);
        }
        let width = random.pick(&self.widths);
        let a = self.of_width(terms, random, width);
        match random.below(9) {
            0 => (random.pick(&[Op::Not, Op::Neg]), width, 0, vec![a]),
            1 | 2 => {
                let (c, b) = (self.of_width(terms, random, 1), self.of_width(terms, random, width));
                (Op::Ite, width, 0, vec![c, a, b])
            }
            3 => {
                let low = random.below(width.into()) as u8;
                let kept = 1 + random.below(u64::from(width - low)) as u8;
                (Op::Extract, kept, low, vec![a])
            }
            4 => {
                let b = random.pick(&self.members);
                match width.checked_add(terms.width(b)).filter(|sum| *sum <= 128) {
                    Some(sum) => (Op::Concat, sum, 0, vec![a, b]),
                    None => (Op::Not, width, 0, vec![a]),
                }
            }
            5 => {
                let wider = width + random.below(u64::from(129 - width)) as u8;
                (Op::SExt, wider, 0, vec![a])
            }
            _ => {
                let b = self.of_width(terms, random, width);
                let op = random.pick(&BINARY);
                let result = if matches!(op, Op::Eq | Op::Ult | Op::Slt) { 1 } else { width };
                (op, result, 0, vec![a, b])
            }
        }
    }

    /// Adds a random array, if there are any.
    pub fn grow_arrays(&mut self, terms: &mut Terms, random: &mut Random) {
        if self.arrays.is_empty() {
            return;
        }
        let op = random.pick(&[Op::Fill, Op::Store, Op::Store, Op::Store]);
        let (op, width, low, args) = self.array_operation(terms, random, op);
        self.arrays.push(build(terms, op, width, low, &args));
    }

    /// Adds a random term and returns it.
    pub fn grow(&mut self, terms: &mut Terms, random: &mut Random) -> Term {
        self.grow_arrays(terms, random);
        let (op, width, low, args) = self.operation(terms, random);
        let term = build(terms, op, width, low, &args);
        self.members.push(term);
        term
    }
}
