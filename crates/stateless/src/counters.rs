//! The counters that only this engine has.

use engine::{Counter, Unit};

/// Executions given up because all threads slept or waited.
pub const BLOCKED: Counter = Counter::told_if_any("blocked", "blocked executions");
/// Executions in which an assumption was false.
pub const INFEASIBLE: Counter = Counter::told_if_any("infeasible", "infeasible executions").at(1);
/// Executions that ended with a thread in a loop in which nothing happens.
pub const SPINNING: Counter = Counter::told_if_any("spinning", "spinning executions");
/// Steps that needed no execution, because the machine went back to them.
pub const RESTORED: Counter = Counter::told("restored", "restored steps").at(1);
/// The most bytes that the executions to be run have taken.
pub const PEAK_TREE_BYTES: Counter =
    Counter { unit: Unit::Bytes, ..Counter::told("peak_tree_bytes", "bytes of executions to be run").at(1) };
