//! Other terms in place of variables.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::{Node, Op, Term, Terms};

impl Terms {
    /// Terms with all that they are made of, each once.
    pub fn subterms(&self, roots: impl IntoIterator<Item = Term>) -> FxHashSet<Term> {
        let (mut seen, mut work) = (FxHashSet::default(), roots.into_iter().collect::<Vec<Term>>());
        while let Some(term) = work.pop() {
            if seen.insert(term) {
                work.extend(self.node(term).args());
            }
        }
        seen
    }

    /// What a condition compares and how, whether it says that or the contrary.
    pub fn comparison(&self, condition: Term) -> Option<(Op, Term, Term)> {
        let node = self.node(condition);
        let inner = if node.op == Op::Not { self.node(node.args()[0]) } else { node };
        match (inner.op, inner.args()) {
            (op @ (Op::Slt | Op::Ult | Op::Eq), &[x, y]) => Some((op, x, y)),
            _ => None,
        }
    }

    /// What is left of a sum without the constant that is added, if one is.
    pub fn without_constant(&self, term: Term) -> Term {
        let node = self.node(term);
        match (node.op, node.args()) {
            (Op::Add, &[x, y]) if self.constant_value(y).is_some() => x,
            (Op::Add, &[x, y]) if self.constant_value(x).is_some() => y,
            _ => term,
        }
    }

    /// The variables in a term, arrays among them, in the order in which they stand there.
    pub fn variables_in(&self, term: Term) -> Vec<Term> {
        let (mut found, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![term]);
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = self.node(term);
            if matches!(node.op, Op::Var | Op::Array) {
                found.push(term);
            }
            work.extend(node.args().iter().rev());
        }
        found
    }

    /// The term with other terms in place of its variables (array terms in place
    /// of array variables). `images` says which,
    /// and takes in what comes of the terms in between.
    pub fn substitute(&mut self, term: Term, images: &mut FxHashMap<Term, Term>) -> Term {
        let mut work = vec![term];
        while let Some(&next) = work.last() {
            let node = self.node(next);
            let missing = |arg: &&Term| !images.contains_key(*arg);
            if images.contains_key(&next) {
                work.pop();
            } else if node.args().iter().any(|arg| missing(&arg)) {
                work.extend(node.args().iter().filter(missing));
            } else {
                let args: Vec<Term> = node.args().iter().map(|arg| images[arg]).collect();
                let image = self.rebuild(next, &args);
                images.insert(next, image);
                work.pop();
            }
        }
        images[&term]
    }

    /// The same operation on other arguments.
    fn rebuild(&mut self, term: Term, args: &[Term]) -> Term {
        let Node { op, width, low, .. } = self.node(term);
        if args.is_empty() { term } else { self.apply(op, (width, low), args) }
    }

    /// An operation on arguments of the widths that it takes, rewritten. The width of
    /// the result and the lowest bit matter only to operations that choose them.
    pub fn apply(&mut self, op: Op, (width, low): (u8, u8), args: &[Term]) -> Term {
        match (op, args) {
            (Op::Not, [a]) => self.not(*a),
            (Op::Neg, [a]) => self.neg(*a),
            (Op::Extract, [a]) => self.extract(*a, low, width),
            (Op::SExt, [a]) => self.sext(*a, width),
            (Op::And, [a, b]) => self.and(*a, *b),
            (Op::Xor, [a, b]) => self.xor(*a, *b),
            (Op::Add, [a, b]) => self.add(*a, *b),
            (Op::Mul, [a, b]) => self.mul(*a, *b),
            (Op::UDiv, [a, b]) => self.udiv(*a, *b),
            (Op::URem, [a, b]) => self.urem(*a, *b),
            (Op::Shl, [a, b]) => self.shl(*a, *b),
            (Op::LShr, [a, b]) => self.lshr(*a, *b),
            (Op::AShr, [a, b]) => self.ashr(*a, *b),
            (Op::Eq, [a, b]) => self.eq(*a, *b),
            (Op::Ult, [a, b]) => self.ult(*a, *b),
            (Op::Slt, [a, b]) => self.slt(*a, *b),
            (Op::Concat, [a, b]) => self.concat(*a, *b),
            (Op::Ite, [a, b, c]) => self.ite(*a, *b, *c),
            (Op::Fill, [a]) => self.fill(*a),
            (Op::Store, [a, b, c]) => self.store(*a, *b, *c),
            (Op::Select, [a, b]) => self.select(*a, *b),
            (op, args) => unreachable!("{op:?} of {} arguments", args.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_stand_in_order() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(32, name));
        let condition = terms.ult(y, x);
        let term = terms.ite(condition, z, x);
        assert_eq!(terms.variables_in(term), [y, x, z]);
        let five = terms.constant(32, 5);
        assert_eq!(terms.variables_in(five), []);
    }

    #[test]
    fn a_substitution_is_simultaneous() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.variable(32, name));
        let term = terms.ult(x, y);
        let swapped = terms.ult(y, x);
        let mut images = [(x, y), (y, x)].into_iter().collect();
        assert_eq!(terms.substitute(term, &mut images), swapped);
    }

    #[test]
    fn what_becomes_constant_is_computed() {
        let mut terms = Terms::new();
        let x = terms.variable(8, "x");
        let [three, four] = [3, 4].map(|bits| terms.constant(8, bits));
        let product = terms.mul(x, three);
        let sum = terms.add(product, x);
        let mut images = [(x, four)].into_iter().collect();
        let result = terms.substitute(sum, &mut images);
        assert_eq!(terms.constant_value(result), Some(16));
    }
}
