//! The stateless engine: searches over executions. It stores no states, only
//! the execution it is in, so it suits programs whose state is large and whose
//! executions are short, such as unit tests of concurrent code.
//!
//! | file | what |
//! |---|---|
//! | `run` | the execution that a search is in |
//! | `footprint`, `names`, `effect`, `buffers` | what a step touches and changes |
//! | `explorer`, `tally` | what searches have in common |
//! | `walk`, `tree`, `crew` | workers on the tree of executions |
//! | `checkpoint` | going on in another process |
//! | `optimal`, `reversal`, `covered`, `wakeup`, `order`, `clock` | one execution of every Mazurkiewicz trace |
//! | `dfs` | every execution |
//! | `idle` | loops in which nothing happens |
//! | `guided`, `spin`, `livelock`, `abandoned` | the default behaviour, and loops that spin |
//! | `best_first`, `priority` | the most promising executions first |
//! | `portfolio` | several of these side by side |
//! | `sample`, `random`, `pct` | some executions, at random |
//! | `scout` | a few executions with few preemptions |
//! | `engine`, `counters` | the contract of engines, and what this one counts |
//!
//! The searches are tested where programs are: on generated programs in
//! `crates/generate/tests` (`differential`, `best_first`, `polling`, `workers`,
//! `livelock`), and on the corpus in `crates/cli/tests/corpus/stateless.rs`.
//! [`Run`] is public because those tests enumerate executions with it.

mod abandoned;
mod best_first;
mod buffers;
mod checkpoint;
mod clock;
pub mod counters;
mod covered;
mod crew;
mod dfs;
mod effect;
mod engine;
mod explorer;
mod footprint;
mod guided;
mod idle;
mod livelock;
mod names;
mod optimal;
mod order;
mod pct;
mod portfolio;
mod priority;
mod queues;
mod random;
mod reversal;
mod run;
mod sample;
mod scout;
mod spin;
mod tally;
mod touched;
mod tree;
mod wakeup;
mod walk;

use std::sync::Mutex;

use ::engine::{Checkpoints, Outcome, Task};

pub use self::engine::{NAME, Stateless};
pub use best_first::{Settings, Shelf, Store};
use dfs::Dfs;
use explorer::Each;
use optimal::Optimal;
use order::Order;
pub use portfolio::portfolio;
pub use priority::Kind as Priority;
pub use run::Run;

/// Which executions are run, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
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
    /// A few executions with few preemptions.
    Scout,
}

/// How the search is done.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The order of the search.
    pub search: Strategy,
    /// More about it.
    pub settings: Settings,
    /// Whether in the search `optimal` threads that are alike begin in turn ([`machine::Turns`]), where
    /// they can stand for each other. Not with a bound on the depth, since `main` may join threads
    /// later than it could, nor where the search may go on in another process or traces are told.
    pub turns: bool,
}

/// Runs the program's executions until a violation, a bound or the budget ends
/// it or all were run.
pub fn check(task: &Task<'_>, options: &Options) -> Outcome {
    search(task, options, None, None)
}

/// The same; in the searches `optimal` and `dfs` it is written down now and then what is needed to
/// go on, and the search goes on from where an earlier one was.
pub fn check_with(task: &Task<'_>, options: &Options, checkpoints: Option<&dyn Checkpoints>) -> Outcome {
    search(task, options, None, checkpoints)
}

/// The same, and calls `each` with a number for the Mazurkiewicz trace of every
/// execution that came to its end by itself, in the searches `optimal` and `dfs`.
pub fn check_traces(task: &Task<'_>, options: &Options, each: impl FnMut(u64) + Send) -> Outcome {
    let each = Mutex::new(each);
    let call = |run: &Run<'_>| {
        let trace = Order::fingerprint(run);
        (each.lock().expect("no worker panicked"))(trace);
    };
    search(task, options, Some(&call), None)
}

fn search<'a>(
    task: &'a Task<'a>,
    options: &'a Options,
    each: Option<Each<'a>>,
    checkpoints: Option<&dyn Checkpoints>,
) -> Outcome {
    match options.search {
        Strategy::Optimal => {
            let whole = task.bounds.depth.is_none() && each.is_none() && checkpoints.is_none();
            let twins = (options.turns && whole).then(|| task.machine.twins()).flatten();
            walk::check::<Optimal>(task, twins.as_ref(), each, checkpoints)
        }
        Strategy::Dfs => walk::check::<Dfs>(task, None, each, checkpoints),
        Strategy::BestFirst => best_first::check(task, &options.settings),
        Strategy::Random => random::check(task, &options.settings),
        Strategy::Pct => pct::check(task, &options.settings),
        Strategy::Scout => scout::check(task),
    }
}
