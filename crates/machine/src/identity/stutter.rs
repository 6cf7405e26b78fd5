//! Steps that change nothing, for searches that do not repeat them.

use ir::{CompareExchange, Instr};

use crate::machine::Machine;
use crate::memory::object::Object;
use crate::race::Clock;
use crate::state::State;
use crate::sync::SyncObject;
use crate::telling::fault::ThreadId;
use ir::operation::Operation;

impl Machine {
    /// Whether memory and synchronisation objects are the same in two states of
    /// one execution. Which thread accessed them last makes no difference.
    pub fn same_memory(&self, a: &State, b: &State) -> bool {
        same(a, b, |a, b| same_contents(a, b) && same_sync(a, b))
    }

    /// Whether two states, perhaps of different executions, surely have the same
    /// canonical form of global memory ([`Machine::canonical_globals`]): their
    /// objects are the same, slot by slot.
    pub fn same_globals(&self, a: &State, b: &State) -> bool {
        let same_kind =
            |a: &Object, b: &Object| (a.align, a.origin, &a.unknown) == (b.align, b.origin, &b.unknown);
        same(a, b, |a, b| same_kind(a, b) && same_contents(a, b) && same_sync(a, b))
    }

    /// Whether memory is the same, whatever the synchronisation objects are.
    pub fn same_contents(&self, a: &State, b: &State) -> bool {
        same(a, b, same_contents)
    }

    /// Whether the program can find out that a lock is held without waiting for
    /// it.
    pub fn tries_locks(&self) -> bool {
        let tries = |instr: &Instr| matches!(instr, Instr::Sync { op, .. } if Operation::of(*op).tries());
        self.has_instruction(tries)
    }

    /// Whether some atomic access of the program reads what another one wrote
    /// without synchronising with it.
    pub fn is_weakly_ordered(&self) -> bool {
        let weak = |instr: &Instr| match instr {
            Instr::Load { access, .. } => access.order.is_some_and(|order| !order.acquires()),
            Instr::Store { access, .. } => access.order.is_some_and(|order| !order.releases()),
            Instr::AtomicRmw { order, .. } => !order.acquires() || !order.releases(),
            Instr::CompareExchange(exchange) => {
                let CompareExchange { success, failure, .. } = **exchange;
                !success.acquires() || !success.releases() || !failure.acquires()
            }
            _ => false,
        };
        self.has_instruction(weak)
    }

    fn has_instruction(&self, wanted: impl Fn(&Instr) -> bool) -> bool {
        self.program().functions.iter().any(|function| function.code.iter().any(&wanted))
    }

    /// Whether a thread holds in a state all locks that it holds in an earlier
    /// one, as often, and is inside of as many atomic sections.
    pub fn keeps_locks(&self, earlier: &State, now: &State, thread: ThreadId) -> bool {
        let kept = |slot: usize| {
            let (a, b) = (&earlier.memory.slots[slot], &now.memory.slots[slot]);
            let held = |(at, sync): &(u32, SyncObject)| {
                let before = sync.holds(thread);
                before == 0 || b.sync_at(u64::from(*at)).is_some_and(|sync| sync.holds(thread) >= before)
            };
            a.sync.iter().all(held)
        };
        let mut all = true;
        earlier.memory.slots.differences(&now.memory.slots, |slot| all &= kept(slot));
        all && earlier.thread(thread).atomic <= now.thread(thread).atomic
    }
}

fn same(a: &State, b: &State, same_object: impl Fn(&Object, &Object) -> bool) -> bool {
    let mut same = a.memory.slots.len() == b.memory.slots.len() && a.threads.len() == b.threads.len();
    if same {
        let (a, b) = (&a.memory.slots, &b.memory.slots);
        a.differences(b, |slot| same = same && same_object(&a[slot], &b[slot]));
    }
    same
}

fn same_contents(a: &Object, b: &Object) -> bool {
    (a.generation, a.life, &a.data, &a.undef, &a.pointers, &a.open)
        == (b.generation, b.life, &b.data, &b.undef, &b.pointers, &b.open)
}

fn same_sync(a: &Object, b: &Object) -> bool {
    a.sync.len() == b.sync.len()
        && a.sync.iter().zip(&b.sync).all(|((at, a), (bt, b))| at == bt && timeless(a) == timeless(b))
}

fn timeless(object: &SyncObject) -> SyncObject {
    let mut object = object.clone();
    object.clocks_mut().into_iter().for_each(|clock| *clock = Clock::default());
    object
}
