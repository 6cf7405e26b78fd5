//! Questions to the solver about conditions on data.

use std::collections::VecDeque;
use std::time::Duration;

use logic::{
    Answer, Evaluation, Limits, Model, Share, Solver, SolverError, SolverKind, Statistics, Term, Terms,
    linear,
};
use rustc_hash::FxHashMap;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// The question was too hard for the limits that it had.
    Hard,
    /// Why a path is impossible depends on an input, which no label can name.
    Input,
    /// The solver failed, for this reason.
    Failed(String),
}

/// So many models are kept.
const KEPT: usize = 12;

/// Whether conditions can hold together.
pub enum Together {
    /// They can: like this.
    Possible(Box<Model>),
    /// They cannot, because of these.
    Impossible(Vec<Term>),
}

/// A solver that has translated more variables than this is replaced by a new one. Each
/// model gives a value to every one of them, so that small questions would cost as much
/// as all that were asked before.
const MANY_VARIABLES: u64 = 2_000;

/// A solver with a memory for implications.
pub struct Prover {
    solver: Box<dyn Solver>,
    kind: SolverKind,
    /// How many questions earlier solvers answered.
    answered: u64,
    implications: FxHashMap<(Box<[Term]>, Term), bool>,
    /// Whether conditions can hold together, as far as that was easy to tell.
    possible: FxHashMap<Box<[Term]>, bool>,
    /// The last models that showed that something is not implied.
    counterexamples: VecDeque<Model>,
    /// How many implications the solver was asked for.
    pub asked: u64,
    /// What a question may cost.
    limits: Limits,
}

/// So many conflicts may a question take that could go unanswered.
const EASY: u32 = 1000;

impl Prover {
    /// Asks solvers of this kind, within limits.
    pub fn new(kind: SolverKind, limits: Limits) -> Result<Prover, SolverError> {
        let mut solver = logic::open(kind)?;
        solver.limit(limits.clone());
        Ok(Prover {
            kind,
            answered: 0,
            limits,
            solver,
            implications: FxHashMap::default(),
            possible: FxHashMap::default(),
            counterexamples: VecDeque::new(),
            asked: 0,
        })
    }

    /// Limits the conflicts of each question from now on, and the processor time for all of them.
    pub fn limit(&mut self, conflicts: u32, time: Duration) {
        self.limits.conflicts = Some(conflicts);
        self.limits.share = Some(Share::of(time));
        self.solver.limit(self.limits.clone());
    }

    /// Whether the time for all questions has passed.
    pub fn is_late(&self) -> bool {
        self.limits.expired()
    }

    /// How many questions were answered.
    pub fn answered(&self) -> u64 {
        self.answered + self.solver.statistics().checks
    }

    /// Takes a new solver in place of one that has much to keep in mind.
    fn renew(&mut self) -> Result<(), NoAnswer> {
        let Statistics { variables, checks, .. } = self.solver.statistics();
        if variables > MANY_VARIABLES {
            self.solver = logic::open(self.kind).map_err(|error| NoAnswer::Failed(error.to_string()))?;
            self.solver.limit(self.limits.clone());
            self.answered += checks;
        }
        Ok(())
    }

    /// Whether conditions can hold together.
    ///
    /// Equations are solved first, and what is left goes to the solver. The equations that
    /// a condition rests on then are part of the reason why conditions are impossible.
    pub fn together(&mut self, terms: &mut Terms, conditions: &[Term]) -> Result<Together, NoAnswer> {
        self.renew()?;
        self.ask(terms, conditions)
    }

    fn ask(&mut self, terms: &mut Terms, conditions: &[Term]) -> Result<Together, NoAnswer> {
        let linear::Solution { solved, left, grounds } = linear::solve(terms, conditions);
        let reason = |core: &[Term]| -> Vec<Term> {
            let found = core.iter().filter_map(|part| left.iter().position(|left| left == part));
            let mut needed: Vec<usize> =
                found.flat_map(|index| grounds[index].iter().copied().chain([index])).collect();
            needed.sort_unstable();
            needed.dedup();
            needed.into_iter().map(|index| conditions[index]).collect()
        };
        let is_false = |condition: &&Term| terms.constant_value(**condition) == Some(0);
        if let Some(never) = conditions.iter().find(is_false) {
            return Ok(Together::Impossible(vec![*never]));
        }
        if let Some(never) = left.iter().find(is_false) {
            return Ok(Together::Impossible(reason(&[*never])));
        }
        let question: Vec<Term> =
            left.iter().copied().filter(|condition| !terms.is_true(*condition)).collect();
        match self.solver.check(terms, &question) {
            Ok(Answer::Sat(mut model)) => {
                for (variable, value) in &solved {
                    let value = Evaluation::new(terms, &model).value(*value);
                    model.set(*variable, value);
                }
                Ok(Together::Possible(Box::new(model)))
            }
            Ok(Answer::Unsat(core)) => Ok(Together::Impossible(reason(&core))),
            Ok(Answer::Unknown(_)) => Err(NoAnswer::Hard),
            Err(error) => Err(NoAnswer::Failed(error.to_string())),
        }
    }

    /// The same for a question that may go unanswered if it is hard.
    pub fn together_if_easy(
        &mut self,
        terms: &mut Terms,
        conditions: &[Term],
    ) -> Result<Option<Together>, NoAnswer> {
        self.together_within(EASY, terms, conditions)
    }

    /// The same for a question that may go unanswered if it takes more conflicts.
    pub fn together_within(
        &mut self,
        conflicts: u32,
        terms: &mut Terms,
        conditions: &[Term],
    ) -> Result<Option<Together>, NoAnswer> {
        self.renew()?;
        self.solver.limit(Limits { conflicts: Some(conflicts), ..self.limits.clone() });
        let answer = self.ask(terms, conditions);
        self.solver.limit(self.limits.clone());
        match answer {
            Err(NoAnswer::Hard) if !self.limits.expired() => Ok(None),
            answer => answer.map(Some),
        }
    }

    /// Whether conditions can hold together, from memory or by the solver. What is too hard
    /// to tell is taken for possible.
    pub fn may_hold(&mut self, terms: &mut Terms, conditions: &[Term]) -> Result<bool, NoAnswer> {
        if let Some(known) = self.possible.get(conditions) {
            return Ok(*known);
        }
        let answer = self.together_if_easy(terms, conditions)?;
        let possible = !matches!(answer, Some(Together::Impossible(_)));
        self.possible.insert(Box::from(conditions), possible);
        Ok(possible)
    }

    /// Whether a condition follows from others: by looking, from memory, or by the
    /// solver.
    pub fn implies(&mut self, terms: &mut Terms, from: &[Term], condition: Term) -> Result<bool, NoAnswer> {
        if terms.is_true(condition) || from.contains(&condition) {
            return Ok(true);
        }
        let key = (Box::from(from), condition);
        if let Some(known) = self.implications.get(&key) {
            return Ok(*known);
        }
        let not = terms.not(condition);
        let conditions = [from, &[not]].concat();
        if self.counterexamples.iter().any(|model| all_hold(terms, model, &conditions)) {
            return Ok(false);
        }
        self.asked += 1;
        let implied = match self.together_if_easy(terms, &conditions)? {
            Some(Together::Impossible(_)) => true,
            None => false,
            Some(Together::Possible(model)) => {
                self.counterexamples.truncate(KEPT - 1);
                self.counterexamples.push_front(*model);
                false
            }
        };
        self.implications.insert(key, implied);
        Ok(implied)
    }
}

fn all_hold(terms: &Terms, model: &Model, conditions: &[Term]) -> bool {
    let mut evaluation = Evaluation::new(terms, model);
    conditions.iter().rev().all(|condition| evaluation.holds(*condition))
}
