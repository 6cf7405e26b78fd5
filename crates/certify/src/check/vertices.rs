//! What is shown of single vertices: that the threads which move there are enough, or that they
//! are those that the schedule permits.

use std::rc::Rc;

use logic::{Term, Terms};
use machine::ThreadId;
use rustc_hash::FxHashMap;
use symbolic::Guide;

use super::Check;
use super::questions::possible;
use crate::exchange::{Exchange, Refusal};
use crate::fairness::Turn;
use crate::graph::{Known, VertexId};
use crate::permitted::Turn as Permission;
use crate::proof::Reason;
use crate::rejection::Rejection;

/// Says whether conditions can hold together.
type Satisfiable<'s> = &'s mut dyn FnMut(&mut Terms, &[Term]) -> Result<bool, Rejection>;

impl<'a> Check<'a> {
    /// Shows of a vertex that executions come to that its movers are enough there.
    pub(super) fn pass(&mut self, vertex: VertexId, known: &Rc<Known>) -> Result<(), Rejection> {
        if self.turns.turns.contains_key(&vertex) {
            return Ok(());
        }
        let at = &self.proof.vertices[vertex as usize];
        if !self.proof.interleavings.is_reduced() && at.reason != Reason::All {
            let why = "the tree says which threads are followed, and not the vertices".to_owned();
            return Err(Rejection::Pruned { vertex, why });
        }
        let context = (&mut self.terms, &mut self.guide as &mut dyn Guide);
        let justified = self.reduction.justify(&mut self.graph, context, known, at);
        justified.map_err(|why| Rejection::Pruned { vertex, why })?;
        if at.reason == Reason::Commuting {
            self.exchange(vertex, known, at.movers[0])?;
        }
        let (machine, state) = (self.graph.machine(), known.state());
        let (enabled, keeper) = (machine.runnable(state).to_vec(), machine.keeper(state));
        let (movers, reason) = (at.movers.clone(), at.reason);
        self.turns.turns.insert(vertex, Turn { enabled, movers, reason, keeper });
        Ok(())
    }

    /// Shows of a vertex that its first mover may go first where its condition holds.
    fn exchange(&mut self, vertex: VertexId, known: &Rc<Known>, first: ThreadId) -> Result<(), Rejection> {
        let condition = self.unless[vertex as usize].clone();
        let shown = self.exchanges(|exchange| exchange.show(known, first, &condition));
        shown.map_err(|refusal| match refusal {
            Refusal::Why(why) => Rejection::Pruned { vertex, why },
            Refusal::Failed(rejection) => rejection,
        })
    }

    /// Shows that steps change places.
    pub(super) fn exchanges(
        &mut self,
        show: impl FnOnce(&mut Exchange<'_, 'a, Satisfiable<'_>>) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let (machine, reduction) = (self.graph.machine(), &self.reduction);
        let (solver, questions) = (&mut self.solver, &mut self.questions);
        let mut satisfiable =
            |terms: &mut Terms, conditions: &[Term]| possible(solver.as_mut(), questions, terms, conditions);
        let mut exchange = Exchange {
            graph: &mut self.graph,
            terms: &mut self.terms,
            guide: &mut self.guide,
            satisfiable: &mut satisfiable as Satisfiable<'_>,
            independent: &|at, a, b| reduction.independent(machine, at.state(), a, b),
            found: FxHashMap::default(),
        };
        show(&mut exchange)
    }

    /// Shows of a vertex that its mover is the thread that the schedule permits to move there.
    /// Yields why no thread can move, if that is so: then no execution may come there.
    pub(super) fn turn(&mut self, vertex: VertexId, known: &Known) -> Result<Option<String>, Rejection> {
        let refused = |why: String| Rejection::Pruned { vertex, why };
        let at = &self.proof.vertices[vertex as usize];
        let permitted = self.permitted.as_ref().expect("there is a schedule");
        let (machine, state) = (self.graph.machine(), known.state());
        let stuck = match (permitted.turn(vertex, state).map_err(refused)?, &at.movers[..]) {
            (Permission::Stuck(why), []) => Some(why),
            (Permission::Run(threads), [mover]) if threads.contains(mover) => None,
            (Permission::Event(threads), movers) if threads == movers => None,
            _ => return Err(refused("the schedule permits another thread to move".to_owned())),
        };
        let (movers, reason, keeper) = (at.movers.clone(), Reason::Scheduled, machine.keeper(state));
        let enabled = state.thread_ids().filter(|thread| machine.goes_on(state, *thread)).collect();
        self.turns.turns.entry(vertex).or_insert(Turn { enabled, movers, reason, keeper });
        Ok(stuck)
    }

    /// Notes where in the schedule a step leads.
    pub(super) fn follow(
        &mut self,
        (from, to): (VertexId, VertexId),
        thread: ThreadId,
        target: &Known,
    ) -> Result<(), Rejection> {
        let Some(permitted) = &mut self.permitted else { return Ok(()) };
        let refused = |why: String| Rejection::Pruned { vertex: to, why };
        let known = self.graph.place(from).expect("a step has led there");
        let turn = permitted.turn(from, known.state()).map_err(refused)?;
        let states = (known.state(), target.state());
        permitted.follow((from, to), &turn, thread, states).map_err(refused)
    }
}
