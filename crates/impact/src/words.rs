//! Conditions in the source's words: `x == y`, `0 <= i`.

use std::collections::BTreeMap;

use bits::wide::{mask, signed};
use logic::{Op, Term, Terms};
use machine::{Datum, Place, ThreadId};
use rustc_hash::FxHashMap;

use crate::system::{LocationId, System};

/// The names of the data at a location. Data without a name of its own has none here.
pub struct Names(FxHashMap<Term, String>);

impl Names {
    /// What the source calls the data at a location.
    pub fn at(system: &System<'_>, terms: &Terms, location: LocationId) -> Names {
        let variables = system.numbers_at(terms, location);
        let mut named: BTreeMap<String, Vec<(Term, Option<ThreadId>)>> = BTreeMap::new();
        for variable in variables {
            let Some(datum) = system.place(variable) else { continue };
            if let Some((name, thread)) = name(system, location, datum) {
                named.entry(name).or_default().push((variable, thread));
            }
        }
        let mut names = FxHashMap::default();
        for (name, bearers) in named {
            for (variable, thread) in &bearers {
                let peers = bearers.iter().filter(|(_, other)| other == thread).count();
                match thread {
                    _ if bearers.len() == 1 => names.insert(*variable, name.clone()),
                    Some(thread) if peers == 1 => names.insert(*variable, format!("{name}@{thread}")),
                    _ => None,
                };
            }
        }
        Names(names)
    }

    /// All names.
    pub fn all(self) -> impl Iterator<Item = String> {
        self.0.into_values()
    }

    /// A condition in words, if all in it has a name and can be said shortly.
    pub fn condition(&self, terms: &Terms, condition: Term) -> Option<String> {
        let node = terms.node(condition);
        match (node.op, node.args()) {
            (Op::Not, [inner]) => {
                let inner = terms.node(*inner);
                match (inner.op, inner.args()) {
                    (Op::Eq, [a, b]) if terms.width(*a) > 1 => self.equation(terms, *a, *b, "!="),
                    (Op::Extract, [a]) if is_sign(terms, *a, inner.low) => {
                        Some(format!("0 <= {}", self.number(terms, *a)?))
                    }
                    (Op::Slt, [a, b]) => self.comparison(terms, *b, "<=", *a, ""),
                    (Op::Ult, [a, b]) => self.comparison(terms, *b, "<=", *a, "(unsigned)"),
                    (Op::And, [a, b]) => {
                        let side = |side: Term| match (terms.node(side).op, terms.node(side).args()) {
                            (Op::Not, [inner]) => self.condition(terms, *inner),
                            _ => Some(format!("!({})", self.condition(terms, side)?)),
                        };
                        Some(format!("({} || {})", side(*a)?, side(*b)?))
                    }
                    _ => None,
                }
            }
            (Op::Eq, [a, b]) if terms.width(*a) > 1 => self.equation(terms, *a, *b, "=="),
            (Op::Extract, [a]) if node.width == 1 && is_sign(terms, *a, node.low) => {
                Some(format!("{} < 0", self.number(terms, *a)?))
            }
            (Op::Slt, [a, b]) => self.comparison(terms, *a, "<", *b, ""),
            (Op::Ult, [a, b]) => self.comparison(terms, *a, "<", *b, "(unsigned)"),
            (Op::And, [a, b]) if node.width == 1 => {
                Some(format!("({} && {})", self.condition(terms, *a)?, self.condition(terms, *b)?))
            }
            _ => None,
        }
    }

    fn comparison(&self, terms: &Terms, a: Term, sign: &str, b: Term, cast: &str) -> Option<String> {
        let side = |term: Term| {
            let text = self.number(terms, term)?;
            let plain = cast.is_empty() || terms.constant_value(term).is_some();
            Some(if plain { text } else { format!("{cast}{}", bracketed(&text)) })
        };
        Some(format!("{} {sign} {}", side(a)?, side(b)?))
    }

    /// An equation with what is subtracted on one side added on the other.
    fn equation(&self, terms: &Terms, a: Term, b: Term, sign: &str) -> Option<String> {
        let mut sum = Sum::of(terms, a);
        sum.add(&Sum::of(terms, b), -1);
        let (left, right) = sum.sides();
        let (left, right) = (self.sum(terms, &left)?, self.sum(terms, &right)?);
        Some(if left == "0" { format!("{right} {sign} {left}") } else { format!("{left} {sign} {right}") })
    }

    fn number(&self, terms: &Terms, term: Term) -> Option<String> {
        self.sum(terms, &Sum::of(terms, term))
    }

    fn sum(&self, terms: &Terms, sum: &Sum) -> Option<String> {
        let mut out = String::new();
        for (part, factor) in &sum.parts {
            let text = match factor.unsigned_abs() {
                1 => self.atom(terms, *part)?,
                times => format!("{times} * {}", bracketed(&self.atom(terms, *part)?)),
            };
            join(&mut out, *factor < 0, &text);
        }
        if sum.constant != 0 || out.is_empty() {
            join(&mut out, sum.constant < 0, &sum.constant.unsigned_abs().to_string());
        }
        Some(out)
    }

    /// What is no sum.
    fn atom(&self, terms: &Terms, term: Term) -> Option<String> {
        let node = terms.node(term);
        match (node.op, node.args()) {
            (Op::Var, _) => self.0.get(&term).cloned(),
            (Op::SExt, [inner]) => Some(bracketed(&self.number(terms, *inner)?)),
            (Op::Concat, [high, low]) if terms.constant_value(*high) == Some(0) => {
                Some(format!("(unsigned){}", bracketed(&self.number(terms, *low)?)))
            }
            (Op::Mul, [a, b]) => {
                let [a, b] = [*a, *b].map(|side| Some(bracketed(&self.number(terms, side)?)));
                Some(format!("{} * {}", a?, b?))
            }
            (Op::URem, [a, b]) => {
                let [a, b] = [*a, *b].map(|side| Some(bracketed(&self.number(terms, side)?)));
                Some(format!("{} % {}", a?, b?))
            }
            (Op::Ite, [condition, yes, no]) => {
                let [yes, no] = [*yes, *no].map(|side| self.number(terms, side));
                Some(format!("({} ? {} : {})", self.condition(terms, *condition)?, yes?, no?))
            }
            _ => None,
        }
    }
}

/// The name of a place at a location, and the thread whose variable it is.
fn name(system: &System<'_>, location: LocationId, datum: Datum) -> Option<(String, Option<ThreadId>)> {
    let (machine, state) = (system.machine(), system.state(location));
    let program = machine.program();
    match datum {
        Datum::Memory { object, offset, len } => {
            let place = Place { object, offset: offset.into(), len: len.into() };
            Some((machine.describe(state, place), None))
        }
        Datum::Register { thread, depth, slot } => {
            let (function, _) = *machine.stands(state, thread).get(depth as usize)?;
            let slot = program.function(function).slots.get(slot as usize)?;
            Some((program.name(slot.name?).to_owned(), Some(thread)))
        }
        Datum::Size { object } => {
            let place = Place { object, offset: 0, len: 0 };
            Some((format!("sizeof({})", machine.describe(state, place)), None))
        }
        _ => None,
    }
}

/// Whether a bit is the sign of a number.
fn is_sign(terms: &Terms, number: Term, bit: u8) -> bool {
    bit + 1 == terms.width(number)
}

/// What is shifted to the left by how many bits, if a term is that.
fn shifted(terms: &Terms, term: Term) -> Option<(Term, u128)> {
    let node = terms.node(term);
    match (node.op, node.args()) {
        (Op::Shl, [a, by]) => Some((*a, terms.constant_value(*by)?)),
        (Op::Concat, [high, low]) if terms.constant_value(*low) == Some(0) => {
            let part = terms.node(*high);
            let [whole] = part.args() else { return None };
            let fits = part.op == Op::Extract && part.low == 0 && terms.width(*whole) == node.width;
            fits.then_some((*whole, terms.width(*low).into()))
        }
        _ => None,
    }
}

fn bracketed(text: &str) -> String {
    if text.contains(' ') { format!("({text})") } else { text.to_owned() }
}

fn join(out: &mut String, negative: bool, text: &str) {
    match (out.is_empty(), negative) {
        (true, false) => {}
        (true, true) => out.push('-'),
        (false, false) => out.push_str(" + "),
        (false, true) => out.push_str(" - "),
    }
    out.push_str(text);
}

/// A sum of terms with factors, as signed numbers.
#[derive(Default)]
struct Sum {
    width: u8,
    parts: BTreeMap<Term, i128>,
    constant: i128,
}

impl Sum {
    fn of(terms: &Terms, term: Term) -> Sum {
        let node = terms.node(term);
        let mut sum = Sum { width: node.width, ..Sum::default() };
        match (node.op, node.args()) {
            (Op::Const, _) => sum.constant = signed(terms.constant_value(term).unwrap_or(0), node.width),
            (Op::Add, [a, b]) => {
                sum.add(&Sum::of(terms, *a), 1);
                sum.add(&Sum::of(terms, *b), 1);
            }
            (Op::Neg, [a]) => sum.add(&Sum::of(terms, *a), -1),
            (Op::Mul, [a, b]) => match (terms.constant_value(*a), terms.constant_value(*b)) {
                (Some(factor), _) => sum.add(&Sum::of(terms, *b), signed(factor, node.width)),
                (_, Some(factor)) => sum.add(&Sum::of(terms, *a), signed(factor, node.width)),
                _ => sum.parts.extend([(term, 1)]),
            },
            _ => match shifted(terms, term) {
                Some((inner, by)) if by < 64 => sum.add(&Sum::of(terms, inner), 1 << by),
                _ => sum.parts.extend([(term, 1)]),
            },
        }
        sum
    }

    fn wrapped(&self, number: i128) -> i128 {
        signed(number as u128 & mask(self.width), self.width)
    }

    fn add(&mut self, other: &Sum, factor: i128) {
        for (part, times) in &other.parts {
            let known = self.parts.get(part).copied().unwrap_or(0);
            let now = self.wrapped(known.wrapping_add(times.wrapping_mul(factor)));
            self.parts.insert(*part, now);
        }
        self.parts.retain(|_, factor| *factor != 0);
        self.constant = self.wrapped(self.constant.wrapping_add(other.constant.wrapping_mul(factor)));
    }

    /// What has positive factors, and what has negative ones with the signs changed.
    fn sides(&self) -> (Sum, Sum) {
        let side = |negative: bool| {
            let parts = self.parts.iter().filter(|(_, factor)| (**factor < 0) == negative);
            let parts = parts.map(|(part, factor)| (*part, factor.wrapping_abs())).collect();
            let constant = match negative {
                true => self.wrapped(self.constant.min(0).wrapping_neg()),
                false => self.constant.max(0),
            };
            Sum { width: self.width, parts, constant }
        };
        (side(false), side(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(terms: &mut Terms) -> ([Term; 3], Names) {
        let variables = ["x", "y", "i@T1"].map(|name| terms.variable(32, name));
        let names = variables.iter().map(|variable| (*variable, terms.name(*variable).to_owned())).collect();
        (variables, Names(names))
    }

    #[test]
    fn sums_stand_on_the_side_where_they_are_added() {
        let mut terms = Terms::new();
        let ([x, y, i], names) = names(&mut terms);
        let (minus_one, two) = (terms.constant(32, u128::MAX), terms.constant(32, 2));
        let (minus_y, twice) = (terms.mul(y, minus_one), terms.mul(i, two));
        let difference = terms.add(x, minus_y);
        let sum = terms.add(difference, twice);
        let equation = terms.eq(sum, two);
        assert_eq!(names.condition(&terms, equation).as_deref(), Some("x + 2 * i@T1 == y + 2"));
        let least = terms.constant(32, 1 << 31);
        let equation = terms.eq(x, least);
        assert_eq!(names.condition(&terms, equation).as_deref(), Some("x == -2147483648"));
    }

    #[test]
    fn bounds_are_told_as_they_are_written() {
        let mut terms = Terms::new();
        let ([x, y, i], names) = names(&mut terms);
        let zero = terms.constant(32, 0);
        let (bound, unsigned) = (terms.sle(zero, i), terms.ult(x, y));
        assert_eq!(names.condition(&terms, bound).as_deref(), Some("0 <= i@T1"));
        assert_eq!(names.condition(&terms, unsigned).as_deref(), Some("(unsigned)x < (unsigned)y"));
    }

    #[test]
    fn what_has_no_name_is_not_told() {
        let mut terms = Terms::new();
        let ([x, ..], names) = names(&mut terms);
        let unnamed = terms.variable(32, "a temporary");
        let equation = terms.eq(x, unnamed);
        assert_eq!(names.condition(&terms, equation), None);
    }
}
