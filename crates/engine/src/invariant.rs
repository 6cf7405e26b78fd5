//! What a proof says about the heads of loops.

use ir::Location;
use machine::ThreadId;
use serde::Serialize;

/// What holds whenever threads stand at these places, in the source's words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Invariant {
    /// Where threads stand.
    pub at: Vec<Stand>,
    /// What holds then. None of these follows from the others.
    pub conditions: Vec<String>,
}

/// A thread and where it stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Stand {
    /// The thread.
    pub thread: ThreadId,
    /// Its place.
    #[serde(flatten)]
    pub at: Location,
}
