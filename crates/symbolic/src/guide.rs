//! Guides say which side of a fork is possible, and what values a term can have.

use logic::{Term, Terms};

use crate::path::Path;

/// A value to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidate {
    /// This one, which the path does not rule out (as far as the guide knows).
    Value(u128),
    /// There are more than the guide is willing to enumerate.
    TooMany,
}

/// Guides the executor at forks.
pub trait Guide {
    /// Whether a condition can hold on a path. `false` is certain.
    fn is_possible(&mut self, terms: &Terms, path: &Path, condition: Term) -> bool;

    /// A value that the term may have on the path, of those that the path does
    /// not exclude yet.
    fn candidate(&mut self, terms: &mut Terms, path: &Path, term: Term) -> Candidate;
}

/// How many values a term may be enumerated over.
const MOST_VALUES: u128 = 4096;

/// Looks at terms and asks no solver. Everything not plainly false is possible.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl Guide for Blind {
    fn is_possible(&mut self, terms: &Terms, path: &Path, condition: Term) -> bool {
        path.decides(terms, condition) != Some(false)
    }

    fn candidate(&mut self, terms: &mut Terms, path: &Path, term: Term) -> Candidate {
        // Counts up in the bits that are not known.
        let known = terms.known(term);
        let width = terms.width(term);
        let mut next = Some(known.min());
        for _ in 0..MOST_VALUES {
            let Some(bits) = next else { break };
            let constant = terms.constant(width, bits);
            let equal = terms.eq(term, constant);
            if path.decides(terms, equal) != Some(false) {
                return Candidate::Value(bits);
            }
            next = known.next_after(bits);
        }
        Candidate::TooMany
    }
}
