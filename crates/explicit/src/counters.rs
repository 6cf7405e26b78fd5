//! The counters that only this engine has.

use engine::{Counter, Unit};

/// Resident memory of the process at the end.
pub const MEMORY: Counter = Counter::told_in("memory", Unit::Bytes);
/// Bytes that were sent between processes, by the number of states.
pub const SENT_PER_STATE: Counter = Counter::untold("sent_per_state", Unit::Bytes);
/// New states in each layer, from the first.
pub const STATES_PER_LAYER: Counter = Counter::untold("states_per_layer", Unit::Number);
/// Why there was no need for store buffers, if there was none.
pub const MEMORY_MODEL: Counter = Counter::told_in("memory_model", Unit::Words);
/// Whether thread symmetry was used, if it was asked for.
pub const SYMMETRY: Counter = Counter::told_in("symmetry", Unit::Words);
