//! What livelock is about: which threads could go on, what is progress, and what
//! no program may rely on.

use ir::{FuncId, Instr};

use crate::machine::Machine;
use crate::mover::Mover;
use crate::state::State;
use crate::state::thread::Status;
use crate::telling::fault::{Fault, FaultKind, ThreadId, Turn};

impl Machine {
    /// What can take a step which is not [spurious](Self::is_spurious): threads,
    /// ascending, then store buffers.
    pub fn enabled(&self, state: &State) -> impl Iterator<Item = Mover> {
        let spurious =
            |mover: &Mover| matches!(mover, Mover::Thread(thread) if self.wakes_spuriously(state, *thread));
        let enabled: Vec<Mover> = self.movers(state).into_iter().filter(|mover| !spurious(mover)).collect();
        enabled.into_iter()
    }

    /// Whether a step only happens because an operation may fail or end for no
    /// reason: a wait on a condition that no thread signalled, a weak
    /// compare-and-exchange that fails though the values are equal. That it
    /// does so for ever is not to be expected.
    pub fn is_spurious(&self, state: &State, mover: Mover, choice: u64) -> bool {
        let Mover::Thread(thread) = mover else { return false };
        let frame = || state.thread(thread).frame();
        let weak = || {
            let code = &self.program().function(frame().function).code;
            matches!(&code[frame().pc as usize], Instr::CompareExchange(cx) if cx.weak)
        };
        self.wakes_spuriously(state, thread)
            || (choice == 1 && state.thread(thread).status == Status::Ready && weak())
    }

    /// Whether a thread's next step is to wake though no thread has signalled.
    pub fn wakes_spuriously(&self, state: &State, thread: ThreadId) -> bool {
        matches!(&state.thread(thread).status, Status::Waiting(wait) if !wait.signalled && !wait.timed)
    }

    /// The function whose call is progress, if the program has it.
    pub fn progress_function(&self) -> Option<FuncId> {
        let program = self.program();
        let is = |function: &ir::Function| program.name(function.name) == "tp_progress";
        program.functions.iter().position(is).map(|index| FuncId(index as u32))
    }

    /// The fault of an execution that goes round in this state for ever, with
    /// these threads moving.
    pub fn livelock(&self, state: &State, start: usize, threads: &[ThreadId]) -> Fault {
        let turn = |thread: &ThreadId| Turn { thread: *thread, at: self.position(state, *thread) };
        let turns: Vec<Turn> = threads.iter().map(turn).collect();
        self.fault(state, threads[0], FaultKind::Livelock { start, turns })
    }
}
