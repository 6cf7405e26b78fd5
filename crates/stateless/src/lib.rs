//! The stateless engine: searches over executions. It stores no states, only
//! the execution it is in, so it suits programs whose state is large and whose
//! executions are short, such as unit tests of concurrent code.
//!
//! | file | what |
//! |---|---|
//! | `run` | the execution that a search is in |
//! | `footprint`, `names` | what a step touches |
//! | `explorer`, `tally` | what searches have in common |
//! | `optimal`, `wakeup`, `order`, `clock` | one execution of every Mazurkiewicz trace |
//! | `idle` | loops in which nothing happens |
//! | `dfs` | every execution |
//! | `guided`, `spin` | the default behaviour, and loops that spin |
//! | `best_first`, `priority` | the most promising executions first |
//! | `portfolio` | several of these side by side |
//! | `sample`, `random`, `pct` | some executions, at random |

pub mod best_first;
pub mod clock;
mod dfs;
pub mod explorer;
pub mod footprint;
pub mod guided;
pub mod idle;
pub mod names;
mod optimal;
pub mod order;
mod pct;
mod portfolio;
pub mod priority;
mod random;
pub mod run;
mod sample;
pub mod spin;
pub mod tally;
pub mod wakeup;

use engine::{Outcome, Task};

pub use best_first::{Settings, Shelf, Store};
use explorer::Each;
use order::Order;
pub use portfolio::portfolio;
pub use priority::Kind as Priority;

/// Which executions are run, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Search {
    /// One execution of every Mazurkiewicz trace.
    #[default]
    Optimal,
    /// Every execution.
    Dfs,
    /// Every execution within a bound, or those that partial-order reduction
    /// asks for, the most promising ones first.
    BestFirst,
    /// A random thread at each step.
    Random,
    /// Random priorities of threads that change a few times.
    Pct,
}

/// How the search is done.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The order of the search.
    pub search: Search,
    /// More about it.
    pub settings: Settings,
}

/// Runs the program's executions until a violation, a bound or the budget ends
/// it or all were run.
pub fn check(task: &Task<'_>, options: &Options) -> Outcome {
    search(task, options, None)
}

/// The same, and calls `each` with a number for the Mazurkiewicz trace of every
/// execution that came to its end by itself, in the searches `optimal` and `dfs`.
pub fn check_traces(task: &Task<'_>, options: &Options, mut each: impl FnMut(u64)) -> Outcome {
    search(task, options, Some(Box::new(|run| each(Order::fingerprint(run)))))
}

fn search<'a>(task: &'a Task<'a>, options: &'a Options, each: Option<Each<'a>>) -> Outcome {
    match options.search {
        Search::Optimal => optimal::check(task, each),
        Search::Dfs => dfs::check(task, each),
        Search::BestFirst => best_first::check(task, &options.settings),
        Search::Random => random::check(task, &options.settings),
        Search::Pct => pct::check(task, &options.settings),
    }
}
