//! The contract of all engines: what they are given ([`Task`]) and what they
//! return ([`Outcome`]). Engines never print; what they have done so far shows
//! in [`Progress`].

mod assumption;
mod budget;
mod checkpoint;
mod collected;
mod contract;
mod invariant;
mod ledger;
mod memory;
mod order;
mod outcome;
mod pause;
mod peers;
mod progress;
mod stats;
mod task;
mod warnings;
mod words;

pub use assumption::{Assumption, WeakMemory};
pub use budget::{Budget, Exceeded, Watch};
pub use checkpoint::Checkpoints;
pub use collected::{Collected, Counterexample};
pub use contract::{Engine, Formulas};
pub use invariant::{Invariant, Stand};
pub use ledger::{Ending, Ledger, SavedLedger};
pub use memory::{release, resident, total_memory};
pub use order::by_priority;
pub use outcome::{Cut, Evidence, Limit, Outcome, Reason, Verdict};
pub use pause::Pause;
pub use peers::{Lost, Peers};
pub use progress::{Counts, Progress};
pub use stats::{Counted, Counter, Stats, Told, Unit, Value, counters};
pub use task::{Bounds, Task};
pub use warnings::{Warning, Warnings};
pub use words::{counted, grouped};
