//! Refuses options that the named engine would ignore: a user who gives one expects
//! that it matters.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command};

use crate::checkpoint::CheckpointArgs;
use crate::engines::bounded::BoundedArgs;
use crate::engines::explicit::ExplicitArgs;
use crate::engines::impact::ImpactArgs;
use crate::engines::stateless::StatelessArgs;
use crate::engines::{self, Listed};
use crate::processes::ProcessArgs;
use crate::spill::SpillArgs;

/// Yields the identifiers of some options.
type Options = fn() -> Vec<String>;

/// The engines that have options of their own.
const OWN: [(&str, Options); 8] = [
    ("explicit", options::<ExplicitArgs>),
    ("explicit", options::<CheckpointArgs>),
    ("explicit", options::<ProcessArgs>),
    ("explicit", options::<SpillArgs>),
    ("bounded", options::<BoundedArgs>),
    ("impact", options::<ImpactArgs>),
    ("stateless", options::<StatelessArgs>),
    ("stateless", options::<CheckpointArgs>),
];

/// Options that belong to one engine, or to all, and the engines that keep them.
const SHARED: [(&str, &[&str]); 4] = [
    ("context_bound", &["explicit", "bounded"]),
    ("depth", &["reference", "explicit", "bounded", "stateless"]),
    ("state_limit", &["reference", "explicit"]),
    ("symmetry", &["explicit", "stateless"]),
];

/// Fails if an option of `check` was given that the named engine ignores.
pub fn refuse(given: &ArgMatches) -> anyhow::Result<()> {
    let search = given.get_one::<&'static str>("search");
    let engine = given.get_one::<Listed>("engine").copied();
    let Some(engine) = engine.or_else(|| engines::with_search(search?)) else { return Ok(()) };
    let is_given = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
    let known = OWN.iter().flat_map(|(_, options)| options());
    let shared = SHARED.iter().map(|(id, _)| (*id).to_owned());
    let ignored = known.chain(shared).find(|id| is_given(id) && !keeps(engine.name(), id));
    let Some(id) = ignored else { return Ok(()) };
    anyhow::bail!("the engine {} ignores --{}: leave it out", engine.name(), id.replace('_', "-"))
}

/// Whether an engine keeps an option.
fn keeps(engine: &str, id: &str) -> bool {
    match SHARED.iter().find(|(shared, _)| *shared == id) {
        Some((_, engines)) => engines.contains(&engine),
        None => OWN.iter().any(|(name, options)| *name == engine && options().iter().any(|own| own == id)),
    }
}

/// The options of a group, by their identifiers.
fn options<T: Args>() -> Vec<String> {
    T::augment_args(Command::new("")).get_arguments().map(|option| option.get_id().to_string()).collect()
}
