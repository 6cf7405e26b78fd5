//! Which engines to ask, in which order, and why.

use engine::{Engine, Formulas};
use machine::Machine;

use crate::args::CheckArgs;
use crate::engines::{self, Listed, Turn};

/// An engine to be asked.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Which.
    pub engine: Listed,
    /// In which order it searches; its default if none.
    pub search: Option<&'static str>,
    /// Whether it never ends by itself.
    pub endless: bool,
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
        return vec![Choice { engine, search: args.search, endless: false, why: None }];
    }
    if let Some((search, engine)) =
        args.search.and_then(|search| Some((search, engines::with_search(search)?)))
    {
        let why = Some("it has the order of search that was asked for");
        return vec![Choice { engine, search: Some(search), endless: false, why }];
    }
    let mut choices = by_inputs(args, machine.input_values());
    choices.retain(|choice| can_be_asked(&*choice.make(args), machine));
    choices
}

/// Whether an engine knows the memory model and decides the formulas.
pub fn can_be_asked(engine: &dyn Engine, machine: &Machine) -> bool {
    engine.follows(machine.config().memory_model) && engine.formulas() >= Formulas::of(machine)
}

/// The search for simple bugs of programs that are too large to be searched.
pub fn quick_look() -> Option<Choice> {
    let search = "scout";
    let (engine, why) = (engines::with_search(search)?, Some("a quick look"));
    Some(Choice { engine, search: Some(search), endless: false, why })
}

/// The engines for a program whose inputs have so many values, if it has any.
/// Where there are many, those come first that can do without trying each. Where there are
/// few, the second is one whose proofs cover any number of rounds: inputs often say when a loop
/// ends.
fn by_inputs(args: &CheckArgs, values: Option<u64>) -> Vec<Choice> {
    let why = Some("the one before did not know");
    let ask =
        |(engine, turn): (Listed, Turn)| Choice { engine, search: turn.search, endless: turn.endless, why };
    let mut choices: Vec<Choice> = engines::turns().into_iter().map(ask).collect();
    let first = match values {
        None => "the program has no inputs",
        Some(values) if values <= MANY => {
            choices[1..].sort_by_key(|choice| !choice.make(args).generalises());
            "the program's inputs have few values"
        }
        Some(_) => {
            choices.sort_by_key(|choice| choice.make(args).tries_values());
            "the program has inputs with many values"
        }
    };
    if let Some(choice) = choices.first_mut() {
        choice.why = Some(first);
    }
    choices
}

impl Choice {
    /// The engine's name, with its order of search if that is a special one.
    pub fn name(&self) -> String {
        let search = self.search.map(|search| format!(" (search {search})")).unwrap_or_default();
        format!("{}{search}", self.engine.name())
    }

    /// The engine with the options that the user gave it.
    pub fn make(&self, args: &CheckArgs) -> Box<dyn Engine> {
        self.engine.engine(args, self.search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;

    fn engines(values: Option<u64>) -> Vec<&'static str> {
        let args = Args::parse_from(["threadproof", "check", "a.c"]);
        let Command::Check(args) = args.command else { unreachable!("the command is check") };
        by_inputs(&args, values).into_iter().map(|choice| choice.engine.name()).collect()
    }

    #[test]
    fn the_first_engine_depends_on_the_inputs() {
        assert_eq!(engines(None), ["explicit", "bounded", "impact", "stateless", "stateless"]);
        assert_eq!(engines(Some(2)), ["explicit", "impact", "bounded", "stateless", "stateless"]);
        assert_eq!(engines(Some(u64::MAX)), ["bounded", "impact", "explicit", "stateless", "stateless"]);
    }
}
