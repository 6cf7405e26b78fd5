//! The stateless engine: searches over executions. It stores no states, only
//! the execution it is in, so it suits programs whose state is large and whose
//! executions are short, such as unit tests of concurrent code.
//!
//! | file | what |
//! |---|---|
//! | `run` | the execution that a search is in |
//! | `footprint`, `names` | what a step touches |
//! | `idle` | threads that spin |
//! | `explorer`, `tally` | what searches have in common |
//! | `optimal`, `wakeup`, `order`, `clock` | one execution of every Mazurkiewicz trace |
//! | `dfs` | every execution |

pub mod clock;
mod dfs;
pub mod explorer;
pub mod footprint;
pub mod idle;
pub mod names;
mod optimal;
pub mod order;
pub mod run;
pub mod tally;
pub mod wakeup;

use engine::{Outcome, Task};

use explorer::Each;
use order::Order;

/// Which executions are run, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Search {
    /// One execution of every Mazurkiewicz trace.
    #[default]
    Optimal,
    /// Every execution.
    Dfs,
}

/// How the search is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The order of the search.
    pub search: Search,
}

/// Runs the program's executions until a violation, a bound or the budget ends
/// it or all were run.
pub fn check(task: &Task<'_>, options: Options) -> Outcome {
    search(task, options, None)
}

/// The same, and calls `each` with a number for the Mazurkiewicz trace of every
/// execution that came to its end by itself.
pub fn check_traces(task: &Task<'_>, options: Options, mut each: impl FnMut(u64)) -> Outcome {
    search(task, options, Some(&mut |run| each(Order::fingerprint(run))))
}

fn search<'a>(task: &'a Task<'a>, options: Options, each: Option<Each<'a>>) -> Outcome {
    match options.search {
        Search::Optimal => optimal::check(task, each),
        Search::Dfs => dfs::check(task, each),
    }
}
