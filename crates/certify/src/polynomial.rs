//! Polynomials modulo a power of two, as a normal form of sums and products.
//!
//! The indeterminates are terms that are neither sums nor products themselves. Two terms with the
//! same polynomial have the same value whatever the indeterminates are.

use std::collections::BTreeMap;

use bits::wide::mask;
use logic::{Op, Term, Terms};
use rustc_hash::FxHashMap;

/// A product: its factors, ascending. Nothing is the product of no factors, which is one.
type Monomial = Vec<Term>;

/// A polynomial has at most so many monomials, so that products of sums do not grow for ever.
const MOST: usize = 64;

/// A sum of products with factors that are not zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polynomial {
    width: u8,
    parts: BTreeMap<Monomial, u128>,
}

impl Polynomial {
    fn constant(width: u8, value: u128) -> Polynomial {
        Polynomial { width, parts: BTreeMap::new() }.plus(Monomial::new(), value)
    }

    fn of_term(width: u8, term: Term) -> Polynomial {
        Polynomial { width, parts: BTreeMap::new() }.plus(vec![term], 1)
    }

    fn plus(mut self, monomial: Monomial, factor: u128) -> Polynomial {
        let now = self.parts.get(&monomial).copied().unwrap_or(0).wrapping_add(factor) & mask(self.width);
        match now {
            0 => self.parts.remove(&monomial),
            _ => self.parts.insert(monomial, now),
        };
        self
    }

    /// The sum with another one that is taken so many times.
    pub fn add(&self, other: &Polynomial, times: u128) -> Polynomial {
        let parts = other.parts.iter();
        parts.fold(self.clone(), |sum, (part, factor)| sum.plus(part.clone(), factor.wrapping_mul(times)))
    }

    /// The polynomial taken so many times.
    pub fn times(&self, factor: u128) -> Polynomial {
        Polynomial::constant(self.width, 0).add(self, factor)
    }

    fn multiply(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::constant(self.width, 0);
        for (part, factor) in &self.parts {
            for (by, other_factor) in &other.parts {
                let mut both = [&part[..], by].concat();
                both.sort_unstable();
                product = product.plus(both, factor.wrapping_mul(*other_factor));
            }
        }
        (product.parts.len() <= MOST).then_some(product)
    }

    /// The value, if no indeterminate is left.
    pub fn value(&self) -> Option<u128> {
        match self.parts.iter().next() {
            None => Some(0),
            Some((monomial, value)) => (monomial.is_empty() && self.parts.len() == 1).then_some(*value),
        }
    }

    /// Whether no two indeterminates are multiplied.
    pub fn is_linear(&self) -> bool {
        self.parts.keys().all(|monomial| monomial.len() <= 1)
    }

    /// The polynomial, taken as often that the first of its factors is one, if that is odd. (Both
    /// are zero for the same values, as an odd number has an inverse.)
    pub fn monic(&self) -> Polynomial {
        let first = self.parts.iter().find(|(monomial, _)| !monomial.is_empty());
        let odd = first.map(|(_, factor)| *factor).filter(|factor| factor % 2 == 1);
        odd.map_or_else(|| self.clone(), |factor| self.times(inverse(factor)))
    }

    /// What an indeterminate is if the polynomial is zero: it stands in no product, and its factor
    /// is odd.
    pub fn solved_for(&self, indeterminate: Term) -> Option<Polynomial> {
        let alone = vec![indeterminate];
        let factor = self.parts.get(&alone).copied().filter(|factor| factor % 2 == 1)?;
        let mut others = self.parts.keys().filter(|monomial| **monomial != alone);
        if others.any(|monomial| monomial.contains(&indeterminate)) {
            return None;
        }
        let rest = self.clone().plus(alone, factor.wrapping_neg());
        Some(rest.times(inverse(factor).wrapping_neg()))
    }

    /// The indeterminates that stand alone.
    pub fn alone(&self) -> Vec<Term> {
        self.parts.keys().filter(|monomial| monomial.len() == 1).map(|monomial| monomial[0]).collect()
    }

    /// The polynomial as a term.
    pub fn term(&self, terms: &mut Terms) -> Term {
        let mut sum = terms.constant(self.width, 0);
        for (monomial, factor) in &self.parts {
            let mut product = terms.constant(self.width, *factor);
            for indeterminate in monomial {
                product = terms.mul(product, *indeterminate);
            }
            sum = terms.add(sum, product);
        }
        sum
    }
}

/// The inverse of an odd number, by Newton's method: every round doubles the bits that are right.
fn inverse(odd: u128) -> u128 {
    (0..7).fold(odd, |found, _| found.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(found))))
}

/// Polynomials of terms, each computed once.
#[derive(Default)]
pub struct Polynomials {
    of: FxHashMap<Term, Polynomial>,
    /// Terms in which all sums and products are in normal form.
    normal: FxHashMap<Term, Term>,
}

impl Polynomials {
    /// The polynomial of a number.
    pub fn of(&mut self, terms: &mut Terms, number: Term) -> Polynomial {
        self.visit(terms, number);
        self.of[&number].clone()
    }

    /// A term that means the same, with all sums and products in normal form.
    pub fn normal(&mut self, terms: &mut Terms, term: Term) -> Term {
        self.visit(terms, term);
        self.normal[&term]
    }

    /// Terms come after their arguments.
    fn visit(&mut self, terms: &mut Terms, term: Term) {
        let mut open: Vec<Term> = terms.subterms([term]).into_iter().collect();
        open.sort_unstable();
        for term in open {
            if !self.normal.contains_key(&term) {
                self.visit_one(terms, term);
            }
        }
    }

    fn visit_one(&mut self, terms: &mut Terms, term: Term) {
        let node = terms.node(term);
        let is_number = !terms.is_array(term);
        if let Some(polynomial) = self.calculated(terms, term) {
            let normal = polynomial.term(terms);
            self.normal.insert(term, normal);
            self.of.insert(term, polynomial);
            return;
        }
        let args: Vec<Term> = node.args().iter().map(|arg| self.normal[arg]).collect();
        let normal = match node.op {
            Op::Const | Op::Var | Op::Array => term,
            Op::Eq if terms.width(args[0]) > 1 => self.equation(terms, (node.args()[0], node.args()[1])),
            op => terms.apply(op, (node.width, node.low), &args),
        };
        self.normal.insert(term, normal);
        if is_number {
            let polynomial = match terms.constant_value(normal) {
                Some(value) => Polynomial::constant(node.width, value),
                None => Polynomial::of_term(node.width, normal),
            };
            self.of.insert(term, polynomial);
        }
    }

    /// The polynomial of a constant, a sum or a product of numbers of more than one bit.
    fn calculated(&self, terms: &Terms, term: Term) -> Option<Polynomial> {
        let node = terms.node(term);
        let of = |number: usize| &self.of[&node.args()[number]];
        if terms.is_array(term) || node.width == 1 {
            return None;
        }
        match node.op {
            Op::Const => Some(Polynomial::constant(node.width, terms.constant_value(term)?)),
            Op::Neg => Some(of(0).times(u128::MAX)),
            // What is left of all ones.
            Op::Not => Some(Polynomial::constant(node.width, u128::MAX).add(of(0), u128::MAX)),
            Op::Add => Some(of(0).add(of(1), 1)).filter(|sum| sum.parts.len() <= MOST),
            Op::Mul => of(0).multiply(of(1)),
            _ => None,
        }
    }

    /// An equation: that the difference of two numbers is zero.
    fn equation(&mut self, terms: &mut Terms, (a, b): (Term, Term)) -> Term {
        let difference = self.of[&a].add(&self.of[&b], u128::MAX).monic();
        let (sum, zero) = (difference.term(terms), terms.constant(difference.width, 0));
        terms.eq(sum, zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_sums_are_the_same_multiplied_out() {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.variable(32, name));
        let both = terms.add(b, c);
        let (whole, part, rest) = (terms.mul(a, both), terms.mul(a, b), terms.mul(a, c));
        let sum = terms.add(part, rest);
        let mut all = Polynomials::default();
        assert_eq!(all.normal(&mut terms, whole), all.normal(&mut terms, sum));
        assert_ne!(all.of(&mut terms, whole), all.of(&mut terms, part));
    }

    #[test]
    fn only_odd_factors_are_solved_for() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.variable(8, name));
        let (two, three) = (terms.constant(8, 2), terms.constant(8, 3));
        // As they are: the constructors would make a shift of the first.
        let (even, odd) = (terms.raw(Op::Mul, 8, 0, &[two, x]), terms.raw(Op::Mul, 8, 0, &[three, y]));
        let sum = terms.add(even, odd);
        let polynomial = Polynomials::default().of(&mut terms, sum);
        assert_eq!(polynomial.solved_for(x), None);
        // 3 * 171 is 1 modulo 256, so that y = -2 * 171 * x.
        let solved = polynomial.solved_for(y).expect("it has an odd factor");
        assert_eq!(solved.parts, BTreeMap::from([(vec![x], 256 - (2 * 171) % 256)]));
    }

    #[test]
    fn a_factor_of_a_product_is_not_solved_for() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.variable(8, name));
        let product = terms.mul(x, y);
        let sum = terms.add(x, product);
        assert_eq!(Polynomials::default().of(&mut terms, sum).solved_for(x), None);
    }
}
