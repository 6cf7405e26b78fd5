//! What waits to be visited, in the order of steps or of context switches.

use std::collections::VecDeque;

use machine::ThreadId;

use crate::SearchOrder;

/// A queue in layers: an entry that takes more context switches comes later. In the order of
/// steps there is one layer only.
pub struct Frontier<T> {
    by_switches: bool,
    layers: VecDeque<VecDeque<T>>,
}

impl<T> Frontier<T> {
    /// With one entry. All orders but that by context switches are breadth-first here.
    pub fn new(order: SearchOrder, first: T) -> Frontier<T> {
        let layers = VecDeque::from([VecDeque::from([first])]);
        Frontier { by_switches: order == SearchOrder::Csdr, layers }
    }

    /// Adds an entry that is so many context switches away from the one visited last.
    pub fn push(&mut self, entry: T, switches: usize) {
        let layer = if self.by_switches { switches } else { 0 };
        while self.layers.len() <= layer {
            self.layers.push_back(VecDeque::new());
        }
        self.layers[layer].push_back(entry);
    }

    /// The layer with the next entries, if there are any. An empty one was done before.
    fn first(&mut self) -> Option<&mut VecDeque<T>> {
        while self.layers.front().is_some_and(VecDeque::is_empty) {
            self.layers.pop_front();
        }
        self.layers.front_mut()
    }

    /// The next entry.
    pub fn pop(&mut self) -> Option<T> {
        self.first()?.pop_front()
    }

    /// All entries that come before those that are added from now on.
    pub fn batch(&mut self) -> VecDeque<T> {
        self.first().map(std::mem::take).unwrap_or_default()
    }
}

/// A step, as the order by context switches sees it.
#[derive(Clone, Copy)]
pub struct Passage {
    /// The thread that moves.
    pub mover: ThreadId,
    /// The thread that has the processor afterwards: another one if it was started.
    pub after: ThreadId,
}

impl Passage {
    /// How many context switches it takes if this thread has the processor before it, as the
    /// layers of `csdr` count them.
    pub fn switches(self, running: ThreadId) -> usize {
        usize::from(self.mover != running) + usize::from(self.after != self.mover)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_is_done_before_the_next() {
        for (order, expected) in [(SearchOrder::Csdr, [0, 2, 3, 1]), (SearchOrder::Bfs, [0, 1, 2, 3])] {
            let mut frontier = Frontier::new(order, 0);
            let mut visited = vec![frontier.pop().unwrap()];
            frontier.push(1, 2);
            frontier.push(2, 0);
            frontier.push(3, 1);
            visited.extend(std::iter::from_fn(|| frontier.pop()));
            assert_eq!(visited, expected);
        }
    }
}
