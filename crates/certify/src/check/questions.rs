//! Questions to the solver that a proof was not found with.

use logic::{Answer, Solver, Term, Terms};

use super::Check;
use crate::equations;
use crate::path::Path;
use crate::rejection::Rejection;

impl Check<'_> {
    /// Whether a path can be taken from a node, as far as its label tells.
    pub(super) fn is_possible(&mut self, number: u32, path: &Path) -> Result<bool, Rejection> {
        let question = [&self.labels[number as usize][..], &path.conditions].concat();
        self.satisfiable(&question)
    }

    /// Whether conditions imply others.
    pub(super) fn implies(&mut self, known: &[Term], others: &[Term]) -> Result<bool, Rejection> {
        let open =
            others.iter().copied().filter(|other| !self.terms.is_true(*other) && !known.contains(other));
        // One by one they are easier for the solver than all at once.
        for condition in open.collect::<Vec<Term>>() {
            let not = self.terms.not(condition);
            if self.satisfiable(&[known, &[not]].concat())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn satisfiable(&mut self, conditions: &[Term]) -> Result<bool, Rejection> {
        possible(self.solver.as_mut(), &mut self.questions, &mut self.terms, conditions)
    }
}

/// Whether conditions can hold together: by their equations, or as a solver says.
pub(super) fn possible(
    solver: &mut dyn Solver,
    questions: &mut u64,
    terms: &mut Terms,
    conditions: &[Term],
) -> Result<bool, Rejection> {
    if conditions.iter().any(|condition| terms.is_false(*condition)) {
        return Ok(false);
    }
    let Some(left) = equations::solve(terms, conditions) else { return Ok(false) };
    // What contradicts itself without products, which are hard, does so with them.
    let (hard, easy): (Vec<Term>, Vec<Term>) =
        left.iter().partition(|condition| equations::has_product(terms, **condition));
    *questions += 1;
    if !hard.is_empty() && !satisfiable(solver, terms, &easy)? {
        return Ok(false);
    }
    satisfiable(solver, terms, &left)
}

/// Whether conditions can hold together, as a solver says.
pub(super) fn satisfiable(
    solver: &mut dyn Solver,
    terms: &Terms,
    conditions: &[Term],
) -> Result<bool, Rejection> {
    match solver.check(terms, conditions) {
        Ok(Answer::Sat(_)) => Ok(true),
        Ok(Answer::Unsat(_)) => Ok(false),
        Ok(Answer::Unknown(why)) => Err(Rejection::Solver(why)),
        Err(error) => Err(Rejection::Solver(error.to_string())),
    }
}
