//! Whose turn it is in a depth-first search.

use smallvec::SmallVec;

/// Those that can move in reverse order of trying (the next one is popped): the one
/// that moved last goes on, so that an execution switches as little as need be.
pub fn by_priority<M: PartialEq>(mut movers: SmallVec<[M; 8]>, last: M) -> SmallVec<[M; 8]> {
    movers.reverse();
    if let Some(index) = movers.iter().position(|mover| *mover == last) {
        let last = movers.remove(index);
        movers.push(last);
    }
    movers
}
