//! The counters that only this engine has.

use engine::{Counter, Unit};

/// Locations that were met.
pub const LOCATIONS: Counter = Counter::told("locations", "locations");
/// Vertices of the reduced product.
pub const VERTICES: Counter = Counter::untold("vertices", Unit::Number);
/// Nodes of the tree.
pub const NODES: Counter = Counter::told("nodes", "nodes");
/// Of these, how many are covered.
pub const COVERED: Counter = Counter::told_if_any("covered_nodes", "covered");
/// Nodes that were made so that others may be covered (the paper's section IV.C).
pub const COVER_EXPANSIONS: Counter = Counter::untold("cover_expansions", Unit::Number);
/// How often labels were refined.
pub const REFINEMENTS: Counter = Counter::told_if_any("refinements", "refinements");
/// Invariants that were found before the tree was built.
pub const INVARIANTS: Counter = Counter::untold("invariants", Unit::Number);
/// Implications between labels that the solver was asked for.
pub const IMPLICATIONS: Counter = Counter::untold("implications", Unit::Number);
