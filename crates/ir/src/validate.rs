//! Checks that a program is well formed.

use crate::program::Program;

/// What is wrong with a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid(pub String);

/// Checks that a program is well formed.
pub fn validate(_program: &Program) -> Result<(), Invalid> {
    Ok(())
}
