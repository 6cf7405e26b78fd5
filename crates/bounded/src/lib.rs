//! Symbolic checking bounded by context switches and loop unwindings, after
//! Cordeiro and Fischer, *Verifying Multi-threaded Software using SMT-based
//! Context-Bounded Model Checking* (ICSE 2011).
//!
//! The nodes of the reachability tree (section 3.1) are symbolic states: states
//! of the machine with the conditions on the inputs under which they are
//! reached. The rules R1 to R6 are the machine's steps; a step forks where an
//! input decides.
//!
//! Deviations from the paper, each of which explores less for the same answer:
//!
//! - The solver is asked at each decision that inputs make possible both ways,
//!   not at the leaves, so that prefixes without executions are not extended.
//! - Two nodes with the same state and conditions have the same future, so only
//!   one is extended (`seen`). How their inputs are called does not matter, nor
//!   conditions on inputs that nothing in the state depends on. Interleavings that differ in the order of
//!   independent steps meet in the same state.
//! - Where nobody interferes with the active thread's step, it is left alone
//!   ([`reduction`]).
//! - A loop is unwound only where inputs decide whether it goes on; any other
//!   is executed as it is.
//! - Bounds rise by themselves. What lies beyond a bound is kept and taken up
//!   at the next, so nothing is explored twice.

mod arrive;
mod bound;
mod check;
pub mod counters;
mod engine;
mod expand;
mod lazy;
mod loops;
mod names;
mod node;
mod recording;
mod rounds;
mod seen;

pub use self::engine::{Bounded, NAME, Open};
pub use check::{Options, Strategy, check, check_with};
pub use loops::named as named_loops;
