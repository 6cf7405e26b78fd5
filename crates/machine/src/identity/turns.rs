//! Threads that begin in turn: of threads that are alike, only the first that has not
//! begun is a candidate.
//!
//! Two threads are *alike* if they were started with the same function and argument, and both
//! detached or neither. A thread *begins* with the first of its steps that others can observe:
//! its first one or, where that is invisible, its second one. The invisible beginning depends
//! on nothing but function and argument, and is as good as part of the start.
//!
//! A search over executions that tells threads apart by their numbers (sleep sets, wakeup
//! trees) cannot leave out a candidate now and then. What it can do is to search another
//! program, in which a thread waits to begin until the thread before it among those that are
//! alike has begun, as if that one's step had started it. The order that this adds is
//! the same in all executions of that program: which threads are alike, and which of them
//! comes before, depends on what starts them, and starts are in an order in every trace.
//! So happens-before is well-defined, and two executions that are equivalent in the
//! program itself, and are both executions of the other one, are equivalent there too:
//! there are no more traces.
//!
//! # Why it is enough
//!
//! Let `E` be an execution of the program. Among threads that are alike, let the one that
//! was started as the n-th take the place of the one that began as the n-th, from where
//! they begin; steps before are left as they are. This is an execution of the other program:
//! - When the n-th one begins in `E`, at least n of them were started.
//! - Where they begin, the threads differ by what their own objects are called. The
//!   invisible beginnings commute with all that others do, so they can come at once after
//!   the starts. They read nothing that changes meanwhile: an access of which it is
//!   known that no other thread disturbs it ([`crate::Config::undisturbed`]) would be disturbed
//!   by a change after the start of the first of two that are swapped, which may not have moved
//!   until the second begins.
//! - Numbers of threads are given in the order of starts, which stays the same. What a thread
//!   does depends on no number ([`Machine::twins`]), and where `main` joins threads,
//!   it does so in rounds that can be delayed until all have ended
//!   ([`crate::identity::twins`]).
//!
//! It leads to the same states and faults, with other threads in them. What happens before what is
//! *not* the same: the thread that is the second to begin may have been started before or after
//! something that its starter did in between. Data races depend on that, so there are no turns
//! where they are looked for by clocks.
//!
//! If the other program comes to an end, so does the program itself: what a thread needs to begin
//! is what the one before it needs. A thread that cannot begin at all (it is at an assumption
//! that is false) is one that nothing can help, and neither can those after it be helped.
//! Executions in which idle rounds of loops are left out (`stateless/src/idle.rs`) are renamed like
//! all others, since it is the same for all threads that are alike which rounds are idle.

use ir::FuncId;
use triomphe::Arc;

use crate::machine::{Grain, Machine};
use crate::state::State;
use crate::state::list::List;
use crate::telling::fault::ThreadId;
use crate::value::Value;

/// So many threads before one are looked at to find one that is alike.
const MOST_BEFORE: usize = 64;

/// How far the threads of an execution are, of those that begin in turn.
#[derive(Clone)]
pub struct Turns {
    /// All but `main`.
    threads: List<Turn>,
}

/// What is known of a thread.
#[derive(Clone)]
struct Turn {
    start: Start,
    /// The last one before it that is alike.
    before: Option<ThreadId>,
    stage: Stage,
}

/// What a thread was started with.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Start {
    function: FuncId,
    argument: Option<Value>,
    detached: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It has not moved.
    New,
    /// It has done what others cannot observe.
    Ready,
    /// It has begun.
    Begun,
}

impl Turns {
    /// At the beginning of an execution, where there is no thread but `main`.
    pub fn new() -> Turns {
        Turns { threads: List::default() }
    }

    /// Whether a thread that can move is to begin and another one comes first.
    pub fn waits(&self, machine: &Machine, state: &State, thread: ThreadId) -> bool {
        let before = self.turn(thread).and_then(|turn| self.turn(turn.before?));
        before.is_some_and(|before| before.stage != Stage::Begun) && self.begins(machine, state, thread)
    }

    /// Whether a thread's next step is the one with which it begins.
    pub fn begins(&self, machine: &Machine, state: &State, thread: ThreadId) -> bool {
        match self.turn(thread).map(|turn| turn.stage) {
            Some(Stage::New) => machine.is_visible(state, thread, Grain::Causal),
            Some(Stage::Ready) => true,
            Some(Stage::Begun) | None => false,
        }
    }

    /// The thread that begins before one.
    pub fn before(&self, thread: ThreadId) -> Option<ThreadId> {
        self.turn(thread)?.before
    }

    /// A thread that has not begun takes a step, with which it begins or not.
    pub fn advance(&mut self, thread: ThreadId, begins: bool) {
        let Some(turn) = self.turn(thread).filter(|turn| turn.stage != Stage::Begun) else { return };
        let stage = if begins { Stage::Begun } else { Stage::Ready };
        self.threads[thread.0 as usize - 1] = Arc::new(Turn { stage, ..turn.clone() });
    }

    /// Notes the threads that were started in the step that has led to a state.
    pub fn note_started(&mut self, machine: &Machine, state: &State) {
        for index in self.threads.len() + 1..state.threads.len() {
            let start = Start::of(machine, state, ThreadId(index as u32));
            let alike = |number: &usize| self.threads[*number - 1].start == start;
            let before = (1..index).rev().take(MOST_BEFORE).find(alike).map(|number| ThreadId(number as u32));
            self.threads.push(Arc::new(Turn { start, before, stage: Stage::New }));
        }
    }

    fn turn(&self, thread: ThreadId) -> Option<&Turn> {
        self.threads.get((thread.0 as usize).checked_sub(1)?).map(|turn| &**turn)
    }
}

impl Default for Turns {
    fn default() -> Turns {
        Turns::new()
    }
}

impl Start {
    /// That of a thread that has not moved.
    fn of(machine: &Machine, state: &State, thread: ThreadId) -> Start {
        let thread = state.thread(thread);
        let frame = thread.frame();
        let parameter = machine.program().function(frame.function).params.first();
        let argument = parameter.map(|parameter| frame.regs[parameter.reg.0 as usize]);
        Start { function: frame.function, argument, detached: thread.detached }
    }
}
