//! Which inputs conditions and states depend on.

use std::rc::Rc;

use logic::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The inputs in terms, as far as they were asked for.
#[derive(Default)]
pub struct Inputs(FxHashMap<Term, Rc<[Term]>>);

impl Inputs {
    /// The inputs in a term, in the order in which they stand there.
    pub fn of(&mut self, terms: &Terms, term: Term) -> Rc<[Term]> {
        Rc::clone(self.0.entry(term).or_insert_with(|| terms.variables_in(term).into()))
    }

    /// The conditions that share inputs with the given ones, directly or
    /// through others.
    pub fn related(
        &mut self,
        terms: &Terms,
        conditions: &[Term],
        inputs: impl IntoIterator<Item = Term>,
    ) -> Vec<Term> {
        let mut inputs: FxHashSet<Term> = inputs.into_iter().collect();
        let mut rest = conditions.to_vec();
        let mut related = Vec::new();
        loop {
            let before = rest.len();
            rest.retain(|other| {
                let theirs = self.of(terms, *other);
                let meets = theirs.iter().any(|input| inputs.contains(input));
                if meets {
                    inputs.extend(theirs.iter().copied());
                    related.push(*other);
                }
                !meets
            });
            if rest.len() == before {
                return related;
            }
        }
    }
}
