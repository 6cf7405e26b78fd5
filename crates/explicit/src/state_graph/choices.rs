//! The choices of threads and data that lead along a path.
//!
//! The graph does not keep data choices. A counterexample needs few of them, so
//! they are found again by taking steps.

use machine::State;

use super::StateGraph;
use crate::found::Choice;
use crate::worker::{Next, Worker};
use store::StateId;

impl<S, E> StateGraph<S, E> {
    /// The steps from the initial state to this one.
    pub fn steps_to(&self, worker: &mut Worker<'_>, state: StateId) -> Vec<Choice> {
        let any = |_: &State, _| true;
        self.way(state).windows(2).map(|pair| choice_between(worker, pair[0], pair[1], any)).collect()
    }
}

/// The first step from one state to another that is admitted.
pub fn choice_between(
    worker: &mut Worker<'_>,
    from: StateId,
    to: StateId,
    admits: impl Fn(&State, Choice) -> bool,
) -> Choice {
    let store = &worker.shared.store;
    let opened = worker.open(from);
    for mover in opened.movers() {
        for choice in 0..worker.choices(&opened, mover) {
            let step = Choice { mover, choice };
            if admits(store.state(&opened.loaded), step)
                && let Next::State { tree, .. } = worker.step(&opened, mover, choice, true)
                && store.find(tree) == Some(to)
            {
                return step;
            }
        }
    }
    unreachable!("the graph has this step")
}
