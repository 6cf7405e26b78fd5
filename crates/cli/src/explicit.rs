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
    /// Runs the engine.
    pub fn check(self, task: &Task<'_>, search: explicit::Search, reduction: Grain) -> Outcome {
        let bookkeeping = match self.bookkeeping {
            Bookkeeping::Exact => explicit::Bookkeeping::Exact,
            Bookkeeping::Inexact => explicit::Bookkeeping::Inexact,
        };
        let starts_switch = self.thread_start == ThreadStart::Switch;
        explicit::check(
            task,
            explicit::Options { search, reduction, bookkeeping, starts_switch, ..Default::default() },
        )
    }
}
