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

    /// What is asserted on each level, from the outermost on.
    pub fn levels(&self) -> impl Iterator<Item = &[Term]> {
        let starts = std::iter::once(0).chain(self.levels.iter().copied());
        let ends = self.levels.iter().copied().chain([self.terms.len()]);
        starts.zip(ends).map(|(start, end)| &self.terms[start..end])
    }

    /// All that is asserted.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }
}
