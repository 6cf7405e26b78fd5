//! Whether a product has a cycle that is accepting and fair.
//!
//! Strongly connected components are looked at as a whole. One without an accepting pair
//! has no accepting cycle. One that is not fair is taken apart, until what is left is fair
//! or has no cycle:
//!
//! - *weak* fairness is broken by a thread that can move in all states and never does.
//!   States in which a thread is in an atomic section say nothing of the others: they could
//!   move before and after it. No part of the component is fairer, but for cycles that stay
//!   within atomic sections, where the others cannot move;
//! - *strong* fairness is broken by a thread that can move in some state and never does.
//!   The states in which it can are left out (the emptiness check of Streett automata, as
//!   in `state_graph/fair.rs`).

use machine::{Fairness, ThreadId};

use super::cycle::cycle;
use super::product::{Product, Way, met};
use crate::SearchOrder;
use crate::state_graph::components;

impl<'g> Product<'g> {
    /// An execution that is accepted and fair.
    pub fn lasso(&self, fairness: Fairness, order: SearchOrder) -> Option<Way<'g>> {
        let component = self.fair_component(fairness)?;
        let mut steps = self.steps_to(component[0]);
        let start = steps.len();
        let running = steps.iter().fold(ThreadId(0), |running, (_, edge)| edge.passage(running).0);
        steps.extend(cycle(self, &component, fairness, order, running));
        Some(Way { steps, start: Some(start) })
    }

    /// The pairs in which an accepted and fair execution can stay for ever, ascending: of
    /// all such components the one that is reached first.
    fn fair_component(&self, fairness: Fairness) -> Option<Vec<u32>> {
        let all: Vec<u32> = (0..self.len()).collect();
        let mut due = self.cyclic(&all, fairness);
        let mut fair: Option<Vec<u32>> = None;
        while let Some(mut component) = due.pop() {
            if !component.iter().any(|pair| self.is_accepting(*pair)) {
                continue;
            }
            let turns = Turns::of(self, &component, fairness);
            if turns.is_fair(fairness) {
                if fair.as_ref().is_none_or(|known| component[0] < known[0]) {
                    fair = Some(component);
                }
                continue;
            }
            component.retain(|pair| {
                let label = self.label(*pair);
                match fairness {
                    Fairness::Strong => label.enabled & turns.enabled & !turns.moved == 0,
                    _ => label.kept,
                }
            });
            due.extend(self.cyclic(&component, fairness));
        }
        fair
    }

    /// The strongly connected components among some pairs (ascending) that have a cycle,
    /// each ascending.
    fn cyclic(&self, pairs: &[u32], fairness: Fairness) -> Vec<Vec<u32>> {
        let successors = |pair: u32| {
            let to: Vec<u32> = self.cycle_moves(pair, fairness).map(|(_, to)| to).collect();
            to.into_iter()
        };
        let mut found = components(pairs, successors);
        found.iter_mut().for_each(|component| component.sort_unstable());
        found
            .retain(|component| component.len() > 1 || successors(component[0]).any(|to| to == component[0]));
        found
    }

    /// The moves that may be part of a cycle.
    pub fn cycle_moves(
        &self,
        pair: u32,
        fairness: Fairness,
    ) -> impl Iterator<Item = super::product::Move<'g>> + use<'g> {
        let counts = move |(edge, _): &super::product::Move<'g>| {
            fairness == Fairness::None || edge.is_none_or(|edge| !edge.label.spurious)
        };
        self.moves(pair).into_iter().filter(counts)
    }
}

/// The threads that can move and do, in a component.
pub struct Turns {
    /// Those that can move in some state.
    enabled: u64,
    /// Those that cannot in some state without a thread that keeps others.
    disabled: u64,
    /// Those that move.
    pub moved: u64,
    /// Whether there is such a state.
    open: bool,
}

impl Turns {
    /// Those of a component (ascending).
    pub fn of(product: &Product<'_>, component: &[u32], fairness: Fairness) -> Turns {
        let mut turns = Turns { enabled: 0, disabled: 0, moved: 0, open: false };
        for pair in component {
            let label = product.label(*pair);
            turns.enabled |= label.enabled;
            if !label.kept {
                turns.open = true;
                turns.disabled |= !label.enabled;
            }
            for (edge, to) in product.cycle_moves(*pair, fairness) {
                if component.binary_search(&to).is_ok() {
                    turns.moved |= met(edge);
                }
            }
        }
        turns
    }

    fn is_fair(&self, fairness: Fairness) -> bool {
        match fairness {
            Fairness::None => true,
            Fairness::Weak => !self.open || self.disabled | self.moved == u64::MAX,
            Fairness::Strong => self.enabled & !self.moved == 0,
        }
    }

    /// The threads that a cycle must do justice to.
    pub fn due(&self, fairness: Fairness) -> u64 {
        match fairness {
            Fairness::None => 0,
            Fairness::Weak if !self.open => 0,
            Fairness::Weak => u64::MAX,
            Fairness::Strong => self.enabled,
        }
    }
}
