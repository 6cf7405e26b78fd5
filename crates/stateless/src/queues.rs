//! Which operations that are still to come at the end of an execution may race with a
//! step of it, kept from execution to execution.
//!
//! Operations that are blocked take part in races ([`crate::reversal`]). Where many threads
//! wait for one object, nearly always none of them races with anything: all steps that
//! touched the object happen before each of them, or are steps before which the
//! object was taken already. So threads that need the same are in one queue, with what
//! happens before all of them. A step of which one of these two is true races
//! with no thread of the queue, and the threads need not be asked one by one.
//!
//! Whether an object is taken is the same for all threads that do not have it
//! themselves. Where one of the queue has it, all are asked.
//!
//! From one execution's end to the next one's, threads stay in their queues whose parts and
//! whose objects are not touched ([`Enabled::asked`]). A thread's part is then one that
//! both executions have from their common beginning, and what happens before the
//! thread's next step is the same: whatever changes that changes the part, too.
//!
//! Threads that wait on conditions, at barriers, for the end of another or for an atomic
//! section are in no queue. There are no queues where stores wait in buffers or threads
//! begin in turn: then an operation touches more than what it needs.

use std::collections::BTreeSet;

use machine::{Enabled, Need, ThreadId};
use rustc_hash::FxHashMap;

use crate::clock::Clock;
use crate::order::Order;
use crate::run::Run;

/// The threads that are alive at the end of an execution, by what they need.
#[derive(Default)]
pub struct Queues {
    /// Tells which threads may not be as they were at the last end.
    last: Enabled,
    /// What each thread needs that is in a queue.
    needs: Vec<Option<Need>>,
    queues: FxHashMap<Need, Queue>,
    /// The threads that are in no queue and alive.
    others: BTreeSet<ThreadId>,
}

/// Threads that need the same.
struct Queue {
    threads: BTreeSet<ThreadId>,
    /// What happens before each of them, or less.
    past: Clock,
}

impl Queues {
    /// The threads, ascending, that may have an operation to come which races with a step
    /// of an execution that is at its end.
    pub fn racing(&mut self, run: &Run<'_>, order: &Order) -> Vec<ThreadId> {
        if run.touches_more() {
            return run.state().thread_ids().collect();
        }
        self.follow(run, order);
        let racing = self.queues.iter().filter(|(need, queue)| queue.may_race(run, order, **need));
        let racing = racing.flat_map(|(_, queue)| queue.threads.iter());
        let mut threads: Vec<ThreadId> = racing.chain(&self.others).copied().collect();
        threads.sort_unstable();
        threads
    }

    /// Goes on to the end of an execution.
    fn follow(&mut self, run: &Run<'_>, order: &Order) {
        let (machine, state) = (run.machine(), run.state());
        self.last.follow(machine, state);
        let count = state.thread_ids().len();
        for index in count..self.needs.len() {
            self.remove(ThreadId(index as u32));
        }
        self.needs.resize(count, None);
        for at in 0..self.last.asked().len() {
            let thread = self.last.asked()[at];
            self.remove(thread);
            if machine.is_alive(state, thread) {
                self.add(run, order, thread);
            }
        }
    }

    fn add(&mut self, run: &Run<'_>, order: &Order, thread: ThreadId) {
        let waits = run.machine().waiting(run.state(), thread).is_some();
        let need = run.machine().need(run.state(), thread).filter(|_| !waits);
        let Some(need @ (Need::Alone(_) | Need::Shared(_))) = need else {
            self.others.insert(thread);
            return;
        };
        self.needs[thread.0 as usize] = Some(need);
        let past = order.past(thread.into());
        match self.queues.get_mut(&need) {
            Some(queue) => {
                queue.past.meet(&past);
                queue.threads.insert(thread);
            }
            None => {
                self.queues.insert(need, Queue { threads: BTreeSet::from([thread]), past });
            }
        }
    }

    fn remove(&mut self, thread: ThreadId) {
        self.others.remove(&thread);
        let Some(need) = self.needs[thread.0 as usize].take() else { return };
        let queue = self.queues.get_mut(&need).expect("a thread that is in a queue");
        queue.threads.remove(&thread);
        if queue.threads.is_empty() {
            self.queues.remove(&need);
        }
    }
}

impl Queue {
    /// Whether the operation of one of the threads may race with a step.
    fn may_race(&self, run: &Run<'_>, order: &Order, need: Need) -> bool {
        let first = *self.threads.first().expect("a queue has a thread");
        let is_one = |thread: ThreadId| self.threads.contains(&thread);
        let is_open = |step: usize| run.machine().is_open_to_any(run.state_before(step), need, first, is_one);
        order.conflicting(&run.needed(need), &self.past).any(is_open)
    }
}
