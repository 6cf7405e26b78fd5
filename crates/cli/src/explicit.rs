//! The options of the engine `explicit`.

use clap::ValueEnum;
use engine::{Outcome, Task};
use machine::Grain;

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

    /// Take states that differ only by the numbers of threads for one: fewer states where several threads
    /// run the same function with equal arguments (same verdicts; where the program depends on the numbers
    /// of threads, it is not used, and the report says so)
    #[arg(long, value_name = "WHEN", default_value = "off")]
    pub symmetry: Symmetry,
}

/// Whether threads are interchangeable.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Symmetry {
    On,
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
    pub fn conflict(self, search: Option<explicit::Search>) -> Option<&'static str> {
        let search = self.order(search, None);
        if self.hash_compaction && search != explicit::Search::Dfs {
            return Some("--hash-compaction searches depth-first: leave out --search, or say --search dfs");
        }
        if self.context_bound.is_some() && search != explicit::Search::Csdr {
            return Some("--context-bound needs the search by context switches (--search csdr)");
        }
        None
    }

    /// The order of the search. Only that by steps knows the length of an
    /// execution from its beginning.
    fn order(self, asked: Option<explicit::Search>, depth: Option<u64>) -> explicit::Search {
        asked.unwrap_or(match depth {
            _ if self.hash_compaction => explicit::Search::Dfs,
            Some(_) if self.context_bound.is_none() => explicit::Search::Bfs,
            _ => explicit::Search::Csdr,
        })
    }

    /// Runs the engine.
    pub fn check(self, task: &Task<'_>, search: Option<explicit::Search>, reduction: Grain) -> Outcome {
        let bookkeeping = match self.bookkeeping {
            Bookkeeping::Exact => explicit::Bookkeeping::Exact,
            Bookkeeping::Inexact => explicit::Bookkeeping::Inexact,
        };
        let options = explicit::Options {
            search: self.order(search, task.bounds.depth),
            reduction,
            bookkeeping,
            starts_switch: self.thread_start == ThreadStart::Switch,
            hash_compaction: self.hash_compaction,
            symmetry: self.symmetry == Symmetry::On,
            ..explicit::Options::default()
        };
        explicit::check(task, options)
    }
}
