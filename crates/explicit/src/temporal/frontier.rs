//! What waits to be visited, in the order of steps or of context switches.

use std::collections::VecDeque;

use crate::SearchOrder;

/// A queue in two layers: what can be visited without a further context switch, and the rest.
/// In the order of steps there is one layer only.
pub struct Frontier<T> {
    by_switches: bool,
    now: VecDeque<T>,
    later: VecDeque<T>,
}

impl<T> Frontier<T> {
    /// With one entry. All orders but that by context switches are breadth-first here.
    pub fn new(order: SearchOrder, first: T) -> Frontier<T> {
        let by_switches = order == SearchOrder::Csdr;
        Frontier { by_switches, now: VecDeque::from([first]), later: VecDeque::new() }
    }

    /// Adds an entry, which may be reached by a context switch.
    pub fn push(&mut self, entry: T, switch: bool) {
        if switch && self.by_switches { self.later.push_back(entry) } else { self.now.push_back(entry) }
    }

    /// Begins the next layer if this one is done.
    fn advance(&mut self) {
        if self.now.is_empty() {
            std::mem::swap(&mut self.now, &mut self.later);
        }
    }

    /// The next entry.
    pub fn pop(&mut self) -> Option<T> {
        self.advance();
        self.now.pop_front()
    }

    /// All entries that come before those that are added from now on.
    pub fn batch(&mut self) -> VecDeque<T> {
        self.advance();
        std::mem::take(&mut self.now)
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
            frontier.push(1, true);
            frontier.push(2, false);
            frontier.push(3, false);
            visited.extend(std::iter::from_fn(|| frontier.pop()));
            assert_eq!(visited, expected);
        }
    }
}
