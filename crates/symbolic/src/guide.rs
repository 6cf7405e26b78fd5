//! Who says which side of a fork is possible, and what values a term can have.

use logic::{Answer, Evaluation, Model, Solver, SolverError, Term, Terms};
use rustc_hash::FxHashMap;

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

/// Looks at terms, asks nobody. Everything not plainly false is possible.
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

/// Asks a solver. What the solver cannot say counts as possible.
pub struct Solving {
    solver: Box<dyn Solver>,
    /// The conditions asserted, each on a level of its own.
    asserted: Vec<Term>,
    last: Option<Last>,
    gave_up: Option<String>,
    error: Option<SolverError>,
}

/// The last model, with the values of terms that were asked for under it.
struct Last {
    model: Model,
    values: FxHashMap<Term, u128>,
}

impl Last {
    fn evaluate<R>(&mut self, terms: &Terms, f: impl FnOnce(&mut Evaluation<'_, &Model>) -> R) -> R {
        let mut evaluation = Evaluation::resume(terms, &self.model, std::mem::take(&mut self.values));
        let result = f(&mut evaluation);
        self.values = evaluation.into_values();
        result
    }
}

impl Solving {
    /// Asks this solver, which has nothing asserted.
    pub fn new(solver: Box<dyn Solver>) -> Solving {
        Solving { solver, asserted: Vec::new(), last: None, gave_up: None, error: None }
    }

    /// The solver.
    pub fn solver(&mut self) -> &mut dyn Solver {
        &mut *self.solver
    }

    /// Why the solver did not answer a question, if it ever did not.
    pub fn gave_up(&self) -> Option<&str> {
        self.gave_up.as_deref()
    }

    /// What must not happen and did; whoever finishes a search looks here.
    pub fn error(&self) -> Option<&SolverError> {
        self.error.as_ref()
    }

    /// A model of the path and the conditions; `None` if there is none, or
    /// (see [`Solving::gave_up`], [`Solving::error`]) if the solver does not know.
    pub fn model(&mut self, terms: &Terms, path: &Path, conditions: &[Term]) -> Option<Model> {
        match self.ask(terms, path, conditions) {
            Some(Answer::Sat(model)) => Some(model),
            _ => None,
        }
    }

    /// Whether the path and the conditions hold together; `None` if unknown.
    pub fn check(&mut self, terms: &Terms, path: &Path, conditions: &[Term]) -> Option<bool> {
        match self.ask(terms, path, conditions)? {
            Answer::Sat(_) => Some(true),
            Answer::Unsat(_) => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    fn ask(&mut self, terms: &Terms, path: &Path, conditions: &[Term]) -> Option<Answer> {
        self.follow(terms, path);
        match self.solver.check(terms, conditions) {
            Ok(answer) => {
                match &answer {
                    Answer::Sat(model) => {
                        self.last = Some(Last { model: model.clone(), values: FxHashMap::default() });
                    }
                    Answer::Unsat(_) => {}
                    Answer::Unknown(reason) => self.gave_up = Some(reason.clone()),
                }
                Some(answer)
            }
            Err(error) => {
                self.error.get_or_insert(error);
                None
            }
        }
    }

    /// Brings the solver's levels in line with a path.
    fn follow(&mut self, terms: &Terms, path: &Path) {
        let conditions = path.conditions();
        let common = self.asserted.iter().zip(conditions).take_while(|(a, b)| a == b).count();
        for _ in common..self.asserted.len() {
            self.solver.pop();
        }
        self.asserted.truncate(common);
        for condition in &conditions[common..] {
            self.solver.push();
            self.solver.assert(terms, *condition);
            self.asserted.push(*condition);
        }
    }

    /// Whether the last model happens to satisfy all of it.
    fn last_model_satisfies(&mut self, terms: &Terms, path: &Path, condition: Term) -> bool {
        let mut all = path.conditions().iter().chain([&condition]);
        self.last
            .as_mut()
            .is_some_and(|last| last.evaluate(terms, |evaluation| all.all(|term| evaluation.holds(*term))))
    }
}

impl Guide for Solving {
    fn is_possible(&mut self, terms: &Terms, path: &Path, condition: Term) -> bool {
        match path.decides(terms, condition) {
            Some(decided) => decided,
            None => {
                self.last_model_satisfies(terms, path, condition)
                    || self.check(terms, path, &[condition]) != Some(false)
            }
        }
    }

    fn candidate(&mut self, terms: &mut Terms, path: &Path, term: Term) -> Candidate {
        let yes = terms.boolean(true);
        if !self.last_model_satisfies(terms, path, yes) && self.model(terms, path, &[]).is_none() {
            return Candidate::TooMany;
        }
        let last = self.last.as_mut().expect("a model of the path");
        Candidate::Value(last.evaluate(terms, |evaluation| evaluation.value(term)))
    }
}
