//! Lazy abstraction with interpolants over the interleavings of threads: Impact, after
//! Wachter, Kroening and Ouaknine, "Verifying Multi-threaded Software with Impact".
//!
//! A proof goes in four steps:
//!
//! 1. `system`: the program as locations (states without their data) and steps
//!    between them, which are guarded assignments. `precision` says which numbers
//!    are data.
//! 2. `product`: the locations that interleavings lead to, as few as `reduce`
//!    allows. It has a finite number of vertices, or there is no proof.
//! 3. `invariants`: what holds at the vertices, out of candidates from templates.
//! 4. `search`: the abstract reachability tree of the paper over the product. Its
//!    labels begin with the invariants and are refined by `refute`.
//!
//! Deviations from the paper: partial-order reduction is part of the product, which
//! is a program in its own right, so that covers need no expansion (section IV.C) to be
//! sound: two nodes at one vertex have the same steps. Interpolants end where a label
//! contradicts the conditions: weakest preconditions, or strongest postconditions from
//! there on where these are simpler (`interpolate`). Labels do not begin with `true`,
//! but with invariants.

mod affine;
mod alike;
mod announce;
mod apart;
mod attempt;
mod candidates;
mod check;
mod columns;
mod commuting;
mod contract;
pub mod counters;
mod decided;
mod engine;
mod exact;
mod extremes;
mod facts;
mod future;
mod heads;
mod interpolate;
mod invariants;
mod kernel;
mod lattice;
mod partition;
mod por;
mod precision;
mod product;
mod proof;
mod prover;
mod racing;
mod reduce;
mod refute;
mod residues;
mod sample;
pub mod schedule;
mod search;
mod system;
mod tree;
mod watched;
mod words;
mod worklist;

pub use check::{Options, check};
pub use engine::{Impact, NAME};
pub use por::Por;
pub use precision::FEW;
pub use proof::Keeper;
pub use reduce::Order;
pub use worklist::Visit;
