//! The list of engines. Nothing else in this crate knows an engine by its name:
//! the other files get engines from the list, and use them as
//! [`engine::Engine`].

pub mod bounded;
pub mod explicit;
pub mod impact;
mod reference;
mod shelf;
mod smt_files;
pub mod stateless;

use std::fmt;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use engine::Engine;
use ir::Program;
use machine::Machine;

use crate::args::CheckArgs;
use crate::checkpoint::CheckpointArgs;
use crate::processes::ProcessArgs;
use crate::spill::SpillArgs;

/// An engine on the command line.
pub trait Offer: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// The orders of search that it has, by their names.
    fn searches(&self) -> Vec<&'static str>;

    /// When it is asked if the user names no engine; if never, it must be named.
    fn turns(&self) -> &'static [Turn] {
        &[]
    }

    /// Refuses options that cannot be had together, or not here.
    fn check_options(&self, _: &CheckArgs) -> anyhow::Result<()> {
        Ok(())
    }

    /// Refuses options that name what the program does not have.
    fn check_program(&self, _: &CheckArgs, _: &Program) -> anyhow::Result<()> {
        Ok(())
    }

    /// The engine with its options, for an order of search that it has; its
    /// default if none.
    fn engine(&self, args: &CheckArgs, search: Option<&str>) -> Box<dyn Engine>;

    /// Writes down why the program is safe, if that was asked for and the engine has just
    /// shown it.
    fn write_proof(&self, _: &CheckArgs, _: &Machine) -> anyhow::Result<()> {
        Ok(())
    }

    /// Says so if something went wrong on the way that is no matter of the
    /// verdict.
    fn finish(&self, _: &CheckArgs) -> anyhow::Result<()> {
        Ok(())
    }
}

/// When an engine is asked that was not named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Its place among the others, lowest first.
    pub place: u8,
    /// The order in which it then searches; its default if none.
    pub search: Option<&'static str>,
    /// Whether that search never ends by itself. It is then asked only where
    /// others ran out of time, and only for a short turn.
    pub endless: bool,
}

/// An engine of the list.
pub type Listed = &'static dyn Offer;

/// The engines.
pub const ENGINES: [Listed; 5] =
    [&reference::Offered, &explicit::Offered, &stateless::Offered, &bounded::Offered, &impact::Offered];

/// The options that only some engines have.
#[derive(clap::Args, Clone, Debug)]
pub struct EngineArgs {
    /// Options of the engine `explicit`.
    #[command(flatten)]
    pub explicit: explicit::ExplicitArgs,

    /// Options of the engine `bounded`.
    #[command(flatten)]
    pub bounded: bounded::BoundedArgs,

    /// Options of the engine `impact`.
    #[command(flatten)]
    pub impact: impact::ImpactArgs,

    /// Options of the engine `stateless`.
    #[command(flatten)]
    pub stateless: stateless::StatelessArgs,

    /// Options of searches that survive their process.
    #[command(flatten)]
    pub checkpoint: CheckpointArgs,

    /// Options of searches in several processes.
    #[command(flatten)]
    pub processes: ProcessArgs,

    /// Options of searches whose tables are larger than memory.
    #[command(flatten)]
    pub spill: SpillArgs,
}

impl EngineArgs {
    /// The most context switches, which more than one engine can bound.
    pub fn context_bound(&self) -> Option<u64> {
        self.explicit.context_bound
    }
}

impl fmt::Debug for dyn Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The engine of this name.
pub fn named(name: &str) -> Option<Listed> {
    ENGINES.into_iter().find(|engine| engine.name() == name)
}

/// The engines in the order of their first turns, those without one last.
pub fn by_turn() -> Vec<Listed> {
    let mut engines = ENGINES.to_vec();
    engines.sort_by_key(|engine| engine.turns().first().map_or(u8::MAX, |turn| turn.place));
    engines
}

/// All turns in their order, each with its engine.
pub fn turns() -> Vec<(Listed, Turn)> {
    let of_engine = |engine: Listed| engine.turns().iter().map(move |turn| (engine, *turn));
    let mut turns: Vec<(Listed, Turn)> = ENGINES.into_iter().flat_map(of_engine).collect();
    turns.sort_by_key(|(_, turn)| turn.place);
    turns
}

/// The engine to ask for an order of search, if none was named.
pub fn with_search(search: &str) -> Option<Listed> {
    by_turn().into_iter().find(|engine| engine.searches().contains(&search))
}

/// All orders of search.
fn searches() -> Vec<&'static str> {
    let mut all = Vec::new();
    for search in by_turn().into_iter().flat_map(|engine| engine.searches()) {
        if !all.contains(&search) {
            all.push(search);
        }
    }
    all
}

/// Reads `--engine`.
pub fn engine_parser() -> impl TypedValueParser<Value = Listed> {
    let names = PossibleValuesParser::new(ENGINES.map(|engine| engine.name()));
    names.map(|name| named(&name).expect("it is one of the possible values"))
}

/// Reads `--search`.
pub fn search_parser() -> impl TypedValueParser<Value = &'static str> {
    let known = |name: String| searches().into_iter().find(|search| *search == name);
    PossibleValuesParser::new(searches())
        .map(move |name| known(name).expect("it is one of the possible values"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_search_belongs_to_an_engine_that_is_asked_by_itself() {
        let engine = |search: &str| with_search(search).map(|engine| engine.name());
        assert_eq!(searches(), ["csdr", "bfs", "dfs", "optimal", "best-first", "random", "pct", "scout"]);
        assert_eq!(engine("dfs"), Some("explicit"));
        assert_eq!(engine("random"), Some("stateless"));
    }
}
