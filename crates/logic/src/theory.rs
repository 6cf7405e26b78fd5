//! A theory that takes part in a solver's search: it is told which of its terms
//! the solver assumes, says what follows, and objects to what cannot be.

use crate::term::Term;

/// A term of width 1 and the value that it has or must have.
pub type Literal = (Term, bool);

/// What follows from literals that are assumed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Consequence {
    /// The literals that it follows from, each of them assumed.
    pub reasons: Vec<Literal>,
    /// What follows; nothing if the reasons contradict each other.
    pub implied: Option<Literal>,
}

/// A theory. The solver calls it while it searches: levels are opened and taken
/// back as the solver decides and backtracks.
pub trait Theory {
    /// The terms that the theory wants to be told about.
    fn watched(&self) -> &[Term];

    /// The solver makes a decision: what is assumed from here on is on a new level.
    fn push(&mut self);

    /// The solver takes back all levels but so many.
    fn back_to(&mut self, levels: usize);

    /// A watched term is assumed to have a value.
    fn assume(&mut self, literal: Literal);

    /// Something that follows from what is assumed and was not said yet on these
    /// levels.
    fn propagate(&mut self) -> Option<Consequence>;

    /// Why all that is assumed cannot be, now that every watched term has a value;
    /// nothing if it can.
    fn objection(&mut self) -> Option<Consequence>;
}
