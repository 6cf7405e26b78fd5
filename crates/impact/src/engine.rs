//! The contract that the engine keeps.

use engine::{Engine, Outcome, Task};
use machine::{Properties, Property};

use crate::check::{Options, check};

/// The name of the engine.
pub const NAME: &str = "impact";

/// The engine with its options.
#[derive(Clone, Debug, Default)]
pub struct Impact {
    /// How the check is done.
    pub options: Options,
}

impl Engine for Impact {
    fn name(&self) -> &'static str {
        NAME
    }

    /// What was not given back counts at the end of executions, which are not followed. Races are
    /// looked for in the reduced product only.
    fn decides(&self) -> Properties {
        let is_left_out = |property: &Property| match property {
            Property::Leak | Property::Cleanup => true,
            Property::Race => self.options.por.is_some(),
            _ => false,
        };
        Property::safety().filter(|property| !is_left_out(property)).collect()
    }

    fn has_clocks(&self) -> bool {
        false
    }

    fn tries_values(&self) -> bool {
        false
    }

    /// Invariants hold in every round.
    fn generalises(&self) -> bool {
        true
    }

    /// Locations have no data: a step that is possible from one need not be from a state.
    fn follows_executions(&self) -> bool {
        false
    }

    fn check(&self, task: &Task<'_>) -> Outcome {
        check(task, &self.options)
    }
}
