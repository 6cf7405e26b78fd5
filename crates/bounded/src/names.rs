//! States up to the names of their inputs.
//!
//! Every input that is read is a new variable, so that a loop that reads one in
//! each round would never come to the same state again. But what a state leads
//! to does not depend on how its inputs are called. So they get new names, in
//! the order in which they stand in the state, when states are compared; the
//! states themselves keep theirs.

use std::rc::Rc;

use logic::{Term, Terms};
use machine::{Part, Sym};
use rustc_hash::FxHashMap;
use symbolic::Inputs;

/// Canonical names, and what was renamed before.
#[derive(Default)]
pub struct Names {
    /// By width and number.
    canonical: FxHashMap<(u8, u32), Term>,
    /// Terms by the names that their inputs got.
    terms: FxHashMap<(Term, Box<[Term]>), Term>,
}

/// The names that inputs got in one state.
#[derive(Default)]
pub struct Naming {
    names: FxHashMap<Term, Term>,
}

impl Naming {
    /// The inputs that have got a name.
    pub fn named(&self) -> impl Iterator<Item = Term> + '_ {
        self.names.keys().copied()
    }
}

impl Names {
    /// The names of inputs; those that have none yet get the next ones.
    pub fn of(&mut self, terms: &mut Terms, naming: &mut Naming, inputs: &[Term]) -> Box<[Term]> {
        let name = |input: &Term| {
            let next = naming.names.len() as u32;
            *naming.names.entry(*input).or_insert_with(|| {
                let width = terms.width(*input);
                let new = || terms.variable(width, format!("canonical{next}"));
                *self.canonical.entry((width, next)).or_insert_with(new)
            })
        };
        inputs.iter().map(name).collect()
    }

    /// A term with the names that its inputs have got.
    pub fn term(&mut self, terms: &mut Terms, inputs: &mut Inputs, naming: &mut Naming, term: Term) -> Term {
        let own = inputs.of(terms, term);
        let names = self.of(terms, naming, &own);
        let images = || own.iter().copied().zip(names.iter().copied()).collect();
        let make = |terms: &mut Terms, mut images: FxHashMap<Term, Term>| terms.substitute(term, &mut images);
        *self.terms.entry((term, names.clone())).or_insert_with(|| make(terms, images()))
    }

    /// A part with the names that its inputs have got.
    pub fn part(&mut self, terms: &mut Terms, inputs: &mut Inputs, naming: &mut Naming, part: &Part) -> Part {
        part.with_symbols(|symbol| {
            let term = Term::from_number(symbol.0);
            Sym(self.term(terms, inputs, naming, term).number())
        })
    }
}

/// The inputs in a part, in the order in which they stand there.
pub fn inputs_in(terms: &Terms, inputs: &mut Inputs, part: &Part) -> Rc<[Term]> {
    let mut found = Vec::new();
    for symbol in part.symbols() {
        let own = inputs.of(terms, Term::from_number(symbol.0));
        own.iter().for_each(|input| {
            if !found.contains(input) {
                found.push(*input);
            }
        });
    }
    found.into()
}
