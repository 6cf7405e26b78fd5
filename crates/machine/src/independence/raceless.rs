//! Programs that cannot tell a memory model from sequential consistency.
//!
//! **Theorem.** Let all atomic operations of a program be sequentially consistent, and
//! let no execution under sequential consistency have a data race. Then every execution
//! under a model with store buffers becomes one under sequential consistency, with the
//! same steps of threads in the same order, if each commit is moved to the store that it
//! commits.
//!
//! *Proof.* Only plain stores wait in buffers. Suppose that moving commits changes what
//! some thread does, and let `a` be the first access, in the order of the execution, to
//! bytes of a plain store `s` of another thread that is made but not committed. (Two
//! stores to the same bytes that both wait are among these: the later one is `a`.) Up to
//! `a` no thread could tell whether stores were committed: threads see their own stores in
//! any case, and other threads do not look at these bytes. So the steps before `a`, with commits
//! moved, are an execution under sequential consistency, and `a` can follow. Whatever
//! orders a later step of another thread after `s` (a sequentially consistent store, a
//! read-modify-write, an operation on a lock, the end of the thread and so on) waits for
//! an empty buffer ([`crate::sync::drain`]), so that it would come after the commit; but
//! the commit comes after `a`. Nothing orders `a` before `s` either, since `s` was made
//! first. So `s` and `a` race, under sequential consistency. ∎
//!
//! Faults of threads, deadlocks and context switches are those of their steps. What is in
//! memory when the process ends is not: a store may still wait then. Properties that are
//! about this are not looked for in this way, nor are executions as a whole.

use ir::{Instr, Order, Program};

use crate::machine::{Config, Machine};
use crate::model::MemoryModel;
use crate::telling::property::{Properties, Property};

/// Properties about what is in memory in the end, or about executions as a whole.
const OTHERS: [Property; 5] =
    [Property::Leak, Property::Cleanup, Property::Robust, Property::Livelock, Property::Ltl];

impl Machine {
    /// The same program under sequential consistency, with data races among what is looked
    /// for: if nothing is found there, nothing is under this machine's model. `None` if that
    /// does not follow, or if races would have to be found by clocks, which are part of the
    /// state.
    pub fn under_sequential_consistency(&self) -> Option<Machine> {
        let config = self.config();
        let about_steps = !OTHERS.iter().any(|property| config.properties.has(*property));
        let about_steps = about_steps && config.temporal.is_none() && !config.past_faults;
        if !self.has_buffers || !about_steps || has_weak_atomics(self.program()) {
            return None;
        }
        let race: Properties = [Property::Race].into_iter().collect();
        let config = Config {
            properties: config.properties.iter().chain(race.iter()).collect(),
            memory_model: MemoryModel::Sc,
            fences: Vec::new(),
            suppressions: Vec::new(),
            racing: None,
            undisturbed: None,
            ..config.clone()
        };
        let machine = self.marking(config);
        machine.without_clocks().is_some().then_some(machine)
    }
}

/// Whether an atomic operation is weaker than sequentially consistent.
pub fn has_weak_atomics(program: &Program) -> bool {
    let weak = |order: Order| order != Order::SeqCst;
    let is_weak = |instr: &Instr| match instr {
        Instr::Load { access, .. } | Instr::Store { access, .. } => access.order.is_some_and(weak),
        Instr::AtomicRmw { order, .. } => weak(*order),
        Instr::CompareExchange(exchange) => weak(exchange.success) || weak(exchange.failure),
        _ => false,
    };
    program.functions.iter().flat_map(|function| &function.code).any(is_weak)
}
