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
//! - Where no other thread interferes with the active thread's step, that step
//!   alone is a persistent set ([`reduction`]).
//! - A loop is unwound only where inputs decide whether it goes on; any other
//!   is executed as it is.
//! - Bounds rise by themselves. What lies beyond a bound is kept and taken up
//!   at the next, so nothing is explored twice.
//!
//! | file | what |
//! |---|---|
//! | `check` | bounds that rise until all is covered, and the answer |
//! | `lazy` | the exploration of the reachability tree up to a bound |
//! | `frontier`, `bound` | the steps still to be executed, and which are due |
//! | `node`, `seen`, `names` | nodes, and which of them were met before |
//! | `persistent` | nodes at which one thread's step suffices |
//! | `recording` | all interleavings of a bound in one formula |
//! | `rounds` | executions that go on for ever while threads wait |
//! | `loops` | bounds for single loops |
//!
//! `tests/` has a solver that fails. The searches are tested on generated
//! programs in `crates/generate/tests/differential`, and on the corpus in
//! `crates/cli/tests/corpus/bounded.rs`.

mod bound;
mod check;
pub mod counters;
mod engine;
mod frontier;
mod lazy;
mod loops;
mod names;
mod node;
mod persistent;
mod recording;
mod rounds;
mod seen;

pub use self::engine::{Bounded, NAME, Open};
pub use check::{Options, Strategy, check, check_with};
pub use loops::named as named_loops;
