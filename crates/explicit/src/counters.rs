//! The counters that only this engine has.

use engine::{Counter, Unit};

/// Resident memory of the process at the end.
pub const MEMORY: Counter = Counter::told_in("memory", Unit::Bytes);
/// New states in each layer, from the first.
pub const STATES_PER_LAYER: Counter = Counter::untold("states_per_layer", Unit::Number);
/// Whether thread symmetry was used, if it was asked for.
pub const SYMMETRY: Counter = Counter::told_in("symmetry", Unit::Words);
