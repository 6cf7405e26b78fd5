//! Remainders between which equations are looked for.
//!
//! A loop that counts to `3 * n` in steps of three never stops in between, since its counter is
//! a multiple of three. So where the program compares a counter with a multiple of something,
//! the remainder of the counter is a term that equations may speak of.

use logic::{Op, Term, Terms};
use rustc_hash::FxHashSet;

use crate::product::Product;

/// Remainders by no more than this are looked at.
const LARGEST: u128 = 16;

/// So many remainders are looked at in each vertex.
const MOST: usize = 6;

/// The numbers to divide, each with a number to divide it by.
pub struct Residues(Vec<(Term, u128)>);

impl Residues {
    /// Those that guards of a product suggest.
    pub fn of(product: &Product, terms: &Terms) -> Residues {
        let counters = counters(product, terms);
        let mut found = FxHashSet::default();
        for (_, x, y) in product.guards().filter_map(|guard| terms.comparison(guard)) {
            for (side, other) in [(x, y), (y, x)] {
                let Some(factor) = factor(terms, other) else { continue };
                let counter = terms.without_constant(side);
                if counters.contains(&counter) {
                    found.insert((counter, factor));
                }
            }
        }
        let mut found: Vec<(Term, u128)> = found.into_iter().collect();
        found.sort_unstable();
        Residues(found)
    }

    /// The remainders of numbers that are there.
    pub fn at(&self, numbers: &[Term], terms: &mut Terms) -> Vec<Term> {
        let there = self.0.iter().filter(|(counter, _)| numbers.contains(counter)).take(MOST);
        let mut remainder = |(counter, divisor): &(Term, u128)| {
            let divisor = terms.constant(terms.width(*counter), *divisor);
            terms.urem(*counter, divisor)
        };
        there.map(&mut remainder).collect()
    }
}

/// The variables that a step adds a constant to.
fn counters(product: &Product, terms: &Terms) -> FxHashSet<Term> {
    let steps = product.vertices.iter().flat_map(|vertex| vertex.moves.iter());
    let assignments = steps.flat_map(|step| step.edge.assignments.iter());
    let counts = |(variable, value): &&(Term, Term)| {
        let node = terms.node(*value);
        let (is_sum, args) = (node.op == Op::Add, node.args());
        is_sum && args.contains(variable) && args.iter().any(|arg| terms.constant_value(*arg).is_some())
    };
    assignments.filter(counts).map(|(variable, _)| *variable).collect()
}

/// The small number that a term is a multiple of by the way it is written.
fn factor(terms: &Terms, term: Term) -> Option<u128> {
    let node = terms.node(term);
    let factor = match (node.op, node.args()) {
        (Op::Mul, &[a, b]) => terms.constant_value(a).or(terms.constant_value(b))?,
        // Multiples of powers of two are bits with zeros below.
        (Op::Concat, &[_, low]) if terms.constant_value(low) == Some(0) && terms.width(low) < 8 => {
            1 << terms.width(low)
        }
        _ => return None,
    };
    (2..=LARGEST).contains(&factor).then_some(factor)
}
