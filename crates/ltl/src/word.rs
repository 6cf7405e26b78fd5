//! Words that end in a cycle, and what formulas and automata say of them.
//!
//! What a formula says is computed here from the definition of its operators. Automata
//! are checked against it, and so is each counterexample.

use crate::automaton::{Automaton, Letter};
use crate::formula::Formula;
use crate::normal;

/// An infinite word: some letters, and then the last of them again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    letters: Vec<Letter>,
    /// Where the part begins that is repeated.
    start: usize,
}

impl Lasso {
    /// The word whose letters from `start` on are repeated for ever.
    ///
    /// # Panics
    /// If there is no letter to be repeated.
    pub fn new(letters: Vec<Letter>, start: usize) -> Lasso {
        assert!(start < letters.len(), "something is repeated");
        Lasso { letters, start }
    }

    /// Whether the formula is true of the word.
    pub fn fulfils(&self, formula: &Formula) -> bool {
        self.truth(formula)[0]
    }

    /// Whether the formula is true of the rest of the word, for each place.
    fn truth(&self, formula: &Formula) -> Vec<bool> {
        use Formula::*;
        match formula {
            True => vec![true; self.letters.len()],
            False => vec![false; self.letters.len()],
            Atom(atom) => self.letters.iter().map(|letter| letter >> atom & 1 == 1).collect(),
            Not(a) => self.truth(a).into_iter().map(|a| !a).collect(),
            And(a, b) => zip(&self.truth(a), &self.truth(b), |a, b| a && b),
            Or(a, b) => zip(&self.truth(a), &self.truth(b), |a, b| a || b),
            Until(a, b) => self.unfold(&self.truth(a), &self.truth(b), false, |a, b, next| b || a && next),
            Release(a, b) => self.unfold(&self.truth(a), &self.truth(b), true, |a, b, next| b && (a || next)),
        }
    }

    /// The truth of an operator that is a matter of this place and of the next one. From
    /// the place after the last, one goes on at the beginning of the cycle; a second time
    /// round, all that can still change has changed.
    fn unfold(
        &self,
        a: &[bool],
        b: &[bool],
        at_end: bool,
        operator: impl Fn(bool, bool, bool) -> bool,
    ) -> Vec<bool> {
        let mut truth = vec![at_end; self.letters.len()];
        let mut next = at_end;
        for _ in 0..2 {
            for place in (0..self.letters.len()).rev() {
                truth[place] = operator(a[place], b[place], next);
                next = truth[place];
            }
            next = truth[self.start];
        }
        truth
    }

    /// Whether an automaton accepts the word.
    pub fn is_accepted(&self, automaton: &Automaton) -> bool {
        let places = self.letters.len();
        let number = |place: usize, state: u32| place as u32 + state * places as u32;
        let edges = (0..automaton.len() as u32).flat_map(|state| {
            (0..places).map(move |place| {
                let after = if place + 1 == places { self.start } else { place + 1 };
                let successors = automaton.successors(state, self.letters[place]);
                successors.map(|to| edge_to(number(after, to))).collect()
            })
        });
        let accepting = automaton.accepting.iter().flat_map(|accepting| vec![*accepting; places]);
        let product = Automaton { edges: edges.collect(), accepting: accepting.collect() };
        product.accepts_something()
    }
}

fn edge_to(to: u32) -> crate::Edge {
    crate::Edge { guard: crate::Guard::default(), to }
}

fn zip(a: &[bool], b: &[bool], operator: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| operator(*a, *b)).collect()
}

impl Automaton {
    /// Whether it accepts some word. No guard must be a contradiction.
    pub(crate) fn accepts_something(&self) -> bool {
        let mut reached = vec![false; self.len()];
        let mut due = vec![0u32];
        while let Some(state) = due.pop() {
            if !std::mem::replace(&mut reached[state as usize], true) {
                due.extend(self.edges[state as usize].iter().map(|edge| edge.to));
            }
        }
        let accepts = |component: &Vec<u32>| {
            component.iter().any(|q| self.accepting[*q as usize]) && self.has_cycle(component)
        };
        self.components_among(|q| reached[q as usize]).iter().any(accepts)
    }
}

/// Whether no word that begins like this fulfils the formula, because of what is
/// demanded of these letters alone. What is only demanded of later letters is taken to
/// come true. Of a formula that [is a safety property](Formula::is_safety) each word that
/// violates it has such a beginning.
pub fn is_bad_prefix(formula: &Formula, letters: &[Letter]) -> bool {
    !hopes(&normal::simplified(formula), letters)[0]
}

/// For each place, and the one after the last, whether the formula may still come true.
fn hopes(formula: &Formula, letters: &[Letter]) -> Vec<bool> {
    use Formula::*;
    let places = letters.len();
    let at_end = *formula != False;
    let literal = |atom: u32, wanted: bool| {
        let own = letters.iter().map(|letter| (letter >> atom & 1 == 1) == wanted);
        own.chain([true]).collect()
    };
    match formula {
        True | False => vec![at_end; places + 1],
        Atom(atom) => literal(*atom, true),
        Not(a) => match **a {
            Atom(atom) => literal(atom, false),
            _ => unreachable!("only atoms are negated"),
        },
        And(a, b) => zip(&hopes(a, letters), &hopes(b, letters), |a, b| a && b),
        Or(a, b) => zip(&hopes(a, letters), &hopes(b, letters), |a, b| a || b),
        Until(a, b) | Release(a, b) => {
            let (a, b) = (hopes(a, letters), hopes(b, letters));
            let mut truth = vec![true; places + 1];
            for place in (0..places).rev() {
                let next = truth[place + 1];
                truth[place] = match formula {
                    Until(..) => b[place] || a[place] && next,
                    _ => b[place] && (a[place] || next),
                };
            }
            truth
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn fulfils(text: &str, letters: &[Letter], start: usize) -> bool {
        Lasso::new(letters.to_vec(), start).fulfils(&parse(text).unwrap().formula)
    }

    #[test]
    fn formulas_mean_what_they_should() {
        assert!(fulfils("G F p", &[0, 1, 0], 1));
        assert!(!fulfils("G F p", &[1, 1, 0], 2));
        assert!(fulfils("F G p", &[0, 1], 1));
        assert!(fulfils("p U q", &[1, 1, 2, 0], 3));
        assert!(!fulfils("p U q", &[1, 1], 0));
        assert!(fulfils("p W q", &[1, 1], 0));
        assert!(fulfils("q R p", &[2, 2], 0));
        assert!(fulfils("G (p -> F q)", &[1, 0, 2, 0], 3));
        assert!(!fulfils("G (p -> F q)", &[2, 1, 0], 2));
    }

    #[test]
    fn bad_prefixes() {
        let bad = |text: &str, letters: &[Letter]| is_bad_prefix(&parse(text).unwrap().formula, letters);
        assert!(bad("G p", &[1, 1, 0]));
        assert!(!bad("G p", &[1, 1]));
        assert!(bad("p W q", &[1, 0]));
        assert!(!bad("p W q", &[1, 2, 0]));
        assert!(!bad("F p", &[0, 0]));
    }
}
