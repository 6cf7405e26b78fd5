//! Which threads are put off for ever, where loops are known to end.
//!
//! An execution under a schedule is a sequence of *pieces*: steps from one place to another, with
//! the conditions under which they are taken and what they do to data. One that goes on for ever
//! repeats the pieces of some cycles for ever. If there is a number that all pieces of these
//! cycles leave as it is or make smaller, as an unsigned one, those that make it smaller cannot
//! be repeated for ever, and the others must make cycles of their own. Where that is said again
//! and again, until no cycle is left, this is a lexicographic ranking function.
//!
//! Numbers are looked for among those that the conditions compare: how far a counter is from its
//! bound.

use std::collections::BTreeSet;

use logic::{Op, Term, Terms};
use machine::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};

/// No more terms are looked at for numbers that become smaller.
const MOST: usize = 1000;

/// A part of executions, from one place to another.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// What holds of data where it begins, if it is taken.
    pub conditions: Vec<Term>,
    /// The data that change, each with its value over those at the beginning.
    pub values: FxHashMap<Term, Term>,
    /// The threads that move.
    pub movers: BTreeSet<ThreadId>,
    /// The threads that can move somewhere on it.
    pub enabled: BTreeSet<ThreadId>,
}

/// Looks for threads that are put off for ever.
pub struct Endings<'a, F> {
    /// The terms.
    pub terms: &'a mut Terms,
    /// Says whether conditions imply another one.
    pub implies: F,
    /// The variables that stand for data. Others are inputs, which are new whenever a piece is
    /// taken.
    pub data: &'a FxHashSet<Term>,
}

impl<E, F: FnMut(&mut Terms, &[Term], Term) -> Result<bool, E>> Endings<'_, F> {
    /// A thread that may be put off for ever, and a place on a cycle where it is: it can move
    /// somewhere on the cycle, and does not.
    pub fn put_off(&mut self, pieces: &[Piece]) -> Result<Option<(ThreadId, u32)>, E> {
        let threads: BTreeSet<ThreadId> = pieces.iter().flat_map(|piece| piece.enabled.clone()).collect();
        for thread in threads {
            let others = pieces.iter().filter(|piece| !piece.movers.contains(&thread)).collect();
            if let Some(place) = self.repeated(others, thread, true)? {
                return Ok(Some((thread, place)));
            }
        }
        Ok(None)
    }

    /// A place on a cycle of some pieces, which may be repeated for ever and puts off a thread. What
    /// does not end as far as single pieces tell may be looked at again, where more is known.
    fn repeated(&mut self, pieces: Vec<&Piece>, thread: ThreadId, again: bool) -> Result<Option<u32>, E> {
        for component in components(&pieces) {
            let Some(waits) = component.iter().find(|piece| piece.enabled.contains(&thread)) else {
                continue;
            };
            let place = waits.from;
            let rest = self.not_smaller(&component)?;
            let found = match rest.len() == component.len() {
                false => self.repeated(rest, thread, true)?,
                true if again => {
                    let stronger = self.with_decisions(&component)?;
                    self.repeated(stronger.iter().collect(), thread, false)?
                }
                true => Some(place),
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The pieces of a cycle with more conditions: what was compared in the piece before, if
    /// that is kept for a decision in the next one. It holds from the second piece on.
    fn with_decisions(&mut self, pieces: &[&Piece]) -> Result<Vec<Piece>, E> {
        let mut stronger: Vec<Piece> = pieces.iter().map(|piece| (*piece).clone()).collect();
        for piece in pieces {
            for (kept, value) in &piece.values {
                let Some(fact) = self.decision(piece, *kept, *value) else { continue };
                let mut before = pieces.iter().filter(|other| other.to == piece.to);
                let holds = before.try_fold(true, |holds, other| {
                    let after = self.terms.substitute(fact, &mut other.values.clone());
                    Ok(holds && (self.implies)(self.terms, &other.conditions, after)?)
                })?;
                let next = stronger.iter_mut().filter(|next| holds && next.from == piece.to);
                next.for_each(|next| next.conditions.push(fact));
            }
        }
        Ok(stronger)
    }

    /// That a truth value which a piece keeps says what was compared, in terms of the data after it.
    fn decision(&mut self, piece: &Piece, kept: Term, value: Term) -> Option<Term> {
        if self.terms.is_array(kept)
            || self.terms.width(kept) != 1
            || self.terms.constant_value(value).is_some()
        {
            return None;
        }
        let numbers = piece.values.iter().filter(|(variable, _)| **variable != kept);
        let mut names: FxHashMap<Term, Term> = numbers
            .filter(|(_, value)| self.terms.constant_value(**value).is_none())
            .map(|(v, t)| (*t, *v))
            .collect();
        let compared = self.terms.substitute(value, &mut names);
        let fact = self.terms.eq(kept, compared);
        // An input is another one in the next piece.
        self.is_over_data(fact).then_some(fact)
    }

    /// The pieces that leave a number as it is which none of them makes larger; all of them if
    /// there is no such number.
    fn not_smaller<'p>(&mut self, pieces: &[&'p Piece]) -> Result<Vec<&'p Piece>, E> {
        for number in self.candidates(pieces) {
            let mut rest = Vec::new();
            let mut fits = true;
            for piece in pieces {
                match self.change(piece, number)? {
                    Change::Smaller => {}
                    Change::None => rest.push(*piece),
                    Change::Other => {
                        fits = false;
                        break;
                    }
                }
            }
            if fits && rest.len() < pieces.len() {
                return Ok(rest);
            }
        }
        Ok(pieces.to_vec())
    }

    fn change(&mut self, piece: &Piece, number: Term) -> Result<Change, E> {
        let after = self.terms.substitute(number, &mut piece.values.clone());
        if after == number {
            return Ok(Change::None);
        }
        let smaller = self.terms.ult(after, number);
        if (self.implies)(self.terms, &piece.conditions, smaller)? {
            return Ok(Change::Smaller);
        }
        let same = self.terms.eq(after, number);
        let not_larger = self.terms.or(smaller, same);
        let holds = (self.implies)(self.terms, &piece.conditions, not_larger)?;
        Ok(if holds { Change::None } else { Change::Other })
    }

    /// Whether a term depends on data, and on nothing else.
    fn is_over_data(&self, term: Term) -> bool {
        let variables = self.terms.variables_in(term);
        !variables.is_empty() && variables.iter().all(|variable| self.data.contains(variable))
    }

    /// Numbers that may become smaller: what conditions compare, and how far it is apart.
    fn candidates(&mut self, pieces: &[&Piece]) -> Vec<Term> {
        let (mut found, mut visited) = (Vec::new(), FxHashSet::default());
        let mut work: Vec<Term> = pieces.iter().flat_map(|piece| piece.conditions.clone()).collect();
        while let Some(term) = work.pop() {
            let node = self.terms.node(term);
            if !visited.insert(term) || visited.len() > MOST {
                continue;
            }
            match (node.op, node.args()) {
                (Op::Ult | Op::Slt | Op::Eq, &[a, b])
                    if !self.terms.is_array(a) && self.terms.width(a) > 1 =>
                {
                    found.extend([self.terms.sub(b, a), self.terms.sub(a, b), a, b]);
                }
                (Op::Not | Op::And | Op::Xor | Op::Eq | Op::Ite, arguments) => work.extend(arguments),
                _ => {}
            }
        }
        let mut seen = FxHashSet::default();
        found.retain(|number| self.is_over_data(*number) && seen.insert(*number));
        found
    }
}

/// What a piece does to a number.
enum Change {
    /// It makes it smaller.
    Smaller,
    /// It does not make it larger.
    None,
    /// It may make it larger.
    Other,
}

/// The strongly connected components of pieces, without the pieces between them.
fn components<'p>(pieces: &[&'p Piece]) -> Vec<Vec<&'p Piece>> {
    let mut after: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for piece in pieces {
        after.entry(piece.from).or_default().push(piece.to);
        after.entry(piece.to).or_default();
    }
    let number = numbers(&after);
    let mut found: FxHashMap<usize, Vec<&'p Piece>> = FxHashMap::default();
    for piece in pieces.iter().filter(|piece| number[&piece.from] == number[&piece.to]) {
        found.entry(number[&piece.from]).or_default().push(piece);
    }
    let mut found: Vec<(usize, Vec<&'p Piece>)> = found.into_iter().collect();
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, pieces)| pieces).collect()
}

/// The number of the component of each place: places come back to each other if they have the
/// same (Kosaraju).
fn numbers(after: &FxHashMap<u32, Vec<u32>>) -> FxHashMap<u32, usize> {
    let mut places: Vec<u32> = after.keys().copied().collect();
    places.sort_unstable();
    let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
    for place in &places {
        finish(*place, after, &mut seen, &mut order);
    }
    let mut before: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (from, targets) in after {
        targets.iter().for_each(|to| before.entry(*to).or_default().push(*from));
    }
    let (mut number, mut seen) = (FxHashMap::default(), FxHashSet::default());
    for (count, place) in order.into_iter().rev().enumerate() {
        let mut own = Vec::new();
        finish(place, &before, &mut seen, &mut own);
        own.into_iter().for_each(|other| _ = number.insert(other, count));
    }
    number
}

/// Adds all places that can be reached and were not seen, each after those that come after it.
fn finish(start: u32, after: &FxHashMap<u32, Vec<u32>>, seen: &mut FxHashSet<u32>, order: &mut Vec<u32>) {
    if !seen.insert(start) {
        return;
    }
    let mut stack = vec![(start, 0)];
    while let Some((place, next)) = stack.last_mut() {
        let target = after.get(place).and_then(|targets| targets.get(*next)).copied();
        *next += 1;
        match target {
            Some(target) if seen.insert(target) => stack.push((target, 0)),
            Some(_) => {}
            None => {
                order.push(*place);
                stack.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Answer, SolverKind};

    /// A loop of thread 0 while thread 1 could move, under a condition and with a change of `i`.
    fn put_off(loops: impl Fn(&mut Terms, Term, Term, Term) -> Vec<(Term, Term)>) -> Option<(ThreadId, u32)> {
        let mut terms = Terms::new();
        let (i, n, input) = (terms.variable(32, "i"), terms.variable(32, "n"), terms.variable(32, "input"));
        let pieces = loops(&mut terms, i, n, input).into_iter().map(|(condition, value)| Piece {
            conditions: vec![condition],
            values: [(i, value)].into_iter().collect(),
            movers: [ThreadId(0)].into_iter().collect(),
            enabled: [ThreadId(0), ThreadId(1)].into_iter().collect(),
            ..Piece::default()
        });
        let pieces: Vec<Piece> = pieces.collect();
        let mut solver = logic::open(SolverKind::Cadical).expect("there is a solver");
        let implies = |terms: &mut Terms, from: &[Term], condition: Term| {
            let not = terms.not(condition);
            let answer = solver.check(terms, &[from, &[not]].concat());
            Ok::<bool, ()>(matches!(answer, Ok(Answer::Unsat(_))))
        };
        let data = [i, n].into_iter().collect();
        Endings { terms: &mut terms, implies, data: &data }.put_off(&pieces).expect("it is answered")
    }

    fn plus(terms: &mut Terms, number: Term, more: u128) -> Term {
        let more = terms.constant(32, more);
        terms.add(number, more)
    }

    #[test]
    fn a_counter_comes_to_its_bound() {
        let found = put_off(|terms, i, n, _| vec![(terms.ult(i, n), plus(terms, i, 1))]);
        assert_eq!(found, None);
    }

    #[test]
    fn one_that_steps_over_its_bound_does_not() {
        let found = put_off(|terms, i, n, _| {
            let equal = terms.eq(i, n);
            vec![(terms.not(equal), plus(terms, i, 2))]
        });
        assert_eq!(found, Some((ThreadId(1), 0)));
    }

    #[test]
    fn nor_does_one_whose_bound_is_always_another() {
        let found = put_off(|terms, i, _, input| vec![(terms.ult(i, input), plus(terms, i, 1))]);
        assert_eq!(found, Some((ThreadId(1), 0)));
    }

    #[test]
    fn nor_one_that_may_be_set_back() {
        let found = put_off(|terms, i, n, _| {
            let below = terms.ult(i, n);
            vec![(below, plus(terms, i, 1)), (below, terms.constant(32, 0))]
        });
        assert_eq!(found, Some((ThreadId(1), 0)));
    }
}
