//! Why terms cannot be true together, step by step.

use crate::solver::{Answer, Model, Solver, SolverError};
use crate::term::{Term, Terms};

/// A solver that can say why a sequence of terms cannot be true together.
pub trait Interpolator {
    /// Interpolants of a sequence of terms of width 1, if these cannot all be true.
    fn interpolate(&mut self, terms: &mut Terms, parts: &[Term]) -> Result<Interpolation, SolverError>;
}

/// What an [`Interpolator`] found.
#[derive(Clone, Debug)]
pub enum Interpolation {
    /// The parts can be true together: like this.
    Sat(Model),
    /// They cannot. There is one interpolant after each part but the last: it
    /// follows from the parts up to there, contradicts those after it, has only
    /// variables that stand on both sides, and together with the next part implies
    /// the next interpolant.
    Unsat(Vec<Term>),
    /// The solver gave up, for this reason.
    Unknown(String),
}

/// Whether terms are interpolants of a sequence of parts, as far as the solver
/// answers. Users of an [`Interpolator`] check its answers with it.
pub fn are_interpolants(
    solver: &mut dyn Solver,
    terms: &mut Terms,
    parts: &[Term],
    interpolants: &[Term],
) -> Result<bool, SolverError> {
    if parts.is_empty() || interpolants.len() + 1 != parts.len() {
        return Ok(false);
    }
    let common = (1..parts.len()).all(|cut| is_common(terms, interpolants[cut - 1], parts, cut));
    let (first, last) = (terms.boolean(true), terms.boolean(false));
    let sequence: Vec<Term> = [&[first], interpolants, &[last]].concat();
    for (pair, part) in sequence.windows(2).zip(parts) {
        let not_after = terms.not(pair[1]);
        match solver.check(terms, &[pair[0], *part, not_after])? {
            Answer::Unsat(_) => {}
            Answer::Sat(_) | Answer::Unknown(_) => return Ok(false),
        }
    }
    Ok(common)
}

/// Whether the variables of a term stand both in the parts before a cut and in
/// those after it.
fn is_common(terms: &Terms, term: Term, parts: &[Term], cut: usize) -> bool {
    let has = |parts: &[Term], variable: &Term| {
        parts.iter().any(|part| terms.variables_in(*part).contains(variable))
    };
    let (before, after) = parts.split_at(cut);
    terms.variables_in(term).iter().all(|variable| has(before, variable) && has(after, variable))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{SolverKind, open};

    #[test]
    fn interpolants_are_told_from_other_terms() {
        let mut terms = Terms::new();
        let (x, y, z) = (terms.variable(8, "x"), terms.variable(8, "y"), terms.variable(8, "z"));
        let constants = [1, 2, 3].map(|bits| terms.constant(8, bits));
        let sum = terms.add(x, constants[0]);
        // x = 1, y = x + 1, z = y + 1, z = 2.
        let next = terms.add(y, constants[0]);
        let parts =
            [terms.eq(x, constants[0]), terms.eq(y, sum), terms.eq(z, next), terms.eq(z, constants[1])];
        let (is_two, is_three) = (terms.eq(y, constants[1]), terms.eq(z, constants[2]));
        let mut solver = open(SolverKind::Cadical).expect("built in");
        let mut are = |terms: &mut Terms, found: &[Term]| {
            are_interpolants(&mut *solver, terms, &parts, found).expect("no wrong model")
        };
        assert!(are(&mut terms, &[parts[0], is_two, is_three]));
        assert!(!are(&mut terms, &[parts[0], is_two]));
        let anything = terms.boolean(true);
        assert!(!are(&mut terms, &[parts[0], anything, is_three]));
        // The right thing, about a variable that the rest does not have.
        assert!(!are(&mut terms, &[parts[0], parts[0], is_three]));
    }
}
