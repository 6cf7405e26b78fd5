//! Sums of terms with constant factors: a normal form, and equations solved in it.
//!
//! A solver that sees only bits finds it hard to see that `x = y - z` implies
//! `x + 1 = (y + 1) - z`. As sums these are the same equation. [`solve`] takes the
//! equations among some conditions, solves each for a variable that has an odd factor,
//! and puts the solution into all the others.

use std::collections::BTreeMap;

use bits::{inverse, narrow};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::{Op, Term, Terms};

/// A sum, modulo two to the power of its width.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Linear {
    width: u8,
    /// The terms that are no sums themselves, each with its factor, which is not zero.
    parts: BTreeMap<Term, u64>,
    constant: u64,
}

impl Linear {
    fn constant(width: u8, constant: u64) -> Linear {
        Linear { width, parts: BTreeMap::new(), constant }
    }

    fn mask(&self) -> u64 {
        narrow::mask(self.width)
    }

    fn add(&mut self, other: &Linear, factor: u64) {
        let mask = self.mask();
        for (part, times) in &other.parts {
            let known = self.parts.entry(*part).or_default();
            *known = known.wrapping_add(times.wrapping_mul(factor)) & mask;
            if *known == 0 {
                self.parts.remove(part);
            }
        }
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(factor)) & mask;
    }
}

/// What conditions come to once their equations are solved.
#[derive(Default)]
pub struct Solution {
    /// The variables, each with its value, a term over others, in the order in which they
    /// were solved.
    pub solved: Vec<(Term, Term)>,
    /// What is left of each condition: nothing but truth of one that was solved.
    pub left: Vec<Term>,
    /// The equations that what is left of each condition rests on besides, as positions.
    pub grounds: Vec<Vec<usize>>,
}

/// A variable and its value, with the equations that say so.
struct Solved {
    variable: Term,
    value: Linear,
    grounds: Vec<usize>,
}

/// Solves the equations among conditions, and those that comparisons among them come to. Those
/// between variables come first: what they say is put into products and elements of arrays.
pub fn solve(terms: &mut Terms, conditions: &[Term]) -> Solution {
    let own = conditions.iter().enumerate().map(|(index, condition)| (*condition, vec![index]));
    let all = tight(terms, conditions).into_iter().chain(own);
    let mut equations: Vec<(Term, Linear, Vec<usize>)> =
        all.filter_map(|(term, own)| Some((term, terms.equation(term)?, own))).collect();
    equations.sort_by_key(|(_, equation, _)| !terms.is_between_variables(equation));
    let mut sums: Vec<Solved> = Vec::new();
    let mut used = vec![false; conditions.len()];
    for (condition, mut equation, own) in equations {
        let mut grounds = own.clone();
        if !sums.is_empty() && !terms.is_between_variables(&equation) {
            unite(&mut grounds, &terms.grounds(condition, &sums));
            let Some(known) = terms.with_values(condition, &sums) else { continue };
            equation = known;
        }
        for known in &sums {
            if eliminate(&mut equation, known.variable, &known.value) {
                unite(&mut grounds, &known.grounds);
            }
        }
        let Some((variable, value)) = terms.solved(&equation, &sums) else { continue };
        for other in &mut sums {
            if eliminate(&mut other.value, variable, &value) {
                unite(&mut other.grounds, &grounds);
            }
        }
        sums.push(Solved { variable, value, grounds });
        if let [index] = own[..] {
            used[index] = true;
        }
    }
    let mut images = FxHashMap::default();
    let mut solution = Solution::default();
    for Solved { variable, value, .. } in &sums {
        let value = terms.sum(value);
        images.insert(*variable, value);
        solution.solved.push((*variable, value));
    }
    for (condition, used) in conditions.iter().zip(used) {
        let (left, grounds) = match used {
            true => (terms.boolean(true), Vec::new()),
            false => {
                let known = terms.substitute(*condition, &mut images);
                (terms.normal_sums(known), terms.grounds(*condition, &sums))
            }
        };
        solution.left.push(left);
        solution.grounds.push(grounds);
    }
    solution
}

/// The equations that two comparisons come to: `x <= y` and `y <= x`, or `x < y` and `y <= x + 1`,
/// each with the positions of both. (As `x` is less than something, `x + 1` does not wrap.)
fn tight(terms: &mut Terms, conditions: &[Term]) -> Vec<(Term, Vec<usize>)> {
    let (mut less, mut not_less) = (FxHashMap::default(), Vec::new());
    for (index, condition) in conditions.iter().enumerate() {
        let node = terms.node(*condition);
        let (inner, is_negated) = match (node.op, node.args()) {
            (Op::Not, [inner]) => (terms.node(*inner), true),
            _ => (node, false),
        };
        match (inner.op, inner.args()) {
            (op @ (Op::Slt | Op::Ult), &[x, y]) if is_negated => not_less.push((op, x, y, index)),
            (op @ (Op::Slt | Op::Ult), &[x, y]) => _ = less.insert((op, x, y), index),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for (op, x, y, index) in &not_less {
        if !(2..=64).contains(&terms.width(*x)) {
            continue;
        }
        let reverse = not_less.iter().find(|(other, z, w, _)| other == op && (z, w) == (y, x));
        let minus_one = terms.constant(terms.width(*x), u128::MAX);
        let before = terms.add(*x, minus_one);
        let other = reverse.map(|(.., other)| *other).or_else(|| less.get(&(*op, before, *y)).copied());
        if let Some(other) = other {
            found.push((terms.eq(*x, *y), vec![*index.min(&other), other.max(*index)]));
        }
    }
    found
}

/// Puts the value of a variable into an equation. Yields whether the variable was there.
fn eliminate(equation: &mut Linear, variable: Term, value: &Linear) -> bool {
    if value.width != equation.width {
        return false;
    }
    let factor = equation.parts.remove(&variable);
    factor.into_iter().for_each(|factor| equation.add(value, factor));
    factor.is_some()
}

/// Adds positions, in ascending order and each once.
fn unite(grounds: &mut Vec<usize>, others: &[usize]) {
    grounds.extend(others);
    grounds.sort_unstable();
    grounds.dedup();
}

impl Terms {
    /// A term as a sum.
    fn linear(&self, term: Term) -> Linear {
        let width = self.width(term);
        let mut sum = Linear::constant(width, 0);
        let mut work = vec![(term, 1u64)];
        while let Some((term, factor)) = work.pop() {
            let node = self.node(term);
            match (node.op, node.args()) {
                (Op::Const, _) => {
                    let value = self.constant_value(term).expect("a constant") as u64;
                    sum.add(&Linear::constant(width, value), factor);
                }
                (Op::Add, [a, b]) => work.extend([(*a, factor), (*b, factor)]),
                (Op::Neg, [a]) => work.push((*a, factor.wrapping_neg())),
                (Op::Mul, [a, b]) => match (self.constant_value(*a), self.constant_value(*b)) {
                    (Some(by), _) => work.push((*b, factor.wrapping_mul(by as u64))),
                    (_, Some(by)) => work.push((*a, factor.wrapping_mul(by as u64))),
                    _ => sum.add(&Linear { parts: [(term, 1)].into(), ..Linear::constant(width, 0) }, factor),
                },
                _ => match self.shifted_left(term) {
                    Some((shifted, by)) => work.push((shifted, factor << by)),
                    None => {
                        sum.add(&Linear { parts: [(term, 1)].into(), ..Linear::constant(width, 0) }, factor);
                    }
                },
            }
        }
        sum
    }

    /// What a term is shifted from, and by how many bits. (A product with a power of two
    /// is rewritten to the lower bits of the factor, and zeros.)
    fn shifted_left(&self, term: Term) -> Option<(Term, u8)> {
        let node = self.node(term);
        let (Op::Concat, &[upper, zeros]) = (node.op, node.args()) else { return None };
        let part = self.node(upper);
        let (Op::Extract, &[shifted]) = (part.op, part.args()) else { return None };
        let is_shift = self.constant_value(zeros) == Some(0) && part.low == 0;
        (is_shift && self.width(shifted) == node.width).then(|| (shifted, self.width(zeros)))
    }

    /// Whether an equation is between variables and constants alone.
    fn is_between_variables(&self, equation: &Linear) -> bool {
        equation.parts.keys().all(|part| self.node(*part).op == Op::Var)
    }

    /// An equation with the values of variables that are known, also within its parts.
    fn with_values(&mut self, condition: Term, sums: &[Solved]) -> Option<Linear> {
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        for Solved { variable, value, .. } in sums {
            images.insert(*variable, self.sum(value));
        }
        let known = self.substitute(condition, &mut images);
        self.equation(known)
    }

    /// The sum that a condition says to be zero, if it says that.
    fn equation(&self, condition: Term) -> Option<Linear> {
        let node = self.node(condition);
        let (Op::Eq, [a, b]) = (node.op, node.args()) else { return None };
        if !(2..=64).contains(&self.width(*a)) {
            return None;
        }
        let mut sum = self.linear(*a);
        sum.add(&self.linear(*b), u64::MAX);
        Some(sum)
    }

    /// The equations that the values of a condition's variables rest on.
    fn grounds(&self, condition: Term, sums: &[Solved]) -> Vec<usize> {
        if sums.is_empty() {
            return Vec::new();
        }
        let variables: FxHashSet<Term> = self.variables_in(condition).into_iter().collect();
        let mut grounds = Vec::new();
        for known in sums.iter().filter(|known| variables.contains(&known.variable)) {
            unite(&mut grounds, &known.grounds);
        }
        grounds
    }

    /// A variable with an odd factor that occurs nowhere else in the equation nor in
    /// solutions, and its value.
    fn solved(&self, equation: &Linear, sums: &[Solved]) -> Option<(Term, Linear)> {
        let hidden: FxHashSet<Term> = equation
            .parts
            .keys()
            .chain(sums.iter().flat_map(|known| known.value.parts.keys()))
            .filter(|part| self.node(**part).op != Op::Var)
            .flat_map(|part| self.variables_in(*part))
            .collect();
        let can = |(part, factor): &(&Term, &u64)| {
            self.node(**part).op == Op::Var && **factor & 1 == 1 && !hidden.contains(part)
        };
        // Those with the factors 1 and -1 make the simplest solutions.
        let mask = equation.mask();
        let is_one = |factor: u64| factor == 1 || factor == mask;
        let (variable, factor) =
            equation.parts.iter().filter(can).min_by_key(|(_, factor)| !is_one(**factor))?;
        let mut value = Linear::constant(equation.width, 0);
        let mut rest = equation.clone();
        rest.parts.remove(variable);
        value.add(&rest, inverse(*factor).wrapping_neg());
        // No solved variable may be left in what another stands for, not even within a part
        // that is no sum: its own value is not put in there.
        let inside: FxHashSet<Term> = value.parts.keys().flat_map(|part| self.variables_in(*part)).collect();
        let solved = sums.iter().any(|known| inside.contains(&known.variable));
        (!solved).then_some((*variable, value))
    }

    /// The term of a sum.
    fn sum(&mut self, sum: &Linear) -> Term {
        let mut term = self.constant(sum.width, sum.constant.into());
        for (part, factor) in &sum.parts {
            let factor = self.constant(sum.width, (*factor).into());
            let product = self.mul(*part, factor);
            term = self.add(term, product);
        }
        term
    }

    /// The same condition with its equations and comparisons between sums in normal
    /// form.
    fn normal_sums(&mut self, condition: Term) -> Term {
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        let (mut work, mut seen) = (vec![condition], FxHashSet::default());
        let mut compared = Vec::new();
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = self.node(term);
            match (node.op, node.args()) {
                (Op::Eq | Op::Slt | Op::Ult, [a, b]) if (2..=64).contains(&self.width(*a)) => {
                    compared.push((term, node.op, *a, *b));
                }
                (_, args) => work.extend(args),
            }
        }
        for (term, op, a, b) in compared {
            let image = match op {
                Op::Eq => {
                    let mut difference = self.linear(a);
                    difference.add(&self.linear(b), u64::MAX);
                    self.is_zero(difference)
                }
                _ => {
                    let (a, b) = (self.linear(a), self.linear(b));
                    let (a, b) = (self.sum(&a), self.sum(&b));
                    if op == Op::Slt { self.slt(a, b) } else { self.ult(a, b) }
                }
            };
            images.insert(term, image);
        }
        self.substitute(condition, &mut images)
    }

    /// That a sum is zero.
    fn is_zero(&mut self, mut sum: Linear) -> Term {
        let right = self.constant(sum.width, (sum.constant.wrapping_neg() & sum.mask()).into());
        sum.constant = 0;
        let left = self.sum(&sum);
        self.eq(left, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::testing::Random;

    #[test]
    fn equations_follow_from_others() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(32, name));
        let one = terms.constant(32, 1);
        let difference = terms.sub(y, z);
        let known = terms.eq(x, difference);
        let (next_x, next_y) = (terms.add(x, one), terms.add(y, one));
        let next = terms.sub(next_y, z);
        let claimed = terms.eq(next_x, next);
        let not = terms.not(claimed);
        let Solution { left, grounds, .. } = solve(&mut terms, &[known, not]);
        assert_eq!(terms.constant_value(left[1]), Some(0));
        assert_eq!(grounds[1], [0]);
    }

    #[test]
    fn only_equations_that_matter_are_grounds() {
        let mut terms = Terms::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| terms.variable(32, name));
        let (first, second, other) = (terms.eq(a, b), terms.eq(b, c), terms.eq(d, a));
        let claimed = terms.eq(a, c);
        let not = terms.not(claimed);
        let Solution { left, grounds, .. } = solve(&mut terms, &[other, first, second, not]);
        assert_eq!(terms.constant_value(left[3]), Some(0));
        assert!(grounds[3].contains(&1) && grounds[3].contains(&2));
    }

    #[test]
    fn factors_that_double_stay_in_step() {
        let mut terms = Terms::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| terms.variable(32, name));
        let zero = terms.constant(32, 0);
        let four = terms.constant(32, 4);
        let difference = terms.sub(b, a);
        let equal = terms.eq(difference, zero);
        let product = terms.mul(d, four);
        let difference = terms.sub(c, product);
        let scaled = terms.eq(difference, zero);
        let mut fourfold = |x| {
            let double = terms.add(x, x);
            terms.add(double, double)
        };
        let [a4, b4, c4, d4] = [a, b, c, d].map(&mut fourfold);
        let difference = terms.sub(b4, a4);
        let still_equal = terms.eq(difference, zero);
        let product = terms.mul(d4, four);
        let difference = terms.sub(c4, product);
        let still_scaled = terms.eq(difference, zero);
        let both = terms.and(still_equal, still_scaled);
        let not = terms.not(both);
        let Solution { left, grounds, .. } = solve(&mut terms, &[equal, scaled, not]);
        assert_eq!(grounds[2], [0, 1]);
        assert_eq!(terms.constant_value(left[2]), Some(0));
    }

    /// Random conditions over three small variables: what is left holds for the values
    /// of the others exactly if all conditions hold with the solved values.
    #[test]
    fn what_is_left_means_the_same() {
        let mut random = Random::new(3);
        for _ in 0..3000 {
            let mut terms = Terms::new();
            let variables = ["x", "y", "z"].map(|name| terms.variable(3, name));
            let conditions: Vec<Term> =
                (0..3).map(|_| condition(&mut terms, &mut random, &variables)).collect();
            means_the_same(&mut terms, &variables, &conditions);
        }
    }

    /// The same where two of the conditions come to an equation.
    #[test]
    fn comparisons_that_come_to_equations_mean_the_same() {
        let mut random = Random::new(4);
        let mut solved = 0;
        for round in 0..1000 {
            let mut terms = Terms::new();
            let variables = ["x", "y", "z"].map(|name| terms.variable(3, name));
            let (a, b) = (sum(&mut terms, &mut random, &variables), variables[random.below(3) as usize]);
            let one = terms.constant(3, 1);
            let next = terms.add(a, one);
            let less =
                |terms: &mut Terms, x, y| if round % 2 == 0 { terms.slt(x, y) } else { terms.ult(x, y) };
            let first = if round % 4 < 2 {
                less(&mut terms, a, b)
            } else {
                let more = less(&mut terms, b, next);
                terms.not(more)
            };
            let second = less(&mut terms, next, b);
            let third = condition(&mut terms, &mut random, &variables);
            let conditions = [first, terms.not(second), third];
            solved += usize::from(!tight(&mut terms, &conditions).is_empty());
            means_the_same(&mut terms, &variables, &conditions);
        }
        assert!(solved > 300, "{solved}");
    }

    fn means_the_same(terms: &mut Terms, variables: &[Term; 3], conditions: &[Term]) {
        let solution = solve(terms, conditions);
        let left = &solution.left;
        for bits in 0..512u128 {
            let value = |variable: Term| {
                let index = variables.iter().position(|v| *v == variable).expect("one of three");
                bits >> (3 * index) & 7
            };
            let mut evaluation = Evaluation::new(terms, value);
            let all = conditions.iter().all(|condition| evaluation.holds(*condition));
            let solved = solution.solved.iter().all(|(v, image)| evaluation.value(*image) == value(*v));
            let rest = left.iter().all(|condition| evaluation.holds(*condition));
            assert_eq!(all, solved && rest);
            for (index, left) in left.iter().enumerate() {
                let grounds = solution.grounds[index].iter().chain([&index]);
                let mut each = grounds.map(|index| conditions[*index]);
                assert!(evaluation.holds(*left) || !each.all(|condition| evaluation.holds(condition)));
            }
            if rest {
                let full = with_solved(terms, &solution, variables, bits);
                let mut evaluation = Evaluation::new(terms, |variable| full[&variable]);
                assert!(conditions.iter().all(|condition| evaluation.holds(*condition)));
            }
        }
    }

    /// The values of three variables, of which those that were solved get the values of
    /// their solutions.
    fn with_solved(
        terms: &Terms,
        solution: &Solution,
        variables: &[Term; 3],
        bits: u128,
    ) -> FxHashMap<Term, u128> {
        let mut values: FxHashMap<Term, u128> =
            (0..).zip(variables).map(|(index, variable)| (*variable, bits >> (3 * index) & 7)).collect();
        for (variable, image) in &solution.solved {
            let value = Evaluation::new(terms, |variable| values[&variable]).value(*image);
            values.insert(*variable, value);
        }
        values
    }

    fn condition(terms: &mut Terms, random: &mut Random, variables: &[Term; 3]) -> Term {
        let (a, b) = (sum(terms, random, variables), sum(terms, random, variables));
        let condition = match random.below(4) {
            0 | 1 => terms.eq(a, b),
            2 => terms.slt(a, b),
            _ => terms.ult(a, b),
        };
        if random.below(4) == 0 { terms.not(condition) } else { condition }
    }

    fn sum(terms: &mut Terms, random: &mut Random, variables: &[Term; 3]) -> Term {
        let mut sum = terms.constant(3, random.below(8).into());
        for _ in 0..random.below(4) {
            let mut part = random.pick(variables);
            part = match random.below(6) {
                0 => terms.mul(part, random.pick(variables)),
                1 => terms.and(part, random.pick(variables)),
                _ => part,
            };
            let factor = terms.constant(3, random.below(8).into());
            let product = terms.mul(part, factor);
            sum = terms.add(sum, product);
        }
        sum
    }
}
