//! The solver, asked as little as can be.
//!
//! Whether a condition is possible on a path depends only on those conditions
//! of the path that share inputs with it, directly or through others. So only
//! these are asked about, and answers are remembered by them: different
//! interleavings ask the same questions again and again.

use std::rc::Rc;

use logic::{Answer, Evaluation, Limits, Model, Solver, SolverError, Statistics, Term, Terms};
use rustc_hash::FxHashMap;

use crate::guide::{Candidate, Guide};
use crate::inputs::Inputs;
use crate::path::Path;

/// So many of the last models are tried before the solver is asked.
const RECENT: usize = 4;

/// Of the values of a number that must be known, small ones are tried first, of
/// at most so many bits, and then of more: memory of that size may be meant, or
/// so many threads.
const SMALL: [u32; 6] = [1, 3, 4, 6, 9, 12];

/// A guide that asks a solver, with a memory. What the solver does not say
/// counts as possible.
pub struct Questions {
    solver: Box<dyn Solver>,
    /// The inputs in terms.
    pub inputs: Inputs,
    answers: FxHashMap<Box<[Term]>, Option<Rc<Model>>>,
    recent: Vec<Rc<Model>>,
    /// Why the solver did not answer a question, if it ever did not.
    gave_up: Option<String>,
    error: Option<SolverError>,
}

impl Questions {
    /// Asks this solver, within limits for each question.
    pub fn new(mut solver: Box<dyn Solver>, limits: Limits) -> Questions {
        solver.limit(limits);
        let (inputs, answers) = (Inputs::default(), FxHashMap::default());
        Questions { solver, inputs, answers, recent: Vec::new(), gave_up: None, error: None }
    }

    /// What the solver did.
    pub fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }

    /// Why the solver did not answer a question, if it ever did not.
    pub fn gave_up(&self) -> Option<&str> {
        self.gave_up.as_deref()
    }

    /// What must not happen with a solver and did.
    pub fn error(&self) -> Option<&SolverError> {
        self.error.as_ref()
    }

    /// Inputs that fulfil all conditions of a path; `Ok(None)` if there are none.
    pub fn model(&mut self, terms: &Terms, path: &Path) -> Result<Option<Rc<Model>>, String> {
        self.solver.purpose("whether an execution with these decisions exists");
        self.answer(terms, path.conditions().to_vec())
    }

    /// Puts a question to the solver as it is.
    pub fn check(&mut self, terms: &Terms, question: &[Term]) -> Result<Answer, String> {
        self.solver.purpose("whether one of the recorded violations comes about");
        match self.solver.check(terms, question) {
            Ok(Answer::Unknown(reason)) => Err(self.no_answer(reason)),
            Ok(answer) => Ok(answer),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn failed(&mut self, error: SolverError) -> String {
        let reason = error.to_string();
        self.error.get_or_insert(error);
        self.no_answer(reason)
    }

    fn no_answer(&mut self, reason: String) -> String {
        self.gave_up.get_or_insert(reason.clone());
        reason
    }

    /// Inputs that fulfil the conditions, if there are any.
    fn answer(&mut self, terms: &Terms, mut question: Vec<Term>) -> Result<Option<Rc<Model>>, String> {
        question.sort();
        question.dedup();
        if let Some(answer) = self.answers.get(question.as_slice()) {
            return Ok(answer.clone());
        }
        let answer = match self.recent_model(terms, &question) {
            Some(model) => Some(model),
            None => self.ask(terms, &question)?,
        };
        self.answers.insert(question.into(), answer.clone());
        Ok(answer)
    }

    fn recent_model(&self, terms: &Terms, question: &[Term]) -> Option<Rc<Model>> {
        let fulfils = |model: &&Rc<Model>| {
            let mut evaluation = Evaluation::new(terms, &***model);
            question.iter().all(|condition| evaluation.holds(*condition))
        };
        self.recent.iter().rev().find(fulfils).cloned()
    }

    fn ask(&mut self, terms: &Terms, question: &[Term]) -> Result<Option<Rc<Model>>, String> {
        match self.solver.check(terms, question) {
            Ok(Answer::Sat(model)) => {
                let model = Rc::new(model);
                if self.recent.len() == RECENT {
                    self.recent.remove(0);
                }
                self.recent.push(Rc::clone(&model));
                Ok(Some(model))
            }
            Ok(Answer::Unsat(_)) => Ok(None),
            Ok(Answer::Unknown(reason)) => Err(self.no_answer(reason)),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// A value that the term has under inputs that fulfil the conditions.
    fn value(&mut self, terms: &Terms, question: &[Term], term: Term) -> Option<u128> {
        self.solver.purpose("a value of a number that must be known");
        let model = self.answer(terms, question.to_vec()).ok().flatten()?;
        Some(Evaluation::new(terms, &*model).value(term))
    }

    /// The conditions of the path that share inputs with a term.
    fn related(&mut self, terms: &Terms, path: &Path, term: Term) -> Vec<Term> {
        let own = self.inputs.of(terms, term);
        self.inputs.related(terms, path.conditions(), own.iter().copied())
    }
}

impl Guide for Questions {
    fn is_possible(&mut self, terms: &Terms, path: &Path, condition: Term) -> bool {
        if let Some(decided) = path.decides(terms, condition) {
            return decided;
        }
        let mut question = self.related(terms, path, condition);
        question.push(condition);
        self.solver.purpose("whether a decision can go this way");
        match self.answer(terms, question) {
            Ok(answer) => answer.is_some(),
            // Exploring what is impossible loses nothing but time: before a
            // violation is reported, its path is asked about once more.
            Err(_) => true,
        }
    }

    fn candidate(&mut self, terms: &mut Terms, path: &Path, term: Term) -> Candidate {
        let question = self.related(terms, path, term);
        let width = terms.width(term);
        for bits in SMALL.into_iter().filter(|bits| *bits < width.into()) {
            let bound = terms.constant(width, 1 << bits);
            let small = terms.ult(term, bound);
            if let Some(value) = self.value(terms, &[&question, &[small][..]].concat(), term) {
                return Candidate::Value(value);
            }
        }
        self.value(terms, &question, term).map_or(Candidate::TooMany, Candidate::Value)
    }
}
