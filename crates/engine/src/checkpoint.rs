//! Searches that survive their process: what a search needs to go on is written
//! down now and then, and read by a later process.

use std::io::{self, Read, Write};

/// Where a search leaves what it needs to go on, and finds what an earlier one left.
/// Files are the caller's business; a search only writes and reads bytes.
pub trait Checkpoints: Send + Sync {
    /// Whether enough time has passed since the last checkpoint.
    fn is_due(&self) -> bool;

    /// Replaces the last checkpoint by one that `content` writes. If that fails, the
    /// last one stays, and the search goes on: losing a checkpoint loses no verdict.
    fn save(&self, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>);

    /// The checkpoint to go on from, whose bytes are those that were written. None if
    /// the search begins with the first state. Only the first call yields one.
    fn resume(&self) -> Option<Box<dyn Read>>;
}
