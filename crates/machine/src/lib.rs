//! The concrete interleaving semantics: the only one.
//!
//! A [`Machine`] is a program made ready; a [`State`] is cheap to clone. The
//! caller decides who moves ([`Machine::runnable`]) and what open data is
//! ([`Machine::choices`]); [`Machine::step`] moves. What happened is told to an
//! [`Observer`]; what went wrong comes back as [`Fault`]s.
//!
//! | file | what |
//! |---|---|
//! | `value`, `arith`, `float` | values of registers |
//! | `object`, `memory` | objects, addresses, pointers |
//! | `sync`, `thread`, `state` | synchronisation objects, threads, states |
//! | `eval` | the inner loop: instructions on registers |
//! | `exec`, `exec_memory`, `exec_sync` | all other instructions |
//! | `symbols`, `symbolic`, `spread` | values that are not known |
//! | `indeterminate`, `reuse`, `address_use`, `torn` | what is open until something looks: uninitialised values, addresses that come back, torn accesses |
//! | `peek`, `blocked`, `gate`, `visible`, `livelock`, `abandoned` | who can move, deadlock, tau reduction, fairness |
//! | `race` | happens-before |
//! | `normalise`, `canonical`, `part`, `returned`, `stutter`, `symmetry`, `joins` | equality of states |
//! | `depends`, `local`, `home` | steps that only some parts or places matter to |
//! | `describe`, `leak`, `fault`, `property`, `observer` | what is told |

mod abandoned;
mod address_use;
mod arith;
mod blocked;
mod canonical;
mod depends;
mod describe;
mod eval;
mod exec;
mod exec_memory;
mod exec_mutex;
mod exec_sync;
mod fault;
mod float;
mod gate;
mod home;
mod indeterminate;
mod joins;
mod leak;
mod livelock;
mod local;
mod machine;
mod memory;
mod normalise;
mod object;
mod observer;
mod part;
mod peek;
mod printed;
mod property;
mod race;
mod returned;
mod reuse;
mod spread;
mod state;
mod stutter;
mod symbolic;
mod symbols;
mod symmetry;
mod sync;
mod thread;
mod torn;
mod value;
mod visible;

pub use abandoned::{TooMuch, goes_round};
pub use arith::Trouble;
pub use blocked::{Guard, runnable, stuck};
pub use depends::{Depends, Other};
pub use exec::Progress;
pub use fault::{Fault, FaultKind, RaceAccess, ThreadId, Touch, Turn, Wait};
pub use gate::{Need, Waiting};
pub use home::Home;
pub use machine::{Config, End, Grain, Machine, NeedsSymbolic, Step};
pub use observer::{
    ENOTRECOVERABLE, EOWNERDEAD, Event, Footprint, How, MUTEX_BYTES, Observer, Phase, Place, Touched,
};
pub use part::{Part, Sort};
pub use property::{Properties, Property};
pub use state::State;
pub use symbolic::BranchAt;
pub use symbols::{Pair, Snag, Sym, Symbols};
pub use symmetry::Renaming;
pub use value::{ObjectId, Value};
