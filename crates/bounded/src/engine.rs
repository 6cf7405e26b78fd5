//! The contract that the engine keeps.

use engine::{Engine, Formulas, Outcome, Task};
use logic::{Solver, SolverError, SolverKind};
use machine::{MemoryModel, Properties, Property};

use crate::check::{Options, Strategy, check_opened};

/// The name of the engine.
pub const NAME: &str = "bounded";

/// Opens a solver, which has nothing asserted.
pub type Open = Box<dyn Fn(SolverKind) -> Result<Box<dyn Solver>, SolverError>>;

/// The bounded symbolic engine with its options.
pub struct Bounded {
    /// How the check is done.
    pub options: Options,
    /// Where its solver comes from.
    pub open: Open,
}

impl Default for Bounded {
    fn default() -> Bounded {
        Bounded { options: Options::default(), open: Box::new(logic::open) }
    }
}

impl Engine for Bounded {
    fn name(&self) -> &'static str {
        NAME
    }

    fn decides(&self) -> Properties {
        Property::safety().chain([Property::Ltl]).collect()
    }

    fn tries_values(&self) -> bool {
        false
    }

    fn takes_longer_steps(&self) -> bool {
        true
    }

    fn follows(&self, _: MemoryModel) -> bool {
        true
    }

    fn follows_executions(&self) -> bool {
        // The others ask the solver only when they have explored all.
        self.options.strategy == Strategy::Lazy
    }

    fn formulas(&self) -> Formulas {
        Formulas::Safety
    }

    fn check(&self, task: &Task<'_>) -> Outcome {
        check_opened(task, &self.options, (self.open)(self.options.solver))
    }
}
