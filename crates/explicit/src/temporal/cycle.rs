//! A short cycle through a component that is accepting and fair.

use machine::{Fairness, ThreadId};
use rustc_hash::FxHashMap;

use super::emptiness::Turns;
use super::frontier::Frontier;
use super::graph::StepLabel;
use super::product::{Move, Product, met, passage};
use crate::SearchOrder;
use crate::state_graph::Edge;

/// What a cycle still has to do.
#[derive(Clone, Copy)]
struct Due {
    /// The threads that must move, or must be unable to.
    threads: u64,
    /// Whether an accepting pair must be visited.
    accepting: bool,
}

impl Due {
    fn is_nothing(self) -> bool {
        self.threads == 0 && !self.accepting
    }
}

/// The steps of a cycle through the first pair of a component that does all that is due.
/// From one thing that is due to the next, it takes the shortest path, in steps or in context
/// switches. This thread has the processor when it begins.
pub fn cycle<'g>(
    product: &Product<'g>,
    component: &[u32],
    fairness: Fairness,
    order: SearchOrder,
    running: ThreadId,
) -> Vec<(u32, &'g Edge<StepLabel>)> {
    let threads = Turns::of(product, component, fairness).due(fairness);
    let search = Search { product, component, fairness, order };
    let start = component[0];
    let mut due = search.after_visit(Due { threads, accepting: true }, start);
    let (mut at, mut running, mut moves) = (start, running, Vec::new());
    while !due.is_nothing() {
        let wanted = due;
        for (from, edge, to) in search.path(at, running, &|step| search.helps(wanted, step)) {
            due = search.after_visit(search.after_step(due, edge), to);
            moves.push((from, edge));
            (at, running) = (to, passage(edge, running).0);
        }
    }
    if at != start || moves.is_empty() {
        let back = search.path(at, running, &|(_, to)| to == start);
        moves.extend(back.into_iter().map(|(from, edge, _)| (from, edge)));
    }
    let steps = moves.into_iter().filter_map(|(from, edge)| Some((product.node(from), edge?)));
    steps.collect()
}

struct Search<'a, 'g> {
    product: &'a Product<'g>,
    component: &'a [u32],
    fairness: Fairness,
    order: SearchOrder,
}

impl<'g> Search<'_, 'g> {
    fn after_step(&self, due: Due, edge: Option<&Edge<StepLabel>>) -> Due {
        Due { threads: due.threads & !met(edge), ..due }
    }

    /// Under weak fairness a thread need not move that cannot.
    fn after_visit(&self, due: Due, pair: u32) -> Due {
        let label = self.product.label(pair);
        let excused = if self.fairness == Fairness::Weak && !label.kept { !label.enabled } else { 0 };
        let accepting = due.accepting && !self.product.is_accepting(pair);
        Due { threads: due.threads & !excused, accepting }
    }

    /// Whether a move does something that is due.
    fn helps(&self, due: Due, (edge, to): Move<'g>) -> bool {
        let after = self.after_visit(self.after_step(due, edge), to);
        after.threads != due.threads || after.accepting != due.accepting
    }

    /// The shortest path within the component whose last move is wanted.
    fn path(
        &self,
        from: u32,
        running: ThreadId,
        wanted: &dyn Fn(Move<'g>) -> bool,
    ) -> Vec<(u32, Option<&'g Edge<StepLabel>>, u32)> {
        let mut reached: FxHashMap<u32, Option<Move<'g>>> = FxHashMap::default();
        let mut frontier = Frontier::new(self.order, (from, None, running));
        while let Some((pair, before, thread)) = frontier.pop() {
            if reached.contains_key(&pair) {
                continue;
            }
            reached.insert(pair, before);
            for (edge, to) in self.product.cycle_moves(pair, self.fairness) {
                if self.component.binary_search(&to).is_err() {
                    continue;
                }
                if wanted((edge, to)) {
                    let mut path = vec![(pair, edge, to)];
                    while let Some((edge, before)) = reached[&path[path.len() - 1].0] {
                        path.push((before, edge, path[path.len() - 1].0));
                    }
                    path.reverse();
                    return path;
                }
                if !reached.contains_key(&to) {
                    let (after, switches) = passage(edge, thread);
                    frontier.push((to, Some((edge, pair)), after), switches);
                }
            }
        }
        unreachable!("a component is connected")
    }
}
