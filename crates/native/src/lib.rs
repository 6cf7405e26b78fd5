//! Native programs that are held to an order of events.
//!
//! The front end hands over the module that was checked (`frontend::load_linked`).
//! Calls of the runtime (`crates/runtime`) are inserted at the sites that an
//! order names, and clang makes a program of it ([`build`]). [`follow`] makes
//! the order of a counterexample; [`replay()`] runs the program along it and
//! says what came of it. [`enforce()`] builds a program that is held to a schedule
//! (`crates/schedule`). `docs/native.md` is the whole story.

pub mod build;
mod enforce;
mod error;
mod failures;
mod follow;
mod instance;
mod notice;
mod plan;
mod replay;
mod scheduled;
mod unseen;
mod visit;
mod words;

pub use enforce::{OnDeparture, enforce, fingerprint};
pub use error::Error;
pub use follow::follow;
pub use plan::{Ending, Gate, Input, Place, Plan, Turn, Wait};
pub use replay::{Departure, Native, Outcome, Why, has_effect, replay};
pub use scheduled::scheduled;
