//! What steps of a thread and of its store buffer have to do with each other, as
//! accesses to what is no memory.
//!
//! A buffer commits a store after its thread made it, and where the thread waits for
//! an empty buffer, it goes on after all its stores were committed. These steps are
//! *bound*: they are in this order in every execution.
//!
//! Under total store order stores leave a buffer in the order in which they went in.
//! Each store has a number, the same in all executions of a trace. Making it and
//! committing it touch that number, and waiting touches all numbers so far. A store
//! that goes in and an older one that leaves commute, and touch different numbers.
//!
//! What a thread reads does not depend on whether its own stores are committed
//! ([`depend`]).
//!
//! Under partial store order, which stores a buffer can commit is a data choice, and
//! every store that goes in may add to what there is to choose from. So making a store
//! and committing one do not commute.

use std::sync::Arc;

use machine::{Kind, Machine, MemoryModel, Mover, State, ThreadId};
use smallvec::SmallVec;

use crate::footprint::{Access, Footprint, NO_MEMORY};

/// The names of buffers, for steps that are bound.
const BOUND: u64 = NO_MEMORY | 1 << 32;

/// The names of what there is to choose from.
const CHOICES: u64 = NO_MEMORY | 1 << 33;

/// How many stores of each thread went into its buffer and left it. Nothing where no
/// store ever did: it is copied at every step.
#[derive(Clone, Debug, Default)]
pub struct Buffers(Option<Arc<Counts>>);

#[derive(Clone, Debug, Default)]
struct Counts {
    entered: SmallVec<[u32; 4]>,
    left: SmallVec<[u32; 4]>,
}

impl Buffers {
    fn counts(&mut self) -> &mut Counts {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    /// What a store touches that goes into the buffer of a thread.
    pub fn entered(&mut self, machine: &Machine, thread: ThreadId) -> Access {
        let number = next(&mut self.counts().entered, thread);
        if overtakes(machine) { choices(thread) } else { bound(thread, number..number + 1) }
    }

    /// What the step of a buffer touches.
    pub fn left(&mut self, machine: &Machine, thread: ThreadId, footprint: &mut Footprint) {
        let number = next(&mut self.counts().left, thread);
        if overtakes(machine) {
            footprint.add(choices(thread));
            footprint.add(bound(thread, 0..1));
        } else {
            footprint.add(bound(thread, number..number + 1));
        }
    }

    /// What a thread's next step touches because it waited for all stores before.
    pub fn drained(&self, machine: &Machine, state: &State, thread: ThreadId) -> Option<Access> {
        let entered = self.0.as_ref()?.entered.get(thread.0 as usize).copied().unwrap_or(0);
        let drains = entered > 0 && machine.waits_for_buffer(state, thread);
        drains.then(|| bound(thread, 0..if overtakes(machine) { 1 } else { entered }))
    }
}

/// Whether two steps of different movers may not commute. A thread sees its own stores
/// whether they are committed or not, so that what it reads does not depend on its buffer.
#[inline]
pub fn depend((mover, first): (Mover, &Footprint), (other, second): (Mover, &Footprint)) -> bool {
    first.conflicts(second) && (mover.thread() != other.thread() || depend_on_own((mover, first), second))
}

fn depend_on_own((mover, first): (Mover, &Footprint), second: &Footprint) -> bool {
    let (thread, buffer) = if mover.is_thread() { (first, second) } else { (second, first) };
    let touches = |access: &Access| buffer.accesses.iter().any(|other| access.conflicts(other));
    let changes = |access: &&Access| access.kind != Kind::Read;
    thread.global || buffer.global || thread.accesses.iter().filter(changes).any(touches)
}

/// Whether a step of a thread and one of its buffer cannot come in the other order.
pub fn are_bound(first: &Footprint, second: &Footprint) -> bool {
    let is_bound = |access: &&Access| (BOUND..CHOICES).contains(&access.object);
    let of =
        |footprint: &'_ Footprint| footprint.accesses.iter().filter(is_bound).copied().collect::<Vec<_>>();
    let second = of(second);
    of(first).iter().any(|access| second.iter().any(|other| access.conflicts(other)))
}

/// Whether stores can overtake each other.
fn overtakes(machine: &Machine) -> bool {
    machine.config().memory_model == MemoryModel::Pso
}

fn bound(thread: ThreadId, numbers: std::ops::Range<u32>) -> Access {
    let object = BOUND | u64::from(thread.0);
    Access { object, start: numbers.start, end: numbers.end, kind: Kind::Write }
}

fn choices(thread: ThreadId) -> Access {
    Access { object: CHOICES | u64::from(thread.0), start: 0, end: 1, kind: Kind::Write }
}

fn next(counts: &mut SmallVec<[u32; 4]>, thread: ThreadId) -> u32 {
    let index = thread.0 as usize;
    if counts.len() <= index {
        counts.resize(index + 1, 0);
    }
    counts[index] += 1;
    counts[index] - 1
}
