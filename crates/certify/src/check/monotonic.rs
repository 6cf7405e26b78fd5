//! Which threads are to be followed from the nodes of a monotonic tree.
//!
//! Every execution with a fault has an equivalent one that the tree follows: of all that are
//! equivalent, take one of the shortest, and of these one with the fewest pairs of steps of which
//! the earlier is of a thread with a higher number. Suppose that the tree follows it up to a state
//! at which the next step, of thread *t*, is left out. Nodes that cover others follow what these
//! would have, so *t* was left out because of the step before, which another thread took from a node
//! whose label holds of the state in which it did. There it was shown that *t* has a lower number
//! and could have moved first, with the same result. So there is an equivalent execution with fewer
//! such pairs, or a shorter one: a contradiction.
//!
//! What is counted are instructions that other threads can observe. A thread that is left alone by the
//! step before does in one step what it would have done in several beside the other one: the first of
//! these still comes before that step.

use std::rc::Rc;

use machine::ThreadId;

use super::Check;
use crate::exchange::Refusal;
use crate::graph::Known;
use crate::proof::{Interleavings, Node};
use crate::rejection::Rejection;

impl Check<'_> {
    /// The threads that are to be followed from a node after a step of a thread from another one.
    pub(super) fn threads_after(
        &mut self,
        from: u32,
        thread: ThreadId,
        to: u32,
    ) -> Result<Vec<ThreadId>, Rejection> {
        let [before, next] = [from, to].map(|node| &self.proof.nodes[node as usize]);
        let movers = self.proof.vertices[next.vertex as usize].movers.clone();
        if self.proof.interleavings != Interleavings::Monotonic {
            return Ok(movers);
        }
        if let Some(known) = self.after.get(&(from, thread, to)) {
            return Ok(known.clone());
        }
        let place = |node: &Node| self.graph.place(node.vertex).expect("a step has led there");
        let places = (place(before), place(next));
        let mut wanted = Vec::new();
        for other in movers {
            if !self.may_wait(from, (thread, other), (&places.0, &places.1), next)? {
                wanted.push(other);
            }
        }
        self.after.insert((from, thread, to), wanted.clone());
        Ok(wanted)
    }

    /// Whether a thread need not be followed after a step of another one from a node (`SKIP` of
    /// Algorithm 2): it has a lower number, could move before, and its step is known to change
    /// places with that one, or does so because of the node's label, if the proof says so.
    fn may_wait(
        &mut self,
        from: u32,
        (mover, thread): (ThreadId, ThreadId),
        (before, after): (&Rc<Known>, &Rc<Known>),
        next: &Node,
    ) -> Result<bool, Rejection> {
        let machine = self.graph.machine();
        if thread >= mover || !machine.runnable(before.state()).contains(&thread) {
            return Ok(false);
        }
        for (place, moves) in [(before, mover), (before, thread), (after, thread)] {
            if self.graph.steps((&mut self.terms, &mut self.guide), place, moves).is_special {
                return Ok(false);
            }
        }
        if self.reduction.independent(machine, before.state(), mover, thread) {
            return Ok(true);
        }
        if !next.apart.contains(&thread) {
            return Ok(false);
        }
        let label = self.labels[from as usize].clone();
        let shown = self.exchanges(|exchange| exchange.swap(&label, (before, after), (mover, thread)));
        shown.map(|()| true).map_err(|refusal| match refusal {
            Refusal::Why(why) => Rejection::Apart { node: from, thread, why },
            Refusal::Failed(rejection) => rejection,
        })
    }
}
