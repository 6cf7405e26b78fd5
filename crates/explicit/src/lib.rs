//! The explicit-state engine, after "Context-Switch-Directed Verification in
//! DIVINE" (Štill, Ročkai, Barnat).
//!
//! It visits every reachable state: complete when it finishes, and with short
//! readable counterexamples when it does not.
//!
//! | file | what |
//! |---|---|
//! | `csdr` | the search by context switches (Algorithm 1) |
//! | `incoming`, `log`, `backward` | its bookkeeping, and counterexamples from it |
//! | `bfs`, `dfs` | the plain searches |
//! | `worker`, `parallel`, `found` | what searches have in common |
//! | `effects` | steps that need not be executed again |
//! | `store`, `pairs`, `index`, `chunked` | states in little memory |
//! | `outcome` | verdict, trace, statistics |

mod backward;
mod bfs;
mod chunked;
mod csdr;
mod dfs;
mod effects;
mod found;
mod incoming;
mod index;
mod log;
mod outcome;
mod pairs;
mod parallel;
mod store;
mod worker;

use engine::{Outcome, Task};
use machine::Grain;

pub use incoming::Bookkeeping;
pub use outcome::context_switches;

use bfs::Bfs;
use csdr::Csdr;
use dfs::Dfs;
use outcome::Ended;
use worker::Shared;

/// The order in which states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Search {
    /// By the number of context switches.
    #[default]
    Csdr,
    /// By the number of steps.
    Bfs,
    /// Along one execution as far as it goes, then back.
    Dfs,
}

/// Whether a step is remembered by the parts that it depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Remember {
    /// Every step is executed.
    Nothing,
    /// What is remembered is not executed again.
    #[default]
    Steps,
    /// What is remembered is executed again and must be the same: for tests.
    Checked,
}

/// How the search is done.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The order of the search.
    pub search: Search,
    /// `Visible` collapses the steps of a thread that no other thread can
    /// observe (tau reduction), `Instruction` does not.
    pub reduction: Grain,
    /// How csdr keeps incoming threads.
    pub bookkeeping: Bookkeeping,
    /// Whether starting a thread counts as a context switch, as in the paper's
    /// section 3.4.
    pub starts_switch: bool,
    /// Whether steps that only some parts of the state matter to are
    /// remembered. Makes no difference but in time.
    pub remember: Remember,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            search: Search::Csdr,
            reduction: Grain::Visible,
            bookkeeping: Bookkeeping::Exact,
            starts_switch: true,
            remember: Remember::Steps,
        }
    }
}

/// Visits every reachable state, unless a violation, a bound or the budget
/// ends it.
pub fn check(task: &Task<'_>, options: Options) -> Outcome {
    let shared = Shared::new(task, &options);
    match options.search {
        Search::Csdr => {
            let mut search = Csdr::new(&shared, options.bookkeeping);
            let found = search.run();
            let layers = std::mem::take(&mut search.layers);
            let ended =
                Ended { found, bytes: search.bytes(), complete: Some(search.complete), layers, depth: None };
            outcome::outcome(&shared, ended, search.into_tally())
        }
        Search::Bfs => {
            let mut search = Bfs::new(&shared);
            let found = search.run();
            let ended = Ended {
                found,
                bytes: search.bytes(),
                complete: None,
                layers: Vec::new(),
                depth: Some(search.levels),
            };
            outcome::outcome(&shared, ended, search.into_tally())
        }
        Search::Dfs => {
            let mut search = Dfs::new(&shared);
            let found = search.run();
            let ended = Ended {
                found,
                bytes: search.bytes(),
                complete: None,
                layers: Vec::new(),
                depth: Some(search.max_depth),
            };
            outcome::outcome(&shared, ended, search.into_tally())
        }
    }
}
