//! What a solver is asked and answers.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::array::ArrayValue;
use crate::blast::BitBlaster;
use crate::checked::Checked;
use crate::eval::Assignment;
use crate::share::Share;
use crate::term::{Term, Terms};
use crate::z3::Z3;

/// An incremental solver. All calls are about terms of one arena.
pub trait Solver {
    /// Demands that a term of width 1 be true, until the level is popped.
    fn assert(&mut self, terms: &Terms, term: Term);

    /// Opens a level.
    fn push(&mut self);

    /// Takes back what was asserted since the level was opened.
    fn pop(&mut self);

    /// Says what the next checks are for, to a listener.
    fn purpose(&mut self, _purpose: &'static str) {}

    /// Whether everything asserted, and the assumptions, can be true together.
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError>;

    /// Limits every check from now on.
    fn limit(&mut self, limits: Limits);

    /// What it has done so far.
    fn statistics(&self) -> Statistics;
}

/// What a check found.
#[derive(Clone, Debug)]
pub enum Answer {
    /// They can: like this.
    Sat(Model),
    /// They cannot; these of the assumptions are to blame (not necessarily a
    /// smallest set).
    Unsat(Vec<Term>),
    /// The solver gave up, for this reason.
    Unknown(String),
}

/// Values of the variables, and elements of the arrays, that the solver was asked
/// about; any others may have any value, and have 0 here.
#[derive(Clone, Debug, Default)]
pub struct Model {
    values: FxHashMap<Term, u128>,
    arrays: FxHashMap<Term, ArrayValue>,
}

impl Model {
    /// Sets the value of a variable.
    pub fn set(&mut self, variable: Term, value: u128) {
        self.values.insert(variable, value);
    }

    /// The value of a variable.
    pub fn get(&self, variable: Term) -> u128 {
        self.values.get(&variable).copied().unwrap_or(0)
    }

    /// Sets an element of an array variable.
    pub fn set_element(&mut self, array: Term, index: u64, element: u128) {
        self.arrays.entry(array).or_default().set(index, element);
    }

    /// The value of an array variable.
    pub fn array(&self, variable: Term) -> &ArrayValue {
        self.arrays.get(&variable).unwrap_or(ArrayValue::zeros())
    }
}

impl Assignment for &Model {
    fn value_of(&self, variable: Term) -> u128 {
        self.get(variable)
    }

    fn array_of(&self, variable: Term) -> &ArrayValue {
        self.array(variable)
    }
}

/// What keeps a check from running on for ever.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Conflicts (or the like, as the solver counts) per check.
    pub conflicts: Option<u32>,
    /// When a check must be over.
    pub deadline: Option<Instant>,
    /// The processor time for all checks together.
    pub share: Option<Share>,
    /// Set by another thread to end the check.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Whether a check must end now.
    pub fn expired(&self) -> bool {
        self.is_interrupted() || self.is_late()
    }

    /// How long a check may still take, if its processor time is limited or its time is.
    pub(crate) fn left(&self) -> Option<Duration> {
        let until = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        self.deadline.map(until).into_iter().chain(self.share.map(Share::left)).min()
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.share.is_some_and(Share::is_spent)
    }

    /// Why a check ended without an answer.
    pub(crate) fn reason(&self) -> String {
        if self.is_interrupted() {
            return "the solver was interrupted".into();
        }
        let what = if self.is_late() { "ran out of time" } else { "reached its limit of conflicts" };
        format!("the solver {what}")
    }
}

/// What a solver did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Checks made.
    pub checks: u64,
    /// Of these, how many found a model.
    pub satisfiable: u64,
    /// Time spent in checks and translation.
    pub time: Duration,
    /// Variables of the translated formula, where the solver has that.
    pub variables: u64,
    /// Clauses of the translated formula, where the solver has that.
    pub clauses: u64,
}

/// Something that must not happen; never an answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolverError {
    /// A model under which an asserted term is false.
    #[error("the solver {solver} gave a model that does not satisfy what was asserted")]
    WrongModel {
        /// Which solver.
        solver: SolverKind,
    },
    /// The library reported an error.
    #[error("the solver {solver} failed: {message}")]
    Failed {
        /// Which solver.
        solver: SolverKind,
        /// What it said.
        message: String,
    },
    /// The library is not there.
    #[error("the solver {solver} cannot be used: {message}")]
    Missing {
        /// Which solver.
        solver: SolverKind,
        /// What was looked for.
        message: String,
    },
}

/// The solvers there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SolverKind {
    /// Translation to clauses, solved by CaDiCaL.
    #[default]
    Cadical,
    /// Z3.
    Z3,
}

impl SolverKind {
    /// All of them.
    pub const ALL: [SolverKind; 2] = [SolverKind::Cadical, SolverKind::Z3];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SolverKind::Cadical => "cadical",
            SolverKind::Z3 => "z3",
        }
    }
}

impl fmt::Display for SolverKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SolverKind {
    type Err = String;

    fn from_str(name: &str) -> Result<SolverKind, String> {
        let found = SolverKind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| format!("there is no solver `{name}` (there are cadical and z3)"))
    }
}

/// A new solver whose models are checked. Fails if its library is not there.
pub fn open(kind: SolverKind) -> Result<Box<dyn Solver>, SolverError> {
    match kind {
        SolverKind::Cadical => Ok(Box::new(Checked::new(BitBlaster::new(), kind))),
        SolverKind::Z3 => Ok(Box::new(Checked::new(Z3::new()?, kind))),
    }
}
