//! Whose turn it is in a depth-first search.

use machine::ThreadId;
use smallvec::SmallVec;

/// The threads in reverse order of trying (the next one is popped): the one
/// that moved last goes on, so that an execution switches as little as need be.
pub fn by_priority(mut threads: SmallVec<[ThreadId; 8]>, last: ThreadId) -> SmallVec<[ThreadId; 8]> {
    threads.reverse();
    if let Some(index) = threads.iter().position(|thread| *thread == last) {
        let last = threads.remove(index);
        threads.push(last);
    }
    threads
}
