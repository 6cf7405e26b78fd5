//! Terms over bit-vectors and arrays of them, and solvers for them.
//!
//! [`Terms`] is an arena of hash-consed terms that are rewritten as they are
//! built. There are bit-vectors of 1 to 128 bits, of which those of width 1 are
//! the Booleans, and arrays of bit-vectors with indices of [`INDEX_WIDTH`] bits.
//! Every operation is total and means what SMT-LIB says
//! it means ([`eval`] is the definition that everything else is tested against).
//!
//! A [`Solver`] decides whether terms can be true together. There are two,
//! independent of each other: [`BitBlaster`] translates to clauses for CaDiCaL,
//! [`Z3`] is handed the terms as they are. [`open`] wraps either so that every
//! model is checked by evaluation before the caller sees it.

mod array;
mod asserted;
mod blast;
mod checked;
mod derived;
pub mod eval;
mod known;
pub mod linear;
mod listen;
mod rewrite;
mod share;
mod smtlib;
mod solver;
mod substitute;
mod term;
pub mod testing;
mod values;
mod z3;

pub use array::ArrayValue;
pub use blast::BitBlaster;
pub use checked::Checked;
pub use derived::Arith;
pub use eval::{Assignment, Evaluation};
pub use listen::{Listened, Question};
pub use rewrite::INDEX_WIDTH;
pub use share::Share;
pub use smtlib::script;
pub use solver::{Answer, Limits, Model, Solver, SolverError, SolverKind, Statistics, open};
pub use term::{Node, Op, Term, Terms};
pub use z3::Z3;
