//! The option `--search`: which orders each engine has.

use clap::ValueEnum;

use crate::args::Engine;

/// Orders of a search.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Search {
    Csdr,
    Bfs,
    Dfs,
    Optimal,
    BestFirst,
    Random,
    Pct,
}

impl Search {
    /// The order, for the engine `explicit`.
    pub fn explicit(self) -> Option<explicit::Search> {
        match self {
            Search::Csdr => Some(explicit::Search::Csdr),
            Search::Bfs => Some(explicit::Search::Bfs),
            Search::Dfs => Some(explicit::Search::Dfs),
            Search::Optimal | Search::BestFirst | Search::Random | Search::Pct => None,
        }
    }

    /// The order, for the engine `stateless`.
    pub fn stateless(self) -> Option<stateless::Search> {
        match self {
            Search::Dfs => Some(stateless::Search::Dfs),
            Search::Optimal => Some(stateless::Search::Optimal),
            Search::BestFirst => Some(stateless::Search::BestFirst),
            Search::Random => Some(stateless::Search::Random),
            Search::Pct => Some(stateless::Search::Pct),
            Search::Csdr | Search::Bfs => None,
        }
    }

    /// The engine to ask for this order, if none was named.
    pub fn engine(self) -> Engine {
        if self.explicit().is_some() { Engine::Explicit } else { Engine::Stateless }
    }

    /// Whether the engine has this order.
    pub fn check_engine(self, engine: Engine) -> anyhow::Result<()> {
        let known = match engine {
            Engine::Reference => self == Search::Dfs,
            Engine::Explicit => self.explicit().is_some(),
            Engine::Stateless => self.stateless().is_some(),
            Engine::Bounded => self == Search::Dfs,
        };
        let name = self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        anyhow::ensure!(known, "the engine {} has no search {name}", engine.name());
        Ok(())
    }
}
