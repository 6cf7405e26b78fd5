//! The order of joins makes no difference.
//!
//! A thread that is about to join several others, and does nothing in between
//! that other threads can see, goes on when all have ended, whichever it asks for
//! first. States that differ only in that order can be taken for one. The
//! usual program needs this for its threads to be interchangeable at all: it
//! keeps their handles in an array and joins them one after the other.
//!
//! That the order makes no difference is shown by looking ahead: `main` is
//! executed on the supposition that the threads have ended. It must reach, by
//! invisible steps alone, a point where it has joined them all. Which handle is
//! whose makes no difference from there on: nothing can be done with the handle
//! of a thread that was joined that depends on the thread. Besides:
//! - Only `main` joins, and no thread detaches another or asks for its own
//!   handle: handles mean nothing to threads other than `main`
//!   ([`only_main_joins`]).
//! - `main` holds no lock, so that no thread waits for it. (Suppose that `main`
//!   held a lock while it waits for the end of a thread. Another thread that
//!   waits for the lock may be in a deadlock if `main` joins the one first, and
//!   not if it joins the other.)
//! - With race detection, no other thread has touched what it touches on the
//!   way: what a join orders is then only what comes after all of them.

use ir::{Callee, FuncId, Function, Instr, Program, SyncOp};
use triomphe::Arc;

use crate::exec::StepProgress;
use crate::identity::symmetry::holds;
use crate::independence::footprint::Footprint;
use crate::machine::{Grain, Machine};
use crate::state::State;
use crate::state::thread::Status;
use crate::symbolic::symbols::Symbols;
use crate::telling::fault::ThreadId;
use crate::value::Value;

const MAIN: ThreadId = ThreadId(0);

impl Machine {
    /// The threads that `main` is about to join, in its order, if the order
    /// makes no difference.
    pub(crate) fn joins_ahead<S: Symbols>(&self, state: &State, symbols: &mut S) -> Vec<ThreadId> {
        let mut joined = Vec::new();
        let busy =
            |object: &Arc<crate::memory::object::Object>| object.sync.iter().any(|(_, s)| holds(s, MAIN));
        let other = state.alive().find(|thread| *thread != MAIN);
        let Some(other) = other.filter(|_| self.only_main_joins && self.next_join(state).is_some()) else {
            return joined;
        };
        if state.thread(MAIN).atomic > 0 || state.memory.slots.iter().any(busy) {
            return joined;
        }
        let mut ahead = state.clone();
        // So that main is not taken to be alone.
        ahead.threads.push(Arc::clone(&state.threads[other.0 as usize]));
        while let Some(next) = self.next_join(&ahead).filter(|next| !joined.contains(next)) {
            ahead.thread_mut(next).status = Status::Ended;
            let mut footprint = Footprint::default();
            let mut progress = StepProgress::default();
            let (grain, on_way) = (Grain::Visible, &mut progress);
            let step = self.step_with(&mut ahead, MAIN, 0, grain, &mut footprint, symbols, on_way);
            let is_decided = !progress.undecided && step.end.is_none() && step.faults.is_empty();
            if !is_decided || self.meets_others(state, &footprint) {
                return Vec::new();
            }
            joined.push(next);
        }
        joined
    }

    /// Whether a thread is about to join another.
    pub fn is_joining(&self, state: &State, thread: ThreadId) -> bool {
        let next = self.next_instruction(state, thread);
        matches!(next, Some(Instr::Sync { op: SyncOp::ThreadJoin, .. }))
    }

    /// Whether a thread is about to start another.
    pub fn is_starting(&self, state: &State, thread: ThreadId) -> bool {
        let next = self.next_instruction(state, thread);
        matches!(next, Some(Instr::Sync { op: SyncOp::ThreadCreate, .. }))
    }

    /// The thread that `main` is about to join, if it wants no result.
    fn next_join(&self, state: &State) -> Option<ThreadId> {
        let main = state.thread(MAIN);
        if main.status != Status::Ready {
            return None;
        }
        let code = &self.program().function(main.frame().function).code;
        let Instr::Sync { op: SyncOp::ThreadJoin, args, .. } = &code[main.frame().pc as usize] else {
            return None;
        };
        let thread = self.peek(state, MAIN, args[0]).object.as_thread()?;
        let fresh = thread != MAIN && !state.thread(thread).joined && !state.thread(thread).detached;
        (fresh && self.peek(state, MAIN, args[1]) == Value::int(0)).then_some(thread)
    }

    /// Whether something was touched that others are remembered to have touched.
    fn meets_others(&self, state: &State, footprint: &Footprint) -> bool {
        let others = |id| {
            let cells = state.memory.get(id).map_or(&[][..], |object| &object.shadow.cells);
            cells.iter().any(|cell| cell.records.iter().any(|record| record.thread != MAIN))
        };
        self.track_races && footprint.memory().any(|(place, ..)| others(place.object))
    }
}

/// Whether no thread but the first joins others, and none detaches a thread or
/// asks for its own handle.
pub(crate) fn only_main_joins(program: &Program, entry: FuncId) -> bool {
    let handles = [SyncOp::ThreadDetach, SyncOp::ThreadSelf];
    let main = reachable(program, vec![entry]);
    !main.iter().any(|id| asks(program.function(*id), &handles))
        && !others_ask(program, &[SyncOp::ThreadDetach, SyncOp::ThreadSelf, SyncOp::ThreadJoin])
}

/// Whether no thread but the first starts others.
pub(crate) fn only_main_starts(program: &Program) -> bool {
    !others_ask(program, &[SyncOp::ThreadCreate])
}

/// Whether what threads other than the first may execute has one of some
/// operations.
fn others_ask(program: &Program, wanted: &[SyncOp]) -> bool {
    let others = reachable(program, program.taken_functions());
    others.iter().any(|id| asks(program.function(*id), wanted))
}

fn asks(function: &Function, wanted: &[SyncOp]) -> bool {
    function.code.iter().any(|instr| matches!(instr, Instr::Sync { op, .. } if wanted.contains(op)))
}

/// All that is called from some functions, themselves included. Calls through
/// pointers lead to functions whose address is taken.
fn reachable(program: &Program, mut due: Vec<FuncId>) -> Vec<FuncId> {
    let mut found = Vec::new();
    while let Some(id) = due.pop() {
        if found.contains(&id) {
            continue;
        }
        found.push(id);
        for instr in &program.function(id).code {
            if let Instr::Call { callee: Callee::Direct(callee), .. } = instr {
                due.push(*callee);
            }
        }
    }
    found
}
