//! What a search counted.

use serde::Serialize;

/// Counts of a search. Each engine fills in what it has.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Stats {
    /// Wall-clock time of the search in seconds.
    pub seconds: f64,
    /// Distinct states stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Steps executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitions: Option<u64>,
    /// Distinct contents of the global memory at the program's end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_states: Option<u64>,
    /// The longest execution looked at, in steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_depth: Option<u64>,
    /// Bytes of a stored state, on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_state: Option<f64>,
    /// Resident memory of the process at the end, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Layers (context switches) explored completely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<u64>,
    /// New states in each layer, from the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states_per_layer: Vec<u64>,
    /// Whether thread symmetry was used, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetry: Option<&'static str>,
    /// Executions run to their end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executions: Option<u64>,
    /// Executions given up because all threads slept or waited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<u64>,
    /// Executions in which an assumption was false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infeasible: Option<u64>,
    /// Executions that ended with a thread in a loop in which nothing happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spinning: Option<u64>,
    /// Steps that needed no execution, because the machine went back to them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restored: Option<u64>,
    /// The most bytes that the executions to be run have taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_tree_bytes: Option<u64>,
    /// Interleavings that the engine distinguished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interleavings: Option<u64>,
    /// Of these, how many violate a property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing: Option<u64>,
    /// Questions put to the solver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver_calls: Option<u64>,
    /// Time that the solver took, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver_seconds: Option<f64>,
    /// How often a formula of all interleavings was put to the solver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// Different expressions that were built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expressions: Option<u64>,
    /// Clauses of the formulas that the solver was given, where it has clauses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clauses: Option<u64>,
    /// What each bound took, in the order in which they were tried.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<BoundStats>,
}

/// What an engine that raises its bounds did for one of them, beyond those
/// before.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct BoundStats {
    /// The bound on context switches.
    pub context_switches: u64,
    /// The bound on unwindings.
    pub unwinding: u64,
    /// New states.
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
    /// New expressions.
    pub expressions: u64,
    /// New clauses.
    pub clauses: u64,
}
