//! The fringe (GAMBIT, section 5.4): the executions to be run, in bins of equal
//! priority. Each bin is a stack, so that among equals the search is
//! depth-first and needs little memory.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use crate::best_first::tree::Open;

/// What running an execution costs: first the first, then the second, and so
/// on. The lowest comes first.
pub type Cost = SmallVec<[u32; 4]>;

/// The executions to be run.
#[derive(Default)]
pub struct Fringe {
    bins: BTreeMap<Cost, Vec<Open>>,
    len: usize,
}

impl Fringe {
    /// Adds one.
    pub fn push(&mut self, cost: Cost, open: Open) {
        self.bins.entry(cost).or_default().push(open);
        self.len += 1;
    }

    /// Takes one of the lowest cost; among those, the one that was added last.
    pub fn pop(&mut self) -> Option<(Cost, Open)> {
        let mut bin = self.bins.first_entry()?;
        let open = bin.get_mut().pop().expect("bins are not empty");
        let cost = bin.key().clone();
        if bin.get().is_empty() {
            bin.remove();
        }
        self.len -= 1;
        Some((cost, open))
    }

    /// Takes half of them, those with the highest cost.
    pub fn take_worst(&mut self) -> Vec<(Cost, Open)> {
        let mut worst = Vec::new();
        while worst.len() < self.len {
            let Some((cost, bin)) = self.bins.pop_last() else { break };
            self.len -= bin.len();
            worst.extend(bin.into_iter().map(|open| (cost.clone(), open)));
        }
        worst
    }

    /// The lowest cost.
    pub fn best(&self) -> Option<&Cost> {
        self.bins.first_key_value().map(|(cost, _)| cost)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (self.len * size_of::<Open>() + self.bins.len() * 128) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(index: u32) -> Open {
        Open { node: 0, index }
    }

    #[test]
    fn the_lowest_cost_comes_first_and_among_equals_the_last() {
        let mut fringe = Fringe::default();
        let costs: [&[u32]; 5] = [&[1, 0], &[0, 9], &[0, 1], &[0, 1], &[2, 0]];
        for (index, cost) in costs.iter().enumerate() {
            fringe.push(cost.iter().copied().collect(), open(index as u32));
        }
        let order: Vec<u32> = std::iter::from_fn(|| fringe.pop()).map(|(_, open)| open.index).collect();
        assert_eq!(order, [3, 2, 1, 0, 4]);
        assert_eq!(fringe.len(), 0);
    }

    #[test]
    fn the_worst_half_is_taken() {
        let mut fringe = Fringe::default();
        (0..10).for_each(|cost| fringe.push([cost].into_iter().collect(), open(cost)));
        let worst: Vec<u32> = fringe.take_worst().iter().map(|(_, open)| open.index).collect();
        assert_eq!(worst, [9, 8, 7, 6, 5]);
        assert_eq!(fringe.len(), 5);
        assert_eq!(fringe.pop().map(|(_, open)| open.index), Some(0));
    }
}
