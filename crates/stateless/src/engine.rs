//! The contract that the engine keeps.

use engine::{Checkpoints, Engine, Formulas, Outcome, Task};
use machine::{MemoryModel, Properties, Property};

use crate::{Options, Strategy};

/// The name of the engine.
pub const NAME: &str = "stateless";

/// The stateless engine with its options.
#[derive(Default)]
pub struct Stateless {
    /// How the search is done.
    pub options: Options,
    /// Whether several best-first searches run side by side instead.
    pub portfolio: bool,
    /// Where the searches `optimal` and `dfs` leave what they need to go on later.
    pub checkpoints: Option<Box<dyn Checkpoints>>,
}

impl Engine for Stateless {
    fn name(&self) -> &'static str {
        NAME
    }

    fn decides(&self) -> Properties {
        // Of the states in which an assertion fails, only one of each trace is seen.
        let others = |property: &Property| matches!(property, Property::Robust | Property::RobustTraces);
        Property::ALL.into_iter().filter(|property| !others(property)).collect()
    }

    fn tries_values(&self) -> bool {
        true
    }

    fn takes_longer_steps(&self) -> bool {
        true
    }

    /// Searches that order executions by preemptions know threads alone.
    fn follows(&self, model: MemoryModel) -> bool {
        let by_movers = matches!(self.options.search, Strategy::Optimal | Strategy::Dfs) && !self.portfolio;
        match model {
            MemoryModel::Sc => true,
            MemoryModel::Tso | MemoryModel::Pso => by_movers,
        }
    }

    fn formulas(&self) -> Formulas {
        Formulas::Safety
    }

    fn check(&self, task: &Task<'_>) -> Outcome {
        task.progress.set_visits("executions");
        if self.portfolio {
            return crate::portfolio(task, &self.options.settings);
        }
        crate::check_with(task, &self.options, self.checkpoints.as_deref())
    }
}
