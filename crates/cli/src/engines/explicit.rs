//! The engine `explicit` and its options.

use clap::ValueEnum;
use engine::Engine;
use explicit::{Explicit, Options, SearchOrder};
use ir::Program;

use super::{Offer, Turn};
use crate::args::{CheckArgs, Reduction};
use crate::processes;

const SEARCHES: [(&str, SearchOrder); 3] =
    [("csdr", SearchOrder::Csdr), ("bfs", SearchOrder::Bfs), ("dfs", SearchOrder::Dfs)];

/// Options that only the engine `explicit` has.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Options of the engine explicit")]
pub struct ExplicitArgs {
    /// Do not follow executions with more context switches than this (starting a thread is one); loses
    /// coverage: what would be safe becomes unknown, unless there is nothing beyond
    #[arg(long, value_name = "N")]
    pub context_bound: Option<u64>,

    /// What csdr remembers of a state: `exact` every thread that reaches it with the fewest context
    /// switches, `inexact` only the first, as DIVINE does (same verdict without a bound; with a bound it
    /// may miss a violation, and counterexamples may differ from run to run)
    #[arg(long, value_name = "KIND", default_value = "exact")]
    pub bookkeeping: Bookkeeping,

    /// What csdr counts as a context switch: with `switch` starting a thread takes the processor to the
    /// new one, as in DIVINE; with `free` only what the report shows as a switch counts
    #[arg(long, value_name = "KIND", default_value = "switch")]
    pub thread_start: ThreadStart,

    /// Keep only a fingerprint of each state, in about 11 bytes; searches depth-first. Loses certainty:
    /// states may be missed, so that what would be safe becomes unknown, with the probability of that
    #[arg(long)]
    pub hash_compaction: bool,

    /// Whether threads are interchangeable: with `twins`, of threads that are at the same place with the
    /// same values only one is followed; with `on`, states that differ only by the numbers of threads are
    /// taken for one: fewer states where several threads run the same function with equal arguments, more
    /// time for each (same verdicts; neither is used where the program depends on the numbers of threads);
    /// with both, of threads that are alike one begins after the other in the search `optimal` of the
    /// engine stateless
    #[arg(long, value_name = "WHICH", default_value = "twins")]
    pub symmetry: Symmetry,

    /// Find races by clocks, which are part of the state, even where they show without (same verdicts, more
    /// states; for comparison)
    #[arg(long)]
    pub race_clocks: bool,
}

/// Whether threads are interchangeable.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Symmetry {
    On,
    Twins,
    Off,
}

/// How the start of a thread counts.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ThreadStart {
    Switch,
    Free,
}

/// What csdr remembers.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Bookkeeping {
    Exact,
    Inexact,
}

impl ExplicitArgs {
    /// Options that cannot be had together.
    fn conflict(self, search: Option<SearchOrder>) -> Option<&'static str> {
        let search = self.order(search, None);
        if self.hash_compaction && search != SearchOrder::Dfs {
            return Some("--hash-compaction searches depth-first: leave out --search, or say --search dfs");
        }
        if self.context_bound.is_some() && search != SearchOrder::Csdr {
            return Some("--context-bound needs the search by context switches (--search csdr)");
        }
        None
    }

    /// Refuses what keeps its states elsewhere.
    fn check_spill(self, args: &CheckArgs) -> anyhow::Result<()> {
        let named = args.engine.is_some_and(|engine| engine.name() == explicit::NAME);
        anyhow::ensure!(named, "only the engine explicit has --spill: add --engine explicit");
        let elsewhere =
            [(self.hash_compaction, "--hash-compaction"), (self.symmetry == Symmetry::On, "--symmetry on")];
        match elsewhere.into_iter().find(|(used, _)| *used) {
            Some((_, option)) => anyhow::bail!("--spill cannot be had together with {option}"),
            None => Ok(()),
        }
    }

    /// The order of the search. Only that by steps knows the length of an
    /// execution from its beginning.
    fn order(self, asked: Option<SearchOrder>, depth: Option<u64>) -> SearchOrder {
        asked.unwrap_or(match depth {
            _ if self.hash_compaction => SearchOrder::Dfs,
            Some(_) if self.context_bound.is_none() => SearchOrder::Bfs,
            _ => SearchOrder::Csdr,
        })
    }
}

/// The engine on the command line.
pub struct Offered;

impl Offer for Offered {
    fn name(&self) -> &'static str {
        explicit::NAME
    }

    fn searches(&self) -> Vec<&'static str> {
        SEARCHES.map(|(name, _)| name).to_vec()
    }

    fn turns(&self) -> &'static [Turn] {
        &[Turn { place: 0, search: None, endless: false }]
    }

    fn check_options(&self, args: &CheckArgs) -> anyhow::Result<()> {
        if let Some(conflict) = args.engines.explicit.conflict(args.search.and_then(search)) {
            anyhow::bail!(conflict);
        }
        if args.engines.checkpoint.is_used() {
            args.engines.checkpoint.check(args)?;
            check_levels(args, "checkpoints", &[SearchOrder::Csdr, SearchOrder::Bfs])?;
        }
        if args.engines.spill.spill.is_some() {
            args.engines.explicit.check_spill(args)?;
            args.engines.spill.check()?;
        }
        if args.engines.processes.is_used() {
            processes::check_options(args)?;
            let named = args.engine.is_some_and(|engine| engine.name() == explicit::NAME);
            anyhow::ensure!(named, "only the engine explicit has several processes: add --engine explicit");
            check_levels(args, "several processes", &[SearchOrder::Csdr])?;
            let exact = args.engines.explicit.bookkeeping == Bookkeeping::Exact;
            anyhow::ensure!(exact, "several processes need --bookkeeping exact");
        }
        Ok(())
    }

    fn check_program(&self, args: &CheckArgs, program: &Program) -> anyhow::Result<()> {
        args.engines.processes.open(args, program)
    }

    fn engine(&self, args: &CheckArgs, asked: Option<&str>) -> Box<dyn Engine> {
        let own = args.engines.explicit;
        let bookkeeping = match own.bookkeeping {
            Bookkeeping::Exact => explicit::Bookkeeping::Exact,
            Bookkeeping::Inexact => explicit::Bookkeeping::Inexact,
        };
        let options = Options {
            search: own.order(asked.and_then(search), args.depth),
            reduction: args.reduction.into(),
            bookkeeping,
            starts_switch: own.thread_start == ThreadStart::Switch,
            hash_compaction: own.hash_compaction,
            symmetry: own.symmetry == Symmetry::On,
            twins: own.symmetry == Symmetry::Twins,
            transactions: args.reduction == Reduction::Locksets,
            raceless: args.reduction != Reduction::None,
            clocks: own.race_clocks,
            ..Options::default()
        };
        let (checkpoints, peers) = (args.engines.checkpoint.checkpoints(), args.engines.processes.peers());
        Box::new(Explicit { options, checkpoints, peers, spill: args.engines.spill.spill() })
    }
}

/// Only a search by layers or levels of states as they are can be written down or spread.
fn check_levels(args: &CheckArgs, what: &str, searches: &[SearchOrder]) -> anyhow::Result<()> {
    let own = args.engines.explicit;
    let fits = searches.contains(&own.order(args.search.and_then(search), args.depth));
    let names = SEARCHES.iter().filter(|(_, order)| searches.contains(order)).map(|(name, _)| *name);
    let names: Vec<&str> = names.collect();
    anyhow::ensure!(fits, "{what} need the order of search --search {}", names.join(" or "));
    anyhow::ensure!(own.symmetry != Symmetry::On, "{what} cannot be had together with --symmetry on");
    Ok(())
}

fn search(name: &str) -> Option<SearchOrder> {
    SEARCHES.into_iter().find(|(known, _)| *known == name).map(|(_, search)| search)
}
