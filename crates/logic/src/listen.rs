//! Solvers with a listener, which is told what they are asked.

use crate::asserted::Asserted;
use crate::smtlib::script;
use crate::solver::{Answer, Limits, Solver, SolverError, Statistics};
use crate::term::{Term, Terms};

/// A question and its answer.
pub struct Question<'a> {
    /// What it is for.
    pub purpose: &'static str,
    /// What it is about.
    pub terms: &'a Terms,
    /// What was asked to be true together.
    pub asked: &'a [Term],
    /// What came of it.
    pub answer: &'a Result<Answer, SolverError>,
}

impl Question<'_> {
    /// The question as an SMT-LIB script that names its purpose and the answer.
    pub fn script(&self) -> String {
        let status = match self.answer {
            Ok(Answer::Sat(_)) => "sat",
            Ok(Answer::Unsat(_)) => "unsat",
            Ok(Answer::Unknown(_)) | Err(_) => "unknown",
        };
        let script = script(self.terms, self.asked);
        format!("; {}\n(set-info :status {status})\n{script}", self.purpose)
    }
}

/// A solver with a listener.
pub struct Listened<L> {
    solver: Box<dyn Solver>,
    listener: L,
    purpose: &'static str,
    asserted: Asserted,
}

impl<L: FnMut(&Question<'_>)> Listened<L> {
    /// Tells a listener of every question and its answer.
    pub fn new(solver: Box<dyn Solver>, listener: L) -> Listened<L> {
        Listened { solver, listener, purpose: "", asserted: Asserted::default() }
    }
}

impl<L: FnMut(&Question<'_>)> Solver for Listened<L> {
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

    fn purpose(&mut self, purpose: &'static str) {
        self.purpose = purpose;
        self.solver.purpose(purpose);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        let answer = self.solver.check(terms, assumptions);
        let asked = [self.asserted.terms(), assumptions].concat();
        (self.listener)(&Question { purpose: self.purpose, terms, asked: &asked, answer: &answer });
        answer
    }

    fn limit(&mut self, limits: Limits) {
        self.solver.limit(limits);
    }

    fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{SolverKind, open};

    #[test]
    fn a_question_is_heard_with_all_that_was_asserted() {
        let (mut terms, mut heard) = (Terms::new(), Vec::new());
        let solver = open(SolverKind::Cadical).expect("built in");
        let mut solver = Listened::new(solver, |question: &Question<'_>| heard.push(question.script()));
        let x = terms.variable(8, "x");
        let (three, four) = (terms.constant(8, 3), terms.constant(8, 4));
        let (is_three, is_four) = (terms.eq(x, three), terms.eq(x, four));
        solver.push();
        solver.assert(&terms, is_three);
        solver.purpose("whether three is four");
        solver.check(&terms, &[is_four]).expect("no wrong model");
        solver.pop();
        solver.check(&terms, &[is_four]).expect("no wrong model");
        drop(solver);
        let [first, second] = &heard[..] else { panic!("{heard:?}") };
        assert!(
            first.starts_with("; whether three is four\n(set-info :status unsat)\n(set-logic"),
            "{first}"
        );
        assert_eq!(first.matches("(assert ").count(), 2, "{first}");
        assert!(second.contains("(set-info :status sat)"), "{second}");
        assert_eq!(second.matches("(assert ").count(), 1, "{second}");
    }
}
