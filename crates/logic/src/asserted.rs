//! What a solver was told to be true, level by level.

use crate::term::Term;

/// The terms asserted on the open levels.
#[derive(Default)]
pub struct Asserted {
    terms: Vec<Term>,
    levels: Vec<usize>,
}

impl Asserted {
    /// Asserts a term on the last level.
    pub fn assert(&mut self, term: Term) {
        self.terms.push(term);
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(self.terms.len());
    }

    /// Closes the last level.
    pub fn pop(&mut self) {
        self.terms.truncate(self.levels.pop().expect("a level to pop"));
    }

    /// All that is asserted.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }
}
