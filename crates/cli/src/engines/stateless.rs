//! The engine `stateless` and its options.

use std::sync::Arc;

use engine::Engine;
use ir::Program;
use stateless::{Options, Priority, Settings, Shelf, Stateless, Strategy};

use super::explicit::Symmetry;
use super::shelf::FileStore;
use super::{Offer, Turn};
use crate::args::CheckArgs;
use crate::units;

const SEARCHES: [(&str, Strategy); 6] = [
    ("optimal", Strategy::Optimal),
    ("dfs", Strategy::Dfs),
    ("best-first", Strategy::BestFirst),
    ("random", Strategy::Random),
    ("pct", Strategy::Pct),
    ("scout", Strategy::Scout),
];

/// How many names a message lists.
const MOST_SHOWN: usize = 8;

/// Options that only the engine `stateless` has.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Options of the engine stateless")]
pub struct StatelessArgs {
    /// best-first: run every execution with at most this many preemptions; loses coverage: what would be
    /// safe becomes unknown, unless there is nothing beyond [default: no bound, partial-order reduction]
    #[arg(long, value_name = "N")]
    pub preemption_bound: Option<u32>,

    /// best-first: what to run first, a list with commas whose first item decides: `pb` fewer preemptions,
    /// `dpor` what partial-order reduction would run, `mdpor` the same without what it adds to be on the
    /// safe side, `ss` what sleep sets would not leave out, `rand` at random, `method=NAME+...` preemptions
    /// of and by these functions, `var=NAME+...` between accesses to these variables, `none` depth-first
    /// [default: mdpor,pb; with a bound ss,mdpor]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub priority: Option<Vec<String>>,

    /// For what is random: the same number gives the same search
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Run at most this many executions; loses coverage: what would be safe becomes unknown
    #[arg(long, value_name = "N")]
    pub executions: Option<u64>,

    /// pct: how many orders between steps it takes to meet the bugs that are looked for
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub bug_depth: u32,

    /// best-first with --preemption-bound: the memory for executions to be run; what goes beyond is kept in a
    /// temporary file
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "1G")]
    pub tree_memory: u64,

    /// Run best-first searches with several priority functions and seeds side by side, one on each core;
    /// the first violation counts
    #[arg(long)]
    pub portfolio: bool,
}

impl StatelessArgs {
    /// What to run first.
    fn priority(&self) -> anyhow::Result<Vec<Priority>> {
        match &self.priority {
            None => Ok(Settings::default_priority(self.preemption_bound)),
            Some(list) if list.len() == 1 && list[0] == "none" => Ok(Vec::new()),
            Some(list) => list.iter().map(|item| item.parse().map_err(anyhow::Error::msg)).collect(),
        }
    }

    /// Refuses priorities that name what the program does not have.
    fn check_names(&self, program: &Program) -> anyhow::Result<()> {
        let functions = || program.functions.iter().filter(|f| !f.library).map(|f| program.name(f.name));
        let variables = || program.globals.iter().filter(|g| !g.constant).map(|g| program.name(g.name));
        for priority in self.priority()? {
            match priority {
                Priority::Method(names) => all_there("function", &names, functions().collect())?,
                Priority::Var(names) => all_there("global variable", &names, variables().collect())?,
                _ => {}
            }
        }
        Ok(())
    }

    fn settings(&self) -> Settings {
        Settings {
            preemption_bound: self.preemption_bound,
            priority: self.priority().unwrap_or_default(),
            seed: self.seed,
            executions: self.executions,
            bug_depth: self.bug_depth,
            restart: false,
            shelf: Some(Shelf { limit: self.tree_memory, store: Arc::new(FileStore::default()) }),
        }
    }

    /// The order of the search. Some options only make sense with one.
    fn search(&self, asked: Option<Strategy>) -> Strategy {
        let best_first = self.preemption_bound.is_some() || self.priority.is_some() || self.portfolio;
        asked.unwrap_or(if best_first { Strategy::BestFirst } else { Strategy::default() })
    }
}

/// The engine on the command line.
pub struct Offered;

impl Offer for Offered {
    fn name(&self) -> &'static str {
        stateless::NAME
    }

    fn searches(&self) -> Vec<&'static str> {
        SEARCHES.map(|(name, _)| name).to_vec()
    }

    /// Where the states are too many, what is likely wrong had better come first.
    /// Bugs that need many context switches at no special places are met by
    /// chance sooner than by a search that goes through few switches first.
    fn turns(&self) -> &'static [Turn] {
        &[
            Turn { place: 3, search: Some("best-first"), endless: false },
            Turn { place: 4, search: Some("random"), endless: true },
        ]
    }

    fn check_options(&self, args: &CheckArgs) -> anyhow::Result<()> {
        let own = &args.engines.stateless;
        if args.engines.checkpoint.is_used() {
            args.engines.checkpoint.check(args)?;
            let whole = matches!(own.search(args.search.and_then(search)), Strategy::Optimal | Strategy::Dfs);
            let whole = whole && !own.portfolio;
            anyhow::ensure!(whole, "checkpoints need the order of search --search optimal or dfs");
        }
        own.priority().map(|_| ())
    }

    fn check_program(&self, args: &CheckArgs, program: &Program) -> anyhow::Result<()> {
        args.engines.stateless.check_names(program)
    }

    fn engine(&self, args: &CheckArgs, asked: Option<&str>) -> Box<dyn Engine> {
        let own = &args.engines.stateless;
        let turns = args.engines.explicit.symmetry != Symmetry::Off;
        let options = Options { search: own.search(asked.and_then(search)), settings: own.settings(), turns };
        let checkpoints = args.engines.checkpoint.checkpoints();
        Box::new(Stateless { options, portfolio: own.portfolio, checkpoints })
    }
}

/// The search with this name.
fn search(name: &str) -> Option<Strategy> {
    SEARCHES.into_iter().find(|(known, _)| *known == name).map(|(_, search)| search)
}

/// Whether all names are among those that there are. The message has those that
/// are spelled most like the first that is not.
fn all_there(kind: &str, names: &[String], mut there: Vec<&str>) -> anyhow::Result<()> {
    let Some(name) = names.iter().find(|name| !there.contains(&name.as_str())) else { return Ok(()) };
    there.sort_by_key(|other| (strsim::osa_distance(name, other), *other));
    there.dedup();
    let shown = there[..there.len().min(MOST_SHOWN)].join(", ");
    let more = if there.len() > MOST_SHOWN { ", ..." } else { "" };
    let there = if there.is_empty() { "none".to_owned() } else { shown + more };
    anyhow::bail!("the program has no {kind} `{name}`, which --priority names; it has {there}")
}
