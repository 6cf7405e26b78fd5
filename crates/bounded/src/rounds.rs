//! Executions that go on for ever while a thread waits for what any thread may
//! do: it may wait for ever.
//!
//! The machine decides that for a state without inputs
//! ([`machine::Machine::abandoned`]). It cannot follow a state with inputs: the
//! search then remembers the steps between states in which the same thread
//! waits, and finds out at the end whether they go round.

use machine::{Machine, Mover, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::seen::Number;

/// A set of threads; the last bit stands for all that have no other.
type Threads = u64;

/// Steps during which a thread waits.
#[derive(Default)]
pub struct Rounds {
    /// The threads that wait, by state.
    waiting: FxHashMap<Number, Threads>,
    steps: Vec<(Number, Number)>,
    /// States in which no thread waits for ever.
    cleared: FxHashSet<Number>,
}

impl Rounds {
    /// Notes which threads wait in a state; says whether there are any.
    pub fn note(&mut self, machine: &Machine, state: &machine::State, number: Number) -> bool {
        let bit = |thread: ThreadId| 1 << thread.0.min(63);
        let waiting = machine.waiting_for_anyone(state).fold(0, |set: Threads, thread| set | bit(thread));
        if waiting != 0 {
            self.waiting.insert(number, waiting);
        }
        waiting != 0
    }

    /// Notes a step from one state to another.
    pub fn step(&mut self, from: Option<Number>, mover: Mover, to: Number) {
        let waiting = |number| self.waiting.get(&number).copied().unwrap_or(0);
        let Some(from) = from else { return };
        // A thread that moves while it waits has woken without a signal. The last
        // bit may stand for another thread, so it does not tell.
        let is_awake = |thread: ThreadId| thread.0 >= 63 || waiting(from) >> thread.0 & 1 == 0;
        let caused = mover.as_thread().is_none_or(is_awake);
        if caused && waiting(from) & waiting(to) != 0 && !self.cleared.contains(&to) {
            self.steps.push((from, to));
        }
    }

    /// Notes that no thread waits for ever in a state.
    pub fn clear(&mut self, number: Number) {
        self.cleared.insert(number);
    }

    /// Whether that is known.
    pub fn is_clear(&self, number: Number) -> bool {
        self.cleared.contains(&number)
    }

    /// Whether some of the steps go round.
    pub fn go_round(&self) -> bool {
        machine::goes_round(&self.steps)
    }
}
