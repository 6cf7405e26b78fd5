//! The concrete interleaving semantics: the only one.
//!
//! A [`Machine`] is a program made ready; a [`State`] is cheap to clone. The
//! caller decides what moves ([`Machine::movers`]) and what open data is
//! ([`Machine::choices`]); [`Machine::step`] moves. What happened is told to an
//! [`Observer`]; what went wrong comes back as [`Fault`]s.
//!
//! | room | what |
//! |---|---|
//! | `value` | values of registers and their arithmetic |
//! | `memory` | objects, addresses, pointers; addresses that are given out again |
//! | `state` | states and threads |
//! | `sync` | synchronisation objects: which threads wait for which, deadlock, fairness |
//! | `exec` | the execution of instructions; `exec/access.rs` is the one way to memory |
//! | `mover` | what moves in a step |
//! | `model` | memory models: when other threads see a store |
//! | `symbolic` | values that are not known |
//! | `race` | happens-before |
//! | `identity` | when two states are the same |
//! | `independence` | what others can observe, what a step touches and depends on |
//! | `temporal` | propositions of temporal logic, and what can change them |
//! | `telling` | events, faults, coverage, properties, names |

mod exec;
mod identity;
mod independence;
mod machine;
mod memory;
mod model;
mod mover;
mod race;
mod state;
mod symbolic;
mod sync;
mod telling;
mod temporal;
mod value;

pub use exec::StepProgress;
pub use identity::part::{Part, Sort};
pub use identity::symmetry::Renaming;
pub use identity::turns::Turns;
pub use identity::twins::Twins;
pub use independence::adjacent::{Coming, Prospect, Racing, may_race};
pub use independence::depends::{Depends, Other};
pub use independence::footprint::{
    Footprint, How, Kind, MUTEX_BYTES, Role, Thing, Touched, Went, needed, touches,
};
pub use independence::home::Home;
pub use independence::raceless::has_weak_atomics;
pub use ir::operation::{Action, Needs, Operation, Patience, Reach, Subject};
pub use machine::{BUFFER_BOUND, Config, End, FEW_OBJECTS, Grain, Machine, NeedsSymbolic, RENUMBERED, Step};
pub use memory::MAX_OBJECT as GREATEST_SIZE;
pub use model::{Fence, MemoryModel, Side};
pub use mover::{Mover, Movers};
pub use race::Clock;
pub use state::State;
pub use symbolic::BranchAt;
pub use symbolic::data::{Datum, Holder};
pub use symbolic::open_data::Values;
pub use symbolic::symbols::{Pair, Snag, Sym, Symbols};
pub use sync::abandoned::{TooMuch, goes_round};
pub use sync::blocked::{Guard, runnable, stuck};
pub use sync::enabled::Enabled;
pub use sync::gate::{Need, Waiting};
pub use telling::coverage::Executed;
pub use telling::describe::quoted;
pub use telling::fault::{Fault, FaultKind, RaceAccess, ThreadId, Touch, Turn, Wait};
pub use telling::finals::{FinalStates, Finals};
pub use telling::observer::{Event, Observer, Phase, Place};
pub use telling::property::{Properties, Property};
pub use telling::suppression::Suppression;
pub use temporal::{Fairness, Question, Temporal};
pub use value::arith::Trouble;
pub use value::{ObjectId, Value};
