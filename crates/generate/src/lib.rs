//! Small random concurrent C programs.
//!
//! Two or three threads, a few operations each, over a few shared variables: a
//! state space that an unreduced search exhausts in a moment, so that searches
//! which should agree can be compared on many programs. A fair share of the
//! programs violates something. A program is determined by its seed; it is a
//! tree ([`Test`]) first and C source second, so that one on which two searches
//! disagree can be made smaller ([`shrink`]).
//!
//! Each program uses a few groups of operations, not all at once: what is rare
//! is then common in some programs, and meets other rare things.

mod random;
mod render;
mod shape;
mod shrink;
mod sketch;
mod test;

pub use random::Random;
pub use shape::{Group, Shape};
pub use shrink::shrink;
pub use sketch::sketch;
pub use test::{Atom, Condition, Expr, Order, Stmt, Test, Thread, Variable};

/// The C source of the program with this seed.
pub fn generate(seed: u64, shape: &Shape) -> String {
    sketch(seed, shape).to_string()
}
