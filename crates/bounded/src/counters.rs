//! The counters that only this engine has, and what it counts for each bound.

use engine::counters::STATES;

pub use engine::counters::SOLVER_CALLS;
use engine::{Counted, Counter, Unit};

/// Interleavings that were followed.
pub const INTERLEAVINGS: Counter = Counter::told("interleavings", "interleavings");
/// Of these, how many violate a property.
pub const FAILING: Counter = Counter::told_if_any("failing", "failing interleavings");
/// Time that the solver took.
pub const SOLVER_SECONDS: Counter = Counter::untold("solver_seconds", Unit::Seconds);
/// How often a formula of all interleavings was put to the solver.
pub const ITERATIONS: Counter = Counter::untold("iterations", Unit::Number);
/// Different expressions that were built.
pub const EXPRESSIONS: Counter = Counter::untold("expressions", Unit::Number);
/// Clauses of the formulas that the solver was given, where it has clauses.
pub const CLAUSES: Counter = Counter::untold("clauses", Unit::Number);
/// What each bound took beyond those before, in the order in which they were
/// tried.
pub const BOUNDS: Counter = Counter::untold("bounds", Unit::Number);
/// The bound on context switches.
pub const CONTEXT_SWITCHES: Counter = Counter::untold("context_switches", Unit::Number);
/// The bound on unwindings.
pub const UNWINDING: Counter = Counter::untold("unwinding", Unit::Number);

/// What was counted up to a bound.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UpToBound {
    /// The bound on context switches.
    pub context_switches: u64,
    /// The bound on unwindings.
    pub unwinding: u64,
    /// States.
    pub states: u64,
    /// Interleavings followed.
    pub interleavings: u64,
    /// Of these, how many violate a property.
    pub failing: u64,
    /// Questions put to the solver.
    pub solver_calls: u64,
    /// Time that the solver took, in seconds.
    pub solver_seconds: f64,
    /// How often a formula of all interleavings was put to the solver.
    pub iterations: u64,
    /// Expressions.
    pub expressions: u64,
    /// Clauses.
    pub clauses: u64,
}

impl UpToBound {
    /// What this bound added to the one before.
    fn beyond(&self, before: &UpToBound) -> Counted {
        Counted::default()
            .with(CONTEXT_SWITCHES, self.context_switches)
            .with(UNWINDING, self.unwinding)
            .with(STATES, self.states - before.states)
            .with(INTERLEAVINGS, self.interleavings - before.interleavings)
            .with(FAILING, self.failing - before.failing)
            .with(SOLVER_CALLS, self.solver_calls - before.solver_calls)
            .with(SOLVER_SECONDS, self.solver_seconds - before.solver_seconds)
            .with(ITERATIONS, self.iterations - before.iterations)
            .with(EXPRESSIONS, self.expressions - before.expressions)
            .with(CLAUSES, self.clauses - before.clauses)
    }
}

/// What each bound added to those before.
pub(crate) fn per_bound(counts: &[UpToBound]) -> Vec<Counted> {
    let first = UpToBound::default();
    let before = std::iter::once(&first).chain(counts);
    counts.iter().zip(before).map(|(now, before)| now.beyond(before)).collect()
}
