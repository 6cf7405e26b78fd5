//! The machine on values that are terms.
//!
//! There is one interpreter: `machine`. Its values may carry a symbol in place
//! of their bits, and it asks an implementation of [`machine::Symbols`] for
//! every operation on such values and every decision that depends on them. Here
//! is that implementation, with terms of [`logic`] behind the symbols, and the
//! driver that turns undecided decisions into forks.
//!
//! | file | what |
//! |---|---|
//! | `state` | a machine's state, the path condition, the inputs so far |
//! | `step` | a step and its successors |
//! | `transition` | a step as a relation on data: guard, assignments, target |
//! | `shape` | the part of a number that becomes data |
//! | `context` | decisions, inputs: what the interpreter asks |
//! | `number`, `value` | operations on numbers; undefined bits and pointers |
//! | `array` | the contents of objects of unknown size |
//! | `path` | what is assumed on a path |
//! | `guide`, `questions`, `inputs` | which side of a fork is possible |

mod array;
mod context;
mod guide;
mod inputs;
mod number;
mod path;
mod questions;
mod shape;
mod state;
mod step;
mod transition;
mod value;

pub use guide::{Blind, Candidate, Guide};
pub use inputs::Inputs;
pub use path::Path;
pub use questions::Questions;
pub use state::{Input, Known, Met, Spent, State};
pub use step::{Executor, Successor, Suspended};
pub use transition::{Assignment, Location, Locations, Transition};
