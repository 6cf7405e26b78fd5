//! Where a fence would have kept an execution from happening.
//!
//! An execution is one of sequential consistency if no thread touches shared memory
//! while stores of its own wait: each store can then be made when it is committed. In
//! any other execution, a thread makes an access while an older store waits. A fence
//! directly after that store or directly before that access would have made the thread
//! wait for the store to be committed. A fence elsewhere between the two is not
//! considered, and one after the last such access only makes the thread wait where
//! waiting changes nothing for others.

use ir::{FuncId, Pc};
use machine::{Event, Fault, Fence, Machine, Observer, Side, State, ThreadId};

use crate::{Divergence, Follow, Stepped, Trace, replay};

/// The places for fences each of which excludes the execution, in the order in which
/// it comes to them. No two of them make threads wait at the same instruction.
pub fn delays(machine: &Machine, trace: &Trace, fault: &Fault) -> Result<Vec<Fence>, Divergence> {
    let mut delays = Delays::default();
    replay(machine, trace, fault, &mut delays)?;
    Ok(delays.fences)
}

#[derive(Default)]
struct Delays {
    /// The stores that wait when the moving thread comes to its next instruction.
    waiting: Vec<(FuncId, Pc)>,
    fences: Vec<Fence>,
}

impl Delays {
    fn add(&mut self, (function, pc): (FuncId, Pc), side: Side) {
        let fence = Fence { function, pc, side };
        if self.fences.iter().all(|known| known.waiting() != fence.waiting()) {
            self.fences.push(fence);
        }
    }
}

impl Observer for Delays {
    fn before(&mut self, machine: &Machine, state: &State, thread: ThreadId) {
        self.waiting = machine.waiting_stores(state, thread).collect();
    }

    fn event(&mut self, _: ThreadId, function: FuncId, pc: Pc, event: Event) {
        if self.waiting.is_empty() || !touches_shared(event) {
            return;
        }
        for store in std::mem::take(&mut self.waiting) {
            self.add(store, Side::After);
        }
        self.add((function, pc), Side::Before);
    }
}

impl Follow for Delays {
    // What a buffer does next is no access of its thread.
    fn stepped(&mut self, _: &Stepped<'_>) {
        self.waiting.clear();
    }
}

fn touches_shared(event: Event) -> bool {
    match event {
        Event::Read { shared, .. }
        | Event::Write { shared, .. }
        | Event::Whole { shared, .. }
        | Event::Free { shared, .. } => shared,
        Event::Buffered { .. } | Event::Sync { .. } => true,
        _ => false,
    }
}
