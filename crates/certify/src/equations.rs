//! Questions with products of variables, made easier by solving equations.
//!
//! A solver that sees bits takes minutes to see that `x = a * i` implies
//! `x + a = a * (i + 1)`. As polynomials both sides are the same. The equations among some
//! conditions are solved, each for a variable with an odd factor that stands in no product, and
//! the solution is put in place of the variable everywhere else. What is left has a solution if
//! and only if the conditions had one.

use logic::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::polynomial::{Polynomial, Polynomials};

/// What is left of conditions once their equations are solved. None if they contradict each
/// other. Conditions without products of variables are left as they are.
pub fn solve(terms: &mut Terms, conditions: &[Term]) -> Option<Vec<Term>> {
    if !conditions.iter().any(|condition| has_product(terms, *condition)) {
        return Some(conditions.to_vec());
    }
    let mut open = conditions.to_vec();
    loop {
        open = normal(terms, &open)?;
        let tight = tight(terms, &open);
        open.extend(tight);
        let Some((index, variable, value)) = solvable(terms, &open) else { return normal(terms, &open) };
        open.swap_remove(index);
        let mut images = FxHashMap::from_iter([(variable, value)]);
        open = open.into_iter().map(|condition| terms.substitute(condition, &mut images)).collect();
    }
}

/// Whether there is a product of two numbers of which neither is known.
pub fn has_product(terms: &Terms, condition: Term) -> bool {
    let is_product = |term: &Term| {
        let node = terms.node(*term);
        node.op == Op::Mul && node.args().iter().all(|arg| terms.constant_value(*arg).is_none())
    };
    terms.subterms([condition]).iter().any(is_product)
}

/// Conditions in normal form, each once. None if one of them is false, or the opposite of another.
fn normal(terms: &mut Terms, conditions: &[Term]) -> Option<Vec<Term>> {
    let mut polynomials = Polynomials::default();
    let mut found = Vec::new();
    let mut open = conditions.to_vec();
    while let Some(condition) = open.pop() {
        let condition = polynomials.normal(terms, condition);
        let node = terms.node(condition);
        match node.op {
            Op::And => open.extend(node.args()),
            _ if terms.is_true(condition) => {}
            _ => found.push(condition),
        }
    }
    found.sort_unstable();
    found.dedup();
    let all: FxHashSet<Term> = found.iter().copied().collect();
    let contradicts = |condition: &Term| terms.is_false(*condition) || opposite(terms, *condition, &all);
    (!found.iter().any(contradicts)).then_some(found)
}

/// Whether a condition is the negation of one of these.
fn opposite(terms: &Terms, condition: Term, all: &FxHashSet<Term>) -> bool {
    let node = terms.node(condition);
    node.op == Op::Not && all.contains(&node.args()[0])
}

/// A comparison: the operation, what is compared, and whether it holds.
type Comparison = (Op, Polynomial, Polynomial, bool);

/// The equations that two comparisons come to: where neither is less, both are equal; and where
/// `x < y` but not `x + 1 < y`, `y` is `x + 1`. (As `x` is less than something, `x + 1` does not
/// wrap.)
fn tight(terms: &mut Terms, conditions: &[Term]) -> Vec<Term> {
    let mut polynomials = Polynomials::default();
    let mut comparisons: Vec<Comparison> = Vec::new();
    for condition in conditions {
        let (inner, holds) = match terms.node(*condition) {
            node if node.op == Op::Not => (node.args()[0], false),
            _ => (*condition, true),
        };
        let node = terms.node(inner);
        if matches!(node.op, Op::Ult | Op::Slt) {
            let [a, b] = [0, 1].map(|number| polynomials.of(terms, node.args()[number]));
            comparisons.push((node.op, a, b, holds));
        }
    }
    let mut found = Vec::new();
    for (op, a, b, holds) in &comparisons {
        for (other_op, c, d, other_holds) in &comparisons {
            if op != other_op || *other_holds {
                continue;
            }
            // Neither a < b nor b < a; or a < b but not a + 1 < b.
            let is_next = || c.add(a, u128::MAX).value() == Some(1) && b == d;
            let equal = match holds {
                false => (a == d && b == c).then_some((a, b)),
                true => is_next().then_some((b, c)),
            };
            if let Some((x, y)) = equal {
                let (x, y) = (x.term(terms), y.term(terms));
                found.push(terms.eq(x, y));
            }
        }
    }
    found
}

/// An equation that says what a variable is, by its position: those without products first, so
/// that what they say is put into products.
fn solvable(terms: &mut Terms, conditions: &[Term]) -> Option<(usize, Term, Term)> {
    let mut polynomials = Polynomials::default();
    let mut with_product = None;
    for (index, condition) in conditions.iter().enumerate() {
        let node = terms.node(*condition);
        if node.op != Op::Eq {
            continue;
        }
        let [a, b] = [0, 1].map(|number| polynomials.of(terms, node.args()[number]));
        let difference = a.add(&b, u128::MAX);
        let Some((variable, value)) = solved(terms, &difference) else { continue };
        if difference.is_linear() {
            return Some((index, variable, value));
        }
        with_product.get_or_insert((index, variable, value));
    }
    with_product
}

/// A variable, and its value if a polynomial is zero, which does not depend on the variable.
fn solved(terms: &mut Terms, polynomial: &Polynomial) -> Option<(Term, Term)> {
    polynomial.alone().into_iter().find_map(|variable| {
        let is_variable = terms.node(variable).op == Op::Var;
        let value = polynomial.solved_for(variable).filter(|_| is_variable)?.term(terms);
        (!terms.variables_in(value).contains(&variable)).then_some((variable, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Variables `x, y, a, b, i` of 32 bits.
    fn variables(terms: &mut Terms) -> [Term; 5] {
        ["x", "y", "a", "b", "i"].map(|name| terms.variable(32, name))
    }

    #[test]
    fn adding_once_more_is_multiplying_by_one_more() {
        let mut terms = Terms::new();
        let [x, _, a, _, i] = variables(&mut terms);
        let one = terms.constant(32, 1);
        let (product, next) = (terms.mul(a, i), terms.add(i, one));
        let (sum, more) = (terms.add(x, a), terms.mul(a, next));
        let (before, after) = (terms.eq(x, product), terms.eq(sum, more));
        let not = terms.not(after);
        assert_eq!(solve(&mut terms, &[before, not]), None);
        assert_ne!(solve(&mut terms, &[before, after]), None);
    }

    #[test]
    fn the_last_round_is_where_bounds_meet() {
        let mut terms = Terms::new();
        let [x, y, a, b, i] = variables(&mut terms);
        let one = terms.constant(32, 1);
        let (all, next) = (terms.mul(a, b), terms.add(i, one));
        let so_far = terms.mul(a, next);
        let (less, last) = (terms.ult(i, b), terms.ult(next, b));
        let is_last = terms.not(last);
        let (of_x, of_y) = (terms.eq(x, so_far), terms.eq(y, all));
        let differ = terms.ne(x, y);
        assert_eq!(solve(&mut terms, &[less, is_last, of_x, of_y, differ]), None);
        // Without the bound the loop may have gone on for too long.
        assert_ne!(solve(&mut terms, &[is_last, of_x, of_y, differ]), None);
        assert_ne!(solve(&mut terms, &[less, last, of_x, of_y, differ]), None);
    }

    #[test]
    fn an_even_factor_says_nothing_of_the_highest_bit() {
        let mut terms = Terms::new();
        let [x, y, a, b, _] = variables(&mut terms);
        let two = terms.constant(32, 2);
        let (twice, twice_y, product) = (terms.mul(two, x), terms.mul(two, y), terms.mul(a, b));
        let (equal, differ, other) = (terms.eq(twice, twice_y), terms.ne(x, y), terms.ne(product, x));
        assert_ne!(solve(&mut terms, &[equal, differ, other]), None);
    }
}
