//! What every search does: taking steps, and counting what comes of them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use engine::{Counts, Cut, Exceeded, Task, Watch};
use machine::{End, Fault, Grain, Machine, State, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Options;
use crate::compaction::{Fingerprints, fingerprint};
use crate::store::{Loaded, Store};

/// What all workers of a search share.
pub struct Shared<'a> {
    /// What is asked.
    pub task: &'a Task<'a>,
    /// How far a step goes.
    pub grain: Grain,
    /// Whether starting a thread counts as a context switch.
    pub starts_switch: bool,
    /// The states.
    pub store: Store,
    /// Their fingerprints instead, with hash compaction.
    pub fingerprints: Option<Fingerprints>,
    /// Whether states that differ by the numbers of threads are one.
    pub symmetry: bool,
    asymmetric: AtomicBool,
    stopped: OnceLock<Exceeded>,
    transitions: AtomicU64,
    layer: AtomicU64,
}

impl<'a> Shared<'a> {
    /// Before the first state.
    pub fn new(task: &'a Task<'a>, options: &Options) -> Shared<'a> {
        let (transitions, layer) = (AtomicU64::new(0), AtomicU64::new(0));
        let (grain, starts_switch) = (options.reduction, options.starts_switch);
        let store = Store::new(task.machine);
        let fingerprints = options.hash_compaction.then(Fingerprints::new);
        let stopped = OnceLock::new();
        let (symmetry, asymmetric) = (options.symmetry, AtomicBool::new(false));
        Shared {
            task,
            grain,
            starts_switch,
            store,
            fingerprints,
            symmetry,
            asymmetric,
            stopped,
            transitions,
            layer,
        }
    }

    /// The machine.
    pub fn machine(&self) -> &'a Machine {
        self.task.machine
    }

    /// How many states there are.
    pub fn states(&self) -> u64 {
        self.fingerprints.as_ref().map_or_else(|| u64::from(self.store.len()), Fingerprints::len)
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> u64 {
        self.fingerprints.as_ref().map_or_else(|| self.store.bytes(), Fingerprints::bytes)
    }

    /// Makes all workers stop.
    pub fn stop(&self, why: Exceeded) {
        let _ = self.stopped.set(why);
    }

    /// Why the search stops early, if it does.
    pub fn stopped(&self) -> Option<Exceeded> {
        self.stopped.get().copied()
    }

    /// What the tables cannot hold is memory that is not there.
    pub fn stop_full(&self) {
        self.stop(Exceeded::Memory { limit: self.bytes() });
    }

    /// Says that the program depends on how threads are numbered.
    fn give_up_symmetry(&self) {
        self.asymmetric.store(true, Ordering::Relaxed);
        self.stop(Exceeded::Cancelled);
    }

    /// Whether the program was found to depend on how threads are numbered.
    pub fn is_asymmetric(&self) -> bool {
        self.asymmetric.load(Ordering::Relaxed)
    }

    /// Says which layer (or level, or depth) the search is in.
    pub fn enter_layer(&self, layer: u64) {
        self.layer.store(layer, Ordering::Relaxed);
    }

    /// Says how many states wait to be visited.
    pub fn enqueue(&self, states: usize) {
        self.task.progress.set_queue(states as u64);
    }
}

/// What was counted besides states.
#[derive(Default)]
pub struct Tally {
    /// Steps taken, each once.
    pub transitions: u64,
    /// Where executions were not followed.
    pub cuts: Vec<Cut>,
    /// Distinct contents of the global memory at the program's end.
    pub final_states: FxHashSet<Box<[u8]>>,
    /// Faults that nobody asked about.
    pub warnings: FxHashMap<(&'static str, ir::Location), (Fault, u64)>,
}

impl Tally {
    /// Notes that executions were not followed.
    pub fn cut(&mut self, cut: Cut) {
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
    }

    fn warn(&mut self, fault: Fault, count: u64) {
        let key = (fault.kind.name(), fault.at.clone());
        match self.warnings.entry(key) {
            std::collections::hash_map::Entry::Vacant(entry) => drop(entry.insert((fault, count))),
            std::collections::hash_map::Entry::Occupied(mut entry) => {
                let (known, times) = entry.get_mut();
                *times += count;
                // The same one whoever comes first.
                if *known != fault && format!("{fault:?}") < format!("{known:?}") {
                    *known = fault;
                }
            }
        }
    }

    /// Adds what another worker counted.
    pub fn add(&mut self, other: Tally) {
        self.transitions += other.transitions;
        other.cuts.into_iter().for_each(|cut| self.cut(cut));
        self.final_states.extend(other.final_states);
        for (fault, count) in other.warnings.into_values() {
            self.warn(fault, count);
        }
    }
}

/// Where a step leads.
pub enum Next {
    /// To a normal state.
    State(Reached),
    /// To a fault that was asked for.
    Fault,
    /// Nowhere: the execution is over.
    Over,
}

/// What a step leads to, with threads named as there: with symmetry they may
/// have other numbers than before.
pub struct Reached {
    /// The state.
    pub state: State,
    /// Who moved.
    pub mover: ThreadId,
    /// The thread that was started, if it can move.
    pub started: Option<ThreadId>,
}

/// One thread of a search.
pub struct Worker<'a> {
    /// What it shares with the others.
    pub shared: &'a Shared<'a>,
    /// What it counted.
    pub tally: Tally,
    watch: Watch<'a>,
    buffer: Vec<u8>,
    reported: u64,
}

impl<'a> Worker<'a> {
    /// How many steps are taken between two reports of progress.
    const REPORT_EVERY: u64 = 256;

    /// One that has done nothing yet.
    pub fn new(shared: &'a Shared<'a>) -> Worker<'a> {
        let watch = shared.task.budget.watch();
        Worker { shared, tally: Tally::default(), watch, buffer: Vec::new(), reported: 0 }
    }

    /// Whether to stop; looks at the budget.
    pub fn must_stop(&mut self) -> bool {
        let states = self.shared.states();
        let budget = self.shared.task.budget;
        if let Some(exceeded) = self.watch.exceeded().or_else(|| budget.out_of_states(states)) {
            self.shared.stop(exceeded);
        }
        self.shared.stopped().is_some()
    }

    /// The data choices of a thread's next step. Where there are too many,
    /// there is a cut instead.
    pub fn choices(&mut self, state: &State, thread: ThreadId) -> u64 {
        self.shared.machine().choices(state, thread).unwrap_or_else(|needs| {
            self.tally.cut(Cut::NeedsSymbolic(needs));
            0
        })
    }

    /// Takes a step; one that is taken `again` is not counted again.
    pub fn step(&mut self, from: &State, thread: ThreadId, choice: u64, again: bool) -> Next {
        let machine = self.shared.machine();
        let mut state = from.clone();
        let step = machine.step(&mut state, thread, choice, self.shared.grain, &mut ());
        self.count(again);
        let mut asked = false;
        for fault in step.faults {
            asked |= machine.asks(&fault.kind);
            if !again && !machine.asks(&fault.kind) {
                self.tally.warn(fault, 1);
            }
        }
        match step.end {
            _ if asked => Next::Fault,
            None => {
                machine.normalise(&mut state);
                Next::State(self.reached(from, thread, state))
            }
            Some(end) => {
                if !again {
                    self.end(from, thread, &state, end);
                }
                Next::Over
            }
        }
    }

    /// Finishes a step that leads to a normal state.
    fn reached(&self, from: &State, mover: ThreadId, mut state: State) -> Reached {
        let machine = self.shared.machine();
        let started = machine.started(from, &state);
        if !self.shared.symmetry {
            return Reached { state, mover, started };
        }
        if machine.uses_thread_numbers(&state) {
            self.shared.give_up_symmetry();
        }
        let names = machine.sort_threads(&mut state);
        let started = started.map(|thread| names.new_number(thread));
        Reached { state, mover: names.new_number(mover), started }
    }

    /// Puts a normal state where the others are; gives it back if it is new.
    pub fn visit(&mut self, state: State, near: Option<&Loaded>) -> Option<Loaded> {
        let Some(fingerprints) = &self.shared.fingerprints else {
            let (id, new) = self.shared.store.insert(&state, near);
            return new.then(|| self.shared.store.load(id));
        };
        self.buffer.clear();
        self.shared.machine().canonical(&state, &mut self.buffer);
        fingerprints.insert(fingerprint(&self.buffer)).then(|| Loaded::unstored(state))
    }

    fn count(&mut self, again: bool) {
        self.tally.transitions += u64::from(!again);
        if self.tally.transitions >= self.reported + Self::REPORT_EVERY {
            self.report();
        }
    }

    /// Tells whoever watches how far the search is.
    fn report(&mut self) {
        let news = self.tally.transitions - self.reported;
        self.reported = self.tally.transitions;
        let shared = self.shared;
        let transitions = shared.transitions.fetch_add(news, Ordering::Relaxed) + news;
        let (states, depth) = (shared.states(), shared.layer.load(Ordering::Relaxed));
        shared.task.progress.set(Counts { states, transitions, depth });
        if shared.store.is_full() {
            shared.stop_full();
        }
    }

    fn end(&mut self, from: &State, thread: ThreadId, state: &State, end: End) {
        match end {
            End::Exited(_) => {
                self.buffer.clear();
                self.shared.machine().canonical_globals(state, &mut self.buffer);
                if !self.tally.final_states.contains(self.buffer.as_slice()) {
                    self.tally.final_states.insert(self.buffer.as_slice().into());
                }
            }
            End::Unsupported(what) => {
                let at = self.shared.machine().position(from, thread);
                self.tally.cut(Cut::Unsupported { what, at });
            }
            End::Aborted | End::Fault | End::Infeasible => {}
        }
    }

    /// Whether a state is in a deadlock that was asked for.
    pub fn is_deadlocked(&self, state: &State) -> bool {
        let machine = self.shared.machine();
        machine.deadlock(state).is_some_and(|fault| machine.asks(&fault.kind))
    }
}
