//! The concrete interleaving semantics: the only one.

mod fault;
mod machine;
mod observer;
mod property;
mod value;

pub use fault::{Fault, FaultKind, RaceAccess, ThreadId, Touch, Wait};
pub use machine::{Config, End, Grain, Machine, NeedsSymbolic, State, Step};
pub use observer::{Event, Footprint, Observer, Phase, Place};
pub use property::{Properties, Property};
pub use value::{ObjectId, Value};
