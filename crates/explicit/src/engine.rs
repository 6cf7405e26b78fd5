//! The contract that the engine keeps.

use engine::{Engine, Outcome, Task};
use machine::{MemoryModel, Properties, Property};

use crate::{Options, SearchOrder};

/// The name of the engine.
pub const NAME: &str = "explicit";

/// The explicit-state engine with its options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Explicit(pub Options);

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        NAME
    }

    fn decides(&self) -> Properties {
        Property::ALL.into_iter().collect()
    }

    fn tries_values(&self) -> bool {
        true
    }

    fn takes_longer_steps(&self) -> bool {
        true
    }

    fn finds_minimal(&self) -> bool {
        self.0.search != SearchOrder::Dfs && !self.0.hash_compaction
    }

    fn follows(&self, _: MemoryModel) -> bool {
        true
    }

    fn check(&self, task: &Task<'_>) -> Outcome {
        crate::check(task, self.0)
    }
}
