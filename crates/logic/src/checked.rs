//! Every model is checked by evaluation before the caller sees it.

use crate::asserted::Asserted;
use crate::eval::Evaluation;
use crate::solver::{Answer, Limits, Solver, SolverError, SolverKind, Statistics};
use crate::term::{Term, Terms};

/// A solver whose models are checked against all that was asserted.
pub struct Checked<S> {
    solver: S,
    kind: SolverKind,
    asserted: Asserted,
}

impl<S: Solver> Checked<S> {
    /// Checks the models of this solver.
    pub fn new(solver: S, kind: SolverKind) -> Checked<S> {
        Checked { solver, kind, asserted: Asserted::default() }
    }
}

impl<S: Solver> Solver for Checked<S> {
    fn assert(&mut self, terms: &Terms, term: Term) {
        self.asserted.assert(term);
        self.solver.assert(terms, term);
    }

    fn push(&mut self) {
        self.asserted.push();
        self.solver.push();
    }

    fn pop(&mut self) {
        self.asserted.pop();
        self.solver.pop();
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        let answer = self.solver.check(terms, assumptions)?;
        if let Answer::Sat(model) = &answer {
            let mut evaluation = Evaluation::new(terms, model);
            let demanded = self.asserted.terms().iter().chain(assumptions);
            if !demanded.copied().all(|term| evaluation.holds(term)) {
                return Err(SolverError::WrongModel { solver: self.kind });
            }
        }
        Ok(answer)
    }

    fn limit(&mut self, limits: Limits) {
        self.solver.limit(limits);
    }

    fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }
}
