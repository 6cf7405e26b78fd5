//! The contract that the engine keeps.

use std::sync::Arc;

use engine::{Checkpoints, Collected, Engine, Formulas, Outcome, Peers, Task};
use machine::{MemoryModel, Properties, Property};
use store::Spill;

use crate::{Options, Outside, SearchOrder};

/// The name of the engine.
pub const NAME: &str = "explicit";

/// The explicit-state engine with its options.
#[derive(Default)]
pub struct Explicit {
    /// How it searches.
    pub options: Options,
    /// Where it leaves what it needs to go on later.
    pub checkpoints: Option<Box<dyn Checkpoints>>,
    /// The processes that search together.
    pub peers: Option<Arc<dyn Peers>>,
    /// Where its tables go that are larger than memory.
    pub spill: Option<Arc<Spill>>,
}

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
        self.options.search != SearchOrder::Dfs && !self.options.hash_compaction
    }

    fn follows(&self, _: MemoryModel) -> bool {
        true
    }

    fn formulas(&self) -> Formulas {
        Formulas::All
    }

    fn check(&self, task: &Task<'_>) -> Outcome {
        let (checkpoints, peers) = (self.checkpoints.as_deref(), self.peers.as_deref());
        let outside = Outside { checkpoints, peers, spill: self.spill.as_ref(), collected: None };
        crate::check_with(task, self.options, outside)
    }

    fn collect(&self, task: &Task<'_>, collected: &Collected) -> Option<Outcome> {
        let outside =
            Outside { collected: Some(collected), spill: self.spill.as_ref(), ..Outside::default() };
        Some(crate::check_with(task, self.options, outside))
    }
}
