//! Strongly connected components (Tarjan), without recursion: paths in state
//! graphs are long.

use rustc_hash::FxHashMap;

use store::StateId;

/// A state on the current path, with the successors still to be looked at.
struct Open<I> {
    index: u32,
    successors: I,
}

/// The components of the graph over these states (ascending); steps that lead
/// out of them do not count.
pub fn components<I, F>(states: &[StateId], successors: F) -> Vec<Vec<StateId>>
where
    I: Iterator<Item = StateId>,
    F: Fn(StateId) -> I,
{
    let dense = states.last().is_none_or(|last| *last as usize + 1 == states.len());
    let places: FxHashMap<StateId, u32> =
        if dense { FxHashMap::default() } else { states.iter().copied().zip(0..).collect() };
    let place = |state: StateId| match dense {
        true => Some(state).filter(|state| (*state as usize) < states.len()),
        false => places.get(&state).copied(),
    };
    let mut tarjan = Tarjan {
        number: vec![0; states.len()],
        low: vec![0; states.len()],
        count: 0,
        stack: Vec::new(),
        found: Vec::new(),
    };
    for root in 0..states.len() as u32 {
        if tarjan.number[root as usize] == 0 {
            tarjan.run(root, |index| successors(states[index as usize]), place);
        }
    }
    let named = |component: Vec<u32>| component.into_iter().map(|index| states[index as usize]).collect();
    tarjan.found.into_iter().map(named).collect()
}

/// Tarjan's algorithm between two roots.
struct Tarjan {
    /// The order of discovery, from 1; 0 before, `u32::MAX` once the component
    /// is complete.
    number: Vec<u32>,
    low: Vec<u32>,
    count: u32,
    stack: Vec<u32>,
    found: Vec<Vec<u32>>,
}

impl Tarjan {
    fn run<I: Iterator<Item = StateId>>(
        &mut self,
        root: u32,
        successors: impl Fn(u32) -> I,
        place: impl Fn(StateId) -> Option<u32>,
    ) {
        let mut path = vec![self.open(root, &successors)];
        while let Some(last) = path.last_mut() {
            let from = last.index as usize;
            match last.successors.next().map(&place) {
                Some(None) => {}
                Some(Some(to)) if self.number[to as usize] == 0 => path.push(self.open(to, &successors)),
                // What belongs to a complete component has the largest number.
                Some(Some(to)) => self.low[from] = self.low[from].min(self.number[to as usize]),
                None => {
                    path.pop();
                    self.close(from);
                    if let Some(before) = path.last() {
                        let before = before.index as usize;
                        self.low[before] = self.low[before].min(self.low[from]);
                    }
                }
            }
        }
    }

    fn open<I>(&mut self, index: u32, successors: &impl Fn(u32) -> I) -> Open<I> {
        self.count += 1;
        self.number[index as usize] = self.count;
        self.low[index as usize] = self.count;
        self.stack.push(index);
        Open { index, successors: successors(index) }
    }

    /// All successors were looked at: the state may be the first of a component.
    fn close(&mut self, from: usize) {
        if self.low[from] != self.number[from] {
            return;
        }
        let mut component = Vec::new();
        loop {
            let index = self.stack.pop().expect("the component's first state is on the stack");
            self.number[index as usize] = u32::MAX;
            component.push(index);
            if index as usize == from {
                break;
            }
        }
        self.low[from] = u32::MAX;
        self.found.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(states: &[StateId], edges: &[(StateId, StateId)]) -> Vec<Vec<StateId>> {
        let successors = |from| {
            let to: Vec<StateId> = edges.iter().filter(|e| e.0 == from).map(|e| e.1).collect();
            to.into_iter()
        };
        let mut found = components(states, successors);
        found.iter_mut().for_each(|component| component.sort_unstable());
        found.sort();
        found
    }

    #[test]
    fn components_of_small_graphs() {
        let edges = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 3), (4, 0), (1, 4), (5, 1)];
        let all = [vec![0, 1, 2, 4], vec![3], vec![5]];
        assert_eq!(sorted(&[0, 1, 2, 3, 4, 5], &edges), all);
        assert_eq!(sorted(&[1, 2, 5], &edges), [vec![1, 2], vec![5]]);
        assert_eq!(sorted(&[0, 1], &edges), [vec![0], vec![1]], "steps that lead out do not count");
        assert!(sorted(&[], &edges).is_empty());
    }

    /// Against the definition: both reach each other.
    #[test]
    fn components_of_random_graphs() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..200 {
            let count = random.u32(1..=12);
            let edges: Vec<(u32, u32)> =
                (0..random.u32(..3 * count)).map(|_| (random.u32(..count), random.u32(..count))).collect();
            let reaches = |from: u32| {
                let mut seen = vec![from];
                let mut at = 0;
                while at < seen.len() {
                    let next = edges.iter().filter(|e| e.0 == seen[at]).map(|e| e.1);
                    let next: Vec<u32> = next.filter(|to| !seen.contains(to)).collect();
                    next.into_iter().for_each(|to| {
                        if !seen.contains(&to) {
                            seen.push(to)
                        }
                    });
                    at += 1;
                }
                seen
            };
            let all: Vec<u32> = (0..count).collect();
            for component in sorted(&all, &edges) {
                for state in 0..count {
                    let mutual =
                        reaches(component[0]).contains(&state) && reaches(state).contains(&component[0]);
                    assert_eq!(mutual, component.contains(&state), "{edges:?}");
                }
            }
        }
    }
}
