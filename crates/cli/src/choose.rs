//! Which engines to ask, in which order, and why.

use machine::{Machine, Properties, Property};

use crate::args::{CheckArgs, Engine};
use crate::search::Search;

/// An engine to be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Which.
    pub engine: Engine,
    /// In which order it searches; its default if none.
    pub search: Option<Search>,
    /// Why it is asked, if the user did not say so.
    pub why: Option<&'static str>,
}

/// With more values than this, an input is better kept as a symbol than tried
/// value by value.
const MANY: u64 = 64;

/// The engines in the order in which they are to be asked. There is only one if
/// the user named it, or an order of search.
pub fn choose(args: &CheckArgs, machine: &Machine) -> Vec<Choice> {
    if let Some(engine) = args.engine {
        return vec![Choice { engine, search: args.search, why: None }];
    }
    if let Some(search) = args.search {
        let why = Some("it has the order of search that was asked for");
        return vec![Choice { engine: search.engine(), search: Some(search), why }];
    }
    by_inputs(machine.input_values())
}

/// The engines for a program whose inputs have so many values, if it has any.
/// Only `bounded` can do without trying each; and it needs fewer states where
/// the program keeps to its locks.
fn by_inputs(values: Option<u64>) -> Vec<Choice> {
    let ask = |engine, why| Choice { engine, search: None, why: Some(why) };
    let next = "the one before did not know";
    let explicit = ask(Engine::Explicit, next);
    let bounded = ask(Engine::Bounded, next);
    // Where the states are too many, what is likely wrong had better come first.
    let stateless = Choice { search: Some(Search::BestFirst), ..ask(Engine::Stateless, next) };
    match values {
        None => vec![ask(Engine::Explicit, "the program has no inputs"), bounded, stateless],
        Some(values) if values <= MANY => {
            vec![ask(Engine::Explicit, "the program's inputs have few values"), bounded, stateless]
        }
        Some(_) => {
            vec![ask(Engine::Bounded, "the program has inputs with many values"), explicit, stateless]
        }
    }
}

impl Choice {
    /// Those of the properties that the engine can decide.
    pub fn decides(&self, properties: Properties) -> Properties {
        let livelocks = match self.engine {
            Engine::Explicit | Engine::Stateless => true,
            Engine::Reference | Engine::Bounded => false,
        };
        let cannot =
            if livelocks { Properties::default() } else { [Property::Livelock].into_iter().collect() };
        properties.without(cannot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engines(values: Option<u64>) -> Vec<Engine> {
        by_inputs(values).into_iter().map(|choice| choice.engine).collect()
    }

    #[test]
    fn the_first_engine_depends_on_the_inputs() {
        assert_eq!(engines(None), [Engine::Explicit, Engine::Bounded, Engine::Stateless]);
        assert_eq!(engines(Some(2)), [Engine::Explicit, Engine::Bounded, Engine::Stateless]);
        assert_eq!(engines(Some(u64::MAX)), [Engine::Bounded, Engine::Explicit, Engine::Stateless]);
    }
}
